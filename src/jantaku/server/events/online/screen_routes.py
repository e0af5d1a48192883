"""Online tables of an event for a venue screen, with the spectators' delay."""

from typing import Any, Final

from jantaku.game.board import Board
from jantaku.game.engine import by_seat
from jantaku.game.events import HandStarted
from jantaku.server.edge.bodies import router_of
from jantaku.server.events.common.event_context import PublicEventContext
from jantaku.server.people.auth_dependencies import InjectedServices, RequestLanguage
from jantaku.server.play import seat_views
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.storage.services import Services
from jantaku.terms import Language
from jantaku.wire import Wire

MAX_TABLES: Final = 100

router = router_of("/api/events/{event}/screen", "events")


class ScreenTable(Wire):
    """An online table; ``hand_number`` counts from East 1, names and scores are by seat."""

    id: str
    label: str
    hand_number: int
    names: list[str]
    scores: list[int]


class ScreenTables(Wire):
    """Online tables in play, newest first."""

    tables: list[ScreenTable]


@router.get("")
async def online_tables(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage
) -> ScreenTables:
    """List online tables in play, with the spectators' delay; responses are cached for a second."""
    event = (await context.rights()).event.id
    answer: ScreenTables = await services.event_screens.get(
        (event, language), lambda: _of_event(context.services, event, language)
    )
    return answer


async def _of_event(services: Services, event: str, language: Language) -> ScreenTables:
    parts = await services.links.request_all("screen", [event, language])
    newest_first = sorted((table for part in parts for table in part), key=lambda table: -table[0])
    tables = [ScreenTable.model_validate(shown) for _, shown in newest_first[:MAX_TABLES]]
    return ScreenTables(tables=tables)


def answer_screens(lobby: Lobby) -> None:
    """Register the answer to other processes' requests for this process's tables on the screen."""

    async def answer(request: Any) -> list[tuple[int, ScreenTable]]:
        event, language = request
        tables = [
            (loop.row.created, _screen_table(loop, language))
            for loop in lobby.of_event(event)
            if loop.row.options.spectators and not loop.row.options.private
        ]
        return [(created, table) for created, table in tables if table is not None]

    lobby.services.links.handlers["screen"] = answer


def _screen_table(table: Table, language: Language) -> ScreenTable | None:
    """Build the spectators' current view of a table; ``None`` before a deal is visible to them."""
    live, seq = table.live, table.feed.delay.visible_now
    if live is None or not seq:
        return None
    events = live.game.events[seat_views.hand_of(live.game, seq) : seq]
    if not isinstance(events[0], HandStarted):
        return None
    board = Board(table.rules)
    for event in events:
        board.apply(event)
    match = board.record.match
    scores = by_seat(board.record, match.scores)
    return ScreenTable(
        id=table.row.id,
        label=str(table.row.round_table or table.row.name),
        hand_number=int(match.number),
        names=[sitter_name(table.sitter(seat), language) for seat in range(len(scores))],
        scores=list(scores),
    )
