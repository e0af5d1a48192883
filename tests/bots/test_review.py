"""The review of a game: decisions compared with those of ``standard``, and the placement probabilities."""

from functools import cache

import pytest

from jantaku.adjudication.analysis import best_discards
from jantaku.bots import bot, danger, play
from jantaku.bots.chance import new_source
from jantaku.bots.place_chances import chances, chances_by_hand, hands_left
from jantaku.bots.review import ReviewedDecision, review
from jantaku.bots.standard_judge import WEIGH_CALLS
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game import Discard, Game, Pass
from jantaku.game.actions import Chi, Kita, Pon, Ron, Tsumo, encode
from jantaku.game.engine import concealed, context, melds
from jantaku.game.events import Won
from jantaku.game.recorded import RecordedGame
from jantaku.hand import Hand
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.rules import rules_record
from jantaku.rules import load
from jantaku.server.play.hints import seen
from jantaku.tiles import NORTH, RED, Tile

MOVES = 90


@cache
def game_of(count: int, seed: int = 5) -> Game:
    """Play the beginning of a game: seat 0 passes or discards its first legal tile, the others are bots."""
    game, player = Game("tenhou", seed=seed), bot("standard", 0)
    while len(game.moves) < count and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        free = seat == 0 and (Pass() in legal or isinstance(legal[0], Discard))
        game.play(seat, (Pass() if Pass() in legal else legal[0]) if free else player.choose(game, seat))
    return game


@cache
def reviewed(count: int = MOVES, seed: int = 5) -> tuple[ReviewedDecision, ...]:
    return review(game_of(count, seed))


def test_a_bot_agrees_with_itself() -> None:
    decisions = [decision for decision in reviewed() if decision.seat != 0]
    assert len(decisions) > 40
    assert all(decision.same and (decision.loss or 0) < 1e-6 for decision in decisions)


def test_only_decisions_between_several_actions_are_reviewed() -> None:
    game, now = game_of(MOVES), game_of(MOVES).restarted()
    open_steps = set()
    for step, (_, seat, action) in enumerate(game.moves):
        if len(now.legal(seat)) > 1:
            open_steps.add(step)
        now.play(seat, action)
    assert {decision.step for decision in reviewed()} == open_steps


def test_a_poor_discard_is_compared_with_the_better_one() -> None:
    """Shanten, acceptance and danger match the hints at the table."""
    game, now, checked = game_of(MOVES), game_of(MOVES).restarted(), 0
    by_step = {decision.step: decision for decision in reviewed()}
    for step, (_, seat, action) in enumerate(game.moves):
        answer = by_step.get(step)
        if seat == 0 and answer is not None and answer.kind == "discard" and not answer.same:
            rows = best_discards(Hand(tuple(concealed(now.record, 0)), melds(now.record, 0)), seen(now, 0))
            shapes, costs = {int(row.tile): row for row in rows}, danger(now, 0)
            for choice, numbers in (
                (answer.played, answer.played_numbers),
                (answer.best, answer.best_numbers),
            ):
                if not isinstance(choice, Discard):
                    continue
                assert numbers is not None
                row = shapes[choice.tile % RED]
                assert (numbers.shanten, numbers.tiles) == (row.shanten, row.copies)
                assert numbers.danger == pytest.approx(costs[Tile(choice.tile % RED)])
            assert answer.loss is not None
            assert answer.loss > 0
            checked += 1
        now.play(seat, action)
    assert checked > 5


@cache
def game_of_three() -> Game:
    """Play a game in which seat 0 keeps its first four norths and discards its first legal tile."""
    game, player, kept = Game("tenhou-3", seed=7), bot("standard", 0), 0
    while len(game.moves) < 400 and not game.is_over:
        seat = game.to_act[0]
        legal, chosen = game.legal(seat), player.choose(game, seat)
        if seat == 0 and isinstance(chosen, Kita) and kept < 4:
            chosen, kept = legal[0], kept + 1
        elif seat == 0 and isinstance(chosen, Discard) and chosen.riichi is None:
            chosen = legal[0]
        game.play(seat, chosen)
    return game


@pytest.mark.slow
def test_setting_aside_a_north_is_a_separate_decision() -> None:
    decisions = [decision for decision in review(game_of_three()) if decision.kind == "kita"]
    assert all(Kita() in (decision.played, decision.best) for decision in decisions)
    assert [decision for decision in decisions if decision.seat and decision.same]
    kept = [decision for decision in decisions if not decision.same]
    assert kept
    for decision in kept:  # the discard was not evaluated, so no numbers of an earlier decision may appear
        assert (decision.seat, decision.best, decision.loss) == (0, Kita(), None)
        assert decision.played_numbers is decision.best_numbers is None


@pytest.mark.slow
def test_acceptance_with_three_players_excludes_missing_tiles_and_norths_set_aside() -> None:
    game, now, checked = game_of_three(), game_of_three().restarted(), 0
    by_step = {decision.step: decision for decision in review(game)}
    for step, (_, seat, action) in enumerate(game.moves):
        answer = by_step.get(step)
        if (
            answer is not None
            and answer.kind == "discard"
            and answer.played_numbers
            and now.record.kita.any()
        ):
            hand = Hand(tuple(concealed(now.record, seat)), melds(now.record, seat))
            known = [*seen(now, seat), *[Tile(NORTH)] * int(now.record.kita[seat])]
            rows = best_discards(hand, known, game.rules.tiles.man)
            assert isinstance(answer.played, Discard)
            row = next(row for row in rows if row.tile == answer.played.tile % RED)
            assert (answer.played_numbers.shanten, answer.played_numbers.tiles) == (row.shanten, row.copies)
            assert known.count(Tile(NORTH)) >= int(now.record.kita.sum())
            checked += 1
        now.play(seat, action)
    assert checked > 20


def test_calls_can_be_weighed_repeatedly() -> None:
    """A wrong reference count in compiled code would free the weights while in use."""
    game = game_of(MOVES).restarted()
    for _, seat, action in game_of(MOVES).moves:
        if any(isinstance(legal, Pon | Chi) for legal in game.legal(seat)):
            break
        game.play(seat, action)
    else:
        pytest.fail("nothing can be called")
    work = new_bot_workspace(new_source(0), game.rules)
    codes = [encode(action, game.claimed) for action in game.legal(seat)]
    arguments = (game.array, int(seat), rules_record(game.rules), context(game.rules.tiles.man), work)
    kinds = set()
    for _ in range(2000 if COMPILED else 2):
        work.actions[: len(codes)] = codes
        work.actions[len(codes)] = -1
        WEIGH_CALLS.call(*arguments)
        kinds.add(tuple(work.utility[: len(codes)].tolist()))
    assert len(kinds) == 1


def _declined(wanted: type) -> tuple[ReviewedDecision, int]:
    """Return the review of a declined win, and the points that it would have scored."""
    player = bot("standard", 0)
    for seed in range(30):
        game = Game("tenhou", seed=seed)
        while not game.is_over and len(game.moves) < 120:
            seat = game.to_act[0]
            action = player.choose(game, seat)
            if isinstance(action, wanted):
                accepted = game.restarted()
                for _, other, before in game.moves:
                    accepted.play(other, before)
                points = 0
                for event in accepted.play(seat, action):
                    points = event.score.points if isinstance(event, Won) else points
                declined = [action for action in game.legal(seat) if isinstance(action, (Discard, Pass))]
                if points and declined and len(game.to_act) == 1:
                    game.play(seat, declined[0])
                    return review(game)[-1], points
            game.play(seat, action)
    raise AssertionError


@pytest.mark.parametrize("wanted", [Tsumo, Ron])
def test_a_declined_win_costs_about_its_points(wanted: type) -> None:
    decision, points = _declined(wanted)
    assert (decision.kind, decision.same, isinstance(decision.best, wanted)) == ("win", False, True)
    assert decision.loss is not None
    assert 0 < decision.loss <= points + 300 * 10


def test_a_passed_call_has_a_loss() -> None:
    decisions = [
        decision
        for seed in range(5, 9)
        for decision in reviewed(MOVES, seed)
        if decision.seat == 0 and decision.kind == "call" and not decision.same
    ]
    assert decisions
    for decision in decisions:
        assert isinstance(decision.played, Pass)
        assert isinstance(decision.best, (Chi, Pon))
        assert decision.loss is not None
        assert decision.loss > 0


def test_a_record_that_is_not_replayed_cannot_be_reviewed() -> None:
    game = game_of(20)
    with pytest.raises(RequestError) as error:
        review(RecordedGame(game.rules, game.events, game.moves, len(game.moves)))
    assert error.value.code == "no_review"


@pytest.mark.parametrize("scores", [(25000,) * 4, (61000, 20000, 19000, 0), (30000, 35000, 35000)])
def test_every_seat_gets_a_place_and_every_place_a_seat(scores: tuple[int, ...]) -> None:
    shares = chances(scores, 3)
    for row in (*shares, *zip(*shares, strict=True)):
        assert sum(row) == pytest.approx(1)
    assert shares[scores.index(max(scores))][0] == max(row[0] for row in shares)


def test_a_lead_is_worth_more_the_fewer_hands_are_left() -> None:
    lead = (33000, 25000, 22000, 20000)
    firsts = [chances(lead, left)[0][0] for left in (8, 4, 2, 1)]
    assert firsts == sorted(firsts)
    assert hands_left(0, load("tenhou")) == 8
    assert hands_left(7, load("tenhou")) == hands_left(9, load("tenhou")) == 1


def test_the_end_of_a_game_is_certain() -> None:
    game = game_of(20)
    assert len(chances_by_hand(game)) == 1
    game = play(Game("tenhou", seed=2), "efficient")
    *_, last = chances_by_hand(game)
    assert sorted(row.index(1.0) for row in last) == [0, 1, 2, 3]
