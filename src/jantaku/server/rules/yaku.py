"""Yaku with example hands: guides to the yaku of a ruleset, the gallery, and trials of custom yaku."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from jantaku import terms
from jantaku.adjudication.circumstances import circumstances
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.own_facts import ConditionPart
from jantaku.adjudication.own_trial import judged, try_yaku
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import Score, score
from jantaku.booklet.document import ExampleHand, YakuCards
from jantaku.booklet.examples import ScoredExample
from jantaku.booklet.yaku import example_hand, shown_example, value_of, yaku_blocks
from jantaku.errors import JantakuError, RulesError, RulesFileError, wrong_choice
from jantaku.lab.yaku_frequency import PlayedYaku, play_with
from jantaku.rules import Ruleset, load
from jantaku.rules.gallery import GalleryPart, gallery
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import definition_of, letters_text, part_texts
from jantaku.rules.own.reader import ID
from jantaku.rules.own.settings import WHEN, own_ids
from jantaku.rules.own_yaku import naming
from jantaku.rules.ruleset import parse
from jantaku.rules.sheet import worth_in_words
from jantaku.rules.yaku_names import yaku_name
from jantaku.server.edge.work import compiled_job
from jantaku.server.rules.bodies import (
    Gallery,
    GalleryItem,
    OwnHand,
    OwnJudged,
    OwnProblem,
    OwnTried,
    YakuGuide,
)
from jantaku.server.rules.pages import parse_rules, rules_name
from jantaku.win import Win

Data = dict[str, Any]
NEVER: Final = "tsumo and ron"  # a condition that no hand fulfils
NOTHING: Final = OwnTried(
    problems=[], definition="", parts=[], joiner="and", letters="", having=[], near=[],
    always=[], never=[], tried=0, hand=None,
)  # fmt: skip


@compiled_job
def try_own_yaku(toml: str, yaku: str, hand: Mapping[str, Any] | None, language: terms.Language) -> OwnTried:
    """Describe a custom yaku of a rules file and try it on hands; errors are part of the result."""
    with terms.using(language), terms.with_pictures():
        try:
            rules = _rules_with(toml, yaku)
        except RulesError as error:
            return NOTHING.model_copy(update={"problems": _problems(error, yaku, language)})
        condition = next((read(own.condition) for own in rules.own_yaku if own.id == yaku), None)
        if condition is None:
            return NOTHING
        nodes, named = condition.options or condition.parts, naming(rules.own_yaku, language)
        trial = try_yaku(rules, yaku, language)
        words = zip(nodes, part_texts(condition, language, nodes, named), strict=True)
        return OwnTried(
            problems=[],
            definition=definition_of(condition, language, named),
            parts=[ConditionPart(condition.written(node), text) for node, text in words],
            joiner="or" if condition.options else "and",
            letters=letters_text(condition, language),
            having=[
                OwnHand(example=_example(win, score, rules, language), change="", parts=[])
                for win, score in trial.having
            ],
            near=[
                OwnHand(
                    example=_example(near.win, None, rules, language),
                    change=near.change.text(language),
                    parts=list(near.parts),
                )
                for near in trial.near
            ],
            always=[yaku_name(name, language, rules) for name in trial.always],
            never=[yaku_name(name, language, rules) for name in trial.never],
            tried=trial.tried,
            hand=_judged(hand, rules, yaku, language) if hand else None,
        )


def _rules_with(toml: str, yaku: str) -> Ruleset:
    """Return the rules of the file; if other parts have errors, its parent's rules with its own yaku.

    Raises ``RulesFileError`` if the yaku itself has errors.
    """
    try:
        return parse_rules(toml)
    except RulesFileError as error:
        if any(_is_of(problem, yaku) for problem in error.problems):
            raise
        data = parse(toml, "TOML")
        rows = dict(_own_rows(data, error.problems))
        return load({"extends": data.get("extends", "standard"), "yaku": rows})


def _own_rows(data: Data, problems: Iterable[RulesError]) -> Iterator[tuple[str, Any]]:
    """Yield the custom yaku of a file, which may refer to each other; those with errors never occur."""
    wrong = list(problems)
    for name in own_ids(data):
        if ID.fullmatch(name):
            is_wrong = any(_is_of(problem, name) for problem in wrong)
            yield name, {WHEN: NEVER} if is_wrong else data["yaku"][name]


def _is_of(problem: RulesError, yaku: str) -> bool:
    return f"{problem.path}.".startswith(f"yaku.{yaku}.")


def _problems(error: RulesError, yaku: str, language: terms.Language) -> list[OwnProblem]:
    """Return the errors of the yaku, or of the whole file if it cannot be read."""
    every = error.problems if isinstance(error, RulesFileError) else [error]
    mine = [problem for problem in every if _is_of(problem, yaku)] or list(every)
    return [
        OwnProblem(
            path=problem.path, message=problem.message(language), at=int(str(problem.details.get("at", 0)))
        )
        for problem in mine
    ]


def _example(win: Win, score: Score | None, rules: Ruleset, language: terms.Language) -> ExampleHand:
    value = value_of(score, Words(language, rules)) if score else ""
    return example_hand(win, circumstances(win, language), value)


def _judged(hand: Mapping[str, Any], rules: Ruleset, yaku: str, language: terms.Language) -> OwnJudged:
    flags = dict.fromkeys(hand["flags"], True)
    try:
        win = win_from_request({name: value for name, value in hand.items() if name != "flags"} | flags)
        error, has, parts = judged(win, rules, yaku, language)
    except JantakuError as error_:
        return OwnJudged(has=False, problem=error_.message(language), parts=[])
    problem = terms.text(f"errors.{error}", language) if error else ""
    return OwnJudged(has=has, problem=problem, parts=parts)


@compiled_job
def play_own_yaku(toml: str, yaku: str) -> PlayedYaku:
    """Let bots play with a custom yaku of a rules file and count its wins."""
    rules = parse_rules(toml)
    if all(own.id != yaku for own in rules.own_yaku):
        raise wrong_choice("yaku", yaku, [own.id for own in rules.own_yaku])
    return play_with(rules, yaku)


@compiled_job
def yaku_guide(rules: Ruleset, language: terms.Language) -> YakuGuide:
    """Return all yaku of the rules with examples; raises ``RulesError`` (``no_example``)."""
    with terms.using(language):
        groups = [block for block in yaku_blocks(rules, language) if isinstance(block, YakuCards)]
        return YakuGuide(id=rules.id, name=rules_name(rules, language), groups=groups)


@compiled_job
def gallery_page(language: terms.Language) -> Gallery:
    """Return the custom yaku and house rules that can be added to a rules file."""
    with terms.using(language):
        return Gallery(parts=[_item(part, language) for part in gallery().values()])


def _item(part: GalleryPart, language: terms.Language) -> GalleryItem:
    own = part.rules["yaku"][part.id] if part.kind == "yaku" else None
    return GalleryItem(
        id=part.id,
        kind=part.kind,
        name=part.name[language],
        about=part.about[language],
        closed=worth_in_words(own["closed"], language) if own else "",
        open=worth_in_words(own["open"], language) if own else "",
        source=part.source,
        changes=part.changes,
        example=_part_example(part, language) if own else None,
    )


def _part_example(part: GalleryPart, language: terms.Language) -> ExampleHand:
    rules = load("standard").with_changes(part.changes)
    win = win_from_request(dict(part.example))
    return shown_example(ScoredExample(win, score(win, rules)), part.id, rules, language)
