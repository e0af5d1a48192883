"""Counts of legal action sequences: a different count means that the set of legal actions has changed.

``cd tests && python -m kernels.engine.test_perft`` rewrites ``tests/data/perft.tsv``. Run it only after an
intended change of the rules, and note the change in the changelog.

A row is a position, and the number of action sequences of each length that can follow it. The positions come
from twenty walls under random rules; half of the walls deal similar tiles to each hand, so that
tenpai, riichi and kans come early.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine import actions, dealing, entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.context import Context
from jantaku.kernels.engine.state import GAME, GAME_OVER, HAND_OVER
from jantaku.kernels.engine.wall import DEALT, dealt_to
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from support.presets import FOUR, THREE
from support.random_rules import random_rules
from support.scoring import DATA, table
from support.table import context, tile_set

WALLS, DEPTH = 20, 3
RULESETS: Final = 8  # the last ones are for three players
QUICK: Final = (0, 1)  # rulesets of the short suite
Game = Any  # an array of one ``GAME`` record


def rules_of(number: int) -> Ruleset:
    presets = THREE if number > RULESETS - 3 else FOUR
    return random_rules(Random(number), presets, shares=(0.4,), own=0)


def wall_of(number: int, rules: Ruleset) -> list[int]:
    """Return a shuffled wall; odd numbers deal each hand tiles close to each other."""
    wall, seats = tile_set(rules), rules.match.players
    dealt = DEALT * seats
    Random(number).shuffle(wall)
    if number % 2:
        ordered = iter(sorted(wall[:dealt], key=lambda tile: (tile % 34, tile)))
        for place in sorted(range(dealt), key=lambda place: int(dealt_to(place, seats))):
            wall[place] = next(ordered)
    return wall


def offers(games: Game, seat: int, rules: Any, room: Context) -> list[int]:
    """Return the codes of the legal actions of a seat."""
    out = np.empty(actions.MAX_ACTIONS, np.int16)
    return [int(code) for code in out[: entries.legal(games, seat, rules, room, out)]]


def position(number: int, rules: Ruleset) -> Game:
    """Return the game on a wall after some decisions, at least three before the end of the hand."""
    games, records, room = np.zeros(1, GAME), rules_record(rules), context(rules.tiles.man)
    dealing.start_match(games[0], records[0])
    wall = wall_of(number, rules)
    games[0].wall[: len(wall)] = wall
    dealing.start_hand(games[0], room)
    passed = [games.copy()]
    for decision in range(5 * number):
        legal = ((seat, offers(games, seat, records, room)) for seat in rules.seats)
        seat, codes = next((seat, codes) for seat, codes in legal if codes)
        entries.step(games, seat, codes[(7 * decision + number) % len(codes)], records, room)
        if games[0].phase in (HAND_OVER, GAME_OVER):
            return passed[-3:][0]
        passed.append(games.copy())
    return games


def perft(games: Game, rules: Any, depth: int, room: Context) -> int:
    """Return the number of action sequences by all seats to this depth; an ended hand counts as one."""
    if depth == 0 or games[0].phase in (HAND_OVER, GAME_OVER):
        return 1
    total = 0
    for seat in range(int(games[0].match.seats)):
        for code in offers(games, seat, rules, room):
            after = games.copy()
            assert entries.step(after, seat, code, rules, room) == engine.DONE
            total += perft(after, rules, depth - 1, room)
    return total


def counts(wall: int, number: int, depth: int = DEPTH) -> list[int]:
    """Return the counts of a row, from depth 1."""
    rules = rules_of(number)
    games, records, room = position(wall, rules), rules_record(rules), context(rules.tiles.man)
    return [perft(games, records, plies, room) for plies in range(1, depth + 1)]


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in range(RULESETS)]
)
def test_perft(number: int) -> None:
    rows = {(row["wall"], row["rules"]): row for row in table("perft.tsv")}
    walls, depth = (WALLS, DEPTH) if COMPILED else (2, 1)
    for wall in range(walls):
        row = rows[str(wall), str(number)]
        assert counts(wall, number, depth) == [int(row[str(plies)]) for plies in range(1, depth + 1)], wall


def lines() -> Iterator[str]:
    """Yield the lines of the file."""
    yield "# Sequences of legal actions by all seats to depth 1, 2, 3; wall and rules: see test_perft.py."
    yield "\t".join(["wall", "rules", *map(str, range(1, DEPTH + 1))])
    for wall in range(WALLS):
        for number in range(RULESETS):
            yield "\t".join(map(str, [wall, number, *counts(wall, number)]))


if __name__ == "__main__":
    (DATA / "perft.tsv").write_text("\n".join(lines()) + "\n", "utf-8")
