"""The first release."""

from alembic import op

from jantaku.server.storage.migrations.first_tables import FIRST_TABLES

revision = "r1"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    FIRST_TABLES.create_all(op.get_bind(), checkfirst=False)
