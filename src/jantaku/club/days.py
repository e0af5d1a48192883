"""The day on which a game was played: it lasts until five in the morning."""

from datetime import datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from jantaku.bounded import shown
from jantaku.errors import RequestError
from jantaku.nearest_word import nearest

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


@cache
def zones() -> frozenset[str]:
    """The names of all time zones but the one that is another on each machine."""
    return frozenset(available_timezones()) - {"localtime"}


def zone_named(name: str, field: str = "zone") -> ZoneInfo:
    """The time zone of that name; raises ``RequestError`` where there is none.

    >>> zone_named("Seoul")
    Traceback (most recent call last):
    jantaku.errors.RequestError: zone: there is no time zone 'Seoul'; write it as in 'Asia/Seoul'.
    """
    if name not in zones():
        near = next((zone for zone in sorted(zones()) if zone.rpartition("/")[2] == name), "")
        near = near or nearest(name, zones(), 0.7) or "Asia/Seoul"
        raise RequestError("unknown_zone", field=field, value=shown(name), nearest=near)
    return ZoneInfo(name)
