"""A game at a physical table in the recorder, and the hands that enter it."""

import itertools
from typing import Any, Final

from browser.parlour import Guest
from jantaku import terms

NAMES: Final = ("Kim", "Park", "Sato", "Lee")
WORDS: Final = terms.table("recorder", "en")
LOST: Final = ("Failed to load resource", "WebSocket connection")
_numbers = itertools.count()


class Hands:
    """The hands of whoever records."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def tap(self, selector: str) -> None:
        """One tap."""
        self.page.locator(selector).tap()

    def drag(self, first: int, second: int) -> None:
        """Drag from one player to another."""
        places = [self.page.locator(f"[data-seat='{seat}'] .who").bounding_box() for seat in (first, second)]
        (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
        self.page.mouse.move(to_x, to_y, steps=4)
        self.page.mouse.up()


def cell(han: int, fu: int) -> str:
    return f"[data-cell='{han}/{fu}']"


ENTER: Final = ".sheet .foot .enter:enabled"


class Recording:
    """An event with players from a list, as many as sit at a table, and somebody who records."""

    def __init__(self, player: Guest, names: tuple[str, ...] = NAMES, toml: str = "") -> None:
        self.player, self.page = player, player.page
        self.account = {"name": f"club {next(_numbers)}", "password": "correct horse"}
        player.post("register", self.account | {"language": player.language})
        rules = player.post("rules", {"toml": toml})["id"] if toml else "standard"
        event = player.post("events", {"name": "Club night", "rules": rules})
        self.event = f"events/{event['id']}"
        entries = [{"name": name, "id": NAMES[seat]} for seat, name in enumerate(names)]
        player.post(f"{self.event}/entries/list", {"entries": entries})
        self.home, self.seats = f"/record/{event['id']}", NAMES[: len(names)]

    def start(self, name: str) -> None:
        """A game by one request, and its page."""
        self.id = f"{name}-{next(_numbers):06}"
        body = {"id": self.id, "stage": "league", "players": list(self.seats), "label": "Table 3"}
        self.player.post(f"{self.event}/games", body)
        self.open()

    def open(self) -> None:
        self.page.goto(f"{self.home}/{self.id}")
        self.page.wait_for_selector("[data-seat='0']")

    @property
    def path(self) -> str:
        return f"{self.event}/games/{self.id}"

    def view(self) -> dict[str, Any]:
        """The game as the server has it."""
        body: dict[str, Any] = self.page.request.get(f"/api/{self.path}").json()
        return body

    def sent(self, hands: int) -> list[dict[str, Any]]:
        """The hands on the server, once nothing waits on the phone."""
        self.page.wait_for_selector(".badge", state="detached")
        entered = list(self.view()["hands"])
        assert len(entered) == hands
        return entered

    def expect_no_network(self) -> None:
        for text in LOST:
            self.player.expect_fault(text)

    def points(self) -> list[str]:
        return [str(text) for text in self.page.locator("[data-seat] .points").all_inner_texts()]
