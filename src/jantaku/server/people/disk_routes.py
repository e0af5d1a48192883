"""What fills the disk, for the operator."""

from jantaku import terms
from jantaku.server.edge.bodies import router_of
from jantaku.server.people.account_kit import Accounting
from jantaku.server.people.asking import Asking, Person, RequestLanguage
from jantaku.server.people.people_bodies import DiskInfo, DiskKind, DiskPerson
from jantaku.server.people.roles import demand
from jantaku.server.storage.cleanup import disk_use

router = router_of("/api/disk", "people")


@router.get("")
async def disk(kit: Accounting, language: RequestLanguage, asker: Asking, who: Person) -> DiskInfo:
    """How large the database is, and what it is made of, by kind and by person (admins only)."""
    demand(who, ("admin",))
    async with kit.figures.turn(asker):
        use = await disk_use(kit.services.store)

    def listed(kinds: dict[str, int]) -> list[DiskKind]:
        names = {kind: terms.text(f"server.disk.{kind}", language) for kind in kinds}
        rows = [DiskKind(kind=kind, name=names[kind], bytes=size) for kind, size in kinds.items()]
        return sorted(rows, key=lambda row: -row.bytes)

    nobody = terms.text("server.disk.nobody", language)
    return DiskInfo(
        bytes=use.total,
        kinds=listed(use.kinds),
        people=[
            DiskPerson(
                id=person.person, name=person.name or nobody, bytes=person.total, kinds=listed(person.kinds)
            )
            for person in use.people
        ],
    )
