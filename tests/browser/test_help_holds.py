"""What the help for people from other sites says of the table, the lobby and a new table, pressed."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.puppet import Puppet
from browser.test_impatient import messages
from browser.test_three import EAST as EAST_OF_THREE
from jantaku import terms

pytestmark = slow_in_a_browser
WEB = terms.table("web", "en")
SWITCHES = ("win", "noCalls", "discard", "sort", "kita")  # on the keys from 1 on
SORTING = {"sort"}  # from the beginning


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest(viewport="desktop"), EAST_OF_THREE)


def pressed(page: Any) -> set[str]:
    """The automatic answers that are on."""
    found = page.locator("[data-automatic][aria-pressed=true]").all()
    return {switch.get_attribute("data-automatic") for switch in found}


def test_each_switch_has_its_key_and_all_but_sorting_end_with_the_hand(puppet: Puppet) -> None:
    page = puppet.page
    puppet.show()
    assert pressed(page) == SORTING
    for number, name in enumerate(SWITCHES, 1):
        page.keyboard.press(str(number))
        puppet.settle()
        assert pressed(page) == SORTING ^ {name}
        page.locator(f"[data-automatic={name}]").click()
        puppet.settle()
        assert pressed(page) == SORTING
    for name in SWITCHES:
        if name not in SORTING:
            page.locator(f"[data-automatic={name}]").click()
    assert pressed(page) == {*SWITCHES}
    puppet.happen(
        {"type": "hand_drawn", "kind": "exhausted"},
        {"type": "hand_started", "number": 1, "honba": 1, "deposits": 0, "dealer": 1, "scores": [35000] * 3,
         "indicator": "1p", "hands": [puppet.own["hand"], None, None]},
    )  # fmt: skip
    expect(page.locator("[data-automatic][aria-pressed=true]")).to_have_count(len(SORTING))
    assert pressed(page) == SORTING


def test_one_tap_discards_and_a_right_click_does_not(puppet: Puppet) -> None:
    puppet.ask(puppet.discards())
    tile = puppet.page.locator(".tile-button").nth(4)
    tile.click(button="right")
    puppet.settle()
    assert puppet.answers == []
    tile.click()
    assert puppet.answered() == {"type": "discard", "tile": tile.get_attribute("data-tile")}


@pytest.mark.parametrize("hinted", [True, False])
def test_before_a_riichi_the_waits_of_each_discard_are_seen_with_hints_alone(
    puppet: Puppet, hinted: bool
) -> None:
    page = puppet.page
    first, second = (action["tile"] for action in puppet.discards()[:2])
    riichi = [{"type": "discard", "tile": tile, "riichi": "riichi"} for tile in (first, second)]
    puppet.ask([*puppet.discards(), *riichi])
    if hinted:
        rows = [
            {"tile": tile, "shanten": 0, "tiles": 4, "accepts": wait, "waits": [], "danger": None,
             "loss": None, "riichi": {"riichi": [{"tile": wait, "left": 4, "ron": points, "tsumo": points}]}}
            for tile, wait, points in ((first, "2s", 3900), (second, "5p", 7700))
        ]  # fmt: skip
        puppet.send(type="hints", id="1", shanten=0, waits=[], furiten=None, discards=rows, barred=[])
    page.keyboard.press("r")
    expect(page.locator("[data-claim=riichi][aria-pressed=true]")).to_be_visible()
    expect(page.locator(".waits .after .tile")).to_have_count(2 if hinted else 0)
    expect(page.locator(".waits .points")).to_have_text(["3,900", "7,700"] if hinted else [])
    puppet.settle()
    assert puppet.answers == []


def test_furiten_stands_beside_the_waits_and_a_tap_asks_why(puppet: Puppet) -> None:
    puppet.ask([], waits="5p", furiten="temporary")
    furiten = puppet.page.locator(".waits .furiten")
    expect(furiten).to_have_accessible_name(WEB["furiten"]["temporary"])
    furiten.click()
    puppet.settle()
    assert [message["what"] for message in messages(puppet, "why")] == ["ron"]
    puppet.send(type="reason", id="1", code="furiten", text="You discarded 5p.")
    expect(puppet.page.get_by_text("You discarded 5p.")).to_be_visible()


def test_a_table_is_opened_without_a_clock_and_with_even_waiting(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/new?rules=standard")
    page.get_by_role("switch", name=WEB["new"]["clock"]).uncheck()
    page.get_by_role("switch", name=WEB["new"]["even_pauses"]).check()
    page.get_by_role("button", name=WEB["new"]["create"]).tap()
    page.wait_for_url("**/t/*")
    options = page.request.get(page.url.replace("/t/", "/api/tables/")).json()["options"]
    assert (options["clock"], options["even_pauses"]) == (False, True)


def test_the_lobby_shows_tables_for_three_alone(guest: Callable[..., Guest]) -> None:
    host, page = guest("Host of both"), guest("Looks for three").page
    cards = {
        players: page.locator(f"article:has(a[href='/t/{host.table(rules, 0, private=False)}'])")
        for players, rules in ((3, "standard-3"), (4, "standard"))
    }
    page.goto("/")
    for card in cards.values():
        expect(card).to_have_count(1)
    chosen = page.get_by_role("group", name=WEB["lobby"]["filter"])
    chosen.get_by_role("button", name=filled(WEB["lobby"]["players"], count=3)).tap()
    expect(cards[4]).to_have_count(0)
    expect(cards[3]).to_have_count(1)
