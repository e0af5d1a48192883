"""Tiles, cloth and sound as a person likes them."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, serious_faults, slow_in_a_browser
from browser.puppet import Puppet
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["settings"]
COLOURS = """() => ['--tile-back', '--felt'].map(
  (name) => getComputedStyle(document.documentElement).getPropertyValue(name))"""
SPY = """
window.sounds = [];
for (const kind of ['createOscillator', 'createBufferSource']) {
  const before = AudioContext.prototype[kind];
  AudioContext.prototype[kind] = function () { window.sounds.push(kind); return before.call(this); };
}
"""
RIVER = [{"tile": tile, "drawn": False, "riichi": False, "called": False} for tile in ("1z", "5p", "7z")]
RIICHI = {"type": "discarded", "seat": 0, "tile": "1m", "riichi": "riichi"}


def test_backs_cloth_and_numerals_are_chosen_and_kept(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    player.visit("settings")
    before = page.evaluate(COLOURS)
    page.click("[data-look=blue]")
    page.click("[data-cloth-choice=wine]")
    page.get_by_role("switch", name=WORDS["numerals"]).click()
    chosen = page.evaluate(COLOURS)
    assert all(one != other for one, other in zip(before, chosen, strict=True))
    expect(page.locator(".sample .numeral")).to_have_count(4)
    assert serious_faults(player) == []
    puppet = Puppet(player)  # another page
    puppet.show(rivers=[RIVER, [], [], []], indicators=["1m"])
    assert page.evaluate(COLOURS) == chosen
    expect(page.locator(".river .numeral")).to_have_count(2)  # dragons have none
    expect(page.locator(".own .numeral").first).to_be_visible()
    assert serious_faults(player) == []


def test_each_kind_of_sound_has_a_volume(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.add_init_script(SPY)
    puppet = Puppet(player)
    puppet.show()
    page.mouse.click(200, 300)  # browsers make no sound before a touch
    sources = []
    for silent in (
        [],
        ["voiceVolume"],
        ["voiceVolume", "signalVolume"],
        ["voiceVolume", "signalVolume", "tileVolume"],
    ):
        page.click("button.menu")
        page.locator("summary", has_text=WORDS["looks"]).click()
        for name in silent:
            page.get_by_label(WORDS[name]).fill("0")
        page.keyboard.press("Escape")
        page.evaluate("window.sounds = []")
        puppet.happen(RIICHI)
        sources.append(page.evaluate("window.sounds.length"))
    assert sources[0] == sources[1] + 1  # the voice
    assert sources[1] > sources[2] > 0
    assert sources[3] == 0
