"""The walls with which a game begins that goes on from a record."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all walls of the games so far come from their seeds."""
    op.add_column("games", sa.Column("opening", sa.Text(), nullable=True))


def downgrade() -> None:
    """Remove it again."""
    op.drop_column("games", "opening")
