"""Helpers for an event on a real server, with its staff and players."""

import itertools
import time
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from typing import Any, overload

from httpx import Response

from jantaku.club import event_from, standings
from server.parlour import PASSWORD, WAIT_S, Message, Person

SCORES = [40000, 30000, 20000, 10000]
STAGES: list[Message] = [{"id": "main", "kind": "rounds"}, {"id": "league"}]
RON: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
DRAW: Message = {"end": "draw", "tenpai": [0]}
BUST: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
"""A win of 5,200 or 7,700 points, a draw, and a win that ends most games."""
_numbers = itertools.count()


def states(stage: Message) -> list[str]:
    return [round_["state"] for round_ in stage["rounds"]]


def tables(stage: Message) -> list[list[list[str]]]:
    """Return the players at each table of each round."""
    return [[table["players"] for table in round_["tables"]] for round_ in stage["rounds"]]


def people(message: Message) -> list[str]:
    """Return all players of a round, including those with a bye."""
    return [*chain(*(table["players"] for table in message["tables"])), *message["byes"]]


class Visitor(Person):
    """A person whose request paths are relative to an event unless they begin with a slash."""

    def __init__(self, url: str, name: str | None = None, at: str = "") -> None:
        super().__init__(url, name)
        self.at, self.name = at, name or ""

    def send(self, method: str, path: str, /, **body: Any) -> Response:
        whole = path if path.startswith("/") else f"{self.at}/{path}".removesuffix("/").replace("/?", "?")
        return super().send(method, whole, **body)


class Account(Visitor):
    """A person with an account; its unique name is derived from ``name``."""

    def __init__(self, url: str, name: str, at: str = "") -> None:
        Person.__init__(self, url, unique := f"{name}x{next(_numbers)}", PASSWORD)
        self.at, self.name = at, unique


class Players(Sequence[Account]):
    """The first four players of an event, each of whom gets an account when first accessed."""

    def __init__(self, club: "Club") -> None:
        self.club, self.known = club, dict[str, Account]()

    def __len__(self) -> int:
        return 4

    @overload
    def __getitem__(self, at: int) -> Account: ...
    @overload
    def __getitem__(self, at: slice) -> list[Account]: ...
    def __getitem__(self, at: int | slice) -> Account | list[Account]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(4))]
        entry = self.club.entries[range(4)[at]]
        if entry not in self.known:
            self.known[entry] = self.club.account(f"player {at}")
            self.club.organiser.patch(f"entries/{entry}", account=self.known[entry].name)
        return self.known[entry]


class Club:
    """An event under Tenhou's rules with an open league and a stage played in rounds.

    The entries are named p0, p1 and so on. Staff and players get their accounts when first accessed.
    """

    def __init__(self, url: str, size: int = 4, organiser: Account | None = None, **event: Any) -> None:
        self.url, self.at, self.stage = url, "", "main"
        self.organiser = copy(organiser or Account(url, "organiser"))
        plan = {"name": "Club", "rules": "tenhou", "stages": STAGES} | event
        self.enter(self.organiser.post("/api/events", **plan)["id"])
        self.entries = [f"p{i}" for i in range(size)]
        if size:
            self.add(*({"id": entry, "name": f"Player {entry[1:]}"} for entry in self.entries))
        self.players = Players(self)

    def enter(self, event: str) -> None:
        """Switch to another event."""
        self.id, self.at = event, f"/api/events/{event}"
        self.organiser.at = self.at

    def account(self, name: str) -> Account:
        return Account(self.url, name, self.at)

    def guest(self, name: str = "Guest") -> Visitor:
        return Visitor(self.url, name, self.at)

    def staff(self, role: str) -> Account:
        """Create an account and give it a role."""
        person = self.account(role)
        self.organiser.post("staff", name=person.name, role=role)
        return person

    @cached_property
    def referee(self) -> Account:
        return self.staff("referee")

    @cached_property
    def recorder(self) -> Account:
        return self.staff("recorder")

    def add(self, *people: str | Message) -> Any:
        """Register people without accounts, given as ids or as full entries; return all entries."""
        entries = [{"id": one, "name": one.title()} if isinstance(one, str) else one for one in people]
        return self.organiser.post("entries/list", entries=entries)["entries"]

    def penalise(self, entry: str, points: int = -1000, why: str = "late", **more: Any) -> None:
        body = {"stage": "league", "entry": entry, "points": points, "why": why} | more
        self.organiser.post("penalties", **body)

    def log(self, who: Visitor | None = None, **query: Any) -> Any:
        """Return the changes visible to a person, newest first."""
        return (who or self.organiser).get("log", **query)["changes"]

    def rows(self, stage: str = "league", who: Visitor | None = None) -> Any:
        """Return the standings of a stage."""
        stages = (who or self.organiser).get("standings")["stages"]
        return next(one["standings"] for one in stages if one["id"] == stage)

    def points(self, stage: str = "league") -> dict[str, int]:
        """Return the points of all players after checking that the exported file gives the same ones."""
        points = {row["player"]: row["points"] for row in self.rows(stage)}
        filed = standings(event_from(self.organiser.get("file"))).stages[stage]
        assert {row.player: row.points for row in filed} == points
        return points

    def game(self, name: str, who: Visitor | None = None, **start: Any) -> "ClubGame":
        return ClubGame(self, name, who, **start)

    def result(self, name: str, scores: Sequence[int] = SCORES, **more: Any) -> Any:
        """Enter a game by its final points."""
        body = {"id": f"game-{name}", "stage": "league", "players": self.entries[:4], "scores": scores}
        return self.organiser.post("games", **(body | more))

    @property
    def rounds(self) -> str:
        return f"rounds/{self.stage}"

    def run(self, path: str, /, **body: Any) -> Any:
        """Send a request about the rounds of a stage as the organiser; return the stage."""
        return self.organiser.post(f"{self.rounds}/{path}", **body)

    def seat(self, tables: Sequence[Sequence[str]] = (), /, **body: Any) -> Any:
        """Seat a round at the given tables, or compute a seating and wait for it; return the stage."""
        if tables:
            return self.run("seating/import", rounds=[tables])
        stage = self.run("seating", **(body or {"how": "random"}))
        end = time.monotonic() + WAIT_S
        while stage["work"] is not None:
            assert stage["work"]["state"] == "working", stage["work"]
            assert time.monotonic() < end
            time.sleep(0.05)
            stage = self.view_rounds()
        return stage

    def view_rounds(self, who: Visitor | None = None) -> Any:
        return (who or self.organiser).get(self.rounds)

    def round(self, number: int = 1) -> Any:
        """Return a round as the organiser sees it."""
        return self.view_rounds()["rounds"][number - 1]

    def play_round(self, number: int = 1) -> None:
        """Start a round and give all of its games the same final points."""
        stage = self.run(f"{number}/start")
        tables = [table["number"] for table in stage["rounds"][number - 1]["tables"]]
        results = [{"table": table, "scores": SCORES} for table in tables]
        assert self.run(f"{number}/results", results=results)["refused"] == []


class ClubGame:
    """A recorded game of an event's first four players, with the request bodies of its hands."""

    def __init__(self, club: Club, name: str, who: Visitor | None, **start: Any) -> None:
        self.club, self.who = club, who or club.players[0]
        self.id, self.count, self.head = f"game-{name}", 0, ""
        self.path = f"games/{self.id}"
        body = {"id": self.id, "stage": "league", "players": club.entries[:4]} | start
        self.started = self.who.post("games", **body)

    def body(self, hand: Message | None, **more: Any) -> Message:
        """Return the request body for the next hand."""
        self.count += 1
        return {"id": f"{self.id}-{self.count}", "follows": self.head, "hand": hand} | more

    def enter(self, hand: Message | None, who: Visitor | None = None, **more: Any) -> Any:
        """Enter a hand; return the game."""
        body = self.body(hand, **more)
        hands = (who or self.who).post(f"{self.path}/hands", **body)
        self.head = body["id"]
        return hands["game"]

    def refused(self, code: str, hand: Message | None, who: Visitor | None = None, **more: Any) -> Message:
        """Assert that a hand is refused with this error code; return the error."""
        return (who or self.who).refused(code, f"{self.path}/hands", **self.body(hand, **more))

    def post(self, what: str, who: Visitor | None = None, **body: Any) -> Any:
        """Send a request about the game as a referee."""
        return (who or self.club.referee).post(f"{self.path}/{what}", **body)

    def view(self, who: Visitor | None = None) -> Any:
        """Return the game as visible to a person."""
        return (who or self.who).get(self.path)

    def confirm(self, *people: Visitor, **more: Any) -> str:
        """Confirm the game as these people, or as a referee for all players; return the status."""
        body = more if people else {"everybody": True} | more
        for who in people or (self.club.referee,):
            game = who.post(f"{self.path}/confirm", **({"head": self.view(who)["head"]} | body))
        return str(game["status"])

    def finish(self, *hands: Message) -> "ClubGame":
        """Enter hands until the game is over, then confirm it as a referee."""
        for hand in hands or (BUST,):
            self.enter(hand)
        assert self.confirm() == "confirmed"
        return self
