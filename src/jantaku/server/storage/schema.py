"""The tables of the database. Times are milliseconds since 1970 (UTC); secrets are kept as hashes only."""

import sqlalchemy as sa

from jantaku.club.entered_results import GameEnd
from jantaku.club.settlement import GameResult
from jantaku.server.storage.base import METADATA, MOST_ID, StoredModel

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
    sa.Column("ended_with", StoredModel(GameEnd)),  # what was entered instead of hands
    sa.Column("result", StoredModel(GameResult), nullable=False),
    sa.Column("digest", sa.String(64)),  # of the tiles, if they are known: the same game counts once
    sa.Column("replay", sa.String(16)),  # the game of the parlour that it was
    sa.Index("ix_recorded_games_event_stage", "event", "stage"),
    sa.Index("ix_recorded_games_event_digest", "event", "digest", unique=True),
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
