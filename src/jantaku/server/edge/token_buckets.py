"""Limits by key, as by address or person: how often something may be done, and how many at once."""

import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from jantaku.bounded import Newest
from jantaku.server.edge.client_address import WIDER, wide_network_of

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
        self._buckets = Newest[str, Bucket](MOST_KEYS)
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
        self._buckets.move_to_end(key)
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
