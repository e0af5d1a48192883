"""Scenes of wins and of the end of a game: what is seen when, how they are hurried, and who sees none."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import HURRY, Guest, against_bots, slow_in_a_browser
from browser.test_hand_end import DRAW, PAID, SCORE, SHORT, WIN, end, plates, told

pytestmark = slow_in_a_browser
URA: dict[str, Any] = WIN | {
    "ura": "7p4s",
    "score": SCORE
    | {"han": 7, "limit": "haneman", "points": 12000, "yaku": {"riichi": 1, "dora": 4, "ura_dora": 2}},
}
DRAGONS: dict[str, Any] = WIN | {
    "hand": "555666777z123p9s",
    "tile": "9s",
    "score": SCORE
    | {"han": 13, "fu": 0, "yakuman": 1, "limit": "yakuman", "points": 32000, "yaku": {"daisangen": 13}},
}
# Notes when a part of a scene is first seen, and what else is seen then
SEEN = """() => {
  window.seen = {};
  const early = ({ effect }) => effect.getComputedTiming().localTime < effect.getTiming().delay;
  const shown = (one) => Number(getComputedStyle(one).opacity) > 0.5 && !one.getAnimations().some(early);
  const look = () => {
    for (const name of ['.call', '.hand', 'li', '.turning .face', '.limit', '.points']) {
      const all = [...document.querySelectorAll('.scene ' + name)].filter(shown);
      if (all.length) window.seen[name] ??= performance.now();
    }
    if (document.querySelector('.veil:not(.aside) .win')) window.seen.sheet ??= performance.now();
    requestAnimationFrame(look);
  };
  look();
}"""


def test_a_win_grows_from_the_call_to_the_points(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    page = puppet.page
    page.evaluate(SEEN)
    end(puppet, URA, PAID)
    page.locator(".scene .call").wait_for()
    assert not page.locator(".sheet").is_visible()
    assert plates(puppet) == ["25,000"] * 4
    expect(page.locator(".sheet .win")).to_be_visible()
    seen = page.evaluate("window.seen")
    assert (
        list(seen)
        == sorted(seen, key=seen.get)
        == [".call", ".hand", "li", ".turning .face", ".limit", ".points", "sheet"]
    )
    expect(page.locator(".win.told")).to_have_count(0)  # told already: only the points are left
    expect(page.locator(".sheet .payments")).to_contain_text("+8,000")


def test_ura_are_turned_before_their_han_is_told(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    page = puppet.page
    end(puppet, URA, PAID)
    page.locator(".scene li").last.wait_for()
    order = page.locator(".scene li b").all_inner_texts()
    at = "all => all.map((one) => parseFloat(getComputedStyle(one).animationDelay))"
    struck = page.locator(".scene li").evaluate_all(at)
    turned = page.locator(".scene .turning .face").evaluate_all(at)
    assert len(order) == 3
    assert struck == sorted(struck)
    assert struck[1] < turned[0] < turned[1] < struck[2]


def test_one_tap_hurries_and_the_next_one_skips(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    page = puppet.page
    end(puppet, DRAGONS, PAID)
    page.locator(".scene").wait_for()
    page.mouse.click(200, 300)
    expect(page.locator(".scene.hurried .points")).to_contain_text("32,000")
    assert not page.locator(".sheet").is_visible()
    expect(page.locator(".sheet .foot button")).to_be_disabled()  # it is ready, behind the scene
    page.mouse.click(200, 300)
    expect(page.locator(".sheet .win")).to_be_visible()
    expect(page.locator(".scene")).to_have_count(0)  # once the sheet covers it


# Eight frames a second, each drawn in longer than a frame may take
SLOW = """window.requestAnimationFrame = (look) => setTimeout(() => {
  look(performance.now());
  const drawn = performance.now() + 15;
  while (performance.now() < drawn);
}, 120)"""


def test_a_slow_device_lays_the_whole_hand_in_time(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.add_init_script(SLOW)
    puppet = told(player, "full")
    end(puppet, DRAGONS, PAID)
    began = page.evaluate("performance.now()")
    page.locator(".scene .won-hand .tile").nth(13).wait_for()
    assert page.evaluate("performance.now()") - began < 1600  # one tile in each frame takes longer


PAINTED = """() => {
  const copy = new OffscreenCanvas(200, 400).getContext('2d');
  copy.drawImage(document.querySelector('.scene canvas'), 0, 0, 200, 400);
  return copy.getImageData(0, 0, 200, 400).data.some(Boolean);
}"""
WITHOUT_THREAD = "delete HTMLCanvasElement.prototype.transferControlToOffscreen"


@pytest.mark.parametrize("before", ["", WITHOUT_THREAD])
def test_sparks_fly_whatever_thread_draws_them(guest: Callable[..., Guest], before: str) -> None:
    player = guest()
    player.page.add_init_script(before)
    puppet = told(player, "full")
    end(puppet, DRAGONS, PAID)
    player.page.locator(".scene canvas").wait_for()
    player.page.wait_for_function(PAINTED)
    expect(player.page.locator(".sheet .win")).to_be_visible()


def test_two_wins_have_a_scene_each(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    page = puppet.page
    end(puppet, WIN, DRAGONS | {"seat": 3, "source": 0}, PAID)
    page.locator(".scene.mangan").wait_for()
    page.locator(".scene.yakuman .emblem.dragons").wait_for()
    expect(page.locator(".sheet .win")).to_have_count(2)


@pytest.mark.parametrize(("scenes", "motion"), [("brief", "on"), ("none", "on"), ("full", "off")])
def test_no_scene_for_those_who_want_none(guest: Callable[..., Guest], scenes: str, motion: str) -> None:
    player = guest()
    if motion == "off":
        player.page.emulate_media(reduced_motion="reduce")
    puppet = told(player, scenes)
    end(puppet, WIN, PAID)
    expect(player.page.locator(".sheet .win")).to_be_visible()
    assert player.page.locator(".scene").count() == 0
    told_in_steps = ".win.told .yaku li"
    assert player.page.locator(told_in_steps).count() == (0 if scenes == "none" else 4)
    if motion == "off":
        assert player.page.evaluate("document.getAnimations().length") == 0


def test_a_draw_is_called_and_its_hands_are_opened_one_after_another(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    end(puppet, DRAW, PAID)
    puppet.page.locator(".drawn .call").wait_for()
    laid = puppet.page.locator(".opened-hand")
    laid.nth(1).wait_for()
    delays = laid.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).animationDelay))")
    assert delays == [0, 0.5]


def test_a_riichi_lights_the_table(guest: Callable[..., Guest]) -> None:
    puppet = told(guest(), "full")
    puppet.happen({"type": "discarded", "seat": 1, "tile": "9s", "drawn": False, "riichi": "riichi"})
    expect(puppet.page.locator(".board .light.right")).to_have_count(1)
    expect(puppet.page.locator(".board.tense")).to_have_count(1)


def test_a_game_ends_with_its_places_one_after_another(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player, SHORT)
    page.evaluate(HURRY, [80, ".ending"])
    page.locator(".ending").wait_for()
    rows = page.locator(".ending li")
    delays = rows.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).animationDelay))")
    assert rows.locator("b").all_inner_texts() == ["4", "3", "2", "1"]
    assert delays == sorted(delays)
    assert len(set(delays)) == 4
    page.mouse.click(200, 300)
    expect(page.locator(".ending.hurried")).to_have_count(1)
    page.mouse.click(200, 300)
    expect(page.locator(".ending")).to_have_count(0)
    expect(page.locator(".result ol li")).to_have_count(4)
    page.reload()
    page.locator(".result ol").wait_for()
    assert page.locator(".ending").count() == 0  # seen once
