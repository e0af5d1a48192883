"""Limits hold for a site: what was used with one process counts at the others, until that process is gone."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from jantaku.server.edge.client_address import WIDER
from jantaku.server.edge.repeated_requests import RepeatedRequests
from jantaku.server.edge.token_buckets import Rates, UseLimit
from jantaku.server.errors import ServerError
from jantaku.server.processes import site_limits
from jantaku.server.processes.links import Links
from jantaku.server.processes.messages import Here
from jantaku.server.processes.site_limits import SiteLimits

pytestmark = pytest.mark.anyio


class Member:
    """A process with a rate and a limit of uses."""

    def __init__(self, name: str, house: dict[str, Here], others: list[str]) -> None:
        self.name, self.others = name, others
        self.links = Links(Here(house))
        self.rate, self.uses = Rates(0, 10), UseLimit(3)
        self.limits = SiteLimits(self.links, lambda: self.others)
        self.limits.share(rate=self.rate, uses=self.uses)
        self.limits.start()

    @property
    def left(self) -> float:
        """How much Mina may still use."""
        return self.rate._bucket("mina").level

    def knows(self, process: str, number: int) -> bool:
        """Whether it knows of so many uses of hers elsewhere."""
        return self.uses._elsewhere.get(process, {}).get("mina", 0) == number


@pytest.fixture
async def members(monkeypatch: pytest.MonkeyPatch, anyio_backend: str) -> AsyncIterator[list[Member]]:
    monkeypatch.setattr(site_limits, "TELLS_S", 0.01)
    house: dict[str, Here] = {}
    members = [Member(name, house, [letter for letter in "abc" if letter != name]) for name in "abc"]
    for member in members:
        await member.links.join(member.name)
    yield members
    for member in members:
        await member.limits.stop()


async def soon(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not true():
            await asyncio.sleep(0.01)


async def test_rates_are_used_up_together(members: list[Member]) -> None:
    first, second, third = members
    assert all(member.rate.take("mina", 3) for member in members)
    await soon(lambda: [member.left for member in members] == [1, 1, 1])
    assert not first.rate.take("mina", 2)
    assert third.rate.take("jun", 10)
    assert third.rate.take("mina")
    await soon(lambda: first.left == second.left == 0)
    third.rate.give_back("mina")
    await soon(lambda: first.left == second.left == 1)


async def test_uses_count_everywhere_until_their_process_is_gone(members: list[Member]) -> None:
    first, second, third = members
    assert first.uses.take("mina")
    assert first.uses.take("mina")
    await soon(lambda: second.knows("a", 2))
    assert second.uses.take("mina")
    assert not second.uses.take("mina")
    await soon(lambda: third.knows("a", 2) and third.knows("b", 1))
    assert not third.uses.take("mina")
    first.uses.give_back("mina")
    await soon(lambda: third.knows("a", 1))
    assert third.uses.take("mina")
    third.others = ["b"]
    third.limits.meet()
    assert third.uses.take("mina")
    assert not third.uses.take("mina")


async def test_who_comes_later_learns_what_is_held(members: list[Member]) -> None:
    first, second, _ = members
    for _ in range(3):
        assert first.uses.take("mina")
    await soon(lambda: not first.limits._changed)
    second.uses.keep([])  # as if it had just begun
    assert second.uses.take("mina")
    second.uses.give_back("mina")
    first.limits.meet()
    await soon(lambda: second.knows("a", 3))
    assert not second.uses.take("mina")


def test_a_request_that_another_process_carries_out_is_refused_here() -> None:
    now = [0.0]
    here, there = RepeatedRequests(lambda: now[0]), RepeatedRequests(lambda: now[0])
    here.noted = there.note
    with here.once("mina", "/", b""), pytest.raises(ServerError), there.once("mina", "/", b""):
        pass
    with pytest.raises(ServerError), there.once("mina", "/", b""):
        pass
    now[0] += 6
    with pytest.raises(ZeroDivisionError), here.once("mina", "/", b""):
        raise ZeroDivisionError
    with there.once("mina", "/", b""):  # what failed may come again
        pass


NETWORKS = (
    [f"2001:db8:7:{number:x}::" for number in range(256)],
    [f"203.0.113.{number}" for number in range(256)],
)


@pytest.mark.parametrize("addresses", NETWORKS)
async def test_a_wide_network_has_a_few_times_as_much_as_one_address(addresses: list[str]) -> None:
    rates = Rates(0, 10)
    assert sum(rates.take(address) for address in addresses * 20) == 10 * WIDER
    rates.give_back(addresses[0])
    assert sum(rates.take(address) for address in addresses * 2) == 1
    for stranger in ("198.51.100.7", "2001:db8:8::", "mina", "own mina", ""):
        assert sum(rates.take(stranger) for _ in range(20)) == 10


async def test_what_a_wide_network_used_elsewhere_counts(members: list[Member]) -> None:
    first, second, _ = members
    addresses = NETWORKS[0]
    assert all(first.rate.take(address, 10) for address in addresses[:WIDER])
    await soon(lambda: not second.rate.take(addresses[-1], 10))
    assert second.rate.take("2001:db8:8::", 10)
