"""The rows of the table: the expected effect of paying more or less for a yaku, or changing an option."""

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from jantaku import load
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_HAN, Worth, han_of

HIGH: Final = 8  # han
DOUBLE: Final = {"yakuman": "double_yakuman", "mangan": "baiman"}
SIGNS: Final = {"+": 1, "-": -1}


@dataclass(frozen=True, slots=True)
class Expected:
    """A change of the rules, and the row of a comparison (group and name) that should grow or shrink.

    ``level`` names the value tried for a yaku or option. ``sign`` is 0 if no direction is expected.
    """

    path: str
    level: str
    base: Ruleset
    changes: Mapping[str, Any]
    row: tuple[str, str]
    sign: int
    why: str

    @property
    def after(self) -> Ruleset:
        """The ruleset with the change applied."""
        return self.base.with_changes(self.changes)

    @property
    def id(self) -> str:
        """Unique name of the row."""
        return f"{self.path} {self.level}".strip()


def expected() -> list[Expected]:
    """Return all rows: the yaku in the order of the catalogue, then the options."""
    return [*_of_yaku(), *_of_options()]


def table(name: str) -> list[dict[str, str]]:
    """Read a table of this folder."""
    text = resources.files(__package__).joinpath(f"{name}.tsv").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _values(text: str) -> dict[str, Any]:
    """Parse ``a.b=1; c.d="x"`` into changes of a ruleset."""
    parts = (part.partition("=") for part in text.split("; ") if part)
    return {path.strip(): tomllib.loads(f"value = {value}")["value"] for path, _, value in parts}


def row_of(text: str) -> tuple[tuple[str, str], int]:
    """Parse ``+rate:riichi`` into a row and the sign of its expected change."""
    if text == "none":
        return ("", ""), 0
    group, _, name = text[1:].partition(":")
    return (group, name), SIGNS[text[0]]


def _of_yaku() -> Iterator[Expected]:
    standard = load("standard")
    for yaku in table("yaku"):
        name = yaku["yaku"]
        base = standard.with_changes(_values(yaku["base"])) if yaku["base"] else standard
        row, sign = row_of(yaku["row"])
        for level, up, worths in _levels(base.yaku[name].closed, base.yaku[name].open):
            changes = {f"yaku.{name}.{side}": worth for side, worth in worths.items()}
            yield Expected(f"yaku.{name}", level, base, changes, row, sign * up, yaku["why"])


def _levels(closed: Worth, opened: Worth) -> Iterator[tuple[str, int, dict[str, Worth]]]:
    """Yield the values to try: their name, the sign of the change, and the values closed and open."""
    sides = {name: worth for name, worth in (("closed", closed), ("open", opened)) if worth is not False}
    usual = max(map(han_of, sides.values()))
    limited = any(worth in LIMIT_HAN for worth in sides.values())
    level_worths: dict[str, dict[str, Worth]] = {
        "0": dict.fromkeys(sides, False if limited else 0),
        "2×": {name: _twice(worth) for name, worth in sides.items()},
        f"{HIGH}": dict.fromkeys(sides, "baiman" if limited else HIGH),
        "yakuman": dict.fromkeys(sides, "yakuman"),
    }
    tried = [sides]
    for level, worths in level_worths.items():
        if worths not in tried:
            tried.append(worths)
            yield level, 1 if max(map(han_of, worths.values())) > usual else -1, worths


def _twice(worth: Worth) -> Worth:
    return DOUBLE.get(worth, worth) if isinstance(worth, str) else 2 * worth


def _of_options() -> Iterator[Expected]:
    standard = load("standard")
    for option in table("options"):
        base = standard.with_changes(_values(option["base"])) if option["base"] else standard
        row, sign = row_of(option["row"])
        ((path, value),) = _values(option["change"]).items()
        yield Expected(path, str(value), base, {path: value}, row, sign, option["why"])
