"""The client's texts from the term tables."""

from functools import cache
from typing import Annotated, Final

from fastapi import Query, Response
from starlette.responses import JSONResponse

from jantaku import terms
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.rules.table_types import TermTree

router = router_of("/api", "words")
AN_HOUR = "public, max-age=3600"
SENT_AS: Final = {"drawn_table": "table"}  # the name by which programs ask for it


@cache
def _tables() -> dict[str, str]:
    """All term tables, by the names under which they are sent."""
    return {SENT_AS.get(name, name): name for name in terms.names()}


@router.get("/terms/{language}", response_model=dict[str, TermTree])
async def words(
    language: LanguageCode,
    tables: Annotated[str, Query(max_length=200, pattern=r"^[a-z,_]*$")] = "",
) -> Response:
    """All term tables in one language, or only those that are named."""
    known = [*_tables()]
    wanted = [name for name in tables.split(",") if name in known] if tables else known
    texts = {name: terms.table(_tables()[name], language) for name in wanted}
    return JSONResponse(
        texts, headers={"cache-control": AN_HOUR}
    )  # as they are: they need no check at every request
