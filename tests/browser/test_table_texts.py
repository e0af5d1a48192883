"""No text on the table is cut or covered, in any size and language."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import VIEWPORTS
from browser.fitting import hidden_texts
from browser.parlour import Guest, slow_in_a_browser
from browser.puppet import Action, Puppet
from browser.test_board import BOXES, CHI, KAN, PASS, PON, RIICHI, faults

pytestmark = slow_in_a_browser
in_languages = pytest.mark.parametrize("language", ["en", "ja", "ko"])
NAMES: Final = {
    "en": ("Natalia", "Wilhelm", "Maximilian", "Bartholomew"),
    "ja": ("さくらももこ", "長谷川平蔵", "アレクサンドラ", "ひなたぼっこ丸"),
    "ko": ("김수한무거북이", "대한민국만세", "알렉산드라와", "하늘을나는고래"),
}
TILES: Final = ("1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z")
WORTHS: Final = ((11_600, 12_000), (None, 12_300), (None, None), (48_000, 48_000))
OFFERED: Final = {"tile": "4m", "seat": 3, "kind": "discard"}
# What a table shows beside the waits
OFFERS: Final[dict[str, list[Action]]] = {
    "nothing": [],
    "a pon": [PON, PASS],
    "three calls": [CHI[0], PON, KAN, PASS],
    "a riichi": [RIICHI[0]],
}

SCROLLS: Final = """({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
  scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
    ? [`${scrollWidth} x ${scrollHeight} in ${clientWidth} x ${clientHeight}`] : []"""


def named(player: Guest, puppet: Puppet) -> None:
    """Give everybody a name of seven letters or more."""
    table: dict[str, Any] = player.page.request.get(player.page.url.replace("/t/", "/api/tables/")).json()
    for seat, name in zip(table["seats"], NAMES[player.language], strict=True):
        seat["name"] = name
    puppet.send(type="table", table=table)


def waits(puppet: Puppet, count: int) -> None:
    """Hints of a hand that waits for so many kinds."""
    rows = [
        {"tile": tile, "left": 1 + at % 4, "ron": WORTHS[at % 4][0], "tsumo": WORTHS[at % 4][1]}
        for at, tile in enumerate(TILES[:count])
    ]
    puppet.send(type="hints", id="1", shanten=0, waits=rows, furiten=None, discards=[], barred=[])


@pytest.fixture
def table(guest: Callable[..., Guest], language: str) -> Puppet:
    player = guest(language=language)
    player.page.emulate_media(reduced_motion="reduce")
    puppet = Puppet(player)
    puppet.show()
    named(player, puppet)
    return puppet


@in_languages
def test_names_of_seven_letters_are_whole(table: Puppet, language: str) -> None:
    found: dict[str, list[str]] = {}
    for viewport, (width, height) in VIEWPORTS.items():
        if viewport == "zoomed":
            continue
        table.page.set_viewport_size({"width": width, "height": height})
        wrong = hidden_texts(table.page, ".board")
        found |= {viewport: wrong} if wrong else {}
        shown = table.page.locator(".board .plate .name").all_inner_texts()
        assert sorted(shown) == sorted(NAMES[language])
    assert found == {}, "\n".join(map(str, found.items()))


@in_languages
@pytest.mark.parametrize("furiten", [None, "temporary"])
def test_waits_are_whole_and_cover_nothing(table: Puppet, language: str, furiten: str | None) -> None:
    page = table.page
    found: dict[str, list[str]] = {}
    for viewport, (width, height) in VIEWPORTS.items():
        page.set_viewport_size({"width": width, "height": height})
        for name, legal in OFFERS.items():
            for count in (1, 2, 3, 5) if furiten else (1, 2, 3, 5, 9, 13):
                table.ask(legal, offered=OFFERED, waits="".join(TILES[:count]), furiten=furiten)
                waits(table, count)
                table.settle()
                boxes = page.evaluate(BOXES)
                wrong = [fault for fault in faults(boxes, viewport) if "waits" in fault]
                wrong += hidden_texts(page, ".waits")
                wrong += page.locator(".waits").evaluate(SCROLLS)
                assert page.locator(".waits ul li").count() == count
                found |= {f"{viewport}, {name}, {count}": wrong[:3]} if wrong else {}
    assert found == {}, "\n".join(map(str, found.items()))
