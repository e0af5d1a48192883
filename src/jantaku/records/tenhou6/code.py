"""Codes for tiles and calls in tenhou.net/6.

11–19 man, 21–29 pin, 31–39 sou, 41–47 honours, 51–53 the red fives, 60 the tile just drawn. Red tiles of
other ranks, which Tenhou lacks, are 61–69, 71–79 and 81–89. A call is its tiles with a letter before the
called one, which comes first in a call from the left, second from across, last from the right. A north set
aside is ``f44`` among the discards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jantaku.game.actions import Riichi
from jantaku.tiles import HONOURS, NORTH, RED, Tile

AS_DRAWN: Final = 60
NO_DISCARD: Final = 0  # the entry for an open kan, which is not followed by a discard
RIICHI: Final[dict[Riichi, str]] = {"riichi": "r", "open": "o"}
CHI, PON, OPEN_KAN, ADDED_KAN, CLOSED_KAN = "cpmka"
LETTERS: Final = "cpmka"
NUKI: Final = "f"
_FIVE: Final = 4


def number_of(tile: int) -> int:
    """Return the number of a tile.

    >>> [number_of(tile) for tile in (0, 27, 38, 36)]
    [11, 41, 51, 63]
    """
    suit, rank = divmod(tile % RED, 9)
    if tile < RED:
        return 10 * suit + rank + 11
    return 51 + suit if rank == _FIVE else 10 * suit + rank + 61


def tile_of(number: int) -> Tile:
    """Return the tile for a number; raise ``ValueError`` if there is none."""
    for tile in (*range(HONOURS + 7), *range(RED, RED + HONOURS)):
        if number_of(tile) == number:
            return Tile(tile)
    raise ValueError(number)


KITA: Final = f"{NUKI}{number_of(NORTH)}"


def is_kita(entry: object) -> bool:
    """Whether a discard is a north set aside; some programs use a special code for one just drawn."""
    return entry in (KITA, f"{NUKI}{AS_DRAWN}")


@dataclass(frozen=True, slots=True)
class CallCode:
    """A call: its letter, the number of tiles before the letter, the tile after it, and the other tiles."""

    letter: str
    at: int
    tile: Tile
    others: tuple[Tile, ...]

    def __str__(self) -> str:
        numbers = [str(number_of(tile)) for tile in self.others]
        numbers.insert(self.at, f"{self.letter}{number_of(self.tile)}")
        return "".join(numbers)

    @property
    def away(self) -> int:
        """How many of four places to the right the tile came from: 3 left, 2 across, 1 right."""
        return 3 if self.at == 0 else 2 if self.at == 1 else 1

    @property
    def key(self) -> tuple[str, int, Tile | None, list[Tile]]:
        """A key shared by all codes of the same call.

        It ignores the order of the other tiles and which tile of an ankan has the letter.
        """
        if self.letter == CLOSED_KAN:
            return self.letter, 0, None, sorted((self.tile, *self.others))
        return self.letter, self.away, self.tile, sorted(self.others)


def place_of(away: int, size: int) -> int:
    """Return the index of the letter in a call of ``size`` tiles from ``away`` places to the right."""
    return {3: 0, 2: 1, 1: size - 1}[away]


def parse_call(text: str) -> CallCode:
    """Parse a call; raise ``ValueError`` if it is invalid.

    >>> str(parse_call("47p4747")), parse_call("47p4747").away
    ('47p4747', 2)
    """
    letter = next((character for character in text if character in LETTERS), "")
    before, _, after = text.partition(letter) if letter else ("", "", "")
    if len(before) % 2 or len(after) % 2 or not after:
        raise ValueError(text)
    tiles = [tile_of(int(part)) for part in [*_pairs(before), *_pairs(after)]]
    index = len(before) // 2
    return CallCode(letter, index, tiles[index], tuple(tiles[:index] + tiles[index + 1 :]))


def _pairs(text: str) -> Sequence[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]
