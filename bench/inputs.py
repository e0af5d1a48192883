"""The inputs of the comparisons: random hands, and wins (from real games if available)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.requests import win_from_request
from jantaku.win import COUNTS, RARE, Win

ROOT = Path(__file__).parents[1]
REAL_WINS = ROOT.parent / "shared" / "data" / "wins-tenhou.jsonl"
OWN_WINS = ROOT / "tests" / "data" / "random-wins.jsonl"
COPY_OF_RED = {"0m": 16, "0p": 52, "0s": 88}
DEFAULTS: dict[str, Any] = {  # a stored request omits fields with these values
    **dict.fromkeys(RARE, False),
    **dict.fromkeys(COUNTS, 0),
    "melds": [],
    "dora": "",
    "ura": "",
    "riichi": None,
    "from": None,
    "round": "east",
    "seat": "south",
}
SUIT_FIRST = {"m": 0, "p": 9, "s": 18, "z": 27}


def random_hands(number: int, seed: int = 1) -> npt.NDArray[np.uint8]:
    """Return random hands of 14 tiles as counts, ``uint8[number, 34]``."""
    generator = np.random.default_rng(seed)
    wall = np.repeat(np.arange(34), 4)
    hands = np.zeros((number, 34), np.uint8)
    for hand in hands:
        np.add.at(hand, generator.permutation(wall)[:14], 1)
    return hands


def tile_ids(hand: npt.NDArray[np.uint8]) -> list[int]:
    """Convert counts to tile numbers 0–135, using the lowest copies of each kind."""
    return [4 * kind + copy for kind in range(34) for copy in range(hand[kind])]


@dataclass(frozen=True)
class WinInput:
    """One win as a JSON-lines request, as our ``Win``, and as tile numbers 0–135 for the peers."""

    request: dict[str, Any]
    points: int
    win: Win
    tiles: list[int]
    win_tile: int
    melds: list[tuple[str, list[int]]]
    dora: list[int]
    ura: list[int]


def wins(limit: int = 5000) -> list[WinInput]:
    """Return wins under Tenhou's rules with their expected points."""
    path = REAL_WINS if REAL_WINS.is_file() else OWN_WINS
    rows = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        row["request"] = DEFAULTS | row["request"]
        if row["request"]["rules"] == "tenhou" and "points" in row["expect"]:
            rows.append(_win(row["request"], row["expect"]["points"]))
    return rows[:limit]


def _names(text: str) -> list[str]:
    names: list[str] = []
    pending: list[str] = []
    for character in text:
        if character in SUIT_FIRST:
            names += [digit + character for digit in pending]
            pending = []
        elif character.isdigit():
            pending.append(character)
    return names


def _numbers(text: str, used: dict[int, int]) -> list[int]:
    numbers = []
    for name in _names(text):
        if name in COPY_OF_RED:
            numbers.append(COPY_OF_RED[name])
            continue
        kind = SUIT_FIRST[name[1]] + int(name[0]) - 1
        first = 1 if name[0] == "5" and name[1] != "z" else 0
        used[kind] = used.get(kind, first - 1) + 1
        numbers.append(4 * kind + min(used[kind], 3))
    return numbers


def _win(request: dict[str, Any], points: int) -> WinInput:
    used: dict[int, int] = {}
    tiles = _numbers(request["hand"], used)
    win_tile = _numbers(request["win"], used)[0]
    melds = [(meld["type"], _numbers(meld["tiles"], used)) for meld in request["melds"]]
    dora = [_numbers(name, {})[0] for name in request["dora"].split()]
    ura = [_numbers(name, {})[0] for name in request["ura"].split()]
    return WinInput(request, points, win_from_request(request), tiles, win_tile, melds, dora, ura)
