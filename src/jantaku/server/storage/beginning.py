"""How a stored game begins: with the walls of its seed, or with those of a record from which it goes on."""

import json
from dataclasses import dataclass
from itertools import chain, count
from typing import Final

from jantaku.errors import RecordError
from jantaku.game import Game, Standing
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.game.mid_game_start import standing_from
from jantaku.rules import Ruleset
from jantaku.tiles import Tile, format_tiles, parse_tiles

VERSION: Final = 1


@dataclass(frozen=True)
class Beginning:
    """The first walls of a game, its standing if it began in the middle, and the seed of all other walls."""

    seed: bytes
    walls: tuple[tuple[Tile, ...], ...] = ()
    standing: Standing | None = None

    def game(self, rules: Ruleset) -> Game:
        """The game before its first action."""
        if not self.walls:
            return Game(rules, self.seed, standing=self.standing)
        tiles = tile_set(rules)
        later = (shuffled(tiles, self.seed, hand) for hand in count(len(self.walls)))
        return Game(rules, walls=chain(self.walls, later), standing=self.standing)

    @property
    def opening(self) -> str | None:
        """What is stored beside the seed, as text; nothing for a game that has only that."""
        if not self.walls and self.standing is None:
            return None
        walls = [format_tiles(wall, sort=False) for wall in self.walls]
        standing = self.standing and self.standing.to_dict()
        return json.dumps({"version": VERSION, "walls": walls, "standing": standing})


def beginning_of(seed: bytes, opening: str | None) -> Beginning:
    """Read what is stored of a game; raises ``RecordError`` for what a later version has stored."""
    if opening is None:
        return Beginning(seed)
    data = json.loads(opening)
    if data["version"] != VERSION:
        raise RecordError("record_version", line=1, found=data["version"], known=VERSION)
    standing = data["standing"] and standing_from(data["standing"])
    return Beginning(seed, tuple(tuple(parse_tiles(wall)) for wall in data["walls"]), standing)
