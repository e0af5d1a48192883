"""An own yaku of a rules file, tried out: its condition in words, hands with it and hands nearly with it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from jantaku import terms
from jantaku.adjudication.circumstances import circumstances
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.own_trial import NearHand, YakuTrial, judged, try_yaku
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import Score
from jantaku.booklet.yaku import value_of
from jantaku.errors import JantakuError, RulesError, RulesFileError
from jantaku.game.codecs import meld_to_dict
from jantaku.rules import Ruleset, load
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import definition_of, letters_text, part_texts
from jantaku.rules.own.reader import ID
from jantaku.rules.own.settings import WHEN, own_ids
from jantaku.rules.own_yaku import naming
from jantaku.rules.ruleset import parse
from jantaku.rules.sheet import yaku_name
from jantaku.server.rules.rules_pages import parsed
from jantaku.tiles import format_tiles
from jantaku.win import Win

if TYPE_CHECKING:
    from jantaku.adjudication.own_facts import ConditionPart

Data = dict[str, Any]
NEVER: Final = "tsumo and ron"
NOTHING: Final[Data] = {
    "problems": [], "definition": "", "parts": [], "joiner": "and", "letters": "", "having": [], "near": [],
    "always": [], "never": [], "tried": 0, "hand": None,
}  # fmt: skip


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
        "hand": format_tiles(win.hand.tiles),
        "win": format_tiles([win.tile]),
        "melds": [meld_to_dict(meld) for meld in win.hand.melds],
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
