"""How the routes of all slices begin: where, under which tag, with strict bodies and described refusals."""

from typing import Final

from fastapi import APIRouter

from jantaku.server.edge.shared_bodies import ErrorBody
from jantaku.server.edge.strict_json import StrictRoute

ERRORS: Final[dict[int | str, dict[str, object]]] = {
    "4XX": {"model": ErrorBody, "description": "The request was refused"},
    "5XX": {"model": ErrorBody, "description": "The server cannot do it now"},
}


def router_of(prefix: str, tag: str) -> APIRouter:
    """A router below ``prefix``, whose routes the documentation of the interface lists under ``tag``."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=StrictRoute, responses=ERRORS)
