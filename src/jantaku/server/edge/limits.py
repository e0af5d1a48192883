"""What addresses and people may do and hold: rates, and shares of tables, seats, work and memory."""

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

WIDER: Final = 4  # times what an address may have or do, for all of its wide network together


def client_of(scope: Scope) -> str:
    """The key that the limits by address use for a request: see ``network_of``."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def network_of(address: str) -> str:
    """An IPv4 address, or the /64 of an IPv6 address, which belongs to one household.

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
    """The network that one person or provider may have many addresses of: IPv4 by /24, IPv6 by /48.

    >>> wide_network_of("192.0.2.1"), wide_network_of("2001:db8:1:2::")
    ('192.0.2.0', '2001:db8:1::')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    prefix = 24 if ip.version == 4 else 48
    return str(ipaddress.ip_network((ip, prefix), strict=False).network_address)


Passed = Literal["one", "address", "all"]


class Principal(NamedTuple):
    """Who holds something: a person (or else the address again), and the address they took it from.

    Addresses are never stored, so what is read after a restart has none.
    """

    person: str
    address: str = ""


NOBODY: Final = Principal("")
# For whom the request is answered, for work that is shared by turns far below its route
ASKER: Final[ContextVar[Principal]] = ContextVar("asker", default=NOBODY)
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
        holder: Principal,
        held: Iterable[tuple[Principal, float]],
        more: float = 1,
        elsewhere: Amounts = NOTHING,
    ) -> Passed | None:
        """Which limit ``holder`` would pass with so much ``more`` than is ``held`` here and ``elsewhere``.

        >>> quota = Quota(of_one=2, of_address=3, of_all=4)
        >>> held = [(Principal("a", "X"), 1), (Principal("b", "X"), 2)]
        >>> [quota.passed(Principal(*one), held) for one in (("b", "Y"), ("c", "X"), ("c", "Y"))]
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
    """What is held of one thing, as far as its quota allows."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self.held: list[tuple[Principal, float]] = []

    @contextmanager
    def holding(self, holder: Principal, amount: float = 1) -> Iterator[None]:
        """Hold so much during the block; raises ``busy`` if that would be too much."""
        if self._quota.passed(holder, self.held, amount) is not None:
            raise ServerError("busy")
        self.held.append((holder, amount))
        try:
            yield
        finally:
            self.held.remove((holder, amount))


def amounts_of(holder: Principal, held: Iterable[tuple[Principal, float]]) -> Amounts:
    """How much of what is ``held`` a person, an address, all together and a wide network have."""
    one = address = everybody = network = 0.0
    wide = wide_network_of(holder.address)
    for by, amount in held:
        everybody += amount
        one += amount if by.person == holder.person else 0
        address += amount if by.address and by.address == holder.address else 0
        network += amount if by.address and wide_network_of(by.address) == wide else 0
    return Amounts(one, address, everybody, network)


MOST_KEYS: Final = 10_000
NETWORK: Final = "network "


@dataclass
class Bucket:
    """A token bucket: it fills with ``rate`` a second up to ``burst``, and each use takes some."""

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
        """Put back tokens."""
        self.level = min(self.burst, self.level + amount)


def _network(key: str) -> str:
    """The key of the wide network of an address; empty for keys that are none."""
    if not ("." in key or ":" in key) or " " in key:
        return ""
    wide = wide_network_of(key)
    return "" if wide == key and not wide.endswith((".0", "::")) else f"{NETWORK}{wide}"


class Rates:
    """A bucket for each key; the least recently used ones are forgotten.

    The addresses of a wide network together have a bucket a few times as large, as in ``Quota``.

    ``noted`` is called with what was taken, so that other processes may count it, too.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets = LRUCache[str, Bucket](MOST_KEYS)
        self.noted: Callable[[str, float], None] = lambda _key, _amount: None

    def take(self, key: str, amount: float = 1) -> bool:
        """Whether ``key`` may do this once more, or use so much more."""
        wide = _network(key)
        if wide and not self._bucket(wide).take(amount):
            return False
        taken = self._bucket(key).take(amount)
        for used in filter(None, (key, wide)) if taken else ():
            self.noted(used, amount)
        if wide and not taken:
            self._bucket(wide).give_back(amount)
        return taken

    def exhausted(self, key: str) -> bool:
        """Whether ``key`` has used more than all, as by several processes at once."""
        bucket = self._bucket(key)
        bucket.take(0)
        return bucket.level < 0

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            times = WIDER if key.startswith(NETWORK) else 1
            bucket = self._buckets[key] = Bucket(times * self._rate, times * self._burst)
        return bucket

    def taken_elsewhere(self, key: str, amount: float) -> None:
        """Another process has let ``key`` use so much, or has given it back."""
        bucket = self._bucket(key)
        bucket.take(0)
        bucket.level = max(-bucket.burst, min(bucket.burst, bucket.level - amount))

    def give_back(self, key: str) -> None:
        """Return what ``key`` took."""
        for used in (key, _network(key)):
            if used in self._buckets:
                self._buckets[used].give_back()
                self.noted(used, -1)


class UseLimit:
    """A limit of simultaneous uses for each key; ``noted`` is called when those of a key have changed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, int]] = {}  # by process
        self.noted: Callable[[str], None] = lambda _key: None

    def take(self, key: str) -> bool:
        """Begin a use; False if there are too many."""
        elsewhere = sum(taken.get(key, 0) for taken in self._elsewhere.values())
        if self.taken[key] + elsewhere >= self._most:
            return False
        self.taken[key] += 1
        self.noted(key)
        return True

    def give_back(self, key: str) -> None:
        """End a use."""
        self.taken[key] -= 1
        if self.taken[key] <= 0:
            del self.taken[key]
        self.noted(key)

    def taken_elsewhere(self, process: str, key: str, number: int) -> None:
        """Another process has so many uses of ``key``."""
        held = self._elsewhere.setdefault(process, {})
        held[key] = number
        if not number:
            del held[key]

    def keep(self, living: Collection[str]) -> None:
        """Only these other processes live."""
        self._elsewhere = {process: held for process, held in self._elsewhere.items() if process in living}
