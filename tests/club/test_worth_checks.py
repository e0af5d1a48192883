"""Impossible hand values: ``settle`` accepts exactly the values in the table offered to recorders."""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from jantaku.club import settle
from jantaku.club.possible_worths import possible_worths
from jantaku.errors import RequestError
from jantaku.rules import Ruleset, catalogue, load, preset_names

DATA: Final = Path(__file__).parents[1] / "data"
SEATS: Final = ("east", "south", "west", "north")
OWN = """
extends = "tenhou"
[yaku.red]
closed = 3
open = false
when = 'count("5m") >= 1'
"""


@cache
def ruleset(name: str) -> Ruleset:
    if name == "own":
        return load(tomllib.loads(OWN))
    if name == "no open tanyao":
        return load("tenhou").with_changes({"yaku.tanyao.open": False})
    return load(name)


def code_of(rules: str, end: str, riichi: tuple[int, ...] = (), seat: int = 1, **win: Any) -> str | None:
    """Return the error code for a win, or ``None`` if it is accepted; seat 0 is the dealer."""
    hand = {"end": end, "riichi": list(riichi), "wins": [{"seat": seat, **win}]}
    try:
        settle([hand | ({"from": 2} if end == "ron" else {})], ruleset(rules))
    except RequestError as error:
        return error.code
    return None


@pytest.mark.parametrize("name", ["tenhou", "standard", "bgm-2025", "wrc", "mahjongsoul-3", "korea-3"])
def test_settle_accepts_exactly_the_values_of_the_table(name: str) -> None:
    rules = load(name)
    rows = {tuple(worth.items()): by for worth, *by in possible_worths(rules)}
    for fu in (20, 25, *range(30, 150, 10)):
        for han in range(5):
            accepted = [code_of(name, end, han=han, fu=fu) is None for end in ("ron", "tsumo")]
            wanted = rows.get((("han", han), ("fu", fu)))
            if wanted is not None:
                assert accepted == wanted, (han, fu)
    for worth, by in rows.items():
        assert [code_of(name, end, **dict[str, Any](worth)) is None for end in ("ron", "tsumo")] == by


IMPOSSIBLE: list[tuple[str, str, dict[str, Any], str]] = [
    ("tenhou", "ron", {"han": 1, "fu": 25}, "too_few_han"),
    ("tenhou", "ron", {"han": 2, "fu": 20}, "fu_of_no_hand"),
    ("tenhou", "tsumo", {"han": 2, "fu": 25}, "too_few_han"),
    ("tenhou", "tsumo", {"han": 1, "fu": 20}, "too_few_han"),
    ("tenhou", "ron", {"han": 6, "fu": 20}, "fu_of_no_hand"),
    ("tenhou", "tsumo", {"han": 3, "fu": 190}, "fu_of_no_hand"),
    ("tenhou", "tsumo", {"yakuman": 20}, "too_many_yakuman"),
    ("tenhou", "tsumo", {"yakuman": 1, "yaku": ["tenhou"]}, "impossible_yaku"),
    ("tenhou", "tsumo", {"seat": 0, "yakuman": 1, "yaku": ["chiihou"]}, "impossible_yaku"),
    ("standard", "ron", {"seat": 0, "limit": "mangan", "yaku": ["renhou"]}, "impossible_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "yaku": ["menzen_tsumo"]}, "impossible_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "yaku": ["haitei"]}, "impossible_yaku"),
    ("tenhou", "tsumo", {"han": 1, "fu": 30, "yaku": ["houtei"]}, "impossible_yaku"),
    ("tenhou", "tsumo", {"han": 1, "fu": 30, "yaku": ["chankan"]}, "impossible_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "yaku": ["riichi"]}, "impossible_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "yaku": ["ippatsu"]}, "impossible_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "yaku": ["tanyao", "pinfu"]}, "yaku_above_worth"),
    ("ema", "ron", {"han": 3, "fu": 30, "open": True, "yaku": ["pinfu"]}, "yaku_not_counted"),
    ("tenhou", "ron", {"han": 3, "fu": 30, "open": True, "yaku": ["iipeikou", "tanyao"]}, "yaku_not_counted"),
    ("tenhou", "ron", {"yakuman": 1, "open": True, "yaku": ["suuankou"]}, "yaku_not_counted"),
    ("tenhou", "ron", {"yakuman": 1, "yaku": ["daisharin"]}, "yaku_not_counted"),
    ("tenhou", "ron", {"limit": "mangan", "yaku": ["renhou"]}, "yaku_not_counted"),
    ("no open tanyao", "ron", {"han": 1, "fu": 30, "open": True, "yaku": ["tanyao"]}, "yaku_not_counted"),
    ("own", "ron", {"han": 1, "fu": 25}, "too_few_han"),
    ("own", "tsumo", {"yakuman": 20}, "too_many_yakuman"),
    ("own", "ron", {"han": 4, "fu": 30, "open": True, "yaku": ["red"]}, "yaku_not_counted"),
    ("tenhou", "ron", {"limit": "mangan", "yaku": ["chinitsu", "tanyao"]}, "yaku_above_worth"),
    ("tenhou", "ron", {"limit": "sanbaiman", "yaku": ["daisangen"]}, "yaku_above_worth"),
    ("tenhou", "ron", {"han": 1, "fu": 40, "yaku": ["pinfu"]}, "fu_of_other_yaku"),
    ("standard", "tsumo", {"han": 2, "fu": 30, "yaku": ["pinfu", "menzen_tsumo"]}, "fu_of_other_yaku"),
    ("wrc", "ron", {"han": 2, "fu": 30, "yaku": ["chiitoitsu"]}, "fu_of_other_yaku"),
    ("mahjongsoul-3", "ron", {"han": 2, "fu": 25, "yaku": ["toitoi"]}, "fu_of_other_yaku"),
    ("tenhou", "ron", {"han": 1, "fu": 30, "riichi": (1,), "yaku": ["riichi"]}, "too_few_han"),
    ("tenhou", "tsumo", {"han": 2, "fu": 20, "riichi": (1,), "yaku": ["riichi"]}, "too_few_han"),
    ("tenhou", "ron", {"han": 3, "fu": 30, "yaku": ["pinfu", "toitoi"]}, "yaku_never_together"),
    ("tenhou", "ron", {"han": 3, "fu": 25, "yaku": ["pinfu", "chiitoitsu"]}, "yaku_never_together"),
    ("tenhou", "ron", {"han": 2, "fu": 40, "yaku": ["tanyao", "yakuhai_haku"]}, "yaku_never_together"),
    ("tenhou", "ron", {"limit": "mangan", "yaku": ["tanyao", "ittsuu"]}, "yaku_never_together"),
    ("tenhou", "ron", {"limit": "mangan", "yaku": ["toitoi", "sanshoku_doujun"]}, "yaku_never_together"),
    ("tenhou", "ron", {"yakuman": 2, "yaku": ["daisangen", "chuuren_poutou"]}, "yaku_never_together"),
    ("tenhou", "tsumo", {"han": 3, "fu": 40, "yaku": ["haitei", "rinshan_kaihou"]}, "impossible_yaku"),
]


@pytest.mark.parametrize(("rules", "end", "win", "code"), IMPOSSIBLE)
def test_impossible_wins_are_refused(rules: str, end: str, win: dict[str, Any], code: str) -> None:
    assert code_of(rules, end, **win) == code


POSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    ("tenhou", "ron", {"han": 2, "fu": 25}),
    ("tenhou", "tsumo", {"han": 2, "fu": 20, "yaku": ["pinfu", "menzen_tsumo"]}),
    ("bgm-2025", "tsumo", {"han": 2, "fu": 20}),
    ("own", "ron", {"han": 3, "fu": 30, "open": False, "yaku": ["red"]}),
    ("own", "ron", {"han": 2, "fu": 30}),
    ("tenhou", "tsumo", {"seat": 0, "yakuman": 1, "yaku": ["tenhou"]}),
    ("tenhou", "tsumo", {"yakuman": 1, "yaku": ["chiihou"]}),
    ("tenhou", "ron", {"han": 1, "fu": 40, "riichi": (1,), "yaku": ["riichi"]}),
    ("tenhou", "ron", {"limit": "haneman", "yaku": ["chinitsu", "tanyao"]}),
]


def recorded_wins() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield wins of bots and random wins as they would be entered, each with the name of its rules."""
    for name in ("bot-wins", "random-wins", "wins"):
        for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            request, score = row["request"], row["expect"]
            if request["rules"] not in preset_names() or "yaku" not in score:
                continue
            seat = SEATS.index(request.get("seat", "south"))
            value = {key: score[key] for key in (("yakuman",) if score.get("yakuman") else ("han", "fu"))}
            called = any(meld["type"] != "ankan" for meld in request.get("melds", ()))
            names = [yaku for yaku in score["yaku"] if yaku in catalogue()]
            hand = {
                "end": request["by"],
                "riichi": [seat] if request.get("riichi") else [],
                "wins": [{"seat": seat, "open": called, "yaku": names, **value}],
            }
            yield request["rules"], hand | ({"from": int(seat == 0)} if request["by"] == "ron" else {})


def test_every_recorded_win_is_accepted_with_its_yaku() -> None:
    wins = list(recorded_wins())
    for name, hand in wins:
        settle([hand], ruleset(name))
    assert len(wins) > 1000


@pytest.mark.parametrize(("rules", "end", "win"), POSSIBLE)
def test_possible_wins_are_accepted(rules: str, end: str, win: dict[str, Any]) -> None:
    assert code_of(rules, end, **win) is None
