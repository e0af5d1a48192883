"""An event on a real server, and everybody who has to do with it."""

import itertools
import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

from jantaku.club import event_from, standings
from server.parlour import WAIT_S, Message, Person

PASSWORD = "correct horse"
RON: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
DRAW: Message = {"end": "draw", "tenpai": [0]}
BUST: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
"""A win of 5,200 or 7,700 points, a draw, and a win that ends most games."""
ROUNDS: list[Message] = [{"id": "main", "kind": "rounds"}, {"id": "league"}]
_numbers = itertools.count()


def member(url: str, name: str) -> Person:
    """Somebody with an account of that name, made unique."""
    person = Person(url)
    body = {"name": f"{name}x{next(_numbers)}", "password": PASSWORD}
    person.id = person.post("/api/register", **body)["id"]
    return person


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
        self.entries = [player.post(f"{self.path}/entries")["id"] for player in self.players]

    def view(self, person: Person | None = None) -> Message:
        """The event as somebody sees it."""
        answer: Message = (person or self.organiser).get(self.path)
        return answer

    def close(self) -> None:
        """Let everybody go."""
        for person in (self.organiser, self.referee, self.recorder, *self.players):
            person.close()


class PaperClub:
    """An event whose only account is the organiser's; the four players are names on a list."""

    def __init__(self, url: str, **event: Any) -> None:
        self.organiser = member(url, "organiser")
        self.id = self.organiser.post("/api/events", **({"name": "Paper"} | event))["id"]
        self.path, self.players, self.entries = f"/api/events/{self.id}", [self.organiser], list("abcd")
        listed = [{"name": entry.upper(), "id": entry} for entry in self.entries]
        self.organiser.post(f"{self.path}/entries/list", entries=listed)


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

    def __init__(self, gathering: "Gathering | PaperClub", name: str, **start: Any) -> None:
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
        hands: Message = (who or self.who).post(f"{self.path}/hands", **body)
        self.head = body["id"]
        return hands

    def view(self, who: Person | None = None) -> Message:
        """The game as somebody sees it."""
        answer: Message = (who or self.who).get(self.path)
        return answer

    def refuse(self, hand: Message | None, who: Person | None = None, **more: Any) -> tuple[int, str]:
        """The status and the code with which an entry is refused."""
        return refused(who or self.who, "POST", f"{self.path}/hands", **self.body(hand, **more))

    def confirm(self, who: Person, **more: Any) -> Message:
        """Confirm the game."""
        game: Message = who.post(f"{self.path}/confirm", head=self.head, **more)
        return game


class Tournament(Gathering):
    """An event of rounds with so many players, four of whom have accounts."""

    def __init__(self, url: str, players: int, **event: Any) -> None:
        super().__init__(url, **({"rules": "tenhou", "stages": ROUNDS} | event))
        listed = [{"name": f"Player {i}", "id": f"p{i:02}"} for i in range(players - 4)]
        if listed:
            self.organiser.post(f"{self.path}/entries/list", entries=listed)
        self.names = [*self.entries, *(entry["id"] for entry in listed)]
        self.rounds = f"{self.path}/rounds/main"

    def make(self, **body: Any) -> Message:
        """Make a seating and wait until it is there."""
        rounds = self.organiser.post(f"{self.rounds}/seating", **body)
        end = time.monotonic() + WAIT_S
        while rounds["work"] is not None:
            assert rounds["work"]["state"] == "working", rounds["work"]
            assert time.monotonic() < end
            time.sleep(0.05)
            rounds = self.organiser.get(self.rounds)
        return dict(rounds)

    def post(self, path: str, **body: Any) -> Message:
        """Something an organiser does with the rounds."""
        return dict(self.organiser.post(f"{self.rounds}/{path}", **body))

    def seats(self, stage: Message) -> list[list[list[str]]]:
        """Who sits where in each round."""
        return [[table["players"] for table in round_["tables"]] for round_ in stage["rounds"]]


def states(stage: Message) -> list[str]:
    return [round_["state"] for round_ in stage["rounds"]]


def people(message: Message) -> list[str]:
    """Everybody in a round."""
    return [*chain(*(table["players"] for table in message["tables"])), *message["byes"]]


def played(tournament: Tournament, number: int) -> None:
    """Play a round: all games end with the same points."""
    stage = tournament.post(f"{number}/start")
    for table in stage["rounds"][number - 1]["tables"]:
        path = f"{tournament.path}/games/{table['game']}/points"
        tournament.referee.post(path, scores=[40000, 30000, 20000, 10000], why="paper")


def standings_of(cup: Tournament) -> dict[str, int]:
    """The points of the stage of rounds; the exported file gives the same."""
    rows = cup.organiser.get(f"{cup.path}/standings")["stages"][0]["standings"]
    event = event_from(cup.organiser.get(f"{cup.path}/file"))
    assert {row.player: row.points for row in standings(event).stages["main"]} == {
        row["player"]: row["points"] for row in rows
    }
    return {row["player"]: row["points"] for row in rows}
