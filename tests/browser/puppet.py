"""A table at which a test decides what messages a page receives."""

import copy
import json
import time
from typing import Any

from browser.contexts import PATIENCE_MS
from browser.parlour import DRAWN, Guest, against_bots

Action = dict[str, Any]
HAND, DRAWN_TILE = "12346789m1245s1z", "7z"
TILES = [*(f"{number}m" for number in "12346789"), *(f"{number}s" for number in "1245"), "1z", DRAWN_TILE]


class Puppet:
    """A proxy between a page and the server that sends the test's messages and records the page's actions."""

    def __init__(self, player: Guest, rules: str = "standard") -> None:
        self.player, self.page = player, player.page
        self.answers: list[Action] = []
        self.sent: list[str] = []  # every message that the page has sent
        self._asks = 1000
        self._seq: int | None = None
        self._sync: dict[str, Any] = {}
        self._socket: Any = None
        player.page.route_web_socket("**/ws/**", self._opened)
        against_bots(player, rules, draw_seats=False)  # so that the owner is the dealer and has drawn a tile
        self.own.update(hand=HAND, drawn=DRAWN_TILE)

    def _opened(self, socket: Any) -> None:
        self._socket, server = socket, socket.connect_to_server()

        def to_page(text: str) -> None:
            message = json.loads(text)
            if self._sync:
                return
            if message["type"] == "sync":
                self._sync = message
            socket.send(text)

        def to_server(text: str) -> None:
            self.sent.append(text)
            message = json.loads(text)
            if "id" in message:
                socket.send(json.dumps({"type": "ack", "id": message["id"]}))
            if message["type"] == "act":
                self.answers.append(message["action"])
            else:
                server.send(text)

        server.on_message(to_page)
        socket.on_message(to_server)

    @property
    def own(self) -> dict[str, Any]:
        """The private data of the seat."""
        own: dict[str, Any] = self._sync["own"]
        return own

    @property
    def drawn(self) -> Action:
        """The action that discards the drawn tile."""
        return {"type": "discard", "tile": self.own["drawn"], "drawn": True}

    def discards(self, **riichi: str) -> list[Action]:
        """Return the discards of all tiles in the hand."""
        hand = [{"type": "discard", "tile": tile, **riichi} for tile in TILES[:-1]]
        return [*hand, self.drawn | riichi]

    def ask(self, legal: list[Action], **own: Any) -> None:
        """Ask the page for an action."""
        self._asks += 1
        own = {**self.own, "offered": None, "ask": self._asks, "legal": legal, **own}
        self._send({**self._sync, "own": own})

    @property
    def view(self) -> dict[str, Any]:
        """The seat's view of the table, which can be changed before ``show`` is called."""
        view: dict[str, Any] = self._sync["view"]
        return view

    def show(self, **changes: Any) -> None:
        """Send the changed view without asking for an action."""
        message = copy.deepcopy(self._sync)
        message["view"] |= changes
        message["events"] = []
        message["own"] = {**self.own, "ask": None, "legal": [], "fouls": [], "offered": None}
        self._seq = message["seq"]
        self._send(message)

    def happen(self, *events: dict[str, Any], clock: dict[str, Any] | None = None) -> None:
        """Send events that follow the previous ones."""
        self._seq = (self._seq or self._sync["seq"]) + len(events)
        game = self._sync["game"]
        self._send(
            {"type": "update", "game": game, "seq": self._seq, "events": events, "own": None, "clock": clock}
        )

    def send(self, **message: Any) -> None:
        """Send a message of any kind to the page."""
        self._send(message)

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message))
        self.settle()

    def forget(self) -> None:
        """Let the next ``sync`` from the server reach the page again, as needed for a reload."""
        self._sync = {}

    def reload(self) -> None:
        """Reload the page."""
        self.forget()
        self.page.reload()
        self.player.tiles.first.wait_for()
        self.own.update(hand=HAND, drawn=DRAWN_TILE)

    def drop(self) -> None:
        """Close the page's connection."""
        self._socket.close(code=1011)

    def settle(self) -> None:
        """Wait until the page has rendered everything that it received."""
        self.page.evaluate(DRAWN)

    def answered(self) -> Action:
        """Wait until the page has sent an action; return that action."""
        ends = time.monotonic() + PATIENCE_MS / 1000
        while not self.answers:
            assert time.monotonic() < ends, "no answer"
            self.settle()
        return {name: value for name, value in self.answers.pop().items() if value is not None}
