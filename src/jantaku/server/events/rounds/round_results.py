"""The results of a round on one sheet: the points of many tables at once, each for itself."""

from jantaku.errors import JantakuError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import EventRights
from jantaku.server.events.recording.game_rights import table_of
from jantaku.server.events.recording.recorded_game_bodies import entered_end
from jantaku.server.events.recording.starting_games import end_by
from jantaku.server.events.rounds.round_bodies import RoundResults, TableResult
from jantaku.server.events.rounds.round_stage import stage_in
from jantaku.server.events.rounds.running_rounds import demand_table, start_table
from jantaku.server.storage.services import Services


async def enter_results(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: RoundResults
) -> list[tuple[int, JantakuError]]:
    """End the games of these tables by their points; returns the tables that were refused, and why.

    The game of a table that has not begun begins. One table refused keeps no other from being entered.
    """
    stage, number = of_round
    (await stage_in(services, rights, stage)).rows.round(number)
    refused = list[tuple[int, JantakuError]]()
    seen = set[int]()
    for result in body.results:
        try:
            if result.table in seen:
                raise ServerError("table_twice", field="results", table=result.table)
            await _enter(services, rights, of_round, result, body.why)
        except JantakuError as error:
            refused.append((result.table, error))
        seen.add(result.table)
    return refused


async def _enter(
    services: Services, rights: EventRights, of_round: tuple[str, int], result: TableResult, why: str
) -> None:
    stage, number = of_round
    if await _game_at(services, rights, of_round, result.table) is None:
        await start_table(services, rights, (stage, number, result.table))
    game = await _game_at(services, rights, of_round, result.table)
    if game is None:  # another referee has taken the round back meanwhile
        raise ServerError("round_not_begun", number=number)
    end = entered_end(result.scores, result.chips, result.no_win)
    await end_by(services, await table_of(services, rights, game), end, why, result.revision)


async def _game_at(
    services: Services, rights: EventRights, of_round: tuple[str, int], table: int
) -> str | None:
    row = (await stage_in(services, rights, of_round[0])).rows.round(of_round[1])
    demand_table(row, table)
    return row.tables[table - 1].game
