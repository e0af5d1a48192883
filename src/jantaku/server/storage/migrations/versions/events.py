"""Events: staff, registration, recorded games and the audit log."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

EVENT, ID, TEXT = sa.String(length=16), sa.String(length=64), sa.Text()
NUMBER, SMALL, MS = sa.Integer(), sa.SmallInteger(), sa.BigInteger()
# each table: its columns (``?`` for NULL allowed), its key, and what it belongs to
TABLES: dict[str, tuple[dict[str, sa.types.TypeEngine[Any]], tuple[str, ...], str]] = {
    "events": (
        {
            "id": EVENT,
            "name": TEXT,
            "rules": ID,
            "fingerprint": EVENT,
            "plan": TEXT,
            "status": sa.String(length=12),
            "listed": sa.Boolean(),
            "revision": NUMBER,
            "results": NUMBER,
            "code": EVENT,
            "created": MS,
        },
        ("id",),
        "",
    ),
    "event_staff": (
        {"event": EVENT, "person": EVENT, "role": sa.String(length=12)},
        ("event", "person"),
        "events",
    ),
    "event_entries": (
        {
            "event": EVENT,
            "id": ID,
            "number": NUMBER,
            "name": ID,
            "team": ID,
            "person?": EVENT,
            "status": sa.String(length=12),
            "checked_in?": MS,
            "merged_into?": ID,
            "created": MS,
        },
        ("event", "id"),
        "events",
    ),
    "event_audit": (
        {
            "event": EVENT,
            "revision": NUMBER,
            "part": NUMBER,
            "at": MS,
            "person?": EVENT,
            "name": ID,
            "action": sa.String(length=24),
            "game?": ID,
            "entry?": ID,
            "before?": TEXT,
            "after?": TEXT,
            "why": TEXT,
        },
        ("event", "revision", "part"),
        "events",
    ),
    "recorded_games": (
        {
            "event": EVENT,
            "id": ID,
            "number": NUMBER,
            "stage": ID,
            "label": ID,
            "at?": MS,
            "person?": EVENT,
            "status": sa.String(length=12),
            "head": ID,
            "revision": NUMBER,
            "ended_with?": TEXT,
            "result?": TEXT,
        },
        ("event", "id"),
        "events",
    ),
    "recorded_seats": (
        {"event": EVENT, "game": ID, "seat": SMALL, "entry": ID},
        ("event", "game", "seat"),
        "recorded_games",
    ),
    "hand_versions": (
        {
            "event": EVENT,
            "game": ID,
            "id": ID,
            "follows": ID,
            "revision": NUMBER,
            "action": sa.String(length=8),
            "place": SMALL,
            "hand?": TEXT,
            "person?": EVENT,
            "seat?": SMALL,
            "at": MS,
            "why": TEXT,
        },
        ("event", "game", "id"),
        "recorded_games",
    ),
    "hand_marks": (
        {
            "event": EVENT,
            "game": ID,
            "version": ID,
            "seat": SMALL,
            "kind": sa.String(length=12),
            "person?": EVENT,
            "at": MS,
        },
        ("event", "game", "version", "seat", "kind"),
        "recorded_games",
    ),
    "event_calls": (
        {
            "event": EVENT,
            "number": NUMBER,
            "kind": sa.String(length=12),
            "game?": ID,
            "version?": ID,
            "label": ID,
            "person?": EVENT,
            "name": ID,
            "why": TEXT,
            "at": MS,
            "closed?": MS,
            "answer": TEXT,
        },
        ("event", "number"),
        "events",
    ),
    "event_penalties": (
        {
            "event": EVENT,
            "number": NUMBER,
            "stage": ID,
            "entry": ID,
            "game?": ID,
            "points": NUMBER,
            "why": TEXT,
            "person?": EVENT,
            "at": MS,
            "cancelled?": MS,
        },
        ("event", "number"),
        "events",
    ),
}
INDICES: tuple[tuple[str, str, tuple[str, ...], bool], ...] = (
    ("ix_events_created", "events", ("created",), False),
    ("ix_event_staff_person", "event_staff", ("person",), False),
    ("ix_event_entries_person", "event_entries", ("person",), False),
    ("ix_event_entries_event_person", "event_entries", ("event", "person"), True),
    ("ix_event_audit_person", "event_audit", ("person",), False),
    ("ix_recorded_games_event_stage", "recorded_games", ("event", "stage"), False),
    ("ix_recorded_seats_event_entry", "recorded_seats", ("event", "entry"), False),
    ("ix_hand_versions_follows", "hand_versions", ("event", "game", "follows"), True),
    ("ix_hand_versions_revision", "hand_versions", ("event", "game", "revision"), True),
)


def upgrade() -> None:
    """Add the tables; nothing that exists changes."""
    for name, (columns, key, owner) in TABLES.items():
        made: list[sa.schema.SchemaItem] = [
            sa.Column(column.rstrip("?"), kind, nullable=column.endswith("?"), autoincrement=False)
            for column, kind in columns.items()
        ]
        made.append(sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"))
        if owner == "events":
            made.append(sa.ForeignKeyConstraint(["event"], ["events.id"], name=f"fk_{name}_event"))
        elif owner:
            both = [f"{owner}.event", f"{owner}.id"]
            made.append(sa.ForeignKeyConstraint(["event", "game"], both, name=f"fk_{name}_event"))
        op.create_table(name, *made)
    for index, name, of, unique in INDICES:
        op.create_index(index, name, list(of), unique=unique)


def downgrade() -> None:
    """Remove them again."""
    for name in reversed(TABLES):
        op.drop_table(name)
