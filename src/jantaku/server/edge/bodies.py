"""Request and response bodies: strict JSON, shared models, and explanations of invalid values."""

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime
from json import JSONDecodeError
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails, from_json
from starlette.requests import Request
from starlette.responses import Response

from jantaku.errors import JantakuError, Phrase, phrase
from jantaku.server.edge.limits import ASKER
from jantaku.server.errors import ServerError
from jantaku.wire import Wire

if TYPE_CHECKING:
    from jantaku.server.edge.work import FairWork


Handler = Callable[[Request], Coroutine[Any, Any, Response]]


LARGE: Final = 1 << 16  # bytes; after larger bodies, freed memory must be returned to the system explicitly


class StrictRequest(Request):
    """A request whose JSON is parsed strictly."""

    async def json(self) -> Any:
        """Parse the body; raises ``JSONDecodeError`` (status 422) if it is not valid JSON."""
        if not hasattr(self, "_json"):
            body = await self.body()
            if len(body) < LARGE:
                self._json = _read(body)
            else:
                work: FairWork = self.app.state.large_bodies
                async with work.turn(ASKER.get()):
                    began = time.perf_counter()
                    self._json = _read(body)
                    await asyncio.sleep(time.perf_counter() - began)
        return self._json


def _read(body: bytes) -> Any:
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise JSONDecodeError(str(error), "", 0) from error


class StrictRoute(APIRoute):
    """A route whose bodies are parsed strictly."""

    def get_route_handler(self) -> Handler:
        """Return a handler that receives a ``StrictRequest``."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly


# parts of pydantic's error types, and the reasons shown for them; the first match wins
KINDS: Final = {
    "json": "json",
    "missing": "missing",
    "extra_forbidden": "unknown",
    "unexpected_keyword": "unknown",
    "too_long": "long",
    "too_short": "short",
    "greater_than": "small",
    "less_than": "large",
    "literal": "choice",
    "enum": "choice",
    "pattern": "form",
    "zone": "zone",
}
LIMITS: Final = ("max_length", "min_length", "ge", "gt", "le", "lt")


def reason_of(error: ErrorDetails | Mapping[str, Any]) -> Phrase | JantakuError:
    """Return the reason why a value is invalid."""
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, JantakuError):
        return cause
    kind = next((reason for part, reason in KINDS.items() if part in error["type"]), "kind")
    context = error.get("ctx", {})
    limit = next((context[name] for name in LIMITS if name in context), "")
    return malformed(kind, most=f"{limit:,}" if isinstance(limit, int) else limit)


def malformed(kind: str, **details: object) -> Phrase:
    """Return one of the reasons under ``malformed`` in ``terms/server_errors.toml``."""
    return phrase(f"server_errors.malformed.{kind}", **details)


def first_error(error: ValidationError) -> tuple[str, Phrase | JantakuError]:
    """Return the path of the first invalid value, and the reason."""
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"]), reason_of(first)


RulesName = Annotated[str, Field(min_length=1, max_length=64)]


def iso(ms: int | None) -> str | None:
    """Format a time in ms since 1970 as ISO 8601; ``None`` stays ``None``."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


class Problem(Wire):
    """An error: a code for programs, a message for people, and the invalid field, if any.

    ``hand`` is the index of the invalid hand of a recorded game.
    """

    code: str
    message: str
    field: str = ""
    hand: int | None = None


class ErrorBody(Wire):
    """The body of every response with status 400 or above."""

    error: Problem


class Done(Wire):
    """The request succeeded; there is nothing else to report."""

    ok: Literal[True] = True


class Invite(Wire):
    """The link to a table or ruleset. ``only_here``: it does not work from other devices."""

    url: str
    only_here: bool


class Health(Wire):
    """Whether the server works and can store data. ``stopped``: number of tables halted by a server fault."""

    ok: bool
    storage: bool
    tables: int
    stopped: int
    version: str


class Readiness(Wire):
    """Whether the server is ready for players: it can store data, and has read its tables.

    ``processes``: number of known processes of the site, including itself.
    """

    ok: bool
    processes: int


def dumps(data: object) -> str:
    """Encode a value as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


ERRORS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": ErrorBody, "description": "The request was refused"},
    "5XX": {"model": ErrorBody, "description": "The server cannot do it now"},
}


def router_of(prefix: str, tag: str) -> APIRouter:
    """Create a router below ``prefix``; the API documentation lists its routes under ``tag``."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=StrictRoute, responses=ERRORS)


VERSION_LENGTH: Final = 16
Version = Annotated[str, Field(max_length=VERSION_LENGTH)]


def version_of(*stored: object) -> str:
    """Return a version of stored values, which is the same for equal values."""
    return hashlib.sha256(json.dumps(stored).encode()).hexdigest()[:VERSION_LENGTH]


def check_version(seen: str | None, now: str, code: str) -> None:
    """Raise ``ServerError(code)`` if the version ``seen`` by the client, if any, is not the current one."""
    if seen is not None and seen != now:
        raise ServerError(code)
