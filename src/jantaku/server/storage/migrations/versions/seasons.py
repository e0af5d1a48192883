"""Seasons, their parts, and side bets."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SHORT, ID, MS = sa.String(length=16), sa.String(length=64), sa.BigInteger()
KIND = sa.String(length=12)


def upgrade() -> None:
    """Add the tables; nothing that exists changes."""
    op.create_table(
        "seasons",
        sa.Column("id", SHORT, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cut", sa.Integer()),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("person", SHORT, nullable=False),
        sa.Column("created", MS, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
    )
    op.create_index("ix_seasons_person", "seasons", ["person"])
    op.create_index("ix_seasons_created", "seasons", ["created"])
    op.create_table(
        "season_parts",
        sa.Column("season", SHORT, nullable=False),
        sa.Column("id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column("event", SHORT),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_parts_season"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_season_parts_event"),
        sa.PrimaryKeyConstraint("season", "id", name="pk_season_parts"),
    )
    op.create_index("ix_season_parts_event", "season_parts", ["event"])
    op.create_table(
        "side_bets",
        sa.Column("event", SHORT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("game", ID, nullable=False),
        sa.Column("person", SHORT, nullable=False),
        sa.Column("opponent", SHORT, nullable=False),
        sa.Column("kind", KIND, nullable=False),
        sa.Column("stake", sa.Integer(), nullable=False),
        sa.Column("status", KIND, nullable=False),
        sa.Column("at", MS, nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "game"], ["recorded_games.event", "recorded_games.id"], name="fk_side_bets_event"
        ),
        sa.PrimaryKeyConstraint("event", "number", name="pk_side_bets"),
    )
    op.create_index("ix_side_bets_person", "side_bets", ["person"])
    op.create_index("ix_side_bets_opponent", "side_bets", ["opponent"])


def downgrade() -> None:
    """Remove them again."""
    for name in ("side_bets", "season_parts", "seasons"):
        op.drop_table(name)
