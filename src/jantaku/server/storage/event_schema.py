"""The tables of events: who runs them, who is registered, what was recorded, and who changed what."""

from typing import Final

import sqlalchemy as sa

from jantaku.server.storage.schema import METADATA

MOST_ID: Final = 64  # letters of the id of an entry, a stage, a game or a hand

events = sa.Table(
    "events",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),  # JSON: a text for each language
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("fingerprint", sa.String(16), nullable=False),
    sa.Column("plan", sa.Text, nullable=False),  # JSON of EventPlan
    sa.Column("status", sa.String(12), nullable=False),  # open, closed, cancelled
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # how often anything has changed
    sa.Column("results", sa.Integer, nullable=False),  # how often the standings may have changed
    sa.Column("code", sa.String(16), nullable=False),  # for checking in
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("broadcast", sa.String(32)),  # the key with which a broadcast shows hands; NULL: it never does
)

event_staff = sa.Table(
    "event_staff",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("person", sa.String(16), primary_key=True, index=True),
    sa.Column("role", sa.String(12), nullable=False),  # organiser, referee, recorder
)

event_entries = sa.Table(
    "event_entries",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("id", sa.String(MOST_ID), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the order of registration
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("team", sa.String(64), nullable=False),
    sa.Column("person", sa.String(16), index=True),  # NULL for somebody without an account
    sa.Column("status", sa.String(12), nullable=False),  # asked, waiting, playing, refused, withdrawn, merged
    sa.Column("checked_in", sa.BigInteger),
    sa.Column("merged_into", sa.String(MOST_ID)),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("real_name", sa.String(64), nullable=False, server_default=""),  # for organisers only
    sa.Column("erased", sa.BigInteger),  # when the names were deleted on request
    sa.Column("card", sa.String(16)),  # whoever has it may say that the entry is theirs
    # ISO 3166; for organisers, like the next
    sa.Column("country", sa.String(2), nullable=False, server_default=""),
    # the number in an association
    sa.Column("association", sa.String(16), nullable=False, server_default=""),
    sa.Column("brought", sa.Integer),  # points brought into the first stage; NULL for none, while 0 ranks
    # who it is in all events; the same in every event of a season
    sa.Column("player", sa.String(MOST_ID), nullable=False, server_default="", index=True),
    # among people of one name; 1 is not shown
    sa.Column("namesake", sa.Integer, nullable=False, server_default="1"),
    sa.Index("ix_event_entries_event_person", "event", "person", unique=True),
)

event_nicknames = sa.Table(  # what people call themselves elsewhere, so that logs find their entries
    "event_nicknames",
    METADATA,
    sa.Column("event", sa.String(16), primary_key=True),
    sa.Column("site", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("entry", sa.String(MOST_ID), nullable=False),
    sa.ForeignKeyConstraint(["event", "entry"], ["event_entries.event", "event_entries.id"]),
    sa.Index("ix_event_nicknames_event_entry", "event", "entry"),
)

event_claims = sa.Table(  # who has said that an entry of the list is theirs
    "event_claims",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entry", sa.String(MOST_ID), nullable=False),
    sa.Column("person", sa.String(16), index=True),
    sa.Column("name", sa.String(64), nullable=False),  # of the person, at that time
    sa.Column("how", sa.String(12), nullable=False),  # card, code, asked
    sa.Column("state", sa.String(12), nullable=False),  # asked, taken, undone
    sa.Column("at", sa.BigInteger, nullable=False),
)

event_audit = sa.Table(
    "event_audit",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("part", sa.Integer, primary_key=True),  # several things may change at once
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("person", sa.String(16), index=True),
    sa.Column("name", sa.String(64), nullable=False),  # of the person, at that time
    sa.Column("action", sa.String(24), nullable=False),
    sa.Column("game", sa.String(MOST_ID)),
    sa.Column("entry", sa.String(MOST_ID)),
    sa.Column("before", sa.Text),  # JSON
    sa.Column("after", sa.Text),  # JSON
    sa.Column("why", sa.Text, nullable=False),
)

recorded_games = sa.Table(
    "recorded_games",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("id", sa.String(MOST_ID), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the order in the event
    sa.Column("stage", sa.String(MOST_ID), nullable=False),
    sa.Column("label", sa.String(64), nullable=False),  # the name of the real table
    sa.Column("at", sa.BigInteger),  # NULL if an imported file does not tell
    sa.Column("person", sa.String(16)),  # who started it
    sa.Column("status", sa.String(12), nullable=False),  # playing, confirmed, cancelled
    sa.Column("head", sa.String(MOST_ID), nullable=False),  # the newest of its hand versions; empty at first
    sa.Column("revision", sa.Integer, nullable=False),  # how often hands, points or status were decided
    sa.Column("ended_with", sa.Text),  # JSON: points entered instead of hands
    sa.Column("result", sa.Text),  # JSON: what the hands come to
    sa.Column("digest", sa.String(64)),  # of the tiles, if they are known: the same game counts once
    sa.Column("replay", sa.String(16)),  # the game of the parlour that it was
    sa.Index("ix_recorded_games_event_stage", "event", "stage"),
    sa.Index("ix_recorded_games_event_digest", "event", "digest", unique=True),
)

online_games = sa.Table(  # finished games of the parlour that were played for an event: each is decided once
    "online_games",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), nullable=False, index=True),
    sa.Column("stage", sa.String(MOST_ID), nullable=False),
    sa.Column("outcome", sa.String(24), nullable=False),  # counted, or why it does not count
    sa.Column("seat", sa.SmallInteger),  # of whoever is the reason
    sa.Column("at", sa.BigInteger, nullable=False),
)

recorded_seats = sa.Table(
    "recorded_seats",
    METADATA,
    sa.Column("event", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(MOST_ID), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("entry", sa.String(MOST_ID), nullable=False),
    sa.ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
    sa.Index("ix_recorded_seats_event_entry", "event", "entry"),
)

hand_versions = sa.Table(  # nothing here is ever overwritten
    "hand_versions",
    METADATA,
    sa.Column("event", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(MOST_ID), primary_key=True),
    # made by the client, so that a retry is recognised
    sa.Column("id", sa.String(MOST_ID), primary_key=True),
    sa.Column("follows", sa.String(MOST_ID), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # its place in the chain, from 1
    sa.Column("action", sa.String(8), nullable=False),  # add, insert, replace, remove
    sa.Column("place", sa.SmallInteger, nullable=False),  # the index of the hand
    sa.Column("hand", sa.Text),  # JSON as entered; NULL if a hand is removed
    sa.Column("person", sa.String(16)),
    sa.Column("seat", sa.SmallInteger),  # of who entered it, if they play
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
    sa.Index("ix_hand_versions_follows", "event", "game", "follows", unique=True),
    sa.Index("ix_hand_versions_revision", "event", "game", "revision", unique=True),
)

hand_marks = sa.Table(
    "hand_marks",
    METADATA,
    sa.Column("event", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(MOST_ID), primary_key=True),
    sa.Column("version", sa.String(MOST_ID), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(12), primary_key=True),  # seen, signed, confirmed
    sa.Column("person", sa.String(16)),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
)

event_calls = sa.Table(
    "event_calls",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(12), nullable=False),  # call, dispute
    sa.Column("game", sa.String(MOST_ID)),
    sa.Column("version", sa.String(MOST_ID)),  # the disputed hand
    sa.Column("label", sa.String(64), nullable=False),  # where, if at no recorded game
    sa.Column("person", sa.String(16)),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("closed", sa.BigInteger),
    sa.Column("answer", sa.Text, nullable=False),
)

event_penalties = sa.Table(
    "event_penalties",
    METADATA,
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("stage", sa.String(MOST_ID), nullable=False),
    sa.Column("entry", sa.String(MOST_ID), nullable=False),
    sa.Column("game", sa.String(MOST_ID)),  # NULL: of the stage, outside any game
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("person", sa.String(16)),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("cancelled", sa.BigInteger),
)
