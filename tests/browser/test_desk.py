"""The organiser's desk on a phone: from a guest to an event whose first games count."""

import re
from collections.abc import Callable
from typing import Any, Final

from browser.contexts import expect, filled
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
LIST: Final = "name,team,id\nAnn,Red,a1\nBen,Red,b1\n,Blue,\nCho,Blue,c1\nDai,Blue,d1\n"
NAMES: Final = ("Ann", "Ben", "Cho", "Dai")
MOST_ASKED: Final = 60  # requests for one thing in the whole walk
# Whether the page is wider than the screen, which would make it scroll sideways
WIDE: Final = "document.documentElement.scrollWidth > innerWidth"


def button(page: Any, name: str) -> Any:
    """A button by its label."""
    return page.get_by_role("button", name=name, exact=True)


def open_tab(player: Guest, name: str) -> None:
    """Press a tab, and check that the page fits the screen and has no serious fault."""
    tab = f"nav.tabs a[href$='/{name}']"
    player.page.locator(tab).click()
    player.page.locator(f"{tab}[aria-current]").wait_for()
    player.settle()
    assert not player.page.evaluate(WIDE), name


def open_event(player: Guest) -> str:
    """A stranger registers where an account is needed, and opens an event from a template; returns its id."""
    page = player.page
    page.goto("/desk/new?template=bgm-2025")
    page.fill(".account .register input[autocomplete=username]", "Organiser")
    page.fill(".account .register input[type=password]", "correct horse")
    page.click(".account .register button")
    page.locator("input[value=bgm-2025]:checked").wait_for()
    page.fill("input[name=name]", "Spring league")
    with page.expect_response("**/qr.svg*"):  # of the link for players
        button(page, WORDS["new"]["create"]).click()
    page.locator("h1", has_text="Spring league").wait_for()
    return str(page.url.rpartition("/")[2])


def add_people(player: Guest) -> None:
    """Upload a list of which one line has no name; the others are registered."""
    page = player.page
    open_tab(player, "people")
    button(page, WORDS["people"]["add"]).click()
    page.set_input_files(
        ".sheet input[type=file]",
        {"name": "club.csv", "mimeType": "text/csv", "buffer": LIST.encode("utf-8")},
    )
    page.locator(".preview tbody tr").nth(4).wait_for()
    expect(page.locator(".preview .wrong")).to_have_text(re.compile("^4"))
    button(page, filled(WORDS["people"]["add_count"], count=4)).click()
    page.locator("button.name", has_text="Dai").wait_for()
    expect(page.locator("button.name strong")).to_have_text(list(NAMES), use_inner_text=True)


def start_game(page: Any) -> None:
    """Start a game for the four, and stay at the desk."""
    button(page, WORDS["games"]["start"]).click()
    seats = page.locator(".sheet .seats select").all()
    for choice, name in zip(seats, ("a1", "b1", "c1", "d1"), strict=True):
        choice.select_option(name)
    button(page, WORDS["games"]["start_only"]).click()
    page.locator(".sheet").get_by_role("heading", name="Ann, Ben, Cho, Dai").wait_for()


def enter_points(page: Any) -> None:
    """Enter the final points of the open game; the sum is checked while they are typed."""
    button(page, WORDS["game"]["points"]).click()
    fields = page.locator(".sheet .points input")
    for field, points in zip(fields.all(), ("45,000", "30000", "25000", "21000"), strict=True):
        field.fill(points)
    expect(button(page, WORDS["game"]["points_enter"])).to_be_disabled()
    fields.nth(3).fill("20000")
    page.fill("input[name=points-why]", "entered from the sheet")
    button(page, WORDS["game"]["points_enter"]).click()
    page.locator(".sheet b", has_text="confirmed").wait_for()
    page.keyboard.press("Escape")


def play_elsewhere(player: Guest, event: str) -> None:
    """Another device records a whole game of draws, after which it waits for its confirmation."""
    sitting = {"id": "elsewhere", "stage": "league", "players": ["d1", "c1", "b1", "a1"]}
    player.post(f"events/{event}/games", sitting)
    for i in range(8):
        body = {"id": f"elsewhere-{i}", "follows": f"elsewhere-{i - 1}" if i else "", "hand": {"end": "draw"}}
        player.post(f"events/{event}/games/elsewhere/hands", body)


def give_penalty(page: Any) -> None:
    """Give a penalty that the rules know; a reason may be added."""
    form = page.locator(".penalties form")
    form.locator("select").first.select_option("b1")
    form.locator("select").last.select_option("furiten_ron")
    expect(form.locator("input[name=points]")).to_have_value("-9000")
    form.locator("input[name=why]").fill("Ron in furiten, hand 3")
    button(page, WORDS["penalty"]["give"]).click()
    page.locator(".penalties li", has_text="Ben").wait_for()


def play_a_round(player: Guest) -> None:
    """Bring the seating of a round, publish it and start it."""
    page, words = player.page, WORDS["rounds"]
    open_tab(player, "rounds")
    page.locator("summary", has_text=words["import"]).click()
    page.locator(".seating textarea").fill("1,1,a1,b1,c1,d1")
    button(page, words["import_go"]).click()
    page.locator(".round", has_text=words["state"]["drafted"]).wait_for()
    button(page, words["publish"]).click()
    button(page, words["start"]).click()
    page.locator(".round .state.running").wait_for()
    expect(page.locator(".round .tables a")).to_have_count(1)


def check_log(player: Guest) -> None:
    """The log tells the whole walk in sentences, the newest first."""
    open_tab(player, "log")
    player.page.locator(".log li").first.wait_for()
    lines = player.page.locator(".log li p:first-of-type")
    expect(lines.first).to_have_text("Organiser started round 1 of Final.")
    texts = lines.all_inner_texts()
    wanted = [
        "Organiser seated rounds 1 of Final.",
        "Organiser gave Ben −9,000 points.",
        "Organiser confirmed the game of Dai, Cho, Ben, Ann. It counts.",
        "Organiser changed the settings.",
        "Organiser entered hand 1 of Dai, Cho, Ben, Ann.",
        "Organiser entered the final points of Ann, Ben, Cho, Dai.",
        "Organiser registered Ann.",
        "Organiser opened the event.",
    ]
    places = [texts.index(call) for call in wanted]
    assert places == sorted(places)
    assert places[-1] == len(texts) - 1


def test_an_organiser_runs_an_event_from_a_phone(stranger: Callable[..., Guest]) -> None:
    player = stranger()
    page = player.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("?")[0]))
    event = open_event(player)
    add_people(player)
    if AXE.is_file():
        assert serious_faults(player) == []
    open_tab(player, "games")
    start_game(page)
    enter_points(page)

    open_tab(player, "settings")
    page.get_by_label(WORDS["settings"]["name"], exact=True).fill("봄 리그")
    play_elsewhere(player, event)
    page.locator("nav.tabs .count", has_text="1").wait_for()
    expect(page.get_by_label(WORDS["settings"]["name"], exact=True)).to_have_value("봄 리그")
    button(page, WORDS["stage"]["add"]).click()
    button(page, WORDS["save"]).click()
    page.locator(".dock").wait_for(state="detached")
    if AXE.is_file():
        assert serious_faults(player) == []

    open_tab(player, "games")
    page.locator(".game", has_text="waiting").click()
    button(page, WORDS["game"]["confirm"]).click()
    page.locator(".sure").click()
    page.locator(".sheet b", has_text="confirmed").wait_for()
    page.keyboard.press("Escape")
    open_tab(player, "referee")
    give_penalty(page)
    play_a_round(player)
    open_tab(player, "print")
    page.emulate_media(media="print")
    expect(page.locator("nav.tabs")).to_be_hidden()
    assert page.locator(".sheet-page tbody tr").count() > 16
    page.emulate_media(media="screen")

    check_log(player)
    expect(page.get_by_text("Reason: entered from the sheet")).to_be_visible()
    if AXE.is_file():
        assert serious_faults(player) == []
    assert max(map(asked.count, asked)) < MOST_ASKED, "a tab loads again and again"
