"""The texts of explanations in one language, for one ruleset."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.rules.own_yaku import naming
from jantaku.rules.sheet import ruleset_name
from jantaku.tiles import format_tiles, tile_name

YAKUMAN: Final = ("yakuman", "double_yakuman", "triple_yakuman")


def value_text(han: int, fu: int, limit: str | None, language: terms.Language | None = None) -> str:
    """Return a value as text: ``3 han 40 fu``, ``mangan (5 han 30 fu)``, ``haneman (6 han)``.

    Fu are left out above mangan.
    """
    value = terms.text("explain.value.han_fu", language, han=han, fu=fu)
    if limit is None:
        return value
    if limit != "mangan":
        value = terms.text("explain.value.han", language, han=han)
    name = terms.text(f"explain.limit.{limit}", language)
    return terms.text("explain.value.limit", language, limit=name, value=value)


def yakuman_text(count: int, language: terms.Language | None = None) -> str:
    """Return the name of ``count`` yakuman, such as double yakuman for 2."""
    if count > len(YAKUMAN):
        return terms.text("explain.limit.many_yakuman", language, count=count)
    return terms.text(f"explain.limit.{YAKUMAN[count - 1]}", language)


@dataclass(frozen=True, slots=True)
class Words:
    """Looks up texts in one language for one ruleset.

    Calling it with a key returns the term ``explain.KEY`` with its placeholders filled.
    """

    language: terms.Language
    rules: Ruleset

    def __call__(self, key: str, **values: object) -> str:
        """Return the term ``explain.KEY`` with its placeholders filled."""
        return terms.text(f"explain.{key}", self.language, **values)

    def tile(self, kind: int) -> str:
        """Return a tile in notation and with its name."""
        return terms.tile_text(format_tiles([kind]), tile_name(kind, self.language))

    def tiles(self, tiles: Iterable[int]) -> str:
        """Return tiles in notation."""
        return terms.tile_text(format_tiles(tiles))

    def yaku(self, name: str, part: str = "name") -> str:
        """Return the ``name``, ``reading``, ``why`` or ``miss`` of a yaku; empty if a custom one lacks it."""
        own = next((yaku for yaku in self.rules.own_yaku if yaku.id == name), None)
        if own is None:
            return terms.text(f"yaku.{name}.{part}", self.language)
        if part == "why":
            return own.why(self.language, naming(self.rules.own_yaku, self.language))
        return own.word(part, self.language) if part == "name" else ""

    def option(self, path: str) -> str:
        """Return the label of the option with this path."""
        return terms.text(f"options.{path}.label", self.language)

    def value(self, han: int, fu: int, limit: str | None = None) -> str:
        """Return han and fu, with the limit they reach, as text."""
        return value_text(han, fu, limit, self.language)

    def yakuman(self, count: int) -> str:
        """Return the name of ``count`` yakuman."""
        return yakuman_text(count, self.language)

    @property
    def ruleset(self) -> str:
        """Name of the ruleset in the language."""
        return ruleset_name(self.rules, self.language)
