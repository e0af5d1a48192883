"""Handlers of the messages that players send."""

import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from jantaku import terms
from jantaku.game import Action
from jantaku.game.why import reason
from jantaku.server.edge import protocol
from jantaku.server.edge.bodies import dumps
from jantaku.server.edge.metrics import traced
from jantaku.server.edge.protocol import MAX_TEXT_LENGTH, Mute, Say
from jantaku.server.errors import ServerError
from jantaku.server.play import agreements, seat_views
from jantaku.server.play import game_steps as play
from jantaku.server.play.broadcast import publish_table
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.hints import hints
from jantaku.server.play.table import Connection, Table
from jantaku.server.play.table_seats import seat_of
from jantaku.visible import display_form, text_problem


def say(table: Table, seat: int, message: Say) -> None:
    """Send a player's text or stamp to everyone who has not muted them.

    Raises ``bad_message``, ``no_chat`` and ``bad_text``.
    """
    if (message.stamp is None) == (message.text is None):
        raise ServerError("bad_message", reason="stamp, text")
    event: dict[str, Any] = {"type": "said", "seat": seat, "stamp": message.stamp, "text": None}
    if message.text is not None:
        event["text"] = _checked(table, message.text)
    text, speaker = dumps(event), table.sitter(seat).person or ""
    for connection in _listeners(table):
        if speaker not in table.muted.get(connection.person.id, ()):
            connection.send(text)


def _checked(table: Table, text: str) -> str:
    options = table.row.options
    if not (options.chat and options.private):
        raise ServerError("no_chat")
    clean = display_form(text)
    if text_problem(clean) is not None or len(clean) > MAX_TEXT_LENGTH:
        raise ServerError("bad_text", most=MAX_TEXT_LENGTH)
    return clean


def _listeners(table: Table) -> Iterator[Connection]:
    yield from list(table.audience.seats.values())
    if table.row.status == "waiting":
        yield from list(table.audience.watchers)


def mute(table: Table, listener: str, message: Mute) -> None:
    """Mute or unmute a person at the table. Raises ``not_yourself`` and ``no_person``."""
    if message.person == listener:
        raise ServerError("not_yourself")
    if seat_of(table.row, message.person) is None:
        raise ServerError("no_person")
    muted = table.muted.setdefault(listener, set())
    if message.on:
        muted.add(message.person)
    else:
        muted.discard(message.person)


async def handle(loop: GameLoop, connection: Connection, message: Any) -> None:
    """Handle a message and acknowledge it; raises ``JantakuError`` if it is refused.

    How long a table's lock is held depends on whether anyone can claim a discard, so waiting for it would
    reveal that. Only messages that change the game wait for it, and only after every possible refusal.
    """
    if message.type == "ping":
        connection.send(dumps({"type": "pong", "id": message.id}))
        return
    if message.type == "hello":
        raise ServerError("bad_message", reason="hello")
    seat = _seat(loop, connection)
    if isinstance(message, protocol.Why | protocol.AskHints):
        _ANSWERS[type(message)](loop, seat, message)
        return
    if message.id not in loop.table.handled[seat]:
        await _HANDLERS[type(message)](loop, connection, message)
    connection.send(seat_views.ack(message.id))
    loop.wake()


def _seat(loop: GameLoop, connection: Connection) -> int:
    """Return the seat of a socket; raises ``not_seated``."""
    seat = connection.seat
    if seat is None or loop.table.audience.seats.get(seat) is not connection:
        raise ServerError("not_seated")
    return seat


async def _act(loop: GameLoop, connection: Connection, message: protocol.ActMessage) -> None:
    began = time.perf_counter()
    _action(loop, _seat(loop, connection), message)
    with traced("action"):
        async with loop.changing() as table:
            seat = _seat(loop, connection)
            if message.id in table.handled[seat]:  # a repetition arrived while the first was in progress
                return
            await play.apply_action(table, seat, _action(loop, seat, message))
            table.handled[seat].add(message.id)
            took = time.perf_counter() - began
            table.services.metrics.delays.observe(took)
            table.durations.add(took)


def _action(loop: GameLoop, seat: int, message: protocol.ActMessage) -> Action:
    """Return the requested action; raises if it is not possible now."""
    table, live = loop.table, loop.table.live
    if table.stopped or loop.faulty:
        raise ServerError("table_stopped" if table.stopped else "table_fault")
    if live is None or not table.playing:
        raise ServerError("not_playing")
    if table.row.halted:
        raise ServerError("table_halted")
    game = live.game
    if message.game != table.row.game or not live.open_to(seat) or message.ask != len(game.events):
        raise ServerError("late")
    action = message.action
    if action not in game.legal(seat) and action not in game.fouls(seat):
        game.play(seat, action)  # raises with the reason and changes nothing
        raise ServerError("late")
    return action


async def _ready(loop: GameLoop, connection: Connection, message: protocol.Ready) -> None:
    table, seat = loop.table, _seat(loop, connection)
    if table.row.status == "waiting":
        async with loop.changing():
            await agreements.set_ready(table, _seat(loop, connection), message.on)
    elif table.live is not None and table.live.between and seat not in table.ready:
        table.ready.add(seat)
        publish_table(table)
    table.handled[_seat(loop, connection)].add(message.id)  # the seats may have been drawn


async def _swap(loop: GameLoop, connection: Connection, message: protocol.SwapSeats) -> None:
    agreements.check_waiting(loop.table)  # before locking, as in ``_rematch``
    async with loop.changing() as table:
        seat = _seat(loop, connection)
        if message.id not in table.handled[seat]:
            await agreements.swap(table, seat, message.seat, message.agree)
            table.handled[_seat(loop, connection)].add(message.id)


async def _abort(loop: GameLoop, connection: Connection, message: protocol.Abort) -> None:
    table, seat = loop.table, _seat(loop, connection)
    if agreements.vote_abort(table, seat, message.agree):
        async with loop.changing():
            if agreements.abort_agreed(table):
                await play.finish(table, "aborted")
    table.handled[seat].add(message.id)


async def _rematch(loop: GameLoop, connection: Connection, message: protocol.Rematch) -> None:
    # checked before locking, because the wait would reveal what others do
    agreements.check_over(loop.table)
    async with loop.changing() as table:
        seat = _seat(loop, connection)
        await agreements.vote_rematch(table, seat, message.agree)
        table.handled[_seat(loop, connection)].add(message.id)  # the seats may have been drawn


async def _say(loop: GameLoop, connection: Connection, message: protocol.Say) -> None:
    seat = _seat(loop, connection)
    say(loop.table, seat, message)
    loop.table.handled[seat].add(message.id)


async def _mute(loop: GameLoop, connection: Connection, message: protocol.Mute) -> None:
    seat = _seat(loop, connection)
    mute(loop.table, connection.person.id, message)
    loop.table.handled[seat].add(message.id)


async def _pace(loop: GameLoop, connection: Connection, message: protocol.SetPace) -> None:
    # before locking, as in ``_rematch``
    agreements.check_alone(loop.table, _seat(loop, connection))
    async with loop.changing() as table:
        seat = _seat(loop, connection)
        await agreements.set_pace(table, seat, message.pace)
        table.handled[seat].add(message.id)


async def _show_hands(loop: GameLoop, connection: Connection, message: protocol.ShowHands) -> None:
    seat = _seat(loop, connection)
    agreements.vote_hands(loop.table, connection.person.id, message.agree)
    loop.table.handled[seat].add(message.id)


def _why(loop: GameLoop, seat: int, message: protocol.Why) -> None:
    table, live = loop.table, loop.table.live
    connection = table.audience.seats[seat]
    if live is None or not live.open_to(seat):
        raise ServerError("late")
    action: Any = message.what
    why = reason(live.game, seat, action)
    with terms.with_pictures():
        text = why.text(connection.language)
    connection.send(dumps({"type": "reason", "id": message.id, "code": why.code, "text": text}))


def _hints(loop: GameLoop, seat: int, message: protocol.AskHints) -> None:
    table, live = loop.table, loop.table.live
    connection, options = table.audience.seats[seat], table.row.options
    if options.rated or not options.hints:
        raise ServerError("no_hints")
    if live is None or not live.open_to(seat):
        raise ServerError("late")
    with terms.with_pictures():
        texts = hints(live.game, seat, connection.language)
    connection.send(dumps({"type": "hints", "id": message.id, **texts}))


_HANDLERS: Final[dict[type, Callable[[GameLoop, Connection, Any], Awaitable[None]]]] = {
    protocol.ActMessage: _act,
    protocol.Ready: _ready,
    protocol.SwapSeats: _swap,
    protocol.Abort: _abort,
    protocol.Rematch: _rematch,
    protocol.Say: _say,
    protocol.Mute: _mute,
    protocol.SetPace: _pace,
    protocol.ShowHands: _show_hands,
}
_ANSWERS: Final[dict[type, Callable[[GameLoop, int, Any], None]]] = {
    protocol.Why: _why,
    protocol.AskHints: _hints,
}
