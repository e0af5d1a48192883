"""How much people and addresses hold of the parlour at one time: tables, seats, questions, work, memory.

One rule decides for all of these. What is held is counted where it is, whoever has it now and however they
came by it, so a count never drifts, and handing something on or coming from elsewhere evades no limit.
"""

from collections.abc import Iterable
from contextvars import ContextVar
from math import inf
from typing import Final, Literal, NamedTuple

from jantaku.server.edge.client_address import WIDER, wide_network_of

Passed = Literal["one", "address", "all"]


class Holder(NamedTuple):
    """Who holds something: a person (or else the address again), and the address they took it from.

    Addresses are never stored, so what is read after a restart has none.
    """

    person: str
    address: str = ""


NOBODY: Final = Holder("")
# For whom the request is answered, for work that is shared by turns far below its route
ASKER: Final[ContextVar[Holder]] = ContextVar("asker", default=NOBODY)
SESSION: Final[ContextVar[str]] = ContextVar("session", default="")  # the hash of the token it came with


class Amounts(NamedTuple):
    """How much a person, an address, all together, and a wide network hold."""

    one: float
    address: float
    everybody: float
    network: float


NOTHING: Final = Amounts(0, 0, 0, 0)


class Quota(NamedTuple):
    """How much of one thing a person, an address and all together may hold.

    All addresses of a wide network together may hold a few times as much as one: who has a network has
    thousands of addresses.
    """

    of_one: float
    of_address: float = inf
    of_all: float = inf

    def passed(
        self,
        holder: Holder,
        held: Iterable[tuple[Holder, float]],
        more: float = 1,
        elsewhere: Amounts = NOTHING,
    ) -> Passed | None:
        """Which limit ``holder`` would pass with so much ``more`` than is ``held`` here and ``elsewhere``.

        >>> quota = Quota(of_one=2, of_address=3, of_all=4)
        >>> held = [(Holder("a", "X"), 1), (Holder("b", "X"), 2)]
        >>> [quota.passed(Holder(*one), held) for one in (("b", "Y"), ("c", "X"), ("c", "Y"))]
        ['one', 'address', None]
        """
        amounts = zip(amounts_of(holder, held), elsewhere, (more,) * len(elsewhere), strict=True)
        one, address, everybody, network = map(sum, amounts)
        if everybody > self.of_all:
            return "all"
        if one > self.of_one:
            return "one"
        return "address" if address > self.of_address or network > WIDER * self.of_address else None


def amounts_of(holder: Holder, held: Iterable[tuple[Holder, float]]) -> Amounts:
    """How much of what is ``held`` a person, an address, all together and a wide network have."""
    one = address = everybody = network = 0.0
    wide = wide_network_of(holder.address)
    for by, amount in held:
        everybody += amount
        one += amount if by.person == holder.person else 0
        address += amount if by.address and by.address == holder.address else 0
        network += amount if by.address and wide_network_of(by.address) == wide else 0
    return Amounts(one, address, everybody, network)
