"""Ratings at rated tables, kept as games end; the server works out those of earlier games when it starts."""

from jantaku.server.storage.migrations.table_lines import add_index, make_table

revision = "r12"
down_revision = "r11"


def upgrade() -> None:
    """Add the tables."""
    make_table(
        "rating_steps under:16* person:16* ended:big* game:16*>games.id "
        "place:small mu:double sigma:double standing:double?"
    )
    add_index("rating_steps", "under", "standing")
    make_table("rating_progress under:16* until:big")
