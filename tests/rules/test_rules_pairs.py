"""Settings that depend on each other: contradictions are refused, settings without effect are reported."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku import RulesFileError, load, preset_names
from jantaku.cli.app import app
from jantaku.rules import Ruleset, catalogue
from jantaku.rules.check import choices_of, hints
from jantaku.rules.conditions import CLOSED_ONLY, NEEDS, gate_open, value_at, without_effect
from jantaku.rules.options import SECTIONS, FoulCost
from jantaku.terms import LANGUAGES

Changes = dict[str, Any]
STANDARD = load("standard")
PAARENCHAN: Changes = {"deal.paarenchan": "from_eighth", "yaku.paarenchan.closed": "yakuman"}

# changes, then the code and the path of the error
REFUSED: list[tuple[Changes, str, str]] = [
    ({"deal.paarenchan": "from_eighth"}, "option_without_yaku", "deal.paarenchan"),
    ({"deal.paarenchan": "every_eighth"}, "option_without_yaku", "deal.paarenchan"),
    (PAARENCHAN | {"deal.renchan": "none"}, "paarenchan_without_renchan", "deal.paarenchan"),
    ({"riichi.open": True, "yaku.open_riichi.closed": False, "yaku.double_open_riichi.closed": False},
     "option_without_yaku", "riichi.open"),
    ({"riichi.open": True, "riichi.open_deal_in": "yakuman", "yaku.open_riichi_deal_in.closed": False},
     "option_without_yaku", "riichi.open_deal_in"),
    ({"yaku.nagashi_mangan.closed": 5}, "nagashi_han", "yaku.nagashi_mangan.closed"),
    ({"pao.yakuman": ["kokushi_musou"]}, "pao_never_liable", "pao.yakuman"),
    ({"pao.yakuman": ["chinroutou"]}, "pao_never_liable", "pao.yakuman"),
    ({"pao.yakuman": ["daisangen"], "yaku.daisangen.open": 5}, "pao_not_yakuman", "pao.yakuman"),
    ({"pao.yakuman": ["suurenkou"]}, "pao_not_yakuman", "pao.yakuman"),
    ({"pao.yakuman": ["suurenkou"], "yaku.suurenkou.closed": "yakuman"}, "pao_not_yakuman", "pao.yakuman"),
    ({"calls.kan_limit_one_player": False, "draw.suukansanra": False},
     "fifth_kan_without_draw", "calls.kan_limit_one_player"),
    ({"fouls.mode": "penalise", "riichi.deposit": 300}, "foul_deposit", "fouls.call_slip"),
    ({"fouls.mode": "penalise", "riichi.deposit": 0}, "foul_deposit", "fouls.call_slip"),
    ({"fouls.mode": "penalise", "riichi.deposit": 2000}, "foul_deposit", "fouls.call_slip"),
    ({"score.honba_value": 50}, "not_a_multiple", "score.honba_value"),
    ({"draw.noten_payment": 1050}, "not_a_multiple", "draw.noten_payment"),
    ({"riichi.deposit": 1}, "not_a_multiple", "riichi.deposit"),
    ({"fouls.chombo_points": 2010}, "not_a_multiple", "fouls.chombo_points"),
    ({"match.start_points": 25050, "match.sticks": {"25050": 1}}, "not_a_multiple", "match.start_points"),
    ({"win.multiple_ron": "all"}, "triple_ron", "win.multiple_ron"),
    ({"dora.ura": False}, "kan_ura_without_ura", "dora.kan_ura"),
    ({"dora.kan_dora": False}, "kan_ura_without_kan", "dora.kan_ura"),
]  # fmt: skip

# allowed combinations that look similar
ALLOWED: list[Changes] = [
    PAARENCHAN,
    PAARENCHAN | {"deal.renchan": "agari"},
    {"yaku.nagashi_mangan.closed": False},
    {"yaku.double_riichi.closed": False},
    {"yaku.ippatsu.closed": False},
    {"riichi.open": True, "yaku.double_open_riichi.closed": False},
    {"pao.yakuman": ["suukantsu"]},
    {"pao.yakuman": ["suurenkou"], "yaku.suurenkou.open": "yakuman"},
    {"calls.kan_limit_one_player": False},
    {"draw.suukansanra": False},
    {"fouls.mode": "penalise", "riichi.deposit": 500},
    {"riichi.deposit": 300},
    {"score.honba_value": 100},
    {"draw.noten_payment": 1000},
    {"match.oka": 12300},
]


def problems(changes: Changes) -> dict[tuple[str, str], Any]:
    with pytest.raises(RulesFileError) as caught:
        STANDARD.with_changes(changes)
    return {(problem.code, problem.path): problem for problem in caught.value.problems}


@pytest.mark.parametrize(("changes", "code", "path"), REFUSED)
def test_contradicting_options_are_refused(changes: Changes, code: str, path: str) -> None:
    found = problems(changes)
    assert list(found) == [(code, path)]
    for language in LANGUAGES:
        assert path in found[code, path].message(language)


@pytest.mark.parametrize("changes", ALLOWED)
def test_compatible_options_are_accepted(changes: Changes) -> None:
    assert STANDARD.with_changes(changes).differences(STANDARD)


# Options that do nothing without others ------------------------------------------------------------------


def other_value(path: str) -> Any:
    """A value of the option that is not the default."""
    section, name = path.split(".")
    default = value_at(STANDARD, path)
    choices = [choice for choice in choices_of(hints(SECTIONS[section])[name]) if choice != default]
    if choices:
        return choices[0]
    return not default if isinstance(default, bool) else default + 1000 if default > 20 else default + 1


# the change that removes what the option needs, if it is compatible with the standard rules
WITHOUT: dict[str, Changes] = {
    "dora.kan_dora": {"dora.kan_dora": False, "dora.kan_ura": False},
    "match.yakitori!=0": {},
    "match.players!=4": {},
    "kita.nukidora": {},
    "kita.ron!=never": {"kita.nukidora": True, "kita.ron": "never"},
    "chips.value!=0": {},
    "chips.red!=0": {"chips.value": 1000, "chips.red": 0},
    "dora.ura": {"chips.value": 1000, "dora.ura": False, "dora.kan_ura": False},
    "riichi.deposit!=0": {"riichi.deposit": 0},
    "riichi.draws_left!=0": {"riichi.draws_left": 0},
    "riichi.double": {"riichi.double": False},
    "riichi.ippatsu": {"riichi.ippatsu": False},
    "riichi.open": {},
    "riichi.exhausted_wait=foul": {},
    "score.honba_value!=0": {"score.honba_value": 0},
    "draw.suukansanra": {"draw.suukansanra": False},
    "draw.suucha_riichi": {"draw.suucha_riichi": False},
    "draw.sanchahou": {"draw.sanchahou": False, "win.multiple_ron": "all"},
    "draw.nagashi_mangan": {"draw.nagashi_mangan": "off"},
    "deal.renchan!=none": {"deal.renchan": "none"},
    "end.dealer_stop": {"end.dealer_stop": "off"},
    "end.extension!=none": {},
    "pao.yakuman": {"pao.yakuman": []},
    "fouls.chombo!=mangan": {},
}
NO_ABORTS: Changes = {
    f"draw.{name}": False for name in ("kyuushu_kyuuhai", "suufuu_renda", "suucha_riichi", "suukansanra")
}


def without(need: str) -> Changes:
    if "sanchahou" in need and "|" in need:
        return NO_ABORTS | WITHOUT["draw.sanchahou"]
    if "kyuushu" in need:
        return NO_ABORTS
    if "multiple_ron" in need:
        return {"win.multiple_ron": "head_bump", "draw.sanchahou": False}
    return {} if "after_discard" in need else WITHOUT[need]


PAIRS = [(path, need) for path, needs in NEEDS.items() for need in needs]


@pytest.mark.parametrize(("path", "need"), PAIRS)
def test_an_option_that_lacks_its_condition_is_reported(path: str, need: str) -> None:
    rules = STANDARD.with_changes({**without(need), path: other_value(path)})
    assert not gate_open(need, rules)
    found = [problem for problem in without_effect(rules) if problem.path == path]
    assert {problem.code for problem in found} == {"no_effect"}
    assert len({problem.message(language) for problem in found for language in LANGUAGES}) == 3 * len(found)


YAKU_WITHOUT_EFFECT: list[tuple[Changes, str, str]] = [
    ({"yaku.paarenchan.closed": "yakuman"}, "no_effect", "yaku.paarenchan.closed"),
    ({"yaku.open_riichi.closed": 4}, "no_effect", "yaku.open_riichi.closed"),
    ({"riichi.double": False, "yaku.double_riichi.closed": 3}, "no_effect", "yaku.double_riichi.closed"),
    ({"calls.kuitan": False, "yaku.tanyao.open": 2}, "no_effect", "yaku.tanyao.open"),
    ({"riichi.open": True, "yaku.open_riichi.closed": 4}, "han_from_option", "yaku.open_riichi.closed"),
    ({"yaku.chiitoitsu.open": 1}, "never_open", "yaku.chiitoitsu.open"),
    ({"yaku.nagashi_mangan.open": "mangan"}, "nagashi_setting", "yaku.nagashi_mangan.open"),
    ({"yaku.nagashi_mangan.only": "tsumo"}, "nagashi_setting", "yaku.nagashi_mangan.only"),
    ({"yaku.nagashi_mangan.minimum": False}, "nagashi_setting", "yaku.nagashi_mangan.minimum"),
]


@pytest.mark.parametrize(("changes", "code", "path"), YAKU_WITHOUT_EFFECT)
def test_a_yaku_setting_without_effect_is_reported(changes: Changes, code: str, path: str) -> None:
    found = {(problem.code, problem.path) for problem in without_effect(STANDARD.with_changes(changes))}
    assert (code, path) in found


@pytest.mark.parametrize("yaku", sorted(CLOSED_ONLY))
def test_yaku_of_closed_hands_exist(yaku: str) -> None:
    assert catalogue()[yaku].value.open is False


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_no_settings_without_effect(name: str) -> None:
    assert [str(problem) for problem in without_effect(load(name))] == []


def test_the_check_command_refuses_settings_without_effect(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text("[riichi]\nopen_han = 3\n")
    refused = CliRunner().invoke(app, ["rules", "check", str(path)])
    assert refused.exit_code != 0
    assert "riichi.open_han" in refused.output
    path.write_text("[riichi]\nopen = true\nopen_han = 3\n")
    assert CliRunner().invoke(app, ["rules", "check", str(path)]).exit_code == 0


# Any two settings at once --------------------------------------------------------------------------------


def settings_of(path: str) -> list[Any]:
    section, name = path.split(".")
    hint = hints(SECTIONS[section])[name]
    choices = [choice for choice in choices_of(hint) if isinstance(choice, str)]
    if choices:
        return choices
    return [True, False] if hint is bool else []


COSTS = frozenset(name for name, hint in hints(SECTIONS["fouls"]).items() if hint == FoulCost)
CHOICES = {
    path: settings_of(path)
    for path, _ in STANDARD.options()
    if not path.startswith("yaku.") and path.removeprefix("fouls.") not in COSTS
}
DEPENDENT = {
    frozenset({"win.multiple_ron", "draw.sanchahou"}),
    frozenset({"dora.kan_ura", "dora.ura"}),
    frozenset({"dora.kan_ura", "dora.kan_dora"}),
    frozenset({"calls.kan_limit_one_player", "draw.suukansanra"}),
    frozenset({"deal.paarenchan", "deal.renchan"}),
}


def acceptable(changes: Changes) -> bool:
    try:
        STANDARD.with_changes({"yaku.paarenchan.closed": "yakuman"} | changes)
    except RulesFileError:
        return False
    return True


@pytest.mark.slow
def test_which_pairs_of_options_depend_on_each_other() -> None:
    """Any two values of other options are compatible if each is valid alone."""
    alone = {(path, value): acceptable({path: value}) for path, values in CHOICES.items() for value in values}
    dependent = {
        frozenset({one, other})
        for (one, first), (other, second) in itertools.combinations(alone, 2)
        if one != other
        and acceptable({one: first, other: second}) != (alone[one, first] and alone[other, second])
    }
    assert dependent == DEPENDENT


def test_every_ruleset_round_trips_despite_warnings() -> None:
    rules: Ruleset = STANDARD.with_changes({"riichi.open_han": 4})
    assert load(rules.to_dict()) == rules
    assert list(without_effect(rules))
