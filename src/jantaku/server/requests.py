"""What a message from a seat does."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from jantaku import terms
from jantaku.game.notation import from_dict
from jantaku.game.why import reason
from jantaku.server import messages, play
from jantaku.server.audience import Connection
from jantaku.server.driver import Driver
from jantaku.server.errors import ServerError
from jantaku.server.hints import hints
from jantaku.server.protocol import Abort, Act, AskHints, Ready, Rematch, Why
from jantaku.server.telling import tell_table


async def handle(driver: Driver, connection: Connection, message: Any) -> None:
    """Carry out a message and acknowledge it; ``JantakuError`` where that is refused."""
    if message.type == "ping":
        connection.send(messages.dumps({"type": "pong", "id": message.id}))
        return
    if message.type == "hello":
        raise ServerError("bad_message", reason="hello")
    table = driver.table
    async with table.lock:
        seat = connection.seat
        if seat is None or table.audience.seats.get(seat) is not connection:
            raise ServerError("not_seated")
        if message.id not in table.answered[seat]:
            asks = isinstance(message, Why | AskHints)
            await _HANDLERS[type(message)](driver, seat, message)
            if asks:
                return
            table.answered[seat].add(message.id)
        connection.send(messages.ack(message.id))
    driver.wake()


async def _act(driver: Driver, seat: int, message: Act) -> None:
    table, course = driver.table, driver.table.course
    if table.stopped or driver.faulty:
        raise ServerError("table_stopped" if table.stopped else "table_fault")
    if course is None or not table.playing:
        raise ServerError("not_playing")
    game = course.game
    if message.game != table.row.game or not course.open or message.ask != len(game.events):
        raise ServerError("late")
    action = from_dict(message.action.model_dump(exclude_none=True))
    if action not in game.legal(seat) and action not in game.fouls(seat):
        game.play(seat, action)  # refuses it, with the reason, and changes nothing
        raise ServerError("late")
    await play.carry_out(table, seat, action)


async def _ready(driver: Driver, seat: int, _message: Ready) -> None:
    table = driver.table
    if table.course is not None and table.course.between:
        table.ready.add(seat)
        tell_table(table)


async def _abort(driver: Driver, seat: int, message: Abort) -> None:
    await play.vote_abort(driver.table, seat, message.agree)


async def _rematch(driver: Driver, seat: int, message: Rematch) -> None:
    await play.vote_rematch(driver.table, seat, message.agree)


async def _why(driver: Driver, seat: int, message: Why) -> None:
    table, course = driver.table, driver.table.course
    connection = table.audience.seats[seat]
    if course is None or not course.open:
        raise ServerError("late")
    what = message.what
    wish: Any = what if isinstance(what, str) else from_dict(what.model_dump(exclude_none=True))
    found = reason(course.game, seat, wish)
    with terms.with_pictures():
        text = found.text(connection.language)
    connection.send(messages.dumps({"type": "reason", "id": message.id, "code": found.code, "text": text}))


async def _hints(driver: Driver, seat: int, message: AskHints) -> None:
    table, course = driver.table, driver.table.course
    connection, options = table.audience.seats[seat], table.row.options
    if options.rated or not options.hints:
        raise ServerError("no_hints")
    if course is None or not course.open:
        raise ServerError("late")
    with terms.with_pictures():
        found = hints(course.game, seat, connection.language)
    connection.send(messages.dumps({"type": "hints", "id": message.id, **found}))


_HANDLERS: Final[dict[type, Callable[[Driver, int, Any], Awaitable[None]]]] = {
    Act: _act,
    Ready: _ready,
    Abort: _abort,
    Rematch: _rematch,
    Why: _why,
    AskHints: _hints,
}
