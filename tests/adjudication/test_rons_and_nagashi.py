"""Several rons on one tile, and nagashi mangan, under every setting."""

from typing import Any

import pytest

from jantaku import HandError, RequestError, Ruleset, Win
from jantaku.adjudication.rons_and_nagashi import score_nagashi, score_rons
from jantaku.hand import Source, Wind

HAND = "234m567p34567s99p 8s"  # pinfu, 1000 points from a non-dealer
PLACES: dict[str, tuple[Wind, Source]] = {
    "south": ("south", "left"),
    "west": ("west", "across"),
    "north": ("north", "right"),
}


def rons(*winners: str, **situation: Any) -> list[Win]:
    """Return rons by these seats on a discard of the dealer."""
    return [
        Win.parse(HAND, seat=PLACES[name][0], source=PLACES[name][1], honba=2, deposits=3, **situation)
        for name in winners
    ]


def rules(multiple: str, **changes: Any) -> Ruleset:
    """Return the standard rules with this value of the option about several rons."""
    options = {"win.multiple_ron": multiple, "draw.sanchahou": multiple.endswith("triple_draw")}
    return Ruleset().with_changes(options | changes)


@pytest.mark.parametrize(
    ("multiple", "winners", "standing"),
    [
        ("head_bump", ("north", "south"), ("south",)),
        ("head_bump", ("north", "west", "south"), ("south",)),
        ("all", ("west", "south"), ("south", "west")),
        ("all", ("west", "south", "north"), ("south", "west", "north")),
        ("double_triple_draw", ("north", "west"), ("west", "north")),
        ("double_triple_draw", ("north", "west", "south"), ()),
        ("nearest_two", ("north", "west", "south"), ("south", "west")),
        ("head_bump_triple_draw", ("north", "west"), ("west",)),
        ("head_bump_triple_draw", ("north", "west", "south"), ()),
    ],
)
def test_rons_that_stand(multiple: str, winners: tuple[str, ...], standing: tuple[str, ...]) -> None:
    result = score_rons(rons(*winners), rules(multiple))
    assert tuple(score.win.seat for score in result.scores) == standing
    assert result.is_draw == (standing == ())


@pytest.mark.parametrize(
    ("changes", "payments"),
    [
        ({}, {"east": -2600, "south": 4600, "west": 1000, "north": 0}),
        ({"win.honba_to": "each"}, {"east": -3200, "south": 4600, "west": 1600, "north": 0}),
        ({"win.deposits_to": "split"}, {"east": -2600, "south": 3600, "west": 2000, "north": 0}),
    ],
)
def test_payments_of_several_winners(changes: dict[str, Any], payments: dict[str, int]) -> None:
    result = score_rons(rons("west", "south"), rules("all", **changes))
    assert result.payments == payments
    assert sum(result.payments.values()) == 3000


@pytest.mark.parametrize(
    ("riichi", "deposits"),
    [((), (3, 0)), (("south",), (3, 0)), (("west",), (2, 1)), (("south", "west"), (2, 1))],
)
def test_winners_get_their_own_sticks_back_before_the_nearest_gets_the_rest(
    riichi: tuple[str, ...], deposits: tuple[int, int]
) -> None:
    """EMA Riichi Rules 2025, 3.3.10 and 3.4.3."""
    wins = [rons(name, riichi="riichi" if name in riichi else None)[0] for name in ("south", "west")]
    result = score_rons(wins, rules("all", **{"win.deposits_to": "own_first"}))
    assert tuple(score.win.deposits for score in result.scores) == deposits


@pytest.mark.parametrize(
    "wins",
    [
        [],
        rons("south", "south"),
        [*rons("south"), Win.parse(HAND, seat="west", source="left")],
        [*rons("south"), Win.parse("234m567p34567s99p 5s", seat="west", source="across")],
        [Win.parse(HAND, tsumo=True)],
    ],
)
def test_impossible_combinations_of_rons_are_refused(wins: list[Win]) -> None:
    with pytest.raises(RequestError, match="ron"):
        score_rons(wins)


@pytest.mark.parametrize(
    ("seat", "changes", "payments"),
    [
        ("east", {}, [12000, -4000, -4000, -4000]),
        ("west", {}, [-4000, -2000, 8000, -2000]),
        ("west", {"draw.nagashi_mangan": "as_win"}, [-4200, -2200, 9600, -2200]),
        ("south", {"yaku.nagashi_mangan.closed": "yakuman"}, [-16000, 32000, -8000, -8000]),
    ],
)
def test_nagashi(seat: Wind, changes: dict[str, Any], payments: list[int]) -> None:
    ruleset = Ruleset().with_changes(changes)
    assert list(score_nagashi(seat, ruleset, honba=2, deposits=1).values()) == payments


@pytest.mark.parametrize(
    ("changes", "closed"),
    [({"draw.nagashi_mangan": "off"}, True), ({"draw.nagashi_needs_closed": True}, False)],
)
def test_nagashi_excluded_by_the_rules_is_refused(changes: dict[str, Any], closed: bool) -> None:
    with pytest.raises(HandError):
        score_nagashi("south", Ruleset().with_changes(changes), closed=closed)
