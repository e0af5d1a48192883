"""Changes by organisers to an event as a whole: its plan, status and staff."""

from dataclasses import replace
from typing import Any

from sqlalchemy import select

from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EventRights, changing
from jantaku.server.events.common.event_bodies import MAX_TITLE, ChangeEvent, StatusBody, plan_with
from jantaku.server.events.registration.entries import fill
from jantaku.server.names import shown_name
from jantaku.server.settings import STAFF_OF_EVENT
from jantaku.server.storage.event_plan import EventPlan
from jantaku.server.storage.events import ANY, Change, EventRow, PenaltyRow, logged_since, set_role
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundRow
from jantaku.server.storage.services import Services


async def change_plan(services: Services, rights: EventRights, body: ChangeEvent) -> None:
    """Change the given fields of an event.

    Raises ``rules_fixed`` for different rules after something has been recorded, ``stage_used`` if this would
    remove a stage with games, penalties or rounds, ``event_moved_on`` if one of the fields has changed since
    the ``revision`` in the body.
    """
    row = rights.event
    rules = await services.rulesets.find(*((body.rules,) if body.rules else (row.rules, row.fingerprint)))
    async with changing(services, rights, settles=False) as change:
        await _check_seen(change, body)
        before = change.event.plan
        plan = plan_with(before, body)
        await _check_used(change, plan, rules if body.rules else None)
        values: dict[str, Any] = {"plan": plan}
        if body.rules:  # only if given, so as not to undo a simultaneous change to the rules
            values |= {"rules": rules.id, "fingerprint": rules.fingerprint}
        if body.name is not None:
            values["name"] = shown_name(body.name, MAX_TITLE)
        if body.listed is not None:
            values["listed"] = body.listed
        await _write(change, values, body, before)
        change.event = replace(change.event, plan=plan)
        await fill(change)
    await services.rulesets.save(rules)


async def _check_seen(change: Change, body: ChangeEvent) -> None:
    """Raise ``event_moved_on`` for stale fields: lists such as the stages are replaced as a whole."""
    if body.revision is None:
        return
    changed = [name for after in await logged_since(change, "change", body.revision) for name in after]
    if set(changed) & body.model_fields_set:
        raise ServerError("event_moved_on")


async def _write(change: Change, values: dict[str, Any], body: ChangeEvent, plan: EventPlan) -> None:
    await change.set(EventRow, **values)
    after = body.model_dump(by_alias=True, exclude_none=True, exclude={"revision"}, mode="json")
    known = plan.model_dump(by_alias=True, mode="json") | change.event.values()
    change.note("change", before={name: known[name] for name in after}, after=after)
    change.results_change = True


async def _check_used(change: Change, plan: EventPlan, rules: Ruleset | None) -> None:
    """Raise ``rules_fixed`` or ``stage_used`` if new ``rules`` or a ``plan`` conflict with recorded games."""
    stages = {stage.id for stage in plan.stages}
    used = set[str]()
    for stage in (RecordedGameRow.stage, PenaltyRow.stage, RoundRow.stage):
        query = select(stage).where(change.of(stage.table)).distinct()
        used |= {row.stage for row in await change.rows(query)}
    if used and rules is not None and rules.fingerprint != change.event.fingerprint:
        raise ServerError("rules_fixed", field="rules")
    if used - stages:
        raise ServerError("stage_used", field="stages", stage=min(used - stages))


async def change_status(services: Services, rights: EventRights, body: StatusBody) -> None:
    """Close, cancel or reopen an event."""
    async with changing(services, rights, ANY) as change:
        if change.event.status != body.status:
            await change.set(EventRow, status=body.status)
            change.note("status", before=change.event.status, after=body.status, why=body.why)


async def change_staff(services: Services, rights: EventRights, person: PersonRow, role: str) -> None:
    """Give a person a role in the event; an empty one removes it."""
    async with changing(services, rights, ANY) as change:
        await set_role(change, person, role, STAFF_OF_EVENT)
