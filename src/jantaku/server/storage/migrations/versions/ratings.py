"""Ratings at rated tables, kept as games end; the server works out those of earlier games when it starts."""

import sqlalchemy as sa
from alembic import op

revision = "r12"
down_revision = "r11"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "rating_steps",
        sa.Column("under", sa.String(length=16), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("standing", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_rating_steps_game"),
        sa.PrimaryKeyConstraint("under", "person", "ended", "game", name="pk_rating_steps"),
    )
    op.create_index("ix_rating_steps_under_standing", "rating_steps", ["under", "standing"])
    op.create_table(
        "rating_progress",
        sa.Column("under", sa.String(length=16), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("under", name="pk_rating_progress"),
    )


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("rating_progress")
    op.drop_table("rating_steps")
