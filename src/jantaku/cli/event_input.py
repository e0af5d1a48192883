"""What the commands of ``jantaku event`` read: the file of an event or a season, and common options."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jantaku.adjudication.jsonl import parse_json
from jantaku.cli.completion import RULES
from jantaku.cli.console import open_file, rules_finder, rules_named
from jantaku.errors import RecordError, RequestError

if TYPE_CHECKING:
    from jantaku.adjudication.named_rules import Find
    from jantaku.rules import Ruleset

MOST_BYTES = 64 * 1024 * 1024

EventFile = Annotated[str, typer.Argument(metavar="FILE")]
RulesName = Annotated[str, RULES]
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


def read_with_rules(file: str, rules: str) -> tuple[object, "Ruleset", "Find"]:
    """The contents of an event or season file, its rules, and what finds rules that it names."""
    ruleset = rules_named(rules)
    return read_json(file), ruleset, rules_finder(rules, ruleset)
