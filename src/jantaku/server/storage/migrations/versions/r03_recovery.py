"""Codes with which people come back to their accounts without a password."""

from jantaku.server.storage.migrations.table_lines import add_index, make_table

revision = "r3"
down_revision = "r2"


def upgrade() -> None:
    """Add the table."""
    make_table("recovery_codes code:64* person:16>people.id")
    add_index("recovery_codes", "person")
