"""Pages of the desk for what comes from elsewhere and goes there: logs, names, the webhook, table cards."""

import gzip
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import button, open_tab
from jantaku import terms
from jantaku.records import formats
from server.parlour import PASSWORD, Message
from support.playing import played

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
PLAYERS: Final = {"a1": "Ann", "b1": "Ben", "c1": "Cho", "d1": "Dai"}
IN_LOGS: Final = ("Ann", "cat-lover", "Cho", "=Dai")
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": "Online league",
    "rules": "tenhou",
    "players": [{"id": id_, "name": name} for id_, name in PLAYERS.items()],
    "stages": [{"id": "league"}],
}


@cache
def logs() -> list[Message]:
    """Two games, one of them also in another format, and a file that is no log."""
    first, second = (played("tenhou", seed) for seed in (11, 12))
    texts = {
        "2025060120gm-1.json": formats.dumps(first, "tenhou", IN_LOGS).encode(),
        "2025060121gm-2.mjlog": gzip.compress(formats.dumps(second, "mjlog", IN_LOGS[::-1]).encode()),
        "2025060122gm-3.xml": formats.dumps(first, "mjlog", IN_LOGS).encode(),
        "half.json": b'{"half of a',
    }
    return [{"name": name, "mimeType": "", "buffer": data} for name, data in texts.items()]


def organise(player: Guest, name: str) -> str:
    """Somebody with an account opens an event with four players; returns its id."""
    player.post("register", {"name": name, "password": PASSWORD})
    return str(player.post("events/import", {"file": FILE})["id"])


def states(page: Any, *wanted: str) -> None:
    """Wait until the logs have these states."""
    words = [WORDS["logs"]["state"][state] for state in wanted]
    expect(page.locator(".log .state")).to_have_text(words, use_inner_text=True)


def enter_logs(player: Guest) -> None:
    """One choice of players serves all logs; what fails stays; the same game counts once."""
    page, words = player.page, WORDS["logs"]
    open_tab(player, "logs")
    page.set_input_files("input[type=file]", logs())
    states(page, "players", "players", "players", "unread")
    expect(page.locator(".log .problem")).to_have_count(1)
    first = page.locator(".log").first
    first.get_by_label(words["player"].format(name="cat-lover")).select_option("b1")
    first.get_by_label(words["player"].format(name="=Dai")).select_option("d1")
    states(page, "ready", "ready", "ready", "unread")
    player.expect_fault("ERR_FAILED")
    page.route("**/logs?*", lambda route: route.abort())
    button(page, filled(words["enter"], count=3)).click()
    states(page, "refused", "refused", "refused", "unread")
    page.unroute_all()
    open_tab(player, "people")  # the list is still there afterwards
    open_tab(player, "logs")
    button(page, filled(words["enter"], count=3)).click()
    states(page, "entered", "entered", "known", "unread")
    button(page, words["remove_one"].format(name="half.json")).click()
    button(page, filled(words["clear"], count=3)).click()
    expect(page.locator(".log")).to_have_count(0)
    page.locator("summary", has_text=words["paste"]).click()
    page.locator(".source textarea").fill(logs()[2]["buffer"].decode())
    button(page, words["paste_go"]).click()
    states(page, "known")
    button(page, words["remove_one"].format(name=words["pasted"])).click()


def check_games(player: Guest, event: str) -> None:
    """Two games count, at the times that their names tell, for the players who were chosen."""
    games = player.page.request.get(f"/api/events/{event}/games").json()["games"]
    assert [game["players"] for game in games] == [["d1", "c1", "b1", "a1"], ["a1", "b1", "c1", "d1"]]
    assert [game["at"][:13] for game in games] == ["2025-06-01T12", "2025-06-01T11"]
    assert {game["status"] for game in games} == {"confirmed"}


def name_somebody(player: Guest) -> None:
    """The names of the logs are remembered; an organiser adds a real name, and finds people by it."""
    page, words = player.page, WORDS["names"]
    open_tab(player, "people")
    page.locator("input[type=search]").fill("cat-lover")
    people = page.locator("button.name")
    expect(people).to_have_count(1)
    people.click()
    page.locator(".sheet summary", has_text=words["title"]).click()
    page.fill("input[name=real-name]", "Benjamin")
    button(page, words["save"]).click()
    page.get_by_text(words["saved"]).wait_for()
    page.keyboard.press("Escape")
    page.locator("input[type=search]").fill("benjamin")
    expect(people).to_have_text("Ben Benjamin, cat-lover (tenhou)", use_inner_text=True)


def name_oneself(player: Guest, event: str) -> None:
    """A player adds a nickname on their own page; another one reads nothing of it."""
    page, words = player.page, WORDS["names"]
    entry = player.post(f"events/{event}/entries", {"name": "Eun"})["id"]
    page.goto(f"/events/{event}/players/{entry}")
    page.locator("summary", has_text=words["title_mine"]).click()
    button(page, words["add"]).click()
    page.get_by_label(words["site"], exact=True).fill("Mahjongsoul")
    page.get_by_label(words["nickname"], exact=True).fill("은하수")
    button(page, words["save"]).click()
    page.get_by_text(words["saved"]).wait_for()
    page.reload()
    page.locator("summary", has_text=words["title_mine"]).click()
    expect(page.get_by_label(words["nickname"], exact=True)).to_have_value("은하수")
    expect(page.get_by_label(words["site"], exact=True)).to_have_value("mahjongsoul")
    page.goto(f"/events/{event}/players/a1")
    page.locator("h2", has_text="Ann").wait_for()
    expect(page.locator("summary", has_text=words["title_mine"])).to_have_count(0)


def add_webhooks(player: Guest) -> None:
    """An address that is refused stays in its field; the secret is shown once; a test that fails says why."""
    page, words = player.page, WORDS["webhook"]
    open_tab(player, "settings")
    part = page.locator(".webhook")
    address, format_ = part.locator("input[name=webhook-url]"), part.locator("select[name=webhook-format]")
    format_.select_option("jantaku")
    address.fill("https://10.0.0.1/hook")
    part.get_by_role("switch", name=words["kind"]["result"]).click()
    button(part, words["save"]).click()
    page.get_by_text("private network").first.wait_for()
    expect(address).to_have_value("https://10.0.0.1/hook")
    address.fill("https://localhost:8443/hook")  # its name leads to this machine, so nothing is ever sent
    button(part, words["save"]).click()
    assert len(part.get_by_label(words["secret"]).input_value()) > 30
    goes = part.locator(".hooks li", has_text="localhost")
    expect(goes).to_contain_text(", ".join(words["kind"][kind] for kind in ("seating", "start", "standings")))
    button(goes, words["test"]).click()
    part.locator(".deliveries li", has_text=words["error"]["private"]).wait_for()
    page.reload()
    goes.wait_for()
    expect(part.get_by_label(words["secret"])).to_have_count(0)
    part.locator("summary", has_text=words["add"]).click()
    address.fill("https://hooks.slack.com/services/x")  # the address tells whose it is
    expect(format_).to_have_value("slack")
    part.locator("input[name=webhook-chat]").fill("@club_news")
    button(part, words["save"]).click()
    expect(part.locator(".hooks li")).to_have_count(2)
    for left in (1, 0):
        button(part.locator(".hooks li").last, words["stop"]).click()
        page.locator(".sure").click()
        expect(part.locator(".hooks li")).to_have_count(left)


def print_cards(player: Guest) -> None:
    """Cards for tables, before any round or game exists for them."""
    page, words = player.page, WORDS["print"]
    open_tab(player, "print")
    button(page, words["numbers"]).click()
    page.get_by_label(words["count"], exact=True).fill("7")
    expect(page.locator(".numbered h2").last).to_have_text(WORDS["rounds"]["table"].format(number=7))
    page.get_by_role("radio", name=words["opens_events"]).check()
    code = page.locator(".numbered img").last
    expect(code).to_have_attribute("src", re.compile("page=events"))
    expect(code).to_have_js_property("complete", value=True)
    assert code.evaluate("one => one.naturalWidth") > 0


def test_the_desk_takes_games_and_names_from_elsewhere_and_sends_news(
    stranger: Callable[..., Guest],
) -> None:
    organiser, player = stranger(), stranger("desktop").enter("Eun")
    organiser.expect_fault("400")
    event = organise(organiser, "Log keeper")
    organiser.page.goto(f"/desk/{event}")
    enter_logs(organiser)
    check_games(organiser, event)
    name_somebody(organiser)
    name_oneself(player, event)
    add_webhooks(organiser)
    print_cards(organiser)
