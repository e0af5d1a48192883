"""The number of days that each kind of data is kept: read, preview, save."""

from collections.abc import Mapping

from jantaku import terms
from jantaku.server.edge.bodies import router_of
from jantaku.server.people.account_kit import Accounting, AccountKit
from jantaku.server.people.asking import Asking, Person, RequestLanguage
from jantaku.server.people.people_bodies import KeepingBody, KeepingInfo, KeptInfo
from jantaku.server.people.roles import demand
from jantaku.server.storage.cleanup import KINDS
from jantaku.terms import Language

router = router_of("/api/keeping", "people")


async def _shown(kit: AccountKit, days: Mapping[str, int], language: Language) -> KeepingInfo:
    touched = await kit.services.keeping.preview(days)
    return KeepingInfo(
        kinds=[
            KeptInfo.of(
                kind,
                days=days.get(kind.name, kind.usual),
                rows=touched[kind.name].rows,
                bytes=touched[kind.name].bytes,
                **{
                    part: terms.text(f"server.keeping.{kind.name}.{part}", language)
                    for part in ("label", "lost")
                },
            )
            for kind in KINDS
        ]
    )


@router.get("")
async def kept(kit: Accounting, language: RequestLanguage, asker: Asking, who: Person) -> KeepingInfo:
    """The number of days that each kind of data is kept (admins only)."""
    demand(who, ("admin",))
    async with kit.figures.turn(asker):
        return await _shown(kit, await kit.services.keeping.days(), language)


@router.post("/preview")
async def preview(
    kit: Accounting, language: RequestLanguage, asker: Asking, who: Person, body: KeepingBody
) -> KeepingInfo:
    """What would be packed or deleted if this were saved (admins only)."""
    demand(who, ("admin",))
    async with kit.figures.turn(asker):
        return await _shown(kit, {kind.name: kind.days for kind in body.kinds}, language)


@router.put("")
async def keep(
    kit: Accounting, language: RequestLanguage, asker: Asking, who: Person, body: KeepingBody
) -> KeepingInfo:
    """Keep everything for so long from now on; what is older goes within a day (admins only)."""
    demand(who, ("admin",))
    days = {kind.name: kind.days for kind in body.kinds}
    await kit.services.keeping.save(days)
    async with kit.figures.turn(asker):
        return await _shown(kit, days, language)
