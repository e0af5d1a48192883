"""Notifications of ranked play: a table is ready, and the daily table begins soon."""

import json
from collections.abc import Sequence
from typing import Final

from jantaku import terms
from jantaku.server.events.notices.push_sender import PushSender
from jantaku.server.ranked.queue_entries import Entry
from jantaku.server.storage.services import Services
from jantaku.terms import Language

PAGE: Final = "/ranked"


class Calling:
    """Calls people who have notifications on and are elsewhere."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push

    def call(self, entries: Sequence[Entry]) -> None:
        """Their table is ready."""
        self._push.tell([entry.person for entry in entries], lambda language: _text("call", language))

    async def remind(self) -> None:
        """The daily table begins soon."""
        people = await self._services.accounts.reminded()
        self._push.tell(people, lambda language: _text("daily", language))


def _text(term: str, language: Language) -> str:
    title, body = (terms.text(f"server.ranked.{term}.{part}", language) for part in ("title", "body"))
    return json.dumps(
        {"title": title, "body": body, "url": PAGE, "tag": f"ranked {term}"}, ensure_ascii=False
    )
