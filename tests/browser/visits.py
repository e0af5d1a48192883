"""Visits in a browser that together send every request of the pages."""

import json
import re
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from booklet.test_booklet_files import png
from browser.parlour import Guest
from browser.puppet import Puppet
from jantaku import terms
from jantaku.server.app import create_app
from jantaku.server.edge import protocol
from jantaku.server.settings import Settings
from server.parlour import WAIT_S

WORDS: Final = terms.table("web", "en")
PASSWORD, OTHER = "correct horse", "battery staple"
Come = Callable[..., Guest]  # with a name: a guest; without: somebody who is not signed in


@cache
def operations() -> list[str]:
    """Every request of the schema, as method and path."""
    paths = create_app(Settings()).openapi()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def operation(method: str, path: str) -> str:
    """The operation of the schema for a method and a path."""
    fits = [
        operation
        for operation in operations()
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(operation)), f"{method} {path}")
    ]
    return min(fits, key=lambda pattern: pattern.count("{"))


class Sent:
    """The requests of the pages, and those that were refused."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.refused: list[str] = []

    def listen(self, player: Guest) -> Guest:
        """Record what a person's pages send from now on."""
        player.page.on("response", self._answered)
        player.page.on("websocket", lambda line: line.on("framesent", self.wrote))
        return player

    def _answered(self, answer: Any) -> None:
        if "/api/" in answer.url:
            self.asked(answer.request.method, answer.url)
            if answer.status >= 400:
                self.refused.append(f"{answer.status} {answer.url}")

    def asked(self, method: str, url: str) -> None:
        """A request."""
        self.names.add(operation(method, "/api/" + url.partition("?")[0].partition("/api/")[2]))

    def wrote(self, text: str) -> None:
        """A message of a socket."""
        protocol.FROM_CLIENT.validate_json(text)
        self.names.add(json.loads(text)["type"])


def button(page: Any, name: str, *, exact: bool = True) -> Any:
    """A button by its label."""
    return page.get_by_role("button", name=name, exact=exact)


def an_account(come: Come, sent: Sent) -> None:
    """From a guest to an account with another password, on two devices."""
    player, phone = come("Traveller"), come("Somebody")
    page = player.page
    page.goto("/settings")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.click("button[lang=en]")
    page.fill(".register input", PASSWORD)
    page.click(".register button")
    page.wait_for_selector(".change-password")
    button(page, WORDS["account"]["link"]).click()
    page.wait_for_selector(".share input")
    phone.page.goto(page.input_value(".share input"))
    phone.page.locator("main button.primary").click()
    phone.page.locator(".sheet .foot .danger").click()  # a guest is told what is lost
    phone.page.wait_for_url("**/")
    page.reload()
    for press in (".sessions li .small.button", ".end-others"):
        page.click(press)
        page.locator(".sessions li").nth(1).wait_for(state="detached")
        phone.post("login", {"name": "Traveller", "password": PASSWORD})
        page.reload()
        page.locator(".sessions li").nth(1).wait_for()
    page.fill(".change-password input[autocomplete=current-password]", PASSWORD)
    page.fill(".change-password input[autocomplete=new-password]", OTHER)
    page.click(".change-password button")
    page.locator(".sessions li").nth(1).wait_for(state="detached")
    page.fill(".recovery input", OTHER)
    page.click(".recovery button")
    code = page.locator("ul.numbers li").first.inner_text()
    button(page, WORDS["account"]["logout"]).last.click()
    page.fill("input[autocomplete=username]", "Traveller")
    page.fill("input[autocomplete=current-password]", OTHER)
    page.press("input[autocomplete=current-password]", "Enter")
    page.wait_for_selector(".sessions")
    button(page, WORDS["account"]["logout"]).last.click()
    page.fill("input[autocomplete=username]", "Traveller")
    button(page, WORDS["recovery"]["forgotten"]).click()
    page.fill("input[autocomplete=one-time-code]", code.lower())
    page.fill("input[autocomplete=new-password]", OTHER)
    page.press("input[autocomplete=new-password]", "Enter")
    page.wait_for_selector(".sessions")
    button(page, WORDS["account"]["erase"]).click()
    page.locator("form .danger").wait_for()
    page.locator("form:has(.danger) input").fill(OTHER)
    page.locator("form .danger").click()
    page.locator("input[autocomplete=username]").wait_for()
    assert sent.refused == []


def a_waiting_room(come: Come, sent: Sent) -> None:
    """A table is opened; people and bots come and go, and one is removed; it begins."""
    host, friend = come("Host", "desktop"), come("Friend", "desktop")
    page = host.page
    page.goto("/new")
    page.get_by_role("switch", name=WORDS["new"]["draw_seats"]).uncheck()
    page.locator("form button.primary").click()
    page.wait_for_selector(".room")
    table = page.url
    page.locator(".room li .button.small").last.click()
    stranger = come().page
    stranger.goto(table)
    stranger.wait_for_selector(".invited")
    friend.page.goto(table)
    friend.page.locator(".room li button.primary").first.click()
    friend.page.wait_for_selector(".room .pill.me")
    button(friend.page, WORDS["say"]["wow"]).click()
    friend.page.get_by_role("switch").first.check()
    friend.page.locator(".sayings p").first.wait_for()
    friend.page.locator(".room li button[aria-pressed]").last.click()  # the bot's seat
    friend.page.locator(".room li").last.locator(".pill.me").wait_for()
    button(friend.page, WORDS["room"]["leave"]).click()
    friend.page.wait_for_url("**/")
    friend.page.goto(table)
    friend.page.locator(".room li button.primary").first.click()
    page.locator(".remove").click()
    page.locator(".remove-sure").click()
    page.locator(".remove").wait_for(state="detached")
    button(page, WORDS["room"]["remove_bot"]).click()
    page.locator(".room .dock button.primary, .room .row > button.primary").click()
    page.wait_for_selector(".tile-button")
    friend.page.goto("/")
    button(friend.page, WORDS["lobby"]["anywhere"]).click()
    friend.page.wait_for_url("**/t/*")


def a_game(come: Come, sent: Sent) -> None:
    """A game with three bots from the lobby: played, ended, replayed, played again, left."""
    player = come("Player", "desktop")
    page = player.page
    page.goto("/")
    page.locator(".quick").get_by_role("button", name=WORDS["lobby"]["hanchan"]).click()
    page.wait_for_selector(".tile-button")
    page.evaluate(HURRY_ON)
    ends = time.monotonic() + WAIT_S
    while not {"act", "hints", "ready"} <= sent.names:
        assert time.monotonic() < ends
        player.settle()
    player.rest()
    page.click("button.menu")
    button(page, WORDS["pace"]["quick"]).click()
    button(page, WORDS["menu"]["abort"], exact=False).click()
    page.wait_for_selector(".sheet", state="detached")
    page.wait_for_selector(".result")
    with page.expect_download() as download:
        button(page, WORDS["result"]["format"]["mjai"]).click()
    assert download.value.suggested_filename.endswith(".mjson")
    download.value.cancel()
    button(page, WORDS["result"]["rematch"], exact=False).click()
    page.wait_for_selector(".tile-button")
    page.click("button.menu")
    button(page, WORDS["menu"]["leave"]).click()
    page.wait_for_url("**/")
    page.goto("/games")
    with page.expect_response("**/api/games?mine=false*"):
        button(page, WORDS["games"]["all"]).click()


HURRY_ON = """() => {
  window.hurry = window.setInterval(() => {
    const found = (selector) => document.querySelector(selector);
    const foot = found('.sheet .foot button:not(:disabled)');
    if (foot) return foot.click();
    const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)');
    (found('[data-claim=win]') ?? found('[data-claim=pass]') ?? tiles[tiles.length - 1])?.click();
  }, 10);
}"""


def a_question(come: Come, sent: Sent) -> None:
    """Pressing an illegal discard makes the page ask why."""
    puppet = Puppet(come("Curious"))
    puppet.ask([puppet.drawn])
    puppet.page.locator(".tile-button").first.click(force=True)
    ends = time.monotonic() + WAIT_S
    while "why" not in sent.names:
        assert time.monotonic() < ends
        puppet.settle()
        for text in puppet.sent:
            sent.wrote(text)


def replays(come: Come, sent: Sent) -> None:
    """Replay a game played here, and an uploaded log."""
    player = come("Reader", "desktop")
    page = player.page
    table = player.table("standard", 3, private=False)
    player.post(f"tables/{table}/start", {})
    page.goto(f"/t/{table}")
    page.wait_for_selector(".tile-button")
    player.hurry()
    player.see_discards(3)
    player.rest()
    page.click("button.menu")
    button(page, WORDS["menu"]["abort"], exact=False).click()
    page.wait_for_selector(".sheet", state="detached")
    page.wait_for_selector(".result")
    with page.expect_response("**/api/games/*/review?*"):
        page.locator(".result .row > a[href^='/g/']").click()
    game = page.url.partition("/g/")[2].partition("?")[0]
    log = page.request.get(f"/api/games/{game}/record").body()
    button(page, WORDS["lab"]["which_short"]).click()
    with page.expect_response("**/api/games/*/what-if*"):
        button(page, terms.table("learn", "en")["review"]["what_if"]).click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".tile-button")
    page.goto("/games")
    with page.expect_response("**/api/uploads/*/review?*"):
        page.set_input_files("input[type=file]", {"name": "x.jsonl", "mimeType": "", "buffer": log})
    button(page, WORDS["lab"]["which_short"]).click()
    with page.expect_response("**/api/uploads/*/what-if*"):
        button(page, terms.table("learn", "en")["review"]["what_if"]).click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".tile-button")


def own_numbers(come: Come, sent: Sent) -> None:
    """The page of one's own numbers."""
    page = come("Counter", "phone").page
    with page.expect_response("**/api/me/numbers?*"):
        page.goto("/numbers")


def a_calculation(come: Come, sent: Sent) -> None:
    """A win, a hand that waits, a hand that does not, and a question of the drill."""
    page = come("Counter", "desktop").page
    for hand, shown in (
        ("234567m345p6799s8s", ".explanation h2:not(.problem)"),
        ("234567m345p6799s", ".waits, .away, .answer"),
        ("159m159p159s12345z", ".discards, .away, .answer"),
    ):
        page.goto(f"/calc?hand={hand}")
        page.locator(shown).first.wait_for()
        page.wait_for_load_state("networkidle")
    page.goto("/drill")
    page.wait_for_selector(".choices button")


def house_rules(come: Come, sent: Sent) -> None:
    """Rules are compared, written, saved, shared and deleted."""
    page = come("Rule keeper", "desktop").page
    page.goto("/rules/bgm-2025")
    page.wait_for_selector("table")
    page.get_by_role("link", name=WORDS["rules"]["examples"]).click()
    page.wait_for_selector("li.card")
    page.go_back()
    page.wait_for_selector("table")
    page.locator("select").first.select_option("tenhou")
    button(page, WORDS["booklet"]["button"]).click()
    with page.expect_download():
        button(page, WORDS["booklet"]["md"]).click()
    picture = {"name": "logo.png", "mimeType": "image/png", "buffer": png(30, 20)}
    page.set_input_files("input[type=file]", picture)
    page.wait_for_selector("a[target=_blank]", state="detached")
    with page.expect_download():
        button(page, WORDS["booklet"]["html"]).click()
    page.goto("/edit/tenhou")
    page.wait_for_selector("details summary")
    page.fill(".words input", "Club of requests")
    page.click(".bar button.primary:enabled")
    page.wait_for_selector(".share img")
    button(page, WORDS["rules"]["delete"]).click()
    button(page, WORDS["rules"]["delete_really"]).click()
    page.wait_for_url("**/rules")
    page.wait_for_selector("li .card")


def a_lesson(come: Come, sent: Sent) -> None:
    """Somebody who has never played discards a tile."""
    page = come().page
    page.goto("/first")
    button(page, terms.table("guide", "en")["first"]["skip"]).click()
    page.locator(".tile-button.choosing").first.click()
    page.locator(".river .tile").first.wait_for()
