"""How a season counts its year, and the points that people bring into an event."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "r7"
down_revision = "r6"
branch_labels = None
depends_on = None
ADDED: dict[str, list[tuple[str, Any, str]]] = {
    "seasons": [("counting", sa.Text(), "{}")],
    "season_parts": [("share", sa.Float(), "1"), ("brings", sa.Float(), "0")],
    "event_entries": [("brought", sa.Integer(), "0")],
}


def upgrade() -> None:
    """Add the columns."""
    for name, columns in ADDED.items():
        with op.batch_alter_table(name) as table:
            for column, kind, default in columns:
                table.add_column(sa.Column(column, kind, nullable=False, server_default=default))


def downgrade() -> None:
    """Remove them again."""
    for name, columns in ADDED.items():
        with op.batch_alter_table(name) as table:
            for column, _, _ in columns:
                table.drop_column(column)
