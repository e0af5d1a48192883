"""The first release."""

from alembic import op

from jantaku.server.storage.migrations.first_tables import FIRST_TABLES

revision = "r1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    FIRST_TABLES.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop all tables."""
    FIRST_TABLES.drop_all(op.get_bind(), checkfirst=False)
