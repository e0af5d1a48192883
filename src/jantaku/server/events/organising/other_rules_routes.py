"""Other rules for an event that has begun."""

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_bodies import EventInfo
from jantaku.server.events.common.event_rights import ORGANISER
from jantaku.server.events.common.event_shown import event_info
from jantaku.server.events.organising import other_rules
from jantaku.server.events.organising.other_rules_bodies import ChangeRules, OtherRules, RulesPreview
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.people.asking import Asking, RequestLanguage, working

router = router_of("/api/events/{event}/rules", "events")


@router.post("/preview")
async def preview(
    asked: AskedByPerson, kit: AtResults, language: RequestLanguage, asker: Asking, body: OtherRules
) -> RulesPreview:
    """What other rules would change in which game. Nothing is stored."""
    rights = await asked.rights(ORGANISER)
    working(kit, asked.who)
    return await other_rules.preview(kit, rights, asker, body.rules, language)


@router.post("")
async def change(
    asked: AskedByPerson, kit: AtResults, language: RequestLanguage, asker: Asking, body: ChangeRules
) -> EventInfo:
    """Change the rules, and settle all games by them."""
    rights = await asked.rights(ORGANISER)
    await other_rules.change_rules(kit, rights, asker, body)
    return await event_info(asked.services, await asked.rights(), language)
