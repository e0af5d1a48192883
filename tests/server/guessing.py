"""An observer that tries to guess whether others can claim a discard, and a measure of its success.

As soon as a discard arrives, the observer sends every possible request and records the type, code, order and
time of each answer. The game record later shows which seats could claim the discard.
"""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.parlour import Message, Person, simplest_action

COARSE_S: Final = 0.03  # resolution of the recorded times
THINKS_S: Final = 0.12
PROBES: Final[tuple[Message, ...]] = (
    {"type": "act", "action": {"type": "pass"}},
    {"type": "act", "action": {"type": "ron"}},
    {"type": "act", "action": {"type": "pon", "red": 0}},
    {"type": "act", "action": {"type": "foul", "act": "win_called"}},
    {"type": "why", "what": "ron"},
    {"type": "why", "what": {"type": "chi", "tiles": "12m"}},
    {"type": "hints"},
    {"type": "ready"},
    {"type": "abort", "agree": False},
    {"type": "rematch", "agree": False},
    {"type": "ping"},
)
Feature = tuple[str, object]


@dataclass
class Discard:
    """A discard, and the messages that the observer receives from then until the next event."""

    seq: int
    at: float
    asked: bool  # whether the observer's own seat can claim the discard
    received: list[tuple[float, str]] = field(default_factory=list)

    @property
    def features(self) -> list[Feature]:
        """Return everything that a guess can be based on."""
        features: list[Feature] = [("order", tuple(what for _, what in self.received))]
        for number, (at, what) in enumerate(self.received):
            features.append((f"{number} {what}", round((at - self.at) / COARSE_S)))
        return features


class Observer:
    """A socket that records what it receives.

    With ``probes`` it sends every possible request after each discard. Its seat passes at once, while other
    seats take a moment to decide.
    """

    def __init__(self, person: Person, table: str, *, watch: bool = False, probes: bool = True) -> None:
        self.person, self.table, self.watch, self.probes = person, table, watch, probes
        self.discards: list[Discard] = []
        self.seq = 0
        self.enough = asyncio.Event()
        self.thinking: asyncio.Task[None] | None = None

    async def run(self, max_discards: int) -> None:
        """Play and observe until more than ``max_discards`` discards have been seen."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.person.http.cookies.items())
        address = f"{self.person.url.replace('http', 'ws', 1)}/ws/tables/{self.table}"
        with suppress(ConnectionClosed):
            async with connect(address, additional_headers={"Cookie": cookies}, max_size=None) as raw:
                hello = {"type": "hello", "version": 1, "watch": self.watch}
                await raw.send(json.dumps(hello))
                async for text in raw:
                    await self._receive(raw, json.loads(text))
                    if len(self.discards) > max_discards:
                        self.enough.set()

    async def _receive(self, raw: ClientConnection, message: Message) -> None:
        now = time.monotonic()
        if message["type"] in ("sync", "update") and message["seq"] > self.seq:
            self._note(now, f"{message['type']} {events(message)}")
            self.seq = message["seq"]
            if message["events"] and message["events"][-1]["type"] in ("discarded", "kan_declared"):
                await self._add_discard(raw, message, now)
        else:
            self._note(now, summary(message))
        if message["type"] == "pause":
            await raw.send(json.dumps({"type": "ready", "id": f"r{self.seq}"}))
        own = message.get("own")
        if own and own["ask"] is not None and not self.watch:
            await self._play(raw, message, own)

    async def _add_discard(self, raw: ClientConnection, message: Message, now: float) -> None:
        self.discards.append(Discard(self.seq, now, message["own"] is not None))
        if self.probes and message["own"] is None:
            await self._probe(raw, message)

    async def _play(self, raw: ClientConnection, message: Message, own: Message) -> None:
        """Pass on every claim and discard the drawn tile."""
        act = {"type": "act", "game": message["game"], "ask": own["ask"], "action": simplest_action(own)}
        text = json.dumps(act | {"id": f"own{self.seq}"})
        if own["offered"] and not self.probes:
            self.thinking = asyncio.create_task(think(raw, text))
            return
        await raw.send(text)
        if self.probes and own["offered"]:
            await self._probe(raw, message)

    async def _probe(self, raw: ClientConnection, message: Message) -> None:
        for number, probe in enumerate(PROBES):
            sent = probe | {"id": f"p{self.seq}-{number}"}
            if probe["type"] == "act":
                sent |= {"game": message["game"], "ask": self.seq}
            await raw.send(json.dumps(sent))

    def _note(self, now: float, what: str) -> None:
        if self.discards and self.discards[-1].seq == self.seq:
            self.discards[-1].received.append((now, what))


async def think(raw: ClientConnection, text: str) -> None:
    """Answer after a delay that is shorter than any of the server's pauses."""
    await asyncio.sleep(random.uniform(0, THINKS_S))
    with suppress(ConnectionClosed):
        await raw.send(text)


def events(message: Message) -> str:
    """Return the type of the first event, without details that differ from game to game."""
    return " ".join(str(event["type"]) for event in message["events"][:1])


def summary(message: Message) -> str:
    """Summarise a message by its type, the request it answers and its code, without texts and tiles."""
    number = str(message.get("id") or "").rpartition("-")[2] if message.get("id") else ""
    parts = [message["type"], number if not number.startswith("own") else "own", message.get("code", "")]
    if message["type"] in ("update", "sync"):
        parts += [str(message["own"] is None), str((message["clock"] or {}).get("turn_ms") is None)]
    return " ".join(parts)


def truth(person: Person, game: str, seat: int | None) -> dict[int, bool]:
    """Return, for each discard that was followed by a draw, whether another seat could claim it."""
    replay = person.get(f"/api/games/{game}/replay")
    visible, asked = {}, Counter((step["first"], step["seat"]) for step in replay["steps"])
    for number, (event, following) in enumerate(
        zip(replay["events"], replay["events"][1:], strict=False), start=1
    ):
        if event["type"] in ("discarded", "kan_declared") and following["type"] == "drew":
            visible[number] = any(asked[number, other] for other in range(4) if other != seat)
    return visible


Sample = tuple[Sequence[Feature], bool]


def skill(samples: Sequence[Sample]) -> float:
    """Train naive Bayes on every second sample and measure how well it predicts the others.

    The result is 0 for guessing at random and 1 for perfect predictions, however rare either outcome is.
    """
    counts: dict[bool, Counter[Feature]] = {True: Counter(), False: Counter()}
    numbers = Counter(label for _, label in samples[::2])
    for features, label in samples[::2]:
        counts[label].update(features)
    right: Counter[bool] = Counter()
    for features, label in samples[1::2]:
        odds = 1.0
        for feature in features:
            odds *= (counts[True][feature] + 1) / (numbers[True] + 2) * (numbers[False] + 2)
            odds /= counts[False][feature] + 1
        right[label] += (odds > 1.0) == label
    total = Counter(label for _, label in samples[1::2])
    return sum(right[label] / total[label] for label in total) - 1


def chance_of(samples: Sequence[Sample], times: int = 999) -> float:
    """Return the p-value of a permutation test: how likely predictions this good are by chance."""
    dice, labels = random.Random(1), [label for _, label in samples]
    reached, better = skill(samples), 0
    for _ in range(times):
        dice.shuffle(labels)
        shuffled = [(features, label) for (features, _), label in zip(samples, labels, strict=True)]
        better += skill(shuffled) >= reached
    return (better + 1) / (times + 1)


async def observe(tables: Sequence[Sequence[Observer]], max_discards: int) -> None:
    """Let all observers play until the first observer of each table has seen enough discards."""
    playing = [asyncio.create_task(observer.run(max_discards)) for table in tables for observer in table]
    enough = asyncio.ensure_future(asyncio.gather(*(table[0].enough.wait() for table in tables)))
    try:
        everything: list[asyncio.Future[Any]] = [enough, *playing]
        await asyncio.wait(everything, timeout=300, return_when=asyncio.FIRST_COMPLETED)
        for task in playing:
            if task.done():
                task.result()
        assert enough.done(), [len(table[0].discards) for table in tables]
    finally:
        enough.cancel()
        for task in playing:
            task.cancel()
        await asyncio.gather(enough, *playing, return_exceptions=True)


def samples(person: Person, game: str, observer: Observer, seat: int | None, *, asked: bool) -> list[Any]:
    """Return the features of each discard, with whether another seat could claim it."""
    known = truth(person, game, seat)
    return [
        (discard.features, known[discard.seq])
        for discard in observer.discards
        if discard.asked == asked
        and discard.seq in known
        and discard.received
        and discard.received[-1][1].startswith("update d")
    ]
