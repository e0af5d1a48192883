"""The country of a player, and their number in an association."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r5"
down_revision = "r4"


def upgrade() -> None:
    """Add the columns."""
    add_columns("event_entries country:2= association:16=")
