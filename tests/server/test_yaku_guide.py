"""The list of yaku with examples that pages show."""

import pytest

from jantaku.rules import load
from jantaku.server.rules.rules_bodies import YakuGuide, YakuShown
from jantaku.server.rules.yaku_guide import yaku_guide
from jantaku.terms import Language


def listed(rules: str, language: Language = "en") -> dict[str, YakuShown]:
    guide = YakuGuide(**yaku_guide(load(rules), language))
    return {yaku.id: yaku for group in guide.groups for yaku in group.yaku}


@pytest.mark.slow
def test_worth_and_example_are_those_of_the_rules() -> None:
    standard, bgm = listed("standard"), listed("bgm-2025", "ko")
    assert standard["pinfu"].worth == "1 han, closed hands only"
    assert standard["pinfu"].standard == ""
    assert bgm["pinfu"].worth.startswith("0판")
    assert bgm["pinfu"].standard
    assert standard["sankantsu"].example is not None
    assert [meld.type.endswith("kan") for meld in standard["sankantsu"].example.melds].count(True) == 3


@pytest.mark.slow
def test_yaku_that_do_not_count_are_left_out() -> None:
    assert "suurenkou" not in listed("standard")
    assert "nagashi_mangan" in listed("standard")
    assert listed("standard")["nagashi_mangan"].example is None
