"""Entered wins that no hand has: ``settle`` takes just the worths of the table, from which people choose."""

import tomllib
from functools import cache
from typing import Any

import pytest

from jantaku.club import settle
from jantaku.club.possible_worths import possible_worths
from jantaku.errors import RequestError
from jantaku.rules import Ruleset, load

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
    """The code of the refusal of a win; seat 0 deals."""
    hand = {"end": end, "riichi": list(riichi), "wins": [{"seat": seat, **win}]}
    try:
        settle([hand | ({"from": 2} if end == "ron" else {})], ruleset(rules))
    except RequestError as error:
        return error.code
    return None


@pytest.mark.parametrize("name", ["tenhou", "standard", "bgm-2025", "wrc", "mahjongsoul-3", "korea-3"])
def test_settle_takes_the_worths_of_the_table_and_no_others(name: str) -> None:
    rules = load(name)
    rows = {tuple(worth.items()): by for worth, *by in possible_worths(rules)}
    for fu in (20, 25, *range(30, 150, 10)):
        for han in range(5):
            found = [code_of(name, end, han=han, fu=fu) is None for end in ("ron", "tsumo")]
            wanted = rows.get((("han", han), ("fu", fu)))
            if wanted is not None:
                assert found == wanted, (han, fu)
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
]


@pytest.mark.parametrize(("rules", "end", "win", "code"), IMPOSSIBLE)
def test_what_no_hand_has_is_refused(rules: str, end: str, win: dict[str, Any], code: str) -> None:
    assert code_of(rules, end, **win) == code


POSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    ("tenhou", "ron", {"han": 2, "fu": 25}),
    ("tenhou", "tsumo", {"han": 2, "fu": 20, "yaku": ["pinfu", "menzen_tsumo"]}),
    ("bgm-2025", "tsumo", {"han": 2, "fu": 20}),
    ("own", "ron", {"han": 3, "fu": 30, "open": False, "yaku": ["red"]}),
    ("own", "ron", {"han": 2, "fu": 30}),
    ("tenhou", "tsumo", {"seat": 0, "yakuman": 1, "yaku": ["tenhou"]}),
    ("tenhou", "tsumo", {"yakuman": 1, "yaku": ["chiihou"]}),
    ("tenhou", "ron", {"han": 1, "fu": 30, "riichi": (1,), "yaku": ["riichi"]}),
    ("tenhou", "ron", {"limit": "haneman", "yaku": ["chinitsu", "tanyao"]}),
]


@pytest.mark.parametrize(("rules", "end", "win"), POSSIBLE)
def test_what_a_hand_can_have_is_taken(rules: str, end: str, win: dict[str, Any]) -> None:
    assert code_of(rules, end, **win) is None
