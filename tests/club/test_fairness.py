"""Signs of unfair play: exact chances, corrected for their number, from facts that whole games give."""

from itertools import product
from random import Random

import pytest

from jantaku.club.fairness import LEVEL, AgreedPlay, DangerousWin, agreement_signs, at_least, holm, pair_signs
from jantaku.club.fairness_facts import facts_of
from jantaku.game.events import Won
from support.playing import played

NAMES = "abcd"


def naive_at_least(count: int, chances: list[float]) -> float:
    total = 0.0
    for hits in product((False, True), repeat=len(chances)):
        weight = 1.0
        for hit, chance in zip(hits, chances, strict=True):
            weight *= chance if hit else 1 - chance
        total += weight if sum(hits) >= count else 0.0
    return total


@pytest.mark.parametrize("seed", range(5))
def test_chances_are_those_of_all_outcomes(seed: int) -> None:
    rng = Random(seed)
    chances = [rng.random() for _ in range(7)]
    for count in range(9):
        assert at_least(count, chances) == pytest.approx(naive_at_least(count, chances))


def test_corrected_chances_are_never_smaller_and_keep_their_order() -> None:
    rng = Random(1)
    chances = [rng.random() ** 3 for _ in range(20)]
    found = holm([*chances, None])
    assert found[-1] is None
    known = [one for one in found if one is not None]
    assert all(after >= before for after, before in zip(known, chances, strict=True))
    assert sorted(range(20), key=lambda i: (known[i], chances[i])) == sorted(
        range(20), key=chances.__getitem__
    )
    assert min(known) == min(1.0, 20 * min(chances))


def deal_ins(rng: Random, count: int, feeds: float) -> list[DangerousWin]:
    """Deal-ins of four players by their danger; ``a`` deals in to ``b`` more often by so much."""
    found = []
    for _ in range(count):
        source = rng.choice(NAMES)
        weights = {one: rng.random() + 0.05 for one in NAMES if one != source}
        danger = {one: weight / sum(weights.values()) for one, weight in weights.items()}
        winner = rng.choices(list(danger), list(danger.values()))[0]
        if source == "a" and rng.random() < feeds:
            winner = "b"
        found.append(DangerousWin(source, winner, 3900, danger, None))
    return found


def marked_pairs(rng: Random, count: int, feeds: float) -> set[tuple[str, str]]:
    together = {(one, other): 10 for one in NAMES for other in NAMES if one != other}
    signs = pair_signs(deal_ins(rng, count, feeds), together)
    return {(one.source, one.winner) for one in signs if one.marked}


@pytest.mark.slow
def test_who_deals_in_as_danger_says_is_rarely_marked_and_who_feeds_is_found() -> None:
    honest = sum(bool(marked_pairs(Random(seed), 120, 0.0)) for seed in range(200))
    assert honest <= 8  # of 200 at a level of one in a hundred: more than 8 has a chance below 0.0003
    found = [marked_pairs(Random(seed), 120, 0.9) for seed in range(40)]
    assert sum(("a", "b") in one for one in found) >= 36
    assert sum(bool(one - {("a", "b")}) for one in found) <= 4


@pytest.mark.slow
def test_who_wins_much_makes_nobody_suspicious() -> None:
    """``b`` wins on everybody's discards far more often than danger says."""
    marked = 0
    for seed in range(60):
        rng, found = Random(seed), []
        for one in deal_ins(rng, 120, 0.0):
            wins = "b" in one.danger and rng.random() < 0.5
            found.append(DangerousWin(one.source, "b" if wins else one.winner, 0, one.danger, None))
        together = {(one, other): 10 for one in NAMES for other in NAMES if one != other}
        marked += any(one.marked for one in pair_signs(found, together))
    assert marked <= 4


def test_agreement_far_above_what_results_say_is_marked() -> None:
    rng = Random(2)
    field = [
        AgreedPlay(str(i), 2000, round(2000 * (0.72 + rng.gauss(0, 0.02))), 2 + rng.random())
        for i in range(12)
    ]
    assert not any(one.marked for one in agreement_signs(field))
    helped = agreement_signs([*field, AgreedPlay("x", 2000, 1960, 2.6)])
    assert [one.player for one in helped if one.marked] == ["x"]
    assert helped[0].chance is not None
    assert helped[0].chance <= LEVEL
    assert all(one.chance is None for one in agreement_signs(field[:4]))  # too few to compare


def test_the_facts_of_a_game_are_its_wins_on_discards() -> None:
    game = played("tenhou", 3)
    facts = facts_of(game)
    wins = [event for event in game.events if isinstance(event, Won) and event.source is not None]
    assert [(one.source, one.winner) for one in facts.deal_ins] == [(one.source, one.seat) for one in wins]
    for one in facts.deal_ins:
        assert one.danger[one.source] == 0
        assert sum(one.danger) == pytest.approx(1)
    assert all(same <= all_of for same, all_of in zip(facts.same, facts.decisions, strict=True))
