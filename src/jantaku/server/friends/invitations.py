"""Invitations to tables, in memory until the game begins."""

import json
from typing import Any, Final, NamedTuple

from jantaku import terms
from jantaku.bounded import Newest
from jantaku.rules import Ruleset
from jantaku.server.events.notices.push import PushSender
from jantaku.server.play.table_seats import seat_of
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import TableRow
from jantaku.terms import Language

KEPT: Final = 5000
OF_ONE: Final = 10  # for one person, the newest


class Invited(NamedTuple):
    """Who has invited, and to which table."""

    by: str
    table: TableRow
    rules: Ruleset


class Invitations:
    """All invitations to tables that still wait."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push
        self._invited = Newest[str, Newest[str, str]](KEPT)  # of each person: who invited last to which table
        services.links.hear("invited", self._note)
        services.links.hear("uninvited", self._forget)

    def add(self, person: str, by: PersonRow, table: str) -> None:
        """Invite a person, and tell them where they have notifications on; once to each table."""
        before = self._invited.get(person)
        if before is not None and before.get(table) == by.id:
            return
        self._services.links.announce("invited", [person, by.id, table])
        self._services.links.announce("asked", person)
        self._push.tell([person], lambda language: _said(by.name, table, language))

    def _note(self, said: Any) -> None:
        person, by, table = said
        self._invited.setdefault(person, Newest[str, str](OF_ONE))[table] = by
        self._invited.move_to_end(person)

    def decline(self, person: str, table: str) -> None:
        """Forget who has invited a person to a table; they may be invited again."""
        self._services.links.announce("uninvited", [person, table])
        self._services.links.announce("asked", person)

    def _forget(self, said: Any) -> None:
        person, table = said
        self._invited.get(person, {}).pop(table, None)

    async def of(self, person: str) -> list[Invited]:
        """The invitations of a person, the newest first."""
        invited = list[Invited]()
        for table, by in reversed(self._invited.get(person, {}).items()):
            row = await self._services.seating.find(table)
            if row is None or row.status != "waiting" or seat_of(row, person) is not None:
                continue
            if None in row.sitters:
                rules = await self._services.rulesets.find(row.rules, row.fingerprint)
                invited.append(Invited(by, row, rules))
        return invited


def _said(name: str, table: str, language: Language) -> str:
    body = terms.text("server.friends.invites", language, name=name)
    return json.dumps({"title": name, "body": body, "url": f"/t/{table}", "tag": f"invite {table}"})
