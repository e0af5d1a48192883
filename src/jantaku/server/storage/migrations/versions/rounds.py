"""Rounds of events: their settings, their seating, and who does not play in which."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

EVENT, ID, TEXT, NUMBER = sa.String(length=16), sa.String(length=64), sa.Text(), sa.Integer()
SHORT, MS = sa.String(length=12), sa.BigInteger()
# each table: its columns (``?`` for NULL allowed) and its key
TABLES: dict[str, tuple[dict[str, sa.types.TypeEngine[Any]], tuple[str, ...]]] = {
    "event_stages": ({"event": EVENT, "stage": ID, "settings": TEXT}, ("event", "stage")),
    "event_rounds": (
        {
            "event": EVENT,
            "stage": ID,
            "number": NUMBER,
            "state": SHORT,
            "made_by": SHORT,
            "seed?": NUMBER,
            "tables": TEXT,
            "byes": TEXT,
            "timer": TEXT,
            "published?": MS,
        },
        ("event", "stage", "number"),
    ),
    "event_absences": (
        {"event": EVENT, "stage": ID, "entry": ID, "first": NUMBER, "last?": NUMBER},
        ("event", "stage", "entry", "first"),
    ),
}


def upgrade() -> None:
    """Add the tables."""
    for name, (columns, key) in TABLES.items():
        made: list[sa.schema.SchemaItem] = [
            sa.Column(column.rstrip("?"), kind, nullable=column.endswith("?"), autoincrement=False)
            for column, kind in columns.items()
        ]
        made.append(sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"))
        made.append(sa.ForeignKeyConstraint(["event"], ["events.id"], name=f"fk_{name}_event"))
        op.create_table(name, *made)


def downgrade() -> None:
    """Remove them again."""
    for name in reversed(TABLES):
        op.drop_table(name)
