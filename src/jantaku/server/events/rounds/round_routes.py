"""Routes of the rounds of a stage: seating, publishing, timers, results and absences."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path

from jantaku.server.edge.bodies import Problem, iso, router_of
from jantaku.server.events.common.event import ORGANISER, RECORDER, REFEREE, RoundId, StageId
from jantaku.server.events.common.event_context import (
    EventContext,
    PublicEventContext,
    UserEventContext,
    message_at,
)
from jantaku.server.events.rounds import round_state, running_rounds, seat_changes, seating
from jantaku.server.events.rounds.round_state import stage_in, stage_view, stages_of_rounds
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    Requester,
    RequestLanguage,
    deduplicate,
    limit_changes,
)
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

router = router_of("/api/events/{event}/rounds", "events")
TableId = Annotated[int, Path(ge=1, le=1000)]


@dataclass(frozen=True)
class StageContext(EventContext[PersonRow]):
    """A signed-in user's request to a stage of an event."""

    services: InjectedServices
    stage: str
    language: Language

    async def current_rounds(self) -> round_state.StageRounds:
        """Build the response with the current rounds."""
        return await _stage_rounds(self, self.services, self.stage, self.language)


async def _context(context: UserEventContext, language: RequestLanguage, stage: StageId) -> StageContext:
    return StageContext(**vars(context), stage=stage, language=language)


UserStageContext = Annotated[StageContext, Depends(_context)]


async def _stage_rounds(
    context: EventContext[Any], services: InjectedServices, stage: str, language: Language
) -> round_state.StageRounds:
    rights = await context.rights()
    work = services.seatings.status((rights.event.id, stage), language)
    return await stage_view(services, await stage_in(services, rights, stage), work)


@router.get("")
async def all_rounds(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage
) -> round_state.EventRounds:
    """Return the rounds of all stages with rounds; organisers also see drafts."""
    rights = await context.rights()
    stages = [
        await _stage_rounds(context, services, stage.id, language) for stage in stages_of_rounds(rights)
    ]
    return round_state.EventRounds(revision=rights.event.revision, now=iso(now_ms()) or "", stages=stages)


@router.get("/{stage}")
async def one(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage, stage: StageId
) -> round_state.StageRounds:
    """Return the rounds of a stage."""
    return await _stage_rounds(context, services, stage, language)


@router.put("/{stage}/settings")
async def settings(context: UserStageContext, body: round_state.SetRounds) -> round_state.StageRounds:
    """Replace the settings of a stage's rounds, for organisers; omitted fields are reset to defaults."""
    rights = await context.rights(ORGANISER)
    await running_rounds.set_settings(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/seating")
async def make(
    context: UserStageContext, asker: Requester, body: round_state.MakeSeating
) -> round_state.StageRounds:
    """Seat rounds as drafts. A long computation continues after the response, which shows it as ``work``."""
    rights = await context.rights(ORGANISER)
    await seating.make(context.services, rights, asker, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/seating/cancel")
async def cancel(context: UserStageContext) -> round_state.StageRounds:
    """Cancel the computation of a seating."""
    rights = await context.rights(ORGANISER)
    await context.services.seatings.cancel((rights.event.id, context.stage))
    return await context.current_rounds()


@router.post("/{stage}/seating/import")
async def import_seating(
    context: UserStageContext, body: round_state.ImportSeating
) -> round_state.StageRounds:
    """Import a seating as drafts."""
    rights = await context.rights(ORGANISER)
    await seating.import_seating(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/seating/discard")
async def discard(context: UserStageContext, body: round_state.RoundNumbers) -> round_state.StageRounds:
    """Discard drafts."""
    rights = await context.rights(ORGANISER)
    await seating.discard(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/publish")
async def publish(context: UserStageContext, body: round_state.PublishRounds) -> round_state.StageRounds:
    """Publish drafts."""
    rights = await context.rights(ORGANISER)
    await running_rounds.publish(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/{number}/start")
async def start(context: UserStageContext, number: RoundId) -> round_state.StageRounds:
    """Start a published round: the games at all tables, and the timer."""
    rights = await context.rights(REFEREE)
    await running_rounds.start_round(context.services, rights, context.stage, number)
    return await context.current_rounds()


@router.post("/{stage}/{number}/timer", dependencies=[Depends(deduplicate)])
async def timer(
    context: UserStageContext, number: RoundId, body: round_state.TimerBody
) -> round_state.StageRounds:
    """Start or pause the timer of a round, or give extra time to a table or to all."""
    rights = await context.rights(REFEREE)
    await running_rounds.set_timer(context.services, rights, (context.stage, number), body)
    return await context.current_rounds()


@router.post("/{stage}/{number}/finish")
async def finish(
    context: UserStageContext, number: RoundId, body: round_state.FinishRound
) -> round_state.StageRounds:
    """Finish a round."""
    rights = await context.rights(REFEREE)
    await running_rounds.finish_round(context.services, rights, (context.stage, number), body)
    return await context.current_rounds()


@router.post("/{stage}/{number}/take-back")
async def take_back(
    context: UserStageContext, number: RoundId, body: round_state.TakeBackRound
) -> round_state.StageRounds:
    """Reset a round started by mistake, if nothing has been entered; its games are cancelled."""
    rights = await context.rights(REFEREE)
    await running_rounds.reset_round(context.services, rights, (context.stage, number), body)
    return await context.current_rounds()


@router.post("/{stage}/{number}/results")
async def enter_results(
    context: UserStageContext, number: RoundId, body: round_state.RoundResults
) -> round_state.ResultsAnswer:
    """Enter the results of several tables of a round."""
    rights = await context.rights(REFEREE)
    refused = await running_rounds.enter_results(context.services, rights, (context.stage, number), body)
    rounds = await context.current_rounds()
    games = {
        table.number: table.game for each in rounds.rounds if each.number == number for table in each.tables
    }
    problems = []
    for table, problem in refused:
        game = games.get(table)
        place = {"event": context.event, **({"game": game} if game else {})}
        message = await message_at(context.services, problem, place, context.language)
        problems.append(
            round_state.RefusedResult(table=table, problem=Problem(code=problem.code, message=message))
        )
    return round_state.ResultsAnswer(rounds=rounds, refused=problems)


@router.post("/{stage}/{number}/seats", dependencies=[Depends(deduplicate)])
async def reseat(
    context: UserStageContext, number: RoundId, body: round_state.ChangeSeats
) -> round_state.StageRounds:
    """Change the seats of a round: swap two players, or correct whole tables."""
    rights = await context.rights(REFEREE)
    services = context.services
    await seat_changes.reseat(services, rights, (context.stage, number), body)
    return await context.current_rounds()


@router.post("/{stage}/absences", dependencies=[Depends(limit_changes)])
async def set_absence(context: UserStageContext, body: round_state.AbsenceBody) -> round_state.StageRounds:
    """Add or remove an absence of a player."""
    rights = await context.rights()
    await seat_changes.set_absence(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/replace")
async def replace(context: UserStageContext, body: round_state.ReplaceBody) -> round_state.StageRounds:
    """Replace a player in the remaining rounds."""
    rights = await context.rights(REFEREE)
    await seat_changes.replace(context.services, rights, context.stage, body)
    return await context.current_rounds()


@router.post("/{stage}/{number}/tables/{table}/start")
async def start_table(context: UserStageContext, number: RoundId, table: TableId) -> round_state.StageRounds:
    """Start the game at one table of a published round."""
    rights = await context.rights(RECORDER)
    await running_rounds.start_table(context.services, rights, (context.stage, number, table))
    return await context.current_rounds()


@router.post("/{stage}/{number}/tables/{table}/finish")
async def finish_table(
    context: UserStageContext, number: RoundId, table: TableId, body: round_state.FinishTable
) -> round_state.StageRounds:
    """End the game at a table with its current points, or with given points."""
    rights = await context.rights(REFEREE)
    await running_rounds.finish_table(context.services, rights, (context.stage, number, table), body)
    return await context.current_rounds()
