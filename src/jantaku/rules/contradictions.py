"""Find settings that are valid alone but contradict each other; ``load`` refuses them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Final

from jantaku.bounded import named
from jantaku.errors import Phrases, RulesError
from jantaku.rules.catalogue import YAKUMAN, catalogue
from jantaku.rules.check import LIABLE, unknown
from jantaku.rules.gates import gate_open, value_at
from jantaku.rules.options import FOUL_DEPOSIT, SECTIONS
from jantaku.rules.own.naming import in_cycles
from jantaku.tiles import Tile, kinds_of

_STICK: Final = re.compile("[1-9][0-9]{0,6}")
_RED: Final = re.compile("[1-9][mps]")


def contradictions(rules: Any) -> Iterator[RulesError]:
    """Yield an error for each contradiction in a ruleset."""
    yield from uma_problems(rules.match)
    for path, clashes, code in CLASHES:
        if clashes(rules):
            yield RulesError(code, path=path)
    yield from stick_problems(rules.match)
    yield from red_problems(rules.tiles)
    yield from liability_problems(rules)
    if rules.fouls.mode == "penalise":
        yield from foul_deposit_problems(rules)
    yield from gate_problems(rules)
    for yaku in in_cycles(rules.own_yaku):
        yield RulesError("own_circle", path=f"yaku.{yaku.id}.when", yaku=yaku.id)


CLASHES: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("match.return_points", lambda r: r.match.return_points < r.match.start_points, "return_below_start"),
    ("end.top_points", lambda r: 0 < r.end.top_points <= r.match.start_points, "top_at_start"),
    (
        "match.floating_uma",
        lambda r: len(r.match.floating_uma) not in (0, r.match.players - 1),
        "floating_rows",
    ),
    (
        "win.multiple_ron",
        lambda r: r.win.multiple_ron.endswith("triple_draw") != r.draw.sanchahou,
        "triple_ron",
    ),
    (
        "calls.kan_limit_one_player",
        lambda r: not r.calls.kan_limit_one_player and not r.draw.suukansanra,
        "fifth_kan_without_draw",
    ),
    ("yaku.nagashi_mangan.closed", lambda r: type(r.yaku["nagashi_mangan"].closed) is int, "nagashi_han"),
)


def uma_problems(match: Any) -> Iterator[RulesError]:
    """Yield an error for each uma row that lacks a number for a player or does not add up to zero."""
    rows = (("match.uma", match.uma), *(("match.floating_uma", row) for row in match.floating_uma))
    for path, row in rows:
        if len(row) != match.players:
            yield RulesError("uma_length", path=path, players=match.players, count=len(row))
        elif sum(row):
            yield RulesError("uma_sum", path=path, total=sum(row))


def stick_problems(match: Any) -> Iterator[RulesError]:
    """Yield an error if the point sticks do not add up to the starting points."""
    sticks = {int(value): count for value, count in match.sticks.items() if _STICK.fullmatch(value)}
    total = sum(value * count for value, count in sticks.items())
    if total != match.start_points or len(sticks) != len(match.sticks):
        yield RulesError("sticks_total", path="match.sticks", total=total, start=match.start_points)


def liability_problems(rules: Any) -> Iterator[RulesError]:
    """Yield an error for each yaku with liability that no call can make certain or that is not a yakuman."""
    for name in rules.pao.yakuman:
        if name not in catalogue():
            yield unknown("pao.yakuman", name, LIABLE)
        elif name not in LIABLE:
            yield RulesError("pao_never_liable", path="pao.yakuman", yaku=name, known=Phrases(LIABLE))
        elif rules.yaku[name].open not in YAKUMAN:
            yield RulesError("pao_not_yakuman", path="pao.yakuman", yaku=name)


def foul_deposit_problems(rules: Any) -> Iterator[RulesError]:
    """Yield an error for each foul that costs a deposit if riichi sticks cannot pay it (inventory 202)."""
    stick = rules.riichi.deposit
    if stick and FOUL_DEPOSIT % stick == 0:
        return
    for item in fields(rules.fouls):
        if getattr(rules.fouls, item.name) == "deposit_1000":
            yield RulesError("foul_deposit", path=f"fouls.{item.name}", stick=stick)


def gate_problems(rules: Any) -> Iterator[RulesError]:
    """Yield an error for each option that is turned on although none of its yaku counts."""
    gated: dict[str, list[str]] = {}
    for entry in catalogue().values():
        if entry.gate:
            gated.setdefault(entry.gate, []).append(entry.id)
    for gate, names in gated.items():
        path = gate.partition("=")[0]
        section, name = path.split(".")
        turned_on = value_at(rules, path) != getattr(SECTIONS[section](), name) and gate_open(gate, rules)
        worths = [worth for yaku in names for worth in (rules.yaku[yaku].closed, rules.yaku[yaku].open)]
        if turned_on and all(worth is False for worth in worths):
            yield RulesError("option_without_yaku", path=path, yaku=names[0])


def red_problems(tiles: Any) -> Iterator[RulesError]:
    """Yield an error for each red tile that is invalid or not in the set; bounds check the numbers."""
    for name in tiles.red:
        path = f"tiles.red.{named(name)}"
        if not _RED.fullmatch(name):
            yield RulesError("red_kind", path=path, name=named(name))
        elif Tile.parse(name).kind not in kinds_of(tiles.man):
            yield RulesError("red_absent", path=path, name=name)
