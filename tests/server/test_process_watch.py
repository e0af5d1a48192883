"""Processes of a site watch each other, and remove those that cannot be reached."""

import asyncio

import pytest

from jantaku.server.processes import nats_messages
from jantaku.server.processes.links import Links
from jantaku.server.processes.messages import Here
from jantaku.server.storage.lease import Lease, Peer, Watch
from server.link_ends import Ends

pytestmark = pytest.mark.anyio


class Ring(Lease):
    """What a process knows of the others, and whom it has removed."""

    def __init__(self, process: str, *others: str) -> None:
        self.process, self.buried = process, list[str]()
        self.peers = tuple(Peer(peer, "tables", 0) for peer in sorted([process, *others]))

    async def bury(self, process: str) -> None:
        self.buried.append(process)


async def test_a_process_that_cannot_be_reached_twice_has_ended(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_messages, "STEADY_S", 0.0)
    monkeypatch.setattr(nats_messages, "ANSWER_S", 0.1)
    lease = Ring("a", "b")
    watch = Watch(ends[0].links, lease)
    await watch.look()
    await ends[1].links.messages.stop()
    while await ends[0].links.messages.reaches("b"):
        await asyncio.sleep(0.01)
    await watch.look()
    assert lease.buried == []
    await watch.look()
    assert lease.buried == ["b"]


@pytest.mark.parametrize("process", "abcd")
async def test_two_processes_watch_each(process: str) -> None:
    links = Links(Here())
    watched = [Watch(links, Ring(letter, *{*"abcd"} - {letter}))._next() for letter in "abcd"]
    assert sum(process in some for some in watched) == 2
