"""The day on which a game was played; a day ends at five in the morning."""

from datetime import datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from jantaku.bounded import shown
from jantaku.errors import RequestError
from jantaku.nearest_word import nearest

DAWN: Final = timedelta(hours=5)  # games after midnight belong to the previous evening


def day_of(at: datetime | None, zone: tzinfo | None) -> str | None:
    """Return the day in ``zone`` (ISO 8601); ``None`` if the time is unknown.

    >>> from datetime import UTC
    >>> day_of(datetime(2026, 3, 2, 4, 59, tzinfo=UTC), UTC)
    '2026-03-01'
    """
    if at is None:
        return None
    if at.tzinfo is not None and zone is not None:
        at = at.astimezone(zone)
    return (at - DAWN).date().isoformat() if at.year > 1 else None


@cache
def zones() -> frozenset[str]:
    """Return the names of all time zones except ``localtime``, which differs from machine to machine."""
    return frozenset(available_timezones()) - {"localtime"}


def zone_named(name: str, field: str = "zone") -> ZoneInfo:
    """Return the time zone called ``name``; raise ``RequestError`` if there is none.

    >>> zone_named("Seoul")
    Traceback (most recent call last):
    jantaku.errors.RequestError: zone: there is no time zone 'Seoul'; write it as in 'Asia/Seoul'.
    """
    if name not in zones():
        near = next((zone for zone in sorted(zones()) if zone.rpartition("/")[2] == name), "")
        near = near or nearest(name, zones(), 0.7) or "Asia/Seoul"
        raise RequestError("unknown_zone", field=field, value=shown(name), nearest=near)
    return ZoneInfo(name)
