"""Yaku of rulesets with examples: guides, the gallery of parts, and own yaku tried out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from jantaku import terms
from jantaku.adjudication.circumstances import circumstances
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.own_trial import NearHand, YakuTrial, judged, try_yaku
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import Score, score
from jantaku.booklet.document import ExampleHand, YakuCard, YakuCards
from jantaku.booklet.examples import ScoredExample
from jantaku.booklet.yaku import shown_example, value_of, yaku_blocks
from jantaku.errors import JantakuError, RulesError, RulesFileError, no_choice
from jantaku.rules import Ruleset, load
from jantaku.rules.gallery import GalleryPart, gallery
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import definition_of, letters_text, part_texts
from jantaku.rules.own.reader import ID
from jantaku.rules.own.settings import WHEN, own_ids
from jantaku.rules.own_yaku import naming
from jantaku.rules.ruleset import parse
from jantaku.rules.sheet import (
    worth_in_words,
    yaku_name,
)
from jantaku.server.edge.work import playing_job
from jantaku.server.rules.pages import parsed, rules_name
from jantaku.win import Win

if TYPE_CHECKING:
    from jantaku.adjudication.own_facts import ConditionPart

Data = dict[str, Any]
NEVER: Final = "tsumo and ron"
NOTHING: Final[Data] = {
    "problems": [], "definition": "", "parts": [], "joiner": "and", "letters": "", "having": [], "near": [],
    "always": [], "never": [], "tried": 0, "hand": None,
}  # fmt: skip


@playing_job
def tried_yaku(toml: str, yaku: str, hand: Mapping[str, Any] | None, language: terms.Language) -> Data:
    """``OwnTried`` as data for an own yaku of a rules file."""
    with terms.using(language), terms.with_pictures():
        try:
            rules = _rules_with(toml, yaku)
        except RulesError as error:
            return NOTHING | {"problems": _problems(error, yaku, language)}
        if all(own.id != yaku for own in rules.own_yaku):
            return dict(NOTHING)
        shown = NOTHING | _in_words(rules, yaku, language)
        shown |= _trial(try_yaku(rules, yaku, language), rules, language)
        return shown | {"hand": _judged(hand, rules, yaku, language) if hand else None}


def _rules_with(toml: str, yaku: str) -> Ruleset:
    """The rules of the file; if other parts of it are wrong, its parent's with the file's own yaku."""
    try:
        return parsed(toml)
    except RulesFileError as error:
        if any(_is_of(problem, yaku) for problem in error.problems):
            raise
        data = parse(toml, "TOML")
        rows = dict(_own_rows(data, error.problems))
        return load({"extends": data.get("extends", "standard"), "yaku": rows})


def _own_rows(data: Data, problems: Iterable[RulesError]) -> Iterator[tuple[str, Any]]:
    """The own yaku of a file, which may name each other; no hand has one that is wrong itself."""
    wrong = list(problems)
    for name in own_ids(data):
        if ID.fullmatch(name):
            is_wrong = any(_is_of(problem, name) for problem in wrong)
            yield name, {WHEN: NEVER} if is_wrong else data["yaku"][name]


def _is_of(problem: RulesError, yaku: str) -> bool:
    return f"{problem.path}.".startswith(f"yaku.{yaku}.")


def _problems(error: RulesError, yaku: str, language: terms.Language) -> list[Data]:
    """The problems of the yaku, or of the whole file if it cannot be read at all."""
    every = error.problems if isinstance(error, RulesFileError) else [error]
    mine = [problem for problem in every if _is_of(problem, yaku)] or list(every)
    return [
        {"path": problem.path, "message": problem.message(language), "at": problem.details.get("at", 0)}
        for problem in mine
    ]


def _in_words(rules: Ruleset, yaku: str, language: terms.Language) -> Data:
    """The condition in words, as a whole and part by part."""
    condition = read(next(own.condition for own in rules.own_yaku if own.id == yaku))
    nodes = condition.options or condition.parts
    named = naming(rules.own_yaku, language)
    return {
        "definition": definition_of(condition, language, named),
        "parts": [
            {"text": condition.written(node), "words": words}
            for node, words in zip(nodes, part_texts(condition, language, nodes, named), strict=True)
        ],
        "joiner": "or" if condition.options else "and",
        "letters": letters_text(condition, language),
    }


def _trial(trial: YakuTrial, rules: Ruleset, language: terms.Language) -> Data:
    return {
        "having": [
            {"example": _example(win, score, rules, language), "change": "", "parts": []}
            for win, score in trial.having
        ],
        "near": [_near(near, rules, language) for near in trial.near],
        "always": [yaku_name(name, language, rules) for name in trial.always],
        "never": [yaku_name(name, language, rules) for name in trial.never],
        "tried": trial.tried,
    }


def _near(near: NearHand, rules: Ruleset, language: terms.Language) -> Data:
    example = _example(near.win, None, rules, language)
    return {"example": example, "change": near.change.text(language), "parts": _parts(near.parts)}


def _example(win: Win, score: Score | None, rules: Ruleset, language: terms.Language) -> Data:
    """``YakuExample`` as data."""
    return {
        "hand": win.hand.tiles,
        "win": win.tile,
        "melds": win.hand.melds,
        "how": circumstances(win, language),
        "value": value_of(score, Words(language, rules)) if score else "",
    }


def _parts(parts: "list[ConditionPart] | tuple[ConditionPart, ...]") -> list[Data]:
    return [{"text": part.text, "words": part.words, "holds": part.holds} for part in parts]


def _judged(hand: Mapping[str, Any], rules: Ruleset, yaku: str, language: terms.Language) -> Data:
    """``OwnJudged`` as data."""
    flags = dict.fromkeys(hand["flags"], True)
    try:
        win = win_from_request({name: value for name, value in hand.items() if name != "flags"} | flags)
        error, has, parts = judged(win, rules, yaku, language)
    except JantakuError as error_:
        return {"has": False, "problem": error_.message(language), "parts": []}
    problem = terms.text(f"errors.{error}", language) if error else ""
    return {"has": has, "problem": problem, "parts": _parts(parts)}


@playing_job
def play_own_yaku(toml: str, yaku: str) -> Data:
    """Let bots play with an own yaku of a rules file: ``OwnPlayed`` as data."""
    from jantaku.lab.yaku_frequency import play_with  # noqa: PLC0415  (loads the lab)

    rules = parsed(toml)
    if all(own.id != yaku for own in rules.own_yaku):
        raise no_choice("yaku", yaku, [own.id for own in rules.own_yaku])
    return asdict(play_with(rules, yaku))


@playing_job
def yaku_guide(rules: Ruleset, language: terms.Language) -> Data:
    """``YakuGuide`` as data; raises ``RulesError`` (``no_example``) as the booklet does."""
    with terms.using(language):
        groups = [
            {"title": block.title, "yaku": [_card_data(card) for card in block.cards]}
            for block in yaku_blocks(rules, language)
            if isinstance(block, YakuCards)
        ]
        return {"id": rules.id, "name": rules_name(rules, language), "groups": groups}


def _card_data(card: YakuCard) -> Data:
    return {
        "id": card.id,
        "name": card.name,
        "names": dict(card.names),
        "worth": card.worth,
        "standard": card.standard,
        "definition": card.definition,
        "notes": list(card.notes),
        "example": None if card.example is None else example_data(card.example),
    }


def example_data(example: ExampleHand) -> Data:
    """``YakuExample`` as data."""
    hand = example.win.hand
    return {
        "hand": hand.tiles,
        "win": example.win.tile,
        "melds": hand.melds,
        "how": example.how,
        "value": example.value,
    }


@playing_job
def gallery_page(language: terms.Language) -> Data:
    """``Gallery`` as data."""
    with terms.using(language):
        return {"parts": [_part_data(part, language) for part in gallery().values()]}


def _part_data(part: GalleryPart, language: terms.Language) -> Data:
    shown = {"id": part.id, "kind": part.kind, "source": part.source, "changes": part.changes}
    said = {"name": part.name[language], "about": part.about[language]}
    if part.kind != "yaku":
        return {**shown, **said, "closed": "", "open": "", "example": None}
    own = part.rules["yaku"][part.id]
    return {
        **shown,
        **said,
        "closed": worth_in_words(own["closed"], language),
        "open": worth_in_words(own["open"], language),
        "example": _part_example(part, language),
    }


def _part_example(part: GalleryPart, language: terms.Language) -> Data:
    rules = load("standard").with_changes(part.changes)
    win = win_from_request(dict(part.example))
    return example_data(shown_example(ScoredExample(win, score(win, rules)), part.id, rules, language))
