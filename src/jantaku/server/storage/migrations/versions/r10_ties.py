"""Friends, blocked people, and whether friends see where one plays."""

from jantaku.server.storage.migrations.table_lines import add_columns, add_index, make_table

revision = "r10"
down_revision = "r9"


def upgrade() -> None:
    """Add the table and the column; friends see it."""
    add_columns("people presence_shown:small=1")
    make_table("ties person:16*>>people.id other:16*>>people.id kind:8 since:big")
    add_index("ties", "other")
