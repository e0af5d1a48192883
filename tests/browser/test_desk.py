"""The desk on a phone: a visitor becomes the organiser of an event with games, logs, names and webhooks."""

import gzip
import re
from functools import cache
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import PASSWORD, Guest, MakeGuest, slow_in_a_browser
from jantaku.records import formats
from server.parlour import Message
from support.playing import played

pytestmark = slow_in_a_browser

LIST: Final = "name,team,id\nAnn,Red,a1\nBen,Red,b1\n,Blue,\nCho,Blue,c1\nDai,Blue,d1\n"
MAX_REQUESTS: Final = 60  # for each URL during this test


def open_event(player: Guest) -> str:
    """Register, as the page requires, and create an event from a template; return the id of the event."""
    page = player.page
    page.goto("/desk/new?template=bgm-2025")
    player.box("web.account.name").fill("Organiser")
    player.field("web.account.password").fill(PASSWORD)
    player.press("web.account.register")
    expect(page.get_by_role("radio", name="BGM 2025 event")).to_be_checked()
    player.box("desk.new.name_optional").fill("Spring league")
    with page.expect_response("**/qr.svg*"):  # QR code for the link for players
        player.press("desk.new.create")
    page.get_by_role("heading", name="Spring league").wait_for()
    return str(page.url.rpartition("/")[2])


def add_people(player: Guest) -> None:
    """Upload a list in which one row has no name; the people in the other rows are registered."""
    page, sheet = player.page, player.sheet
    player.open_tab("people")
    player.press("desk.people.add")
    file = {"name": "club.csv", "mimeType": "text/csv", "buffer": LIST.encode("utf-8")}
    player.field("desk.people.file", sheet).set_input_files(file)
    expect(sheet.get_by_role("row")).to_have_count(6)
    player.see("desk.people.left_out", sheet, count=1)
    player.press("desk.people.add_count", count=4)
    expect(sheet).to_have_count(0)
    for name in ("Ann", "Ben", "Cho", "Dai"):
        page.get_by_role("button", name=name).wait_for()


def play(player: Guest) -> None:
    """Start a game for four and enter its points; the form checks their sum during typing."""
    sheet, winds = player.sheet, ("East", "South", "West", "North")
    player.open_tab("games")
    player.press("desk.games.start")
    for wind, name in zip(winds, ("a1", "b1", "c1", "d1"), strict=True):
        sheet.get_by_role("combobox", name=wind, exact=True).select_option(name)
    player.press("desk.games.start_only")
    player.press("desk.game.points", sheet)
    for wind, points in zip(winds, ("45,000", "30000", "25000", "21000"), strict=True):
        sheet.get_by_role("textbox", name=re.compile(f"^{wind}")).fill(points)
    expect(player.button("desk.game.points_enter")).to_be_disabled()
    sheet.get_by_role("textbox", name=re.compile("^North")).fill("20000")
    player.box("desk.ask.why_optional", sheet).fill("entered from the sheet")
    player.press("desk.game.points_enter")
    player.see("event.status.confirmed", sheet)
    player.close_dialog()


def play_elsewhere(player: Guest, event: str) -> None:
    """Record a whole game by HTTP in which every hand is a draw, without confirming it."""
    sitting = {"id": "elsewhere", "stage": "league", "players": ["d1", "c1", "b1", "a1"]}
    player.post(f"events/{event}/games", sitting)
    for i in range(8):
        body = {"id": f"elsewhere-{i}", "follows": f"elsewhere-{i - 1}" if i else "", "hand": {"end": "draw"}}
        player.post(f"events/{event}/games/elsewhere/hands", body)


def give_penalty(player: Guest) -> None:
    """Give a penalty that the rules suggest, with a reason."""
    player.open_tab("referee")
    player.field("desk.penalty.who").select_option("b1")
    player.field("desk.penalty.preset").select_option("furiten_ron")
    expect(player.field("desk.penalty.points").first).to_have_value("-9000")
    player.box("desk.ask.why").fill("Ron in furiten, hand 3")
    player.press("desk.penalty.give")
    player.row("Ron in furiten, hand 3").wait_for()


def play_a_round(player: Guest) -> None:
    """Import the seating of a round, publish it and start the round."""
    player.open_tab("rounds")
    player.fold("desk.rounds.import").click()
    player.box("desk.rounds.import").fill("1,1,a1,b1,c1,d1")
    player.press("desk.rounds.import_go")
    first = player.section("desk.rounds.round", number=1)
    player.see("desk.rounds.state.drafted", first)
    player.press("desk.rounds.publish")
    player.press("desk.rounds.start")
    player.see("desk.rounds.state.running", first)
    expect(player.link("desk.game.record", first)).to_have_count(1)


def check_log(page: Any) -> None:
    """Assert that the change log has a sentence for everything done in this test, newest first."""
    last = page.get_by_text("Organiser started round 1 of Final.")
    last.wait_for()
    texts = page.get_by_role("main").get_by_role("listitem").all_inner_texts()
    wanted = [
        "Organiser started round 1 of Final.",
        "Organiser created seating for Final (rounds: 1).",
        "Organiser recorded a penalty for Ben: −9,000 points.",
        "Organiser finalised the game of Dai, Cho, Ben, Ann.",
        "Organiser changed the settings.",
        "Organiser entered hand 1 in the game of Dai, Cho, Ben, Ann.",
        "Organiser entered the final points of the game of Ann, Ben, Cho, Dai.",
        "Organiser registered Ann.",
        "Organiser created the event.",
    ]
    places = [next(at for at, text in enumerate(texts) if line in text) for line in wanted]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, len(texts) - 1)


def test_an_organiser_runs_an_event_from_a_phone(stranger: MakeGuest) -> None:
    player = stranger()
    page = player.page
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.partition("?")[0]))
    event = open_event(player)
    add_people(player)
    player.check()
    play(player)

    player.open_tab("settings")
    name = page.get_by_label(player.say("desk.settings.name"), exact=True)
    name.fill("봄 리그")
    play_elsewhere(player, event)
    page.get_by_role("link", name=re.compile("^Games.*1")).wait_for()
    expect(name).to_have_value("봄 리그")  # updates of the page do not discard what was typed
    player.press("desk.stage.add")
    player.press("desk.save")
    expect(player.button("desk.save")).to_have_count(0)
    player.check()

    player.open_tab("games")
    player.row(player.say("event.status.over")).get_by_role("button").click()
    player.press("desk.game.confirm")
    player.confirm_question()
    player.see("event.status.confirmed", player.sheet)
    player.close_dialog()
    give_penalty(player)
    play_a_round(player)
    player.open_tab("print")
    page.emulate_media(media="print")
    expect(player.link("desk.tab.log")).to_be_hidden()
    expect(page.get_by_role("row").nth(16)).to_be_visible()
    page.emulate_media(media="screen")

    player.open_tab("log")
    check_log(page)
    expect(page.get_by_text("Reason: entered from the sheet")).to_be_visible()
    player.check()
    assert max(map(requests.count, requests)) < MAX_REQUESTS, "a tab reloads repeatedly"


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
    """Return two games, one of them also in a second format, and a file that is not a log."""
    first, second = (played("tenhou", seed) for seed in (11, 12))
    texts = {
        "2025060120gm-1.json": formats.dumps(first, "tenhou", IN_LOGS).encode(),
        "2025060121gm-2.mjlog": gzip.compress(formats.dumps(second, "mjlog", IN_LOGS[::-1]).encode()),
        "2025060122gm-3.xml": formats.dumps(first, "mjlog", IN_LOGS).encode(),
        "half.json": b'{"half of a',
    }
    return [{"name": name, "mimeType": "", "buffer": data} for name, data in texts.items()]


def states(player: Guest, *wanted: str) -> None:
    """Wait until the logs in the list have these states."""
    cards = player.page.get_by_role("article")
    expect(cards).to_have_count(len(wanted))
    for at, state in enumerate(wanted):
        player.see(f"desk.logs.state.{state}", cards.nth(at))


def enter_logs(player: Guest) -> None:
    """Players are chosen once for all logs, a failed log stays in the list, and a duplicate counts once."""
    page = player.page
    player.open_tab("logs")
    player.field("desk.logs.choose").set_input_files(logs())
    states(player, "players", "players", "players", "unread")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(1)
    first = page.get_by_role("article").first
    for name, entry in (("cat-lover", "b1"), ("=Dai", "d1")):
        player.field("desk.logs.player", first, name=name).select_option(entry)
    states(player, "ready", "ready", "ready", "unread")
    player.expect_fault("ERR_FAILED")
    page.route("**/logs?*", lambda route: route.abort())
    player.press("desk.logs.enter", count=3)
    states(player, "refused", "refused", "refused", "unread")
    page.unroute_all()
    player.open_tab("people")  # the list is still there after another tab was opened
    player.open_tab("logs")
    player.press("desk.logs.enter", count=3)
    states(player, "entered", "entered", "known", "unread")
    player.press("desk.logs.remove_one", name="half.json")
    player.press("desk.logs.clear", count=3)
    states(player)
    player.fold("desk.logs.paste").click()
    player.box("desk.logs.paste").fill(logs()[2]["buffer"].decode())
    player.press("desk.logs.paste_go")
    states(player, "known")
    player.press("desk.logs.remove_one", name=player.say("desk.logs.pasted"))


def check_games(player: Guest, event: str) -> None:
    """Check that two games count, for the chosen players and with the times in the file names."""
    games = player.get(f"events/{event}/games")["games"]
    assert [game["players"] for game in games] == [["d1", "c1", "b1", "a1"], ["a1", "b1", "c1", "d1"]]
    assert [game["at"][:13] for game in games] == ["2025-06-01T12", "2025-06-01T11"]
    assert {game["status"] for game in games} == {"confirmed"}


def add_real_name(player: Guest) -> None:
    """Names in logs are remembered as nicknames; the organiser adds a real name and searches for it."""
    player.open_tab("people")
    search = player.field("desk.people.search")
    search.fill("cat-lover")
    player.page.get_by_role("button", name="cat-lover (tenhou)").click()
    player.fold("desk.names.title").click()
    player.field("desk.names.real").fill("Benjamin")
    player.press("desk.names.save", player.sheet)
    player.see("desk.settings.saved")
    player.close_dialog()
    search.fill("benjamin")
    expect(player.page.get_by_role("button", name="Ben Benjamin, cat-lover (tenhou)")).to_be_visible()


def add_own_nickname(player: Guest, event: str) -> None:
    """A player adds a nickname on their own page, which other players cannot see."""
    page = player.page
    entry = player.post(f"events/{event}/entries", {"name": "Eun"})["id"]
    page.goto(f"/events/{event}/players/{entry}")
    player.fold("desk.names.title_mine").click()
    player.press("desk.names.add")
    site, nickname = (
        page.get_by_label(player.say(f"desk.names.{key}"), exact=True) for key in ("site", "nickname")
    )
    site.fill("Mahjongsoul")
    nickname.fill("은하수")
    player.press("desk.names.save")
    player.see("desk.settings.saved")
    page.reload()
    player.fold("desk.names.title_mine").click()
    expect(nickname).to_have_value("은하수")
    expect(site).to_have_value("mahjongsoul")
    page.goto(f"/events/{event}/players/a1")
    page.get_by_role("heading", name="Ann").wait_for()
    expect(player.fold("desk.names.title_mine")).to_have_count(0)


def add_webhooks(player: Guest) -> None:
    """A refused URL stays in the field, the secret is shown only once, and a failed test states its cause."""
    page = player.page
    player.open_tab("settings")
    part = page.get_by_role("region", name=player.say("desk.webhook.title"))
    address, format_ = player.field("desk.webhook.url", part), player.field("desk.webhook.format", part)
    secret = player.field("desk.webhook.secret", part)
    format_.select_option("jantaku")
    address.fill("https://10.0.0.1/hook")
    player.toggle("desk.webhook.kind.result", part).click()
    player.press("desk.webhook.save", part)
    page.get_by_text("private network").first.wait_for()
    expect(address).to_have_value("https://10.0.0.1/hook")
    address.fill("https://localhost:8443/hook")  # this name resolves to the local machine, so nothing is sent
    player.press("desk.webhook.save", part)
    assert len(secret.input_value()) > 30
    kinds = (player.say(f"desk.webhook.kind.{kind}") for kind in ("seating", "start", "standings"))
    goes = player.row("localhost", part).first
    expect(goes).to_contain_text(", ".join(kinds))
    player.press("desk.webhook.test", goes)
    player.see("desk.webhook.error.private", part)
    page.reload()
    goes.wait_for()
    expect(secret).to_have_count(0)
    player.press("desk.webhook.stop", goes)
    player.confirm_question()
    expect(goes).to_have_count(0)


def test_the_desk_imports_logs_and_names_and_sends_news(
    stranger: MakeGuest,
) -> None:
    organiser, player = stranger().register("Log keeper"), stranger("desktop").enter("Eun")
    organiser.expect_fault("400")
    event = organiser.post("events/import", {"file": FILE})["id"]
    organiser.page.goto(f"/desk/{event}")
    enter_logs(organiser)
    check_games(organiser, event)
    add_real_name(organiser)
    add_own_nickname(player, event)
    add_webhooks(organiser)
