"""The days that kinds of data are kept, where an administrator has changed them."""

from jantaku.server.storage.migrations.table_lines import make_table

revision = "r18"
down_revision = "r17"


def upgrade() -> None:
    """Add the table; without rows all is kept as ever."""
    make_table("keeping name:20* days:int")
