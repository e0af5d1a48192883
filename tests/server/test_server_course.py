"""Live games without a server: when events are sent, clocks, seats and sockets."""

import random
from dataclasses import replace

import pytest

from jantaku.game import Game, Pass, hide
from jantaku.game.events import Called, Discarded, Drew, HandStarted, KanDeclared, Won
from jantaku.game.view import view_of
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.rules.options import ClockOptions
from jantaku.server.edge.bodies import dumps
from jantaku.server.edge.protocol import FROM_SERVER, TableOptions
from jantaku.server.play import seat_views, table_seats
from jantaku.server.play.live_game import Clocks, LiveGame, first_move_of_hand
from jantaku.server.play.table import MAX_QUEUED, Connection, HandledIds
from jantaku.server.settings import NO_PAUSES, Pauses
from jantaku.server.storage.tables import Sitter, TableRow
from server.lobbies import somebody

LENGTH = 400 if COMPILED else 40


def walk(live: LiveGame, chance: random.Random) -> None:
    """Play a random legal action, more often a call or win than a pass."""
    game = live.game
    seat = chance.choice(game.to_act)
    legal = [action for action in game.legal(seat) if action != Pass()] or game.legal(seat)
    game.play(seat, chance.choice(legal if chance.random() < 0.4 else game.legal(seat)))


@pytest.mark.parametrize("seed", range(3))
def test_every_event_is_sent_once_and_in_order(seed: int) -> None:
    chance, now = random.Random(seed), 0.0
    live = LiveGame(Game("standard", seed), Pauses(claim=(0.5, 1.0)), 3.0)
    events = list(live.game.events)
    for _ in range(LENGTH):
        if live.game.is_over:
            break
        if live.open:
            walk(live, chance)
        now += chance.choice((0.0, 0.3, 2.0))
        events += live.release(now)
        if live.between:
            assert isinstance(live.game.events[live.sent], HandStarted)
            live.next_hand()
        assert events == live.game.events[: live.sent]
        assert live.base_seq <= live.sent


def test_nothing_is_sent_during_the_pause_after_a_discard() -> None:
    """The pause is the same whether or not anyone can call; only a call or a win ends it."""
    live, chance, now, pauses = (
        LiveGame(Game("standard", 5), Pauses(claim=(1, 1), hesitation=0), 3.0),
        random.Random(5),
        0.0,
        0,
    )
    for _ in range(LENGTH):
        if live.game.is_over:
            break
        walk(live, chance)
        first = live.sent
        events = live.release(now)
        for event, following in zip(live.game.events[first:], live.game.events[first + 1 :], strict=False):
            if isinstance(event, Discarded | KanDeclared) and event in events:
                assert (following in events) == isinstance(following, Called | Won)
                pauses += not isinstance(following, Called | Won)
        assert isinstance(live.holds_until, float)
        now += 1.5
        live.release(now)
        if live.between:
            live.next_hand()
            live.release(now)
    assert pauses > LENGTH / 10


def test_pauses_do_not_depend_on_possible_calls() -> None:
    live = LiveGame(Game("standard", 1), Pauses(claim=(0.4, 1.0), hesitation=0.25), 3.0)
    drawn = [live._claim_pause(0) for _ in range(4000)]
    short = [pause for pause in drawn if pause <= 1.0]
    assert 0.4 <= min(drawn) <= max(drawn) <= 3.0
    assert 0.7 < len(short) / len(drawn) < 0.8
    assert LiveGame(Game("standard", 1), NO_PAUSES, 3.0)._claim_pause(0) == 0


@pytest.mark.parametrize(
    ("people", "actor", "hides"),
    [((0, 1, 2, 3), 0, True), ((0, 2), 1, True), ((1, 3), 1, True), ((1,), 0, False), ((), 0, False)],
)
@pytest.mark.parametrize("even", [False, True])
def test_tables_of_bots_need_no_long_pause(
    people: tuple[int, ...], actor: int, hides: bool, even: bool
) -> None:
    pauses = Pauses(claim=(0.4, 1.0), hesitation=1.0, after_window=(0.1, 0.3))
    live = LiveGame(Game("standard", 1), pauses, 3.0, even, people)
    drawn = [live._claim_pause(actor) for _ in range(100)]
    low, high = ((3.1, 3.3) if even else (1.0, 3.0)) if hides else (0.4, 1.0)
    assert low <= min(drawn) <= max(drawn) <= high


@pytest.mark.parametrize(("people", "max_pause"), [((1,), 0.3), ((0, 1), 1.0)])
def test_quick_bots_apply_only_to_a_lone_player(people: tuple[int, ...], max_pause: float) -> None:
    """With several people at a table, shorter pauses would make it obvious that someone considers a call."""
    live = LiveGame(Game("standard", 1), Pauses(claim=(0.4, 1.0), hesitation=0), 3.0, False, people, 0.3)
    drawn = [live._claim_pause(0) for _ in range(50)]
    assert 0.9 * max_pause < max(drawn) <= max_pause
    assert min(drawn) >= 0.4 * max_pause


def test_the_first_bot_to_act_waits_for_the_deal() -> None:
    live = LiveGame(Game("standard-3", 4), Pauses(bot=(0.4, 1.2), deal=1.3), 3.0)
    assert min(live.bot_delay() for _ in range(50)) >= 1.7
    live.game.play(live.game.to_act[0], live.game.legal(live.game.to_act[0])[0])
    assert max(live.bot_delay() for _ in range(50)) <= 1.2


@pytest.mark.parametrize("seed", range(2))
def test_even_pauses_do_not_depend_on_possible_calls(seed: int) -> None:
    """Draws and calls are sent at the end of the claim window; only a win is sent at once."""
    pauses = Pauses(after_window=(0.2, 0.2))
    live = LiveGame(Game("standard", seed), pauses, 3.0, even=True)
    chance, now, held, sent_at = random.Random(seed), 0.0, set(), 0.0
    for _ in range(LENGTH):
        if live.game.is_over or live.between:
            break
        walk(live, chance)
        now += 0.2
        for event in live.release(now):
            assert now >= live.holds_until or isinstance(event, Won | Discarded | KanDeclared), event
            if isinstance(event, Discarded | KanDeclared):
                sent_at = now
        assert live.holds_until in (0.0, pytest.approx(sent_at + 3.2))
        if live.game.record.phase == YOUR_TURN and not live.open:
            held.add(type(live.game.events[live.sent]))
            now = live.holds_until
            live.release(now)
    assert {Called, Drew} <= held


def test_the_index_of_the_first_action_of_a_hand_is_found() -> None:
    game, chance = Game("standard", 4), random.Random(4)
    for _ in range(LENGTH):
        if game.is_over:
            break
        seat = chance.choice(game.to_act)
        game.play(seat, chance.choice(game.legal(seat)))
        first = first_move_of_hand(game)
        dealt = sum(isinstance(event, HandStarted) for event in game.events)
        assert 0 <= first <= len(game.moves)
        whole = Game("standard", game.seed)
        for _, one, action in game.moves[:first]:
            whole.play(one, action)
        assert sum(isinstance(event, HandStarted) for event in whole.events) == dealt
        assert first == 0 or isinstance(whole.events[-2], HandStarted)
        if COMPILED and len(game.moves) > 150:
            break


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_view_and_later_events_equal_the_sent_events(seed: int) -> None:
    """The view sent at the start of a connection contains no events that have not been sent."""
    chance, now = random.Random(seed), 0.0
    live = LiveGame(Game("standard", seed + 10), Pauses(claim=(1, 1)), 0.0)
    clocks = Clocks(ClockOptions())
    for _ in range(LENGTH):
        if live.game.is_over or live.between:
            break
        if live.open:
            walk(live, chance)
        now += chance.choice((0.1, 0.6))
        live.release(now)
        hidden = live.game.events[live.sent :]
        for seat in range(4):
            text = seat_views.sync(1, live, seat, seat_views.own_text(live, seat, clocks, now), "null")
            sync = FROM_SERVER.validate_json(text)
            assert sync.seq == live.sent == sync.view_seq + len(sync.events)
            assert (sync.own is None) if hidden else True
            assert sync.view == view_of(live.base, seat, ())
            if any(isinstance(event, Drew) for event in hidden):
                assert sync.view.drawn is None or live.base.turn == seat


def test_sent_texts_contain_no_hidden_tiles() -> None:
    game = Game("standard", 3)
    for seat in (None, 0, 1, 2, 3):
        text = seat_views.events_text(game.events, seat)
        shown = [hide(event, seat) for event in game.events]
        assert text == dumps([event.to_dict() for event in shown])
        start = next(event for event in shown if isinstance(event, HandStarted))
        assert [hand is not None for hand in start.hands] == [number == seat for number in range(4)]


def test_clocks_run_only_for_seats_that_must_act() -> None:
    clocks, game = Clocks(ClockOptions(claim_window_s=3, turn_s=5, bank_s=20)), Game("standard", 1)
    clocks.start(game, 100.0)
    (seat,) = game.to_act
    assert clocks.deadline(seat) == 125.0
    assert clocks.left_ms(seat, 104.0) == 21_000
    assert clocks.deadline((seat + 1) % 4) is None
    clocks.stop(seat, 112.0)
    assert clocks.bank[seat] == 13.0
    assert clocks.public_state(112.0) == {
        "turn_ms": None,
        "bank_ms": [13_000 if number == seat else 20_000 for number in range(4)],
    }
    clocks.fill()
    assert clocks.bank == [20.0] * 4


def test_changed_time_reserves_can_be_stored_and_restored() -> None:
    clocks, game = Clocks(ClockOptions(turn_s=5, bank_s=20)), Game("standard", 1)
    clocks.start(game, 100.0)
    (seat,) = game.to_act
    assert clocks.changed_bank_ms(seat, 104.9) is None
    assert clocks.changed_bank_ms(seat, 107.5) == 17_500
    assert clocks.bank[seat] == 20.0
    clocks.restart(200.0)
    assert clocks.changed_bank_ms(seat, 204.9) is None
    clocks.restore([(seat, 17_500), ((seat + 1) % 4, 3000), (seat, 9000)])
    assert clocks.deadline(seat) == 214.0
    assert clocks.bank[(seat + 1) % 4] == 3.0
    assert Clocks(ClockOptions(), limited=False).changed_bank_ms(seat, 1e9) is None


def test_without_a_clock_a_turn_never_times_out() -> None:
    clocks, game = Clocks(ClockOptions(), limited=False), Game("standard", 1)
    clocks.start(game, 0.0)
    assert clocks.deadline(game.to_act[0]) is None
    assert clocks.public_state(1e9) is None


def test_claims_use_the_claim_window_and_not_the_reserve() -> None:
    chance = random.Random(1)
    live = LiveGame(Game("standard", 1), NO_PAUSES, 3.0)
    clocks = Clocks(ClockOptions(claim_window_s=3))
    while live.game.record.phase == YOUR_TURN:
        walk(live, chance)
    clocks.start(live.game, 10.0)
    seat = live.game.to_act[0]
    assert clocks.deadline(seat) == 13.0
    shown = clocks.public_state(10.0)
    assert shown is not None
    assert shown["turn_ms"] is None
    clocks.stop(seat, 12.9)
    assert clocks.bank[seat] == clocks.times.bank_s


def test_a_player_can_return_to_a_game_after_leaving() -> None:
    """The seat stays reserved while the player is away."""
    mina = somebody("mina")
    row = TableRow("t", "t", "p0", "standard", "f", TableOptions(draw_seats=False))
    row = replace(table_seats.filled(table_seats.joined(row, mina, 1), "random"), status="playing")
    assert all(row.sitters)
    gone = table_seats.left(row, mina.id)
    assert [sitter and sitter.gone for sitter in gone.sitters] == [False, True, False, False]
    assert table_seats.persons(gone) == []
    assert table_seats.joined(gone, mina, None) == row
    again = table_seats.filled(replace(gone, status="waiting"), "random")
    assert all(sitter and sitter.bot for sitter in again.sitters)
    drawn = replace(
        again, options=TableOptions(draw_seats=True), sitters=(Sitter("mina", mina.id), None, None, None)
    )
    seats = {table_seats.seat_of(table_seats.filled(drawn, "random"), mina.id) for _ in range(60)}
    assert seats == {0, 1, 2, 3}


def test_recent_message_ids_are_remembered() -> None:
    answered = HandledIds()
    for i in range(200):
        answered.add(str(i))
    assert "199" in answered
    assert "150" in answered
    assert "0" not in answered


async def test_a_socket_that_stops_reading_is_closed() -> None:
    connection = Connection(somebody())
    for i in range(MAX_QUEUED + 5):
        connection.send(str(i))
    assert connection.closing is not None
    assert [await connection.next() for _ in range(MAX_QUEUED)][-1] == str(MAX_QUEUED - 1)
    assert await connection.next() is None
