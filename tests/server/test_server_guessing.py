"""The server does not reveal whether other seats may claim a discard."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from jantaku.server.settings import Pauses
from server.guessing import Observer, Sample, chance_of, observe, samples, skill
from server.parlour import Person, Serve

PAUSES = Pauses(
    claim=(0.3, 0.5),
    hesitation=0.1,
    after_window=(0.1, 0.15),
    bot=(0, 0.02),
    result=0,
    pass_before_end=0.15,
    deal=0,
)
WINDOW = 'extends = "standard"\n[clock]\nclaim_window_s = 1\n'
UNLIKELY = 0.002  # the probability that the test fails by chance


def play(serve: Serve, tables: int, max_discards: int, role: str, **options: Any) -> list[Sample]:
    """Play at tables of four people, or of three people and a bot; return the samples of each observer."""
    collected: list[Sample] = []
    url = serve(pauses=PAUSES, bot="efficient")
    groups, seat = [], None if role == "spectator" else 0
    for number in range(tables):
        people = [Person(url, f"P{i}") for i in range(5)]
        seated = people[: 3 + number % 2]
        rules = people[0].post("/api/rules", toml=WINDOW)["id"]
        table = people[0].table(rules=rules, options={"clock": True} | options)["id"]
        for person in seated[1:]:
            person.post(f"/api/tables/{table}/join")
        people[0].post(f"/api/tables/{table}/start")
        players = [Observer(person, table, probes=person is people[0] and seat == 0) for person in seated]
        watcher = [Observer(people[4], table, watch=True)] if seat is None else []
        groups.append((seated, table, [*watcher, *players]))
    asyncio.run(observe([observers for _, _, observers in groups], max_discards))
    for people, table, observers in groups:
        for person in people:
            person.socket(table).ask(type="abort", agree=True)
        game = people[0].get(f"/api/tables/{table}")["result"]["record"]
        collected += samples(people[0], game, observers[0], seat, asked=role == "passing")
    return collected


def check(min_cases: int, get: Callable[[], list[Sample]]) -> None:
    """Assert that predictions are no better than chance, with enough discards of both kinds.

    A leak would be found again in a second attempt; a single delay on a busy machine would not.
    """
    sampled: list[Sample] = []
    for _ in range(2):
        sampled = enough(min_cases, get)
        if chance_of(sampled) > UNLIKELY:
            return
    pytest.fail(f"guesses are better than chance: {skill(sampled):.2f} of 1 in {len(sampled)} discards")


def enough(min_cases: int, get: Callable[[], list[Sample]]) -> list[Sample]:
    """Collect samples until both outcomes have occurred often enough."""
    collected: list[Sample] = []
    for _ in range(6):
        collected += get()
        asked = sum(label for _, label in collected)
        if min(asked, len(collected) - asked) >= min_cases:
            return collected
    pytest.fail(f"too few to judge: {sum(label for _, label in collected)} of {len(collected)}")


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="uncompiled bots think longer than the pauses")
@pytest.mark.parametrize("role", ["unasked", pytest.param("spectator", marks=pytest.mark.long)])
def test_clients_cannot_tell_whether_others_may_call(serve: Serve, role: str) -> None:
    check(15, lambda: play(serve, 10, 18, role))


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="uncompiled bots think longer than the pauses")
@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("role", ["unasked", "spectator", "passing"])
def test_clients_cannot_tell_whether_others_may_call_over_many_discards(
    serve: Serve, role: str, even: bool
) -> None:
    (tables, max_discards), min_cases = ((12, 24) if even else (12, 60)), 15
    if role == "passing":  # two seats can claim the same discard only rarely
        tables, max_discards, min_cases = 3 * tables, 2 * max_discards, 4
    check(min_cases, lambda: play(serve, tables, max_discards, role, even_pauses=even))


@pytest.mark.slow
def test_the_guesser_detects_a_real_leak() -> None:
    """The check notices an answer that differs or arrives late in a third of the cases."""
    dice = random.Random(5)
    for name in ("code", "time"):
        collected: list[Sample] = []
        for _ in range(400):
            asked = dice.random() < 0.4
            tells = dice.random() < (0.45 if asked else 0.1)
            collected.append(([("order", "late"), (name, tells), ("noise", dice.randrange(4))], asked))
        assert chance_of(collected) <= UNLIKELY
        noise = [([*features[:1], *features[2:]], label) for features, label in collected]
        assert chance_of(noise) > UNLIKELY
