"""How a season counts its year, and the points that people bring into an event."""

from jantaku.server.storage.migrations.table_lines import add_columns

revision = "r7"
down_revision = "r6"


def upgrade() -> None:
    """Add the columns."""
    add_columns("seasons counting:text={}")
    add_columns("season_parts share:float=1 brings:float=0")
    add_columns("event_entries brought:int=0")
