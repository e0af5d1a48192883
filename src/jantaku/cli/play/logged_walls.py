"""Walls of real games for a new game under any ruleset."""

from collections.abc import Iterator

from jantaku.errors import RecordError
from jantaku.game import fair_walls as fair
from jantaku.records.mjlog.log import Log, LogDoraTurned, LogDraw, LogHand, LogWon
from jantaku.records.mjlog.wall import WallConflictError, wall_of
from jantaku.rules import Ruleset
from jantaku.tiles import COPIES, RED, Tile, parse_tile


def walls_from(log: Log, rules: Ruleset, seed: bytes) -> Iterator[list[Tile]]:
    """The walls of a log's hands, followed by seeded ones for as long as the game lasts.

    Kinds and places are the log's. Red tiles are the ruleset's: of the four numbered copies of a kind, the
    first ones are red, whatever was red in the log. A log shows only what was dealt, drawn and turned; the
    seed shuffles the other tiles into the remaining places. Raises ``RecordError`` if the log has another
    number of players.
    """
    if log.seats != len(rules.seats):
        raise RecordError("record_other_players", count=log.seats, wanted=len(rules.seats))
    for number, hand in enumerate(log.hands):
        try:
            copies = _completed(hand, rules, seed, number)
        except WallConflictError:
            break
        yield [_tile(copy, rules) for copy in copies]
    tiles, number = fair.tile_set(rules), len(log.hands)
    while True:
        yield fair.shuffled(tiles, seed, number)
        number += 1


def _completed(hand: LogHand, rules: Ruleset, seed: bytes, number: int) -> list[int]:
    wall = list(wall_of(hand, rules))
    seen = _seen(hand)
    hidden = [index for index, copy in enumerate(wall) if copy not in seen]
    rest = fair.shuffled((wall[index] for index in hidden), seed, number)
    for index, copy in zip(hidden, rest, strict=True):
        wall[index] = copy
    return wall


def _seen(hand: LogHand) -> set[int]:
    """Every copy that the log shows, in Tenhou's numbers."""
    copies = {hand.dora, *(tile for tiles in hand.dealt for tile in tiles)}
    for step in hand.steps:
        if isinstance(step, LogDraw | LogDoraTurned):
            copies.add(step.tile)
        elif isinstance(step, LogWon):
            copies.update(step.ura)
    return copies


def _tile(copy: int, rules: Ruleset) -> Tile:
    kind, index = divmod(copy, COPIES)
    reds = sum(number for name, number in rules.tiles.red.items() if parse_tile(name) == kind)
    return Tile(kind + RED * (index < reds))
