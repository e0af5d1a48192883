"""The tables of events: who runs them, who is registered, what was recorded, and who changed what."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
)

from jantaku.server.storage.schema import METADATA

MOST_ID: Final = 64  # letters of the id of an entry, a stage, a game or a hand

events = Table(
    "events",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),  # JSON: a text for each language
    Column("rules", String(64), nullable=False),
    Column("fingerprint", String(16), nullable=False),
    Column("plan", Text, nullable=False),  # JSON of EventPlan
    Column("status", String(12), nullable=False),  # open, closed, cancelled
    Column("listed", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),  # how often anything has changed
    Column("results", Integer, nullable=False),  # how often the standings may have changed
    Column("code", String(16), nullable=False),  # for checking in
    Column("created", BigInteger, nullable=False, index=True),
    Column("broadcast", String(32)),  # the key with which a broadcast shows hands; NULL: it never does
)

event_staff = Table(
    "event_staff",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("person", String(16), primary_key=True, index=True),
    Column("role", String(12), nullable=False),  # organiser, referee, recorder
)

event_entries = Table(
    "event_entries",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("id", String(MOST_ID), primary_key=True),
    Column("number", Integer, nullable=False),  # the order of registration
    Column("name", String(64), nullable=False),
    Column("team", String(64), nullable=False),
    Column("person", String(16), index=True),  # NULL for somebody without an account
    Column("status", String(12), nullable=False),  # asked, waiting, playing, refused, withdrawn, merged
    Column("checked_in", BigInteger),
    Column("merged_into", String(MOST_ID)),
    Column("created", BigInteger, nullable=False),
    Column("real_name", String(64), nullable=False, server_default=""),  # for organisers only
    Column("erased", BigInteger),  # when the names were deleted on request
    Column("card", String(16)),  # whoever has it may say that the entry is theirs
    Column(
        "country", String(2), nullable=False, server_default=""
    ),  # ISO 3166; for organisers, like the next
    Column("association", String(16), nullable=False, server_default=""),  # the number in an association
    Column("brought", Integer, nullable=False, server_default="0"),  # points brought into the first stage
    Index("ix_event_entries_event_person", "event", "person", unique=True),
)

event_nicknames = Table(  # what people call themselves elsewhere, so that logs find their entries
    "event_nicknames",
    METADATA,
    Column("event", String(16), primary_key=True),
    Column("site", String(16), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("entry", String(MOST_ID), nullable=False),
    ForeignKeyConstraint(["event", "entry"], ["event_entries.event", "event_entries.id"]),
    Index("ix_event_nicknames_event_entry", "event", "entry"),
)

event_claims = Table(  # who has said that an entry of the list is theirs
    "event_claims",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("entry", String(MOST_ID), nullable=False),
    Column("person", String(16), index=True),
    Column("name", String(64), nullable=False),  # of the person, at that time
    Column("how", String(12), nullable=False),  # card, code, asked
    Column("state", String(12), nullable=False),  # asked, taken, undone
    Column("at", BigInteger, nullable=False),
)

event_audit = Table(
    "event_audit",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("part", Integer, primary_key=True),  # several things may change at once
    Column("at", BigInteger, nullable=False),
    Column("person", String(16), index=True),
    Column("name", String(64), nullable=False),  # of the person, at that time
    Column("action", String(24), nullable=False),
    Column("game", String(MOST_ID)),
    Column("entry", String(MOST_ID)),
    Column("before", Text),  # JSON
    Column("after", Text),  # JSON
    Column("why", Text, nullable=False),
)

recorded_games = Table(
    "recorded_games",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("id", String(MOST_ID), primary_key=True),
    Column("number", Integer, nullable=False),  # the order in the event
    Column("stage", String(MOST_ID), nullable=False),
    Column("label", String(64), nullable=False),  # the name of the real table
    Column("at", BigInteger),  # NULL if an imported file does not tell
    Column("person", String(16)),  # who started it
    Column("status", String(12), nullable=False),  # playing, confirmed, cancelled
    Column("head", String(MOST_ID), nullable=False),  # the newest of its hand versions; empty at first
    Column("revision", Integer, nullable=False),  # how often hands, points or status were decided
    Column("ended_with", Text),  # JSON: points entered instead of hands
    Column("result", Text),  # JSON: what the hands come to
    Column("digest", String(64)),  # of the tiles, if they are known: the same game counts once
    Column("replay", String(16)),  # the game of the parlour that it was
    Index("ix_recorded_games_event_stage", "event", "stage"),
    Index("ix_recorded_games_event_digest", "event", "digest", unique=True),
)

online_games = Table(  # finished games of the parlour that were played for an event: each is decided once
    "online_games",
    METADATA,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("event", String(16), ForeignKey("events.id"), nullable=False, index=True),
    Column("stage", String(MOST_ID), nullable=False),
    Column("outcome", String(24), nullable=False),  # counted, or why it does not count
    Column("seat", SmallInteger),  # of whoever is the reason
    Column("at", BigInteger, nullable=False),
)

recorded_seats = Table(
    "recorded_seats",
    METADATA,
    Column("event", String(16), primary_key=True),
    Column("game", String(MOST_ID), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("entry", String(MOST_ID), nullable=False),
    ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
    Index("ix_recorded_seats_event_entry", "event", "entry"),
)

hand_versions = Table(  # nothing here is ever overwritten
    "hand_versions",
    METADATA,
    Column("event", String(16), primary_key=True),
    Column("game", String(MOST_ID), primary_key=True),
    Column("id", String(MOST_ID), primary_key=True),  # made by the client, so that a retry is recognised
    Column("follows", String(MOST_ID), nullable=False),
    Column("revision", Integer, nullable=False),  # its place in the chain, from 1
    Column("action", String(8), nullable=False),  # add, insert, replace, remove
    Column("place", SmallInteger, nullable=False),  # the index of the hand
    Column("hand", Text),  # JSON as entered; NULL if a hand is removed
    Column("person", String(16)),
    Column("seat", SmallInteger),  # of who entered it, if they play
    Column("at", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
    Index("ix_hand_versions_follows", "event", "game", "follows", unique=True),
    Index("ix_hand_versions_revision", "event", "game", "revision", unique=True),
)

hand_marks = Table(
    "hand_marks",
    METADATA,
    Column("event", String(16), primary_key=True),
    Column("game", String(MOST_ID), primary_key=True),
    Column("version", String(MOST_ID), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("kind", String(12), primary_key=True),  # seen, signed, confirmed
    Column("person", String(16)),
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
)

event_calls = Table(
    "event_calls",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),  # call, dispute
    Column("game", String(MOST_ID)),
    Column("version", String(MOST_ID)),  # the disputed hand
    Column("label", String(64), nullable=False),  # where, if at no recorded game
    Column("person", String(16)),
    Column("name", String(64), nullable=False),
    Column("why", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("closed", BigInteger),
    Column("answer", Text, nullable=False),
)

event_penalties = Table(
    "event_penalties",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("stage", String(MOST_ID), nullable=False),
    Column("entry", String(MOST_ID), nullable=False),
    Column("game", String(MOST_ID)),  # NULL: of the stage, outside any game
    Column("points", Integer, nullable=False),
    Column("why", Text, nullable=False),
    Column("person", String(16)),
    Column("at", BigInteger, nullable=False),
    Column("cancelled", BigInteger),
)
