"""The beginning of a hand at the table: the seats, the banner of the round, the deal, and what is called."""

from collections.abc import Callable

import pytest

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.puppet import Puppet

pytestmark = slow_in_a_browser
HAND = "1234m0678p345s11z"
STARTED = {
    "type": "hand_started", "number": 2, "honba": 1, "deposits": 1, "dealer": 2,
    "scores": [24000, 25000, 26000, 24000], "indicator": "3p", "hands": [HAND, None, None, None],
}  # fmt: skip
DISCARDED = {"type": "discarded", "seat": 2, "tile": "5p", "drawn": False}
CALLED = {
    "type": "called", "seat": 3, "meld": {"type": "pon", "tiles": "055p", "called": "5p", "from": "left"},
}  # fmt: skip
MOVES = "document.getAnimations().map((one) => one.animationName ?? '').join(' ')"


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest())


def test_the_first_hand_shows_who_sits_where(puppet: Puppet) -> None:
    seats = puppet.page.locator(".beginning.first .seat")
    expect(seats).to_have_count(4)
    assert "Mina" in seats.nth(0).inner_text()
    winds = seats.locator("use:nth-child(2)")
    assert [wind.get_attribute("href") for wind in winds.all()] == [f"#tile-{n}z" for n in (1, 2, 3, 4)]


def test_every_hand_begins_with_its_name_and_a_deal(puppet: Puppet) -> None:
    page = puppet.page
    puppet.happen(STARTED)
    assert "dealt" in page.evaluate(MOVES)
    assert page.locator(".beginning .banner").inner_text().split("\n")[0].strip().startswith("East 3")
    expect(page.locator(".beginning .seat")).to_have_count(0)
    # It takes no tap from what lies below
    assert page.evaluate("getComputedStyle(document.querySelector('.beginning')).pointerEvents") == "none"


def test_who_comes_in_the_middle_of_a_hand_sees_no_beginning(puppet: Puppet) -> None:
    page = puppet.page
    river = [{"tile": "5p", "drawn": False, "riichi": False, "called": False}]
    puppet.show(number=3, dealer=3, rivers=[river, [], [], []])
    expect(page.locator(".centre .round")).to_have_text("East 4")
    expect(page.locator(".beginning")).to_have_count(0)


def test_a_called_tile_leaves_the_river_of_its_player(puppet: Puppet) -> None:
    page = puppet.page
    puppet.happen(STARTED, DISCARDED)
    puppet.happen(CALLED)
    lifted = page.locator(".lifted")
    expect(lifted.locator("use").last).to_have_attribute("href", "#tile-5p")
    ways = "[...document.querySelectorAll('.lifted')].map((one) => one.getAttribute('style'))"
    assert page.evaluate(ways) == ["--fx: 0; --fy: -1; --tx: -1; --ty: 0;"]  # from above to the left


def test_nothing_moves_at_the_beginning_where_motion_is_off(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.page.emulate_media(reduced_motion="reduce")
    puppet = Puppet(player)
    puppet.happen(STARTED, DISCARDED)
    puppet.happen(CALLED)
    assert player.page.evaluate(MOVES) == ""
    expect(player.page.locator(".beginning")).to_be_hidden()
