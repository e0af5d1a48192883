"""Option names from other programs, sites and rule sheets are mapped to ours."""

import tomllib
from collections import Counter
from importlib import resources

import pytest

from jantaku.errors import RulesFileError
from jantaku.rules import load
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.other_names import options_called, plain

OPTIONS = {section: [*hints(options)] for section, options in SECTIONS.items()}
CASES = {  # from Mahjong Soul, majiang-core, Pantheon, Riichi Advanced, the mahjong package, and players
    "shiduan": "calls.kuitan", "have_helezhongju": "end.agari_yame", "dora_count": "tiles.red",
    "配給原点": "match.start_points", "連風牌は2符": "score.double_wind_pair_fu", "赤牌": "tiles.red",
    "リーチ後暗槓許可レベル": "riichi.ankan", "withKuitan": "calls.kuitan", "agarirenchan": "deal.renchan",
    "has_open_tanyao": "calls.kuitan", "kiriage": "score.kiriage_mangan", "tenpai-yame": "end.tenpai_yame",
    "和了止め": "end.agari_yame", "오라스 종료": "end.agari_yame", "アガリやめ": "end.agari_yame",
    "Head Bump": "win.multiple_ron", "더블론": "win.multiple_ron", "西入": "end.extension",
    "nothing of ours": "", "keishiki_tenpai": "", "形式聴牌": "",
}  # fmt: skip


@pytest.mark.parametrize(("name", "option"), CASES.items())
def test_a_foreign_name_finds_the_option(name: str, option: str) -> None:
    assert options_called(name, OPTIONS) == ([option] if option else [])


@pytest.mark.parametrize("at", ["", "end", "score", "chips"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dealer_stop", "end.agari_yame"),
        ("honba", "pao.honba / score.honba_value"),
        ("have_tingpaizhongju", "end.tenpai_yame"),
    ],
)
def test_an_unknown_key_suggests_the_option(at: str, name: str, hint: str) -> None:
    with pytest.raises(RulesFileError) as error:
        load({at: {name: 1}} if at else {name: 1})
    assert [problem.details["nearest"] for problem in error.value.problems] == [hint]


@pytest.mark.parametrize(
    ("at", "name", "hint"),
    [
        ("", "nagashi_mangan", "yaku.nagashi_mangan / draw.nagashi_mangan"),
        ("", "ippatsu", "yaku.ippatsu / chips.ippatsu / riichi.ippatsu"),
        ("score", "renhou", "yaku.renhou"),
        ("", 1, ""),
        ("end", None, ""),
    ],
)
def test_an_unknown_key_suggests_a_yaku_or_nothing(at: str, name: object, hint: str) -> None:
    with pytest.raises(RulesFileError) as error:
        load({at: {name: 1}} if at else {name: 1})  # type: ignore[dict-item]
    assert [problem.details["nearest"] for problem in error.value.problems] == [hint]


def test_no_name_occurs_twice() -> None:
    text = resources.files("jantaku.rules").joinpath("other_names.toml").read_text("utf-8")
    names = (
        name
        for options in tomllib.loads(text).values()
        for names in options.values()
        for name in names.split(", ")
    )
    assert [name for name, count in Counter(map(plain, names)).items() if count > 1] == []
