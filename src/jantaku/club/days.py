"""The day on which a game was played: it lasts until five in the morning."""

from datetime import datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

DAWN: Final = timedelta(hours=5)  # what is played after midnight belongs to the evening before


def day_of(at: datetime | None, zone: tzinfo | None) -> str | None:
    """The day in that zone (ISO 8601); ``None`` if no time is known.

    >>> from datetime import UTC
    >>> day_of(datetime(2026, 3, 2, 4, 59, tzinfo=UTC), UTC)
    '2026-03-01'
    """
    if at is None:
        return None
    if at.tzinfo is not None and zone is not None:
        at = at.astimezone(zone)
    return (at - DAWN).date().isoformat() if at.year > 1 else None


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name, such as ``Asia/Seoul``; UTC where there is none."""
    return ZoneInfo(name if name in available_timezones() else "UTC")
