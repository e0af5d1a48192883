"""The yaku catalogue: the rows of ``yaku.toml`` as typed values, in the order of the kernels' bits."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeGuard

Only = Literal["none", "tsumo", "man", "pin", "hatsu", "not_furiten"]
Worth = int | str | bool

LIMIT_HAN: Final[dict[str, int]] = {"mangan": 5, "haneman": 6, "baiman": 8, "sanbaiman": 11}
LIMIT_BASE: Final[dict[str, int]] = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000}
YAKUMAN_BASE: Final = 8000
YAKUMAN: Final[dict[str, int]] = {"yakuman": 1, "double_yakuman": 2}
MAX_HAN: Final = 26


@dataclass(frozen=True, kw_only=True)
class YakuValue:
    """Value of one yaku under a ruleset.

    ``closed`` and ``open`` are a number of han (0: the hand may win with it, but it adds nothing), a limit
    name, ``"yakuman"``, ``"double_yakuman"``, or ``False`` if the yaku does not count. ``replaces`` has the
    yaku that do not count with it, ``minimum`` states whether it satisfies the requirement of a yaku or two
    han, and ``only`` is a further condition.
    """

    closed: Worth = False
    open: Worth = False
    replaces: tuple[str, ...] = ()
    minimum: bool = True
    only: Only = "none"


@dataclass(frozen=True, kw_only=True)
class YakuEntry:
    """One row of the catalogue; the header of ``yaku.toml`` explains the fields."""

    id: str
    value: YakuValue
    gate: str = ""
    open_gate: str = ""
    han_from: str = ""
    han_plus: int = 0
    form_of: str = ""
    needs: tuple[str, ...] = ()
    accidental: bool = False
    example: Mapping[str, Any] = field(default_factory=dict)


def is_worth(value: object) -> TypeGuard[Worth]:
    """Return whether ``value`` is valid for ``closed`` and ``open``."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return 0 <= value <= MAX_HAN
    return isinstance(value, str) and (value in LIMIT_HAN or value in YAKUMAN)


def han_of(worth: Worth) -> int:
    """Convert a value to han: 13 for each yakuman, the lowest han of a limit, 0 for ``False``."""
    if isinstance(worth, str):
        return 13 * YAKUMAN[worth] if worth in YAKUMAN else LIMIT_HAN[worth]
    return int(worth)


@cache
def catalogue() -> dict[str, YakuEntry]:
    """Return all built-in yaku by id, in bit order, with their standard values."""
    source = resources.files(__package__).joinpath("yaku.toml").read_text("utf-8")
    value_names = {f.name for f in fields(YakuValue)}
    entries = {}
    for name, row in tomllib.loads(source).items():
        row["replaces"] = tuple(row.get("replaces", ()))
        value = YakuValue(**{k: v for k, v in row.items() if k in value_names})
        rest = {k: v for k, v in row.items() if k not in value_names}
        needs = [rest["form_of"]] if "form_of" in rest else []
        rest["needs"] = tuple(dict.fromkeys([*needs, *rest.get("needs", ())]))
        entries[name] = YakuEntry(id=name, value=value, **rest)
    return entries


@cache
def index_of(yaku: str) -> int:
    """Return the bit of a built-in yaku in the kernels' masks."""
    return list(catalogue()).index(yaku)
