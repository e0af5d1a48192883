"""Secret keys of the server."""

from jantaku.server.storage.migrations.table_lines import make_table

revision = "r20"
down_revision = "r19"


def upgrade() -> None:
    """Add the table; keys are made at their first use."""
    make_table("server_keys name:16* key:64")
