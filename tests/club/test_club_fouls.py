"""Fouls in recorded hands: what they cost under every option and under the rules of published sources."""

from typing import Any

import pytest

from jantaku.club import settle
from jantaku.errors import RequestError
from jantaku.kernels.rules import FOULS
from support.fouls import DRAW, INVENTORY, fouled, paid
from support.table import ruleset

RON = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}

CHOMBO = (4000, 2000, -8000, 2000)  # mangan paid by a child


def with_foul(foul: str, hand: dict[str, Any]) -> dict[str, Any]:
    return hand | {"fouls": [{"seat": 2, "foul": foul}]}


@pytest.mark.parametrize("foul", FOULS)
def test_every_foul_costs_what_the_rules_say(foul: str) -> None:
    for cost, deltas, deposits in (
        ("none", (-1500, -1500, 1500, 1500), 0),
        ("dead_hand", (-1000, -1000, -1000, 3000), 0),
        ("noten_at_draw", (-1000, -1000, -1000, 3000), 0),
        ("deposit_1000", (-1500, -1500, 500, 1500), 1),
    ):
        game = settle([with_foul(foul, DRAW)], ruleset({f"fouls.{foul}": cost}))
        assert (game.hands[0].deltas, game.deposits, game.number) == (deltas, deposits, 1)
        with pytest.raises(RequestError, match=r"hands\[0\]\.fouls"):
            settle([with_foul(foul, {"end": "foul"})], ruleset({f"fouls.{foul}": cost}))
    for cost in ("chombo", "expulsion"):
        rules = ruleset({f"fouls.{foul}": cost})
        game = settle([with_foul(foul, {"end": "foul", "riichi": [0, 2]})], rules)
        assert (game.hands[0].deltas, game.deposits, game.number, game.honba) == (CHOMBO, 0, 0, 0)
        with pytest.raises(RequestError, match=r"hands\[0\]\.end"):
            settle([with_foul(foul, DRAW)], rules)


@pytest.mark.parametrize(
    ("way", "points", "deltas"),
    [
        ("mangan", 3000, (-12000, 4000, 4000, 4000)),
        ("flat", 3000, (-3000, 1000, 1000, 1000)),
        ("to_each", 3000, (-9000, 3000, 3000, 3000)),
        ("deduct", 3000, (0, 0, 0, 0)),
    ],
)
def test_the_dealer_pays_chombo(way: str, points: int, deltas: tuple[int, ...]) -> None:
    rules = ruleset({"fouls.chombo": way, "fouls.chombo_points": points})
    fouls = [{"seat": 0, "foul": "looking_at_hand"}]
    game = settle([{"end": "draw", "tenpai": [0]}, {"end": "foul", "fouls": fouls}], rules)
    assert (game.hands[1].deltas, game.number, game.honba) == (deltas, 0, 1)


def test_two_offenders_each_pay() -> None:
    fouls = [{"seat": 1, "foul": "noten_riichi"}, {"seat": 2, "foul": "noten_riichi"}]
    game = settle([{"end": "foul", "riichi": [1, 2], "fouls": fouls}])
    assert game.hands[0].deltas == (8000, -6000, -6000, 4000)


def test_the_last_hand_is_replayed_after_chombo() -> None:
    rules = ruleset({"match.length": "east", "end.tobi": "off"})
    foul = {"end": "foul", "fouls": [{"seat": 1, "foul": "collapsing_wall"}]}
    through = [{"end": "draw"}] * 3
    game = settle([*through, foul], rules)
    assert (game.over, game.number, game.honba) == (False, 3, 3)
    assert settle([*through, foul, {"end": "draw"}], rules).over


def test_a_slip_is_collected_like_a_riichi_stick() -> None:
    slip = {"fouls": [{"seat": 2, "foul": "call_slip"}]}
    won = settle([RON | slip])
    assert won.hands[0].deltas == (2500, -1500, -1000, 0)
    drawn = settle([{"end": "draw", **slip}, RON])
    assert drawn.hands[0].deltas == (0, 0, -1000, 0)
    assert drawn.hands[1].deltas == (2300, -1300, 0, 0)
    both = [{"seat": 2, "foul": "call_slip"}, {"seat": 3, "foul": "furiten_ron"}]
    void = settle([{"end": "foul", "riichi": [0], "fouls": both}])
    assert (void.hands[0].deltas, void.deposits) == ((4000, 2000, 2000, -8000), 0)
    assert settle([RON | slip], ruleset({"riichi.deposit": 200})).hands[0].deltas == won.hands[0].deltas


def test_a_false_win_is_not_charged_if_another_ron_is_valid() -> None:
    """Item 186 of the rules inventory."""
    for foul in ("furiten_ron", "false_win_shown"):
        game = settle([with_foul(foul, RON)], "bgm-2025")
        assert game.hands[0].deltas == (1500, -1500, 0, 0)
    with pytest.raises(RequestError) as error:
        settle([with_foul("looking_at_hand", RON)], "bgm-2025")
    assert error.value.code == "foul_ends_hand"


def test_noten_riichi_stays_hidden_if_another_player_wins() -> None:
    """Items 135 and 189 of the rules inventory."""
    hand = with_foul("noten_riichi", RON | {"riichi": [2]})
    assert settle([hand]).hands[0].deltas == (2500, -1500, -1000, 0)


@pytest.mark.parametrize(("noten", "deltas"), [("chombo", CHOMBO), ("none", None)])
def test_noten_at_four_riichi(noten: str, deltas: tuple[int, ...] | None) -> None:
    """Item 187 of the rules inventory."""
    rules = ruleset({"draw.suucha_riichi_noten": noten})
    everybody = {"riichi": [0, 1, 2, 3]}
    chombo = with_foul("noten_riichi", {"end": "foul", **everybody})
    draw = with_foul("noten_riichi", {"end": "abort", "kind": "suucha_riichi", **everybody})
    wrong, right = (draw, chombo) if deltas else (chombo, draw)
    with pytest.raises(RequestError):
        settle([wrong], rules)
    assert settle([right], rules).hands[0].deltas == (deltas or (-1000, -1000, -1000, -1000))


@pytest.mark.parametrize("preset", list(INVENTORY))
def test_fouls_of_the_sources(preset: str) -> None:
    for foul, cost in INVENTORY[preset].items():
        deltas = settle([fouled(foul, cost)], preset).hands[0].deltas
        assert deltas == paid(preset, cost), foul
