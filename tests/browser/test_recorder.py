"""The recorder of a physical table: a hand in few gestures, no network, corrections, conflicts, the end."""

import itertools
import re
import time
from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import Contexts, expect
from browser.fitting import misfits
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from browser.recorder_requests import FROM_THE_RECORDER
from browser.test_requests import Sent
from jantaku import terms

pytestmark = slow_in_a_browser
NAMES: Final = ("Kim", "Park", "Sato", "Lee")
WORDS: Final = terms.table("recorder", "en")
LOST: Final = ("Failed to load resource", "WebSocket connection")
MOST_GESTURES, MOST_SECONDS = 5, 10
_numbers = itertools.count()


class Hands:
    """The hands of whoever records: counts every gesture on the page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.gestures = 0
        self.begun = time.monotonic()

    def tap(self, selector: str) -> None:
        """One tap."""
        self.gestures += 1
        self.page.locator(selector).tap()

    def drag(self, first: int, second: int) -> None:
        """Drag from one player to another."""
        self.gestures += 1
        places = [self.page.locator(f"[data-seat='{seat}'] .who").bounding_box() for seat in (first, second)]
        (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
        self.page.mouse.move(to_x, to_y, steps=4)
        self.page.mouse.up()


def cell(han: int, fu: int) -> str:
    return f"[data-cell='{han}/{fu}']"


# Whether all of a picture is seen at once
WHOLE: Final = """img => {
  const box = img.getBoundingClientRect(), around = img.closest('.body').getBoundingClientRect();
  return box.top >= around.top - 1 && box.bottom <= around.bottom + 1 && box.width > 200;
}"""
ENTER: Final = ".sheet .foot .enter:enabled"


class Recording:
    """An event under the standard rules with four players from a list, and somebody who records."""

    def __init__(self, player: Guest, names: tuple[str, ...] = NAMES) -> None:
        self.player, self.page = player, player.page
        self.account = {"name": f"club {next(_numbers)}", "password": "correct horse"}
        player.post("register", self.account | {"language": player.language})
        event = player.post("events", {"name": {"en": "Club night"}, "rules": "standard"})
        self.event = f"events/{event['id']}"
        entries = [{"name": name, "id": NAMES[seat]} for seat, name in enumerate(names)]
        player.post(f"{self.event}/entries/list", {"entries": entries})
        self.home = f"/record/{event['id']}"

    def start(self, name: str) -> None:
        """A game by one request, and its page."""
        self.id = f"{name}-{next(_numbers):06}"
        body = {"id": self.id, "stage": "league", "players": list(NAMES), "label": "Table 3"}
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
        found: dict[str, Any] = self.page.request.get(f"/api/{self.path}").json()
        return found

    def sent(self, hands: int) -> list[dict[str, Any]]:
        """The hands on the server, once nothing waits on the phone."""
        self.page.wait_for_selector(".badge", state="detached")
        found = list(self.view()["hands"])
        assert len(found) == hands
        return found

    def expect_no_network(self) -> None:
        for text in LOST:
            self.player.expect_fault(text)

    def points(self) -> list[str]:
        return [str(one) for one in self.page.locator("[data-seat] .points").all_inner_texts()]


@pytest.fixture
def recording(stranger: Callable[..., Guest]) -> Recording:
    return Recording(stranger())


@requires_axe
def test_a_game_is_started_and_a_hand_takes_five_gestures(recording: Recording) -> None:
    page = recording.page
    page.goto(recording.home)
    for seat, name in enumerate(NAMES):
        page.locator(".seats select").nth(seat).select_option(name)
    page.get_by_role("button", name=WORDS["draw_seats"]).click()
    assert serious_faults(recording.player) == []
    page.click("form button.primary")
    page.wait_for_selector("[data-seat='0']")
    recording.id = page.url.rsplit("/", 1)[1]
    assert sorted(seat["name"] for seat in recording.view()["seats"]) == sorted(NAMES)

    hands = Hands(page)
    hands.tap("[data-seat='0'] .slot")
    hands.drag(1, 0)
    hands.tap(cell(3, 40))
    handed = page.locator(".moves li")
    handed.nth(2).wait_for()
    paid = [" ".join(text.split()) for text in handed.all_inner_texts()]
    assert any("7,700" in text for text in paid)
    hands.tap(ENTER)
    done = recording.sent(1)
    assert done[0]["deltas"] == [7700, -7700, 0, 0]
    assert done[0]["hand"]["riichi"] == [0]
    assert hands.gestures <= MOST_GESTURES
    assert time.monotonic() - hands.begun < MOST_SECONDS

    page.locator("[data-seat='1'] .points").tap()
    expect(page.locator("[data-seat='0'] .points")).to_contain_text("+15,400")
    page.locator("[data-seat='1'] .points").tap()
    hands = Hands(page)  # two taps on the same player: tsumo
    hands.tap("[data-seat='2'] .who")
    hands.tap("[data-seat='2'] .who")
    expect(page.locator(cell(1, 20))).to_be_disabled()
    assert serious_faults(recording.player) == []
    hands.tap(cell(2, 30))
    hands.tap(ENTER)
    assert recording.sent(2)[1]["deltas"] == [-1100, -600, 2300, -600]


def test_without_a_network_nothing_is_lost_or_doubled(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("offline")
    page, hands = recording.page, Hands(recording.page)
    recording.player.context.set_offline(True)
    hands.tap("[data-seat='3'] .slot")
    hands.tap(".act.main")
    hands.tap("[data-what='tenpai'] button >> nth=0")
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('1')")
    hands.drag(2, 1)
    hands.tap("[data-cell='2/30']")
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('2')")
    shown = recording.points()
    assert recording.view()["hands"] == []
    # the first entry reaches the server, and its answer is lost
    page.route("**/hands*", lambda route: (route.fetch(), route.abort()))
    with page.expect_event("requestfailed", lambda request: "/hands" in request.url):
        recording.player.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.unroute("**/hands*")
    assert len(recording.view()["hands"]) == 1
    page.evaluate("window.dispatchEvent(new Event('online'))")
    done = recording.sent(2)
    assert [hand["deltas"] for hand in done] == [[1500, -1500, -1500, 500], [0, 3300, -2300, 0]]
    assert recording.points() == shown


def test_an_earlier_hand_is_corrected_and_a_conflict_asks(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("edit")
    page, hands = recording.page, Hands(recording.page)
    ron = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}
    recording.player.post(f"{recording.path}/hands", {"id": "first-hand", "follows": "", "hand": ron})
    page.wait_for_selector("button.listed:has-text('(1)')")
    hands.tap("button.listed")
    hands.tap(".sheet ol button")
    page.get_by_role("button", name="Edit").tap()
    hands.tap(".sheet .worth button")
    hands.tap(cell(2, 40))
    hands.tap(ENTER)
    page.wait_for_selector(".target", state="detached")
    assert recording.sent(1)[0]["deltas"] == [3900, -3900, 0, 0]

    recording.player.context.set_offline(True)
    hands.drag(3, 2)
    hands.tap(cell(1, 30))
    hands.tap(ENTER)
    page.wait_for_selector(".badge")
    head = recording.view()["head"]
    draw = {"end": "draw", "tenpai": [0]}
    recording.player.post(f"{recording.path}/hands", {"id": "their-hand", "follows": head, "hand": draw})
    recording.player.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    both = page.locator(".conflict .both")
    expect(both).to_contain_text("Sato: ron from Lee")
    expect(both).to_contain_text("Tenpai: Kim")
    page.get_by_role("button", name=WORDS["decide"]["after"]).tap()
    page.wait_for_selector(".badge", state="detached")
    assert [hand["hand"]["end"] for hand in recording.view()["hands"]] == ["ron", "draw", "ron"]


def test_unsent_hands_go_to_another_phone_and_count_once(
    recording: Recording, stranger: Callable[..., Guest]
) -> None:
    recording.expect_no_network()
    recording.start("codes")
    page, hands = recording.page, Hands(recording.page)
    page.get_by_role("button", name=WORDS["menu"]).tap()
    page.get_by_role("button", name=WORDS["others"]).tap()
    expect(page.locator(".share input")).to_have_value(re.compile(f"/record/.*/{recording.id}$"))
    assert page.locator(".share img").evaluate("img => img.decode().then(() => img.naturalWidth > 0)")
    page.get_by_role("button", name="Close").tap()
    recording.player.context.set_offline(True)
    for winner in (2, 3):
        hands.drag(1, winner)
        hands.tap(cell(2, 30))
        hands.tap("[data-what='calls'] button >> nth=-1")
        hands.tap(ENTER)
    page.locator(".badge:has-text('2')").tap()
    page.get_by_role("button", name=WORDS["show_codes"]).tap()
    link = page.locator(".codes input").input_value()
    assert page.locator(".codes img").evaluate("img => img.decode().then(() => img.naturalWidth > 0)")
    for size in ("small", "landscape"):
        recording.player.resize(size)
        page.locator(".codes img").scroll_into_view_if_needed()
        assert page.locator(".codes img").evaluate(WHOLE)
        assert misfits(page) == []

    other = stranger()
    other.post("login", recording.account)
    for _ in range(2):  # as if somebody scanned it twice
        other.page.goto(link)
        expect(other.page.locator(".sheet li")).to_have_count(2)
        assert "#" not in other.page.url
        other.page.get_by_role("button", name=WORDS["take_now"]).tap()
        other.page.wait_for_selector(".sheet", state="detached")
        other.page.wait_for_selector(".badge", state="detached")
    recording.player.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    found = recording.sent(2)
    assert [hand["hand"]["wins"][0]["seat"] for hand in found] == [2, 3]
    assert [hand["hand"]["calls"] for hand in found] == [[], []]


class Steps:
    """Goes through the recorder and notes what does not fit a small phone, or a phone on its side."""

    def __init__(self, recording: Recording, sizes: tuple[str, ...] = ("small", "landscape")) -> None:
        self.recording, self.page, self.sizes = recording, recording.page, sizes
        self.words: Any = terms.table("recorder", recording.player.language)
        self.wrong: list[str] = []

    def look(self, step: str) -> None:
        """Check what is shown in each size; the last size stays."""
        for size in self.sizes:
            self.recording.player.resize(size)
            self.recording.player.still()
            self.wrong += [f"{step}, {size}: {one}" for one in misfits(self.page)]

    def press(self, word: str) -> None:
        self.page.get_by_role("button", name=self.words[word], exact=True).first.click()

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector(".sheet", state="detached")

    def start(self) -> None:
        """A game of four players, started on the page."""
        page = self.page
        page.goto(self.recording.home)
        for seat, name in enumerate(NAMES):
            page.locator(".seats select").nth(seat).select_option(name)
        self.look("start")
        page.click("form button.primary")
        page.wait_for_selector("[data-seat='0']")
        self.recording.id = page.url.rsplit("/", 1)[1]
        self.look("table")

    def enter(self) -> None:
        """Each step of entering a hand."""
        page = self.page
        page.click("[data-seat='0'] .slot")
        self.look("riichi")
        Hands(page).drag(1, 0)
        self.look("grid")
        self.press("by_tiles")
        page.wait_for_selector(".palette, .tiles button")
        self.look("tiles")
        self.press("by_grid")
        page.click(cell(3, 40))
        page.wait_for_selector("[data-what='calls']")
        self.look("payment")
        page.click(ENTER)
        self.recording.sent(1)

    def other_ends(self) -> None:
        """A draw, an abortive draw, a foul, without entering them."""
        self.press("draw")
        self.look("draw")
        self.page.locator(".kinds button").last.click()
        self.look("abort")
        self.close()
        self.press("foul")
        self.page.click(".sheet .seats button")
        self.page.click(".fouls button >> nth=0")
        self.look("foul")
        self.close()

    def around(self) -> None:
        """The menu, the invitation, the hands, one of them."""
        page = self.page
        self.press("menu")
        page.fill(".sheet form input", "?")
        self.look("menu")
        self.press("call")
        page.wait_for_selector(".sheet", state="detached")
        self.press("menu")
        page.get_by_role("switch").click()
        self.press("others")
        page.wait_for_selector(".share img")
        self.look("others")
        self.close()
        self.look("turned")
        page.click("button.listed")
        self.look("hands")
        page.click(".sheet ol button")
        self.look("hand")
        page.locator(".sheet .row .button").first.click()
        self.press("history")
        page.wait_for_selector(".sheet ol li")
        self.look("history")
        self.close()
        page.click("button.listed")
        page.click(".sheet ol button")
        self.correction()

    def correction(self) -> None:
        """An earlier hand is changed, and while there is no network somebody else enters one."""
        page, recording = self.page, self.recording
        self.press("edit")
        self.look("correction")
        self.close()
        self.look("correcting")
        self.press("cancel")
        recording.player.context.set_offline(True)
        Hands(page).drag(3, 2)
        page.click(cell(1, 30))
        page.click(ENTER)
        page.wait_for_selector(".badge")
        body = {
            "id": "their-hand",
            "follows": recording.view()["head"],
            "hand": {"end": "draw", "tenpai": [0]},
        }
        recording.player.post(f"{recording.path}/hands", body)
        recording.player.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_selector(".conflict")
        self.look("conflict")
        page.click(".conflict .button >> nth=0")
        page.wait_for_selector(".badge", state="detached")

    def end(self) -> None:
        """The last hand, and everybody confirms."""
        page, recording = self.page, self.recording
        self.close()  # before the game is over: its end opens a sheet by itself
        bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
        last = {"id": "last-hand", "follows": recording.view()["head"], "hand": bust}
        recording.player.post(f"{recording.path}/hands", last)
        page.wait_for_selector(".sheet li .place")
        self.look("end")
        page.locator(".sheet li .button").first.click()
        page.wait_for_selector(".sheet .done")


@pytest.mark.parametrize("language", ["ko", pytest.param("ja", marks=pytest.mark.long)])
def test_every_step_fits_a_small_phone_and_one_on_its_side(
    stranger: Callable[..., Guest], language: str
) -> None:
    recording = Recording(stranger(language=language), ("김수한무거북이", "Bartholomew", "さとう", "이"))
    recording.expect_no_network()
    steps, sent = Steps(recording), Sent()
    sent.listen(recording.player)
    steps.start()
    steps.enter()
    steps.other_ends()
    steps.around()
    steps.end()
    assert steps.wrong == []
    assert sent.names >= FROM_THE_RECORDER


def test_four_players_confirm_on_one_phone(recording: Recording) -> None:
    recording.start("end")
    page = recording.page
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
    recording.player.post(f"{recording.path}/hands", {"id": "last-hand", "follows": "", "hand": bust})
    page.wait_for_selector(".sheet li")
    for _ in NAMES:
        before = page.locator(".sheet .done").count()
        page.locator(".sheet li button").first.tap()
        page.wait_for_function("n => document.querySelectorAll('.sheet .done').length > n", arg=before)
    assert recording.view()["status"] == "confirmed"


def test_the_page_opens_without_a_network(parlour: str, contexts: Contexts) -> None:
    player = Guest(contexts, parlour, fresh=True)
    player.context.close()
    player.context = contexts.fresh(parlour, "en", workers=True)
    player.page = player.context.new_page()
    try:
        recording = Recording(player)
        recording.start("kept")
        player.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        player.context.set_offline(True)
        player.page.reload()
        player.page.wait_for_selector("[data-seat='3']")
        assert recording.points() == ["25,000"] * 4
    finally:
        player.context.close()
