"""The tables of the database. Times are milliseconds since 1970 (UTC); secrets are kept as hashes only."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    false,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = Table(
    "people",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("account", String(64), unique=True),  # the name without case and width; NULL for a guest
    Column("password", String(200)),
    Column("role", String(12), nullable=False),
    Column("language", String(2), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("numbers_shown", SmallInteger, nullable=False, server_default="0"),  # 1: others may see them
    Column("reviews_shown", SmallInteger, nullable=False, server_default="1"),  # 0: of games, for no others
    Column("presence_shown", SmallInteger, nullable=False, server_default="1"),  # 0: not even to friends
    Column("reminded", SmallInteger, nullable=False, server_default="0"),  # 1: before the daily table
)

names = Table(  # all names of accounts; no two may look alike
    "names",
    METADATA,
    Column("skeleton", String(120), primary_key=True),  # made by ``jantaku.server.names.skeleton``
    Column("person", String(16), ForeignKey("people.id"), nullable=False, index=True),
)

guest_names = Table(  # every name that a guest has had, also of guests who are gone
    "guest_names",
    METADATA,
    Column("mark", String(64), primary_key=True),  # SHA-256 of the skeleton
    Column("given", Integer, nullable=False),  # the highest number that has been given with it
)

sessions = Table(
    "sessions",
    METADATA,
    Column("token", String(64), primary_key=True),  # SHA-256
    Column("person", String(16), ForeignKey("people.id"), nullable=False, index=True),
    Column("expires", BigInteger, nullable=False),
    Column("since", BigInteger),  # NULL if the session is older than this column
    Column("seen", BigInteger),
    Column("device", String(40)),  # browser and system, no address
)

links = Table(
    "links",
    METADATA,
    Column("token", String(64), primary_key=True),  # SHA-256
    Column("person", String(16), ForeignKey("people.id"), nullable=False),
    Column("role", String(12)),
    Column("expires", BigInteger, nullable=False),
)

recovery_codes = Table(  # each sets a new password once
    "recovery_codes",
    METADATA,
    Column("code", String(64), primary_key=True),  # SHA-256
    Column("person", String(16), ForeignKey("people.id"), nullable=False, index=True),
)

ties = Table(  # what somebody wants of somebody else: two who want to be friends are
    "ties",
    METADATA,
    Column("person", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(16), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("kind", String(8), nullable=False),  # friend or blocked
    Column("since", BigInteger, nullable=False),
)

rulesets = Table(
    "rulesets",
    METADATA,
    Column("fingerprint", String(16), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("tree", Text, nullable=False),  # JSON of Ruleset.to_dict
    Column("toml", Text, nullable=False),  # the saved text; empty for presets
    Column("person", String(16), index=True),
    Column("created", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("owner", String(16), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("fingerprint", String(16), nullable=False),
    Column("options", Text, nullable=False),  # JSON of TableOptions
    Column("status", String(12), nullable=False, index=True),
    Column("game", Integer, nullable=False),  # number of games begun at this table
    Column("seat_count", SmallInteger, nullable=False, server_default="4"),
    Column("created", BigInteger, nullable=False),
    Column("event", String(16), index=True),  # for whose stage its games are to count
    Column("stage", String(64)),
    Column("process", String(16)),  # which has it in memory; one without a row in ``processes`` is gone
    Column("fence", Integer, nullable=False, server_default="0"),  # how often a process has taken it
    Column("round", Integer),  # of that stage, and the table of the round for which it is played here
    Column("round_table", Integer),
    Column("halted", Boolean, nullable=False, server_default=false()),  # a referee has stopped the game
)

seats = Table(
    "seats",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person", String(16)),
    Column("name", String(24), nullable=False),
    Column("bot", String(40)),
    Column("gone", Boolean, nullable=False),  # left during the game; a bot plays on
)

removed = Table(  # people and browsers removed from a table
    "removed",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("mark", String(64), primary_key=True),  # an id, or the SHA-256 of a browser's mark
)

games = Table(
    "games",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("fingerprint", String(16), nullable=False),
    Column("players", Text, nullable=False),  # JSON: name, person and bot of each seat
    Column("status", String(12), nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("hands", Integer, nullable=False),
    Column("result", Text),  # JSON: final, places, and the hands that others played for each seat
    Column("opening", Text),  # JSON: walls and standing from a record; NULL if all walls come from the seed
    Column("engine", String(16)),  # the mark of the engine that has last played it as stored; NULL if none
    Index("ix_games_table_id_number", "table_id", "number", unique=True),
    Index("ix_games_ended", "ended"),
    Index("ix_games_fingerprint_ended", "fingerprint", "ended"),
)

game_players = Table(  # whose games they are; nobody who has been erased
    "game_players",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("person", String(16), nullable=False),
    Column("ended", BigInteger),  # as in ``games``, for the index; NULL until finished
    Column("tally", LargeBinary),  # what their hands count, see ``HandTally``; NULL until worked out
    Index("ix_game_players_person_ended_game", "person", "ended", "game"),
)

rating_steps = Table(  # the rating of a person after each game that counts for it
    "rating_steps",
    METADATA,
    Column("under", String(16), primary_key=True),  # a fingerprint, or the players of ranked play
    Column("person", String(16), primary_key=True),
    Column("ended", BigInteger, primary_key=True, autoincrement=False),  # as in ``games``
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("place", SmallInteger, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("standing", Double),  # by which people are ranked; NULL but after their newest game
    Index("ix_rating_steps_under_standing", "under", "standing"),
)

rating_progress = Table(
    "rating_progress",
    METADATA,
    Column("under", String(16), primary_key=True),
    Column("until", BigInteger, nullable=False),  # all rated games that ended before count; -1: none does
)

actions = Table(
    "actions",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", SmallInteger, nullable=False),
    Column("action", String(24), nullable=False),  # as str() of the action writes it
    Column("bank", Integer),  # milliseconds left of the seat's reserve; NULL if unchanged
    Column("absent", SmallInteger),  # 1: the table took it for a person who was away
)

hands = Table(  # finished hands as they were played, even if a later version replays the actions differently
    "hands",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 0
    Column("log", LargeBinary, nullable=False),  # packed by ``jantaku.records.native.hand_log``
)

uploads = Table(
    "uploads",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("person", String(16), index=True),
)

pulse = Table(  # one row for test writes
    "pulse",
    METADATA,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

processes = Table(  # that serve this database
    "processes",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("alone", SmallInteger, nullable=False),  # 1: it shares the tables with no other
    Column("version", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),  # when others may take its tables, by the database's clock
)
