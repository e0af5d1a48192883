"""Signs of unfair play: exact chances, corrected for their number, from facts that whole games give."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from jantaku.club.fairness import (
    LEVEL,
    AgreedPlay,
    PairPlay,
    agreement_signs,
    holm,
    negative_binomial_tail,
    pair_signs,
)
from jantaku.club.fairness_facts import facts_of, pairs_of
from jantaku.game.events import Won
from support.playing import played

NAMES = "abcdefgh"


def naive_tail(rng: np.random.Generator, count: int, mean: float, varied: float) -> float:
    rates = rng.gamma(1 / varied, mean * varied, 200_000)
    return float((rng.poisson(rates) >= count).mean())


@pytest.mark.parametrize(("mean", "varied"), [(0.3, 0.1), (2.0, 0.05), (6.0, 0.5)])
def test_chances_are_those_of_simulated_events_at_an_unsure_rate(mean: float, varied: float) -> None:
    rng = np.random.default_rng(1)
    for count in range(12):
        simulated = naive_tail(rng, count, mean, varied)
        assert negative_binomial_tail(count, mean, varied) == pytest.approx(simulated, abs=0.005)


def test_corrected_chances_are_never_smaller_and_keep_their_order() -> None:
    rng = Random(1)
    chances = [rng.random() ** 3 for _ in range(20)]
    adjusted = holm([*chances, None])
    assert adjusted[-1] is None
    known = [chance for chance in adjusted if chance is not None]
    assert all(after >= before for after, before in zip(known, chances, strict=True))
    assert sorted(range(20), key=lambda i: (known[i], chances[i])) == sorted(
        range(20), key=chances.__getitem__
    )
    assert min(known) == min(1.0, 20 * min(chances))


def pairs(rng: np.random.Generator, games: int, feeds: float = 0.0, wins: float = 1.0) -> list[PairPlay]:
    """Eight players who deal in as danger says; ``a`` feeds ``b`` so often a game; ``b`` wins more."""
    plays = []
    for source, winner in permutations(NAMES, 2):
        danger = games * rng.gamma(8, 0.15 / 8)
        rate = danger * 0.9 * (wins if winner == "b" else 1.0)
        count = int(rng.poisson(rate) + rng.poisson(games * feeds * ((source, winner) == ("a", "b"))))
        plays.append(PairPlay(source, winner, games, danger, count, 0, 3900 * count))
    return plays


def marked_pairs(play: list[PairPlay]) -> set[tuple[str, str]]:
    return {(sign.source, sign.winner) for sign in pair_signs(play) if sign.marked}


def test_who_deals_in_as_danger_says_is_rarely_marked_and_who_feeds_is_found() -> None:
    honest = sum(bool(marked_pairs(pairs(np.random.default_rng(seed), 10))) for seed in range(200))
    assert honest <= 8  # of 200 at a level of one in a hundred: more than 8 has a chance below 0.0003
    marks = [marked_pairs(pairs(np.random.default_rng(seed), 10, feeds=1.5)) for seed in range(40)]
    assert sum(("a", "b") in marked for marked in marks) >= 36
    assert sum(bool(marked - {("a", "b")}) for marked in marks) <= 4


def test_who_wins_much_makes_nobody_suspicious() -> None:
    """``b`` wins on everybody's discards twice as often as danger says."""
    assert (
        sum(bool(marked_pairs(pairs(np.random.default_rng(seed), 20, wins=2.0))) for seed in range(100)) <= 5
    )


def test_nothing_is_said_of_a_pair_without_danger() -> None:
    assert pair_signs([PairPlay("a", "b", 1, 0.0, 0, 0, 0)])[0].chance is None


def test_agreement_far_above_what_results_say_is_marked() -> None:
    rng = Random(2)
    field = [
        AgreedPlay(str(i), 2000, round(2000 * (0.72 + rng.gauss(0, 0.02))), 2 + rng.random())
        for i in range(12)
    ]
    assert not any(sign.marked for sign in agreement_signs(field))
    helped = agreement_signs([*field, AgreedPlay("x", 2000, 1960, 2.6)])
    assert [person.player for person in helped if person.marked] == ["x"]
    assert helped[0].chance is not None
    assert helped[0].chance <= LEVEL
    assert all(sign.chance is None for sign in agreement_signs(field[:4]))  # too few to compare


@pytest.mark.slow
def test_the_facts_of_a_game_are_its_wins_on_discards() -> None:
    game = played("tenhou", 3)
    facts = facts_of(game)
    wins = [event for event in game.events if isinstance(event, Won) and event.source is not None]
    assert [(deal_in.source, deal_in.winner) for deal_in in facts.deal_ins] == [
        (win.source, win.seat) for win in wins
    ]
    assert all(facts.danger[seat][seat] == 0 for seat in game.seats)
    assert 0 < sum(map(sum, facts.danger)) < 3 * len(wins) + 3
    assert all(same <= all_of for same, all_of in zip(facts.same, facts.decisions, strict=True))
    play = pairs_of([("abcd", facts), ("dcba", facts)])
    assert sum(figures.deal_ins for figures in play) == 2 * len(wins)
    assert {figures.games for figures in play} == {2}
    assert sum(figures.points for figures in play) == 2 * sum(win.score.points for win in wins)
