"""The list of yaku with examples that pages show."""

import pytest

from jantaku.rules import load
from jantaku.server.rules.own_yaku import tried_yaku
from jantaku.server.rules.rules_bodies import OwnTried, YakuGuide, YakuShown
from jantaku.server.rules.rules_pages import parsed
from jantaku.server.rules.yaku_guide import yaku_guide
from jantaku.terms import Language
from server.parlour import Person


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


PEACOCK = """extends = "standard"
[yaku.peacock]
closed = "yakuman"
open = "yakuman"
when = '{when}'
name = {{ ko = "홍공작" }}
"""


def test_the_guide_shows_own_yaku_with_a_hand_and_the_condition_in_words() -> None:
    rules = parsed(PEACOCK.format(when='only("1579s7z")'))
    guide = YakuGuide(**yaku_guide(rules, "ko"))
    part = next(yaku for group in guide.groups for yaku in group.yaku if yaku.id == "peacock")
    assert (part.name, part.notes) == ("홍공작", [])
    assert "가운데 하나" in part.definition
    assert part.example is not None
    assert "홍공작" in part.example.value


def test_an_own_yaku_is_tried() -> None:
    tried = OwnTried(**tried_yaku(PEACOCK.format(when='only("1579s7z")'), "peacock", None, "ko"))
    assert (tried.problems, tried.joiner, tried.hand) == ([], "and", None)
    assert [part.text for part in tried.parts] == ['only("1579s7z")']
    assert "⟦1579s7z⟧" in tried.parts[0].words
    assert 3 <= len(tried.having) <= 6
    assert 3 <= len(tried.near) <= 6
    assert tried.near[0].change
    assert [part.holds for part in tried.near[0].parts] == [False]
    assert "또이또이" in tried.always


def test_a_hand_says_what_it_lacks() -> None:
    hand = {"hand": "123234789m67p99s", "win": "8p", "melds": [], "by": "tsumo", "flags": ["last_tile"]}
    toml = PEACOCK.format(when="last_tile and run(n, x) and run(n + 1, x) and run(n + 2, x)")
    dealt = OwnTried(**tried_yaku(toml, "peacock", hand, "en")).hand
    assert dealt is not None
    assert (dealt.has, dealt.problem) == (False, "")
    assert [part.holds for part in dealt.parts] == [True, True, True, False]
    odd = OwnTried(**tried_yaku(toml, "peacock", {**hand, "win": "9p"}, "en")).hand
    assert odd is not None
    assert "not complete" in odd.problem


@pytest.mark.parametrize(
    ("toml", "at"),
    [
        (PEACOCK.format(when="tsumo ad ron"), 7),
        (PEACOCK.format(when=""), 1),
        ("[yaku.peacock\n", 0),
        (PEACOCK.format(when="tsumo") + "[match]\numa = 3\n[yaku.other]\nwhen = 'q'\n", None),
        (PEACOCK.format(when="tsumo") + "minimun = true\n", 0),
    ],
)
def test_problems_of_the_yaku_point_at_their_character(toml: str, at: int | None) -> None:
    """Other problems of the file do not keep anybody from trying it."""
    tried = OwnTried(**tried_yaku(toml, "peacock", None, "ja"))
    assert [problem.at for problem in tried.problems] == ([] if at is None else [at])
    assert bool(tried.having) == (at is None)
    assert OwnTried(**tried_yaku(toml, "nobody", None, "en")).having == []


WRONG_ELSEWHERE = """
extends = "standard"

[match]
start_points = 7

[yaku.first]
closed = 1
when = 'yaku("second") and tsumo'

[yaku.second]
closed = 1
replaces = ["third"]
when = "runs == 4"

[yaku.third]
closed = 1
when = "runs =="
"""


@pytest.mark.parametrize(("yaku", "is_wrong"), [("first", False), ("second", False), ("third", True)])
def test_what_is_wrong_elsewhere_does_not_hide_the_yaku_that_one_names(yaku: str, is_wrong: bool) -> None:
    names = tried_yaku(WRONG_ELSEWHERE, yaku, None, "en")
    assert bool(names["problems"]) == is_wrong
    assert bool(names["having"]) == (not is_wrong)


def test_the_server_tries_an_own_yaku_and_lists_the_words(person: Person) -> None:
    trial = person.post("/api/rules/own/try", toml=PEACOCK.format(when="tsumo and closed"), yaku="peacock")
    assert [part["text"] for part in trial["parts"]] == ["tsumo", "closed"]
    assert trial["having"]
    words = person.get("/api/rules/own/words", lang="ko")["words"]
    assert {"word": "tsumo", "kind": "circumstance", "insert": "tsumo", "about": "쯔모 화료"} in words
