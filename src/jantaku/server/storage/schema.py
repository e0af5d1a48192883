"""The tables of the database. Times are milliseconds since 1970 (UTC); secrets are kept as hashes only."""

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = sa.Table(
    "people",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("account", sa.String(64), unique=True),  # the name without case and width; NULL for a guest
    sa.Column("password", sa.String(200)),
    sa.Column("role", sa.String(12), nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("numbers_shown", sa.SmallInteger, nullable=False, server_default="0"),  # 1: others may see them
    # whether others may read the reviews of games, and friends see where one plays: 0 is no
    sa.Column("reviews_shown", sa.SmallInteger, nullable=False, server_default="1"),
    sa.Column("presence_shown", sa.SmallInteger, nullable=False, server_default="1"),
    sa.Column("reminded", sa.SmallInteger, nullable=False, server_default="0"),  # 1: before the daily table
)

names = sa.Table(  # all names of accounts; no two may look alike
    "names",
    METADATA,
    sa.Column("skeleton", sa.String(120), primary_key=True),  # made by ``jantaku.server.names.skeleton``
    sa.Column("person", sa.String(16), sa.ForeignKey("people.id"), nullable=False, index=True),
)

guest_names = sa.Table(  # every name that a guest has had, also of guests who are gone
    "guest_names",
    METADATA,
    sa.Column("mark", sa.String(64), primary_key=True),  # keyed hash of the skeleton
    sa.Column("given", sa.Integer, nullable=False),  # the highest number that has been given with it
)

sessions = sa.Table(
    "sessions",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256
    sa.Column("person", sa.String(16), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column("since", sa.BigInteger),  # NULL if the session is older than this column
    sa.Column("seen", sa.BigInteger),
    sa.Column("device", sa.String(40)),  # browser and system, no address
)

links = sa.Table(
    "links",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256
    sa.Column("person", sa.String(16), sa.ForeignKey("people.id"), nullable=False),
    sa.Column("role", sa.String(12)),
    sa.Column("expires", sa.BigInteger, nullable=False),
)

recovery_codes = sa.Table(  # each sets a new password once
    "recovery_codes",
    METADATA,
    sa.Column("code", sa.String(64), primary_key=True),  # HMAC-SHA-256 with a key of ``server_keys``
    sa.Column("person", sa.String(16), sa.ForeignKey("people.id"), nullable=False, index=True),
)

ties = sa.Table(  # what somebody wants of somebody else: two who want to be friends are
    "ties",
    METADATA,
    sa.Column("person", sa.String(16), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    sa.Column(
        "other", sa.String(16), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("kind", sa.String(8), nullable=False),  # friend or blocked
    sa.Column("since", sa.BigInteger, nullable=False),
)

rulesets = sa.Table(
    "rulesets",
    METADATA,
    sa.Column("fingerprint", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("tree", sa.Text, nullable=False),  # JSON of Ruleset.to_dict
    sa.Column("toml", sa.Text, nullable=False),  # the saved text; empty for presets
    sa.Column("person", sa.String(16), index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
)

tables = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("owner", sa.String(16), nullable=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("fingerprint", sa.String(16), nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON of TableOptions
    sa.Column("status", sa.String(12), nullable=False, index=True),
    sa.Column("game", sa.Integer, nullable=False),  # number of games begun at this table
    sa.Column("seat_count", sa.SmallInteger, nullable=False, server_default="4"),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("event", sa.String(16), index=True),  # for whose stage its games are to count
    sa.Column("stage", sa.String(64)),
    sa.Column("process", sa.String(16)),  # which has it in memory; one without a row in ``processes`` is gone
    sa.Column("fence", sa.Integer, nullable=False, server_default="0"),  # how often a process has taken it
    sa.Column("round", sa.Integer),  # of that stage, and the table of the round for which it is played here
    sa.Column("round_table", sa.Integer),
    # a referee has stopped the game
    sa.Column("halted", sa.Boolean, nullable=False, server_default=sa.false()),
)

seats = sa.Table(
    "seats",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True),
    sa.Column("person", sa.String(16), index=True),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("bot", sa.String(40)),
    sa.Column("gone", sa.Boolean, nullable=False),  # left during the game; a bot plays on
)

removed = sa.Table(  # people and browsers removed from a table
    "removed",
    METADATA,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("mark", sa.String(64), primary_key=True),  # an id, or the SHA-256 of a browser's mark
)

games = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("seed", sa.LargeBinary(32), nullable=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("fingerprint", sa.String(16), nullable=False),
    sa.Column("players", sa.Text, nullable=False),  # JSON: name, person and bot of each seat
    sa.Column("status", sa.String(12), nullable=False),
    sa.Column("started", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger),
    sa.Column("hands", sa.Integer, nullable=False),
    sa.Column("result", sa.Text),  # JSON: final, places, and the hands that others played for each seat
    # JSON: walls and standing from a record; NULL if all walls come from the seed
    sa.Column("opening", sa.Text),
    # the mark of the engine that has last played it as stored; NULL if none
    sa.Column("engine", sa.String(16)),
    sa.Index("ix_games_table_id_number", "table_id", "number", unique=True),
    sa.Index("ix_games_ended", "ended"),
    sa.Index("ix_games_fingerprint_ended", "fingerprint", "ended"),
)

game_players = sa.Table(  # whose games they are; nobody who has been erased
    "game_players",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(16), nullable=False),
    sa.Column("ended", sa.BigInteger),  # as in ``games``, for the index; NULL until finished
    sa.Column("tally", sa.LargeBinary),  # what their hands count, see ``HandTally``; NULL until worked out
    sa.Index("ix_game_players_person_ended_game", "person", "ended", "game"),
)

rating_steps = sa.Table(  # the rating of a person after each game that counts for it
    "rating_steps",
    METADATA,
    sa.Column("under", sa.String(16), primary_key=True),  # a fingerprint, or the players of ranked play
    sa.Column("person", sa.String(16), primary_key=True),
    sa.Column("ended", sa.BigInteger, primary_key=True, autoincrement=False),  # as in ``games``
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("place", sa.SmallInteger, nullable=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("standing", sa.Double),  # by which people are ranked; NULL but after their newest game
    sa.Index("ix_rating_steps_under_standing", "under", "standing"),
)

rating_progress = sa.Table(
    "rating_progress",
    METADATA,
    sa.Column("under", sa.String(16), primary_key=True),
    # all rated games that ended before count; -1: none does
    sa.Column("until", sa.BigInteger, nullable=False),
)

actions = sa.Table(
    "actions",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("action", sa.String(24), nullable=False),  # as str() of the action writes it
    sa.Column("bank", sa.Integer),  # milliseconds left of the seat's reserve; NULL if unchanged
    sa.Column("absent", sa.SmallInteger),  # 1: the table took it for a person who was away
    sa.Column("took", sa.Integer),  # unused
)

packed_moves = sa.Table(  # instead of ``actions``, of games that ended long ago: see ``storage.moves``
    "packed_moves",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("moves", sa.LargeBinary, nullable=False),
)

hands = sa.Table(  # finished hands as they were played, even if a later version replays actions differently
    "hands",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 0
    sa.Column("log", sa.LargeBinary, nullable=False),  # packed by ``jantaku.records.native.hand_log``
)

uploads = sa.Table(
    "uploads",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("person", sa.String(16), index=True),
)

pulse = sa.Table(  # one row for test writes
    "pulse",
    METADATA,
    sa.Column("id", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

processes = sa.Table(  # that serve this database
    "processes",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("alone", sa.SmallInteger, nullable=False),  # 1: it shares the tables with no other
    sa.Column("version", sa.String(32), nullable=False),
    # others may take its tables then, by the database's clock
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("role", sa.String(8), nullable=False, server_default="all"),
    sa.Column("tables", sa.Integer, nullable=False, server_default="0"),  # how many it had a moment ago
    sa.Column("began", sa.BigInteger, nullable=False, server_default="0"),
)

keeping = sa.Table(  # for how many days what is kept, where the owner has said so; 0: for ever
    "keeping",
    METADATA,
    sa.Column("name", sa.String(20), primary_key=True),
    sa.Column("days", sa.Integer, nullable=False),
)

server_keys = sa.Table(  # secrets of the server
    "server_keys",
    METADATA,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("key", sa.String(64), nullable=False),  # hexadecimal
)
