"""Tables in a real Chromium: a rematch of four, penalised fouls, lost sockets, uploaded logs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import EAST, Guest, against_bots, seat_four, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
FOULS = 'extends = "standard"\n[fouls]\nmode = "penalise"\n'
SEEN = """() => [
    ...[...document.querySelectorAll('.river, .own, .numbers')].map((e) => e.ariaLabel ?? e.textContent),
    ...[...document.querySelectorAll('.tile-button')].map((e) => e.dataset.tile),
]"""
LOG = "2010110100gm-00a9-0000-de3472e8.mjlog"


WORDS = terms.table("web", "en")


class Line:
    """A proxy for a guest's WebSockets that can cut them."""

    def __init__(self, player: Guest) -> None:
        self.sockets: list[tuple[Any, Any]] = []
        player.page.route_web_socket("**/ws/**", self._opened)

    def _opened(self, socket: Any) -> None:
        self.sockets.append((socket, socket.connect_to_server()))

    def cut(self) -> None:
        """Close the newest socket on both sides, page's side first, so that it writes to no closed one."""
        for end in self.sockets[-1]:
            end.close(code=4000, reason="cut")


def comes_back(player: Guest) -> None:
    """Wait until the page has shown and then removed the message about the lost connection."""
    notice = player.page.locator("[role=status]", has_text="Connection lost")
    notice.wait_for()
    notice.wait_for(state="detached")


@pytest.mark.long
def test_four_browsers_play_a_game_and_a_rematch(guest: Callable[..., Guest]) -> None:
    players = seat_four(guest, EAST)
    for player in players:
        player.hurry()
    for player in players:
        player.finish()
    finals = [sorted(player.page.locator(".result strong").all_inner_texts()) for player in players]
    assert finals == [finals[0]] * 4
    for player in players[:3]:
        player.page.click(".result button.primary")
        player.page.wait_for_selector(".result button[aria-pressed=true]")
    expect(players[3].page.locator(".result ol")).to_have_count(1)
    players[3].page.click(".result button.primary")
    for player in players:
        player.see_discards(12)
        expect(player.page.locator(".result")).to_have_count(0)


def test_a_foul_is_announced_and_marked(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player, FOULS)
    page.click("button.fouls")
    page.wait_for_selector(".sheet .danger")
    page.locator(".sheet .danger", has_text="False win, called only").click()
    page.wait_for_selector(".notices p")
    notice = page.inner_text(".notices p span")
    assert notice.startswith("Mina: False win, called only")
    expect(page.locator(".hidden-text[role=log]")).to_contain_text(notice)
    page.locator(".plate .away", has_text="Dead hand").wait_for()
    page.reload()
    page.locator(".plate .away", has_text="Dead hand").wait_for()
    expect(page.locator(".plate .away")).to_have_count(1)
    player.hurry()
    player.see_discards(8)


def test_the_owner_removes_a_player_during_the_game(guest: Callable[..., Guest]) -> None:
    host, friend = guest("Mina"), guest("Jun")
    table = host.table("standard", 2, draw_seats=False)
    friend.post(f"tables/{table}/join", {})
    host.post(f"tables/{table}/start", {})
    words = WORDS["room"]
    for player in (host, friend):
        player.sit_down(table)
        player.page.wait_for_selector(".tile-button")
        player.page.click("button.menu")
    people = WORDS["menu"]["people"]
    expect(friend.page.locator(".sheet summary", has_text=people)).to_have_count(0)  # the owner's alone
    page = host.page
    page.locator(".sheet summary", has_text=people).click()
    page.get_by_role("button", name=words["remove_name"].format(name="Jun")).click()
    page.get_by_role("button", name=words["remove_not"]).click()
    page.get_by_role("button", name=words["remove_name"].format(name="Jun")).click()
    page.get_by_role("button", name=words["remove_sure"].format(name="Jun")).click()
    page.locator(".sheet summary", has_text=people).wait_for(state="detached")  # nobody is left to remove
    friend.page.locator("h1", has_text=WORDS["table"]["not_allowed"]).wait_for()
    friend.sit_down(table)
    friend.page.locator("h1", has_text=WORDS["table"]["not_allowed"]).wait_for()
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    host.hurry()
    host.see_discards(8)  # a bot plays on


def test_cut_sockets_lose_nothing(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    page = player.page
    line = Line(player)
    against_bots(player)
    player.hurry()
    for opened in (1, 2, 3):
        player.see_discards(4 * opened)
        line.cut()
        comes_back(player)
        assert len(line.sockets) == opened + 1
    player.see_discards(20)
    player.rest()
    line.cut()
    comes_back(player)
    after_cut = page.evaluate(SEEN)
    page.reload()
    page.wait_for_selector(".tile-button")
    assert page.evaluate(SEEN) == after_cut


def test_a_log_from_tenhou_is_replayed(guest: Callable[..., Guest], shared_data: Path) -> None:
    log = shared_data / "tenhou-logs" / LOG
    if not log.is_file():
        pytest.skip(f"no log at {log}")
    player = guest(language="ja")
    page = player.page
    page.goto("/games")
    page.set_input_files("input[type=file]", log)
    page.wait_for_url("**/u/*")
    page.wait_for_selector(".replay .moment p")
    before = page.evaluate(SEEN)
    page.goto(page.url.split("?")[0] + "?at=60&seat=2")
    page.wait_for_selector(".replay .river .tile")
    assert page.evaluate(SEEN) != before
