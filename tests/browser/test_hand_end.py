"""The end of a hand at the table: hands laid open, the yaku one after another, and payments that move."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import EAST, Guest, against_bots, serious_faults, slow_in_a_browser
from browser.puppet import Puppet

pytestmark = slow_in_a_browser
SCORE: dict[str, Any] = {
    "han": 5, "fu": 40, "yakuman": 0, "limit": "mangan", "points": 8000,
    "yaku": {"riichi": 1, "ippatsu": 1, "pinfu": 1, "dora": 2}, "fu_items": {"base": 20},
    "payments": {"east": -8000, "south": 8000, "west": 0, "north": 0},
}  # fmt: skip
WIN: dict[str, Any] = {
    "type": "won",
    "seat": 1,
    "source": 0,
    "tile": "5s",
    "hand": "123m456p789s1122z",
    "score": SCORE,
}
PAID: dict[str, Any] = {
    "type": "points_moved",
    "deltas": [-8000, 8000, 0, 0],
    "scores": [17000, 33000, 25000, 25000],
}
DRAW: dict[str, Any] = {
    "type": "hand_drawn", "kind": "exhausted", "tenpai": [1, 3],
    "hands": [None, "123m456p789s1122z", None, "1112345678999p"], "waits": [None, "12z", None, "123456789p"],
}  # fmt: skip
PLACE = "(() => { const { x, y, width } = document.querySelector('.own').getBoundingClientRect();"
PLACE += " return [x, y, width]; })()"

# Whoever loses anything ends the game
SHORT = (
    EAST + "start_points = 1000\nreturn_points = 1000\nsticks = { 1000 = 1 }\n"
    '[draw]\nnoten_payment = 9000\n[end]\ntobi = "zero_or_below"\n'
)


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    """Someone who wants wins told on the result, without scenes of their own (``test_moments``)."""
    return told(guest())


def told(player: Guest, scenes: str = "brief") -> Puppet:
    """The table of someone who wants to see wins in that way."""
    player.page.add_init_script(f"localStorage.setItem('jantaku.settings', '{{\"scenes\":\"{scenes}\"}}')")
    puppet = Puppet(player)
    puppet.show()
    return puppet


def end(puppet: Puppet, *events: dict[str, Any]) -> None:
    """End the hand, with as long a pause as anybody needs."""
    puppet.happen(*events)
    puppet.send(type="pause", game=1, ms=None)


def test_a_win_is_laid_open_at_the_table_before_the_result(puppet: Puppet) -> None:
    page = puppet.page
    before = page.evaluate(PLACE)
    end(puppet, WIN, PAID)
    laid = page.locator(".laid.right .opened-hand")
    expect(laid.locator(".tile")).to_have_count(14)
    expect(laid.locator(".winning .tile")).to_have_count(1)
    expect(page.locator(".sheet")).to_have_count(0)
    assert page.evaluate(PLACE) == before  # the player's own tiles stay where they are
    expect(page.locator(".sheet .win")).to_be_visible()  # by itself


def test_taps_hurry_the_result(puppet: Puppet) -> None:
    page = puppet.page
    end(puppet, WIN, PAID)
    page.locator(".opened-hand").wait_for()
    page.mouse.click(200, 300)
    expect(page.locator(".win.told .yaku li")).to_have_count(4)
    expect(page.locator(".payments .flow .stick")).to_have_count(4)  # 5,000 and three of 1,000
    page.mouse.click(200, 300)
    expect(page.locator(".win.told")).to_have_count(0)
    expect(page.locator(".payments .flow")).to_have_count(0)
    assert page.locator(".sheet .foot button").is_enabled()


@pytest.mark.parametrize("off", ["device", "person"])
def test_nothing_waits_or_moves_where_motion_is_off(guest: Callable[..., Guest], off: str) -> None:
    player = guest()
    if off == "device":
        player.page.emulate_media(reduced_motion="reduce")
    else:
        kept = "localStorage.setItem('jantaku.settings', '{\"motion\":false}')"
        player.page.add_init_script(kept)
    puppet = Puppet(player)
    puppet.show()
    end(puppet, WIN, PAID)
    puppet.settle()
    assert player.page.locator(".sheet .win .value").is_visible()
    assert player.page.evaluate("document.getAnimations().length") == 0


def plates(puppet: Puppet) -> list[str]:
    """The points on the plates."""
    texts: list[str] = puppet.page.locator(".plate .points").all_inner_texts()
    return texts


def test_points_move_last(puppet: Puppet) -> None:
    page = puppet.page
    end(puppet, WIN, PAID)
    page.locator(".opened-hand").wait_for()
    before = ["25,000"] * 4
    assert plates(puppet) == before
    page.locator(".sheet .win .yaku li").first.wait_for()
    # Nothing tells the result while the yaku are named
    assert plates(puppet) == before
    assert "8,000" not in page.locator(".sheet .payments").inner_text()
    assert page.locator(".sheet .payments td:last-child").all_inner_texts() == before
    assert float(page.evaluate("getComputedStyle(document.querySelector('.win .value')).opacity")) == 0
    expect(page.locator(".sheet .payments tr").nth(1)).to_contain_text("+8,000")
    assert float(page.evaluate("getComputedStyle(document.querySelector('.win .value')).opacity")) > 0
    assert sorted(plates(puppet)) == ["17,000", "25,000", "25,000", "33,000"]
    puppet.show()  # the next hand
    end(puppet, DRAW | {"hands": None, "waits": None}, PAID)
    page.locator(".sheet .payments").wait_for()
    expect(page.locator(".sheet .payments tr").nth(1)).to_contain_text("+8,000")


ALL = DRAW | {"hands": ["123m456p789s1122z"] * 4, "waits": ["12z"] * 4, "tenpai": [0, 1, 2, 3]}
APART = """() => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const laid = [...document.querySelectorAll('.opened-hand')].map(box);
  const plates = [...document.querySelectorAll('.board .felt > .plate')].map(box);
  return laid.length * plates.length > 0 && laid.every((one) =>
    one.top >= 0 && one.left >= 0 && one.right <= innerWidth && plates.every((plate) => !meet(one, plate)));
}"""


@pytest.mark.parametrize("viewport", ["phone", "small", "landscape", "tablet", "desktop"])
def test_no_hand_is_laid_over_a_plate(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest(viewport=viewport)
    player.page.emulate_media(reduced_motion="no-preference")
    puppet = Puppet(player)
    for ends in (*(WIN | {"seat": seat, "source": (seat + 1) % 4} for seat in range(4)), DRAW, ALL):
        puppet.show()
        puppet.happen(ends)  # without a pause no sheet covers the table
        player.still()
        assert player.page.evaluate(APART), ends


def test_a_result_is_whole_on_a_phone_held_sideways(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="landscape")
    puppet = told(player)
    many = dict.fromkeys(("riichi", "ippatsu", "pinfu", "tanyao", "iipeikou", "sanshoku_doujun", "dora"), 1)
    end(puppet, WIN | {"score": SCORE | {"yaku": many}, "ura": "5p"}, PAID)
    page = player.page
    expect(page.locator(".sheet .payments")).to_contain_text("+8,000")
    player.still()
    body = page.locator(".sheet .body").bounding_box()
    for part in (".yaku li", ".value", ".payments tr"):
        for cell in page.locator(f".sheet {part}").all():
            box = cell.bounding_box()
            assert body["y"] <= box["y"] <= body["y"] + body["height"] - box["height"], part


def test_a_draw_lays_tenpai_hands_open_with_their_waits(puppet: Puppet) -> None:
    page = puppet.page
    end(puppet, DRAW, PAID)
    expect(page.locator(".opened-hand")).to_have_count(2)
    expect(page.locator(".laid.right .waits .tile")).to_have_count(2)
    expect(page.locator(".laid.left .waits .tile")).to_have_count(9)
    boxes = [box.bounding_box() for box in page.locator(".opened-hand").all()]
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 844 for box in boxes)


def test_the_eye_covers_no_points_on_a_phone_held_sideways(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="landscape")
    puppet = told(player)
    end(puppet, WIN, PAID)
    player.page.locator(".sheet .payments tr").first.wait_for()
    player.still()
    eye = player.page.locator(".sheet .eye").bounding_box()
    for row in player.page.locator(".sheet .payments tr").all():
        assert (
            row.bounding_box()["y"] >= eye["y"] + eye["height"] * 0.7
        )  # its sign is smaller than its button


def test_the_result_is_clean_for_axe(guest: Callable[..., Guest]) -> None:
    player = guest()
    puppet = told(player)
    end(puppet, WIN, PAID)
    player.page.locator(".sheet .win").wait_for()
    assert serious_faults(player) == []


def test_the_final_page_tells_the_game_and_links_its_hands(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player, SHORT)
    player.finish()
    hands = page.locator(".result .hands li")
    hands.first.wait_for()
    assert page.locator(".result polyline").count() == 4
    points = page.locator(".result polyline").first.get_attribute("points") or ""
    assert len(points.split()) == hands.count() + 1
    left = page.locator(".result figure svg").bounding_box()["x"]
    assert all(text.bounding_box()["x"] >= left for text in page.locator(".result figure text").all())
    expect(page.locator(".result .parts")).to_have_count(4)
    assert serious_faults(player) == []
    last = hands.last.locator("a")
    name = last.inner_text().split(" · ")[0]
    last.click()
    page.wait_for_selector(".replay .moment")
    expect(page.locator(".centre .round")).to_have_text(name)
