"""The recorder without a network: nothing is lost or doubled, and another phone takes what is unsent."""

import re
from typing import Final

from browser.contexts import Contexts, expect
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import ENTER, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser
# Whether all of a picture is seen at once
WHOLE: Final = """img => {
  const box = img.getBoundingClientRect(), around = img.closest('.body').getBoundingClientRect();
  return box.top >= around.top - 1 && box.bottom <= around.bottom + 1 && box.width > 200;
}"""


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


def test_hands_entered_without_a_network_are_sent_when_it_is_back(
    recording: Recording,
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
    recording.player.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    entered = recording.sent(2)
    assert [hand["hand"]["wins"][0]["seat"] for hand in entered] == [2, 3]
    assert [hand["hand"]["calls"] for hand in entered] == [[], []]


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
