"""The recorder of a physical table: a hand in few gestures, corrections, conflicts, the end."""

import time

from browser.contexts import expect
from browser.parlour import requires_axe, serious_faults, slow_in_a_browser
from browser.recording import ENTER, NAMES, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser
MOST_GESTURES, MOST_SECONDS = 5, 10


@requires_axe
def test_a_game_is_started_and_a_hand_takes_five_gestures(recording: Recording) -> None:
    page = recording.page
    page.goto(f"{recording.home}?table=7")  # as the card on a table leads here
    for seat, name in enumerate(NAMES):
        page.locator(".seats select").nth(seat).select_option(name)
    page.get_by_role("button", name=WORDS["draw_seats"]).click()
    assert serious_faults(recording.player) == []
    page.click("form button.primary")
    page.wait_for_selector("[data-seat='0']")
    recording.id = page.url.rsplit("/", 1)[1]
    assert sorted(seat["name"] for seat in recording.view()["seats"]) == sorted(NAMES)
    assert recording.view()["label"] == "7"

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
    expect(page.locator(cell(1, 20))).to_have_count(0)
    assert serious_faults(recording.player) == []
    hands.tap(cell(2, 30))
    hands.tap(ENTER)
    assert recording.sent(2)[1]["deltas"] == [-1100, -600, 2300, -600]


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
