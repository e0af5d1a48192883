"""How many taps and keys an organiser needs for whole events, pressed on the pages; no step may need more.

The table of ``docs/organising.md`` is added to the file that ``JANTAKU_TAPS`` names. Its minutes are those
of the keystroke-level model (Card, Moran and Newell): 1.35 s to think and 1.1 s to point for each tap, 0.28 s
for each key; nobody was timed.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import button
from jantaku import terms
from server.clubs import PASSWORD

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
SHEET: Final = WORDS["sheet"]
ROUNDS: Final = WORDS["rounds"]
TAP_S, KEY_S = 2.45, 0.28
PASTE: Final = """([text]) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const field = document.querySelector('[data-at="0"][data-seat="0"]');
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""


class Hand:
    """Presses and types like a person, and counts both."""

    def __init__(self, guest: Guest, name: str) -> None:
        self.guest, self.page = guest, guest.page
        guest.post("register", {"name": name, "password": PASSWORD})
        self.taps = self.keys = 0
        self.steps: list[tuple[str, int, int]] = []

    def step(self, name: str, most: int) -> None:
        """The step is done; it may not have needed more taps than so many."""
        assert self.taps <= most, name
        self.steps.append((name, self.taps, self.keys))
        self.taps = self.keys = 0

    def tap(self, found: Any) -> None:
        found.click()
        self.taps += 1

    def press(self, name: str, within: Any = None) -> None:
        self.tap(button(within or self.page, name).first)

    def type(self, found: Any, text: str) -> None:
        self.tap(found)
        found.fill(text)
        self.keys += len(text)

    def paste(self, found: Any, text: str) -> None:
        self.tap(found)
        found.fill(text)
        self.keys += 2

    def choose(self, found: Any, value: str) -> None:
        found.select_option(value)
        self.taps += 2

    def tab(self, name: str) -> None:
        self.tap(self.page.locator(f"nav.tabs a[href$='/{name}']"))
        self.page.locator(f"nav.tabs a[href$='/{name}'][aria-current]").wait_for()

    def show(self, title: str) -> None:
        told = os.environ.get("JANTAKU_TAPS")
        if not told:
            return
        with Path(told).open("a", encoding="utf-8") as file:
            for name, taps, keys in self.steps:
                minutes = (taps * TAP_S + keys * KEY_S) / 60
                file.write(f"| {title} | {name} | {taps} | {keys} | {minutes:.1f} |\n")


def begin(hand: Hand, kind: str, name: str, players: list[str], rules: str) -> str:
    """Open an event and paste its players."""
    page = hand.page
    page.goto("/desk/new")
    hand.tap(page.locator(f"input[value={kind}]"))
    hand.type(page.locator("input[name=name]"), name)
    if page.locator(f"option[value='{rules}']").count():
        hand.choose(page.locator(f"select:has(option[value='{rules}'])"), rules)
    hand.press(WORDS["new"]["create"])
    page.locator("h1", has_text=name).wait_for()
    hand.step("open the event", 8)
    hand.tab("people")
    hand.press(WORDS["people"]["add"])
    hand.paste(page.locator(".sheet textarea"), "\n".join(players))
    hand.press(WORDS["people"]["add_count"].format(count=len(players)))
    page.locator("button.name", has_text=players[-1]).wait_for()
    hand.step(f"enter {len(players)} players", 4)
    return str(page.url.split("/")[4])


def results(hand: Hand, tables: int, start: int, label: str) -> None:
    """A round's results, pasted from a spreadsheet into its sheet."""
    page = hand.page
    hand.press(SHEET["open"])
    expect(page.locator('[data-at="0"][data-seat="0"]')).to_be_enabled()
    line = "\t".join(str(start + more) for more in (15000, 5000, -5000, -15000))
    page.evaluate(PASTE, ["\n".join([line] * tables)])
    hand.taps, hand.keys = hand.taps + 1, hand.keys + 2
    hand.press(SHEET["enter"].format(count=tables))
    page.get_by_text(SHEET["entered"].format(count=tables)).wait_for()
    hand.step(label, 3)


def plan(hand: Hand, rounds: int) -> None:
    """Seat all rounds, show them, and start the first."""
    page = hand.page
    hand.tab("rounds")
    hand.type(page.locator("input.number").first, str(rounds))
    hand.press(ROUNDS["plan"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.press(ROUNDS["publish"])
    page.locator(".round .state.published").first.wait_for()
    hand.step(f"seat {rounds} rounds", 4)
    hand.press(ROUNDS["start"])
    page.locator(".round .state.running").first.wait_for()
    hand.step("start a round", 1)


def names(count: int) -> list[str]:
    return [f"Player {i:02}" for i in range(1, count + 1)]


def test_a_league_evening(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps league")
    page = hand.page
    event = begin(hand, "bgm-2025", "League evening", names(16), "bgm-2025")
    entries = page.request.get(f"/api/events/{event}/entries").json()["entries"]
    hand.tab("games")
    hand.press(WORDS["games"]["start"])
    for choice, one in zip(page.locator(".sheet .seats select").all(), entries, strict=False):
        hand.choose(choice, one["id"])
    hand.press(WORDS["games"]["start_only"])
    page.locator(".sheet").get_by_role("heading", name="Player 01").wait_for()
    hand.step("start a game by hand", 11)
    hand.press(WORDS["game"]["points"])
    fields = page.locator(".sheet .points input").all()
    for field, points in zip(fields, ("45000", "35000", "25000", "15000"), strict=True):
        hand.type(field, points)
    hand.press(WORDS["game"]["points_enter"])
    page.locator(".sheet b", has_text="confirmed").wait_for()
    page.keyboard.press("Escape")
    hand.step("one result from paper", 6)
    page.goto(f"/events/{event}/reports")
    hand.tap(button(page, terms.table("event", "en")["report"]["save"]))
    hand.step("the evening's picture for the chat", 1)
    hand.show("League evening")


def swap_a_no_show(hand: Hand, event: str) -> None:
    """Whoever sits out takes the seat of somebody who did not come, after the round has begun."""
    page = hand.page
    stage = page.request.get(f"/api/events/{event}/rounds").json()["stages"][0]
    gone, by = stage["rounds"][0]["tables"][0]["players"][2], stage["rounds"][0]["byes"][0]
    hand.tap(page.locator("summary", has_text=ROUNDS["absences"].format(count=0)))
    section = page.locator(
        "details", has=page.locator("summary", has_text=ROUNDS["absences"].format(count=0))
    )
    hand.choose(section.locator("select").nth(1), gone)
    hand.choose(section.locator("select").nth(2), by)
    hand.press(ROUNDS["replace"], section)
    page.locator(".sheet").wait_for()
    reason = page.locator(".sheet textarea, .sheet input").first
    if reason.count():
        hand.type(reason, "absent")
    hand.tap(page.locator(".sure"))
    page.locator(".sheet").wait_for(state="detached")
    seated = page.request.get(f"/api/events/{event}/rounds").json()["stages"][0]["rounds"][0]["tables"][0]
    assert by in seated["players"]
    assert gone not in seated["players"]
    hand.step("a reserve for a no-show", 8)


def test_a_swiss_day_of_forty(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps swiss")
    page = hand.page
    event = begin(hand, "rounds", "Swiss day", [*names(40), "Reserve"], "tenhou")
    hand.tab("rounds")
    hand.tap(page.locator("summary", has_text=ROUNDS["next"]))
    hand.press(ROUNDS["seat_one"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.press(ROUNDS["publish"])
    page.locator(".round .state.published").first.wait_for()
    hand.press(ROUNDS["start"])
    page.locator(".round .state.running").first.wait_for()
    hand.step("seat, show and start a round", 5)
    swap_a_no_show(hand, event)
    results(hand, 10, 25000, "results of 10 tables, pasted")
    hand.press(ROUNDS["seat_one"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.step("seat the next round by the standings", 2)
    hand.show("Swiss, 40 players")


def test_a_european_tournament_of_34(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps europe")
    page = hand.page
    begin(hand, "rounds", "European tournament", [*names(34), "Sub 1", "Sub 2"], "ema")
    plan(hand, 8)
    results(hand, 9, 30000, "results of 9 tables, pasted")
    hand.tab("files")
    with page.expect_download():
        hand.press(WORDS["files"]["save_ranking"])
    hand.step("the file for the association", 2)
    hand.show("European, 34 × 8")


@pytest.mark.parametrize("people", [4])
def test_a_season_to_its_final(stranger: Callable[..., Guest], people: int) -> None:
    hand = Hand(stranger("desktop"), "Taps season")
    page, season = hand.page, terms.table("season", "en")
    page.goto("/seasons/new")
    page.locator("input[value=bgm-2025-season]:checked").wait_for()
    hand.choose(page.get_by_label(season["new"]["rules"]).first, "bgm-2025")
    hand.press(season["new"]["create"])
    page.get_by_text(season["year"]["empty"]).wait_for()
    hand.step("open a season with its four events", 3)
    event = str(page.locator("section[aria-labelledby=parts] h3 a").nth(1).get_attribute("href")).rpartition(
        "/"
    )[2]
    listed = [{"name": name, "id": f"e{i}"} for i, name in enumerate(names(people))]
    hand.guest.post(f"events/{event}/entries/list", {"entries": listed})
    body = {"id": "only-game", "stage": "league", "players": [one["id"] for one in listed]}
    hand.guest.post(f"events/{event}/games", body | {"scores": [45000, 35000, 25000, 15000]})
    page.reload()
    hand.press(season["finalists"]["enter"].format(count=20))
    hand.tap(page.locator(".sure"))
    page.get_by_text("Entered now").wait_for()
    hand.step("enter the best into the final", 2)
    hand.show("Season final")
