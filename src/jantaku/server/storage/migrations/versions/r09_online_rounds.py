"""Tables of the parlour that stand for a table of a round, and tables that a referee has halted."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r9"
down_revision = "r8"


def upgrade() -> None:
    """Add the columns."""
    add_columns("tables round:int? round_table:int? halted:bool=0")
