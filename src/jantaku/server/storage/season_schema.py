"""The tables of seasons and of side bets."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    String,
    Table,
    Text,
)

from jantaku.server.storage.event_schema import MOST_ID
from jantaku.server.storage.schema import METADATA

seasons: Final = Table(
    "seasons",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),  # JSON: a text for each language
    Column("cut", Integer),  # how many of the year's best play the final
    Column("listed", Boolean, nullable=False),
    Column("person", String(16), nullable=False, index=True),  # who organises it
    Column("created", BigInteger, nullable=False, index=True),
    Column("revision", Integer, nullable=False, server_default="1"),  # each change makes a new one
    Column("counting", Text, nullable=False, server_default="{}"),  # JSON of YearCounting
)

season_parts: Final = Table(
    "season_parts",
    METADATA,
    Column("season", String(16), ForeignKey("seasons.id"), primary_key=True),
    Column("id", String(MOST_ID), primary_key=True),
    Column("number", Integer, nullable=False),  # the order in the season
    Column("name", Text, nullable=False),  # JSON
    Column("ranked", Boolean, nullable=False),  # whether its points count for the year
    Column("event", String(16), ForeignKey("events.id"), index=True),  # NULL until it is opened
    Column("share", Float, nullable=False, server_default="1"),  # how much of its points counts for the year
    Column("brings", Float, nullable=False, server_default="0"),  # the share of the year that finalists bring
)

side_bets: Final = Table(  # only the two players read it, so nothing of it stands in the log
    "side_bets",
    METADATA,
    Column("event", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", String(MOST_ID), nullable=False),
    Column("person", String(16), nullable=False, index=True),  # who offers it
    Column("opponent", String(16), nullable=False, index=True),
    Column("kind", String(12), nullable=False),  # fixed, per_1000
    Column("stake", Integer, nullable=False),  # points
    Column("status", String(12), nullable=False),  # offered, agreed, declined, withdrawn
    Column("at", BigInteger, nullable=False),
    ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
)
