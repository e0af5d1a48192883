"""What the sockets of events need."""

from dataclasses import dataclass

from jantaku.server.events.notices.event_audience import EventAudience
from jantaku.server.play.table_kit import TableKit


@dataclass(frozen=True, kw_only=True)
class NoticesKit(TableKit):
    """What the sockets of events need."""

    audience: EventAudience
