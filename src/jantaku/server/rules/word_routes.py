"""The client's texts from the term tables, and the server's health."""

from functools import cache
from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Query, Response
from starlette.responses import JSONResponse

from jantaku import __version__, terms
from jantaku.server.edge.deps import Place
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.edge.shared_bodies import Health
from jantaku.server.rules.table_types import TermTree

router = APIRouter(prefix="/api", tags=["words"])
AN_HOUR = "public, max-age=3600"
LOCAL_YAKU = "local_yaku"


@cache
def _tables() -> list[str]:
    """The names of all term tables."""
    files = resources.files(terms.__name__).iterdir()
    return sorted({file.name.split(".")[0] for file in files if file.name.endswith(".toml")})


@router.get("/terms/{language}", response_model=dict[str, TermTree])
async def words(
    place: Place,
    language: LanguageCode,
    tables: Annotated[str, Query(max_length=200, pattern=r"^[a-z,_]*$")] = "",
) -> Response:
    """All term tables in one language, or only those that are named.

    ``local_yaku`` has the words of the local yaku of the house rules.
    """
    known = [*_tables(), LOCAL_YAKU]
    wanted = [name for name in tables.split(",") if name in known] if tables else known
    headers = {"cache-control": "no-cache" if LOCAL_YAKU in wanted else AN_HOUR}
    local = place.services.rulesets.house.words(language)
    found = {name: local if name == LOCAL_YAKU else terms.table(name, language) for name in wanted}
    return JSONResponse(found, headers=headers)  # as they are: they need no check at every request


@router.get("/health", responses={503: {"model": Health}})
async def health(response: Response, place: Place) -> Health:
    """Whether the server can store what it accepts."""
    writer = place.services.writer
    stored = await place.services.store.check() and not (writer.failing or writer.stalled)
    response.status_code = 200 if stored else 503
    stopped = sum(loop.table.stopped for loop in place.lobby)
    return Health(ok=stored, storage=stored, tables=len(place.lobby), stopped=stopped, version=__version__)
