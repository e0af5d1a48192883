"""The overlay over a video, the commentator's page, and their links at the desk."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import button
from jantaku import terms
from server.clubs import PASSWORD

pytestmark = slow_in_a_browser
CAST: Final = {language: terms.table("event", language)["cast"] for language in terms.LANGUAGES}
PICTURES: Final = os.environ.get("JANTAKU_PICTURES")  # a folder for pictures of the pages, to look at
SIZES: Final = {"1080p": (1920, 1080), "portrait": (1080, 1920), "720p": (1280, 720)}
VIDEO: Final = """() => {
  const light = 'linear-gradient(160deg, #7a5230, #d7b58a 35%, #35514a 60%, #101820)';
  document.body.style.setProperty('background', light, 'important');
}"""
OUTSIDE: Final = """() => [...document.querySelectorAll('.strip li, .strip .info, .strip .tiles')]
  .map((one) => one.getBoundingClientRect())
  .filter((r) => r.left < 0 || r.right > innerWidth + 1 || r.top < 0 || r.bottom > innerHeight + 1).length"""
WITHIN: Final = """() => [...document.querySelectorAll('.strip li')].every((li) => {
  const edge = li.getBoundingClientRect().right + 1;
  return [...li.querySelectorAll('.tile')].every((tile) => tile.getBoundingClientRect().right <= edge);
})"""
COLOUR: Final = "(name) => getComputedStyle(document.querySelector(name)).backgroundColor"
HANDS: Final = (
    {
        "tiles": "234567m345p6799s", "melds": [], "shanten": 0, "chance": 0.71,
        "waits": [{"tile": "5s", "left": 3}, {"tile": "8s", "left": 2}],
    },
    {"tiles": "1345m22378p19s", "melds": ["555z"], "shanten": 2, "waits": [], "chance": None},
    {
        "tiles": "0m", "melds": ["1111z", "234p", "789s", "222s"], "shanten": 0, "chance": 0.2,
        "waits": [{"tile": "5m", "left": 1}],
    },
    {"tiles": "119m19p19s1234567z", "melds": [], "shanten": 0, "waits": [], "chance": None},
)  # fmt: skip
NAMES: Final = ("가온", "An unusually long name for a player", "みなみの太郎", "라온")


def cast(hands: bool) -> dict[str, Any]:
    """A broadcast of one table with names, hands and waits as wide as they get."""
    seats = [
        {
            "name": name, "wind": wind, "score": 25000 + 7700 * (wind - 1), "riichi": wind == 0,
            "turn": wind == 1, "hand": HANDS[wind] if hands else None,
        }
        for wind, name in enumerate(NAMES)
    ]  # fmt: skip
    table = {
        "id": "t", "online": True, "label": "1", "round": 2, "delay_s": 60, "hand_number": 5, "honba": 2,
        "deposits": 1, "indicators": "3s0p", "man": "all", "wall_left": 31, "over": False, "seats": seats,
    }  # fmt: skip
    about = {"left_s": 1234, "running": True, "hands": hands, "hands_delay_s": 60}
    return {"name": {"en": "Final"}, "tables": [table], **about}


def shown(guest: Guest, address: str, hands: bool) -> None:
    guest.page.route(
        "**/api/events/*/broadcast*",
        lambda route: route.fulfill(content_type="application/json", body=json.dumps(cast(hands))),
    )
    guest.page.goto(address)
    guest.page.locator(".name", has_text=NAMES[0]).first.wait_for()


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_an_overlay_is_transparent_and_fits_the_picture(
    stranger: Callable[..., Guest], language: str
) -> None:
    guest = stranger("desktop", language)
    for size, (width, height) in SIZES.items():
        guest.page.set_viewport_size({"width": width, "height": height})
        shown(guest, "/overlay/any", hands=size != "720p")
        for element in ("html", "body"):
            assert guest.page.evaluate(COLOUR, element) == "rgba(0, 0, 0, 0)"
        assert guest.page.evaluate(OUTSIDE) == 0, size
        assert guest.page.evaluate(WITHIN), size
        if PICTURES:
            guest.page.evaluate(VIDEO)
            guest.page.screenshot(path=Path(PICTURES) / f"overlay-{size}-{language}.png")


def test_a_commentator_reads_waits_and_chances(stranger: Callable[..., Guest]) -> None:
    guest = stranger("desktop", "ja")
    shown(guest, "/overlay/any?commentator", hands=True)
    page = guest.page
    page.get_by_text(CAST["ja"]["chance"].format(chance="71%")).wait_for()
    page.get_by_text(filled(CAST["ja"]["shanten"], count=2)).wait_for()
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / "commentator-ja.png", full_page=True)
    shown(guest, "/overlay/any?commentator", hands=False)
    page.get_by_text(CAST["ja"]["no_key"]).wait_for()


def test_the_desk_makes_links_with_and_without_hands(stranger: Callable[..., Guest]) -> None:
    organiser = stranger("desktop", "en")
    organiser.post("register", {"name": "Broadcast organiser", "password": PASSWORD})
    event = organiser.post("events", {"name": {"en": "Broadcast"}, "rules": "tenhou"})["id"]
    listed = [{"name": name, "id": f"e{i}"} for i, name in enumerate(NAMES)]
    organiser.post(f"events/{event}/entries/list", {"entries": listed})
    players = [entry["id"] for entry in listed]
    organiser.post(f"events/{event}/games", {"id": "on-paper", "stage": "league", "players": players})
    page = organiser.page
    page.goto(f"/desk/{event}/settings")
    words = terms.table("desk", "en")["cast"]
    link = page.get_by_role("link", name=words["commentator"])
    assert "key=" not in str(link.get_attribute("href"))
    page.get_by_role("switch", name=words["hands"]).click()
    expect(page.locator(f"a[href^='/overlay/{event}?commentator&key=']")).to_be_visible()
    page.goto(str(link.get_attribute("href")))
    page.get_by_text(CAST["en"]["on_paper"]).wait_for()
    page.goto(f"/screen/{event}")
    page.get_by_text(NAMES[0]).first.wait_for()
    if PICTURES:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(PICTURES) / f"screen-{size}.png")
    assert button(page, terms.table("event", "en")["projector"]["whole"]).is_visible()
