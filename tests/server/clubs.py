"""An event on a real server, and everybody who has to do with it."""

import itertools
from collections.abc import Sequence
from typing import Any

from server.parlour import Message, Person

PASSWORD = "correct horse"
_numbers = itertools.count()


def member(url: str, name: str) -> Person:
    """Somebody with an account of that name, made unique."""
    found = Person(url)
    body = {"name": f"{name} {next(_numbers)}", "password": PASSWORD}
    found.id = found.post("/api/register", **body)["id"]
    return found


class Gathering:
    """An event with an organiser, a referee, a recorder and four players with accounts."""

    def __init__(self, url: str, **event: Any) -> None:
        self.url = url
        self.organiser = member(url, "organiser")
        made = self.organiser.post("/api/events", **({"template": "bgm-2025", "stages": OPEN} | event))
        self.id, self.path = made["id"], f"/api/events/{made['id']}"
        self.referee, self.recorder = member(url, "referee"), member(url, "recorder")
        for person, role in ((self.referee, "referee"), (self.recorder, "recorder")):
            name = person.get("/api/me")["person"]["name"]
            self.organiser.post(f"{self.path}/staff", name=name, role=role)
        self.players = [member(url, f"player {i}") for i in range(4)]
        self.entries = [one.post(f"{self.path}/entries")["id"] for one in self.players]

    def view(self, person: Person | None = None) -> Message:
        """The event as somebody sees it."""
        found: Message = (person or self.organiser).get(self.path)
        return found

    def close(self) -> None:
        """Let everybody go."""
        for person in (self.organiser, self.referee, self.recorder, *self.players):
            person.close()


OPEN = [{"id": "league"}]


def statuses(entries: Sequence[Message]) -> dict[str, str]:
    """The status of each entry by name."""
    return {entry["name"]: entry["status"] for entry in entries}


def refused(person: Person, method: str, path: str, **body: Any) -> tuple[int, str]:
    """The status and the code of a refusal."""
    answer = person.http.request(method, path, json=None if method in ("GET", "DELETE") else body)
    assert answer.status_code >= 400, answer.text
    return answer.status_code, str(answer.json()["error"]["code"])


class Table:
    """A game of four players, and the entries that a recorder would send."""

    def __init__(self, gathering: Gathering, name: str, **start: Any) -> None:
        self.gathering, self.who = gathering, start.pop("who", gathering.players[0])
        self.id, self.count, self.head = f"game-{name}", 0, ""
        self.path = f"{gathering.path}/games/{self.id}"
        body = {"id": self.id, "stage": "league", "players": gathering.entries} | start
        self.started = self.who.post(f"{gathering.path}/games", **body)

    def body(self, hand: Message | None, **more: Any) -> Message:
        """The next entry."""
        self.count += 1
        return {"id": f"{self.id}-{self.count}", "follows": self.head, "hand": hand} | more

    def enter(self, hand: Message | None, who: Person | None = None, **more: Any) -> Message:
        """Enter a hand."""
        body = self.body(hand, **more)
        found: Message = (who or self.who).post(f"{self.path}/hands", **body)
        self.head = body["id"]
        return found

    def view(self, who: Person | None = None) -> Message:
        """The game as somebody sees it."""
        found: Message = (who or self.who).get(self.path)
        return found

    def refuse(self, hand: Message | None, who: Person | None = None, **more: Any) -> tuple[int, str]:
        """The status and the code with which an entry is refused."""
        return refused(who or self.who, "POST", f"{self.path}/hands", **self.body(hand, **more))

    def confirm(self, who: Person, **more: Any) -> Message:
        """Confirm the game."""
        found: Message = who.post(f"{self.path}/confirm", head=self.head, **more)
        return found
