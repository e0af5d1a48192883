"""The player's own hand: dragging, keys, sorting, and automatic answers."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.parlour import Guest, slow_in_a_browser, switch
from browser.puppet import Action, Puppet

pytestmark = slow_in_a_browser

PASS: Action = {"type": "pass"}
PON: Action = {"type": "pon", "red": 0}
CHI: list[Action] = [{"type": "chi", "tiles": "23m"}, {"type": "chi", "tiles": "35m"}]
OFFERED = {"tile": "4m", "seat": 3, "kind": "discard"}


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest(viewport="desktop"))


# Keys, the legal actions, and the action or its type that the page sends
KEYS: Final[list[tuple[str, list[Action], Any]]] = [
    ("c", [*CHI[:1], PASS], CHI[0]),
    ("c Escape c Tab Enter", [*CHI, PASS], CHI[1]),
    ("c Enter", [*CHI, PASS], CHI[0]),
    ("p", [PON, PASS], PON),
    ("k", [PON, {"type": "kan", "kind": "daiminkan", "tile": "4m"}, PASS], "kan"),
    ("h", [{"type": "ron"}, PASS], {"type": "ron"}),
    ("x", [*CHI, PON, {"type": "ron"}, PASS], PASS),
    ("n", [{"type": "nine_terminals"}], {"type": "nine_terminals"}),
    ("b", [{"type": "kita"}], {"type": "kita"}),
    ("Control+p Alt+p X", [PON, PASS], PASS),
]


def test_a_tile_is_discarded_by_dragging_it_away(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask(puppet.discards())
    tile = page.locator(".tile-button").nth(4)
    name, box = tile.get_attribute("data-tile"), tile.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for rise in (30, 90):  # not far enough, then far enough
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 9, y - rise, steps=4)
        page.mouse.up()
        puppet.settle()
        assert rise == 90 or puppet.answers == []
    assert puppet.answered() == {"type": "discard", "tile": name}


def test_every_claim_has_its_key(puppet: Puppet) -> None:
    for keys, legal, answer in KEYS:
        puppet.ask(legal, offered=OFFERED)
        for key in keys.split():
            puppet.page.keyboard.press(key)
        answers = puppet.answered()
        assert answer in (answers, answers["type"]), keys
        puppet.settle()
        assert puppet.answers == [], keys


def test_keys_discard_and_declare(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask(puppet.discards())
    page.keyboard.press("d")
    assert puppet.answered() == puppet.drawn
    for key, kind in (("r", "riichi"), ("o", "open")):
        puppet.ask([*puppet.discards(), *puppet.discards(riichi=kind)])
        page.keyboard.press(key)
        page.wait_for_selector(f"[data-claim={kind}][aria-pressed=true]")
        page.keyboard.press("d")
        assert puppet.answered() == puppet.drawn | {"riichi": kind}
    puppet.ask(puppet.discards())
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    tile = page.evaluate("document.activeElement.dataset.tile")
    page.keyboard.press("Enter")
    assert puppet.answered() == {"type": "discard", "tile": tile}


def test_keys_do_nothing_behind_a_sheet_and_are_listed_in_it(puppet: Puppet) -> None:
    page = puppet.page
    puppet.ask(puppet.discards())
    page.click("button.menu")
    page.keyboard.press("d")
    for key in "DROHPCKNX":
        assert re.search(rf"\b{key}\b", page.inner_text(".sheet")), key
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    assert puppet.answers == []


def test_automatic_answers(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    player.page.clock.install()
    puppet = Puppet(player)
    tsumo = {"type": "tsumo"}
    for name, legal, answer in (
        ("win", [tsumo, *puppet.discards()], tsumo),
        ("noCalls", [PON, PASS], PASS),
        ("discard", puppet.discards(), puppet.drawn),
    ):
        puppet.ask(legal)
        puppet.page.clock.fast_forward(5000)
        puppet.settle()
        assert puppet.answers == [], name
        puppet.page.click(f"[data-automatic={name}]")
        puppet.page.clock.fast_forward(5000)
        assert puppet.answered() == answer
        puppet.page.click(f"[data-automatic={name}]")


def test_discards_can_require_confirmation(puppet: Puppet) -> None:
    page = puppet.page
    switch(page, "confirmDiscard")
    puppet.ask(puppet.discards())
    tiles = page.locator(".tile-button")
    tiles.nth(2).click()
    tiles.nth(5).click()
    puppet.settle()
    assert puppet.answers == []
    tiles.nth(5).click()
    assert puppet.answered() == {"type": "discard", "tile": tiles.nth(5).get_attribute("data-tile")}


def test_a_hand_is_sorted_by_hand(puppet: Puppet) -> None:
    page = puppet.page
    tiles = "[...document.querySelectorAll('.tile-button')].map((e) => e.dataset.tile)"
    before = page.evaluate(tiles)
    switch(page, "autoSort")
    page.locator(".tile-button").nth(0).focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(tiles) == [*before[1:4], before[0], *before[4:]]
    last, first = (
        page.locator(".tile-button").nth(12).bounding_box(),
        page.locator(".tile-button").nth(0).bounding_box(),
    )
    page.mouse.move(last["x"] + 9, last["y"] + 9)
    page.mouse.down()
    page.mouse.move(first["x"] + 9, first["y"] + 12, steps=6)
    page.mouse.up()
    puppet.settle()
    assert page.evaluate(tiles) == [before[12], *before[1:4], before[0], *before[4:12], before[13]]
    switch(page, "autoSort")
    assert page.evaluate(tiles) == before
    assert puppet.answers == []
