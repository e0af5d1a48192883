"""The actions of old games, in one row each."""

from jantaku.server.storage.migrations.table_lines import make_table

revision = "r16"
down_revision = "r15"


def upgrade() -> None:
    """Add the table; it is filled while the server runs."""
    make_table("packed_moves game:16*>games.id count:int moves:bytes")
