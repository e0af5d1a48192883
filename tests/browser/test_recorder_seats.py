"""Starting a game on a phone among many players, and what the table shows before a hand is entered."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import NAMES, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser
CROWD = (*NAMES, *(f"Guest {number:02}" for number in range(1, 13)))


def crowded(stranger: Callable[..., Guest]) -> Recording:
    """An event of sixteen, two of one name in two teams; whoever records plays in it."""
    recording = Recording(stranger())
    listed = [{"name": name, "id": name.replace(" ", "-")} for name in CROWD[4:]]
    listed.append({"name": "Kim", "team": "Reds", "id": "other-kim"})
    recording.player.post(f"{recording.event}/entries/list", {"entries": listed})
    recording.page.request.patch(
        f"/api/{recording.event}/entries/{NAMES[0]}", data={"account": recording.account["name"]}
    )
    return recording


def test_players_are_found_by_a_part_of_their_name_and_my_seat_is_filled_in_each_time(
    stranger: Callable[..., Guest],
) -> None:
    recording = crowded(stranger)
    page = recording.page
    for _ in range(2):  # the second time from what the phone has kept
        page.goto(recording.home)
        expect(page.locator(".seats select").first).to_have_value(NAMES[0])
    search = page.get_by_role("searchbox", name=WORDS["find"])
    search.fill("reds")
    page.locator(".finder button").tap()
    search.fill("guest 1")
    expect(page.locator(".finder button")).to_have_count(3)
    page.locator(".finder button").first.tap()
    search.fill("guest 07")
    search.press("Enter")
    chosen = page.locator(".seats select").evaluate_all("(all) => all.map((one) => one.value)")
    assert chosen == [NAMES[0], "other-kim", "Guest-10", "Guest-07"]
    expect(search).to_have_count(0)


def test_a_laid_stick_is_no_longer_with_its_player(recording: Recording) -> None:
    recording.start("stick")
    page, hands = recording.page, Hands(recording.page)
    hands.tap("[data-seat='0'] .slot")
    assert recording.points() == ["24,000", "25,000", "25,000", "25,000"]
    hands.tap("[data-seat='1'] .points")
    expect(page.locator("[data-seat='0'] .points")).to_contain_text("−1,000")
    hands.tap("[data-seat='1'] .points")
    hands.tap("[data-seat='0'] .slot")
    assert recording.points() == ["25,000"] * 4


def test_a_cell_of_a_tsumo_has_a_line_for_each_payment(recording: Recording) -> None:
    recording.start("lines")
    page, hands = recording.page, Hands(recording.page)
    for seat, lines in ((2, ["500", "1,000"]), (0, ["1,000"])):
        hands.tap(f"[data-seat='{seat}'] .who")
        hands.tap(f"[data-seat='{seat}'] .who")
        assert page.locator(f"{cell(2, 30)} .line").all_inner_texts() == lines
        page.keyboard.press("Escape")
        page.wait_for_selector(".sheet", state="detached")
