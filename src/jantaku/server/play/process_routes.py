"""The health of this process, and all processes of the site for the administrator."""

from fastapi import Response

from jantaku import __version__
from jantaku.server.edge.bodies import Health, Readiness, router_of
from jantaku.server.people.auth_dependencies import InjectedServices, Person, demand
from jantaku.server.play.site import ProcessList, processes

router = router_of("/api/processes", "people")
health_router = router_of("/api", "words")


@router.get("")
async def all_processes(services: InjectedServices, who: Person) -> ProcessList:
    """Which processes live, what each has, and what is slow there (admins only)."""
    demand(who, ("admin",))
    return ProcessList(processes=await processes(services.links, services.lease))


@health_router.get("/health", responses={503: {"model": Health}})
async def health(response: Response, services: InjectedServices) -> Health:
    """Whether the server can store what it accepts."""
    stored = await _stores(services)
    response.status_code = 200 if stored else 503
    stopped = sum(loop.table.stopped for loop in services.lobby)
    return Health(ok=stored, storage=stored, tables=len(services.lobby), stopped=stopped, version=__version__)


@health_router.get("/ready", responses={503: {"model": Readiness}})
async def ready(response: Response, services: InjectedServices) -> Readiness:
    """Whether people should be sent to this server: it can store, and has read the tables that it found."""
    reaches = services.links.working and bool(services.lease.owners)
    stores = services.lobby.ready and reaches and await _stores(services)
    response.status_code = 200 if stores else 503
    return Readiness(ok=stores, processes=len(services.lease.peers))


async def _stores(services: InjectedServices) -> bool:
    writer, lease = services.writer, services.lease
    return await services.store.check() and lease.held and not (writer.failing or writer.stalled)
