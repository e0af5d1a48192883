"""The gallery: custom yaku and house rules to paste into a rules file, with their sources."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from jantaku.errors import RulesError, did_you_mean
from jantaku.rules.catalogue import YakuValue
from jantaku.rules.fingerprints import leaves
from jantaku.rules.inventory import statements_about
from jantaku.rules.own.settings import WHEN, WORDS
from jantaku.terms import Language, literal

YAKU_SETTINGS: Final = tuple(item.name for item in fields(YakuValue))
YAKU: Final = "gallery_yaku.toml"
HOUSE: Final = "gallery_house.toml"
Words = Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class GalleryPart:
    """A custom yaku or house rule that can be added to a rules file.

    ``rules`` is the addition as data. ``source`` is a URL, or empty if the inventory has the source. A yaku
    has an ``example`` hand and a hand that narrowly misses it (``near``), both as JSON-lines requests.
    """

    id: str
    kind: Literal["yaku", "house"]
    name: Words
    about: Words
    rules: Mapping[str, Any]
    source: str = ""
    example: Mapping[str, Any] = field(default_factory=dict)
    near: Mapping[str, Any] = field(default_factory=dict)

    @property
    def changes(self) -> dict[str, Any]:
        """The options that it sets, by path, as for ``Ruleset.with_changes``."""
        return dict(leaves(self.rules))

    @property
    def statements(self) -> tuple[str, ...]:
        """Numbers of the inventory statements about these options."""
        paths = (path.removesuffix(".closed") for path in self.changes)
        return tuple(dict.fromkeys(number for path in paths for number in statements_about(path)))

    @property
    def toml(self) -> str:
        """The lines to add to a rules file."""
        tables: dict[str, list[str]] = {}
        for path, value in self.changes.items():
            table, _, name = path.rpartition(".")
            tables.setdefault(table, []).append(f"{name} = {literal(value)}")
        return "\n\n".join("\n".join([f"[{table}]", *lines]) for table, lines in tables.items())


@cache
def gallery() -> dict[str, GalleryPart]:
    """Return all parts by id: the custom yaku, then the house rules."""
    return {part.id: part for part in (*_yaku(), *_house())}


def part_of(name: str) -> GalleryPart:
    """Return the part with this id; raises ``RulesError`` (``unknown_part``) with a suggestion."""
    if (part := gallery().get(name)) is None:
        raise RulesError("unknown_part", path=name, hint=did_you_mean(name, list(gallery())))
    return part


def _yaku() -> Iterator[GalleryPart]:
    for name, row in _rows(YAKU):
        own = {key: row[key] for key in (*YAKU_SETTINGS, WHEN, *WORDS) if key in row}
        rules = {"yaku": {name: own}}
        yield GalleryPart(
            name, "yaku", row["name"], row["definition"], rules, row["source"], row["example"], row["near"]
        )


def _house() -> Iterator[GalleryPart]:
    for name, row in _rows(HOUSE):
        yield GalleryPart(name, "house", row["name"], row["about"], row["rules"], row.get("source", ""))


def _rows(file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    text = resources.files(__package__).joinpath(file).read_text("utf-8")
    yield from tomllib.loads(text).items()
