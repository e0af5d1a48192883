"""A game at a physical table, recorded on a phone."""

import re
from typing import Any, Final

from browser.club import NAMES, Club
from browser.contexts import expect
from browser.parlour import Guest

LOST: Final = ("Failed to load resource", "WebSocket connection")


class Recording(Club):
    """An event with listed players for one table, and a phone that records their game."""

    def __init__(self, player: Guest, people: tuple[str, ...] = NAMES, toml: str = "", **event: Any) -> None:
        super().__init__(player, people, toml, **event)
        self.player, self.page, self.seats = player, player.page, min(len(people), 4)
        self.home, self.game = f"/record/{self.id}", ""

    def start(self, name: str, *hands: Any) -> None:
        """Start a game by HTTP and open the page that records it."""
        self.game = self.play(name, *hands)
        self.open()

    def open(self) -> None:
        self.page.goto(f"{self.home}/{self.game}")
        self.plate(0).wait_for()

    def view(self) -> Any:
        """Return the game as the server has stored it."""
        return self.get(f"games/{self.game}")

    def elsewhere(self, hand: Any) -> None:
        """Enter a hand as if from another device."""
        self.enter(self.game, hand)

    def unsent(self, count: int) -> None:
        """Wait until the phone has ``count`` hands that are not sent yet."""
        if count:
            self.player.button("recorder.unsent", count=count).wait_for()
        else:
            expect(self.page.get_by_role("button", name=re.compile("^unsent"))).to_have_count(0)

    def sent(self, hands: int) -> list[Any]:
        """Wait until the phone has sent all hands; return those on the server."""
        self.unsent(0)
        entered = list(self.view()["hands"])
        assert len(entered) == hands
        return entered

    def lose_network(self) -> None:
        for text in LOST:
            self.player.expect_fault(text)
        self.player.context.set_offline(True)

    def find_network(self) -> None:
        self.player.context.set_offline(False)
        self.page.evaluate("window.dispatchEvent(new Event('online'))")

    # ------------------------------------------------------------------ elements of the table

    def plate(self, seat: int) -> Any:
        """Return the part of the table that belongs to a player."""
        table = self.page.get_by_role("group", name=self.player.say("recorder.table"))
        return table.get_by_role("group", name=self.people[seat])

    def shown_points(self, seat: int) -> Any:
        return self.plate(seat).get_by_role("button", name=re.compile(r"differences\)$"))

    def points(self) -> list[str]:
        return [str(self.shown_points(seat).inner_text()).split("\n")[0] for seat in range(self.seats)]

    def declare_riichi(self, seat: int) -> None:
        self.player.button("recorder.riichi_of", name=self.people[seat]).tap()

    def tsumo(self, seat: int) -> None:
        """Enter a tsumo by tapping the winner twice."""
        for _ in range(2):
            self.plate(seat).get_by_role("button").first.tap()

    def drag(self, first: int, second: int) -> None:
        """Drag from one player to another, as for a ron."""
        places = [self.plate(seat).get_by_role("button").first.bounding_box() for seat in (first, second)]
        (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
        self.page.mouse.move(to_x, to_y, steps=4)
        self.page.mouse.up()

    def worth(self, han: int, fu: int) -> Any:
        """Return the button for the value of a hand."""
        name = self.player.say("web.score.han_fu", han=han, fu=fu)
        return self.page.get_by_role("button", name=re.compile(f"^{name}"))

    def confirm(self) -> None:
        """Confirm the hand that was entered."""
        self.player.press("recorder.enter", self.player.sheet)

    def ron(self, loser: int, winner: int, han: int, fu: int) -> None:
        self.drag(loser, winner)
        self.worth(han, fu).tap()
        self.confirm()
