"""What each process does, since when it lives, and how much it has."""

from jantaku.server.storage.migrations.table_lines import add_columns, add_index

revision = "r13"
down_revision = "r12"


def upgrade() -> None:
    """Add the columns, and find the seats of a person."""
    add_index("seats", "person")
    add_columns("processes role:8=all tables:int=0 began:big=0")
