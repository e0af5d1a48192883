"""What the commands of ``jantaku event`` read: the file of an event or a season, and common options."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jantaku.adjudication.jsonl import parse_json
from jantaku.adjudication.named_rules import rules_of
from jantaku.cli.completion import RULES
from jantaku.cli.console import open_file, rules_finder, rules_named
from jantaku.errors import RecordError, RequestError

if TYPE_CHECKING:
    from jantaku.adjudication.named_rules import Find
    from jantaku.rules import Ruleset

DEFAULT_RULES = "standard"
MOST_BYTES = 64 * 1024 * 1024

EventFile = Annotated[str, typer.Argument(metavar="FILE")]
RulesName = Annotated[str | None, RULES]
AsJson = Annotated[bool, typer.Option("--json")]


def read_json(name: str) -> object:
    """The contents of a JSON file; raises ``RecordError`` or ``RequestError``."""
    with open_file(Path(name)) as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise RecordError("record_too_large", path=name, most=MOST_BYTES >> 20)
    try:
        return parse_json(text)
    except RequestError as error:
        why = error.details["reason"]
        raise RecordError("record_malformed", path=name, format="JSON", reason=why) from error


def _alone(data: object) -> Sequence[object]:
    return [data]


def read_with_rules(
    file: str, rules: str | None, naming: Callable[[object], Sequence[object]] = _alone
) -> tuple[object, "Ruleset", "Find"]:
    """The contents of an event or season file, its rules, and what finds rules that it names.

    Raises ``RequestError`` for ``rules`` if all parts of it that may name rules, ``naming``, name others.
    """
    ruleset = rules_named(rules or DEFAULT_RULES)
    data, find = read_json(file), rules_finder(rules or DEFAULT_RULES, ruleset)
    check_used(naming(data), rules, ruleset, find)
    return data, ruleset, find


def check_used(inputs: Sequence[object], rules: str | None, ruleset: "Ruleset", find: "Find") -> None:
    """Raise ``RequestError`` if the user's ``rules`` are not used, because every input names others."""
    named = [rules_of(data, ruleset, find) for data in inputs] if rules else []
    if named and all(other.fingerprint != ruleset.fingerprint for other in named):
        raise RequestError("unused_option", field="--rules", why=f"rules: {named[0].id}")
