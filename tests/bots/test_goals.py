"""The yaku that a bot plans for: the tiles that a hand still misses of each."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from jantaku.bots import goals
from jantaku.bots.goals import GOAL_YAKU, GOALS, NEVER, write_goals
from jantaku.bots.plan import Plan
from jantaku.hand import Meld
from jantaku.kernels import bits
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.masks import ORPHANS
from jantaku.kernels.rules import CLOSED, OPEN, rules_record
from jantaku.rules import Ruleset, load
from jantaku.tiles import counts, parse_tiles
from support.scoring import answer, full

DATA: Final = Path(__file__).parents[1] / "data"
NAMES: Final = {
    getattr(goals, name): name
    for name in (
        "HONITSU", "CHINITSU", "TOITOI", "CHIITOITSU", "SANSHOKU", "ITTSUU", "CHANTA", "IIPEIKOU",
        "TRIPLE_TRIPLETS", "DRAGONS", "TANYAO", "PINFU",
    )
}  # fmt: skip


def plan_of(hand: list[int], melds: list[Meld]) -> Plan:
    """What ``bots.plan`` would say of the hand, except what depends on the seat and on dora."""
    runs = [meld for meld in melds if meld.type == "chi"]
    others = [meld for meld in melds if meld.type != "chi"]
    inner = [meld for meld in melds if not any(ORPHANS >> tile % 34 & 1 for tile in meld.tiles)]
    return Plan(
        side=OPEN if any(meld.is_open for meld in melds) else CLOSED,
        melds=len(melds),
        runs=sum(1 << first for first in {meld.first for meld in runs}),
        triplets=sum(1 << meld.first for meld in others),
        suits=sum(1 << suit for suit in {meld.first // 9 for meld in melds}),
        inner=len(inner),
        yakuhai=0,
        yakuhai_pairs=0,
        pairs=sum(count >= 2 for count in hand),
        bonus=0,
    )


def missing(hand: list[int], melds: list[Meld], rules: Ruleset, gone: str = "") -> dict[str, int]:
    """The tiles missing of each goal; ``gone`` are tiles that others have shown."""
    held = counts([*(tile for meld in melds for tile in meld.tiles), *parse_tiles(gone)])
    seen = np.array(hand, np.uint8) + np.array(held, np.uint8)
    out = np.zeros(GOALS, np.int64)
    write_goals(np.array(hand, np.uint8), seen, plan_of(hand, melds), rules_record(rules)[0], out)
    return {NAMES[goal]: int(out[goal]) for goal in range(GOALS)}


@pytest.mark.parametrize(
    ("hand", "melds", "gone", "goal", "wanted"),
    [
        ("1234567m1122z 5p8s", "", "", "HONITSU", 2),
        ("1234567m1122z 5p8s", "", "", "CHINITSU", 6),
        ("123456m11z", "chi 789m", "", "HONITSU", 0),
        ("123456m11z", "chi 789p", "", "HONITSU", 8 - 2),
        ("123456m11z", "chi 789p, pon 333s", "", "HONITSU", NEVER),
        ("123m12p789s 5p46m11z", "", "", "SANSHOKU", 4),
        ("123m12p123s 5p46m11z", "", "", "SANSHOKU", 1),
        ("123m12p123s 5p46m11z", "", "3333p", "SANSHOKU", 6),
        ("12p123s 55p", "chi 123m, pon 222z", "", "SANSHOKU", 1),
        ("12p123s", "pon 111m, pon 222z", "", "SANSHOKU", NEVER),
        ("123457m 78m 456p 11z", "", "", "ITTSUU", 2),
        ("4567m 11p", "chi 123m, chi 789m", "", "ITTSUU", 0),
        ("111222m 33p 44s 55z 7z", "", "", "TOITOI", 2),
        ("111222m 33p 5s", "chi 345p", "", "TOITOI", NEVER),
        ("1122m 3344p 55s 66z 7z", "", "", "CHIITOITSU", 1),
        ("1122m 3344p 55s", "ankan 7777z", "", "CHIITOITSU", NEVER),
        ("123m 789p 99s 111z 12s", "", "", "CHANTA", 0),
        ("123m 789p 99s 456s 5s", "", "", "CHANTA", 4),
        ("123m 789p 99s", "chi 456s", "", "CHANTA", NEVER),
        ("22334m 456p 789s 11z", "", "", "IIPEIKOU", 1),
        ("22334m 456p 789s 11z", "", "444m", "IIPEIKOU", 2),
        ("22334m 456p 11z", "chi 789s", "", "IIPEIKOU", NEVER),
        ("22m 222p 22s 456m 11z 9s", "", "", "TRIPLE_TRIPLETS", 2),
        ("555z 66z 7z 123456m 9p", "", "", "DRAGONS", 2),
        ("123m 456p 789s 1134z", "", "", "TANYAO", 3 + 2 + 2 - 1),
        ("234m 456p 678s 2256p", "", "", "PINFU", 1),
        ("234m 456p 67s 2256p 9s", "", "", "PINFU", 2),
        ("234m 456p 678s 5p", "chi 234m", "", "PINFU", NEVER),
    ],
)
def test_tiles_missing(hand: str, melds: str, gone: str, goal: str, wanted: int) -> None:
    called = [Meld.parse(kind, tiles) for kind, tiles in (one.split() for one in melds.split(", ") if one)]
    assert missing(counts(parse_tiles(hand)), called, load("tenhou"), gone)[goal] == wanted


def test_a_yaku_that_does_not_count_is_no_goal() -> None:
    hand = counts(parse_tiles("123m123p123s 55p 67m"))
    closed = load("tenhou").with_changes({"yaku.sanshoku_doujun.closed": 0})
    assert (missing(hand, [], load("tenhou"))["SANSHOKU"], missing(hand, [], closed)["SANSHOKU"]) == (
        0,
        NEVER,
    )


def wins() -> Iterator[tuple[Ruleset, dict[str, Any], dict[str, int]]]:
    """Wins of bots and at random: the rules, the request and the yaku with their han."""
    for name in ("bot-wins.jsonl", "random-wins.jsonl"):
        lines = (DATA / name).read_text("utf-8").splitlines()
        for line in lines if COMPILED else lines[::10]:
            request = json.loads(line)["request"]
            rules = load(request["rules"])
            yield rules, request, answer(full(request), rules).get("yaku", {})


@pytest.mark.slow
def test_no_win_with_a_yaku_misses_a_tile_of_it() -> None:
    yaku = {name.lower(): getattr(bits, name) for name in dir(bits) if name.isupper()}
    found = dict.fromkeys(range(GOALS), 0)
    for rules, request, made in wins():
        melds = [
            Meld.parse(meld["type"], meld["tiles"], meld.get("called"), meld.get("from"))
            for meld in request.get("melds", ())
        ]
        lacks = missing(counts(parse_tiles(request["hand"] + request["win"])), melds, rules)
        for goal in range(GOALS):
            if any(han and yaku.get(name) == GOAL_YAKU[goal] for name, han in made.items()):
                found[goal] += 1
                assert lacks[NAMES[goal]] == 0, (NAMES[goal], request)
    assert all(found.values()) or not COMPILED, found
