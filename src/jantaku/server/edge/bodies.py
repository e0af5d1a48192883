"""Bodies of requests and responses: strict JSON, shared models, and words for what is wrong with them."""

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


LARGE: Final = 1 << 16  # bytes of a body; from here on the C library keeps what is freed


class StrictRequest(Request):
    """A request whose JSON is parsed strictly."""

    async def json(self) -> Any:
        """The value of the body; raises ``JSONDecodeError`` (a 422) if it is not valid JSON."""
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
        """The handler, which gets the strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly


# Parts of the names of pydantic's errors, and what we say of them; the first that is found counts
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
    """Why one value is refused."""
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, JantakuError):
        return cause
    kind = next((said for part, said in KINDS.items() if part in error["type"]), "kind")
    context = error.get("ctx", {})
    most = next((context[name] for name in LIMITS if name in context), "")
    return said_of(kind, most=f"{most:,}" if isinstance(most, int) else most)


def said_of(kind: str, **details: object) -> Phrase:
    """One of the reasons in ``terms/server_errors.toml`` under ``malformed``."""
    return phrase(f"server_errors.malformed.{kind}", **details)


def first_of(error: ValidationError) -> tuple[str, Phrase | JantakuError]:
    """Where the first wrong value is, and why it is refused."""
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"]), reason_of(first)


RulesName = Annotated[str, Field(min_length=1, max_length=64)]


def iso(ms: int | None) -> str | None:
    """A time in milliseconds since 1970 as ISO 8601; ``None`` if there is none."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


class Problem(Wire):
    """What was wrong: a code for programs, a text for people, and the field if one is to blame.

    ``hand`` is the index of the hand of a recorded game that cannot be.
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
    """The link of a table or ruleset. ``only_here``: it does not work from another device."""

    url: str
    only_here: bool


class Health(Wire):
    """Whether the server can store what it accepts. ``stopped``: tables halted by a server fault."""

    ok: bool
    storage: bool
    tables: int
    stopped: int
    version: str


class Readiness(Wire):
    """Whether the server can take people: it can store, and has read the tables that it found.

    ``processes``: how many of the site it knows of, itself among them.
    """

    ok: bool
    processes: int


def dumps(data: object) -> str:
    """Compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


ERRORS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": ErrorBody, "description": "The request was refused"},
    "5XX": {"model": ErrorBody, "description": "The server cannot do it now"},
}


def router_of(prefix: str, tag: str) -> APIRouter:
    """A router below ``prefix``, whose routes the documentation of the interface lists under ``tag``."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=StrictRoute, responses=ERRORS)


MOST_VERSION: Final = 16
Version = Annotated[str, Field(max_length=MOST_VERSION)]


def version_of(*stored: object) -> str:
    """The version of a setting: the same for the same content."""
    return hashlib.sha256(json.dumps(stored).encode()).hexdigest()[:MOST_VERSION]


def demand_seen(seen: str | None, now: str, code: str) -> None:
    """Raise the error of this ``code`` if another version is stored ``now`` than was ``seen``, if any was."""
    if seen is not None and seen != now:
        raise ServerError(code)
