"""The hand calculator in a real Chromium: layout, options of the rules, melds, hands as text."""

from collections.abc import Callable
from typing import Any

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WIN = "/calc?hand=234567m345p6799s8s&riichi=riichi&by=tsumo"
MELDS = "pon:555z:5z:left,ankan:1111m::,daiminkan:2222m:2m:left,daiminkan:3333m:3m:left"
TEXT = ".typed input"


def box(page: Any, selector: str) -> dict[str, float]:
    """The position of an element in the window."""
    box: dict[str, float] | None = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box


def bottom(page: Any, selector: str) -> float:
    """The lower edge of an element."""
    spot = box(page, selector)
    return spot["y"] + spot["height"]


def held(page: Any) -> list[str]:
    """The names of the concealed tiles."""
    names: list[str] = page.eval_on_selector_all(
        ".concealed button", "all => all.map((one) => one.querySelector('use + use').getAttribute('href'))"
    )
    return [name.removeprefix("#tile-") for name in names]


def test_only_the_reds_of_the_rules_are_offered(guest: Callable[..., Guest]) -> None:
    page = guest().page
    for rules, reds in (("standard", ["0m", "0p", "0s"]), ("bgm-2025", ["3rm", "3rp", "3rs"]), ("wrc", [])):
        page.goto(f"/calc?rules={rules}")
        page.wait_for_function(
            "(wanted) => document.querySelectorAll('.palette button').length === 34 + wanted", arg=len(reds)
        )
        for tile in reds:
            page.click(f"[data-kind='{tile}']")
            expect(page.locator(f"[data-kind='{tile}']")).to_be_disabled()
        assert held(page) == reds


def test_changing_rules_removes_what_they_lack(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/calc?hand=234067m340p6799s8s&riichi=double_open&ura=1m&rules=wrc")
    page.wait_for_selector(".explanation h2:not(.problem)")
    assert held(page)[3] == "5m"
    assert "0" not in "".join(held(page))
    assert "riichi=riichi" in page.url
    expect(page.locator(".notices p")).to_have_count(1)


def test_open_riichi_is_offered_where_it_exists(guest: Callable[..., Guest]) -> None:
    page = guest().page
    words = terms.table("web", "en")["calc"]["riichi_short"]
    for rules, there in (("standard", 0), ("bgm-2025", 1)):
        page.goto(f"/calc?rules={rules}")
        page.locator(".situation summary", has_text=terms.table("web", "en")["calc"]["more"]).wait_for()
        page.wait_for_selector("[data-kind='0m'], [data-kind='3rm']")
        expect(page.get_by_role("radio", name=words["open"], exact=True)).to_have_count(there)


def test_a_hand_can_be_typed(guest: Callable[..., Guest]) -> None:
    page = guest(viewport="desktop").page
    page.goto("/calc")
    page.wait_for_selector("[data-kind='0m']")
    page.fill(TEXT, "345p678s 9s9s (340m) [1111z]")
    page.wait_for_selector(".explanation h2:not(.problem)")
    assert held(page) == ["3p", "4p", "5p", "6s", "7s", "8s", "9s", "9s"]
    expect(page.locator(".melds > button")).to_have_count(2)
    page.press(TEXT, "Enter")
    expect(page.locator(TEXT)).to_have_value("345p6789s 9s (340m) [1111z]")
    page.reload()
    page.wait_for_selector(".explanation h2:not(.problem)")
    expect(page.locator(TEXT)).to_have_value("345p6789s 9s (340m) [1111z]")


def test_wrong_input_is_kept_and_explained(guest: Callable[..., Guest]) -> None:
    page = guest(viewport="desktop").page
    page.goto("/calc?hand=123m")
    page.wait_for_selector(TEXT)
    page.fill(TEXT, "123m45x")
    page.locator(".typed .problem", has_text="45x").wait_for()
    page.locator("h1").click()
    expect(page.locator(TEXT)).to_have_value("123m45x")
    assert held(page) == ["1m", "2m", "3m"]
    page.fill(TEXT, "동동동123萬")
    page.locator(".typed .problem").wait_for(state="detached")
    assert held(page) == ["1m", "2m", "3m", "1z", "1z", "1z"]


@requires_axe
def test_axe_finds_no_serious_fault_in_a_full_calculator(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.page.emulate_media(reduced_motion="reduce")
    player.page.goto(f"/calc?hand=99s345p67s8s&melds={','.join(MELDS.split(',')[:2])}&rules=bgm-2025")
    player.page.wait_for_selector(".explanation")
    player.page.click(".situation summary")
    for viewport in ("phone", "desktop"):
        player.resize(viewport)
        assert serious_faults(player) == []
