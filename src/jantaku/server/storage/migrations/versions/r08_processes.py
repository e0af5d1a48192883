"""The processes that serve the database, and which of them has each table."""

from jantaku.server.storage.migrations.table_lines import add_columns, make_table

revision = "r8"
down_revision = "r7"


def upgrade() -> None:
    """Add the table and the columns."""
    make_table("processes id:16* alone:small version:32 until:big")
    add_columns("tables process:16? fence:int=0")
