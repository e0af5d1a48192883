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
    """``3 han 40 fu``, ``mangan (5 han 30 fu)``, ``haneman (6 han)``: above mangan fu are left out."""
    value = terms.text("explain.value.han_fu", language, han=han, fu=fu)
    if limit is None:
        return value
    if limit != "mangan":
        value = terms.text("explain.value.han", language, han=han)
    name = terms.text(f"explain.limit.{limit}", language)
    return terms.text("explain.value.limit", language, limit=name, value=value)


def yakuman_text(count: int, language: terms.Language | None = None) -> str:
    """The name of ``count`` yakuman together."""
    if count > len(YAKUMAN):
        return terms.text("explain.limit.many_yakuman", language, count=count)
    return terms.text(f"explain.limit.{YAKUMAN[count - 1]}", language)


@dataclass(frozen=True, slots=True)
class Words:
    """Looks up texts; a call with a key returns ``explain.KEY`` with its placeholders filled."""

    language: terms.Language
    rules: Ruleset

    def __call__(self, key: str, **values: object) -> str:
        """The explanation text named by ``key``."""
        return terms.text(f"explain.{key}", self.language, **values)

    def tile(self, kind: int) -> str:
        """The name of one tile."""
        return terms.tile_text(format_tiles([kind]), tile_name(kind, self.language))

    def tiles(self, tiles: Iterable[int]) -> str:
        """Tiles in notation."""
        return terms.tile_text(format_tiles(tiles))

    def yaku(self, name: str, part: str = "name") -> str:
        """``name``, ``reading``, ``why`` or ``miss`` of a yaku; a own yaku may lack some."""
        own = next((yaku for yaku in self.rules.own_yaku if yaku.id == name), None)
        if own is None:
            return terms.text(f"yaku.{name}.{part}", self.language)
        if part == "why":
            return own.why(self.language, naming(self.rules.own_yaku, self.language))
        return own.word(part, self.language) if part == "name" else ""

    def option(self, path: str) -> str:
        """The label of an option."""
        return terms.text(f"options.{path}.label", self.language)

    def value(self, han: int, fu: int, limit: str | None = None) -> str:
        """Han and fu, and the limit they reach."""
        return value_text(han, fu, limit, self.language)

    def yakuman(self, count: int) -> str:
        """The name of ``count`` yakuman together."""
        return yakuman_text(count, self.language)

    @property
    def ruleset(self) -> str:
        """The name of the ruleset."""
        return ruleset_name(self.rules, self.language)
