"""Messages between processes: any may be lost or come twice; those of one process to another keep order.

What is sent must not be needed for anything that is confirmed: that is in the database first. A message has a
head, which says what it is, and a body.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_PAYLOAD: Final = 512 * 1024  # bytes of one message; NATS takes twice as many unless it is told otherwise


class Messages(ABC):
    """What carries messages. ``received`` is called with each, ``lost`` when some may not have come."""

    def __init__(self) -> None:
        self.received: Callable[[str, bytes], None] = lambda *_: None
        self.lost: list[Callable[[], None]] = []

    @property
    @abstractmethod
    def working(self) -> bool:
        """Whether messages can be sent now."""

    @abstractmethod
    def use_key(self, key: bytes) -> None:
        """Sign what leaves this process, and read only what is signed, with the site's key."""

    @abstractmethod
    async def start(self) -> None:
        """Connect; raises ``RequestError`` if that is impossible."""

    @abstractmethod
    async def join(self, process: str) -> None:
        """Be reached under this name, and under no other."""

    @abstractmethod
    async def stop(self) -> None:
        """Send what waits, and be reached no more."""

    @abstractmethod
    def send(self, process: str, head: str, body: bytes) -> None:
        """Send something to a process."""

    @abstractmethod
    def tell(self, head: str, body: bytes) -> None:
        """Send something to all other processes."""

    @abstractmethod
    async def reaches(self, process: str) -> bool:
        """Whether a process may be there; False only if it is known that nobody has this name."""

    def note_loss(self) -> None:
        """Say that messages may have been lost."""
        for call in self.lost:
            call()


class Here(Messages):
    """The messages of a site of one process, or of several lobbies in one that share a ``house``."""

    def __init__(self, house: "dict[str, Here] | None" = None) -> None:
        super().__init__()
        self._house = {} if house is None else house
        self._name = ""

    @property
    def working(self) -> bool:
        """Always."""
        return True

    def use_key(self, key: bytes) -> None:
        """Nothing leaves this process."""

    async def start(self) -> None:
        """Nothing has to be connected."""

    async def join(self, process: str) -> None:
        """Be reached under this name, and under no other."""
        await self.stop()
        self._name, self._house[process] = process, self

    async def stop(self) -> None:
        """Be reached no more."""
        self._house.pop(self._name, None)

    def send(self, process: str, head: str, body: bytes) -> None:
        """Send something to a process."""
        if process in self._house:
            self._house[process]._later(head, body)

    def tell(self, head: str, body: bytes) -> None:
        """Send something to all other processes."""
        for process in self._house.values():
            if process is not self:
                process._later(head, body)

    async def reaches(self, process: str) -> bool:
        """Whether a process is there."""
        return process in self._house

    def _later(self, head: str, body: bytes) -> None:
        asyncio.get_running_loop().call_soon(lambda: self.received(head, body))
