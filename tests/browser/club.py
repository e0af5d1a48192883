"""An event at physical tables whose organiser uses a browser."""

import itertools
from typing import Any, Final

from browser.parlour import Guest

NAMES: Final = ("Kim", "Park", "Sato", "Lee")
BUST: Final = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}  # ends the game under most rules
RON: Final = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
DRAW: Final = {"end": "draw", "tenpai": [0]}
ROUNDS: Final = [{"id": "main", "kind": "rounds"}, {"id": "league"}]
_numbers = itertools.count(1)


class Club:
    """An event with listed players, organised by someone with an account."""

    def __init__(
        self, organiser: Guest, people: tuple[str, ...] = NAMES, toml: str = "", **event: Any
    ) -> None:
        self.organiser = organiser if organiser.id else organiser.register("Organiser")
        rules = {"rules": organiser.rules(toml) if toml else "standard"}
        made = organiser.post("events", {"name": "Club night"} | rules | event)
        self.id, self.code, self.path = str(made["id"]), str(made["code"]), f"events/{made['id']}"
        self.stages = [stage["id"] for stage in made["stages"]]
        self.games: list[str] = []
        self.people = people
        if people:
            self.add(*people)

    def add(self, *people: str) -> None:
        """Register people by name; their ids are derived from the names."""
        listed = [{"name": name, "id": name.replace(" ", "-")} for name in people]
        self.post("entries/list", entries=listed)

    def post(self, path: str, **body: Any) -> Any:
        """Send a request as the organiser, but not through the page."""
        return self.organiser.post(f"{self.path}/{path}", body)

    def get(self, path: str = "") -> Any:
        return self.organiser.get(f"{self.path}{path and '/'}{path}")

    def play(self, name: str, *hands: Any, **more: Any) -> str:
        """Start a game and enter hands; return its id."""
        game = f"{name}-{next(_numbers):06}"
        body = {"id": game, "stage": self.stages[0], "players": self.people[:4], "label": "3"} | more
        self.post("games", **body)
        self.games.append(game)
        for hand in hands:
            self.enter(game, hand)
        return game

    def enter(self, game: str, hand: Any) -> None:
        head = self.get(f"games/{game}")["head"]
        self.post(f"games/{game}/hands", id=f"hand-{next(_numbers):06}", follows=head, hand=hand)

    def role(self, person: Guest, role: str) -> Guest:
        """Give someone with an account a role in the event."""
        self.post("staff", name=person.name, role=role)
        return person
