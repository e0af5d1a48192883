"""Options derived from others, so that a rules file need not set both.

A follower changes only if the file sets one of its leaders, does not set the follower, and would otherwise
contradict itself. Consistent rules are therefore read as written. A follower that cannot be on without its
leaders (``always``) is turned off even if the file sets it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from jantaku.rules.catalogue import YAKUMAN
from jantaku.rules.check import LIABLE
from jantaku.rules.options import SECTIONS
from jantaku.tiles import Tile, kinds_of

STICKS: Final = (10_000, 5_000, 1_000, 500, 100, 10, 1)


class Follower(NamedTuple):
    """A derived option; ``fitting`` returns a value that agrees with the leaders, unchanged if possible."""

    path: str
    leaders: tuple[str, ...]
    fitting: Callable[[Any], Any]
    always: bool = False  # even if the file sets it


def derived(rules: Any, given: frozenset[str]) -> dict[str, Any]:
    """Return the options that must change, by path, to agree with those at the paths ``given``."""
    values: dict[str, Any] = {}
    for path, leaders, fitting, always in FOLLOWERS:
        if not (always or (given.isdisjoint({path}) and not given.isdisjoint(leaders))):
            continue
        section, name = path.split(".")
        value = fitting(rules)
        if value != getattr(getattr(rules, section), name):
            values[path] = value
            rules = with_option(rules, path, value)
    return values


def with_option(rules: Any, path: str, value: Any) -> Any:
    """Return the rules with another value for one option, without checks."""
    section, name = path.split(".")
    return replace(rules, **{section: replace(getattr(rules, section), **{name: value})})


def given_paths(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the paths of the options and yaku settings that the data of a rules file set."""
    paths = {f"{section}.{name}" for section in SECTIONS for name in data.get(section, {})}
    for name, settings in data.get("yaku", {}).items():
        paths |= {f"yaku.{name}.{setting}" for setting in settings}
    return frozenset(paths)


def uma_for(match: Any) -> tuple[int, ...]:
    """Fit uma to the number of players: first and last place keep their uma, the places between get 0."""
    if len(match.uma) == match.players or not match.uma:
        return tuple(match.uma)
    return (match.uma[0], *[0] * (match.players - 2), match.uma[-1])


def sticks_for(points: int, sticks: Mapping[str, int]) -> dict[str, int]:
    """Adjust ``sticks`` (counts by value) to add up to ``points``.

    Large sticks are added or removed first, so that the small ones stay.

    >>> sticks_for(30000, {"10000": 1, "5000": 2, "1000": 4, "100": 10})
    {'10000': 1, '5000': 3, '1000': 4, '100': 10}
    """
    counts = {int(value): count for value, count in sticks.items()}
    gap = points - sum(value * count for value, count in counts.items())
    own = sorted(counts, reverse=True)
    for value in own:
        removed = min(counts[value], max(0, -gap) // value)
        counts[value] -= removed
        gap += removed * value
    if gap < 0:  # no stick is small enough to remove the rest: change one into smaller ones
        least = min(value for value in own if counts[value])
        counts[least] -= 1
        gap += least
    for value in (*own, *STICKS):
        counts[value] = counts.get(value, 0) + max(0, gap) // value
        gap -= max(0, gap) // value * value
    return {str(value): counts[value] for value in sorted(counts, reverse=True) if counts[value]}


def _sticks(rules: Any) -> Any:
    match = rules.match
    total = sum(int(value) * count for value, count in match.sticks.items())
    return match.sticks if total == match.start_points else sticks_for(match.start_points, match.sticks)


def _multiple_ron(rules: Any) -> str:
    """Return the value of ``win.multiple_ron`` that agrees with ``draw.sanchahou``."""
    ron: str = rules.win.multiple_ron
    if rules.draw.sanchahou == ron.endswith("triple_draw"):
        return ron
    if rules.draw.sanchahou:
        return "head_bump_triple_draw" if ron == "head_bump" else "double_triple_draw"
    return "head_bump" if ron == "head_bump_triple_draw" else "all"


def _red(rules: Any) -> Any:
    """Return the red tiles of kinds that are in the set."""
    kinds = kinds_of(rules.tiles.man)
    possible = {name: count for name, count in rules.tiles.red.items() if Tile.parse(name).kind in kinds}
    return rules.tiles.red if len(possible) == len(rules.tiles.red) else possible


def _pao(rules: Any) -> tuple[str, ...]:
    """Return the yaku with liability that are yakuman in an open hand."""
    return tuple(name for name in rules.pao.yakuman if rules.yaku[name].open in YAKUMAN)


FOLLOWERS: Final = (
    Follower("match.uma", ("match.players",), lambda r: uma_for(r.match)),
    Follower(
        "match.floating_uma",
        ("match.players",),
        lambda r: r.match.floating_uma if len(r.match.floating_uma) == r.match.players - 1 else (),
    ),
    Follower(
        "match.return_points",
        ("match.start_points",),
        lambda r: max(r.match.return_points, r.match.start_points),
    ),
    Follower("match.sticks", ("match.start_points",), _sticks),
    Follower("draw.sanchahou", ("win.multiple_ron",), lambda r: r.win.multiple_ron.endswith("triple_draw")),
    Follower("win.multiple_ron", ("draw.sanchahou",), _multiple_ron),
    Follower(
        "dora.kan_ura",
        ("dora.ura", "dora.kan_dora"),
        lambda r: r.dora.kan_ura and r.dora.ura and r.dora.kan_dora,
        always=True,
    ),
    Follower(
        "calls.kan_limit_one_player",
        ("draw.suukansanra",),
        lambda r: r.calls.kan_limit_one_player or not r.draw.suukansanra,
    ),
    Follower(
        "riichi.without_yaku",
        ("yaku.riichi.closed",),
        lambda r: r.riichi.without_yaku and r.yaku["riichi"].closed is not False,
    ),
    Follower("tiles.red", ("tiles.man",), _red),
    Follower("pao.yakuman", tuple(f"yaku.{name}.open" for name in LIABLE), _pao),
)
