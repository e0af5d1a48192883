"""The compiled scorer agrees with the oracle (``naive``) on random wins, and with itself under symmetries."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

import jantaku
from conftest import scale
from jantaku.errors import RequestError
from jantaku.rules import Ruleset
from jantaku.tiles import format_tiles, next_kind, parse_tiles
from naive.adjudicate import answers
from naive.generate import random_wins, table_of
from support.presets import FOUR, THREE
from support.random_rules import random_rules
from support.scoring import SEATS, agrees, answer, full, summary

PRESETS = [*FOUR, *THREE]
HANDS_A_PRESET = 300
HANDS_A_RULESET = 30


def rules_of(seed: int, presets: Sequence[str] = FOUR) -> Ruleset:
    """Return rules with many options changed, but none that would prevent wins with kans or norths."""
    unchanged = ("riichi.ankan", "kita.rinshan")
    return random_rules(Random(seed), presets, shares=(0.1, 0.4), own=0, kept=unchanged)


def wins(rules: Ruleset, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Return random requests that the ruleset accepts."""
    reds, table = rules.tiles.red, table_of(rules)
    return random_wins(seed, count, reds, open_riichi=rules.riichi.open, table=table)


def differences(rules: Ruleset, seed: int, count: int) -> list[Any]:
    """Return the first three random wins on which scorer and oracle differ, with both answers."""
    wrong = (
        (request, mine, answers(request, rules))
        for request in wins(rules, seed, count)
        if not agrees(mine := answer(request, rules), request, rules)
    )
    return list(islice(wrong, 3))


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    seed = 1 + PRESETS.index(name)
    assert differences(jantaku.load(name), seed, scale(HANDS_A_PRESET)) == []


@pytest.mark.parametrize("seed", range(60))
def test_random_rulesets(seed: int) -> None:
    assert differences(rules_of(seed), seed, scale(HANDS_A_RULESET)) == []


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.slow
def test_random_rulesets_of_three(seed: int) -> None:
    assert differences(rules_of(seed, THREE), seed, scale(HANDS_A_RULESET)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", PRESETS)
def test_presets_on_many_hands(name: str, seed: int) -> None:
    assert differences(jantaku.load(name), 1000 + 100 * seed + PRESETS.index(name), 1000) == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 1440, 10))
def test_many_random_rulesets(first: int) -> None:
    for seed in range(first, first + 10):
        assert differences(rules_of(seed), seed, 200) == []


# Cases on which scorer and oracle once disagreed: option changes, request and correct result
SETTLED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "ninth win (inventory 385)": (
        {"deal.paarenchan": "every_eighth", "yaku.paarenchan.closed": "yakuman"},
        {"hand": "234m56p345678s99p", "win": "7p", "seat": "east", "dealer_streak": 9},
        "1 han 30 fu 1500 pinfu=1 | 1500 0 -1500 0",
    ),
    "a true yakuman overrides a counted one": (
        {"yaku.shousharin.closed": "yakuman"},
        {"hand": "3344556677889s", "win": "9s", "riichi": "riichi", "ippatsu": True, "dora": "2s"},
        "1 yakuman 32000 shousharin=13 | 0 32000 0 -32000",
    ),
    "a yakuman overrides yaku fixed in advance (inventory 92)": (
        {"calls.sakizuke": "kanzen"},
        {"hand": "456p11s55566677z", "win": "7z"},
        "1 yakuman 32000 daisangen=13 | 0 32000 0 -32000",
    ),
    "iipeikou fixed in advance, won as ryanpeikou (inventory 92, 338)": (
        {"calls.sakizuke": "kanzen"},
        {"hand": "223344m44556s33z", "win": "6s"},
        "4 han 30 fu 7700 pinfu=1 ryanpeikou=3 | 0 7700 0 -7700",
    ),
    "a yaku worth a limit still has fu (inventory 270)": (
        {"score.one_han_20_fu": False, "yaku.chiihou.closed": "mangan"},
        {"hand": "23455m45p677889s", "win": "6p", "by": "tsumo", "first_turn": True},
        "5 han 20 fu mangan 8000 chiihou=5 | -4000 8000 -2000 -2000",
    ),
    "kokushi worth han has 30 fu": (
        {"yaku.kokushi_musou.closed": 2, "yaku.kokushi_juusanmen.closed": False},
        {"hand": "19m19p19s1234567z", "win": "1m", "riichi": "riichi"},
        "3 han 30 fu 3900 riichi=1 kokushi_musou=2 | 0 3900 0 -3900",
    ),
    "a limit yaku excluded from the minimum does not win alone": (
        {"yaku.chinitsu.open": "baiman", "yaku.chinitsu.minimum": False},
        {"melds": [{"type": "chi", "tiles": "123m"}], "hand": "2234055789m", "win": "5m"},
        "no_yaku",
    ),
    "a limit yaku excluded from the minimum counts with another yaku": (
        {"yaku.chanta.open": "mangan", "yaku.chanta.minimum": False},
        {"melds": [{"type": "chi", "tiles": "789m"}], "hand": "999m99p111s22z", "win": "2z",
         "seat": "west", "round": "south"},
        "5 han 40 fu mangan 8000 chanta=5 | -8000 0 8000 0",
    ),
    "a yaku below the minimum and no yaku are different errors": (
        {"yaku.pinfu.closed": 0, "win.two_han_from_honba": 1, "score.zero_han_win": "counted"},
        {"hand": "23445p12345688s", "win": "3p", "dora": "4p", "honba": 5},
        "two_han_minimum",
    ),
    "values reported under one id are added": (
        {"riichi.open": True, "riichi.open_deal_in": "yakuman",
         "yaku.open_riichi_deal_in.closed": 3},
        {"hand": "23555789m66p222s", "win": "4m", "riichi": "open"},
        "5 han 40 fu mangan 8000 open_riichi=5 | 0 8000 0 -8000",
    ),
    "iipeikou of an open hand": (
        {"yaku.iipeikou.open": 1},
        {"melds": [{"type": "pon", "tiles": "888p"}], "hand": "22334m99p567s", "win": "4m"},
        "1 han 30 fu 1000 iipeikou=1 | 0 1000 0 -1000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SETTLED)
def test_settled(case: str) -> None:
    changes, request, expected = SETTLED[case]
    rules = jantaku.load("standard").with_changes(changes)
    reply = answer(full(request), rules)
    assert summary(reply) == expected
    assert agrees(reply, full(request), rules)


Change = Callable[[int], int]
INDICATOR = {next_kind(kind): kind for kind in range(34)}


def moved(request: dict[str, Any], change: Change) -> dict[str, Any]:
    """Return the request with every kind replaced; the indicators point to the replaced dora."""

    def tiles(text: str) -> str:
        return format_tiles([change(tile % 34) + tile // 34 * 34 for tile in parse_tiles(text)])

    def indicators(text: str) -> str:
        dora = [change(next_kind(tile)) for tile in parse_tiles(text)]
        return " ".join(format_tiles([INDICATOR[kind]]) for kind in dora)  # type: ignore[index]

    melds = [
        meld | {name: tiles(meld[name]) for name in ("tiles", "called") if name in meld}
        for meld in request["melds"]
    ]
    wanted = {"hand": tiles(request["hand"]), "win": tiles(request["win"]), "melds": melds}
    return request | wanted | {name: indicators(request[name]) for name in ("dora", "ura")}


def next_suit(kind: int) -> int:
    return kind if kind >= 27 else (kind + 9) % 27


def reversed_rank(kind: int) -> int:
    return kind if kind >= 27 else kind - kind % 9 + 8 - kind % 9


def value(reply: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the fields that depend on ranks and suits."""
    return {name: part for name, part in reply.items() if name not in ("yaku", "fu_items")}


SYMMETRIES: list[tuple[Change, str, str]] = [
    (next_suit, "standard", "standard"),
    (next_suit, "bgm-2025", "bgm-2025"),
    (reversed_rank, "standard", "standard"),
    (reversed_rank, "bgm-2025", "bgm-2025-red7"),  # red sevens are red threes reversed
]


@pytest.mark.parametrize(("change", "before", "after"), SYMMETRIES)
def test_suits_and_ranks_are_symmetric(change: Change, before: str, after: str) -> None:
    """Ryuuiisou, which depends on particular tiles, is the exception."""
    for request in wins(jantaku.load(before), 77, scale(600)):
        mine = answer(request, jantaku.load(before))
        try:
            other = answer(moved(request, change), jantaku.load(after))
        except RequestError as error:  # all four copies of the new indicator may be in the hand
            if error.code == "fifth_indicator":
                continue
            raise
        if other.get("error", {}).get("code") == "plain_not_in_rules":
            continue  # all plain tiles of the new indicator's kind may be in the hand
        if "ryuuiisou" not in {*mine.get("yaku", ()), *other.get("yaku", ())}:
            assert value(mine) == value(other), request


@pytest.mark.parametrize("name", ["standard", "bgm-2025", "tenhou", "mahjongsoul"])
def test_honba_and_deposits_only_change_payments(name: str) -> None:
    rules = jantaku.load(name)
    for request in wins(rules, 78, scale(300)):
        mine = answer(request, rules)
        more = {"honba": request["honba"] + 1, "deposits": request["deposits"] + 2}
        other = answer(request | more, rules)
        if "error" in mine:
            assert other == mine
            continue
        assert value(mine) | {"payments": {}} == value(other) | {"payments": {}}
        gained = {seat: other["payments"][seat] - mine["payments"][seat] for seat in SEATS}
        assert gained[request["seat"]] == 300 + 2 * rules.riichi.deposit
        assert sum(other["payments"].values()) == more["deposits"] * rules.riichi.deposit
