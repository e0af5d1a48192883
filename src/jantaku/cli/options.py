"""Options shared by several commands, and reading the files they name."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import unquote

import typer

from jantaku.adjudication.jsonl import parse_json
from jantaku.adjudication.named_rules import rules_of
from jantaku.cli.command import RULES
from jantaku.cli.console import open_file, rules_finder, rules_named
from jantaku.errors import RecordError, RequestError

if TYPE_CHECKING:
    from jantaku.adjudication.named_rules import Find
    from jantaku.rules import Ruleset


DEFAULT_RULES = "standard"
MAX_BYTES = 64 * 1024 * 1024

EventFile = Annotated[str, typer.Argument(metavar="FILE")]
RulesName = Annotated[str | None, RULES]


def read_json(name: str) -> object:
    """Read a JSON file; raises ``RecordError``."""
    with open_file(Path(name)) as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise RecordError("record_too_large", path=name, most=MAX_BYTES >> 20)
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
    """Read an event or season file; return its contents, its rules, and the loader of the rules it names.

    ``naming`` returns the parts of the contents that may name rules. Raises ``RequestError`` if ``rules``
    are unused because all these parts name others.
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


QUERY_PASSWORD: Final = re.compile(r"[?&;]\s*(ssl)?password\s*=", re.IGNORECASE)


def without_password(context: typer.Context, parameter: typer.CallbackParam, url: str) -> str:
    """Check a database URL; raises ``secret_shown`` for a password, since others can see the command line."""
    return _checked(context, parameter, url, shown=has_password(url))


def without_credentials(context: typer.Context, parameter: typer.CallbackParam, url: str) -> str:
    """Check NATS URLs; raises ``secret_shown`` for a password or token on the command line."""
    return _checked(context, parameter, url, shown="@" in unquote(url) or has_password(url))


def has_password(url: str) -> bool:
    """Whether a URL contains a password, even if it is malformed.

    >>> has_password("postgresql://mina@host:5432/club"), has_password("mina:horse@host")
    (False, True)
    """
    _, _, rest = url.rpartition("://")
    user, _, _ = rest.rpartition("@")
    return ":" in user or bool(QUERY_PASSWORD.search(unquote(url)))


def _checked(context: typer.Context, parameter: typer.CallbackParam, url: str, *, shown: bool) -> str:
    source = context.get_parameter_source(parameter.name or "")
    if shown and source is not None and source.name == "COMMANDLINE":
        raise RequestError("secret_shown", field=parameter.opts[0], variable=parameter.envvar)
    return url


DataFolder = Annotated[Path | None, typer.Option(metavar="FOLDER", envvar="JANTAKU_DATA_DIR")]
Database = Annotated[
    str, typer.Option(metavar="URL", envvar="JANTAKU_DATABASE_URL", callback=without_password)
]
