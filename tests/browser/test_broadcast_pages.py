"""The overlay over a video, the commentator's page, and their links at the desk."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

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
COLOUR: Final = "(name) => getComputedStyle(document.querySelector(name)).backgroundColor"
NAMES: Final = ("가온", "An unusually long name for a player", "みなみの太郎", "라온")


def cast() -> dict[str, Any]:
    """A broadcast of one table with names as wide as they get."""
    seats = [
        {
            "name": name, "wind": wind, "score": 25000 + 7700 * (wind - 1), "riichi": wind == 0,
            "turn": wind == 1,
        }
        for wind, name in enumerate(NAMES)
    ]  # fmt: skip
    table = {
        "id": "t", "online": True, "label": "1", "round": 2, "delay_s": 60, "hand_number": 5, "honba": 2,
        "deposits": 1, "indicators": "3s0p", "man": "all", "wall_left": 31, "over": False, "seats": seats,
    }  # fmt: skip
    about = {"left_s": 1234, "running": True}
    return {"name": {"en": "Final"}, "tables": [table], **about}


def shown(guest: Guest, address: str) -> None:
    guest.page.route(
        "**/api/events/*/broadcast*",
        lambda route: route.fulfill(content_type="application/json", body=json.dumps(cast())),
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
        shown(guest, "/overlay/any")
        for element in ("html", "body"):
            assert guest.page.evaluate(COLOUR, element) == "rgba(0, 0, 0, 0)"
        assert guest.page.evaluate(OUTSIDE) == 0, size
        if PICTURES:
            guest.page.evaluate(VIDEO)
            guest.page.screenshot(path=Path(PICTURES) / f"overlay-{size}-{language}.png")


def test_the_desk_links_to_the_broadcast(stranger: Callable[..., Guest]) -> None:
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
    page.goto(str(link.get_attribute("href")))
    page.get_by_text(CAST["en"]["on_paper"]).wait_for()
    page.goto(f"/screen/{event}")
    page.get_by_text(NAMES[0]).first.wait_for()
    if PICTURES:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(PICTURES) / f"screen-{size}.png")
    assert button(page, terms.table("event", "en")["projector"]["whole"]).is_visible()
