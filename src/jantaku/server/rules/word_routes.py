"""The client's texts from the term tables."""

from functools import cache
from importlib import resources
from typing import Annotated

from fastapi import Query, Response
from starlette.responses import JSONResponse

from jantaku import terms
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.edge.routing import router_of
from jantaku.server.people.asking import AnyKit
from jantaku.server.rules.table_types import TermTree

router = router_of("/api", "words")
AN_HOUR = "public, max-age=3600"
LOCAL_YAKU = "local_yaku"


@cache
def _tables() -> list[str]:
    """The names of all term tables."""
    files = resources.files(terms.__name__).iterdir()
    return sorted({file.name.split(".")[0] for file in files if file.name.endswith(".toml")})


@router.get("/terms/{language}", response_model=dict[str, TermTree])
async def words(
    kit: AnyKit,
    language: LanguageCode,
    tables: Annotated[str, Query(max_length=200, pattern=r"^[a-z,_]*$")] = "",
) -> Response:
    """All term tables in one language, or only those that are named.

    ``local_yaku`` has the words of the local yaku of the house rules.
    """
    known = [*_tables(), LOCAL_YAKU]
    wanted = [name for name in tables.split(",") if name in known] if tables else known
    headers = {"cache-control": "no-cache" if LOCAL_YAKU in wanted else AN_HOUR}
    local = kit.services.rulesets.house.words(language)
    texts = {name: local if name == LOCAL_YAKU else terms.table(name, language) for name in wanted}
    return JSONResponse(texts, headers=headers)  # as they are: they need no check at every request
