"""Many tables are recorded over a bad network while referees correct hands and the server is killed.

Afterwards every hand is stored exactly once, and all totals are right.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import httpx
import pytest

from jantaku.kernels._jit import COMPILED
from server.clubs import Account, Club
from server.parlour import WAIT_S, Message, Process, free_port
from support.plain_club import HANDS, plain_hand, plain_scores

pytestmark = pytest.mark.skipif(not COMPILED, reason="private servers are slow without compiled code")
LOST: Final = 0.15  # share of requests and share of responses that are lost
RETRY_S: Final = 0.05
AWAY: Final = (502, 503, 504)


@dataclass
class Accepted:
    """An entry that the server has accepted, as the client remembers it."""

    revision: int
    action: str
    place: int
    hand: Message


@dataclass
class Notes:
    """What the clients observed: the accepted entries of each game, and counts of failures."""

    games: dict[str, list[Accepted]] = field(default_factory=dict)
    entered: int = 0
    retried: int = 0
    conflicts: int = 0
    cut: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        with self.lock:
            setattr(self, what, getattr(self, what) + 1)

    def accept(self, game: str, entry: Accepted) -> None:
        with self.lock:
            self.games.setdefault(game, []).append(entry)
            self.entered += 1


class Client:
    """A phone on a bad network, which repeats each request until there is a response."""

    def __init__(self, person: Account, notes: Notes, seed: int) -> None:
        self.person, self.notes, self.rng = person, notes, Random(seed)
        self.number = 0

    def ask(self, method: str, path: str, body: Message | None = None) -> httpx.Response:
        """Send the same request until a response arrives."""
        ends = time.monotonic() + WAIT_S
        while time.monotonic() < ends:
            try:
                if self.rng.random() < LOST:
                    raise httpx.ConnectError("the request is lost")
                answer = self.person.send(method, path, **(body or {}))
                if self.rng.random() < LOST:
                    raise httpx.ReadError("the answer is lost")
                if answer.status_code not in AWAY:
                    return answer
            except httpx.ConnectError:
                self.notes.count("cut")
            except httpx.TransportError:
                self.notes.count("retried")
            time.sleep(RETRY_S * self.rng.random())
        raise AssertionError(f"no answer to {method} {path}")

    def start(self, game: str, players: list[str]) -> None:
        body: Message = {"id": game, "stage": "league", "players": players}
        answer = self.ask("POST", "games", body)
        assert answer.status_code == 200, answer.text

    def enter(
        self, game: str, head: str, hand: Message, action: str = "add", place: int | None = None
    ) -> str:
        """Enter a hand after ``head``; on a conflict, enter it after the current head. Return its id."""
        self.number += 1
        body: Message = {
            "id": f"{self.person.id}-{self.number:05}",
            "follows": head,
            "hand": hand,
            "action": action,
        }
        body |= {} if place is None else {"place": place, "why": "checked by the referee"}
        while True:
            answer = self.ask("POST", f"games/{game}/hands", body)
            content = answer.json()
            if answer.status_code == 200:
                self.notes.accept(game, Accepted(content["revision"], action, content["place"], hand))
                return str(body["id"])
            assert (answer.status_code, content["error"]["code"]) == (409, "hand_conflict"), answer.text
            self.notes.count("conflicts")
            body["follows"] = content["head"]


class Evening(Club):
    """Tables of an event, at each of which ``games`` games are recorded while referees correct them."""

    def __init__(self, url: str, tables: int, games: int, referees: int) -> None:
        super().__init__(url, 3 * tables)
        judges = [self.staff("referee") for _ in range(referees)]
        recorders = [self.account("player") for _ in range(tables)]
        mine = [recorder.post("entries")["id"] for recorder in recorders]
        sitting = [[mine[i], *self.entries[3 * i : 3 * i + 3]] for i in range(tables)]
        self.tables, self.games, self.notes = tables, games, Notes()
        clients = [Client(person, self.notes, i) for i, person in enumerate([*recorders, *judges])]
        self.done, self.started = threading.Event(), time.monotonic()
        self.corrections, self.wrong = run([partial(judge, client, self.done) for client in clients[tables:]])
        work = [partial(record, client, i, games, sitting[i]) for i, client in enumerate(clients[:tables])]
        self.recorders, self.raised = run(work)

    @property
    def hands(self) -> int:
        return self.tables * self.games * HANDS

    def wait_for(self, share: float) -> None:
        """Wait until this share of all hands is stored."""
        while self.notes.entered < self.hands * share and not self.raised:
            time.sleep(RETRY_S)

    def finish(self) -> dict[str, float]:
        """Wait for all clients, compare the results with the model and return statistics."""
        for recorder in self.recorders:
            recorder.join()
        self.done.set()
        for recorder in self.corrections:
            recorder.join()
        seconds, notes = time.monotonic() - self.started, self.notes
        assert self.raised + self.wrong == []
        assert self.check() == self.hands
        return {
            "seconds": round(seconds, 1),
            "corrections": notes.entered - self.hands,
            "answers lost": notes.retried,
            "conflicts": notes.conflicts,
            "cut": notes.cut,
        }

    def check(self) -> int:
        """Compare every game with the model; return the number of hands."""
        hands = 0
        assert len(self.notes.games) == self.tables * self.games
        for game, entries in self.notes.games.items():
            wanted = modelled(entries)
            seen = self.organiser.get(f"games/{game}")
            versions = self.organiser.get(f"games/{game}/versions")["versions"]
            assert len(versions) == len(entries) == seen["revision"]
            assert [hand["hand"] for hand in seen["hands"]] == wanted
            assert seen["scores"] == plain_scores(wanted)
            hands += len(wanted)
        return hands


def record(client: Client, table: int, games: int, sitting: list[str]) -> None:
    """Record the games of one table one after another."""
    for number in range(games):
        game, head = f"table-{table:02}-{number:02}", ""
        client.start(game, sitting)
        for index in range(HANDS):
            head = client.enter(game, head, plain_hand(client.rng, index))


def judge(client: Client, done: threading.Event) -> None:
    """Replace random hands until ``done`` is set."""
    while not done.is_set():
        with client.notes.lock:
            games = [game for game, entries in client.notes.games.items() if entries]
        if not games:
            done.wait(RETRY_S)
            continue
        game = client.rng.choice(games)
        shown = client.ask("GET", f"games/{game}").json()
        index = client.rng.randrange(len(shown["hands"]))
        client.enter(game, shown["head"], plain_hand(client.rng, index), "replace", index)
        done.wait(RETRY_S)


def modelled(entries: list[Accepted]) -> list[Message]:
    """Apply each entry of a game once, in the order of the server's revisions; return the hands."""
    entries = sorted(entries, key=lambda version: version.revision)
    assert [entry.revision for entry in entries] == list(range(1, len(entries) + 1))
    hands: list[Message] = []
    for entry in entries:
        if entry.action == "add":
            assert entry.place == len(hands)
            hands.append(entry.hand)
        else:
            hands[entry.place] = entry.hand
    return hands


def run(work: Sequence[Callable[[], None]]) -> tuple[list[threading.Thread], list[BaseException]]:
    """Run each callable in a thread; return the threads and a list to which their exceptions are added."""
    raised: list[BaseException] = []

    def guarded(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(act,), daemon=True) for act in work]
    for thread in threads:
        thread.start()
    return threads, raised


@pytest.mark.slow
def test_tables_record_over_a_bad_network(url: str) -> None:
    Evening(url, tables=3, games=1, referees=1).finish()


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_forty_tables_survive_a_bad_network_and_a_killed_server(
    request: pytest.FixtureRequest,
    record_testsuite_property: Callable[[str, object], None],
    tmp_path: Path,
    database: str,
) -> None:
    options = () if database == "sqlite" else (f"database_url={request.getfixturevalue('cluster').url}",)
    port = free_port()
    process = Process(tmp_path, port, *options)
    try:
        process.wait()
        evening = Evening(process.url, tables=40, games=4, referees=3)
        for share in (1 / 3, 2 / 3):
            evening.wait_for(share)
            process.kill()
            process = Process(tmp_path, port, *options)
            process.wait()
        report = evening.finish()
    finally:
        process.kill()
    record_testsuite_property(database, report)
    assert min(report["corrections"], report["answers lost"], report["conflicts"], report["cut"]) > 0
