-- revision 0001
CREATE TABLE people (
	id VARCHAR(16) NOT NULL,
	name VARCHAR(24) NOT NULL,
	account VARCHAR(64),
	password VARCHAR(200),
	role VARCHAR(12) NOT NULL,
	language VARCHAR(2) NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_people PRIMARY KEY (id),
	CONSTRAINT uq_people_account UNIQUE (account)
);
CREATE TABLE links (
	token VARCHAR(64) NOT NULL,
	person VARCHAR(16) NOT NULL,
	role VARCHAR(12),
	expires BIGINT NOT NULL,
	CONSTRAINT pk_links PRIMARY KEY (token),
	CONSTRAINT fk_links_person FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE sessions (
	token VARCHAR(64) NOT NULL,
	person VARCHAR(16) NOT NULL,
	expires BIGINT NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (token),
	CONSTRAINT fk_sessions_person FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE TABLE rulesets (
	fingerprint VARCHAR(16) NOT NULL,
	name VARCHAR(100) NOT NULL,
	tree TEXT NOT NULL,
	toml TEXT NOT NULL,
	person VARCHAR(16),
	created BIGINT NOT NULL,
	CONSTRAINT pk_rulesets PRIMARY KEY (fingerprint)
);
CREATE TABLE uploads (
	id VARCHAR(16) NOT NULL,
	name VARCHAR(100) NOT NULL,
	text TEXT NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_uploads PRIMARY KEY (id)
);
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL,
	name VARCHAR(40) NOT NULL,
	owner VARCHAR(16) NOT NULL,
	rules VARCHAR(64) NOT NULL,
	fingerprint VARCHAR(16) NOT NULL,
	options TEXT NOT NULL,
	status VARCHAR(12) NOT NULL,
	game INTEGER NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_tables PRIMARY KEY (id)
);
CREATE INDEX ix_tables_status ON tables (status);
CREATE TABLE seats (
	table_id VARCHAR(16) NOT NULL,
	seat SMALLINT NOT NULL,
	person VARCHAR(16),
	name VARCHAR(24) NOT NULL,
	bot VARCHAR(40),
	gone BOOLEAN NOT NULL,
	CONSTRAINT pk_seats PRIMARY KEY (table_id, seat),
	CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE games (
	id VARCHAR(16) NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	seed BLOB NOT NULL,
	rules VARCHAR(64) NOT NULL,
	fingerprint VARCHAR(16) NOT NULL,
	players TEXT NOT NULL,
	status VARCHAR(12) NOT NULL,
	started BIGINT NOT NULL,
	ended BIGINT,
	hands INTEGER NOT NULL,
	result TEXT,
	CONSTRAINT pk_games PRIMARY KEY (id),
	CONSTRAINT fk_games_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE INDEX ix_games_ended ON games (ended);
CREATE UNIQUE INDEX ix_games_table_id_number ON games (table_id, number);
CREATE TABLE actions (
	game VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	seat SMALLINT NOT NULL,
	action VARCHAR(24) NOT NULL,
	CONSTRAINT pk_actions PRIMARY KEY (game, number),
	CONSTRAINT fk_actions_game FOREIGN KEY(game) REFERENCES games (id)
);
-- revision 0002
ALTER TABLE actions ADD COLUMN bank INTEGER;
ALTER TABLE uploads ADD COLUMN person VARCHAR(16);
CREATE INDEX ix_uploads_person ON uploads (person);
CREATE INDEX ix_rulesets_person ON rulesets (person);
CREATE TABLE pulse (
	id SMALLINT NOT NULL,
	at BIGINT NOT NULL,
	CONSTRAINT pk_pulse PRIMARY KEY (id)
);
-- revision 0003
ALTER TABLE sessions ADD COLUMN since BIGINT;
ALTER TABLE sessions ADD COLUMN seen BIGINT;
ALTER TABLE sessions ADD COLUMN device VARCHAR(40);
CREATE TABLE removed (
	table_id VARCHAR(16) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	CONSTRAINT pk_removed PRIMARY KEY (table_id, mark),
	CONSTRAINT fk_removed_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE names (
	skeleton VARCHAR(120) NOT NULL,
	person VARCHAR(16) NOT NULL,
	CONSTRAINT pk_names PRIMARY KEY (skeleton),
	CONSTRAINT fk_names_person FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX ix_names_person ON names (person);
-- revision 0004
CREATE TABLE hands (
	game VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	log BLOB NOT NULL,
	CONSTRAINT pk_hands PRIMARY KEY (game, number),
	CONSTRAINT fk_hands_game FOREIGN KEY(game) REFERENCES games (id)
);
-- revision 0005
ALTER TABLE tables ADD COLUMN seat_count SMALLINT DEFAULT '4' NOT NULL;
-- revision 0006
CREATE TABLE events (
	id VARCHAR(16) NOT NULL,
	name TEXT NOT NULL,
	rules VARCHAR(64) NOT NULL,
	fingerprint VARCHAR(16) NOT NULL,
	"plan" TEXT NOT NULL,
	status VARCHAR(12) NOT NULL,
	listed BOOLEAN NOT NULL,
	revision INTEGER NOT NULL,
	results INTEGER NOT NULL,
	code VARCHAR(16) NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_events PRIMARY KEY (id)
);
CREATE TABLE event_staff (
	event VARCHAR(16) NOT NULL,
	person VARCHAR(16) NOT NULL,
	role VARCHAR(12) NOT NULL,
	CONSTRAINT pk_event_staff PRIMARY KEY (event, person),
	CONSTRAINT fk_event_staff_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_entries (
	event VARCHAR(16) NOT NULL,
	id VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	name VARCHAR(64) NOT NULL,
	team VARCHAR(64) NOT NULL,
	person VARCHAR(16),
	status VARCHAR(12) NOT NULL,
	checked_in BIGINT,
	merged_into VARCHAR(64),
	created BIGINT NOT NULL,
	CONSTRAINT pk_event_entries PRIMARY KEY (event, id),
	CONSTRAINT fk_event_entries_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_audit (
	event VARCHAR(16) NOT NULL,
	revision INTEGER NOT NULL,
	part INTEGER NOT NULL,
	at BIGINT NOT NULL,
	person VARCHAR(16),
	name VARCHAR(64) NOT NULL,
	action VARCHAR(24) NOT NULL,
	game VARCHAR(64),
	entry VARCHAR(64),
	"before" TEXT,
	"after" TEXT,
	why TEXT NOT NULL,
	CONSTRAINT pk_event_audit PRIMARY KEY (event, revision, part),
	CONSTRAINT fk_event_audit_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE recorded_games (
	event VARCHAR(16) NOT NULL,
	id VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	stage VARCHAR(64) NOT NULL,
	label VARCHAR(64) NOT NULL,
	at BIGINT,
	person VARCHAR(16),
	status VARCHAR(12) NOT NULL,
	head VARCHAR(64) NOT NULL,
	revision INTEGER NOT NULL,
	ended_with TEXT,
	result TEXT,
	CONSTRAINT pk_recorded_games PRIMARY KEY (event, id),
	CONSTRAINT fk_recorded_games_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE recorded_seats (
	event VARCHAR(16) NOT NULL,
	game VARCHAR(64) NOT NULL,
	seat SMALLINT NOT NULL,
	entry VARCHAR(64) NOT NULL,
	CONSTRAINT pk_recorded_seats PRIMARY KEY (event, game, seat),
	CONSTRAINT fk_recorded_seats_event FOREIGN KEY(event, game) REFERENCES recorded_games (event, id)
);
CREATE TABLE hand_versions (
	event VARCHAR(16) NOT NULL,
	game VARCHAR(64) NOT NULL,
	id VARCHAR(64) NOT NULL,
	follows VARCHAR(64) NOT NULL,
	revision INTEGER NOT NULL,
	action VARCHAR(8) NOT NULL,
	place SMALLINT NOT NULL,
	hand TEXT,
	person VARCHAR(16),
	seat SMALLINT,
	at BIGINT NOT NULL,
	why TEXT NOT NULL,
	CONSTRAINT pk_hand_versions PRIMARY KEY (event, game, id),
	CONSTRAINT fk_hand_versions_event FOREIGN KEY(event, game) REFERENCES recorded_games (event, id)
);
CREATE TABLE hand_marks (
	event VARCHAR(16) NOT NULL,
	game VARCHAR(64) NOT NULL,
	version VARCHAR(64) NOT NULL,
	seat SMALLINT NOT NULL,
	kind VARCHAR(12) NOT NULL,
	person VARCHAR(16),
	at BIGINT NOT NULL,
	CONSTRAINT pk_hand_marks PRIMARY KEY (event, game, version, seat, kind),
	CONSTRAINT fk_hand_marks_event FOREIGN KEY(event, game) REFERENCES recorded_games (event, id)
);
CREATE TABLE event_calls (
	event VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	kind VARCHAR(12) NOT NULL,
	game VARCHAR(64),
	version VARCHAR(64),
	label VARCHAR(64) NOT NULL,
	person VARCHAR(16),
	name VARCHAR(64) NOT NULL,
	why TEXT NOT NULL,
	at BIGINT NOT NULL,
	closed BIGINT,
	answer TEXT NOT NULL,
	CONSTRAINT pk_event_calls PRIMARY KEY (event, number),
	CONSTRAINT fk_event_calls_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_penalties (
	event VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	stage VARCHAR(64) NOT NULL,
	entry VARCHAR(64) NOT NULL,
	game VARCHAR(64),
	points INTEGER NOT NULL,
	why TEXT NOT NULL,
	person VARCHAR(16),
	at BIGINT NOT NULL,
	cancelled BIGINT,
	CONSTRAINT pk_event_penalties PRIMARY KEY (event, number),
	CONSTRAINT fk_event_penalties_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE INDEX ix_events_created ON events (created);
CREATE INDEX ix_event_staff_person ON event_staff (person);
CREATE INDEX ix_event_entries_person ON event_entries (person);
CREATE UNIQUE INDEX ix_event_entries_event_person ON event_entries (event, person);
CREATE INDEX ix_event_audit_person ON event_audit (person);
CREATE INDEX ix_recorded_games_event_stage ON recorded_games (event, stage);
CREATE INDEX ix_recorded_seats_event_entry ON recorded_seats (event, entry);
CREATE UNIQUE INDEX ix_hand_versions_follows ON hand_versions (event, game, follows);
CREATE UNIQUE INDEX ix_hand_versions_revision ON hand_versions (event, game, revision);
-- revision 0007
ALTER TABLE tables ADD COLUMN event VARCHAR(16);
ALTER TABLE tables ADD COLUMN stage VARCHAR(64);
CREATE INDEX ix_tables_event ON tables (event);
ALTER TABLE event_entries ADD COLUMN real_name VARCHAR(64) DEFAULT '' NOT NULL;
ALTER TABLE event_entries ADD COLUMN erased BIGINT;
ALTER TABLE recorded_games ADD COLUMN digest VARCHAR(64);
ALTER TABLE recorded_games ADD COLUMN replay VARCHAR(16);
CREATE UNIQUE INDEX ix_recorded_games_event_digest ON recorded_games (event, digest);
CREATE TABLE event_nicknames (
	event VARCHAR(16) NOT NULL,
	site VARCHAR(16) NOT NULL,
	name VARCHAR(64) NOT NULL,
	entry VARCHAR(64) NOT NULL,
	CONSTRAINT pk_event_nicknames PRIMARY KEY (event, site, name),
	CONSTRAINT fk_event_nicknames_event FOREIGN KEY(event, entry) REFERENCES event_entries (event, id)
);
CREATE INDEX ix_event_nicknames_event_entry ON event_nicknames (event, entry);
CREATE TABLE online_games (
	game VARCHAR(16) NOT NULL,
	event VARCHAR(16) NOT NULL,
	stage VARCHAR(64) NOT NULL,
	outcome VARCHAR(24) NOT NULL,
	seat SMALLINT,
	at BIGINT NOT NULL,
	CONSTRAINT pk_online_games PRIMARY KEY (game),
	CONSTRAINT fk_online_games_game FOREIGN KEY(game) REFERENCES games (id),
	CONSTRAINT fk_online_games_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE INDEX ix_online_games_event ON online_games (event);
-- revision 0008
CREATE TABLE event_stages (
	event VARCHAR(16) NOT NULL,
	stage VARCHAR(64) NOT NULL,
	settings TEXT NOT NULL,
	CONSTRAINT pk_event_stages PRIMARY KEY (event, stage),
	CONSTRAINT fk_event_stages_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_rounds (
	event VARCHAR(16) NOT NULL,
	stage VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	state VARCHAR(12) NOT NULL,
	made_by VARCHAR(12) NOT NULL,
	seed INTEGER,
	tables TEXT NOT NULL,
	byes TEXT NOT NULL,
	timer TEXT NOT NULL,
	published BIGINT,
	CONSTRAINT pk_event_rounds PRIMARY KEY (event, stage, number),
	CONSTRAINT fk_event_rounds_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_absences (
	event VARCHAR(16) NOT NULL,
	stage VARCHAR(64) NOT NULL,
	entry VARCHAR(64) NOT NULL,
	first INTEGER NOT NULL,
	last INTEGER,
	CONSTRAINT pk_event_absences PRIMARY KEY (event, stage, entry, first),
	CONSTRAINT fk_event_absences_event FOREIGN KEY(event) REFERENCES events (id)
);
-- revision 0009
CREATE TABLE seasons (
	id VARCHAR(16) NOT NULL,
	name TEXT NOT NULL,
	cut INTEGER,
	listed BOOLEAN NOT NULL,
	person VARCHAR(16) NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_seasons PRIMARY KEY (id)
);
CREATE INDEX ix_seasons_person ON seasons (person);
CREATE INDEX ix_seasons_created ON seasons (created);
CREATE TABLE season_parts (
	season VARCHAR(16) NOT NULL,
	id VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	name TEXT NOT NULL,
	ranked BOOLEAN NOT NULL,
	event VARCHAR(16),
	CONSTRAINT pk_season_parts PRIMARY KEY (season, id),
	CONSTRAINT fk_season_parts_season FOREIGN KEY(season) REFERENCES seasons (id),
	CONSTRAINT fk_season_parts_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE INDEX ix_season_parts_event ON season_parts (event);
CREATE TABLE side_bets (
	event VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	game VARCHAR(64) NOT NULL,
	person VARCHAR(16) NOT NULL,
	opponent VARCHAR(16) NOT NULL,
	kind VARCHAR(12) NOT NULL,
	stake INTEGER NOT NULL,
	status VARCHAR(12) NOT NULL,
	at BIGINT NOT NULL,
	CONSTRAINT pk_side_bets PRIMARY KEY (event, number),
	CONSTRAINT fk_side_bets_event FOREIGN KEY(event, game) REFERENCES recorded_games (event, id)
);
CREATE INDEX ix_side_bets_person ON side_bets (person);
CREATE INDEX ix_side_bets_opponent ON side_bets (opponent);
-- revision 0010
CREATE TABLE event_webhooks (
	event VARCHAR(16) NOT NULL,
	url TEXT NOT NULL,
	secret VARCHAR(64) NOT NULL,
	kinds TEXT NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_event_webhooks PRIMARY KEY (event),
	CONSTRAINT fk_event_webhooks_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE TABLE event_deliveries (
	event VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	kind VARCHAR(12) NOT NULL,
	body TEXT NOT NULL,
	at BIGINT NOT NULL,
	tries SMALLINT NOT NULL,
	due BIGINT,
	done BIGINT,
	status INTEGER,
	error VARCHAR(24) NOT NULL,
	CONSTRAINT pk_event_deliveries PRIMARY KEY (event, number),
	CONSTRAINT fk_event_deliveries_event FOREIGN KEY(event) REFERENCES events (id)
);
CREATE INDEX ix_event_deliveries_due ON event_deliveries (due);
-- revision 0011
CREATE TABLE push_keys (
	id SMALLINT NOT NULL,
	private TEXT NOT NULL,
	public TEXT NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_push_keys PRIMARY KEY (id)
);
CREATE TABLE push_devices (
	session VARCHAR(64) NOT NULL,
	endpoint TEXT NOT NULL,
	p256dh VARCHAR(120) NOT NULL,
	auth VARCHAR(40) NOT NULL,
	language VARCHAR(2) NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_push_devices PRIMARY KEY (session),
	CONSTRAINT fk_push_devices_session FOREIGN KEY(session) REFERENCES sessions (token) ON DELETE CASCADE
);
-- revision 0012
ALTER TABLE seasons ADD COLUMN revision INTEGER DEFAULT '1' NOT NULL;
-- revision 0013
ALTER TABLE people ADD COLUMN numbers_shown SMALLINT DEFAULT '0' NOT NULL;
-- revision 0014
ALTER TABLE games ADD COLUMN opening TEXT;
-- revision 0015
CREATE TABLE guest_names (
	mark VARCHAR(64) NOT NULL,
	given INTEGER NOT NULL,
	CONSTRAINT pk_guest_names PRIMARY KEY (mark)
);
-- revision 0016
ALTER TABLE actions ADD COLUMN absent SMALLINT;
ALTER TABLE people ADD COLUMN reviews_shown SMALLINT DEFAULT '1' NOT NULL;
-- revision 0017
CREATE TABLE game_players (
	game VARCHAR(16) NOT NULL,
	seat SMALLINT NOT NULL,
	person VARCHAR(16) NOT NULL,
	ended BIGINT,
	CONSTRAINT pk_game_players PRIMARY KEY (game, seat),
	CONSTRAINT fk_game_players_game FOREIGN KEY(game) REFERENCES games (id)
);
CREATE INDEX ix_game_players_person_ended_game ON game_players (person, ended, game);
CREATE INDEX ix_games_fingerprint_ended ON games (fingerprint, ended);
