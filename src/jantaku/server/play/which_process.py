"""Which process a request or a socket belongs to, and its way there.

A gateway answers what only needs the database. What belongs to a table goes to its owner, a new table to the
process with the fewest, and what only one process may do to the steward. With one process all is here.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku.server.edge.guard import CARRIED, MARKS, refuse
from jantaku.server.edge.limits import Rates, client_of
from jantaku.server.errors import ServerError
from jantaku.server.people.asking import marks_of_asker
from jantaku.server.play.table_sockets import TOO_MANY
from jantaku.server.storage.services import Services

Finder = Callable[[Services, re.Match[str]], Awaitable[str]]


async def _at_owner(services: Services, match: re.Match[str]) -> str:
    """The owner of a table; where nobody has it, the process that will take it."""
    table = match["table"]
    owner = await services.seating.owner(table)
    if owner is None and await services.seating.exists(table):
        return services.lease.process if services.lease.owns else services.lease.fewest()
    return owner or services.lease.process  # which says that there is no such table


async def _at_fewest(services: Services, _: re.Match[str]) -> str:
    return services.lease.fewest()


async def _at_steward(services: Services, _: re.Match[str]) -> str:
    return services.lease.steward or services.lease.fewest()


TABLE: Final = "(?P<table>[^/]{1,16})"
ANYWHERE: Final = "/api/tables/anywhere"
PROCESSES: Final[tuple[tuple[re.Pattern[str], Finder], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), find)  # an address may have any character in it
    for pattern, find in (
        ("POST /api/tables", _at_fewest),
        (f"SOCKET /ws/tables/{TABLE}", _at_owner),
        (f"[A-Z]+ /api/tables/{TABLE}(/.*)?", _at_owner),
        ("POST /api/(games|uploads)/[^/]+/what-if", _at_fewest),
        ("POST /api/events/[^/]+/tables", _at_fewest),
        (f"POST /api/events/[^/]+/tables/{TABLE}", _at_owner),
        ("[A-Z]+ /api/ranked(?!/games/|/reminder)(/.*)?", _at_steward),
        ("[A-Z]+ /api/lab(/.*)?", _at_steward),
        ("GET /api/events/[^/]+/doubts", _at_steward),
        ("[A-Z]+ /api/events/[^/]+/rounds/[^/]+(/seating(/cancel)?)?", _at_steward),
        ("POST /api/(me|people/[^/]+|events/[^/]+/entries/[^/]+)/erase", _at_steward),
    )
)


class Placing:
    """Answers here what belongs here, and carries the rest to where it belongs."""

    def __init__(self, app: ASGIApp, connects: Rates) -> None:
        self.app = app
        self._connects = connects  # by address: the owner counts them, too, but finding it costs something

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let another process answer."""
        services: Services | None = getattr(scope["app"].state, "services", None)
        if services is None or services.lease.alone or CARRIED in scope:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket" and not self._connects.take(client_of(scope)):
            return await send({"type": "websocket.close", "code": TOO_MANY})
        try:
            if scope["path"] == ANYWHERE and scope["method"] == "POST":
                process, receive = await _of_most(services, receive)
            else:
                process = await _process_for(services, scope)
            if process == services.lease.process:
                return await self.app(scope, receive, send)
            return await services.carrying.carry(
                process, {**scope, MARKS: marks_of_asker(scope)}, receive, send
            )
        except ServerError as error:
            if scope["type"] == "http":
                return await refuse(scope, send, error)
            return await send({"type": "websocket.close", "code": 1013})


async def _process_for(services: Services, scope: Scope) -> str:
    asked = f"{scope.get('method', 'SOCKET')} {scope['path']}"
    for pattern, find in PROCESSES:
        match = pattern.fullmatch(asked)
        if match is not None:
            return await find(services, match)
    return services.lease.process


async def _of_most(services: Services, receive: Receive) -> tuple[str, Receive]:
    """Where most people wait at a table with such wishes, else the process with the fewest tables.

    Returns with it the body once more.
    """
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    processes = await services.links.ask_all("most_waiting", body.decode(errors="replace"))
    people, process = max(map(tuple, processes), default=(0, ""))
    return (process if people else services.lease.fewest()), again
