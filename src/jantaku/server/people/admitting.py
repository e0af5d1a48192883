"""Letting somebody in: the session, its cookies, and the browser that is known from then on."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from fastapi import Request, Response

from jantaku.server.errors import ServerError
from jantaku.server.people import asking
from jantaku.server.people import people_bodies as bodies
from jantaku.server.people.account_kit import AccountKit
from jantaku.server.people.devices import device
from jantaku.server.storage.accounts import DAY_MS, PersonRow, new_id
from jantaku.server.storage.sessions import EndedSessions, session_id


async def shown(kit: AccountKit, person: PersonRow) -> bodies.Person:
    """A person as other people see them."""
    me = shown_with(person, await kit.services.seating.playing([person.id]))
    me.picture = kit.services.avatars.marks.get(person.id)
    return me


def shown_with(person: PersonRow, playing: Mapping[str, str]) -> bodies.Person:
    """The same where it is known who is ``playing`` at which table."""
    return bodies.Person.model_validate(
        {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "guest": person.guest,
            "language": person.language,
            "table": playing.get(person.id),
        }
    )


async def admit(
    request: Request, response: Response, kit: AccountKit, person: PersonRow, *, alone: bool = False
) -> bodies.Person:
    """Start a session and set its cookie; ``alone``: all other sessions of the person have ended."""
    settings = kit.services.settings
    old = asking.token_of(request, asking.COOKIE)
    known_as = device(request.headers.get("user-agent", ""))
    token = await kit.services.sessions.begin(person.id, settings.session_days, known_as)
    if old:
        await kit.services.sessions.end(old)
        kit.services.links.announce("signed_in", [session_id(old), person.id, session_id(token)])
    if alone:
        only_here(kit, person, token)
    set_cookie(request, response, kit, asking.COOKIE, token)
    await mark(request, response, kit, person)
    return await shown(kit, person)


def iso(ms: int) -> str:
    """A stored time as text."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


def set_cookie(request: Request, response: Response, kit: AccountKit, name: str, token: str) -> None:
    """Keep a token in the browser for as long as a session lasts."""
    settings = kit.services.settings
    response.set_cookie(
        name,
        token,
        max_age=settings.session_days * DAY_MS // 1000,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https" or settings.public_url.startswith("https:"),
        path="/",
    )


async def renew(request: Request, response: Response, kit: AccountKit) -> None:
    """Extend the session of a person who keeps using it."""
    token = asking.token_of(request, asking.COOKIE)
    with suppress(ServerError):  # while storage is lost, a later request can do it
        if await kit.services.sessions.renew(token, kit.services.settings.session_days):
            set_cookie(request, response, kit, asking.COOKIE, token)


async def mark(request: Request, response: Response, kit: AccountKit, person: PersonRow) -> None:
    """Give the browser a mark if it has none, and the sign that ``person`` has signed in there."""
    origin = asking.origin_of(request)
    if not origin.browser:
        origin = origin._replace(browser=new_id())
        set_cookie(request, response, kit, asking.BROWSER, origin.browser)
    signs = await kit.accounts.sign(person, origin)
    if signs != origin.signs:
        set_cookie(request, response, kit, asking.KNOWN, signs)


def only_here(kit: AccountKit, person: PersonRow, token: str) -> None:
    """Close the person's sockets from all sessions but this one."""
    kit.services.links.announce("signed_out", EndedSessions(person.id, but=session_id(token)))
