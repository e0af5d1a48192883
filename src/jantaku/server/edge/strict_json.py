"""Strict JSON in request bodies: no lone surrogates, no ``NaN``, bounded numbers and depth.

Python's parser accepts values that cannot be written back, so a response that repeats them would fail. Large
bodies are read one at a time, and not for more than half of the time: nothing else happens meanwhile.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from jantaku.server.edge.body_limits import LARGE
from jantaku.server.edge.holdings import ASKER

if TYPE_CHECKING:
    from jantaku.server.edge.fair_work import FairWork

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


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
