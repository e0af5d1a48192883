"""The end of a game in the recorder without a network: the phone settles it as the server does."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import ENTER, NAMES, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser
EAST_ONLY: Final = """
extends = "standard"
[match]
length = "east"
[end]
extension = "none"
tobi = "off"
"""
THREE: Final = EAST_ONLY.replace("standard", "standard-3")
# The lowest contrast of each control in the bar with the felt behind it
CONTRASTS: Final = """() => {
  const lit = (colour) => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = document.querySelector('.recorder'), root = getComputedStyle(document.documentElement);
  const behind = ['--felt', '--felt-deep'].map((name) => lit(root.getPropertyValue(name)));
  return [...page.querySelectorAll('.bar a, .bar button')].map((control) => {
    const mine = lit(getComputedStyle(control).color);
    const to = (other) => (Math.max(mine, other) + 0.05) / (Math.min(mine, other) + 0.05);
    return Math.min(...behind.map(to));
  });
}"""


def _recorded(player: Guest, toml: str, name: str, names: tuple[str, ...]) -> Recording:
    recording = Recording(player, names, toml)
    recording.expect_no_network()
    recording.start(name)
    player.context.set_offline(True)
    return recording


def _ron(hands: Hands, loser: int, winner: int, worth: str) -> None:
    hands.drag(loser, winner)
    hands.tap(worth)
    hands.tap(ENTER)


def _online(recording: Recording, hands: int) -> dict[str, Any]:
    recording.player.context.set_offline(False)
    recording.page.evaluate("window.dispatchEvent(new Event('online'))")
    recording.sent(hands)
    return recording.view()


def _shown(recording: Recording) -> list[str]:
    return [text.replace(",", "") for text in recording.page.locator(".sheet .points").all_inner_texts()]


@pytest.mark.parametrize(("toml", "count"), [(EAST_ONLY, 4), (THREE, 3)])
def test_the_game_ends_with_its_last_hand(stranger: Callable[..., Guest], toml: str, count: int) -> None:
    recording = _recorded(stranger(), toml, f"ended{count}", NAMES[:count])
    page, hands = recording.page, Hands(recording.page)
    for number in range(count - 1):  # nobody wins as the dealer
        _ron(hands, number, number + 1, cell(2, 30))
    hands.drag(0, 1)
    hands.tap(cell(3, 40))
    expect(page.locator(".sheet")).to_contain_text(WORDS["ends_game"])
    hands.tap(ENTER)
    sheet = page.get_by_role("dialog", name=WORDS["game_over"])
    expect(sheet).to_contain_text(WORDS["confirm_later"])
    offline = _shown(recording)
    sheet.get_by_role("button", name=WORDS["look_again"]).tap()  # the list of hands, not an empty table
    expect(page.locator(".sheet li")).to_have_count(count)
    page.get_by_role("button", name="Close").tap()
    assert page.get_by_role("button", name=WORDS["draw"], exact=True).count() == 0
    hands.drag(0, 1)
    assert page.locator(".sheet").count() == 0  # no hand can follow
    done = _online(recording, count)
    assert done["status"] == "over"
    by_place = sorted(range(count), key=lambda seat: done["places"][seat])
    assert offline == [str(done["scores"][seat]) for seat in by_place]


def test_the_dealer_may_end_the_game_or_go_on(stranger: Callable[..., Guest]) -> None:
    recording = _recorded(stranger(), EAST_ONLY + 'agari_yame = "optional"\n', "optional", NAMES)
    page, hands = recording.page, Hands(recording.page)
    for number in range(3):
        _ron(hands, number, number + 1, cell(2, 30))
    hands.drag(0, 3)  # the last dealer wins and leads
    hands.tap(cell(4, 40))
    expect(page.locator(".sheet")).to_contain_text(WORDS["may_end_game"])
    hands.tap(ENTER)
    over = page.get_by_role("dialog", name=WORDS["game_over"])
    over.get_by_role("button", name="Close").tap()
    expect(page.locator(".foot .hint")).to_have_text(WORDS["may_go_on"])
    _ron(hands, 0, 2, cell(2, 30))
    expect(over).to_be_visible()  # once more, after the hand that followed
    offline = _shown(recording)
    done = _online(recording, 5)
    assert done["status"] == "over"
    by_place = sorted(range(4), key=lambda seat: done["places"][seat])
    assert offline == [str(done["scores"][seat]) for seat in by_place]


def test_liability_is_in_the_points_that_are_shown(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("liable")
    page, hands = recording.page, Hands(recording.page)
    recording.player.context.set_offline(True)
    page.locator("[data-seat='2'] .who").tap()
    page.locator("[data-seat='2'] .who").tap()
    page.locator(".limits button").filter(has_text="Yakuman").first.tap()
    page.get_by_role("group", name=WORDS["pao"]).get_by_role("button", name="Lee").tap()
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('1')")
    shown = recording.points()
    page.get_by_role("button", name=WORDS["look_again"]).tap()  # Lee is broke, so the game is over
    expect(page.locator(".sheet li").first).to_contain_text("liable: Lee")
    page.get_by_role("button", name="Close").tap()
    assert _online(recording, 1)["scores"] == [25000, 25000, 57000, -7000]
    assert recording.points() == shown


def test_a_correction_ends_no_game(recording: Recording) -> None:
    recording.player.expect_fault("Failed to load resource")  # the server refuses it, too
    recording.start("corrected")
    page, hands = recording.page, Hands(recording.page)
    for _ in range(2):
        _ron(hands, 1, 0, cell(1, 30))
    recording.sent(2)
    page.locator(".act.listed").tap()
    page.locator(".sheet li button").last.tap()
    page.get_by_role("button", name=WORDS["edit"]).tap()
    page.locator(".sheet .worth .button").first.tap()
    page.locator(".limits button").filter(has_text="Yakuman").first.tap()  # takes the discarder below zero
    expect(page.locator(".sheet [role='alert']")).to_be_visible()
    assert WORDS["ends_game"] not in page.locator(".sheet").inner_text()


def test_every_control_on_the_felt_can_be_seen(recording: Recording) -> None:
    recording.start("seen")
    for scheme in ("light", "dark"):
        recording.page.emulate_media(color_scheme=scheme)
        assert min(recording.page.evaluate(CONTRASTS)) >= 3
