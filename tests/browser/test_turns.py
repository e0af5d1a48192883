"""Turns at a table with a simulated server: taps, keys, drags, accidental touches, and the end of a hand."""

import json
import re
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.fitting import hidden_texts
from browser.parlour import NAMES, MakeGuest, slow_in_a_browser
from browser.puppet import TILES, Action, Puppet

pytestmark = slow_in_a_browser
PASS: Final[Action] = {"type": "pass"}
PON: Final[Action] = {"type": "pon", "red": 0}
RON: Final[Action] = {"type": "ron"}
CHI: Final[list[Action]] = [{"type": "chi", "tiles": tiles} for tiles in ("23m", "35m", "56m")]
ANKAN: Final[Action] = {"type": "kan", "kind": "ankan", "tile": "4m"}
OFFERED: Final = {"tile": "4m", "seat": 3, "kind": "discard"}
SCORE: Final[dict[str, Any]] = {
    "han": 3, "fu": 40, "yakuman": 0, "limit": None, "points": 7800, "yaku": {"riichi": 1, "dora": 2},
    "fu_items": {}, "payments": {"east": 11400, "south": -2800, "west": -2800, "north": -2800},
}  # fmt: skip
WON: Final = {"type": "won", "seat": 0, "tile": "5z", "hand": "123m456p789s1122z", "score": SCORE}
PAID: Final = {
    "type": "points_moved", "deltas": [11400, -2800, -2800, -2800], "scores": [35400, 21200, 22200, 21200]
}  # fmt: skip
SEEN_MS: Final = 450  # longer than a button must be visible before it accepts taps
# Keys, the legal actions, and the action (or only its type) that the page must send
KEYS: Final[list[tuple[str, list[Action], Any]]] = [
    ("c", [CHI[0], PASS], CHI[0]),
    ("c Escape c Tab Enter", [*CHI[:2], PASS], CHI[1]),
    ("c Enter", [*CHI[:2], PASS], CHI[0]),
    ("p", [PON, PASS], PON),
    ("k", [PON, {"type": "kan", "kind": "daiminkan", "tile": "4m"}, PASS], "kan"),
    ("h", [RON, PASS], RON),
    ("x", [*CHI[:2], PON, RON, PASS], PASS),
    ("n", [{"type": "nine_terminals"}], "nine_terminals"),
    ("b", [{"type": "kita"}], "kita"),
    ("Control+p Alt+p X", [PON, PASS], PASS),
]


@pytest.fixture
def puppet(guest: MakeGuest) -> Puppet:
    return Puppet(guest())


@pytest.fixture
def desktop(guest: MakeGuest) -> Puppet:
    return Puppet(guest(viewport="desktop"))


def silent(puppet: Puppet) -> bool:
    """Return whether the page has not sent any action."""
    puppet.settle()
    return puppet.answers == []


def sent(puppet: Puppet, kind: str) -> list[Any]:
    """Return the messages of one type that the page has sent."""
    puppet.settle()
    return [data for text in puppet.sent if (data := json.loads(text))["type"] == kind]


def middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def touch(session: Any, kind: str, *points: tuple[int, float, float]) -> None:
    """Dispatch a touch event; the finger that moves is the last one in the list."""
    fingers = [{"id": finger, "x": x, "y": y} for finger, x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def end_hand(puppet: Puppet, *events: Any) -> None:
    """End the hand and show its result until the player closes it."""
    puppet.happen(*(events or (WON, PAID)))
    puppet.send(type="pause", game=1, ms=None)


def test_every_claim_has_a_key_and_a_held_key_acts_once(desktop: Puppet) -> None:
    for keys, legal, answer in KEYS:
        desktop.ask(legal, offered=OFFERED)
        for key in keys.split():
            desktop.page.keyboard.press(key)
        answers = desktop.answered()
        assert answer in (answers, answers["type"]), keys
        assert silent(desktop), keys
    keyboard = desktop.page.keyboard
    for key, legal in (("d", desktop.discards()), ("x", [PON, PASS]), ("p", [PON, PASS])):
        desktop.ask(legal, offered=OFFERED)
        keyboard.down(key)
        desktop.answered()
        desktop.ask(legal, offered=OFFERED)
        keyboard.down(key)  # the key is held down
        assert silent(desktop), key
        keyboard.up(key)


def test_tiles_are_discarded_by_keys_drags_and_taps(desktop: Puppet) -> None:
    player, page, tiles = desktop.player, desktop.page, desktop.player.tiles
    for key, kind, word in (("r", "riichi", "riichi"), ("o", "open", "open_riichi")):
        desktop.ask([*desktop.discards(), *desktop.discards(riichi=kind)])
        page.keyboard.press(key)
        expect(player.claim(word)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("d")
        assert desktop.answered() == desktop.drawn | {"riichi": kind}
    desktop.ask(desktop.discards())
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert desktop.answered() == {"type": "discard", "tile": TILES[-2]}
    desktop.ask(desktop.discards())
    x, y = middle(tiles.nth(4))
    drag(page, (x, y), (x + 9, y - 30))  # the tile is not dragged far enough
    tiles.nth(4).click(button="right")
    assert silent(desktop)
    drag(page, (x, y), (x + 9, y - 90))
    assert desktop.answered() == {"type": "discard", "tile": TILES[4]}
    page.evaluate("localStorage.setItem('jantaku.settings', JSON.stringify({ confirmDiscard: true }))")
    desktop.reload()
    desktop.ask(desktop.discards())
    tiles.nth(2).click()
    tiles.nth(5).click()
    assert silent(desktop)
    tiles.nth(5).click()
    assert desktop.answered() == {"type": "discard", "tile": TILES[5]}
    in_order = tiles.evaluate_all(NAMES)
    page.keyboard.press("4")  # turn sorting off
    before = tiles.evaluate_all(NAMES)
    tiles.nth(0).focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert tiles.evaluate_all(NAMES) == [*before[1:4], before[0], *before[4:]]
    page.keyboard.press("4")  # turn sorting on
    assert tiles.evaluate_all(NAMES) == in_order


def test_automatic_actions_are_delayed_and_reset_after_the_hand(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    player.page.clock.install()
    puppet = Puppet(player)
    page, tsumo = puppet.page, {"type": "tsumo"}
    for name, legal, answer in (
        ("win", [tsumo, *puppet.discards()], tsumo),
        ("no_calls", [PON, PASS], PASS),
        ("discard", puppet.discards(), puppet.drawn),
    ):
        puppet.ask(legal)
        page.clock.fast_forward(5000)
        assert silent(puppet), name
        page.keyboard.press(str(("win", "no_calls", "discard").index(name) + 1))
        page.clock.fast_forward(5000)
        assert puppet.answered() == answer
    hands = [puppet.own["hand"], None, None, None]
    started = {"type": "hand_started", "number": 1, "honba": 1, "deposits": 0, "dealer": 1, "indicator": "1m",
               "scores": [25000] * 4, "hands": hands}  # fmt: skip
    puppet.happen({"type": "hand_drawn", "kind": "exhausted"}, started)
    automatic = page.get_by_role("group", name=player.say("web.automatic.title"))
    expect(automatic.get_by_role("button", pressed=True)).to_have_count(1)  # sorting stays on


def test_accidental_touches_do_not_discard_call_or_win(puppet: Puppet) -> None:
    page, player, tiles = puppet.page, puppet.player, puppet.player.tiles
    session = page.context.new_cdp_session(page)
    puppet.ask(puppet.discards())
    upper, lower = middle(tiles.nth(2)), middle(tiles.nth(10))
    touch(session, "touchStart", (1, *upper))
    touch(session, "touchStart", (1, *upper), (2, *lower))
    touch(session, "touchEnd", (2, *lower))  # the first finger is lifted
    touch(session, "touchMove", (2, lower[0] + 3, lower[1] + 2))
    touch(session, "touchEnd")
    session.detach()
    assert silent(puppet)
    puppet.ask([*CHI, PASS], offered=OFFERED)  # a double tap opens the choices but selects none of them
    at = middle(player.claim("chi"))
    page.touchscreen.tap(*at)
    page.touchscreen.tap(*at)
    assert silent(puppet)
    ways = page.get_by_role("group", name=player.say("web.table.choices")).get_by_role("button")
    expect(ways).to_have_count(4)
    ways.first.tap()
    assert puppet.answered() == CHI[0]
    turn = [*puppet.discards(), *puppet.discards(riichi="riichi"), ANKAN]
    puppet.ask(turn)
    kan = player.claim("kan").bounding_box()
    puppet.ask([RON, PASS], offered=OFFERED)
    passing = player.claim("pass").bounding_box()
    both = max(kan["x"], passing["x"]) + 4, passing["y"] + passing["height"] / 2
    page.touchscreen.tap(*both)
    assert puppet.answered() == PASS
    puppet.ask(turn)  # in the next turn there is a kan where the pass was
    page.touchscreen.tap(*both)
    assert silent(puppet)


def test_a_tap_on_the_empty_table_passes_a_call_but_not_a_win(puppet: Puppet) -> None:
    page, empty = puppet.page, {"x": 60, "y": 330}
    puppet.ask([PON, PASS], offered=OFFERED)
    page.touchscreen.tap(**empty)  # too early to be intended
    assert silent(puppet)
    page.wait_for_timeout(SEEN_MS)
    page.touchscreen.tap(**empty)
    assert puppet.answered() == PASS
    puppet.ask([RON, PASS], offered=OFFERED)
    page.wait_for_timeout(SEEN_MS)
    page.touchscreen.tap(**empty)
    assert silent(puppet)
    only = puppet.drawn | {"riichi": "riichi"}
    puppet.ask([*puppet.discards(), only])
    puppet.player.claim("riichi").tap()  # only one discard is possible
    assert puppet.answered() == only
    puppet.ask([*puppet.discards(), *puppet.discards(riichi="riichi")])
    puppet.player.claim("riichi").click()
    puppet.reload()
    puppet.ask([*puppet.discards(), *puppet.discards(riichi="riichi")])
    expect(puppet.player.claim("riichi")).to_have_attribute("aria-pressed", "false")


def test_the_result_of_a_hand_adds_up_and_needs_its_own_key_press(guest: MakeGuest) -> None:
    player = guest()
    puppet = Puppet(player)
    page, sheet = puppet.page, player.sheet
    page.emulate_media(reduced_motion="reduce")
    puppet.show(honba=2, deposits=3, scores=[24000, 24000, 25000, 24000])
    player.press("web.menu.title")
    end_hand(puppet)
    puppet.settle()
    expect(sheet).to_have_count(1)  # the result is shown after the menu is closed
    page.keyboard.press("Escape")
    expect(sheet.get_by_text("7,800 points").first).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    for part in ("7,800", "+600", "+3,000", "+11,400"):
        expect(sheet).to_contain_text(part)
    player.check()
    player.press("web.table.see_table")
    back = page.get_by_role("button", name=player.say("web.table.see_result"))
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet.get_by_text("7,800 points").first).to_be_visible()
    assert sent(puppet, "ready") == []
    page.keyboard.press("Enter")
    assert len(sent(puppet, "ready")) == 1


def test_skipping_the_animation_does_not_press_next(puppet: Puppet) -> None:
    page = puppet.page
    next_hand = puppet.player.button("web.table.next_hand")
    puppet.show()
    page.emulate_media(reduced_motion="reduce")
    end_hand(puppet)
    x, y = middle(next_hand)
    page.emulate_media(reduced_motion="no-preference")
    puppet.show()
    next_hand.wait_for(state="detached")
    session = page.context.new_cdp_session(page)
    end_hand(puppet)
    touch(session, "touchStart", (1, x, y))
    page.mouse.click(10, 300)
    next_hand.wait_for()
    touch(session, "touchEnd")
    session.detach()
    assert sent(puppet, "ready") == []
    expect(next_hand).to_be_enabled()
    next_hand.tap()
    assert len(sent(puppet, "ready")) == 1


def test_a_wide_screen_has_large_tiles_and_a_side_panel(desktop: Puppet) -> None:
    page, player = desktop.page, desktop.player
    page.emulate_media(reduced_motion="reduce")
    desktop.ask(desktop.discards())
    beside = page.get_by_role("complementary", name=player.say("web.table.side"))
    button = player.button("web.table.side")
    for width in (1440, 1600):  # first without, then with the side panel
        page.set_viewport_size({"width": width, "height": 900})
        player.settle()
        expect(beside).to_have_count(int(width == 1600))
        river = page.get_by_role("img", name=re.compile("^Mina’s discards")).bounding_box()
        assert player.tiles.first.bounding_box()["width"] >= 64
        assert river["width"] / 6.4 >= 40
    desktop.send(type="said", seat=1, stamp="wow", text=None)
    stamp = page.get_by_text(player.say("web.say.wow"), exact=True)
    expect(stamp.last).to_be_visible()
    expect(page.get_by_role("log", name=player.say("web.say.title"))).to_contain_text("Wow!")
    assert hidden_texts(page, "main") == []
    button.click()
    expect(beside).to_have_count(0)
    desktop.reload()
    expect(beside).to_have_count(0)  # the device remembers this
    button.click()
    expect(beside).to_be_visible()
    player.resize("landscape")
    expect(beside).to_have_count(0)
