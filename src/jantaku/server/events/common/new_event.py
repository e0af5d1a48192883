"""Opens an event: from a template, or from what an organiser says."""

import secrets
from functools import cache
from typing import Any, Final

from jantaku.club import template, template_names
from jantaku.errors import Phrases
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import CreateEvent, EventPatch
from jantaku.server.events.common.event_plan import EventPlan, plan_from_file, skeleton_of
from jantaku.server.names import shown_name
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

MOST_NAME: Final = 100
PLAN_FIELDS: Final = tuple(EventPlan.model_fields)
EMPTY: Final[dict[str, Any]] = {"rules": "standard", "stages": [{"id": "league"}]}


@cache
def templates() -> tuple[str, ...]:
    """The names of the templates that are events."""
    return tuple(name for name in template_names() if "jantaku_event" in template(name))


def demand_account(who: PersonRow) -> None:
    """Raise ``account_needed`` for a guest, who could not come back to an event."""
    if who.guest and who.role == "player":
        raise ServerError("account_needed")


def shown_names(names: dict[Any, str]) -> dict[str, str]:
    """The name of an event in each language, as displayed."""
    return {language: shown_name(name, MOST_NAME) for language, name in names.items()}


def plan_with(plan: EventPlan, body: EventPatch, rules: Ruleset) -> EventPlan:
    """The plan with the changes of a body; raises ``RequestError`` for stages that cannot be."""
    changes = {name: getattr(body, name) for name in PLAN_FIELDS if getattr(body, name) is not None}
    changed = plan.model_copy(update=changes)
    skeleton_of(changed, rules)
    return changed


async def create(services: Services, who: PersonRow, body: CreateEvent) -> str:
    """Open an event and return its id; ``who`` is its organiser."""
    demand_account(who)
    if body.template is not None and body.template not in templates():
        raise ServerError("no_template", field="template", known=Phrases(templates()))
    base = template(body.template) if body.template is not None else EMPTY
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    rules = await services.rulesets.find(body.rules or base["rules"])
    plan = plan_with(plan_from_file(base), body, rules)
    row = new_event(shown_names(name), rules, plan, listed=body.listed is not False)
    await services.events.add(row, who, services.settings.limits.events_of_one)
    await services.rulesets.save(rules)  # after the event, so that deleting the rules now leaves them to it
    return row.id


def new_event(name: dict[str, str], rules: Ruleset, plan: EventPlan, *, listed: bool) -> EventRow:
    """A new event without players."""
    fixed = (rules.id, rules.fingerprint, plan.model_dump_json(by_alias=True))
    return EventRow(new_id(), name, *fixed, "open", listed, 1, 1, secrets.token_hex(4), now_ms())
