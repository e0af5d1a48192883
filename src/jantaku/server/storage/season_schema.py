"""The tables of seasons and of side bets."""

from typing import Final

import sqlalchemy as sa

from jantaku.server.storage.event_schema import MOST_ID
from jantaku.server.storage.schema import METADATA

seasons: Final = sa.Table(
    "seasons",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),  # JSON: a text for each language
    sa.Column("cut", sa.Integer),  # how many of the year's best play the final
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("person", sa.String(16), nullable=False, index=True),  # who organises it
    sa.Column("created", sa.BigInteger, nullable=False, index=True),
    sa.Column("revision", sa.Integer, nullable=False, server_default="1"),  # each change makes a new one
    sa.Column("counting", sa.Text, nullable=False, server_default="{}"),  # JSON of YearCounting
)

season_parts: Final = sa.Table(
    "season_parts",
    METADATA,
    sa.Column("season", sa.String(16), sa.ForeignKey("seasons.id"), primary_key=True),
    sa.Column("id", sa.String(MOST_ID), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the order in the season
    sa.Column("name", sa.Text, nullable=False),  # JSON
    sa.Column("ranked", sa.Boolean, nullable=False),  # whether its points count for the year
    sa.Column("event", sa.String(16), sa.ForeignKey("events.id"), index=True),  # NULL until it is opened
    # how much of its points counts for the year
    sa.Column("share", sa.Float, nullable=False, server_default="1"),
    # the share of the year that finalists bring
    sa.Column("brings", sa.Float, nullable=False, server_default="0"),
)

side_bets: Final = sa.Table(  # only the two players read it, so nothing of it stands in the log
    "side_bets",
    METADATA,
    sa.Column("event", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(MOST_ID), nullable=False),
    sa.Column("person", sa.String(16), nullable=False, index=True),  # who offers it
    sa.Column("opponent", sa.String(16), nullable=False, index=True),
    sa.Column("kind", sa.String(12), nullable=False),  # fixed, per_1000
    sa.Column("stake", sa.Integer, nullable=False),  # points
    sa.Column("status", sa.String(12), nullable=False),  # offered, agreed, declined, withdrawn
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),
)
