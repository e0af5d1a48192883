"""Other rules for an event that has begun."""

from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import EventInfo
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.event_shown import event_info
from jantaku.server.events.common.rights import ORGANISER, rights_in
from jantaku.server.events.organising import rules_change
from jantaku.server.events.organising.rules_bodies import ChangeRules, OtherRules, RulesPreview
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.people.asking import Asking, Person, RequestLanguage

router = router_of("/api/events/{event}/rules", "events")


@router.post("/preview")
async def preview(
    kit: AtResults, language: RequestLanguage, asker: Asking, who: Person, event: EventId, body: OtherRules
) -> RulesPreview:
    """What other rules would change in which game. Nothing is stored."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    if not kit.rates.heavy.take(who.id):
        raise ServerError("too_many")
    return await rules_change.preview(kit, rights, asker, body.rules, language)


@router.post("")
async def change(
    kit: AtResults, language: RequestLanguage, asker: Asking, who: Person, event: EventId, body: ChangeRules
) -> EventInfo:
    """Change the rules, and settle all games by them."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    await rules_change.change_rules(kit, rights, asker, body)
    return await event_info(kit, await rights_in(kit.services, event, who), language)
