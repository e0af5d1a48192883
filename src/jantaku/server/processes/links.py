"""Messages between the processes of a site: news, requests, and limits shared by all processes."""

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

MAX_PAYLOAD: Final = 512 * 1024  # bytes of one message; half of the default limit of NATS


class Messages(ABC):
    """A message transport. ``received`` is called with each message, ``lost`` when some may be missing."""

    def __init__(self) -> None:
        self.received: Callable[[str, bytes], None] = lambda *_: None
        self.lost: list[Callable[[], None]] = []

    @property
    @abstractmethod
    def working(self) -> bool:
        """Whether messages can currently be sent."""

    @abstractmethod
    def use_key(self, key: bytes) -> None:
        """Sign sent messages with the site's key, and accept only messages signed with it."""

    @abstractmethod
    async def start(self) -> None:
        """Connect; raises ``RequestError`` if the connection fails."""

    @abstractmethod
    async def join(self, process: str) -> None:
        """Receive messages under this name, and no longer under the previous one."""

    @abstractmethod
    async def stop(self) -> None:
        """Send all waiting messages and disconnect."""

    @abstractmethod
    def send(self, process: str, head: str, body: bytes) -> None:
        """Send a message to a process."""

    @abstractmethod
    def publish(self, head: str, body: bytes) -> None:
        """Send a message to all other processes."""

    @abstractmethod
    async def reaches(self, process: str) -> bool:
        """Whether a process may be reachable; False only if no process is known to have this name."""

    def report_loss(self) -> None:
        """Call the ``lost`` callbacks."""
        for call in self.lost:
            call()


class InProcessBus(Messages):
    """The transport of a site with one process, or of several lobbies in one process that share ``buses``."""

    def __init__(self, buses: "dict[str, InProcessBus] | None" = None) -> None:
        super().__init__()
        self._buses = {} if buses is None else buses
        self._name = ""

    @property
    def working(self) -> bool:
        """Always true."""
        return True

    def use_key(self, key: bytes) -> None:
        """Do nothing, because no message leaves the process."""

    async def start(self) -> None:
        """Do nothing, because there is no connection."""

    async def join(self, process: str) -> None:
        """Receive messages under this name, and no longer under the previous one."""
        await self.stop()
        self._name, self._buses[process] = process, self

    async def stop(self) -> None:
        """Receive no more messages."""
        self._buses.pop(self._name, None)

    def send(self, process: str, head: str, body: bytes) -> None:
        """Send a message to a process."""
        if process in self._buses:
            self._buses[process]._deliver_soon(head, body)

    def publish(self, head: str, body: bytes) -> None:
        """Send a message to all other processes."""
        for bus in self._buses.values():
            if bus is not self:
                bus._deliver_soon(head, body)

    async def reaches(self, process: str) -> bool:
        """Whether a process has joined."""
        return process in self._buses

    def _deliver_soon(self, head: str, body: bytes) -> None:
        asyncio.get_running_loop().call_soon(lambda: self.received(head, body))


LOG = logging.getLogger("jantaku.server")
VERSION: Final = "1"  # of the message format; messages of other versions are ignored
ANSWER_S: Final = 2.0


class Packet(NamedTuple):
    """A message between processes: kind, sender, subject, number within the subject, and body."""

    kind: str
    sender: str
    about: str
    number: int
    body: bytes

    @property
    def head(self) -> str:
        """The encoded fields without the body."""
        return f"{VERSION} {self.kind} {self.sender} {self.about} {self.number}"

    @classmethod
    def parse(cls, head: str, body: bytes) -> "Packet | None":
        """Decode a message; ``None`` if it has another version."""
        version, *parts = head.split(" ")
        if version != VERSION:
            return None
        kind, sender, about, number = parts
        return cls(kind, sender, about, int(number), body)


Payload = TypeVarTuple("Payload")


@dataclass(frozen=True)
class Topic(Generic[*Payload]):
    """A kind of news; the type arguments are the published values."""

    name: str


SIGNED_IN = Topic[str, str, str]("signed_in")  # old session, person, new session
PROFILE_SHOWN = Topic[str, bool]("profile_shown")  # person, whether others see their statistics
BLOCKED = Topic[str, str]("blocked")  # blocking person, blocked person
ASKED = Topic[str]("asked")  # person whose friend requests or invitations have changed
INVITED = Topic[str, str, str]("invited")  # invited person, host, table
UNINVITED = Topic[str, str]("uninvited")  # invited person, table
PRESENCE = Topic[str, bool]("presence")  # person, whether others see that they are waiting
EVENT_CHANGED = Topic[str, int]("event")  # event, revision
GAME_ENDED = Topic[()]("game_ended")
REQUEST_DONE = Topic[str, float]("once")  # digest of a request, seconds for which repeats are refused
PEERS_CHANGED = Topic[()]("peers")
LIMITS_USED = Topic[str, Mapping[str, Mapping[str, float]], Sequence[tuple[str, str, int]]]("limits")


class Links:
    """News and requests between the processes of a site.

    ``others`` returns the other live processes. ``handlers`` answer requests by name;
    ``packet_handlers`` receive packets by kind.
    """

    def __init__(self, messages: Messages) -> None:
        self.messages = messages
        self.process = ""
        self.others: Callable[[], Sequence[str]] = tuple
        self._subscribers: dict[str, list[Callable[..., None]]] = {}
        self.handlers: dict[str, Callable[[Any], Awaitable[Any]]] = {}
        self.packet_handlers: dict[str, Callable[[Packet], None]] = {
            "news": self._on_news,
            "ask": self._on_request,
            "answer": self._on_answer,
        }
        self._pending: dict[str, asyncio.Future[Any]] = {}
        messages.received = self._receive

    @property
    def working(self) -> bool:
        """Whether the others can be reached."""
        return self.messages.working

    async def join(self, process: str) -> None:
        """Receive messages under this process id."""
        self.process = process
        await self.messages.join(process)

    def send(self, to: str, kind: str, about: str, number: int, body: bytes) -> None:
        """Send a packet to a process."""
        self.messages.send(to, Packet(kind, self.process, about, number, body).head, body)

    def subscribe(self, topic: Topic[*Payload], call: Callable[[*Payload], None]) -> None:
        """Call ``call`` with the values that are published; named tuples may arrive as lists."""
        self._subscribers.setdefault(topic.name, []).append(call)

    def publish(self, topic: Topic[*Payload], *values: *Payload) -> None:
        """Publish values to all other processes."""
        head = Packet("news", self.process, topic.name, 0, b"").head
        self.messages.publish(head, json.dumps(values).encode())

    def announce(self, topic: Topic[*Payload], *values: *Payload) -> None:
        """Publish values to all processes; subscribers in this process are called immediately."""
        for call in self._subscribers.get(topic.name, ()):
            call(*values)
        self.publish(topic, *values)

    async def request(self, process: str, name: str, value: Any, seconds: float = ANSWER_S) -> Any:
        """Send a request to a process, which may be this one, and return the answer.

        Raises the ``ServerError`` with which the process refuses, or ``links_lost`` if there is no answer.
        """
        if process == self.process:
            return await self.handlers[name](value)
        mark = secrets.token_hex(8)
        answer = self._pending[mark] = asyncio.get_running_loop().create_future()
        try:
            self.send(process, "ask", mark, 0, json.dumps([name, value]).encode())
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            raise ServerError("links_lost") from None
        finally:
            del self._pending[mark]

    async def request_all(self, name: str, value: Any) -> list[Any]:
        """Return the answers of all processes; processes that fail or do not answer are left out."""
        return await self._request_each([self.process, *self.others()], name, value)

    async def _request_each(self, processes: Sequence[str], name: str, value: Any) -> list[Any]:
        if not self.working and any(process != self.process for process in processes):
            raise ServerError("links_lost")
        requests = [self.request(process, name, value) for process in processes]
        answers = await asyncio.gather(*requests, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, ServerError):
                raise answer
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    async def request_others(self, name: str, value: Any) -> list[Any]:
        """Return the answers of all other processes; those that fail or do not answer are left out."""
        return await self._request_each([*self.others()], name, value)

    def _receive(self, head: str, body: bytes) -> None:
        try:
            packet = Packet.parse(head, body)
            handle = packet and self.packet_handlers.get(packet.kind)
            if packet and handle and packet.sender != self.process:
                handle(packet)
        except Exception:
            LOG.exception("a message of another process cannot be read")

    def _on_news(self, packet: Packet) -> None:
        for call in self._subscribers.get(packet.about, ()):
            call(*json.loads(packet.body))

    def _on_request(self, packet: Packet) -> None:
        asyncio.get_running_loop().create_task(to_the_end(self._answer(packet)))

    async def _answer(self, packet: Packet) -> None:
        name, value = json.loads(packet.body)
        try:
            answer = [await self.handlers[name](value), None]
        except ServerError as error:
            answer = [
                None,
                [error.code, {key: value for key, value in error.details.items() if _plain(value)}],
            ]
        except Exception:
            LOG.exception("a request of another process failed: %s", name)
            answer = [None, ["internal", {}]]
        self.send(packet.sender, "answer", packet.about, 0, json.dumps(answer, default=_as_json).encode())

    def _on_answer(self, packet: Packet) -> None:
        waiting = self._pending.get(packet.about)
        if waiting is None or waiting.done():
            return  # a late or duplicate answer
        answer, refused = json.loads(packet.body)
        if refused is None:
            waiting.set_result(answer)
        else:
            waiting.set_exception(ServerError(refused[0], **refused[1]))


def _as_json(value: Any) -> Any:
    """Return the fields of a dataclass or model, for ``json.dumps``."""
    return (
        asdict(value)
        if is_dataclass(value) and not isinstance(value, type)
        else value.model_dump(mode="json")
    )


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float)


PUBLISH_S: Final = 0.25  # interval between messages about used limits


class SiteLimits(Background):
    """Limits that count the uses in all processes of the site."""

    def __init__(self, links: Links, others: Callable[[], Collection[str]]) -> None:
        self._links, self._others = links, others
        self._rates: dict[str, Rates] = {}
        self._uses: dict[str, UseLimit] = {}
        self._spent: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._changed: set[tuple[str, str]] = set()
        links.subscribe(LIMITS_USED, self._on_used)

    def share(self, **limits: Rates | UseLimit) -> None:
        """Share these limits under their names."""
        for name, limit in limits.items():
            if isinstance(limit, Rates):
                self._rates[name], limit.on_change = limit, partial(self._rate_changed, name)
            else:
                self._uses[name], limit.on_change = limit, partial(self._use_changed, name)

    def update_peers(self) -> None:
        """Drop the uses of processes that have left, and publish this process's uses to new ones."""
        for name, limit in self._uses.items():
            limit.retain(self._others())
            self._changed |= {(name, key) for key in limit.taken}

    def _rate_changed(self, name: str, key: str, amount: float) -> None:
        if self._others():
            self._spent[name][key] += amount

    def _use_changed(self, name: str, key: str) -> None:
        if self._others():
            self._changed.add((name, key))

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PUBLISH_S)
            if self._spent or self._changed:
                held = [(name, key, self._uses[name].taken[key]) for name, key in self._changed]
                self._links.publish(LIMITS_USED, self._links.process, self._spent, held)
                self._spent.clear()
                self._changed.clear()

    def _on_used(
        self,
        process: str,
        spent: Mapping[str, Mapping[str, float]],
        held: Sequence[tuple[str, str, int]],
    ) -> None:
        for name, amounts in spent.items():
            for key, amount in amounts.items() if name in self._rates else ():
                self._rates[name].record_remote(key, amount)
        for name, key, number in held:
            if name in self._uses:
                self._uses[name].record_remote(process, key, number)
