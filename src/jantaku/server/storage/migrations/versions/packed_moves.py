"""The actions of old games, in one row each."""

import sqlalchemy as sa
from alembic import op

revision = "r16"
down_revision = "r15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; it is filled while the server runs."""
    op.create_table(
        "packed_moves",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_packed_moves_game"),
        sa.PrimaryKeyConstraint("game", name="pk_packed_moves"),
    )


def downgrade() -> None:
    """Refuse to lose the games."""
    raise NotImplementedError("packed games have no other place in an older version")
