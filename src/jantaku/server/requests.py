"""What a message from a seat does."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from jantaku import terms
from jantaku.game import Action
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
    """Carry out a message and acknowledge it; ``JantakuError`` where that is refused.

    Whoever waits for the lock of a table learns how long it is held, which depends on whether somebody is
    asked about a discard. So only what changes the game waits for it, after all that can be refused is.
    """
    if message.type == "ping":
        connection.send(messages.dumps({"type": "pong", "id": message.id}))
        return
    if message.type == "hello":
        raise ServerError("bad_message", reason="hello")
    seat = _seat(driver, connection)
    if isinstance(message, Why | AskHints):
        _ANSWERS[type(message)](driver, seat, message)
        return
    if message.id not in driver.table.answered[seat]:
        await _HANDLERS[type(message)](driver, connection, message)
    connection.send(messages.ack(message.id))
    driver.wake()


def _seat(driver: Driver, connection: Connection) -> int:
    """The seat that a socket speaks for; ``not_seated`` where it is none."""
    seat = connection.seat
    if seat is None or driver.table.audience.seats.get(seat) is not connection:
        raise ServerError("not_seated")
    return seat


async def _act(driver: Driver, connection: Connection, message: Act) -> None:
    _action(driver, _seat(driver, connection), message)
    async with driver.changing() as table:
        seat = _seat(driver, connection)
        if message.id not in table.answered[seat]:  # sent twice, and the first was under way
            await play.carry_out(table, seat, _action(driver, seat, message))
            table.answered[seat].add(message.id)


def _action(driver: Driver, seat: int, message: Act) -> Action:
    """The action that a message asks for, if it can be carried out now."""
    table, course = driver.table, driver.table.course
    if table.stopped or driver.faulty:
        raise ServerError("table_stopped" if table.stopped else "table_fault")
    if course is None or not table.playing:
        raise ServerError("not_playing")
    game = course.game
    if message.game != table.row.game or not course.open_to(seat) or message.ask != len(game.events):
        raise ServerError("late")
    action = from_dict(message.action.model_dump(exclude_none=True))
    if action not in game.legal(seat) and action not in game.fouls(seat):
        game.play(seat, action)  # refuses it, with the reason, and changes nothing
        raise ServerError("late")
    return action


async def _ready(driver: Driver, connection: Connection, message: Ready) -> None:
    table, seat = driver.table, _seat(driver, connection)
    if table.course is not None and table.course.between:
        table.ready.add(seat)
        tell_table(table)
    table.answered[seat].add(message.id)


async def _abort(driver: Driver, connection: Connection, message: Abort) -> None:
    table, seat = driver.table, _seat(driver, connection)
    if play.vote_abort(table, seat, message.agree):
        async with driver.changing():
            if play.all_abort(table):
                await play.finish(table, "aborted")
    table.answered[seat].add(message.id)


async def _rematch(driver: Driver, connection: Connection, message: Rematch) -> None:
    play.check_over(driver.table)  # before the wait for the table, whose length would tell what others do
    async with driver.changing() as table:
        seat = _seat(driver, connection)
        await play.vote_rematch(table, seat, message.agree)
        table.answered[seat].add(message.id)


def _why(driver: Driver, seat: int, message: Why) -> None:
    table, course = driver.table, driver.table.course
    connection = table.audience.seats[seat]
    if course is None or not course.open_to(seat):
        raise ServerError("late")
    what = message.what
    wish: Any = what if isinstance(what, str) else from_dict(what.model_dump(exclude_none=True))
    found = reason(course.game, seat, wish)
    with terms.with_pictures():
        text = found.text(connection.language)
    connection.send(messages.dumps({"type": "reason", "id": message.id, "code": found.code, "text": text}))


def _hints(driver: Driver, seat: int, message: AskHints) -> None:
    table, course = driver.table, driver.table.course
    connection, options = table.audience.seats[seat], table.row.options
    if options.rated or not options.hints:
        raise ServerError("no_hints")
    if course is None or not course.open_to(seat):
        raise ServerError("late")
    with terms.with_pictures():
        found = hints(course.game, seat, connection.language)
    connection.send(messages.dumps({"type": "hints", "id": message.id, **found}))


_HANDLERS: Final[dict[type, Callable[[Driver, Connection, Any], Awaitable[None]]]] = {
    Act: _act,
    Ready: _ready,
    Abort: _abort,
    Rematch: _rematch,
}
_ANSWERS: Final[dict[type, Callable[[Driver, int, Any], None]]] = {Why: _why, AskHints: _hints}
