"""Pictures of people, and who has reported one."""

from jantaku.server.storage.migrations.table_lines import add_index, make_table

revision = "r17"
down_revision = "r16"


def upgrade() -> None:
    """Add the tables."""
    make_table("avatars person:16*>>people.id picture:bytes? mark:16 since:big")
    make_table("avatar_reports person:16*>>avatars.person reporter:16*>>people.id")
    add_index("avatar_reports", "reporter")
