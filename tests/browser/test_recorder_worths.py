"""The recorder offers exactly the worths that the rules have, for a ron and for a tsumo."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.fitting import misfits
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import ENTER, NAMES, WORDS, Hands, Recording, cell
from jantaku import terms

pytestmark = slow_in_a_browser
RIICHI: Final = terms.table("web", "en")["calc"]["riichi_short"]["riichi"]
ODD: Final = """extends = "standard"
[win]
two_han_from_honba = 1
[score]
kiriage_mangan = true
kazoe = "sanbaiman"
multiple_yakuman = false
[yaku.pinfu]
closed = 0
minimum = false
[yaku.chiitoitsu]
closed = 3
"""
HEIGHTS: Final = (
    """() => [...new Set([...document.querySelectorAll('[data-cell]')].map((one) => one.offsetHeight))]"""
)
CELLS: Final = """() => [...document.querySelectorAll('[data-cell]')].map((one) => one.dataset.cell).sort()"""


def rows(page: Any, event: str, by: str, least: int) -> tuple[list[str], int]:
    """The cells and the number of other worths that the rules have."""
    wins = page.request.get(f"/api/{event}/payments").json()["wins"]
    possible = [win["worth"] for win in wins if win[by] is not None]
    cells = [
        f"{worth['han']}/{worth['fu']}" for worth in possible if "han" in worth and worth["han"] >= least
    ]
    return sorted(cells), sum("han" not in worth for worth in possible)


def offered(page: Any, winner: int, by: str) -> tuple[list[str], int]:
    """The cells and the number of other worths that the page offers for a win from the first seat."""
    hands = Hands(page)
    if by == "tsumo":
        hands.tap(f"[data-seat='{winner}'] .who")
        hands.tap(f"[data-seat='{winner}'] .who")
    else:
        hands.drag(0, winner)
    page.locator("[data-cell]").first.wait_for()
    cells = page.evaluate(CELLS), page.locator(".limits button").count()
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    return cells


@pytest.mark.parametrize("rules", ['extends = "bgm-2025"\n', 'extends = "korea-3"\n', ODD])
def test_every_worth_of_the_rules_has_a_button_and_no_other(
    stranger: Callable[..., Guest], rules: str
) -> None:
    names = NAMES[:3] if "-3" in rules else NAMES
    recording = Recording(stranger(), names, rules)
    recording.start("worths")
    page = recording.page
    for by in ("ron", "tsumo"):
        assert offered(page, 1, by) == rows(page, recording.event, by, 0)
    draw = {"id": "worth-draw", "follows": "", "hand": {"end": "draw", "tenpai": [0]}}
    recording.player.post(f"{recording.path}/hands", draw)
    recording.open()
    least = 2 if rules == ODD else 0
    for by in ("ron", "tsumo"):
        assert offered(page, 1, by) == rows(page, recording.event, by, least)


def test_a_win_of_no_han_is_entered_where_the_rules_have_it(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger(), toml='extends = "bgm-2025"\n')
    recording.start("no-han")
    hands = Hands(recording.page)
    hands.tap("[data-seat='2'] .slot")
    hands.drag(1, 0)
    for size in ("phone", "small"):  # five columns, with five digits
        recording.player.resize(size)
        heights = recording.page.evaluate(HEIGHTS)
        assert len(heights) == 1, (size, heights)
        assert [misfit for misfit in misfits(recording.page) if misfit.startswith("cut")] == []
    hands.tap(cell(0, 30))
    hands.tap(ENTER)
    done = recording.sent(1)[0]
    assert done["hand"]["wins"] == [{"seat": 0, "han": 0, "fu": 30}]
    assert done["deltas"] == [1000, 0, -1000, 0]


def test_tiles_tell_the_table_nothing_that_it_knows_and_lay_the_stick(
    stranger: Callable[..., Guest],
) -> None:
    """The hand has one han less than the honba ask for, until the player says that they were in riichi."""
    recording = Recording(stranger(), toml=ODD)
    recording.start("tiles")
    page, hands = recording.page, Hands(recording.page)
    draw = {"id": "tiles-draw", "follows": "", "hand": {"end": "draw", "tenpai": [0]}}
    recording.player.post(f"{recording.path}/hands", draw)
    recording.open()
    hands.drag(2, 1)
    page.get_by_role("button", name=WORDS["by_tiles"], exact=True).tap()
    places = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 3),
        (1, 4),
        (1, 5),
        (2, 6),
        (2, 7),
        (2, 8),
        *[(3, 0)] * 3,
        *[(2, 1)] * 2,
    ]
    for row, place in places:  # 123m 456p 789s, three round winds, a pair
        page.locator(".palette .line").nth(row).locator("button").nth(place).tap()
    take = page.locator(".tiles-win > .button.primary")
    expect(page.locator(".explanation, .problem").first).to_be_visible()
    expect(take).to_be_disabled()
    assert page.locator(".explanation .payments").count() == 0  # they are on the next sheet, with all sticks
    page.locator(".situation").get_by_role("button", name=RIICHI, exact=True).tap()
    expect(take).to_be_enabled()
    take.tap()
    hands.tap(ENTER)
    done = recording.sent(2)[1]["hand"]
    assert done["riichi"] == [1]


def test_three_rons_that_are_a_draw_need_no_worths(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger(), toml='extends = "bgm-2025"\n')
    recording.start("three-rons")
    page, hands = recording.page, Hands(recording.page)
    hands.drag(1, 0)
    for name in ("Sato", "Lee"):  # no worth is asked
        page.get_by_role("button", name=WORDS["also_ron"].format(name=name), exact=True).tap()
    hands.tap(ENTER)
    assert recording.sent(1)[0]["hand"] == {"end": "abort", "kind": "sanchahou", "from": 1}


def test_rules_without_limits_fit_a_phone(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger("phone", "ko"), toml='extends = "standard"\n[score]\naotenjou = true\n')
    page = recording.page
    recording.start("endless")
    Hands(page).drag(1, 0)
    page.locator("[data-cell]").first.wait_for()
    assert misfits(page) == []
    wins = page.request.get(f"/api/{recording.event}/payments").json()["wins"]
    for fu in (20, 30, 170):
        page.click(f"[data-fu='{fu}']")
        rons = [win["worth"]["han"] for win in wins if win["ron"] and win["worth"].get("fu") == fu]
        cells = page.locator("[data-cell]")
        expect(cells).to_have_count(len(rons))
        assert sorted(page.evaluate(CELLS)) == sorted(f"{han}/{fu}" for han in rons)
    page.click(cell(26, 170))
    page.locator(ENTER).wait_for()
    assert misfits(page) == []
    page.click(ENTER)
    page.locator(".sheet ol").wait_for()
    assert misfits(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    for size in ("phone", "landscape"):
        recording.player.resize(size)
        recording.player.still()
        assert misfits(page) == []
