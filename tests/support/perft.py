"""Counts of legal play: run as a module, this file writes ``tests/data/perft.tsv`` anew.

Write it anew only for a change of the rules that is meant, and say so in the changelog.

A row is a position and how many sequences of actions by all seats lead on from it, to each depth. There are
twenty walls, half of them dealt in order, so that tenpai, riichi and kans are near, and six rulesets, which
together have every option of the engine on each of its sides. A preset of three players follows them.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from jantaku.kernels.engine import actions, dealing, entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.context import Context
from jantaku.kernels.engine.state import GAME, GAME_OVER, HAND_OVER
from jantaku.kernels.engine.wall import DEALT, dealt_to
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset, load
from support.engine_options import MULTIPLE_RON, OPTIONS, without_contradictions
from support.table import context, ruleset, tile_set

FILE: Final = Path(__file__).parents[1] / "data" / "perft.tsv"
WALLS, RULESETS, DEPTH = 20, 6, 3
PRESETS: Final = ("standard-3",)
Game = Any  # an array of one GAME


def rules_of(number: int | str) -> Ruleset:
    """A preset, or one of the six: each option takes its values in turn, not all at the same pace."""
    if isinstance(number, str):
        return load(number)
    changes = {
        path: values[(number // (1 + i % 3) + i) % len(values)]
        for i, (path, values) in enumerate(OPTIONS.items())
    }
    return ruleset(without_contradictions(changes, MULTIPLE_RON[number % len(MULTIPLE_RON)]))


def wall_of(number: int, rules: Ruleset) -> list[int]:
    """A shuffled wall; an odd one deals each hand tiles that lie next to each other."""
    wall, seats = tile_set(rules), rules.match.players
    dealt = DEALT * seats
    Random(number).shuffle(wall)
    if number % 2:
        ordered = iter(sorted(wall[:dealt], key=lambda tile: (tile % 34, tile)))
        places = sorted(range(dealt), key=lambda place: int(dealt_to(place, seats)))
        for place in places:
            wall[place] = next(ordered)
    return wall


def offers(games: Game, seat: int, rules: Any, room: Context | None = None) -> list[int]:
    """The codes of the actions that a seat may take; ``room`` is that of a set with few man tiles."""
    out = np.empty(actions.MOST_ACTIONS, np.int16)
    count = entries.legal(games, seat, rules, room or context(), out)
    return [int(code) for code in out[:count]]


def position(number: int, rules: Ruleset) -> Game:
    """The game on a wall after some decisions, three before the hand's end at the latest."""
    games, records, room = np.zeros(1, GAME), rules_record(rules), context(rules.tiles.man)
    dealing.start_match(games[0], records[0])
    wall = wall_of(number, rules)
    games[0].wall[: len(wall)] = wall
    dealing.start_hand(games[0], room)
    passed = [games.copy()]
    for decision in range(5 * number):
        asked = ((seat, offers(games, seat, records, room)) for seat in rules.seats)
        seat, codes = next((seat, codes) for seat, codes in asked if codes)
        entries.step(games, seat, codes[(7 * decision + number) % len(codes)], records, room)
        if games[0].phase in (HAND_OVER, GAME_OVER):
            return passed[-3:][0]
        passed.append(games.copy())
    return games


def perft(games: Game, rules: Any, depth: int, room: Context) -> int:
    """How many sequences of actions by all seats there are to this depth; an ended hand counts as one."""
    if depth == 0 or games[0].phase in (HAND_OVER, GAME_OVER):
        return 1
    total = 0
    for seat in range(int(games[0].match.seats)):
        for code in offers(games, seat, rules, room):
            after = games.copy()
            assert entries.step(after, seat, code, rules, room) == engine.DONE
            total += perft(after, rules, depth - 1, room)
    return total


def counts(wall: int, number: int | str, depth: int = DEPTH) -> list[int]:
    """The counts of a row, from depth 1 on."""
    rules = rules_of(number)
    games, records, room = position(wall, rules), rules_record(rules), context(rules.tiles.man)
    return [perft(games, records, plies, room) for plies in range(1, depth + 1)]


def lines() -> Iterator[str]:
    """The file, line by line."""
    yield "# Sequences of legal actions by all seats to depth 1, 2, 3; wall and rules: see support/perft.py."
    yield "\t".join(["wall", "rules", *map(str, range(1, DEPTH + 1))])
    for wall in range(WALLS):
        for number in (*range(RULESETS), *PRESETS):
            yield "\t".join(map(str, [wall, number, *counts(wall, number)]))


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", "utf-8")
