"""How long people took for the actions of their turns."""

import sqlalchemy as sa
from alembic import op

revision = "r14"
down_revision = "r13"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, without copying the rows; of actions of before it is unknown."""
    op.add_column("actions", sa.Column("took", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove it again."""
    op.drop_column("actions", "took")
