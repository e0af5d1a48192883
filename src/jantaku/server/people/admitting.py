"""Letting somebody in: the session, its cookies, and the browser that is known from then on."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from jantaku.server.errors import ServerError
from jantaku.server.people import asking
from jantaku.server.people import people_bodies as bodies
from jantaku.server.people.account_kit import Accounting, AccountKit
from jantaku.server.people.device_names import device
from jantaku.server.storage.people import DAY_MS, PersonRow, new_id
from jantaku.server.storage.sign_in import SESSION_DAYS, EndedSessions, session_id


async def shown(kit: AccountKit, person: PersonRow) -> bodies.Person:
    """A person as other people see them."""
    return shown_with(person, await kit.services.seating.playing([person.id]))


def shown_with(person: PersonRow, playing: Mapping[str, str]) -> bodies.Person:
    """The same where it is known who is ``playing`` at which table."""
    return bodies.Person.of(person, table=playing.get(person.id))


def iso(ms: int) -> str:
    """A stored time as text."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Door:
    """A request of a browser, and the answer that gives it its session."""

    request: Request
    response: Response
    kit: Accounting

    @property
    def token(self) -> str:
        """The token of the session that the browser has."""
        return asking.token_of(self.request, asking.COOKIE)

    async def admit(self, person: PersonRow, *, alone: bool = False) -> bodies.Person:
        """Start a session and set its cookie; ``alone``: all other sessions of the person have ended."""
        old, services = self.token, self.kit.services
        known_as = device(self.request.headers.get("user-agent", ""))
        token = await services.sessions.begin(person.id, SESSION_DAYS, known_as)
        if old:
            await services.sessions.end(old)
            services.links.announce("signed_in", [session_id(old), person.id, session_id(token)])
        if alone:
            self.only_here(person, token)
        self._set_cookie(asking.COOKIE, token)
        await self.mark(person)
        return await shown(self.kit, person)

    def _set_cookie(self, name: str, token: str) -> None:
        """Keep a token in the browser for as long as a session lasts."""
        settings = self.kit.services.settings
        self.response.set_cookie(
            name,
            token,
            max_age=SESSION_DAYS * DAY_MS // 1000,
            httponly=True,
            samesite="lax",
            secure=self.request.url.scheme == "https" or settings.public_url.startswith("https:"),
            path="/",
        )

    async def renew(self) -> None:
        """Extend the session of a person who keeps using it."""
        services = self.kit.services
        with suppress(ServerError):  # while storage is lost, a later request can do it
            if await services.sessions.renew(self.token, SESSION_DAYS):
                self._set_cookie(asking.COOKIE, self.token)

    async def mark(self, person: PersonRow) -> None:
        """Give the browser a mark if it has none, and the sign that ``person`` has signed in there."""
        origin = asking.origin_of(self.request)
        if not origin.browser:
            origin = origin._replace(browser=new_id())
            self._set_cookie(asking.BROWSER, origin.browser)
        signs = await self.kit.accounts.sign(person, origin)
        if signs != origin.signs:
            self._set_cookie(asking.KNOWN, signs)

    def only_here(self, person: PersonRow, token: str) -> None:
        """Close the person's sockets from all sessions but this one."""
        self.kit.services.links.announce("signed_out", EndedSessions(person.id, but=session_id(token)))


AtDoor = Annotated[Door, Depends()]
