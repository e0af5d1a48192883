"""The server's health."""

from fastapi import Response

from jantaku import __version__
from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Health
from jantaku.server.play.table_kit import AtTables

router = router_of("/api", "words")


@router.get("/health", responses={503: {"model": Health}})
async def health(response: Response, kit: AtTables) -> Health:
    """Whether the server can store what it accepts."""
    writer, lease = kit.services.writer, kit.services.lease
    stored = await kit.services.store.check() and lease.held and not (writer.failing or writer.stalled)
    response.status_code = 200 if stored else 503
    stopped = sum(loop.table.stopped for loop in kit.lobby)
    return Health(ok=stored, storage=stored, tables=len(kit.lobby), stopped=stopped, version=__version__)
