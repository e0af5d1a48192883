"""Notifications in this browser: of seatings, starts, corrections and penalties in my events."""

import asyncio
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from jantaku.server.edge.malformed import said_of
from jantaku.server.edge.outgoing_requests import OutgoingError, checked_url
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.notices.push_bodies import PushBody, PushInfo
from jantaku.server.people.asking import COOKIE, AnyKit, Kit, Person, RequestLanguage, changing_mind, token_of
from jantaku.server.storage.push import PushAddress, application_key, check

router = router_of("/api/me/push", "people")


def session_of(request: Request) -> str:
    """The token of the session in this browser."""
    return token_of(request, COOKIE)


Session = Annotated[str, Depends(session_of)]


async def _info(kit: Kit, session: str) -> PushInfo:
    # in a thread: the library is loaded at the first call, and no table may wait for it
    key = await asyncio.to_thread(application_key, await kit.services.push.keys())
    language = await kit.services.push.language(session)
    return PushInfo(on=language is not None, key=key, language=language)


@router.get("")
async def one(kit: AnyKit, _: Person, session: Session) -> PushInfo:
    """Whether this browser gets notifications."""
    return await _info(kit, session)


@router.put("", dependencies=[Depends(changing_mind)])
async def begin(
    kit: AnyKit, language: RequestLanguage, _: Person, session: Session, body: PushBody
) -> PushInfo:
    """Send notifications to this browser, in its language, until I sign out."""
    address = PushAddress(**body.model_dump())
    try:
        checked_url(body.endpoint, kit.services.settings.webhook_hosts)
        await asyncio.to_thread(check, address)
    except OutgoingError as error:
        raise ServerError("bad_request", field="endpoint", reason=said_of("form")) from error
    except ValueError as error:
        raise ServerError("bad_request", field="p256dh", reason=said_of("form")) from error
    await kit.services.push.save(session, address, language)
    return await _info(kit, session)


@router.delete("", dependencies=[Depends(changing_mind)])
async def end(kit: AnyKit, _: Person, session: Session) -> PushInfo:
    """Send none any more."""
    await kit.services.push.remove(session)
    return await _info(kit, session)
