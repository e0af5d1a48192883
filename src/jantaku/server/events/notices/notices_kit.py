"""What the sockets of events need."""

from dataclasses import dataclass

from jantaku.server.events.notices.event_audience import EventAudience
from jantaku.server.people.asking import Kit


@dataclass(frozen=True, kw_only=True)
class NoticesKit(Kit):
    """What the sockets of events need."""

    audience: EventAudience
