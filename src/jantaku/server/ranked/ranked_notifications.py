"""Notifications of ranked play: a table is ready, and the daily table begins soon."""

import json
from collections.abc import Sequence
from typing import Final

from jantaku import terms
from jantaku.server.events.notices.push_sender import PushSender
from jantaku.server.ranked.queue_entries import Entry
from jantaku.server.ranked.summons import HERE_AWAY_S
from jantaku.server.storage.services import Services
from jantaku.terms import Language

PAGE: Final = "/ranked"
MINUTE_S: Final = 60


class Calling:
    """Calls people who have notifications on and are elsewhere."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push

    def call(self, entries: Sequence[Entry]) -> None:
        """Their table is ready."""
        self._push.tell(
            [entry.person for entry in entries], lambda language: _text("call", language), int(HERE_AWAY_S)
        )

    async def remind(self, left_s: float) -> None:
        """The daily table begins soon: usually in ten minutes, in fewer after a start of the server."""
        people = await self._services.accounts.reminded()
        minutes = max(1, round(left_s / MINUTE_S))
        self._push.tell(people, lambda language: _text("daily", language, minutes=minutes), int(left_s))


def _text(term: str, language: Language, **values: int) -> str:
    title = terms.text(f"server.ranked.{term}.title", language)
    body = terms.text(f"server.ranked.{term}.body", language, **values)
    return json.dumps(
        {"title": title, "body": body, "url": PAGE, "tag": f"ranked {term}"}, ensure_ascii=False
    )
