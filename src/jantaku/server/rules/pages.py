"""Rulesets as pages and files: list rows, sheets, errors, differences and booklets."""

import tomllib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import tomli_w

from jantaku import terms
from jantaku.errors import JantakuError, RequestError, RulesError, RulesFileError
from jantaku.rules import Ruleset, fingerprints, load, preset_names
from jantaku.rules.file_warnings import RulesReport, report_on
from jantaku.rules.ruleset import parent_of, parse
from jantaku.rules.sheet import (
    in_words,
    known_presets,
    label,
    ruleset_about,
    ruleset_name,
    sheet,
    worth_in_words,
)
from jantaku.rules.worths import displayed_worths
from jantaku.rules.yaku_names import yaku_name
from jantaku.server.edge.work import compiled_job, run_in_fork
from jantaku.server.rules.bodies import Checked, DiffRow, KnownRules, RulesPage, RulesProblem, RulesRow
from jantaku.terms import LANGUAGES, Language

if TYPE_CHECKING:
    from jantaku.server.storage.saved import SavedRuleset

MAX_NAME: Final = 100


def rules_name(rules: Ruleset | None, language: Language) -> str:
    """Return a ruleset's name, else the name of its parent marked as changed; ``None``: unreadable rules."""
    if rules is None:
        return terms.text("server.rules.unreadable", language)
    name = ruleset_name(rules, language)
    if name != rules.id:
        return name[:MAX_NAME]
    parent = rules.name.get(language) or rules.name.get("en", "")
    if not parent:
        return terms.text("server.rules.unnamed", language)
    return terms.text("server.rules.changed", language, rules=parent)


def own_yaku_names(rules: Ruleset | None) -> dict[str, dict[str, str]]:
    """Return the names of custom yaku by id and language."""
    return {yaku.id: dict(yaku.words.get("name", {})) for yaku in rules.own_yaku} if rules else {}


Data = dict[str, Any]


def changes_as_toml(rules: Ruleset) -> str:
    """Return a rules file that ``load`` reads as the same ruleset.

    Texts in languages that a file does not allow are omitted; stored rules may have them.
    """
    file: dict[str, Any] = {"extends": "standard"}
    for title, words in (("name", rules.name), ("about", rules.about)):
        shown = {language: text for language, text in words.items() if language in LANGUAGES}
        file |= {title: shown} if shown else {}
    for path, (value, _) in rules.differences(load("standard")).items():
        *tables, name = path.split(".")
        if value is not None:
            table = file
            for part in tables:
                table = table.setdefault(part, {})
            table[name] = _plain(value)
    for yaku in rules.own_yaku:
        file.setdefault("yaku", {}).setdefault(yaku.id, {}).update(yaku.settings)
    return tomli_w.dumps(file)


def _plain(value: Any) -> Any:
    """Convert a value to TOML types."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def row(rules: Ruleset, language: terms.Language, *, own: bool = False, house: bool = False) -> RulesRow:
    """Return a ruleset as a list row."""
    return RulesRow(
        id=rules.id,
        name=rules_name(rules, language),
        about=ruleset_about(rules, language),
        fingerprint=rules.fingerprint,
        own=own,
        house=house,
        players=len(rules.seats),
    )


def saved_row(saved: "SavedRuleset", language: terms.Language) -> RulesRow:
    """Return a saved ruleset as a row of its owner's list, even if it cannot be read."""
    if saved.rules is not None:
        return row(saved.rules, language, own=True)
    name = f"{saved.name} ({rules_name(None, language)})"
    return RulesRow(
        id=saved.id, name=name, about="", fingerprint=saved.id, own=True, house=False, players=None
    )


def page(rules: Ruleset, toml: str, language: terms.Language) -> RulesPage:
    """Return a ruleset in words, as data and as TOML."""
    whole = sheet(rules, language)
    return RulesPage(
        id=rules.id,
        extends=rules.id if rules.id in preset_names() else _parent(toml),
        name=rules_name(rules, language),
        about=whole.about,
        fingerprint=whole.fingerprint,
        players=len(rules.seats),
        sections=whole.sections,
        yaku=whole.yaku,
        tree=rules.to_dict(),
        toml=toml or changes_as_toml(rules),
        pdf=find_spec("typst") is not None,
        known=[KnownRules(id=name, name=rules_name(load(name), language)) for name in known_presets(rules)],
    )


def _parent(toml: str) -> str:
    return str(tomllib.loads(toml).get("extends", "standard"))


def parse_rules(toml: str) -> Ruleset:
    """Parse a rules file; raises ``RulesError``."""
    return parse_with_warnings(toml).rules


def parse_with_warnings(toml: str) -> RulesReport:
    """Parse a rules file with its warnings; raises ``RulesError``."""
    data = parse(toml, "TOML")
    parent, rules = parent_of(data), load(data)
    return report_on(rules.under(rules.fingerprint), parent, data)


def check_rules(toml: str, language: terms.Language) -> Checked:
    """Check a rules file; return its sheet with notes, or its errors."""
    try:
        report = parse_with_warnings(toml)
    except RulesError as error:
        every = error.problems if isinstance(error, RulesFileError) else [error]
        return Checked(ok=False, problems=_shown(every, language), notes=[], derived={})
    return Checked(
        ok=True,
        problems=[],
        notes=_shown(
            (*report.warnings, *(RulesError("derived", path=path) for path in report.derived)), language
        ),
        derived={path: fingerprints.plain(value) for path, value in report.derived.items()},
        fingerprint=report.rules.fingerprint,
        sheet=page(report.rules, toml, language),
    )


def _shown(problems: Sequence[RulesError], language: terms.Language) -> list[RulesProblem]:
    return [
        RulesProblem(path=problem.path, code=problem.code, message=_in_words(problem, language))
        for problem in problems
    ]


def _in_words(problem: RulesError, language: terms.Language) -> str:
    """Return an error message with the option's label instead of its path."""
    try:
        called = terms.text("server.rules.option", language, label=label(problem.path, language))
    except (KeyError, ValueError):
        return problem.message(language)
    return terms.with_tiles(
        f"errors.{problem.code}", language, problem.display_details(language) | {"path": called}
    )


def diff_rows(first: Ruleset, second: Ruleset, language: terms.Language) -> list[DiffRow]:
    """Return the options that differ; the closed and open value of a yaku share a row."""
    return list(_diff_rows(first, second, language))


def _diff_rows(first: Ruleset, second: Ruleset, language: terms.Language) -> Iterator[DiffRow]:
    seen_yaku = set()
    for path, (mine, theirs) in first.differences(second).items():
        section, name, *setting = path.split(".")
        owner = first if name in first.yaku else second
        if section == "yaku" and setting[0] in ("closed", "open"):
            values = [_worth(rules, name, language) for rules in (first, second)]
            if name not in seen_yaku and values[0] != values[1]:
                called = yaku_name(name, language, owner)
                yield DiffRow(path=f"yaku.{name}", label=called, first=values[0], second=values[1])
            seen_yaku.add(name)
        else:
            words = (in_words(path, mine, language), in_words(path, theirs, language))
            yield DiffRow(path=path, label=label(path, language, owner), first=words[0], second=words[1])


def _worth(rules: Ruleset, yaku: str, language: terms.Language) -> str:
    return " / ".join(worth_in_words(worth, language) for worth in displayed_worths(rules, yaku))


def read_rules(toml: str) -> Data:
    """Return the complete ruleset of a rules file as data for ``load``; raises ``RulesError``."""
    return parse_rules(toml).to_dict()


@compiled_job
def write_booklet(rules: Ruleset, wanted: Mapping[str, str], language: Language) -> bytes:
    """Write the booklet of a ruleset; ``wanted`` is a ``BookletBody`` as data.

    Raises ``RequestError`` (``logo_type``).
    """
    from jantaku.booklet import (  # noqa: PLC0415  (only workers need it)
        FORMATS,
        PAPERS,
        Cover,
        booklet,
        one_page,
        read_logo,
    )

    try:
        logo = read_logo(b64decode(wanted["logo"], validate=True)) if wanted["logo"] else None
    except ValueError as error:
        if isinstance(error, JantakuError):
            raise
        raise RequestError("logo_type", field="logo") from error
    cover = Cover(wanted["club"], wanted["date"], logo, rules_name(rules, language))
    known = wanted["known"]
    made = one_page(rules, known, language, cover) if known else booklet(rules, language, cover)
    write, paper = FORMATS[wanted["format"]].write, PAPERS[wanted["paper"]]
    if wanted["format"] == "pdf":  # the PDF library caches its last ten documents, 40 MB each
        return run_in_fork(write, made, paper, None)
    return write(made, paper, None)
