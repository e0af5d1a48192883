"""The booklet describes what the engine does: values, sentences and omitted rows agree with the engine."""

import random
from itertools import cycle
from typing import Any

import pytest

from jantaku import Win, score, terms
from jantaku.booklet import Booklet, booklet
from jantaku.booklet.document import Facts, OptionRows, Steps, YakuCard, YakuCards
from jantaku.booklet.payment_tables import example_game
from jantaku.club.settlement import settle
from jantaku.errors import JantakuError, RulesError
from jantaku.hand import Meld
from jantaku.rules import Ruleset, load, preset_names
from jantaku.rules.answers import APPLIES_IF, answer, applies
from jantaku.rules.gates import OFF, gate_open
from jantaku.rules.idle_options import CLOSED_ONLY, NEEDS, SWITCHES
from jantaku.rules.sheet import answer_in_words
from jantaku.rules.worths import worths
from jantaku.terms import LANGUAGES, Language
from support.lacking import lacking
from support.option_scenarios import SCENARIOS
from support.options.deals import Scenario
from support.options.tracing import played, rules_of, traces, values_of
from support.rules_mutants import mutated

Changes = dict[str, Any]
STANDARD = load("standard")
PAARENCHAN = {"yaku.paarenchan.closed": "yakuman", "yaku.paarenchan.open": "yakuman"}


def rows(made: Booklet) -> dict[str, str]:
    """Return the values of the booklet's rows by option."""
    blocks = [block for chapter in made.chapters for block in chapter.blocks if isinstance(block, OptionRows)]
    return {row.path: row.value for block in blocks for row in block.rows}


def cards(made: Booklet) -> dict[str, YakuCard]:
    blocks = [block for block in made.chapters[-1].blocks if isinstance(block, YakuCards)]
    return {card.id: card for block in blocks for card in block.cards}


# Options whose row is omitted or says "no" change nothing --------------------------------------------------

IDLE = [
    (path, need)
    for path, needs in NEEDS.items()
    for need in needs
    if path in SCENARIOS and need not in ("tiles.red", "match.players=4")  # the scenario needs these options
]
SWITCHED = list(SWITCHES.items())
REFUSED = {"deal.paarenchan"}  # the checker refuses it without its yaku
COUNTED = {"riichi.sticks_to", "end.leftover_deposits"}  # even sticks worth nothing are passed on to a winner
RIICHI_FOR_NOTHING: Changes = {"yaku.riichi.closed": False, "riichi.without_yaku": True}


@pytest.mark.parametrize(("path", "need"), IDLE + SWITCHED)
def test_an_option_without_its_precondition_changes_no_game(path: str, need: str) -> None:
    if path in REFUSED | COUNTED:
        return
    ends = list(traces(path, SCENARIOS[path], lacking(need)).values())
    assert all(trace == ends[0] for trace in ends)


@pytest.mark.parametrize(
    "path", sorted({path for path, _ in IDLE + SWITCHED} - COUNTED - {*RIICHI_FOR_NOTHING})
)
def test_omitted_rows_without_riichi_yaku_change_no_game(path: str) -> None:
    """Riichi that does not count as a yaku still has waits, ura dora and fouls."""
    tried = [
        rules_of(path, value, scenario, RIICHI_FOR_NOTHING)
        for scenario in SCENARIOS[path]
        for value in some_values(path, scenario)
    ]
    if not any(is_played(rules, path) for rules in tried):
        ends = list(traces(path, SCENARIOS[path], RIICHI_FOR_NOTHING).values())
        assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize(("path", "need"), IDLE)
def test_an_option_without_its_precondition_has_no_row(path: str, need: str) -> None:
    assert not applies(STANDARD.with_changes(lacking(need)), path)


@pytest.mark.parametrize(("path", "gate"), SWITCHED)
def test_a_switch_without_its_yaku_is_off(path: str, gate: str) -> None:
    name = path.split(".")[1]
    on = {path: {"paarenchan": "from_eighth", "nagashi_mangan": "as_win"}.get(name, True)}
    rules = load("standard-3" if path.startswith("kita.") else "standard").with_changes(PAARENCHAN | on)
    assert answer(rules, path) not in OFF
    try:
        without = rules.with_changes(lacking(gate))
    except RulesError:  # such rules are refused
        return
    assert answer(without, path) in OFF
    for language in LANGUAGES:
        assert answer_in_words(without, path, language) != answer_in_words(rules, path, language)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_omitted_rows_of_random_rules_change_no_game(seed: int) -> None:
    """With several options changed at once, options that are omitted or off make no difference."""
    chance = random.Random(seed)
    changes: Changes = {}
    for _, need in chance.sample(IDLE + SWITCHED, 4):
        changes |= lacking(need)
    tried = 0
    for path, scenario in [(path, case) for path, several in SCENARIOS.items() for case in several]:
        try:
            by_value = {
                value: rules_of(path, value, scenario, changes) for value in some_values(path, scenario)
            }
        except RulesError:  # the scenario's own rules contradict the changes
            continue
        if scenario.setting.get("streak") and changes.get("deal.renchan") == "none":
            continue  # if the deal always passes, no dealer can have won the previous hand
        if path not in {*changes, *COUNTED} and not any(
            is_played(rules, path) for rules in by_value.values()
        ):
            ends = [played(rules, scenario) for rules in by_value.values()]
            assert all(end == ends[0] for end in ends), path
            tried += 1
    assert tried


def some_values(path: str, scenario: Scenario) -> list[Any]:
    return [value for value in values_of(path, [scenario]) if not isinstance(value, list | dict)]


def is_played(rules: Ruleset, path: str) -> bool:
    """Return whether the booklet describes the option's value as in effect."""
    return applies(rules, path) and not (answer(rules, path) in OFF and rules.option(path) not in OFF)


@pytest.mark.parametrize("name", preset_names())
def test_rows_of_presets_are_relevant(name: str) -> None:
    rules = load(name)
    shown = rows(booklet(rules, "en"))
    for path, gate in APPLIES_IF.items():
        assert path not in shown or gate_open(gate, rules), path
    if rules.match.players == len(load("standard").seats):
        assert not [path for path in shown if path.startswith("kita.") or path == "score.missing_share"]


# The booklet's hands agree with the scorer and the settlement ----------------------------------------------

RIICHI = "123789m4699p222s 5p"
TANYAO = [Meld.parse("pon", "444p"), Meld.parse("pon", "666s")]
HANDS = {
    "calls.kuitan": (Win.parse("2223467m 8m", TANYAO), "tanyao"),
    "riichi.ippatsu": (Win.parse(RIICHI, riichi="riichi", ippatsu=True), "ippatsu"),
    "riichi.double": (Win.parse(RIICHI, riichi="double"), "double_riichi"),
}
WORTHS = (False, 0, 1, 3, "mangan", "yakuman")
SETTINGS: list[Changes] = [
    {"calls.kuitan": False}, {"riichi.ippatsu": False}, {"riichi.double": False}, {"calls.chi": False},
    {"draw.nagashi_mangan": "off"}, {"yaku.riichi.closed": False},
    *({f"yaku.{yaku}.{side}": worth} for yaku in ("tanyao", "ippatsu", "double_riichi")
      for side in ("closed", "open") for worth in WORTHS),
]  # fmt: skip


@pytest.mark.parametrize("path", HANDS)
@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_yaku_cards_match_the_scorer(path: str, changes: Changes) -> None:
    rules = STANDARD.with_changes(changes)
    win, yaku = HANDS[path]
    try:
        counted = {own for _, own, _ in score(win, rules).counted()}
    except JantakuError:  # without this yaku the hand has none
        counted = set()
    assert (answer(rules, path) not in OFF) == (yaku in counted)


@pytest.mark.parametrize("name", preset_names())
def test_open_hands_have_only_yaku_whose_cards_allow_it(name: str) -> None:
    """The card of no yaku in an open example says "closed hands only"."""
    rules = load(name)
    for yaku, card in cards(booklet(rules, "en")).items():
        closed, opened = worths(rules, yaku)
        if card.example is None or yaku in CLOSED_ONLY:
            continue
        is_open = any(meld.type.name != "ANKAN" for meld in card.example.melds)
        assert (opened if is_open else closed) is not False, yaku


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"match.oka": "none"},
        {"match.oka": 12_300},
        {"match.return_points": 25_000},
        {"match.return_points": 40_000},
        {"match.return_points": 25_000, "match.oka": 700},
    ],
    ids=str,
)
def test_first_place_receives_the_oka(changes: Changes) -> None:
    rules = STANDARD.with_changes({"match.length": "east", "match.uma": [0, 0, 0, 0], **changes})
    game = example_game(rules)
    assert game is not None
    assert game.final is not None
    first = max(range(4), key=lambda seat: game.scores[seat])
    oka = game.final[first] - game.scores[first] + rules.match.return_points
    for language in LANGUAGES:
        made = booklet(rules, language)
        facts = dict(next(block for block in made.chapters[0].blocks if isinstance(block, Facts)).rows)
        value = facts[terms.text("options.match.oka.label", language)]
        assert value == (
            terms.text("sheet.booklet.oka", language, points=oka)
            if oka
            else terms.text("options.match.oka.values.none", language)
        )


def random_rules(count: int) -> list[Ruleset]:
    """Return valid rules with random changes."""
    rulesets: list[Ruleset] = []
    chance = random.Random(7)
    while len(rulesets) < count:
        try:
            rulesets.append(load(mutated(chance)))
        except JantakuError:
            continue
    return rulesets


@pytest.mark.slow
def test_booklets_of_random_rules_are_consistent() -> None:
    """Steps, facts and rows agree with each other and with the settlement under any rules."""
    for rules in random_rules(25):
        try:
            made = booklet(rules, "en")
        except RulesError:  # no hand can score one of the yaku
            continue
        shown = rows(made)
        facts = dict(next(block for block in made.chapters[0].blocks if isinstance(block, Facts)).rows)
        for path, value in shown.items():
            assert applies(rules, path)
            assert facts.get(terms.text(f"options.{path}.label", "en"), value) == value
        steps = next(block for block in made.chapters[2].blocks if isinstance(block, Steps)).items
        assert len({title for title, _ in steps}) == len(steps)
        assert settle([{"end": "draw", "tenpai": []}], rules).honba == 1


# The sentences and their conditions ------------------------------------------------------------------------


STICKS = (0, 100, 300, 400, 500, 600, 700, 900, 1000, 1500, 5000)


@pytest.mark.parametrize(("stick", "language"), [*zip(STICKS, cycle(LANGUAGES), strict=False)])
def test_deposits_for_fouls_are_whole_sticks(stick: int, language: Language) -> None:
    """The booklet states the points charged in the settlement, or no penalty below a whole stick."""
    rules = STANDARD.with_changes({"riichi.deposit": stick})
    slip = {"end": "draw", "tenpai": [0], "fouls": [{"seat": 1, "foul": "call_slip"}]}
    plain = {"end": "draw", "tenpai": [0]}
    paid = settle([plain], rules).hands[0].deltas[1] - settle([slip], rules).hands[0].deltas[1]
    said = rows(booklet(rules, language))["fouls.call_slip"]
    assert (said == terms.text("options.foul_cost.values.none", language)) is (paid == 0)
    assert (f"{paid:,}" in said) is (paid != 0)
