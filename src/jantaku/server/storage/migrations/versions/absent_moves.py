"""Which actions the table took for people who were away, and whose reviews others may open."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of games before nothing is known, and reviews stay open as they were."""
    op.add_column("actions", sa.Column("absent", sa.SmallInteger(), nullable=True))
    op.add_column("people", sa.Column("reviews_shown", sa.SmallInteger(), nullable=False, server_default="1"))


def downgrade() -> None:
    """Remove them again."""
    with op.batch_alter_table("actions") as table:
        table.drop_column("absent")
    with op.batch_alter_table("people") as table:
        table.drop_column("reviews_shown")
