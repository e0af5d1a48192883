"""The health of this process, and all processes of the site for the administrator."""

from fastapi import Response

from jantaku import __version__
from jantaku.server.edge.bodies import Health, Readiness, router_of
from jantaku.server.people.auth_dependencies import Person, demand
from jantaku.server.play.site import ProcessList, processes
from jantaku.server.play.table_kit import AtTables

router = router_of("/api/processes", "people")
health_router = router_of("/api", "words")


@router.get("")
async def all_processes(kit: AtTables, who: Person) -> ProcessList:
    """Which processes live, what each has, and what is slow there (admins only)."""
    demand(who, ("admin",))
    return ProcessList(processes=await processes(kit.services.links, kit.services.lease))


@health_router.get("/health", responses={503: {"model": Health}})
async def health(response: Response, kit: AtTables) -> Health:
    """Whether the server can store what it accepts."""
    stored = await _stores(kit)
    response.status_code = 200 if stored else 503
    stopped = sum(loop.table.stopped for loop in kit.lobby)
    return Health(ok=stored, storage=stored, tables=len(kit.lobby), stopped=stopped, version=__version__)


@health_router.get("/ready", responses={503: {"model": Readiness}})
async def ready(response: Response, kit: AtTables) -> Readiness:
    """Whether people should be sent to this server: it can store, and has read the tables that it found."""
    services = kit.services
    reaches = services.links.working and bool(services.lease.owners)
    stores = kit.lobby.ready and reaches and await _stores(kit)
    response.status_code = 200 if stores else 503
    return Readiness(ok=stores, processes=len(services.lease.peers))


async def _stores(kit: AtTables) -> bool:
    writer, lease = kit.services.writer, kit.services.lease
    return await kit.services.store.check() and lease.held and not (writer.failing or writer.stalled)
