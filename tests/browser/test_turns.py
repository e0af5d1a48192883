"""Turns at a table whose server a test plays: taps, keys, drags, impatient fingers, and the end of a hand."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, serious_faults, slow_in_a_browser
from browser.puppet import Action, Puppet

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
SEEN_MS: Final = 450  # longer than a question must have been open
# Keys, the legal actions, and the action or its type that the page sends
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
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest())


@pytest.fixture
def desktop(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest(viewport="desktop"))


def silent(puppet: Puppet) -> bool:
    """Whether the page has answered nothing."""
    puppet.settle()
    return puppet.answers == []


def sent(puppet: Puppet, kind: str) -> list[Any]:
    """What the page has sent of a kind."""
    puppet.settle()
    return [data for text in puppet.sent if (data := json.loads(text))["type"] == kind]


def middle(found: Any) -> tuple[float, float]:
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def touch(session: Any, kind: str, *points: tuple[int, float, float]) -> None:
    """Send a touch: the finger that changes comes last."""
    fingers = [{"id": finger, "x": x, "y": y} for finger, x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def end(puppet: Puppet, *events: Any) -> None:
    """End the hand, with as long a pause as anybody needs."""
    puppet.happen(*(events or (WON, PAID)))
    puppet.send(type="pause", game=1, ms=None)


def test_every_claim_has_its_key_and_a_held_key_answers_once(desktop: Puppet) -> None:
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
        keyboard.down(key)  # repeated, as a held key is
        assert silent(desktop), key
        keyboard.up(key)


def test_tiles_are_discarded_by_keys_drags_and_taps(desktop: Puppet) -> None:
    page, tiles = desktop.page, desktop.page.locator("button[data-tile]")
    for key, kind in (("r", "riichi"), ("o", "open")):
        desktop.ask([*desktop.discards(), *desktop.discards(riichi=kind)])
        page.keyboard.press(key)
        page.wait_for_selector(f"[data-claim={kind}][aria-pressed=true]")
        page.keyboard.press("d")
        assert desktop.answered() == desktop.drawn | {"riichi": kind}
    desktop.ask(desktop.discards())
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    tile = page.evaluate("document.activeElement.dataset.tile")
    page.keyboard.press("Enter")
    assert desktop.answered() == {"type": "discard", "tile": tile}
    desktop.ask(desktop.discards())
    x, y = middle(tiles.nth(4))
    drag(page, (x, y), (x + 9, y - 30))  # not far enough
    tiles.nth(4).click(button="right")
    assert silent(desktop)
    drag(page, (x, y), (x + 9, y - 90))
    assert desktop.answered() == {"type": "discard", "tile": tiles.nth(4).get_attribute("data-tile")}
    page.evaluate(
        "localStorage.setItem('jantaku.settings', JSON.stringify({ confirmDiscard: true, autoSort: false }))"
    )
    desktop.reload()
    desktop.ask(desktop.discards())
    tiles.nth(2).click()
    tiles.nth(5).click()
    assert silent(desktop)
    tiles.nth(5).click()
    assert desktop.answered() == {"type": "discard", "tile": tiles.nth(5).get_attribute("data-tile")}
    held = "[...document.querySelectorAll('button[data-tile]')].map((one) => one.dataset.tile)"
    before = page.evaluate(held)
    tiles.nth(0).focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(held) == [*before[1:4], before[0], *before[4:]]
    page.keyboard.press("4")  # sorts by itself again
    assert page.evaluate(held) == before


def test_automatic_answers_wait_a_moment_and_end_with_the_hand(guest: Callable[..., Guest]) -> None:
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
    expect(page.locator("[data-automatic][aria-pressed=true]")).to_have_count(1)  # sorting is a habit


def test_clumsy_fingers_discard_call_and_win_nothing(puppet: Puppet) -> None:
    page, tiles = puppet.page, puppet.page.locator("button[data-tile]")
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
    puppet.ask([*CHI, PASS], offered=OFFERED)  # a double tap opens the choices and chooses none
    at = middle(page.locator("[data-claim=chi]"))
    page.touchscreen.tap(*at)
    page.touchscreen.tap(*at)
    assert silent(puppet)
    ways = page.get_by_role("group", name="What you can do").get_by_role("button")
    expect(ways).to_have_count(4)
    ways.first.tap()
    assert puppet.answered() == CHI[0]
    turn = [*puppet.discards(), *puppet.discards(riichi="riichi"), ANKAN]
    puppet.ask(turn)
    kan = page.locator("[data-claim=kan]").bounding_box()
    puppet.ask([RON, PASS], offered=OFFERED)
    held = page.locator("[data-claim=pass]").bounding_box()
    both = max(kan["x"], held["x"]) + 4, held["y"] + held["height"] / 2
    page.touchscreen.tap(*both)
    assert puppet.answered() == PASS
    puppet.ask(turn)  # the next turn comes at once, with a kan where the pass was
    page.touchscreen.tap(*both)
    assert silent(puppet)


def test_a_tap_on_the_empty_table_passes_a_call_but_no_win(puppet: Puppet) -> None:
    page, empty = puppet.page, {"x": 60, "y": 330}
    puppet.ask([PON, PASS], offered=OFFERED)
    page.touchscreen.tap(**empty)  # begun before anybody can have read the question
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
    page.locator("[data-claim=riichi]").tap()  # there is no other discard
    assert puppet.answered() == only
    puppet.ask([*puppet.discards(), *puppet.discards(riichi="riichi")])
    page.locator("[data-claim=riichi]").click()
    puppet.reload()
    puppet.ask([*puppet.discards(), *puppet.discards(riichi="riichi")])
    expect(page.locator("[data-claim=riichi][aria-pressed=false]")).to_be_visible()


def test_hints_waits_furiten_and_reasons_are_told(guest: Callable[..., Guest]) -> None:
    puppet = Puppet(guest())
    page = puppet.page
    first, second = (action["tile"] for action in puppet.discards()[:2])
    riichi = [{"type": "discard", "tile": tile, "riichi": "riichi"} for tile in (first, second)]
    puppet.ask([*puppet.discards(), *riichi])
    rows = [
        {"tile": tile, "shanten": 0, "tiles": 4, "accepts": wait, "waits": [], "danger": None, "loss": None,
         "riichi": {"riichi": [{"tile": wait, "left": 4, "ron": points, "tsumo": points}]}}
        for tile, wait, points in ((first, "2s", 3900), (second, "5p", 7700))
    ]  # fmt: skip
    puppet.send(type="hints", id="1", shanten=0, waits=[], furiten=None, discards=rows, barred=[])
    page.keyboard.press("r")
    for points in ("3,900", "7,700"):
        expect(page.get_by_text(points).first).to_be_visible()
    puppet.ask([], waits="5p", furiten="temporary")
    page.get_by_role("button", name=puppet.player.say("web.furiten.temporary")).click()
    assert [message["what"] for message in sent(puppet, "why")] == ["ron"]
    puppet.send(type="reason", id="1", code="furiten", text="You discarded 5p.")
    expect(page.get_by_text("You discarded 5p.")).to_be_visible()
    puppet.ask([puppet.drawn])
    page.locator("button[data-tile]").first.click(force=True)
    assert len(sent(puppet, "why")) == 2  # why that tile may not be discarded
    page.evaluate("localStorage.setItem('jantaku.settings', JSON.stringify({ hints: false }))")
    puppet.sent.clear()
    puppet.reload()
    puppet.ask([puppet.drawn])
    page.keyboard.press("u")
    assert sent(puppet, "hints") == []


def test_dora_and_open_riichi_are_told_to_those_who_do_not_see_them(puppet: Puppet) -> None:
    puppet.view["indicators"] = ["7z", "4p", "7z"]
    puppet.own["hand"], puppet.own["drawn"] = "123m5055p678s556z", "5z"
    puppet.show(riichi=[None, "riichi", "open", None], shown=[None, None, "234m", None])
    tiles = puppet.page.locator("button[data-tile]")
    names = tiles.evaluate_all("all => all.map((one) => [one.dataset.tile, one.ariaLabel.includes('dora')])")
    assert {tile for tile, marked in names if marked} == {"5z", "5p", "0p"}
    expect(puppet.page.get_by_role("img", name="hidden tile")).not_to_have_count(0)


def test_the_end_of_a_hand_adds_up_and_is_left_by_a_press_of_its_own(guest: Callable[..., Guest]) -> None:
    player = guest()
    puppet = Puppet(player)
    page, sheet = puppet.page, player.sheet
    page.emulate_media(reduced_motion="reduce")
    puppet.show(honba=2, deposits=3, scores=[24000, 24000, 25000, 24000])
    player.press("web.menu.title")
    end(puppet)
    puppet.settle()
    expect(sheet).to_have_count(1)  # the result waits for the open menu
    page.keyboard.press("Escape")
    expect(sheet.get_by_text("7,800 points").first).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    for part in ("7,800", "+600", "+3,000", "+11,400"):
        expect(sheet).to_contain_text(part)
    assert serious_faults(player) == []
    player.press("web.table.see_table")
    back = page.get_by_role("button", name=player.say("web.table.see_result"))
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet.get_by_text("7,800 points").first).to_be_visible()
    assert sent(puppet, "ready") == []
    page.keyboard.press("Enter")
    assert len(sent(puppet, "ready")) == 1


def test_a_finger_that_hurries_the_result_does_not_press_next(puppet: Puppet) -> None:
    page = puppet.page
    next_hand = page.get_by_role("dialog").locator("[aria-keyshortcuts=Enter]")
    puppet.show()
    page.emulate_media(reduced_motion="reduce")
    end(puppet)
    x, y = middle(next_hand)
    page.emulate_media(reduced_motion="no-preference")
    puppet.show()
    next_hand.wait_for(state="detached")
    session = page.context.new_cdp_session(page)
    end(puppet)
    touch(session, "touchStart", (1, x, y))
    page.mouse.click(10, 300)
    next_hand.wait_for()
    touch(session, "touchEnd")
    session.detach()
    assert sent(puppet, "ready") == []
    expect(next_hand).to_be_enabled()
    next_hand.tap()
    assert len(sent(puppet, "ready")) == 1


def test_a_draw_opens_the_hands_with_their_waits(puppet: Puppet) -> None:
    hands, waits = [None, "123m456p789s1122z", None, None], [None, "12z", None, None]
    end(puppet, {"type": "hand_drawn", "kind": "exhausted", "tenpai": [1], "hands": hands, "waits": waits})
    sheet = puppet.page.get_by_role("dialog")
    expect(sheet.get_by_role("img", name="East")).not_to_have_count(0)
    expect(sheet.get_by_role("img", name="South")).not_to_have_count(0)
