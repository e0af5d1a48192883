"""The tables of the first release. They never change: what comes later is a step in ``versions``."""

from typing import Final

import sqlalchemy as sa

from jantaku.server.storage.migrations.table_lines import read_table

TABLES: Final = """
people id:16* name:24 account:64?! password:200? role:12 language:2 created:big numbers_shown:small=0
    reviews_shown:small=1
names skeleton:120* person:16>people.id
guest_names mark:64* given:int
sessions token:64* person:16>people.id expires:big since:big? seen:big? device:40?
links token:64* person:16>people.id role:12? expires:big
rulesets fingerprint:16* name:100 tree:text toml:text person:16? created:big
uploads id:16* name:100 text:text created:big person:16?
tables id:16* name:40 owner:16 rules:64 fingerprint:16 options:text status:12 game:int seat_count:small=4
    created:big event:16? stage:64?
seats table_id:16*>tables.id seat:small* person:16? name:24 bot:40? gone:bool
removed table_id:16*>tables.id mark:64*
games id:16* table_id:16>tables.id number:int seed:bytes rules:64 fingerprint:16 players:text status:12
    started:big ended:big? hands:int result:text? opening:text? engine:16?
game_players game:16*>games.id seat:small* person:16 ended:big? tally:bytes?
actions game:16*>games.id number:int* seat:small action:24 bank:int? absent:small?
hands game:16*>games.id number:int* log:bytes
pulse id:small* at:big
events id:16* name:text rules:64 fingerprint:16 plan:text status:12 listed:bool revision:int results:int
    code:16 created:big
event_staff event:16*>events.id person:16* role:12
event_entries event:16*>events.id id:64* number:int name:64 team:64 person:16? status:12 checked_in:big?
    merged_into:64? created:big real_name:64= erased:big?
event_nicknames event:16* site:16* name:64* entry:64
event_audit event:16*>events.id revision:int* part:int* at:big person:16? name:64 action:24 game:64? entry:64?
    before:text? after:text? why:text
event_calls event:16*>events.id number:int* kind:12 game:64? version:64? label:64 person:16? name:64
    why:text at:big closed:big? answer:text
event_penalties event:16*>events.id number:int* stage:64 entry:64 game:64? points:int why:text person:16?
    at:big cancelled:big?
event_stages event:16*>events.id stage:64* settings:text
event_rounds event:16*>events.id stage:64* number:int* state:12 made_by:12 seed:int? tables:text byes:text
    timer:text published:big?
event_absences event:16*>events.id stage:64* entry:64* first:int* last:int?
event_webhooks event:16*>events.id url:text secret:64 kinds:text created:big
event_deliveries event:16*>events.id number:int* kind:12 body:text at:big tries:small due:big? done:big?
    status:int? error:24
recorded_games event:16*>events.id id:64* number:int stage:64 label:64 at:big? person:16? status:12 head:64
    revision:int ended_with:text? result:text? digest:64? replay:16?
recorded_seats event:16* game:64* seat:small* entry:64
hand_versions event:16* game:64* id:64* follows:64 revision:int action:8 place:small hand:text? person:16?
    seat:small? at:big why:text
hand_marks event:16* game:64* version:64* seat:small* kind:12* person:16? at:big
online_games game:16*>games.id event:16>events.id stage:64 outcome:24 seat:small? at:big
seasons id:16* name:text cut:int? listed:bool person:16 created:big revision:int=1
season_parts season:16*>seasons.id id:64* number:int name:text ranked:bool event:16?>events.id
side_bets event:16* number:int* game:64 person:16 opponent:16 kind:12 stake:int status:12 at:big
push_keys id:small* private:text public:text created:big
push_devices session:64*>>sessions.token endpoint:text p256dh:120 auth:40 language:2 created:big
"""
BELONGS: Final = """
event_nicknames.entry event_entries
recorded_seats.game recorded_games
hand_versions.game recorded_games
hand_marks.game recorded_games
side_bets.game recorded_games
"""  # the column that names, together with ``event``, a row of another table
INDEXES: Final = """
names.person sessions.person rulesets.person uploads.person tables.status tables.event
games.ended games.fingerprint,ended games.table_id,number! game_players.person,ended,game
events.created event_staff.person event_entries.person event_entries.event,person!
event_nicknames.event,entry event_audit.person event_deliveries.due
recorded_games.event,stage recorded_games.event,digest! recorded_seats.event,entry
hand_versions.event,game,follows! hand_versions.event,game,revision! online_games.event
seasons.person seasons.created season_parts.event side_bets.person side_bets.opponent
"""  # ``!``: no two rows are alike in it
NAMED: Final = {  # the other indexes are called after all their columns
    "hand_versions.event,game,follows": "ix_hand_versions_follows",
    "hand_versions.event,game,revision": "ix_hand_versions_revision",
}


def _tables() -> sa.MetaData:
    tables = sa.MetaData()
    for line in TABLES.replace("\n    ", " ").split("\n")[1:-1]:
        name, parts = read_table(line)
        sa.Table(name, tables, *parts)
    for column, owner in (line.split() for line in BELONGS.split("\n")[1:-1]):
        table, name = column.split(".")
        to = [f"{owner}.event", f"{owner}.id"]
        tables.tables[table].append_constraint(
            sa.ForeignKeyConstraint(["event", name], to, name=f"fk_{table}_event")
        )
    for index in INDEXES.split():
        table, listed = index.rstrip("!").split(".")
        names = listed.split(",")
        called = NAMED.get(index.rstrip("!"), "_".join(["ix", table, *names]))
        sa.Index(called, *(tables.tables[table].c[name] for name in names), unique=index.endswith("!"))
    return tables


FIRST_TABLES: Final = _tables()
