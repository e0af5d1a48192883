"""How often bots and people make each yaku: ``python -m bench.yaku_beside_people WINS.jsonl [GAMES]``.

``WINS.jsonl`` has wins under the rules of Tenhou as in ``docs/formats.md``, each with its ``expect.yaku``.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from jantaku.bots.policies import BOTS, STANDARD
from jantaku.kernels import bits
from jantaku.kernels.win import MOST_SEATS
from jantaku.lab.chunks import Chunk, ChunkPlan, cores, played
from jantaku.rules import load

YAKU = {name.lower(): getattr(bits, name) for name in dir(bits) if name.isupper() and name != "YAKU_BITS"}
FEWEST = 0.005  # yaku below this share of wins are left out


def of_people(path: Path) -> dict[str, float]:
    """The share of the wins in a file with each yaku."""
    wins = [json.loads(line)["expect"] for line in path.read_text("utf-8").splitlines()]
    counts = Counter(name for win in wins for name in win["yaku"] if name in YAKU)
    return {name: count / len(wins) for name, count in counts.items()}


def count_wins(chunk: Chunk, counts: Counter[str]) -> int:
    """Add the yaku of a chunk's wins to ``counts``; return the number of wins."""
    wins = 0
    for seat in range(MOST_SEATS):
        made = chunk.hands["yaku"][:, seat][chunk.hands["winners"] >> seat & 1 == 1]
        wins += len(made)
        for name, bit in YAKU.items():
            counts[name] += int((made >> bit & 1).sum())
    return wins


def of_bots(games: int) -> dict[str, float]:
    """The share of the wins of four ``standard`` with each yaku."""
    counts: Counter[str] = Counter()
    with played(ChunkPlan(load("tenhou"), (BOTS[STANDARD],) * MOST_SEATS, games, 77), cores()) as chunks:
        wins = sum(count_wins(chunk, counts) for chunk in chunks)
    return {name: count / wins for name, count in counts.items()}


def distance(one: dict[str, float], other: dict[str, float]) -> float:
    """The total variation of the two distributions of yaku."""
    first, second = sum(one.values()), sum(other.values())
    return sum(abs(one.get(name, 0) / first - other.get(name, 0) / second) for name in YAKU) / 2


def main() -> None:
    """Print both shares and their ratio, the most frequent yaku first, and the total variation."""
    people = of_people(Path(sys.argv[1]))
    bots = of_bots(int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
    for name, share in sorted(people.items(), key=lambda pair: -pair[1]):
        if share >= FEWEST:
            print(f"{name:18} {share:7.2%} {bots.get(name, 0):7.2%} {bots.get(name, 0) / share:5.2f}")
    print(f"total variation {distance(people, bots):.3f}")


if __name__ == "__main__":
    main()
