"""If some tiles of a kind are red, only the rest can be plain tiles in the hand, discards and indicators."""

from typing import Any

import pytest

import jantaku
from jantaku import Meld, Ruleset, Win
from jantaku.adjudication.jsonl import answer
from jantaku.adjudication.win_records import check_against_rules
from jantaku.errors import RulesError
from jantaku.terms import LANGUAGES
from jantaku.tiles import parse_tiles

TWO = {"extends": "standard", "tiles": {"red": {"5m": 1, "5p": 2, "5s": 1, "3s": 1}}}
THREE = {"extends": "tenhou-3", "tiles": {"red": {"5p": 2, "5s": 2}}}
REST = "123m456p789p11z 1z"
CASES: list[tuple[object, str, tuple[str, ...], dict[str, Any], bool]] = [
    ("tenhou", "123m99p77z 9p", ("5555s", "1111z"), {}, False),
    ("tenhou", "123m99p77z 9p", ("0555s", "1111z"), {}, True),
    ("jpml-a", "123m99p77z 9p", ("5555s", "1111z"), {}, True),
    ("tenhou", f"55s{REST}", (), {"dora": "5s5s"}, False),
    ("tenhou", f"55s{REST}", (), {"dora": "0s5s"}, True),
    ("tenhou", f"55s{REST}", (), {"riichi": "riichi", "dora": "5s1s", "ura": "5s2s"}, False),
    ("tenhou", "4s123m456p789p11z5s 6s", (), {"discarded": parse_tiles("5s5s5s")}, False),
    ("tenhou", "4s123m456p789p11z5s 6s", (), {"discarded": parse_tiles("5s5s0s")}, True),
    ("tenhou", "46s123m456p789p11z 5s", (), {"dora": "5s5s5s"}, False),
    (TWO, "555p123m123s789p1z 1z", (), {}, False),
    (TWO, "055p123m123s789p1z 1z", (), {}, True),
    (TWO, "123m456p7z 7z", ("3333s", "1111z"), {}, False),
    (TWO, "123m456p7z 7z", ("3r333s", "1111z"), {}, True),
    (THREE, "555s123p789p1z11s1s 1z", (), {}, False),
    (THREE, "005s123p789p1z11s1s 1z", (), {}, True),
    ("tenhou-3", "123p99p77z 9p", ("5555s", "1111z"), {}, False),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text", "kans", "situation", "possible"), CASES)
def test_plain_tiles_are_limited_by_the_red_ones(
    rules: Any, text: str, kans: tuple[str, ...], situation: dict[str, Any], possible: bool
) -> None:
    situation = {name: tuple(v) if isinstance(v, list) else v for name, v in situation.items()}
    ruleset: Ruleset = jantaku.load(rules)
    win = Win.parse(text, [Meld.parse("ankan", kan) for kan in kans], **situation)
    if possible:
        check_against_rules(win, ruleset)
        return
    with pytest.raises(RulesError) as caught:
        check_against_rules(win, ruleset)
    assert (caught.value.code, caught.value.path) == ("plain_not_in_rules", "tiles.red")
    assert len({caught.value.message(language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hand": "123m99p77z", "win": "9p"}, "melds[0].tiles"),
        ({"hand": "55s123m456p789p11z", "win": "1z", "melds": [], "dora": "5s 5s"}, "dora"),
        ({"hand": "46s123m456p789p11z", "win": "5s", "melds": [], "discarded": "5s 5s 5s"}, "discarded"),
    ],
)
def test_the_answer_names_the_field_with_the_tile(changes: dict[str, Any], field: str) -> None:
    kans = [{"type": "ankan", "tiles": tiles} for tiles in ("5555s", "1111z")]
    request = {"rules": "tenhou", "melds": kans, "by": "ron"} | changes
    assert answer(request)["error"]["field"] == field
