"""Strict JSON in request bodies: no lone surrogates, no ``NaN``, bounded numbers and depth.

Python's parser accepts values that cannot be written back, so a response that repeats them would fail.
"""

from collections.abc import Callable, Coroutine
from json import JSONDecodeError
from typing import Any

from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class StrictRequest(Request):
    """A request whose JSON is parsed strictly."""

    async def json(self) -> Any:
        """The value of the body; raises ``JSONDecodeError`` (a 422) if it is not valid JSON."""
        if not hasattr(self, "_json"):
            try:
                self._json = from_json(await self.body(), allow_inf_nan=False)
            except ValueError as error:
                raise JSONDecodeError(str(error), "", 0) from error
        return self._json


class StrictRoute(APIRoute):
    """A route whose bodies are parsed strictly."""

    def get_route_handler(self) -> Handler:
        """The handler, which gets the strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly
