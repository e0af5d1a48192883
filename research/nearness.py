"""Measures hands' shanten: ``python -m research.nearness > src/jantaku/bots/search/nearness.tsv``.

In games between ``standard`` bots, counts the shanten of every hand without riichi after each discard,
by number of melds and discards. The lab deals unseen hands according to this table.
"""

import sys

import numpy as np

from jantaku.adjudication.analysis import shanten
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.kernels.engine.state import YOUR_TURN

GAMES, SEED = 2000, 1
MELDS, DISCARDS, SHANTEN = 5, 25, 8
MIN_HANDS = 200  # a row with fewer hands is replaced by the row for one discard fewer


def main() -> None:
    """Print the table: how many of 1000 hands have a shanten of 0 or less, 1 or less, and so on."""
    counted = np.zeros((MELDS, DISCARDS, SHANTEN), np.int64)
    player = bot("standard", SEED)
    for number in range(GAMES):
        game = Game("standard", seed=SEED + number)
        while not game.is_over:
            seat = game.to_act[0]
            before = game.record.phase == YOUR_TURN
            game.play(seat, player.choose(game, seat))
            record = game.record
            if before and not game.is_over and record.discards[seat] and not record.riichi[seat]:
                distance = shanten(np.ascontiguousarray(record.hand[seat]), int(record.melds[seat]))
                column = min(int(record.discards[seat]), DISCARDS - 1)
                counted[record.melds[seat], column, max(0, min(distance, SHANTEN - 1))] += 1
    _print(counted)


def _print(counted: "np.ndarray[tuple[int, int, int], np.dtype[np.int64]]") -> None:
    out = sys.stdout
    out.write("melds\tdiscards\t" + "\t".join(f"shanten_{n}" for n in range(SHANTEN)) + "\n")
    for melds in range(MELDS):
        usable = [n for n in range(DISCARDS) if counted[melds, n].sum() >= MIN_HANDS]
        for discards in range(DISCARDS):
            nearest = max((n for n in usable if n <= discards), default=usable[0] if usable else 0)
            row = counted[melds, nearest]
            shares = np.cumsum(row) * 1000 / max(1, row.sum())
            out.write(f"{melds}\t{discards}\t" + "\t".join(f"{share:.0f}" for share in shares) + "\n")


if __name__ == "__main__":
    main()
