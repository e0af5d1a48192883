"""The results of a round on one sheet, typed on a keyboard or pasted from a spreadsheet."""

from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, MakeGuest, slow_in_a_browser
from server.clubs import RON, Club
from server.parlour import Message

pytestmark = slow_in_a_browser
PASTE: Final = """(field, text) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def cup(parlour: str) -> Club:
    cup = Club(parlour, 16)
    cup.seat(how="plan", rounds=1)
    cup.run("publish", start=True)
    return cup


def at_the_desk(cup: Club, stranger: MakeGuest, tab: str = "rounds") -> Guest:
    """Open a tab of the desk as a referee on a computer."""
    player = stranger("desktop").become(cup.referee)
    player.page.goto(f"/desk/{cup.id}/{tab}")
    return player


def games(cup: Club) -> list[Message]:
    """Return the games of the round by table."""
    games = cup.organiser.get("games", stage="main", round=1)["games"]
    return sorted(games, key=lambda game: int(game["label"]))


def test_results_can_be_typed_by_keyboard_only(cup: Club, stranger: MakeGuest) -> None:
    player = at_the_desk(cup, stranger)
    page = player.page
    player.button("desk.sheet.open").press("Enter")
    first = player.cell(0, 0)
    expect(first).to_be_enabled()
    player.check()
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
    rows = page.get_by_role("row")
    expect(rows.nth(1)).to_contain_text("✓")
    expect(rows.nth(2)).to_contain_text("✓")  # entered in hundreds
    expect(rows.nth(3)).to_contain_text("1,000")  # a riichi deposit is left over
    expect(rows.nth(4)).not_to_contain_text("✓")
    player.button("desk.sheet.enter", count=3).press("Enter")
    player.see("desk.sheet.entered", count=3)
    entered = games(cup)
    assert [game["status"] for game in entered] == ["confirmed"] * 3 + ["playing"]
    assert entered[1]["scores"] == [40000, 30000, 20000, 10000]
    assert entered[2]["scores"] == [42000, 30000, 20000, 8000]
    expect(player.cell(3, 0)).to_have_value("1")  # invalid input stays in the field


def test_a_sheet_is_pasted_and_changed_with_a_reason(cup: Club, stranger: MakeGuest) -> None:
    player = at_the_desk(cup, stranger)
    player.press("desk.sheet.open")
    first = player.cell(0, 0)
    expect(first).to_be_enabled()
    lines = "table\tE\tS\tW\tN\n2\t40,000\t30,000\t20,000\t10,000\n"
    lines += "1\t=1+1\t0\t0\t0\n4\t25000\t25000\t25000\t25000\n"
    first.evaluate(PASTE, lines)
    player.see("desk.sheet.pasted", count=2, unread=2)
    player.press("desk.sheet.enter", count=2)
    player.see("desk.sheet.entered", count=2)
    first.evaluate(PASTE, "1\t2\n" * 10_000)
    player.see("desk.sheet.long")
    body = {"id": "hand-of-three", "follows": "", "hand": RON}
    cup.recorder.post(f"games/{games(cup)[2]['id']}/hands", **body)
    first.evaluate(PASTE, "3\t30000\t30000\t20000\t20000\n2\t10000\t20000\t30000\t40000")
    why = player.field("desk.sheet.why")
    why.fill("typed upside down")
    player.press("desk.sheet.enter", count=2)
    expect(why).to_have_count(0)
    entered = games(cup)
    assert [game["status"] for game in entered] == ["playing", "confirmed", "confirmed", "confirmed"]
    assert entered[1]["scores"] == [10000, 20000, 30000, 40000]
    assert [row["why"] for row in cup.log() if row["action"] == "points"][:2] == ["typed upside down"] * 2


def test_a_click_outside_a_dialog_loses_no_typed_input(cup: Club, stranger: MakeGuest) -> None:
    player = at_the_desk(cup, stranger, "games")
    opener = player.page.get_by_role("main").get_by_role("listitem").get_by_role("button").first
    opener.click()
    player.sheet.wait_for()
    player.page.mouse.click(5, 5)
    expect(player.sheet).to_have_count(0)
    opener.click()
    player.press("desk.game.points")
    field = player.sheet.get_by_role("textbox").first
    field.fill("40000")
    player.page.mouse.click(5, 5)
    expect(field).to_have_value("40000")
