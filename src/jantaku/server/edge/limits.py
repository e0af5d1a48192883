"""Limits per address and person: rates, simultaneous uses, and quotas of tables, seats, work and memory."""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Final, Literal, NamedTuple

from cachetools import LRUCache
from starlette.types import Scope

from jantaku.server.errors import ServerError

WIDER: Final = 4  # limit of a wide network as a multiple of the limit of one address


def client_of(scope: Scope) -> str:
    """Return the client's key for limits by address: see ``network_of``."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def network_of(address: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address, which belongs to one household.

    >>> network_of("2001:db8:1:2:3::4"), network_of("::ffff:192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))


@lru_cache(4096)
def wide_network_of(address: str) -> str:
    """Return the network in which one person may own many addresses: IPv4 /24 or IPv6 /48.

    >>> wide_network_of("192.0.2.1"), wide_network_of("2001:db8:1:2::")
    ('192.0.2.0', '2001:db8:1::')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    prefix = 24 if ip.version == 4 else 48
    return str(ipaddress.ip_network((ip, prefix), strict=False).network_address)


Exceeded = Literal["one", "address", "all"]


class Principal(NamedTuple):
    """The holder of a resource: a person (or, without one, the address), and the address of the request.

    Addresses are never stored, so resources restored after a restart have none.
    """

    person: str
    address: str = ""


NOBODY: Final = Principal("")
# client of the current request, for fair work far below its route
ASKER: Final[ContextVar[Principal]] = ContextVar("asker", default=NOBODY)
SESSION: Final[ContextVar[str]] = ContextVar("session", default="")  # token hash of the request's session


class Amounts(NamedTuple):
    """The amounts held by a person, by an address, by everyone, and by a wide network."""

    one: float
    address: float
    everybody: float
    network: float


NOTHING: Final = Amounts(0, 0, 0, 0)


class Quota(NamedTuple):
    """Limits on the amount of a resource that a person, an address and everyone together may hold.

    A wide network as a whole is limited to ``WIDER`` times the amount of one address, because its owner may
    have thousands of addresses.
    """

    of_one: float
    of_address: float = inf
    of_all: float = inf

    def exceeded(
        self,
        holder: Principal,
        held: Iterable[tuple[Principal, float]],
        more: float = 1,
        elsewhere: Amounts = NOTHING,
    ) -> Exceeded | None:
        """Return the limit that ``holder`` would exceed with ``more`` of the resource, or ``None``.

        ``held`` are the amounts held in this process, ``elsewhere`` those in other processes.

        >>> quota = Quota(of_one=2, of_address=3, of_all=4)
        >>> held = [(Principal("a", "X"), 1), (Principal("b", "X"), 2)]
        >>> [quota.exceeded(Principal(*one), held) for one in (("b", "Y"), ("c", "X"), ("c", "Y"))]
        ['one', 'address', None]
        """
        amounts = zip(amounts_of(holder, held), elsewhere, (more,) * len(elsewhere), strict=True)
        one, address, everybody, network = map(sum, amounts)
        if everybody > self.of_all:
            return "all"
        if one > self.of_one:
            return "one"
        return "address" if address > self.of_address or network > WIDER * self.of_address else None


class Share:
    """The amounts held of a resource, limited by a quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self.held: list[tuple[Principal, float]] = []

    @contextmanager
    def hold(self, holder: Principal, amount: float = 1) -> Iterator[None]:
        """Hold an amount during the block; raises ``ServerError("busy")`` if it would exceed the quota."""
        if self._quota.exceeded(holder, self.held, amount) is not None:
            raise ServerError("busy")
        self.held.append((holder, amount))
        try:
            yield
        finally:
            self.held.remove((holder, amount))


def amounts_of(holder: Principal, held: Iterable[tuple[Principal, float]]) -> Amounts:
    """Sum the amounts in ``held`` for a holder's person, address and wide network, and for everyone."""
    one = address = everybody = network = 0.0
    wide = wide_network_of(holder.address)
    for by, amount in held:
        everybody += amount
        one += amount if by.person == holder.person else 0
        address += amount if by.address and by.address == holder.address else 0
        network += amount if by.address and wide_network_of(by.address) == wide else 0
    return Amounts(one, address, everybody, network)


MAX_KEYS: Final = 10_000
NETWORK: Final = "network "


@dataclass
class Bucket:
    """A token bucket, refilled with ``rate`` tokens per second up to ``burst``."""

    rate: float
    burst: float
    level: float = field(init=False)
    filled: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.filled = self.burst, time.monotonic()

    def take(self, amount: float = 1) -> bool:
        """Take tokens; False if there are too few."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.filled) * self.rate)
        self.filled = now
        if self.level < amount:
            return False
        self.level -= amount
        return True

    def give_back(self, amount: float = 1) -> None:
        """Return tokens to the bucket."""
        self.level = min(self.burst, self.level + amount)


def _network(key: str) -> str:
    """Return the key of an address's wide network; empty if the key is not an address."""
    if not ("." in key or ":" in key) or " " in key:
        return ""
    wide = wide_network_of(key)
    return "" if wide == key and not wide.endswith((".0", "::")) else f"{NETWORK}{wide}"


class Rates:
    """A token bucket for each key; the least recently used buckets are dropped.

    All addresses of a wide network share a further bucket, ``WIDER`` times as large. ``on_change`` is called
    with a key and the amount taken, so that other processes can count it.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets = LRUCache[str, Bucket](MAX_KEYS)
        self.on_change: Callable[[str, float], None] = lambda _key, _amount: None

    def take(self, key: str, amount: float = 1) -> bool:
        """Take tokens of a key; False if it has too few."""
        wide = _network(key)
        if wide and not self._bucket(wide).take(amount):
            return False
        taken = self._bucket(key).take(amount)
        for used in filter(None, (key, wide)) if taken else ():
            self.on_change(used, amount)
        if wide and not taken:
            self._bucket(wide).give_back(amount)
        return taken

    def exhausted(self, key: str) -> bool:
        """Whether a key is overdrawn, which happens when several processes serve it at the same time."""
        bucket = self._bucket(key)
        bucket.take(0)
        return bucket.level < 0

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            times = WIDER if key.startswith(NETWORK) else 1
            bucket = self._buckets[key] = Bucket(times * self._rate, times * self._burst)
        return bucket

    def record_remote(self, key: str, amount: float) -> None:
        """Record an amount taken in another process; a negative amount was given back."""
        bucket = self._bucket(key)
        bucket.take(0)
        bucket.level = max(-bucket.burst, min(bucket.burst, bucket.level - amount))

    def give_back(self, key: str) -> None:
        """Return one token to a key."""
        for used in (key, _network(key)):
            if used in self._buckets:
                self._buckets[used].give_back()
                self.on_change(used, -1)


class UseLimit:
    """A limit on simultaneous uses of each key; ``on_change`` is called with a key when its uses change."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.taken: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, int]] = {}  # by process
        self.on_change: Callable[[str], None] = lambda _key: None

    def take(self, key: str) -> bool:
        """Start a use; False if there are too many."""
        elsewhere = sum(taken.get(key, 0) for taken in self._elsewhere.values())
        if self.taken[key] + elsewhere >= self._limit:
            return False
        self.taken[key] += 1
        self.on_change(key)
        return True

    def give_back(self, key: str) -> None:
        """End a use."""
        self.taken[key] -= 1
        if self.taken[key] <= 0:
            del self.taken[key]
        self.on_change(key)

    def record_remote(self, process: str, key: str, number: int) -> None:
        """Record the number of uses of a key in another process."""
        held = self._elsewhere.setdefault(process, {})
        held[key] = number
        if not number:
            del held[key]

    def retain(self, living: Collection[str]) -> None:
        """Drop the uses of other processes that are no longer alive."""
        self._elsewhere = {process: held for process, held in self._elsewhere.items() if process in living}
