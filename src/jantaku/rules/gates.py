"""Conditions on a ruleset ("gates"), and the effective value of each yaku.

A condition requires that an option is on (``riichi.open``) or has a value (``riichi.ankan=never``,
``riichi.deposit!=0``); that a yaku counts (``yaku.tanyao``, ``yaku.tanyao.open``) or has a given
value (``yaku.pinfu.closed=0``); that any yaku has it (``yaku.*=0``, ``yaku.*.open=double_yakuman``); or it
compares the points added after the game (``final.oka!=0``). ``a & b`` requires both, ``a | b`` either; ``&``
binds more tightly.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Protocol

from jantaku.rules.catalogue import LIMIT_HAN, Worth, YakuValue, catalogue

OFF: Final = (False, "off", ())
"""Values that mean "off"."""
AT_A_DRAW: Final = "nagashi_mangan"
"""The yaku that is paid at an exhaustive draw, so no winning hand has it."""


class Options(Protocol):
    """The part of a ruleset that gates use."""

    @property
    def yaku(self) -> Mapping[str, YakuValue]:
        """Values of the yaku by id."""

    def option(self, path: str) -> Any:
        """Return the value of ``section.option``."""

    def __hash__(self) -> int: ...


def value_at(rules: Any, path: str) -> Any:
    """Return the value of ``section.option``; ``final.uma`` and ``final.oka`` are the most that they add."""
    if path == "final.oka":
        return rules.oka
    if path == "final.uma":
        return max(max(row) for row in (rules.match.uma, *rules.match.floating_uma))
    section, name = path.split(".")
    return getattr(getattr(rules, section), name)


def gate_open(gate: str, rules: Any) -> bool:
    """Return whether a condition holds; an empty one always does."""
    if "|" in gate:
        return any(gate_open(part, rules) for part in gate.split("|"))
    if "&" in gate:
        return all(gate_open(part, rules) for part in gate.split("&"))
    path, sign, wanted = gate.strip().partition("=")
    if not path:
        return True
    if path.startswith("yaku."):
        return _yaku_gate_open(path.removeprefix("yaku."), wanted, rules)
    value = value_at(rules, path.removesuffix("!"))
    if isinstance(value, Mapping):
        value = sum(value.values())
    if not sign:
        return value not in OFF
    return (str(value) == wanted) is not path.endswith("!")


def _yaku_gate_open(path: str, wanted: str, rules: Options) -> bool:
    """Return whether a yaku (``*``: any) counts (closed, open or either) or has the value ``wanted``."""
    name, _, side = path.partition(".")
    if name == "*":
        each = (worth for worth in rules.yaku if worth != AT_A_DRAW)
        return wanted in {_kind(worth) for pair in each for worth in _on_side(rules, pair, side)}
    return any(
        str(worth) == wanted if wanted else worth is not False for worth in _on_side(rules, name, side)
    )


def _on_side(rules: Options, yaku: str, side: str) -> tuple[Worth, ...]:
    closed, opened = worths(rules, yaku)
    return {"": (closed, opened), "closed": (closed,), "open": (opened,)}[side]


def _kind(worth: Worth) -> str:
    return "limit" if worth in LIMIT_HAN else str(worth)


@lru_cache(maxsize=4096)
def worths(rules: Options, yaku: str) -> tuple[Worth, Worth]:
    """Return the value of a yaku in a closed and in an open hand; ``False`` where it does not count.

    A yaku that requires another (as ippatsu requires riichi) counts only if the required one does.
    """
    value, entry = rules.yaku.get(yaku, YakuValue()), catalogue().get(yaku)
    if entry is None:  # a custom yaku
        return value.closed, value.open
    closed = value.closed if gate_open(entry.gate, rules) else False
    opened = value.open if gate_open(entry.gate, rules) and gate_open(entry.open_gate, rules) else False
    for other in entry.needs:
        base_closed, base_open = worths(rules, other)
        closed = False if base_closed is False else closed
        opened = False if base_open is False else opened
    if entry.han_from:
        han = int(rules.option(entry.han_from)) + entry.han_plus
        closed = han if type(closed) is int else closed
        opened = han if type(opened) is int else opened
    return closed, opened
