"""What the fingerprint of a ruleset is made of: every option, but options younger than it only where set.

An option that is added later has the default "as it was played before". Left at that default it is not
hashed, so a ruleset, and every game saved under it, keeps the fingerprint that it had before the option
existed.
"""

from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Any, Final

from jantaku.rules.options import SECTIONS

# Options added since fingerprints are kept. Add to it, never take away.
LATER: Final[frozenset[str]] = frozenset()


def defaults() -> dict[str, Any]:
    """The default of every option by its path."""
    found = {}
    for section, cls in SECTIONS.items():
        for item in fields(cls):
            made = item.default_factory() if item.default_factory is not MISSING else item.default
            found[f"{section}.{item.name}"] = made
    return found


def hashed(options: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Those of ``(path, value)`` that a fingerprint says."""
    unset = {path: value for path, value in defaults().items() if path in LATER}
    return {path: value for path, value in options if path not in unset or value != unset[path]}
