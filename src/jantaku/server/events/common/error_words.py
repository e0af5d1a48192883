"""Errors in the words of an event: players and stages by their names, not by the ids of the interface."""

from collections.abc import Mapping

from jantaku.club.stage_names import stage_name
from jantaku.errors import JantakuError, Phrases, RequestError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.storage.services import Services
from jantaku.terms import Language


async def message_at(
    services: Services, error: JantakuError, path: Mapping[str, str], language: Language
) -> str:
    """The message of an error for the people of the event that the address ``path`` names."""
    try:
        event = await services.events.find(path["event"])
        entries = names_of(await services.entries.all(event.id), language)
        if isinstance(error, RequestError):
            game = path.get("game")
            players = (await services.recorded.find(event.id, game)).players if game else ()
            error.names = [entries.get(player, player) for player in players]
    except ServerError:  # the event or the game is what was not found
        return error.message(language)
    if "stage" in error.details:
        plan = EventPlan.model_validate_json(event.plan).model_dump(by_alias=True)
        error.details["stage"] = stage_name(plan["stages"], str(error.details["stage"]), language)
        if isinstance(known := error.details.get("known"), Phrases):
            error.details["known"] = Phrases(
                stage_name(plan["stages"], str(part), language) for part in known.parts
            )
    if error.details.get("id") in entries:
        error.details["id"] = entries[str(error.details["id"])]
    return error.message(language)
