"""The key with which a broadcast of an event shows hands."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r11"
down_revision = "r10"


def upgrade() -> None:
    """Add the column."""
    add_columns("events broadcast:32?")
