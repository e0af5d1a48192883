"""Bodies of requests as strict JSON: no halves of surrogate pairs, no ``NaN``, no endless numbers or depth.

What Python's parser lets in beside JSON cannot be written back, so that an answer that repeats it would fail.
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
    """A request whose JSON is read strictly."""

    async def json(self) -> Any:
        """The value of the body; ``JSONDecodeError`` where there is none, which becomes a 422."""
        if not hasattr(self, "_json"):
            try:
                self._json = from_json(await self.body(), allow_inf_nan=False)
            except ValueError as error:
                raise JSONDecodeError(str(error), "", 0) from error
        return self._json


class StrictRoute(APIRoute):
    """A route whose bodies are read strictly."""

    def get_route_handler(self) -> Handler:
        """The handler, given the strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly
