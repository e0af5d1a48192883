"""The timer of a round: how long it is, when it runs, and more time for all tables or one."""

from jantaku.server.events.common.event_rights import EventRights, changing
from jantaku.server.events.rounds import round_bodies as bodies
from jantaku.server.events.rounds.round_stage import stage_in
from jantaku.server.events.rounds.running_rounds import demand_published, demand_table
from jantaku.server.storage.rounds import rows_in, save_rounds
from jantaku.server.storage.services import Services


async def set_timer(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: bodies.TimerBody
) -> None:
    """Start, pause or reset the timer of a round, or change how long it runs."""
    stage, number = of_round
    await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        demand_published(row)
        clock, tables = row.timer, list(row.tables)
        if body.minutes is not None:
            clock = clock._replace(minutes=body.minutes)
        if body.table is not None:
            demand_table(row, body.table)
            table = tables[body.table - 1]
            tables[body.table - 1] = table._replace(extra_s=_extra(table.extra_s, body.extra_s))
        else:
            clock = clock._replace(extra_s=_extra(clock.extra_s, body.extra_s))
        clock = clock.after(body.action, change.at)
        await save_rounds(change, [row._replace(timer=clock, tables=tuple(tables))])
        after = body.model_dump(exclude_none=True, exclude_defaults=True, exclude={"why"})
        change.note("timer", after={"stage": stage, "round": number, **after}, why=body.why)


def _extra(before: int, more: int) -> int:
    return max(-86_400, min(86_400, before + more))
