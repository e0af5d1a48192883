"""Games of three played by riichienv's engine, checked against ours hand by hand.

Where the two differ, the difference is named and the next hand is checked anew; ``KNOWN`` says why.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from jantaku.errors import JantakuError
from jantaku.records.mjai import parse_mjai
from jantaku.rules import Ruleset

Message = dict[str, Any]
RULES: Final = {"tenhou-3": "default_tenhou", "mahjongsoul-3": "default_mjsoul"}
KINDS: Final = (*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *"ESWNPFC")
# The differences, and the reason of each
KNOWN: Final = {
    "dead wait": "it takes a hand for tenpai that waits only for tiles which are all in the seat's own melds",
}


def its_game(peer: Any, rules: str, seed: int, wild: float) -> tuple[list[Message], list[int]]:
    """The log and the final points of a hanchan; ``wild`` is how often a player acts at random.

    The other actions win, declare riichi, kan or kita, or keep the hand near tenpai, so that hands end in
    every way.
    """
    rng, env = (
        Random(seed),
        peer.RiichiEnv("3p-red-half", rule=getattr(peer.GameRule, RULES[rules])(), seed=seed),
    )
    seen = env.reset()
    while not env.done():
        seen = env.step({seat: chosen(peer, one, rng, wild) for seat, one in seen.items()})
    return list(env.mjai_log), list(env.scores())


def chosen(peer: Any, seen: Any, rng: Random, wild: float) -> Any:
    """One action of a careless player."""
    legal, kind = seen.legal_actions(), peer.ActionType
    for kinds, often in (
        ((kind.TSUMO, kind.RON), 0.95),
        (None, wild),
        ((kind.RIICHI,), 0.7),
        ((kind.KITA,), 0.8),
        ((kind.ANKAN, kind.KAKAN, kind.DAIMINKAN), 0.6),
        ((kind.PON,), 0.2),
        ((kind.PASS,), 1.0),
    ):
        found = [one for one in legal if kinds is None or one.action_type in kinds]
        if found and rng.random() < often:
            return rng.choice(found)
    discards = [one for one in legal if one.action_type == kind.DISCARD]
    rng.shuffle(discards)
    return min(discards, key=lambda one: _distance(peer, seen, one.tile)) if discards else rng.choice(legal)


def _distance(peer: Any, seen: Any, tile: int) -> int:
    held = list(seen.hand)
    if tile in held:
        held.remove(tile)
    return int(peer.calculate_shanten_3p(held))


@dataclass
class Report:
    """What was compared, and the differences by name."""

    games: int = 0
    hands: int = 0
    events: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)


def check(log: Sequence[Message], scores: Sequence[int], rules: Ruleset, report: Report) -> None:
    """Compare a game with ours; after a difference, go on with the next hand."""
    report.games += 1
    report.hands += sum(message["type"] == "start_kyoku" for message in log)
    rest = list(log)
    while rest:
        text = "".join(json.dumps(message) + "\n" for message in rest)
        try:
            game, _ = parse_mjai(text, rules)
        except JantakuError as error:
            line = int(str(error.details.get("line", 1))) - 1
            rest = _after(rest, line, str(error.details), report)
            continue
        report.events.update(event.type for event in game.events)
        if list(game.scores) != list(scores):
            report.unknown.append(f"final points {game.scores} {scores}")
        return


def _after(log: list[Message], line: int, said: str, report: Report) -> list[Message]:
    """Name the difference at the line; the log from the next hand on."""
    starts = [place for place, message in enumerate(log) if message["type"] == "start_kyoku"]
    number = max((i for i, place in enumerate(starts) if place <= line), default=0)
    ended = log[line]["type"] == "start_kyoku" and number > 0 and "dealer" in said
    hand = log[starts[number - 1] : line] if ended else log[starts[number] : line + 1]
    name = named(hand)
    if name is None:
        report.unknown.append(f"{said} after {json.dumps(hand[-6:])}")
    report.differences[name or "unknown"] += 1
    if ended:
        return log[line:]
    return log[starts[number + 1] :] if number + 1 < len(starts) else []


def named(hand: Sequence[Message]) -> str | None:
    """The name of the known difference at the end of a part of a hand."""
    held = [Counter(_plain(tiles)) for tiles in hand[0]["tehais"]]
    melds: list[Counter[str]] = [Counter() for _ in held]
    for message in hand[1:]:
        follow(message, held, melds)
    last = next((message for message in reversed(hand) if message["type"] != "end_kyoku"), {})
    seats = range(len(held)) if last["type"] == "ryukyoku" else [last["actor"]]
    return "dead wait" if any(_dead(held[seat], melds[seat]) for seat in seats) else None


def follow(message: Mapping[str, Any], held: list[Counter[str]], melds: list[Counter[str]]) -> None:
    """Keep track of the tiles of each seat."""
    kind, seat = message["type"], message.get("actor", 0)
    own = _plain(message.get("consumed", ()))
    if kind == "tsumo":
        held[seat].update(_plain([message["pai"]]))
    elif kind in ("dahai", "kita"):
        held[seat].subtract(_plain([message["pai"]]))
    elif kind in ("pon", "daiminkan", "ankan"):
        held[seat].subtract(own)
        melds[seat].update(own + (_plain([message["pai"]]) if kind != "ankan" else []))
    elif kind == "kakan":
        held[seat].subtract(_plain([message["pai"]]))
        melds[seat].update(_plain([message["pai"]]))


def _plain(names: Sequence[str]) -> list[str]:
    return [name.removesuffix("r") for name in names]


def _dead(held: Counter[str], melds: Counter[str]) -> bool:
    """Whether the hand waits, and for nothing but tiles that are all its own."""
    counts = [held[kind] for kind in KINDS]
    if sum(counts) % 3 != 1:
        return False
    waits = [kind for kind in range(len(KINDS)) if counts[kind] < 4 and completes(counts, kind)]
    return bool(waits) and all(counts[kind] + melds[KINDS[kind]] == 4 for kind in waits)


def completes(counts: Sequence[int], kind: int) -> bool:
    """Whether the tile makes sets and a pair; pairs and orphans never wait for a tile in a meld."""
    full = list(counts)
    full[kind] += 1
    return any(
        _sets([n - 2 * (i == pair) for i, n in enumerate(full)]) for pair in range(34) if full[pair] >= 2
    )


def _sets(counts: list[int]) -> bool:
    first = next((kind for kind, n in enumerate(counts) if n), None)
    if first is None:
        return True
    for taken in ((first,) * 3, (first, first + 1, first + 2)):
        if taken[0] != taken[-1] and (first >= 27 or first % 9 > 6):
            continue
        left = list(counts)
        for kind in taken:
            left[kind] -= 1
        if min(left) >= 0 and _sets(left):
            return True
    return False
