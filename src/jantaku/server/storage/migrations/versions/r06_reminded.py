"""Who is notified before the daily table."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r6"
down_revision = "r5"


def upgrade() -> None:
    """Add the column."""
    add_columns("people reminded:small=0")
