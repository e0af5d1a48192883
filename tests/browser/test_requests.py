"""Every button that sends a request is pressed, and the server accepts the request.

The requests are those of the schema. One that the pages send stands below with the visit that sends it; one
that they do not send, with the reason.
"""

import json
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from booklet.test_booklet_files import png
from browser.contexts import Contexts
from browser.desk_requests import OF_THE_DESK
from browser.parlour import Guest, serving, slow_in_a_browser
from browser.puppet import Puppet
from browser.recorder_requests import FROM_THE_RECORDER
from browser.season_requests import FROM_SEASONS, FROM_SIDE_BETS
from browser.test_lab import FROM_THE_LAB
from jantaku import terms
from jantaku.server.app import create_app
from jantaku.server.edge import client_messages
from jantaku.server.settings import DATABASE_FILE, Settings
from server.parlour import WAIT_S

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("web", "en")
PASSWORD, OTHER = "correct horse", "battery staple"
FOR_ADMINS: Final = "the administrator's programs"
FOR_PROGRAMS: Final = "programs that calculate"
NOT_FROM_PAGES: Final = {
    "GET /api/people": FOR_ADMINS,
    "POST /api/people/{person_id}/role": FOR_ADMINS,
    "POST /api/people/{person_id}/erase": FOR_ADMINS,
    "POST /api/score": FOR_PROGRAMS,
    "POST /api/shanten": FOR_PROGRAMS,
    "GET /api/games/{game_id}": FOR_PROGRAMS,
    "GET /api/ready": FOR_PROGRAMS,
    "ping": "programs that measure the way",
}
OF_EVENTS: Final = "/api/events"  # the walks through the pages of events send these; the desk's are listed
Come = Callable[..., Guest]  # with a name: a guest; without: somebody who is not signed in


@cache
def operations() -> list[str]:
    """Every request of the schema, as method and path."""
    paths = create_app(Settings()).openapi()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def messages() -> list[str]:
    """Every message that a client can send at a table."""
    models = get_args(get_args(client_messages.FromClient)[0])
    return [str(get_args(model.model_fields["type"].annotation)[0]) for model in models]


def operation(method: str, path: str) -> str:
    """The operation of the schema for a method and a path."""
    fits = [
        one
        for one in operations()
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(one)), f"{method} {path}")
    ]
    return min(fits, key=lambda one: one.count("{"))


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
        client_messages.FROM_CLIENT.validate_json(text)
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
    friend.page.wait_for_selector(".room .badge.me")
    button(friend.page, WORDS["say"]["wow"]).click()
    friend.page.get_by_role("switch").first.check()
    friend.page.locator(".sayings p").first.wait_for()
    friend.page.locator(".room li button[aria-pressed]").last.click()  # the bot's seat
    friend.page.locator(".room li").last.locator(".badge.me").wait_for()
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


ENTER: Final = {"GET /api/me", "POST /api/guest", "GET /api/tables"}
VISITS: Final[dict[Callable[[Come, Sent], None], set[str]]] = {
    an_account: {
        "PATCH /api/me", "POST /api/register", "POST /api/link", "POST /api/enter", "GET /api/sessions",
        "DELETE /api/sessions/{session}", "DELETE /api/sessions", "POST /api/password",
        "POST /api/logout", "POST /api/login", "GET /api/recovery", "POST /api/recovery", "POST /api/recover",
        "POST /api/me/erase",
    },
    a_waiting_room: {
        "POST /api/tables", "GET /api/tables/{table_id}", "GET /api/tables/{table_id}/invite",
        "GET /api/tables/{table_id}/qr.svg", "POST /api/tables/{table_id}/join",
        "POST /api/tables/{table_id}/leave", "POST /api/tables/{table_id}/bots",
        "DELETE /api/tables/{table_id}/bots/{seat}", "DELETE /api/tables/{table_id}/people/{person_id}",
        "POST /api/tables/{table_id}/start", "POST /api/tables/anywhere", "hello", "say", "mute",
        "swap",
    },
    a_game: {
        "POST /api/tables", "POST /api/tables/{table_id}/start", "GET /api/games/{game_id}/record",
        "POST /api/tables/{table_id}/leave", "GET /api/games", "GET /api/uploads", "hello", "act", "hints",
        "ready", "abort", "rematch", "pace",
    },
    a_question: {"hello", "why"},
    replays: {
        "GET /api/games/{game_id}/replay", "GET /api/games/{game_id}/replay/{step}", "POST /api/uploads",
        "GET /api/uploads/{upload_id}/replay", "GET /api/uploads/{upload_id}/replay/{step}",
        "GET /api/games/{game_id}/review", "GET /api/uploads/{upload_id}/review",
        "POST /api/games/{game_id}/what-if", "POST /api/uploads/{upload_id}/what-if",
    },
    a_lesson: {"POST /api/first-hand"},
    own_numbers: {"GET /api/me/numbers"},
    a_calculation: {"POST /api/explain", "POST /api/waits", "POST /api/discards", "GET /api/drill"},
    house_rules: {
        "GET /api/rules", "GET /api/rules/{name}", "GET /api/rules/options", "GET /api/rules/{name}/diff",
        "POST /api/rules/check", "POST /api/rules", "GET /api/rules/{name}/invite",
        "GET /api/rules/{name}/qr.svg", "GET /api/rules/{name}/booklet", "POST /api/rules/{name}/booklet",
        "DELETE /api/rules/{name}", "GET /api/rules/{name}/yaku",
        "GET /api/terms/{language}",
    },
}  # fmt: skip
ELSEWHERE: Final = {
    *("DELETE /api/tables/{table_id}", "GET /api/health"),  # with servers of their own, below
    *(
        f"{method} /api/me/push" for method in ("GET", "PUT", "DELETE")
    ),  # with a service worker, in test_notifications.py
    *(
        "GET /api/ranked",
        "PUT /api/ranked",
        "DELETE /api/ranked",
        "POST /api/ranked/here",
    ),  # in test_ranked.py
    "GET /api/ranked/games/{game_id}",
    "PUT /api/ranked/reminder",  # in test_notifications.py
    *("PUT /api/friends/presence", "POST /api/friends/{person_id}/invite"),  # in test_people.py
    "show_hands",  # in test_watching.py
    *("PUT /api/me/picture", "DELETE /api/me/picture", "GET /api/pictures"),  # all in test_pictures.py
    "DELETE /api/people/{person_id}/picture",
    *("POST /api/people/{person_id}/picture/report", "POST /api/people/{person_id}/picture/keep"),
    "GET /api/people/{person_id}/picture/{mark}",
    "POST /api/uploads/fetch",  # in test_log_links.py
    *(f"POST /api/{path}" for path in ("address/confirm", "forgotten", "forgotten/password", "oidc")),
    *("POST /api/passkey", "POST /api/passkey/begin", "GET /api/me/ways", "DELETE /api/me/oidc"),
    *("POST /api/me/address", "POST /api/me/address/remove"),  # all in test_sign_in_ways.py
    *("POST /api/me/passkeys", "POST /api/me/passkeys/begin", "DELETE /api/me/passkeys/{passkey}"),
    *(
        "GET /api/friends",
        "GET /api/people/{person_id}/card",
        "PUT /api/friends/{person_id}",
    ),  # in test_people.py
    "GET /api/disk",  # for the administrator, in test_disk_use.py
    "GET /api/me/numbers/file",  # after a finished game, in test_own_numbers.py
    "PUT /api/me/numbers/shown",
    "GET /api/people/{person_id}/numbers",
    "GET /api/rules/gallery",  # the rules editor, in test_rules.py and test_own_yaku.py
    *("GET /api/rules/own/words", "POST /api/rules/own/try", "POST /api/rules/own/play"),
}


@pytest.mark.parametrize("visit", VISITS, ids=lambda visit: str(visit.__name__))
def test_the_server_accepts_every_request_of_the_pages(
    stranger: Come, visit: Callable[[Come, Sent], None]
) -> None:
    sent = Sent()

    def come(name: str | None = None, viewport: str = "phone") -> Guest:
        found = sent.listen(stranger(viewport))
        if name is not None:
            found.page.goto("/")
            found.page.fill("#guest-name", name)
            found.page.press("#guest-name", "Enter")
            found.page.wait_for_selector("#guest-name", state="detached")
        return found

    visit(come, sent)
    assert VISITS[visit] - sent.names == set()
    assert sent.refused == []


def test_browser_visits_send_every_request_of_the_schema() -> None:
    walks = OF_THE_DESK | FROM_THE_RECORDER | FROM_SEASONS | FROM_SIDE_BETS | FROM_THE_LAB
    seen = ENTER.union(ELSEWHERE, walks, *VISITS.values())
    from_pages = {one for one in operations() if OF_EVENTS not in one or one in walks}
    meant = {*from_pages, *messages()} - NOT_FROM_PAGES.keys()
    assert meant - seen == set(), "no visit presses a button for these"
    assert seen - meant == set(), "these are in the schema no more, or are said not to come from pages"


def test_the_owner_closes_a_stopped_game(contexts: Contexts, tmp_path: Path) -> None:
    """The game's record is damaged while the server is down, so a rare button appears."""
    sent = Sent()
    with serving(tmp_path) as url:
        host = Guest(contexts, url, fresh=True).enter("Host")
        table = host.table("standard", 3)
        host.post(f"tables/{table}/start", {})
        cookies = host.context.cookies()
        host.close()
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database, database:
        database.execute("DELETE FROM actions")
        database.execute("INSERT INTO actions (game, number, seat, action) SELECT id, 0, 0, '9z' FROM games")
    with serving(tmp_path) as url:
        again = sent.listen(Guest(contexts, url, fresh=True))
        again.context.add_cookies(
            [{"name": one["name"], "value": one["value"], "url": url} for one in cookies]
        )
        again.page.goto(f"/t/{table}")
        button(again.page, WORDS["table"]["end_stopped"]).click()
        again.page.locator(".stopped").wait_for(state="detached")
        again.close()
    assert "DELETE /api/tables/{table_id}" in sent.names
    assert sent.refused == []


def test_a_page_without_a_server_polls_until_it_returns(guest: Come) -> None:
    player = guest("Patient")
    page = player.page
    player.expect_fault("ERR_FAILED")
    page.context.route("**/api/**", lambda route: route.abort())
    page.goto("/rules")
    page.locator("h1", has_text=WORDS["offline"]["title"]).wait_for()
    page.context.unroute_all()
    sent = Sent()
    sent.listen(player)
    button(page, WORDS["offline"]["again"]).click()
    page.wait_for_selector("li .card")
    assert "GET /api/health" in sent.names
    assert sent.refused == []
