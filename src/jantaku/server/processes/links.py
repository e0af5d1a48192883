"""Messages between the processes of a site: news, questions, and limits that count in all of them."""

import asyncio
import json
import logging
import secrets
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVarTuple

from jantaku.server.edge.limits import Rates, UseLimit
from jantaku.server.errors import ServerError
from jantaku.server.tasks import Background, to_the_end

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
    def publish(self, head: str, body: bytes) -> None:
        """Send something to all other processes."""

    @abstractmethod
    async def reaches(self, process: str) -> bool:
        """Whether a process may be there; False only if it is known that nobody has this name."""

    def note_loss(self) -> None:
        """Say that messages may have been lost."""
        for call in self.lost:
            call()


class InProcessBus(Messages):
    """The messages of a site of one process, or of several lobbies in one that share a ``house``."""

    def __init__(self, house: "dict[str, InProcessBus] | None" = None) -> None:
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

    def publish(self, head: str, body: bytes) -> None:
        """Send something to all other processes."""
        for process in self._house.values():
            if process is not self:
                process._later(head, body)

    async def reaches(self, process: str) -> bool:
        """Whether a process is there."""
        return process in self._house

    def _later(self, head: str, body: bytes) -> None:
        asyncio.get_running_loop().call_soon(lambda: self.received(head, body))


LOG = logging.getLogger("jantaku.server")
VERSION: Final = "1"  # of the messages; a process leaves those of another alone
ANSWER_S: Final = 2.0


class Packet(NamedTuple):
    """A message between processes: its kind, who sent it, what it belongs to, and its number there."""

    kind: str
    sender: str
    about: str
    number: int
    body: bytes

    @property
    def head(self) -> str:
        """All but the body, as it is sent."""
        return f"{VERSION} {self.kind} {self.sender} {self.about} {self.number}"

    @classmethod
    def of(cls, head: str, body: bytes) -> "Packet | None":
        """As it was sent; ``None`` if it is of another version."""
        version, *parts = head.split(" ")
        if version != VERSION:
            return None
        kind, sender, about, number = parts
        return cls(kind, sender, about, int(number), body)


Said = TypeVarTuple("Said")


@dataclass(frozen=True)
class Topic(Generic[*Said]):
    """News of one kind, by what is published with it."""

    name: str


SIGNED_IN = Topic[str, str, str]("signed_in")  # the session that ended, the person, the session that follows
NUMBERS_SHOWN = Topic[str, bool]("numbers_shown")  # a person, and whether others see their numbers
BLOCKED = Topic[str, str]("blocked")  # who blocked whom
ASKED = Topic[str]("asked")  # of whom others want something
INVITED = Topic[str, str, str]("invited")  # a person, by whom, to which table
UNINVITED = Topic[str, str]("uninvited")  # a person, from which table
PRESENCE = Topic[str, bool]("presence")  # a person, and whether others see that they wait
EVENT_CHANGED = Topic[str, int]("event")  # an event and its revision
GAME_ENDED = Topic[()]("game_ended")
REQUEST_DONE = Topic[str, float]("once")  # the digest of a request, and how long it counts
PEERS_CHANGED = Topic[()]("peers")
LIMITS_USED = Topic[str, Mapping[str, Mapping[str, float]], Sequence[tuple[str, str, int]]]("limits")


class Links:
    """What the processes of a site say to each other.

    ``others`` are the living ones but this. ``taking`` are those who take packets of other kinds than news,
    questions and answers, by kind.
    """

    def __init__(self, messages: Messages) -> None:
        self.messages = messages
        self.process = ""
        self.others: Callable[[], Sequence[str]] = tuple
        self._news: dict[str, list[Callable[..., None]]] = {}
        self.questions: dict[str, Callable[[Any], Awaitable[Any]]] = {}
        self.taking: dict[str, Callable[[Packet], None]] = {
            "news": self._hear,
            "ask": self._asked,
            "answer": self._answered,
        }
        self._asked_for: dict[str, asyncio.Future[Any]] = {}
        messages.received = self._take

    @property
    def working(self) -> bool:
        """Whether the others can be reached."""
        return self.messages.working

    async def join(self, process: str) -> None:
        """Be reached as this process."""
        self.process = process
        await self.messages.join(process)

    def send(self, to: str, kind: str, about: str, number: int, body: bytes) -> None:
        """Send a packet to a process."""
        self.messages.send(to, Packet(kind, self.process, about, number, body).head, body)

    def subscribe(self, topic: Topic[*Said], call: Callable[[*Said], None]) -> None:
        """Call this with what other processes publish; named tuples may come as lists."""
        self._news.setdefault(topic.name, []).append(call)

    def publish(self, topic: Topic[*Said], *said: *Said) -> None:
        """Tell all other processes."""
        head = Packet("news", self.process, topic.name, 0, b"").head
        self.messages.publish(head, json.dumps(said).encode())

    def announce(self, topic: Topic[*Said], *said: *Said) -> None:
        """Tell all processes, this one at once."""
        for call in self._news.get(topic.name, ()):
            call(*said)
        self.publish(topic, *said)

    async def ask(self, process: str, name: str, said: Any, seconds: float = ANSWER_S) -> Any:
        """The answer of a process, also of this one. Raises what it refuses with, or ``links_lost``."""
        if process == self.process:
            return await self.questions[name](said)
        mark = secrets.token_hex(8)
        answer = self._asked_for[mark] = asyncio.get_running_loop().create_future()
        try:
            self.send(process, "ask", mark, 0, json.dumps([name, said]).encode())
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            raise ServerError("links_lost") from None
        finally:
            del self._asked_for[mark]

    async def ask_all(self, name: str, said: Any) -> list[Any]:
        """The answers of this and of all other processes; without those that do not answer."""
        return await self._ask([self.process, *self.others()], name, said)

    async def _ask(self, processes: Sequence[str], name: str, said: Any) -> list[Any]:
        if not self.working and any(process != self.process for process in processes):
            raise ServerError("links_lost")
        asked = [self.ask(process, name, said) for process in processes]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, ServerError):
                raise answer
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    async def ask_others(self, name: str, said: Any) -> list[Any]:
        """The answers of all other processes; without those that do not answer."""
        return await self._ask([*self.others()], name, said)

    def _take(self, head: str, body: bytes) -> None:
        try:
            packet = Packet.of(head, body)
            take = packet and self.taking.get(packet.kind)
            if packet and take and packet.sender != self.process:
                take(packet)
        except Exception:
            LOG.exception("a message of another process cannot be read")

    def _hear(self, packet: Packet) -> None:
        for call in self._news.get(packet.about, ()):
            call(*json.loads(packet.body))

    def _asked(self, packet: Packet) -> None:
        asyncio.get_running_loop().create_task(to_the_end(self._answer(packet)))

    async def _answer(self, packet: Packet) -> None:
        name, said = json.loads(packet.body)
        try:
            answer = [await self.questions[name](said), None]
        except ServerError as error:
            answer = [
                None,
                [error.code, {key: value for key, value in error.details.items() if _plain(value)}],
            ]
        except Exception:
            LOG.exception("a question of another process failed: %s", name)
            answer = [None, ["internal", {}]]
        self.send(packet.sender, "answer", packet.about, 0, json.dumps(answer, default=_as_json).encode())

    def _answered(self, packet: Packet) -> None:
        waiting = self._asked_for.get(packet.about)
        if waiting is None or waiting.done():
            return  # too late, or twice
        answer, refused = json.loads(packet.body)
        if refused is None:
            waiting.set_result(answer)
        else:
            waiting.set_exception(ServerError(refused[0], **refused[1]))


def _as_json(value: Any) -> Any:
    """A model or a dataclass as its fields."""
    return (
        asdict(value)
        if is_dataclass(value) and not isinstance(value, type)
        else value.model_dump(mode="json")
    )


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float)


TELLS_S: Final = 0.25


class SiteLimits(Background):
    """The limits of this process that are shared, by name."""

    def __init__(self, links: Links, others: Callable[[], Collection[str]]) -> None:
        self._links, self._others = links, others
        self._rates: dict[str, Rates] = {}
        self._uses: dict[str, UseLimit] = {}
        self._taken: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._changed: set[tuple[str, str]] = set()
        links.subscribe(LIMITS_USED, self._hear)

    def share(self, **limits: Rates | UseLimit) -> None:
        """Share these limits."""
        for name, limit in limits.items():
            if isinstance(limit, Rates):
                self._rates[name], limit.noted = limit, partial(self._note_rate, name)
            else:
                self._uses[name], limit.noted = limit, partial(self._note_use, name)

    def meet(self) -> None:
        """Processes have come or gone: the new ones know nothing yet, and what the others held is free."""
        for name, limit in self._uses.items():
            limit.keep(self._others())
            self._changed |= {(name, key) for key in limit.taken}

    def _note_rate(self, name: str, key: str, amount: float) -> None:
        if self._others():
            self._taken[name][key] += amount

    def _note_use(self, name: str, key: str) -> None:
        if self._others():
            self._changed.add((name, key))

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(TELLS_S)
            if self._taken or self._changed:
                held = [(name, key, self._uses[name].taken[key]) for name, key in self._changed]
                self._links.publish(LIMITS_USED, self._links.process, self._taken, held)
                self._taken.clear()
                self._changed.clear()

    def _hear(
        self,
        process: str,
        taken: Mapping[str, Mapping[str, float]],
        held: Sequence[tuple[str, str, int]],
    ) -> None:
        for name, amounts in taken.items():
            for key, amount in amounts.items() if name in self._rates else ():
                self._rates[name].taken_elsewhere(key, amount)
        for name, key, number in held:
            if name in self._uses:
                self._uses[name].taken_elsewhere(process, key, number)
