"""The processes of the site, for the administrator."""

from jantaku.server.edge.bodies import router_of
from jantaku.server.people.asking import Person
from jantaku.server.people.roles import demand
from jantaku.server.play.process_bodies import ProcessList
from jantaku.server.play.processes_here import processes
from jantaku.server.play.table_kit import AtTables

router = router_of("/api/processes", "people")


@router.get("")
async def all_processes(kit: AtTables, who: Person) -> ProcessList:
    """Which processes live, what each has, and what is slow there (admins only)."""
    demand(who, ("admin",))
    return ProcessList(processes=await processes(kit.services.links, kit.services.lease))
