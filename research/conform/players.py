"""Random players of several styles, to reach every kind of ending, and walls stacked for rare hands."""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from jantaku.adjudication import batch
from jantaku.game import Action, Chi, Discard, Game, Kan, NineTerminals, Pass, Pon, Ron, Tsumo
from jantaku.game.actions import Kita
from jantaku.tiles import KINDS, RED, YAOCHUU

HONOURS: Final = range(27, 34)


@dataclass(frozen=True)
class Style:
    """Probabilities of a player's actions; ``wild`` is that of a random one.

    ``keeps`` names the tiles it discards last: ``orphans``, ``simples``, or those it has ``several`` of; if
    empty, it discards towards tenpai.
    """

    wild: float = 0.03
    win: float = 0.95
    riichi: float = 0.7
    kan: float = 0.6
    call: float = 0.15
    kita: float = 0.8
    abort: float = 0.5
    keeps: str = ""


STYLES: Final = (
    Style(),
    Style(wild=0.1),
    Style(call=0.6, kan=0.9),
    Style(riichi=0.05, win=0.6),
    Style(keeps="several", call=0.9, kan=0.9, riichi=0.2),
    Style(keeps="simples", win=0.3, call=0.0),
    Style(keeps="orphans", call=0.7, abort=0.0),
    Style(wild=1.0),
)
STYLE_WEIGHTS: Final = (8, 4, 4, 2, 2, 1, 1, 2)


def styles(rng: Random, seats: int) -> list[Style]:
    """Choose a style for each seat."""
    return rng.choices(STYLES, STYLE_WEIGHTS, k=seats)


def chosen(game: Game, seat: int, legal: list[Action], style: Style, rng: Random) -> Action:
    """Choose one of the legal actions."""
    if len(legal) == 1:
        return legal[0]
    for kinds, often in (
        ((Tsumo, Ron), style.win),
        ((), style.wild),
        ((NineTerminals,), style.abort),
        ((Kita,), style.kita),
        ((Kan,), style.kan),
        ((Pon, Chi), style.call),
        ((Pass,), 1.0),
    ):
        actions = [action for action in legal if not kinds or isinstance(action, kinds)]
        if actions and rng.random() < often:
            return rng.choice(actions)
    discards = [action for action in legal if isinstance(action, Discard)]
    declared = [discard for discard in discards if discard.riichi]
    if declared and rng.random() < style.riichi:
        return rng.choice(declared)
    plain = [discard for discard in discards if not discard.riichi]
    return _discard(game, seat, plain, style, rng) if plain else rng.choice(legal)


def _discard(game: Game, seat: int, discards: list[Discard], style: Style, rng: Random) -> Discard:
    if len(discards) == 1:
        return discards[0]
    hand, melds = game.record.hand[seat], int(game.record.melds[seat])
    if style.keeps == "several":
        worth = [hand[discard.tile % RED] for discard in discards]
    elif style.keeps:
        orphan = style.keeps == "orphans"
        worth = [(discard.tile % RED in YAOCHUU) == orphan for discard in discards]
    else:
        room = np.ascontiguousarray(hand[None, :KINDS])
        far = batch.discards(room, np.array([melds], np.uint8))[0][0]
        worth = [int(far[discard.tile % RED]) for discard in discards]
    least = min(worth)
    return rng.choice([tile for tile, value in zip(discards, worth, strict=True) if value == least])


def stacked(rng: Random, tiles: list[int], seats: int) -> list[int]:
    """Return tile numbers in deal order, with one or two seats starting close to a rare hand."""
    rest = list(tiles)
    rng.shuffle(rest)
    hands: list[list[int]] = [[] for _ in range(seats)]
    for seat in rng.sample(range(seats), rng.choice((1, 1, 2))):
        wanted = rng.choice(_SHAPES)(rng)
        for kind in wanted:
            tile = next((tile for tile in rest if tile // 4 == kind), None)
            if tile is not None and len(hands[seat]) < 13:
                rest.remove(tile)
                hands[seat].append(tile)
    for hand in hands:
        while len(hand) < 13:
            hand.append(rest.pop())
        rng.shuffle(hand)
    dealt = [hands[seat].pop() for _ in range(3) for seat in range(seats) for _ in range(4)]
    return [*dealt, *(hand.pop() for hand in hands), *rest]


def _dragons(rng: Random) -> list[int]:
    return [31, 31, 32, 32, 33, 33, *[rng.choice((31, 32, 33))]]


def _winds(rng: Random) -> list[int]:
    return [27, 27, 28, 28, 29, 29, 30, 30, *[rng.choice((27, 28, 29, 30))]]


def _orphans(rng: Random) -> list[int]:
    return rng.sample([int(kind) for kind in YAOCHUU], rng.choice((9, 11, 12, 13)))


def _threes(rng: Random) -> list[int]:
    return [kind for kind in rng.sample([0, 8, *range(9, 34)], 4) for _ in range(3)]


def _quads(rng: Random) -> list[int]:
    return [kind for kind in rng.sample([0, 8, *range(9, 34)], 3) for _ in range(4)]


def _gates(rng: Random) -> list[int]:
    first = rng.choice((9, 18))
    return [first] * 3 + [*range(first + 1, first + 8)] + [first + 8] * rng.choice((1, 2, 3))


def _pairs(rng: Random) -> list[int]:
    return [kind for kind in rng.sample([0, 8, *range(9, 34)], 6) for _ in range(2)]


def _run_of_pairs(rng: Random) -> list[int]:
    first = rng.choice((9, 18)) + rng.randrange(3)
    return [first + number for number in range(6) for _ in range(2)]


def _with_dead_wait(rng: Random) -> list[int]:
    """Return a quad and tiles that wait for the same kind, so that the player's own kan uses up the wait."""
    quad = rng.choice(range(9, 25))
    return [quad] * 4 + [kind for kind in (quad + 1, quad + 2) if kind < 27] + [quad - 1] * 2


_SHAPES: Final = (
    _dragons, _winds, _orphans, _threes, _quads, _gates, _pairs, _run_of_pairs, _with_dead_wait,
)  # fmt: skip
