"""Settings that depend on each other: contradictions are refused, settings without effect are reported."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku import RulesFileError, load, preset_names, terms
from jantaku.cli.app import app
from jantaku.rules.check import choices_of, hints
from jantaku.rules.gates import OFF, gate_open, value_at
from jantaku.rules.idle_options import NEEDS, ONLY_ON, SWITCHES, without_effect
from jantaku.rules.options import SECTIONS, FoulCost
from jantaku.terms import LANGUAGES
from support.lacking import lacking

Changes = dict[str, Any]
STANDARD = load("standard")
PAARENCHAN: Changes = {"deal.paarenchan": "from_eighth", "yaku.paarenchan.closed": "yakuman"}

# changes, code and path of the error
REFUSED: list[tuple[Changes, str, str]] = [
    ({"deal.paarenchan": "from_eighth"}, "option_without_yaku", "deal.paarenchan"),
    ({"deal.paarenchan": "every_eighth"}, "option_without_yaku", "deal.paarenchan"),
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
    ({"win.multiple_ron": "all", "draw.sanchahou": True}, "triple_ron", "win.multiple_ron"),
    ({"match.start_points": 35000, "match.return_points": 30000},
     "return_below_start", "match.return_points"),
    ({"match.players": 3, "match.uma": [20000, 10000, -10000, -20000]}, "uma_length", "match.uma"),
    ({"tiles.man": "one_nine", "tiles.red": {"5m": 1}}, "red_absent", "tiles.red.5m"),
]  # fmt: skip

# similar settings that may be combined
ALLOWED: list[Changes] = [
    PAARENCHAN,
    PAARENCHAN | {"deal.renchan": "agari"},
    PAARENCHAN | {"deal.renchan": "none"},
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
    complaints = problems(changes)
    assert list(complaints) == [(code, path)]
    for language in LANGUAGES:
        assert path in complaints[code, path].message(language)


@pytest.mark.parametrize("changes", ALLOWED)
def test_compatible_options_are_accepted(changes: Changes) -> None:
    assert STANDARD.with_changes(changes).differences(STANDARD)


# Options without effect on their own ---------------------------------------------------------------------


def other_value(path: str) -> Any:
    """Return a value of the option other than the default."""
    section, name = path.split(".")
    default = value_at(STANDARD, path)
    choices = [choice for choice in choices_of(hints(SECTIONS[section])[name]) if choice != default]
    if choices:
        return choices[0]
    return not default if isinstance(default, bool) else default + 1000 if default > 20 else default + 1


CHIPS: Changes = {"chips.value": 1000, "kita.nukidora": True, "riichi.open": True}
REFUSED_WITHOUT = {"deal.paarenchan", "dora.kan_ura"}
PAIRS = [
    (path, need)
    for path, needs in [*NEEDS.items(), *((path, (gate,)) for path, gate in SWITCHES.items())]
    if path not in REFUSED_WITHOUT and not (path in ONLY_ON and other_value(path) in OFF)
    for need in needs
]


@pytest.mark.parametrize(("path", "need"), PAIRS)
def test_an_option_without_effect_is_reported(path: str, need: str) -> None:
    rules = STANDARD.with_changes({**CHIPS, **lacking(need), path: other_value(path)})
    assert not gate_open(need, rules)
    problems = [problem for problem in without_effect(rules) if problem.path == path]
    assert {problem.code for problem in problems} == {"no_effect"}
    assert len({problem.message(language) for problem in problems for language in LANGUAGES}) == 3 * len(
        problems
    )


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
    notes = {(problem.code, problem.path) for problem in without_effect(STANDARD.with_changes(changes))}
    assert (code, path) in notes


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_no_settings_without_effect(name: str) -> None:
    assert [str(problem) for problem in without_effect(load(name))] == []


def checked(folder: Path, text: str) -> tuple[int, str]:
    """Return the exit code and the output of ``jantaku rules check`` for a file with this text."""
    path = folder / "club.toml"
    path.write_text(text, "utf-8")
    result = CliRunner().invoke(app, ["rules", "check", str(path)])
    return result.exit_code, result.output


WARNED = [
    ("[riichi]\nopen_han = 3\n", "riichi.open_han"),
    ("[dora]\nura = false\nkan_ura = true\n", "dora.kan_ura"),
    ("[deal]\nrenchan = 'none'\npaarenchan = 'every_eighth'\n[yaku.paarenchan]\nclosed = 'yakuman'\n",
     "deal.paarenchan"),
    ("[chips]\nippatsu = 3\n", "chips.ippatsu"),
    ("[yaku.chiitoitsu]\nopen = 2\n", "yaku.chiitoitsu.open"),
    ("[yaku.sanrenkou]\nminimum = false\n", "yaku.sanrenkou.minimum"),
    ("[match]\numa = [20, 10, -10, -20]\n", "match.uma"),
    ("[match]\noka = 20\n", "match.oka"),
    ("[yaku.own]\nwhen = 'tsumo'\n", "yaku.own"),
    ("[yaku.own]\nclosed = 1\nopen = 1\nwhen = 'tsumo and ron'\n", "yaku.own: "),
    ("[yaku.own]\nopen = 1\nwhen = 'riichi'\n", "yaku.own: "),
    ("extends = 'tenhou-3'\n[yaku.own]\nclosed = 1\nwhen = 'has(\"5m\")'\n", "yaku.own: "),
    ("extends = 'standard-3'\n[win]\nmultiple_ron = 'nearest_two'\n", "win.multiple_ron"),
    ("extends = 'standard-3'\n[calls]\nkuikae = 'suji_allowed'\n", "calls.kuikae"),
    ("extends = 'jpml-a'\n[dora]\nkan_ura = true\n", "dora.kan_ura"),
    ("[yaku.tanyao]\nreplaces = ['tanyao']\n", "yaku.tanyao.replaces"),
    ("[yaku.tanyao]\nreplaces = ['pinfu']\n[yaku.pinfu]\nreplaces = ['tanyao']\n", "yaku.pinfu.replaces"),
    ("[yaku.riichi]\nreplaces = ['double_riichi']\n", "yaku.riichi.replaces"),
    ("[yaku.chiitoitsu]\nclosed = false\n", "yaku.chiitoitsu.closed"),
    ("[riichi]\ndeposit = 300\n", "fouls.call_slip"),
    ("\ufeff[chips]\nippatsu = 3\n", "chips.ippatsu"),
    ("[score]\nfixed_fu = 40\nkiriage_mangan = true\n", "score.kiriage_mangan"),
    ("[score]\nmultiple_yakuman = false\n[pao]\nscope = 'whole_hand'\n", "pao.scope"),
    ("[riichi]\ndeposit = 0\n[end]\nleftover_deposits = 'nobody'\n", "end.leftover_deposits"),
    ("extends = 'tenhou-3'\n[draw]\nsuufuu_renda = true\n", "draw.suufuu_renda"),
    ("extends = 'tenhou-3'\n[draw]\nsanchahou = true\n", "draw.sanchahou"),
    ("extends = 'standard-3'\n[draw]\ndealer_after_triple_ron = 'passes'\n", "draw.dealer_after_triple_ron"),
    ("[draw]\nnagashi_mangan = 'as_win'\n[yaku.nagashi_mangan]\nclosed = false\n", "draw.nagashi_mangan"),
    ("[win]\nsuukantsu_by_kan = true\n[yaku.suukantsu]\nclosed = false\nopen = false\n",
     "win.suukantsu_by_kan"),
    ("extends = 'tenhou-3'\n[kita]\nchankan = true\n[yaku.chankan]\nclosed = false\nopen = false\n",
     "kita.chankan"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "path"), WARNED)
def test_the_check_command_warns_about_settings_without_effect(tmp_path: Path, text: str, path: str) -> None:
    code, output = checked(tmp_path, text)
    assert (code, path in output) == (0, True)


NOT_WARNED = [
    "[riichi]\nopen = true\nopen_han = 3\n",
    "extends = 'tenhou-3'\n[kita]\nnukidora = false\n",  # the preset contains the settings without effect
    "[match]\nstart_points = 30000\n",
    "[dora]\nura = false\n",
    "[riichi]\ndeposit = 500\n",
    "[score]\nfixed_fu = 30\nkiriage_mangan = true\n",
    "[riichi]\nwithout_yaku = true\ndraws_left = 3\nopen = true\n[yaku.riichi]\nclosed = false\n",
    "[riichi]\ndouble = false\n[yaku.double_riichi]\nclosed = false\n",
    "extends = 'standard-3'\n[draw]\nsanchahou = false\nsuufuu_renda = false\n",
]


@pytest.mark.parametrize("text", NOT_WARNED)
def test_the_check_command_does_not_warn_about_inherited_or_useful_settings(
    tmp_path: Path, text: str
) -> None:
    code, output = checked(tmp_path, text)
    assert (code, terms.text("cli.warning") in output) == (0, False)


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
    frozenset({"calls.kan_limit_one_player", "draw.suukansanra"}),
}


def acceptable(changes: Changes) -> bool:
    try:
        STANDARD.with_changes({"yaku.paarenchan.closed": "yakuman"} | changes)
    except RulesFileError:
        return False
    return True


@pytest.mark.slow
def test_only_known_pairs_of_options_depend_on_each_other() -> None:
    """For all other pairs of options, any two values that are each valid alone are valid together."""
    alone = {(path, value): acceptable({path: value}) for path, values in CHOICES.items() for value in values}
    dependent = {
        frozenset({one, other})
        for (one, first), (other, second) in itertools.combinations(alone, 2)
        if one != other
        and acceptable({one: first, other: second}) != (alone[one, first] and alone[other, second])
    }
    assert dependent == DEPENDENT
