"""Rulesets: options, presets, the yaku catalogue, and reading and checking of rules files."""

from typing import TYPE_CHECKING, Any

from jantaku.rules.catalogue import YakuEntry, YakuValue, catalogue
from jantaku.rules.ruleset import Ruleset, load, load_stored, preset_names

if TYPE_CHECKING:
    from jantaku.rules.rules_files import check_file, load_file

__all__ = [
    "Ruleset",
    "YakuEntry",
    "YakuValue",
    "catalogue",
    "check_file",
    "load",
    "load_file",
    "load_stored",
    "preset_names",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import the reader of rules files on first use, because presets do not need it."""
    if name not in ("check_file", "load_file"):
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from jantaku.rules import rules_files  # noqa: PLC0415

    return getattr(rules_files, name)
