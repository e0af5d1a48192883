"""The results of a round on one sheet, by keyboard alone and pasted from a spreadsheet."""

import re
from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import expect, filled
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from browser.test_desk import WIDE, button
from jantaku import terms
from naive.exported import RuleText, StageText, Workbook, differences
from server.clubs import RON, Club
from server.parlour import PASSWORD, Message

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")["sheet"]
PASTE: Final = """([at, text]) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const field = document.querySelector(`[data-at="${at}"][data-seat="0"]`);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def cup(parlour: str) -> Club:
    cup = Club(parlour, 16)
    cup.seat(how="plan", rounds=1)
    cup.run("publish", start=True)
    return cup


def at_the_desk(cup: Club, come: Callable[..., Guest], tab: str = "rounds") -> Guest:
    """A referee at a computer, who has opened a tab of the desk."""
    player = come("desktop")
    player.page.set_viewport_size({"width": 1366, "height": 768})
    player.post("register", {"name": f"Sheets {cup.id[:6]}", "password": PASSWORD})
    name = player.page.request.get("/api/me").json()["person"]["name"]
    cup.organiser.post(f"{cup.at}/staff", name=name, role="referee")
    player.page.goto(f"/desk/{cup.id}/{tab}")
    return player


def games(cup: Club) -> list[Message]:
    """The games of the round by table."""
    games = cup.organiser.get(f"{cup.at}/games", stage="main", round=1)["games"]
    return sorted(games, key=lambda game: int(game["label"]))


def test_results_are_typed_by_keyboard_alone(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = at_the_desk(cup, stranger)
    page = player.page
    opener = button(page, WORDS["open"])
    opener.focus()
    page.keyboard.press("Enter")
    first = page.locator('[data-at="0"][data-seat="0"]')
    expect(first).to_be_enabled()
    assert not page.evaluate(WIDE)
    if AXE.is_file():
        assert serious_faults(player) == []
    first.focus()
    columns = (
        ("40000", "400", "41000", "1"),
        ("30000", "300", "30000", "2"),
        ("20000", "200", "20000", "3"),
        ("10000", "100", "8000", "4"),
    )
    for column in columns:
        for text in column:
            page.keyboard.type(text)
            page.keyboard.press("Enter")
    notice = page.locator(".told")
    expect(notice.nth(0)).to_have_text("✓")
    expect(notice.nth(1)).to_have_text("✓")  # in hundreds
    expect(notice.nth(2)).to_contain_text("1,000")  # a stick that nobody won
    expect(notice.nth(3)).to_have_class(re.compile("problem"))
    go = button(page, filled(WORDS["enter"], count=3))
    go.focus()
    page.keyboard.press("Enter")
    page.get_by_text(filled(WORDS["entered"], count=3)).wait_for()
    entered = games(cup)
    assert [game["status"] for game in entered] == ["confirmed"] * 3 + ["playing"]
    assert entered[1]["scores"] == [40000, 30000, 20000, 10000]
    assert entered[2]["scores"] == [42000, 30000, 20000, 8000]
    expect(page.locator('[data-at="3"][data-seat="0"]')).to_have_value("1")  # what was wrong stays typed
    book = cup.organiser.http.get(f"{cup.at}/export", params={"format": "xlsx"}).content
    stages = [StageText(name) for name in dict.fromkeys(str(row[0]) for row in Workbook(book).standings)]
    assert differences(book, RuleText(30000, (20000, 10000, -10000, -20000), oka=20000), stages) == []


def test_a_sheet_is_pasted_and_changed_with_a_reason(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = at_the_desk(cup, stranger)
    page = player.page
    button(page, WORDS["open"]).click()
    expect(page.locator('[data-at="0"][data-seat="0"]')).to_be_enabled()
    lines = "table\tE\tS\tW\tN\n2\t40,000\t30,000\t20,000\t10,000\n"
    lines += "1\t=1+1\t0\t0\t0\n4\t25000\t25000\t25000\t25000\n"
    page.evaluate(PASTE, [0, lines])
    page.get_by_text(filled(WORDS["pasted"], count=2, unread=2)).wait_for()
    button(page, filled(WORDS["enter"], count=2)).click()
    page.get_by_text(filled(WORDS["entered"], count=2)).wait_for()
    page.evaluate(PASTE, [0, "1\t2\n" * 10_000])
    page.get_by_text(WORDS["long"]).wait_for()
    game = games(cup)[2]
    body = {"id": "hand-of-three", "follows": "", "hand": RON}
    cup.recorder.post(f"{cup.at}/games/{game['id']}/hands", **body)
    page.evaluate(PASTE, [0, "3\t30000\t30000\t20000\t20000\n2\t10000\t20000\t30000\t40000"])
    page.locator("input[name=sheet-why]").fill("typed upside down")
    button(page, filled(WORDS["enter"], count=2)).click()
    expect(page.locator("input[name=sheet-why]")).to_have_count(0)
    entered = games(cup)
    assert [game["status"] for game in entered] == ["playing", "confirmed", "confirmed", "confirmed"]
    assert entered[1]["scores"] == [10000, 20000, 30000, 40000]
    log = cup.organiser.get(f"{cup.at}/log")["changes"]
    assert [row["why"] for row in log if row["action"] == "points"][:2] == ["typed upside down"] * 2


def test_a_tap_beside_a_sheet_loses_nothing_that_was_typed(cup: Club, stranger: Callable[..., Guest]) -> None:
    page = at_the_desk(cup, stranger, "games").page
    sheet, beside = page.get_by_role("dialog"), {"x": 5, "y": 5}
    opener = page.locator("main tbody button, main li button").first
    opener.click()
    page.locator(".veil").click(position=beside)
    expect(sheet).to_have_count(0)
    opener.click()
    button(page, terms.text("desk.game.points", "en")).click()
    field = sheet.locator("input").first
    field.fill("40000")
    page.locator(".veil").click(position=beside)
    expect(field).to_have_value("40000")
