"""Routes of the rounds of a stage: seating, publishing, timers, results and absences."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path

from jantaku.server.edge.bodies import Problem, iso, router_of
from jantaku.server.events.common.event import ORGANISER, RECORDER, REFEREE, RoundId, StageId
from jantaku.server.events.common.event_asked import AskedByAnyone, AskedByPerson, EventAsked, message_at
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
class StageAsked(EventAsked[PersonRow]):
    """A signed-in user's request to a stage of an event."""

    services: InjectedServices
    stage: str
    language: Language

    async def shown(self) -> round_state.StageRounds:
        """Build the response with the current rounds."""
        return await _shown(self, self.services, self.stage, self.language)


async def _asked(asked: AskedByPerson, language: RequestLanguage, stage: StageId) -> StageAsked:
    return StageAsked(**vars(asked), stage=stage, language=language)


Asked = Annotated[StageAsked, Depends(_asked)]


async def _shown(
    asked: EventAsked[Any], services: InjectedServices, stage: str, language: Language
) -> round_state.StageRounds:
    rights = await asked.rights()
    work = services.seatings.shown((rights.event.id, stage), language)
    return await stage_view(services, await stage_in(services, rights, stage), work)


@router.get("")
async def all_rounds(
    asked: AskedByAnyone, services: InjectedServices, language: RequestLanguage
) -> round_state.EventRounds:
    """Return the rounds of all stages with rounds; organisers also see drafts."""
    rights = await asked.rights()
    stages = [await _shown(asked, services, stage.id, language) for stage in stages_of_rounds(rights)]
    return round_state.EventRounds(revision=rights.event.revision, now=iso(now_ms()) or "", stages=stages)


@router.get("/{stage}")
async def one(
    asked: AskedByAnyone, services: InjectedServices, language: RequestLanguage, stage: StageId
) -> round_state.StageRounds:
    """Return the rounds of a stage."""
    return await _shown(asked, services, stage, language)


@router.put("/{stage}/settings")
async def settings(asked: Asked, body: round_state.SetRounds) -> round_state.StageRounds:
    """Replace the settings of a stage's rounds, for organisers; omitted fields are reset to defaults."""
    rights = await asked.rights(ORGANISER)
    await running_rounds.set_settings(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/seating")
async def make(asked: Asked, asker: Requester, body: round_state.MakeSeating) -> round_state.StageRounds:
    """Seat rounds as drafts. A long computation continues after the response, which shows it as ``work``."""
    rights = await asked.rights(ORGANISER)
    await seating.make(asked.services, rights, asker, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/seating/cancel")
async def cancel(asked: Asked) -> round_state.StageRounds:
    """Cancel the computation of a seating."""
    rights = await asked.rights(ORGANISER)
    await asked.services.seatings.cancel((rights.event.id, asked.stage))
    return await asked.shown()


@router.post("/{stage}/seating/import")
async def import_seating(asked: Asked, body: round_state.ImportSeating) -> round_state.StageRounds:
    """Import a seating as drafts."""
    rights = await asked.rights(ORGANISER)
    await seating.import_seating(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/seating/discard")
async def discard(asked: Asked, body: round_state.RoundNumbers) -> round_state.StageRounds:
    """Discard drafts."""
    rights = await asked.rights(ORGANISER)
    await seating.discard(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/publish")
async def publish(asked: Asked, body: round_state.PublishRounds) -> round_state.StageRounds:
    """Publish drafts."""
    rights = await asked.rights(ORGANISER)
    await running_rounds.publish(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/{number}/start")
async def start(asked: Asked, number: RoundId) -> round_state.StageRounds:
    """Start a published round: the games at all tables, and the timer."""
    rights = await asked.rights(REFEREE)
    await running_rounds.start_round(asked.services, rights, asked.stage, number)
    return await asked.shown()


@router.post("/{stage}/{number}/timer", dependencies=[Depends(deduplicate)])
async def timer(asked: Asked, number: RoundId, body: round_state.TimerBody) -> round_state.StageRounds:
    """Start or pause the timer of a round, or give extra time to a table or to all."""
    rights = await asked.rights(REFEREE)
    await running_rounds.set_timer(asked.services, rights, (asked.stage, number), body)
    return await asked.shown()


@router.post("/{stage}/{number}/finish")
async def finish(asked: Asked, number: RoundId, body: round_state.FinishRound) -> round_state.StageRounds:
    """Finish a round."""
    rights = await asked.rights(REFEREE)
    await running_rounds.finish_round(asked.services, rights, (asked.stage, number), body)
    return await asked.shown()


@router.post("/{stage}/{number}/take-back")
async def take_back(
    asked: Asked, number: RoundId, body: round_state.TakeBackRound
) -> round_state.StageRounds:
    """Reset a round started by mistake, if nothing has been entered; its games are cancelled."""
    rights = await asked.rights(REFEREE)
    await running_rounds.take_back(asked.services, rights, (asked.stage, number), body)
    return await asked.shown()


@router.post("/{stage}/{number}/results")
async def enter_results(
    asked: Asked, number: RoundId, body: round_state.RoundResults
) -> round_state.ResultsAnswer:
    """Enter the results of several tables of a round."""
    rights = await asked.rights(REFEREE)
    refused = await running_rounds.enter_results(asked.services, rights, (asked.stage, number), body)
    shown = await asked.shown()
    games = {
        table.number: table.game for each in shown.rounds if each.number == number for table in each.tables
    }
    problems = []
    for table, problem in refused:
        game = games.get(table)
        place = {"event": asked.event, **({"game": game} if game else {})}
        message = await message_at(asked.services, problem, place, asked.language)
        problems.append(
            round_state.RefusedResult(table=table, problem=Problem(code=problem.code, message=message))
        )
    return round_state.ResultsAnswer(rounds=shown, refused=problems)


@router.post("/{stage}/{number}/seats", dependencies=[Depends(deduplicate)])
async def reseat(asked: Asked, number: RoundId, body: round_state.ChangeSeats) -> round_state.StageRounds:
    """Change the seats of a round: swap two players, or correct whole tables."""
    rights = await asked.rights(REFEREE)
    services = asked.services
    await seat_changes.reseat(services, rights, (asked.stage, number), body)
    return await asked.shown()


@router.post("/{stage}/absences", dependencies=[Depends(limit_changes)])
async def set_absence(asked: Asked, body: round_state.AbsenceBody) -> round_state.StageRounds:
    """Add or remove an absence of a player."""
    rights = await asked.rights()
    await seat_changes.set_absence(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/replace")
async def replace(asked: Asked, body: round_state.ReplaceBody) -> round_state.StageRounds:
    """Replace a player in the remaining rounds."""
    rights = await asked.rights(REFEREE)
    await seat_changes.replace(asked.services, rights, asked.stage, body)
    return await asked.shown()


@router.post("/{stage}/{number}/tables/{table}/start")
async def start_table(asked: Asked, number: RoundId, table: TableId) -> round_state.StageRounds:
    """Start the game at one table of a published round."""
    rights = await asked.rights(RECORDER)
    await running_rounds.start_table(asked.services, rights, (asked.stage, number, table))
    return await asked.shown()


@router.post("/{stage}/{number}/tables/{table}/finish")
async def finish_table(
    asked: Asked, number: RoundId, table: TableId, body: round_state.FinishTable
) -> round_state.StageRounds:
    """End the game at a table with its current points, or with given points."""
    rights = await asked.rights(REFEREE)
    await running_rounds.finish_table(asked.services, rights, (asked.stage, number, table), body)
    return await asked.shown()
