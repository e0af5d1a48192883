"""What other programs, sites and rule sheets call an option leads to ours."""

import tomllib
from collections import Counter
from importlib import resources

import pytest

from jantaku.errors import RulesFileError
from jantaku.rules import load
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.other_names import called, plain

OPTIONS = {section: [*hints(options)] for section, options in SECTIONS.items()}
CASES = {
    # Mahjong Soul's detail_rule
    "shiduan": "calls.kuitan", "fandian": "end.extension_target", "can_jifei": "end.tobi",
    "jingsuanyuandian": "match.return_points", "fanfu": "win.two_han_from_honba",
    "have_helezhongju": "end.agari_yame", "have_tingpailianzhuang": "deal.renchan",
    "have_liujumanguan": "draw.nagashi_mangan", "have_qieshangmanguan": "score.kiriage_mangan",
    "have_toutiao": "win.multiple_ron", "have_nanruxiru": "end.extension", "liqibang_value": "riichi.deposit",
    "changbang_value": "score.honba_value", "noting_fafu_1": "draw.noten_payment", "dora_count": "tiles.red",
    "ming_dora_immediately_open": "dora.minkan_reveal", "have_gang_li_dora": "dora.kan_ura",
    "have_zimosun": "score.missing_share", "disable_leijiyiman": "score.kazoe",
    "enable_shiti": "calls.kuikae",
    "disable_multi_yukaman": "score.multiple_yakuman", "have_yifa": "riichi.ippatsu",
    "enable_nontsumo_liqi": "riichi.draws_left", "disable_double_wind_four_fu": "score.double_wind_pair_fu",
    "disable_angang_guoshi": "win.kokushi_on_ankan", "time_fixed": "clock.turn_s", "time_add": "clock.bank_s",
    # majiang-core
    "配給原点": "match.start_points", "順位点": "match.uma", "連風牌は2符": "score.double_wind_pair_fu",
    "クイタンあり": "calls.kuitan", "喰い替え許可レベル": "calls.kuikae", "赤牌": "tiles.red",
    "場数": "match.length", "流し満貫あり": "draw.nagashi_mangan", "ノーテン罰あり": "draw.noten_payment",
    "最大同時和了数": "win.multiple_ron", "連荘方式": "deal.renchan", "トビ終了あり": "end.tobi",
    "オーラス止めあり": "end.agari_yame", "延長戦方式": "end.extension", "カン裏あり": "dora.kan_ura",
    "ツモ番なしリーチあり": "riichi.draws_left", "リーチ後暗槓許可レベル": "riichi.ankan",
    "役満の複合あり": "score.multiple_yakuman", "数え役満あり": "score.kazoe", "役満パオあり": "pao.yakuman",
    "切り上げ満貫あり": "score.kiriage_mangan", "カンドラ後乗せ": "dora.minkan_reveal",
    # Pantheon, Riichi Advanced, the mahjong package
    "withKuitan": "calls.kuitan", "withButtobi": "end.tobi", "withLeadingDealerGameOver": "end.agari_yame",
    "withKiriageMangan": "score.kiriage_mangan", "withMultiYakumans": "score.multiple_yakuman",
    "doubleronRiichiAtamahane": "win.deposits_to", "complexUma": "match.floating_uma",
    "yakuWithPao": "pao.yakuman", "startPoints": "match.start_points", "goalPoints": "match.return_points",
    "agarirenchan": "deal.renchan", "tenpaiyame": "end.tenpai_yame", "aka": "tiles.red",
    "atozuke_nashi": "calls.sakizuke", "suufon_renda": "draw.suufuu_renda", "suukaikan": "draw.suukansanra",
    "cancellable_riichi": "fouls.riichi_withdrawn", "has_open_tanyao": "calls.kuitan",
    "kazoe_limit": "score.kazoe", "has_double_yakuman": "score.multiple_yakuman",
    "kiriage": "score.kiriage_mangan",
    # as people say it
    "agariyame": "end.agari_yame", "tenpai-yame": "end.tenpai_yame", "和了止め": "end.agari_yame",
    "오라스 종료": "end.agari_yame", "텐파이 종료": "end.tenpai_yame", "アガリやめ": "end.agari_yame",
    "Head Bump": "win.multiple_ron", "頭ハネ": "win.multiple_ron", "더블론": "win.multiple_ron",
    "절상만관": "score.kiriage_mangan", "유국만관": "draw.nagashi_mangan", "쿠이탕": "calls.kuitan",
    "西入": "end.extension", "서입": "end.extension", "割れ目": "score.wareme",
    "ツモ損": "score.missing_share",
    "大明槓の責任払い": "pao.rinshan_after_daiminkan", "リャンハン縛り": "win.two_han_from_honba",
    "シロポッチ": "", "nothing of ours": "", "keishiki_tenpai": "", "形式聴牌": "",
}  # fmt: skip


@pytest.mark.parametrize(("name", "option"), CASES.items())
def test_a_name_of_others_leads_to_the_option(name: str, option: str) -> None:
    assert called(name, OPTIONS) == ([option] if option else [])


@pytest.mark.parametrize("at", ["", "end", "score", "chips"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dealer_stop", "end.agari_yame"),
        ("honba", "pao.honba / score.honba_value"),
        ("have_tingpaizhongju", "end.tenpai_yame"),
    ],
)
def test_the_hint_of_a_rules_file_says_so(at: str, name: str, hint: str) -> None:
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
def test_what_is_no_option_there_may_be_a_yaku_or_no_name_at_all(at: str, name: object, hint: str) -> None:
    with pytest.raises(RulesFileError) as error:
        load({at: {name: 1}} if at else {name: 1})  # type: ignore[dict-item]
    assert [problem.details["nearest"] for problem in error.value.problems] == [hint]


def test_every_option_has_other_names_and_no_name_stands_twice() -> None:
    text = resources.files("jantaku.rules").joinpath("other_names.toml").read_text("utf-8")
    others = tomllib.loads(text)
    assert {section: {*names} for section, names in others.items()} == {
        section: {*names} for section, names in OPTIONS.items()
    }
    written = [
        plain(name) for options in others.values() for names in options.values() for name in names.split(", ")
    ]
    assert [name for name, count in Counter(written).items() if count > 1] == []
