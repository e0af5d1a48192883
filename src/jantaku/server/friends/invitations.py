"""Invitations to tables, in memory until the game begins."""

import json
from collections.abc import Iterator
from typing import Final, NamedTuple

from jantaku import terms
from jantaku.bounded import Newest
from jantaku.server.events.notices.push_sender import PushSender
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.storage.accounts import PersonRow
from jantaku.terms import Language

KEPT: Final = 5000
OF_ONE: Final = 10  # for one person, the newest


class Invited(NamedTuple):
    """Who has invited, and to which table."""

    by: str
    table: Table


class Invitations:
    """All invitations to tables that still wait."""

    def __init__(self, lobby: Lobby, push: PushSender) -> None:
        self._lobby, self._push = lobby, push
        self._found = Newest[str, Newest[str, str]](KEPT)  # of each person: who invited last to which table

    def add(self, person: str, by: PersonRow, table: str) -> None:
        """Invite a person, and tell them where they have notifications on."""
        self._found.setdefault(person, Newest[str, str](OF_ONE))[table] = by.id
        self._found.move_to_end(person)
        self._push.tell([person], lambda language: _said(by.name, table, language))

    def of(self, person: str) -> Iterator[Invited]:
        """The invitations of a person, the newest first."""
        waiting = {loop.table.row.id: loop.table for loop in self._lobby}
        for table, by in reversed(self._found.get(person, {}).items()):
            found = waiting.get(table)
            if found is not None and found.row.status == "waiting" and None in found.row.sitters:
                yield Invited(by, found)


def _said(name: str, table: str, language: Language) -> str:
    body = terms.text("server.friends.invites", language, name=name)
    return json.dumps({"title": name, "body": body, "url": f"/t/{table}", "tag": f"invite {table}"})
