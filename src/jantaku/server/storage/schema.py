"""The tables of the database. Times are milliseconds since 1970 (UTC); secrets are kept as hashes only."""

import sqlalchemy as sa

from jantaku.club.entered_results import GameEnd
from jantaku.club.settlement import GameResult
from jantaku.server.storage.base import METADATA, MOST_ID, StoredModel

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
