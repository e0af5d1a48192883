"""How long people took for the actions of their turns."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r14"
down_revision = "r13"


def upgrade() -> None:
    """Add the column, without copying the rows; of actions of before it is unknown."""
    add_columns("actions took:int?")
