"""Reviews: which decisions are compared, what a mistake costs, why, and the chances of places."""

import re
from functools import cache
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from jantaku import terms
from jantaku.bots import bot, play
from jantaku.bots.place_chances import chances, chances_by_hand, hands_left
from jantaku.bots.review import Review, reviews
from jantaku.bots.review.comparison import Duel, Part, Posterior
from jantaku.bots.review.model import Comparison, DecisionKind, Outcome, from_dict, to_dict
from jantaku.bots.review.reasons import MISTAKE, OF_ACTION, deciding
from jantaku.bots.review.words import sentences
from jantaku.bots.search import position_to_act
from jantaku.errors import RequestError
from jantaku.game import Discard, Game, Pass
from jantaku.game.actions import Tsumo
from jantaku.game.recorded import RecordedGame
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load

MOVES, FEW = 60, 8000
compiled_only = pytest.mark.skipif(not COMPILED, reason="rollouts")


@cache
def game_of(rules: str = "tenhou", seed: int = 5, count: int = MOVES) -> Game:
    """Play the beginning of a game: seat 0 passes or discards its first legal tile, the others are bots."""
    game, player = Game(rules, seed=seed), bot("strong", 0)
    while len(game.moves) < count and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        free = seat == 0 and (Pass() in legal or isinstance(legal[0], Discard))
        game.play(seat, (Pass() if Pass() in legal else legal[0]) if free else player.choose(game, seat))
    return game


@cache
def deepest(rules: str = "tenhou", seat: int = 0) -> Review:
    *_, last = reviews(game_of(rules), seat, rollouts=FEW)
    return last


@compiled_only
def test_the_judge_agrees_with_itself() -> None:
    review = deepest(seat=1)
    assert review.decisions
    assert {decision.verdict for decision in review.decisions} == {"same"}
    assert (review.progress, review.cost) == (1.0, 0.0)


@compiled_only
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_all_decisions_of_the_seat_are_reviewed_and_only_those(rules: str) -> None:
    game, now, steps = game_of(rules), game_of(rules).restarted(), {}
    for step, (event, seat, action) in enumerate(game.moves):
        if seat == 0 and len(now.legal(seat)) > 1:
            steps[step] = event
        now.play(seat, action)
    assert {decision.step: decision.event for decision in deepest(rules).decisions} == steps


@compiled_only
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_mistakes_have_a_loss_a_kind_and_reasons_in_words(rules: str) -> None:
    review, game = deepest(rules), game_of(rules)
    assert review.mistakes
    assert review.cost == pytest.approx(sum(one.loss for one in review.mistakes))
    explained = 0
    for one in review.mistakes:
        assert one.compared is not None
        assert one.mistake is not None
        assert one.compared.low <= one.loss <= one.compared.high
        assert one.loss >= MISTAKE
        assert sum(one.compared.best.places) == pytest.approx(1)
        for language in terms.LANGUAGES:
            worded = sentences(one, game.rules, language)
            assert len(worded) == len(one.reasons) + len(one.against)
            assert not any(re.search(r"[{}]", sentence) for sentence in worded)
        explained += bool(one.reasons)
    assert explained > len(review.mistakes) / 2
    assert [one.loss for one in review.mistakes] == sorted(
        (one.loss for one in review.mistakes), reverse=True
    )


@compiled_only
def test_reviews_grow_deeper_and_are_the_same_again() -> None:
    first, again = (list(reviews(game_of(), 0, rollouts=4000)) for _ in range(2))
    assert first == again
    assert all(one.progress < other.progress for one, other in pairwise(first))
    deals = [sum(d.compared.deals for d in one.decisions if d.compared) for one in first]
    assert deals == sorted(deals)
    assert from_dict(to_dict(first[-1])) == first[-1]


@compiled_only
def test_a_declined_win_is_a_mistake() -> None:
    player = bot("strong", 0)
    for seed in range(30):
        game = Game("tenhou", seed=seed)
        while not game.is_over and len(game.walls) == 1:
            seat = game.to_act[0]
            action = player.choose(game, seat)
            if isinstance(action, Tsumo):
                game.play(seat, next(other for other in game.legal(seat) if isinstance(other, Discard)))
                *_, review = reviews(game, seat, rollouts=FEW)
                (declined,) = (one for one in review.decisions if one.step == len(game.moves) - 1)
                assert (declined.verdict, declined.mistake) == ("mistake", "win")
                return
            game.play(seat, action)
    raise AssertionError


def test_a_record_that_is_not_replayed_cannot_be_reviewed() -> None:
    game = game_of(count=20)
    with pytest.raises(RequestError) as error:
        next(reviews(RecordedGame(game.rules, game.events, game.moves, len(game.moves)), 0))
    assert error.value.code == "no_review"
    with pytest.raises(RequestError, match="seat"):
        next(reviews(game_of("tenhou-3", count=20), 3))


# Comparisons -----------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("least", [-1e9, 1e9])
def test_the_parts_of_a_loss_add_up_to_it(least: float) -> None:
    game = game_of(count=31).copy()
    while len(game.legal(game.to_act[0])) < 3:
        game.play(game.to_act[0], game.legal(game.to_act[0])[0])
    known = position_to_act(game, game.to_act[0])
    duel = Duel(known, known.codes[0], known.codes[-1])
    duel.play(40)
    parts = duel.parts(least)
    assert ("placement" in parts) == (least > 0)
    finals = duel.rows[:, :, 9].mean(axis=0)
    assert sum(part.points for part in parts.values()) == pytest.approx(float(finals[0] - finals[1]))


def test_few_deals_say_little_about_a_loss_and_many_decide() -> None:
    for error in (4000.0, 1000.0, 300.0, 50.0):
        loss = Posterior.of(1500.0, error)
        assert 0 < loss.mean < 1500 + error
        assert loss.quantile(0.05) < loss.mean < loss.quantile(0.95)
    assert Posterior.of(1500.0, 4000.0).mean < 500
    assert Posterior.of(1500.0, 50.0).mean == pytest.approx(1500, abs=30)
    draws = np.random.default_rng(1).normal(0, 1, 10)
    for draw in draws:
        loss = Posterior.of(float(1000 * draw), 500.0)
        assert loss.above(loss.quantile(0.7)) == pytest.approx(0.3, abs=0.01)


def outcome(**numbers: float) -> Outcome:
    base = {"win": 0.2, "mean_win": 5000.0, "deal_in": 0.1, "mean_deal_in": 5000.0, "draw": 0.1}
    rest = {"points": 0.0, "final": 0.0}
    return Outcome(**{**base, **rest, **numbers}, places=(0.25,) * 4)


WORSE = {"win": 0.1, "mean_win": 4000.0, "deal_in": 0.2, "mean_deal_in": 7000.0}


@pytest.mark.parametrize(
    ("parts", "loss", "expected"),
    [
        ({"win_rate": (900, 50), "win_value": (50, 20)}, 950, ["win_rate"]),
        ({"win_rate": (500, 50), "deal_in_rate": (450, 50)}, 950, ["win_rate", "deal_in_rate"]),
        ({"win_rate": (500, 400), "deal_in_rate": (450, 50)}, 950, ["deal_in_rate"]),  # unclear
        ({"win_rate": (1200, 50), "deal_in_rate": (-250, 50)}, 950, ["win_rate"]),
        ({"others": (300, 50), "win_rate": (-50, 20)}, 250, ["others"]),
    ],
)
def test_reasons_are_the_fewest_parts_that_explain_a_loss(
    parts: dict[str, tuple[float, float]], loss: float, expected: list[str]
) -> None:
    compared = Comparison(deals=9, loss=loss, low=0, high=0, played=outcome(**WORSE), best=outcome())
    measured = {code: Part(*numbers) for code, numbers in parts.items()}
    assert [code for code, _ in deciding(measured, compared)] == expected  # type: ignore[arg-type]
    misleading = Comparison(deals=9, loss=loss, low=0, high=0, played=outcome(), best=outcome())
    assert not {"win_rate", "deal_in_rate"} & {code for code, _ in deciding(measured, misleading)}  # type: ignore[arg-type]


# Chances of places -----------------------------------------------------------------------------------------


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
    game = game_of(count=20)
    assert len(chances_by_hand(game)) == 1
    game = play(Game("tenhou", seed=2), "efficient")
    *_, last = chances_by_hand(game)
    assert sorted(row.index(1.0) for row in last) == [0, 1, 2, 3]


def test_only_discards_are_mistakes_of_different_kinds() -> None:
    """To play on instead of declaring nine terminals is no mistake in defence."""
    assert OF_ACTION.keys() == {*get_args(DecisionKind)} - {"discard"}
