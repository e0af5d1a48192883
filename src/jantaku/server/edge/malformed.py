"""What is wrong with a value that a request brings, in words of ours instead of those of the libraries."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from jantaku.errors import Phrase, phrase

# Parts of the names of pydantic's errors, and what we say of them; the first that is found counts
KINDS: Final = {
    "json": "json",
    "missing": "missing",
    "extra_forbidden": "unknown",
    "too_long": "long",
    "too_short": "short",
    "greater_than": "small",
    "less_than": "large",
    "literal": "choice",
    "enum": "choice",
    "pattern": "form",
    "zone": "zone",
}
LIMITS: Final = ("max_length", "min_length", "ge", "gt", "le", "lt")


def reason_of(error: ErrorDetails | Mapping[str, Any]) -> Phrase:
    """Why one value is refused."""
    kind = next((said for part, said in KINDS.items() if part in error["type"]), "kind")
    context = error.get("ctx", {})
    most = next((context[name] for name in LIMITS if name in context), "")
    return said_of(kind, most=f"{most:,}" if isinstance(most, int) else most)


def said_of(kind: str, **details: object) -> Phrase:
    """One of the reasons in ``terms/server_errors.*.toml`` under ``malformed``."""
    return phrase(f"server_errors.malformed.{kind}", **details)


def first_of(error: ValidationError) -> tuple[str, Phrase]:
    """Where the first wrong value is, and why it is refused."""
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"]), reason_of(first)
