"""Seasons that name a time zone which does not exist name the one by which they have been counted: UTC."""

import json
from zoneinfo import available_timezones

import sqlalchemy as sa
from alembic import op

revision = "r19"
down_revision = "r18"


def upgrade() -> None:
    """Write UTC there."""
    seasons = sa.table("seasons", sa.column("id"), sa.column("counting"))
    known, connection = available_timezones(), op.get_bind()
    for row in connection.execute(sa.select(seasons)).all():
        counting = json.loads(row.counting)
        attendance = counting.get("attendance")
        if attendance and attendance.get("zone", "UTC") not in known:
            attendance["zone"] = "UTC"
            written = sa.update(seasons).where(seasons.c.id == row.id)
            connection.execute(written.values(counting=json.dumps(counting)))
