"""The yaku that a bot plans for: the number of missing tiles of each, derived from its condition."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from jantaku import Game
from jantaku.bots.chance import new_source
from jantaku.bots.discard_features import PROSPECT
from jantaku.bots.distance import FAR
from jantaku.bots.plan import Plan
from jantaku.bots.plan_tables import tables_of
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STANDARD
from jantaku.bots.prospects import LEAST, find_plans
from jantaku.bots.sketches import targets_of
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game.engine import context
from jantaku.hand import Meld
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.rules import CLOSED, OPEN, rules_record
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.gallery import gallery
from jantaku.rules.own.written import written
from jantaku.tiles import counts, parse_tiles
from support.own_conditions import all_yakuman
from support.scoring import SEATS, answer, full

DATA: Final = Path(__file__).parents[1] / "data"
NEVER: Final = FAR  # at least this many tiles are missing
LUCK: Final = {
    "renhou", "tenhou", "chiihou", "paarenchan", "shiisan_puutaa", "riichi", "double_riichi", "open_riichi",
    "double_open_riichi", "open_riichi_deal_in", "ippatsu", "menzen_tsumo", "haitei", "houtei",
    "rinshan_kaihou", "chankan", "tsubame_gaeshi",
}  # fmt: skip
"""Yaku that depend on the circumstances of the win instead of its tiles."""
FORMS: Final = {"suuankou_tanki", "kokushi_juusanmen", "shousharin", "daisharin", "junsei_chuuren"}
"""Yaku that are reported under another name or occur in no stored win."""


def facts_of(melds: list[Meld]) -> Plan:
    """Return the facts that ``bots.plan`` derives from melds, without those about seat and dora."""
    others = [meld for meld in melds if meld.type != "chi"]
    kans = [meld for meld in others if len(meld.tiles) == 4]
    return Plan(
        side=OPEN if any(meld.is_open for meld in melds) else CLOSED,
        melds=len(melds),
        runs=sum(1 << first for first in {meld.first for meld in melds if meld.type == "chi"}),
        triplets=sum(1 << meld.first for meld in others),
        kans=sum(1 << meld.first for meld in kans),
        ankans=sum(1 << meld.first for meld in kans if not meld.is_open),
        yakuhai=0,
        yakuhai_pairs=0,
        pairs=0,
        bonus=0,
    )


def missing(
    hand: list[int], melds: list[Meld], rules: Ruleset, gone: str = "", winds: tuple[int, int] = (1, 0)
) -> dict[str, int]:
    """Return the number of missing tiles of each plan.

    ``gone`` are tiles visible elsewhere, ``winds`` the seat wind and the round wind.
    """
    held = counts([*(tile for meld in melds for tile in meld.tiles), *parse_tiles(gone)])
    work = new_bot_workspace(new_source(0), rules)
    view = work.views[0]
    view.seats, view.number = 4, 4 * winds[1]
    view.dealer, view.live_left = -winds[0] % 4, 60
    view.seen[:] = np.array(hand, np.uint8) + np.array(held, np.uint8)
    work.trial[:] = hand
    find_plans(work.trial, view, facts_of(melds), 3, rules_record(rules)[0], work)
    assert work.trial.tolist() == hand
    return dict(zip(tables_of(rules).names, np.minimum(work.reach[:, LEAST], NEVER).tolist(), strict=True))


@pytest.mark.parametrize(
    ("hand", "melds", "gone", "yaku", "wanted"),
    [
        ("1234567m1122z 5p8s", "", "", "honitsu", 2),
        ("1234567m1122z 5p8s", "", "", "chinitsu", 6),
        ("123456m11z", "chi 789m", "", "honitsu", 0),
        ("123456m11z", "chi 789p", "", "honitsu", NEVER),
        ("123456m11z", "chi 789p, pon 333s", "", "honitsu", NEVER),
        ("123m12p789s 5p46m11z", "", "", "sanshoku_doujun", 4),
        ("123m12p123s 5p46m11z", "", "", "sanshoku_doujun", 1),
        ("123m12p123s 5p46m11z", "", "3333p", "sanshoku_doujun", 6),
        ("12p123s 55p", "chi 123m, pon 222z", "", "sanshoku_doujun", 1),
        ("12p123s", "pon 111m, pon 222z", "", "sanshoku_doujun", NEVER),
        ("123457m 78m 456p 11z", "", "", "ittsuu", 2),
        ("4567m 11p", "chi 123m, chi 789m", "", "ittsuu", 0),
        ("111222m 33p 44s 55z 7z", "", "", "toitoi", 2),
        ("111222m 33p 5s", "chi 345p", "", "toitoi", NEVER),
        ("1122m 3344p 55s 66z 7z", "", "", "chiitoitsu", 1),
        ("1122m 3344p 55s", "ankan 7777z", "", "chiitoitsu", NEVER),
        ("123m 789p 99s 111z 12s", "", "", "chanta", 0),
        ("123m 789p 99s 456s 5s", "", "", "chanta", 4),
        ("123m 789p 99s", "chi 456s", "", "chanta", NEVER),
        ("22334m 456p 789s 11z", "", "", "iipeikou", 1),
        ("22334m 456p 789s 11z", "", "444m", "iipeikou", 2),
        ("22334m 456p 11z", "chi 789s", "", "iipeikou", NEVER),
        ("22m 222p 22s 456m 11z 9s", "", "", "sanshoku_doukou", 2),
        ("555z 66z 7z 123456m 9p", "", "", "shousangen", 2),
        ("123m 456p 789s 1134z", "", "", "tanyao", NEVER),
        ("123m 456p 788s 1134z", "", "", "tanyao", 5),
        ("234m 456p 678s 2256p", "", "", "pinfu", 1),
        ("234m 456p 67s 2256p 9s", "", "", "pinfu", 2),
        ("234m 456p 678s 5p", "chi 234m", "", "pinfu", NEVER),
        ("222m 333p 44s 55z 123s", "", "", "sanankou", 1),
        ("222m 333p 44s 5z", "chi 123s", "", "sanankou", 1),
        ("222m 333p 44s 5z", "pon 777z", "", "sanankou", 1),
        ("222m 333p 4s", "pon 777z, pon 111z", "", "sanankou", NEVER),
        ("333p 44s 5z 12s", "ankan 2222m, pon 777z", "", "sanankou", 1),
        ("333p 4444s 555z 12s", "", "", "sankantsu", 2),
        ("333p 12s 55m", "ankan 4444s, pon 555z", "", "sankantsu", 2),
        ("333p 12s 5m", "ankan 4444s, pon 555z", "3p", "sankantsu", 1 + 3),
        ("11m 99p 111s 22z 333z 4z", "", "", "honroutou", 2),
        ("223344m 55667p 99s", "", "", "ryanpeikou", 1),
        ("222333444m 23m 99s 1z", "", "", "ryanpeikou", 1),
        ("222233334444m 99s", "", "", "ryanpeikou", 0),
        ("22233334444m 99s 1z", "", "2m", "ryanpeikou", 2),
        ("19m19p19s1234566z", "", "", "kokushi_musou", 1),
        ("1112345678m 9m 5p 1z", "", "", "chuuren_poutou", 2),
    ],
)
def test_tiles_missing(hand: str, melds: str, gone: str, yaku: str, wanted: int) -> None:
    called = [Meld.parse(kind, tiles) for kind, tiles in (part.split() for part in melds.split(", ") if part)]
    assert missing(counts(parse_tiles(hand)), called, load("tenhou"), gone)[yaku] == wanted


def prospects(worth: int | str | bool, yaku: str, seed: int) -> list[float]:
    """Return the prospect of each discard of the first hand when a yaku has the value ``worth``."""
    rules = load("tenhou").with_changes({f"yaku.{yaku}.closed": worth})
    game, work = Game(rules, seed=seed), new_bot_workspace(new_source(0), rules)
    DECISION.call(game.array, int(game.to_act[0]), STANDARD, rules_record(rules), context(), work)
    held = work.views[0].hand > 0
    return [round(float(value), 9) for value in work.features[held, PROSPECT]]


@pytest.mark.parametrize("yaku", ["chiitoitsu", "sanankou", "honitsu", "tanyao", "pinfu", "chanta", "toitoi"])
def test_a_more_valuable_yaku_is_never_pursued_less(yaku: str) -> None:
    moved = 0
    for seed in range(12):
        rows = [prospects(worth, yaku, seed) for worth in (False, 0, 1, 2, 4, 8, "yakuman", "double_yakuman")]
        for lower, higher in pairwise(rows):
            assert all(low <= high for low, high in zip(lower, higher, strict=True)), (yaku, seed)
        moved += rows[0] != rows[-1]
    assert moved > 0


def test_every_yaku_that_depends_on_tiles_has_a_plan() -> None:
    assert {name for name, when in written().items() if not targets_of(when)} == LUCK
    assert not {name for name in catalogue() if name not in written()} - {"nagashi_mangan"}


def test_a_disabled_yaku_has_no_plan() -> None:
    rules = load("tenhou")
    assert len(tables_of(rules.with_changes({"yaku.sanrenkou": {"closed": 8, "open": 8}})).plans) == 1 + len(
        tables_of(rules).plans
    )


def wins() -> Iterator[dict[str, Any]]:
    """Yield stored wins of bots, random wins, and the examples of the catalogue."""
    for name in ("bot-wins.jsonl", "random-wins.jsonl", "wins.jsonl"):
        lines = (DATA / name).read_text("utf-8").splitlines()
        yield from (json.loads(line)["request"] for line in (lines if COMPILED else lines[::20]))
    yield from ({"by": "ron", **entry.example} for entry in catalogue().values() if entry.example)


def lacking(request: Mapping[str, Any], rules: Ruleset) -> dict[str, int]:
    """Return the number of missing tiles of each plan for a winning hand."""
    given = full(request)
    melds = [
        Meld.parse(meld["type"], meld["tiles"], meld.get("called"), meld.get("from"))
        for meld in given["melds"]
    ]
    winds = (SEATS.index(given["seat"]), SEATS.index(given["round"]))
    return missing(counts(parse_tiles(given["hand"] + given["win"])), melds, rules, "", winds)


@pytest.mark.slow
def test_no_win_with_a_yaku_misses_a_tile_of_it() -> None:
    rules = load("standard").with_changes(all_yakuman())
    names: set[str] = set()
    for request in wins():
        lacks = lacking(request, rules)
        for name in answer(full({**request, "rules": "standard"}), rules).get("yaku", {}):
            if name == "uumensai" and lacks["kokushi_musou"] == 0:
                continue  # kokushi has no sets to divide into five groups
            assert lacks.get(name, 0) == 0, (name, request)
            names.add(name)
    assert not COMPILED or names >= set(written()) - LUCK - FORMS, set(written()) - LUCK - names


def gallery_yaku() -> list[str]:
    return [name for name, part in gallery().items() if part.kind == "yaku"]


@pytest.mark.parametrize("name", gallery_yaku())
def test_a_custom_yaku_has_a_plan_that_its_example_completes(name: str) -> None:
    part = gallery()[name]
    rules = load("standard").with_changes(part.changes)
    if targets_of(rules.own_yaku[0].condition):
        assert lacking({"by": "ron", **part.example}, rules)[name] == 0
