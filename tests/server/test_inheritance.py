"""What the leader holds in memory passes to its successor, however the leader ends."""

import asyncio
import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jantaku.kernels._jit import COMPILED
from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.processes.links import InProcessBus, Links
from jantaku.server.ranked.entries import LINES, Entry, entry_of, entry_to_json
from jantaku.server.storage import lease
from jantaku.server.storage.lease import LeaderState, Lease, Peer
from jantaku.server.storage.people import PersonRow
from server.parlour import PASSWORD, Person, until
from server.postgres_cluster import Cluster
from server.sites import Site
from support.lab import compile_lab

TOML = 'extends = "standard"\n[yaku.tanyao]\nopen = false\n'
EAST = {"family": "standard", "length": "east", "players": 4}


class FixedLease(Lease):
    """The lease of ``process`` on a site of the processes ``them``, the first of which is the leader."""

    def __init__(self, process: str, them: list[str]) -> None:
        self.process, self.alone, self._them = process, False, them

    @property
    def owners(self) -> list[Peer]:
        return [Peer(process, "tables", 0) for process in self._them]


class LeaderAndSuccessor:
    """A leader that holds ``values``, and its successor."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.value_requests = 0
        self.them, house = ["a", "b"], dict[str, InProcessBus]()
        self.links = [Links(InProcessBus(house)) for _ in self.them]
        self.ends = [
            LeaderState(
                *(FixedLease(name, self.them), links, "values"),
                lambda: {key: repr(value) for key, value in self.values.items()},
                self._value,
            )
            for name, links in zip(self.them, self.links, strict=True)
        ]

    async def join(self) -> None:
        for name, links in zip("ab", self.links, strict=True):
            await links.join(name)

    def _value(self, key: str) -> Any:
        self.value_requests += 1
        return self.values[key]


async def test_a_new_leader_inherits_the_values_of_the_previous_one() -> None:
    two = LeaderAndSuccessor()
    await two.join()
    two.values = {"x": 1, "y": [2]}
    await two.ends[1].poll()
    two.values = {"y": [2], "z": 3}
    await two.ends[1].poll()
    assert two.value_requests == 3, "known values are not sent again"
    del two.them[0]
    await two.ends[1].poll()
    assert two.ends[1].inherit() == {"y": [2], "z": 3}
    assert two.ends[1].inherit() == {}


async def test_a_former_leader_does_not_overwrite_inherited_values(monkeypatch: pytest.MonkeyPatch) -> None:
    two = LeaderAndSuccessor()
    await two.join()
    two.values = {"x": 1}
    await two.ends[1].poll()
    two.them[:] = ["c", "a", "b"]  # the former leader has handed over everything and joined again
    two.values = {}
    await two.ends[1].poll()
    monkeypatch.setattr(lease, "ANSWER_S", 0.01)
    assert two.ends[1].inherit() == {"x": 1}


async def test_many_values_are_sent_in_batches_and_oversized_ones_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lease, "MAX_BYTES", 100)
    two = LeaderAndSuccessor()
    await two.join()
    two.values = {str(number): "x" * 30 for number in range(12)} | {"large": "x" * 200}
    for _ in range(4):
        await two.ends[1].poll()
    assert two.ends[1].inherit() == {key: value for key, value in two.values.items() if key != "large"}


async def test_outdated_values_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "MAX_AGE_S", 0.01)
    two = LeaderAndSuccessor()
    await two.join()
    two.values = {"x": 1}
    await two.ends[1].poll()
    await asyncio.sleep(0.02)
    assert two.ends[1].inherit() == {}


def test_a_queue_entry_survives_transfer_to_another_process() -> None:
    entry = Entry(
        Visitor(PersonRow("p", "Mina", "mina", "player", "ko"), "192.0.2.1", "browser"),
        "ko",
        frozenset(LINES[:3]),
        bots_after_s=60.0,
        away=True,
        daily=True,
        mu={3: 20.5, 4: 27.0},
        steps={3: 1, 4: 2},
        blocked=frozenset({"q"}),
        since=time.monotonic() - 100,
    )
    again = entry_of(json.loads(json.dumps(entry_to_json(entry))))
    before, after = dict(vars(entry)), dict(vars(again))
    for moment in ("since", "seen"):
        assert after.pop(moment) == pytest.approx(before.pop(moment), abs=5)
    assert after == before


@pytest.fixture
def site(tmp_path: Path, cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = Site(tmp_path, cluster, f"inherits{abs(hash(request.node.name))}")
    try:
        site.begin(gateways=1, owners=2)
        yield site
    finally:
        site.close()


def poll(person: Person, path: str, done: Callable[[Any], bool]) -> Any:
    """Poll a path until a condition is true; the status 503 is allowed while processes are missing."""

    def polled() -> Any:
        answer = person.send("GET", path)
        assert answer.status_code in (200, 503), answer.text
        return answer.json() if answer.status_code == 200 and done(answer.json()) else None

    return until(polled)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games without compiled code")
@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGKILL])
def test_queue_places_and_lab_questions_survive_the_end_of_the_leader(
    site: Site, ends: signal.Signals
) -> None:
    pytest.importorskip("polars")
    compile_lab()
    mina = Person(site.gateways[0].url, "Mina", PASSWORD)
    mina.put("/api/ranked", lines=[EAST], away=True)
    submitted = mina.post("/api/lab/rules", toml=TOML, against="standard", games=200)
    short = mina.post("/api/lab/hand", hand="23456m234p678s99p 1z", games=10)
    done = poll(mina, f"/api/lab/questions/{short['id']}", lambda question: question["state"] == "done")
    time.sleep(2.5)  # by then the successor has polled the leader
    site.owners[0].process.send_signal(ends)
    site.owners[0].process.wait(60)
    page = poll(mina, "/api/ranked", lambda page: page["mine"] is not None)
    assert page["mine"]["waited_s"] >= 2
    assert mina.get(f"/api/lab/questions/{short['id']}") == done
    poll(mina, f"/api/lab/questions/{submitted['id']}", lambda question: question["state"] == "done")


async def test_a_lease_task_cancelled_while_being_woken_ends() -> None:
    lease = Lease(cast("Any", SimpleNamespace(sqlite=False, skip_queue=lambda: None)), alone=False)
    task = asyncio.create_task(lease._renew())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    lease.renew_soon()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5)
