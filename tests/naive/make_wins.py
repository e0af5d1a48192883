"""Write ``tests/data/*wins.jsonl``; run ``cd tests && python -m naive.make_wins`` when rules change.

Each yaku's example in the catalogue becomes a request under three presets, and random complete hands become
requests under Tenhou's rules. The oracle answers them.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jantaku.rules import catalogue, load
from jantaku.tiles import parse_tiles
from naive.adjudicate import answers
from naive.generate import random_wins
from support.presets import FOUR

DEFAULTS: dict[str, Any] = {
    "melds": [], "round": "east", "seat": "south", "riichi": None,
    **dict.fromkeys(("ippatsu", "last_tile", "rinshan", "chankan", "first_turn"), False),
    "dora": "", "ura": "", "honba": 0, "deposits": 0,
}  # fmt: skip
ALWAYS = ("standard", "bgm-2025")
BRIEF = ("han", "fu", "points", "payments")


def requests() -> Iterator[dict[str, Any]]:
    """Yield the examples under presets in turn, with varying honba, deposits and dora."""
    others = [name for name in FOUR if name not in ALWAYS]
    for number, (name, entry) in enumerate(catalogue().items()):
        if not entry.example:
            continue
        for rules in (*ALWAYS, others[number % len(others)]):
            request = {"id": f"{name}-{rules}", "rules": rules, **DEFAULTS, **entry.example}
            request["from"] = ("right", "across", "left")[number % 3]
            if request["by"] == "tsumo":
                request["from"] = None
            request["honba"], request["deposits"] = number % 4, number % 3
            request["dora"] = _indicator(request, number)
            if request["riichi"]:
                request["deposits"] += 1
                request["ura"] = f"{number % 7 + 1}z"
            if not request["riichi"] or "open" not in request["riichi"] or load(rules).riichi.open:
                yield request


def _indicator(request: dict[str, Any], number: int) -> str:
    """Return a kind of which the hand has at most two, so that none of these tiles has to be red."""
    melds = [meld["tiles"] for meld in request["melds"]]
    held = [tile % 34 for text in (request["hand"], request["win"], *melds) for tile in parse_tiles(text)]
    suit = "mps"[number % 3]
    tiles = [f"{(number + step) % 9 + 1}{suit}" for step in range(9)]
    return next(tile for tile in tiles if held.count(parse_tiles(tile)[0]) < 3)


def random_requests(count: int) -> Iterator[dict[str, Any]]:
    """Yield random complete hands under Tenhou's rules, for tests and benchmarks."""
    for number, request in enumerate(random_wins(1, count, open_riichi=False)):
        yield {"id": str(number), "rules": "tenhou", **DEFAULTS, **request}


def rows(requests: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each request with the oracle's answer, except requests with several correct answers."""
    for request in requests:
        text = [request["hand"], request["win"], request["dora"]]
        text += [meld["tiles"] for meld in request["melds"]]
        copies = [tile % 34 for part in text for tile in parse_tiles(part)]
        replies = answers(request, load(request["rules"]))
        if replies.count(replies[0]) == len(replies) and max(map(copies.count, copies)) <= 4:
            yield {"request": request, "expect": replies[0]}


def wins_only(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows that are wins, without fields that have default values."""
    for row in rows:
        if "points" in row["expect"]:
            request = {name: v for name, v in row["request"].items() if v != DEFAULTS.get(name, row)}
            yield {"request": request, "expect": {name: row["expect"][name] for name in BRIEF}}


def write(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write a file of ``tests/data``, one row per line."""
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    (Path(__file__).parents[1] / "data" / name).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    write("wins.jsonl", rows(requests()))
    write("random-wins.jsonl", wins_only(rows(random_requests(1_500))))
