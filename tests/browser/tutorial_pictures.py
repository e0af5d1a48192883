"""The pictures of the organiser's tutorial: the desk, and a first hand on a phone, in every language.

``PYTHONPATH=tests python -m browser.screenshots`` takes them with those of the READMEs.
"""

from pathlib import Path
from typing import Any, Final

from browser.parlour import Guest

NAMES: Final = {
    "en": ("Ann", "Ben", "Cho", "Dai", "Eve"),
    "ja": ("佐藤", "鈴木", "高橋", "田中", "伊藤"),
    "ko": ("김하나", "이두리", "박세찬", "최네온", "정다섯"),
}
EVENT: Final = {"en": "Spring league", "ja": "春のリーグ", "ko": "봄 리그"}
ORGANISER: Final = {"en": "Hana Kim", "ja": "花", "ko": "김하늘"}
WIDTH: Final = 390


def take(browser: Any, url: str, folder: Path, language: str, ending: str) -> None:
    """The desk with its players, the table on the recorder, and what a win moves."""
    guest = Guest(browser, url, "phone", language)
    page, names = guest.page, NAMES[language]
    page.goto("/")
    page.wait_for_selector("#guest-name")
    account = {"name": ORGANISER[language], "password": "correct horse", "language": language}
    guest.post("register", account)
    event = guest.post("events", {"name": EVENT[language], "rules": "bgm-2025"})["id"]
    entries = [{"name": name, "id": f"p{number}"} for number, name in enumerate(names)]
    guest.post(f"events/{event}/entries/list", {"entries": entries})
    players = [entry["id"] for entry in entries[:4]]
    guest.post(f"events/{event}/games", {"id": "first-game", "stage": "league", "players": players})
    for name, path, ready in (
        ("desk", f"/desk/{event}/people", "button.name"),
        ("recorder", f"/record/{event}/first-game", "[data-seat='0']"),
    ):
        page.goto(path)
        page.wait_for_selector(ready)
        guest.settle()
        _picture(page, folder / f"{name}-phone{ending}.jpg")
    _win(page)
    _picture(page, folder / f"payments-phone{ending}.jpg")
    guest.close()


def _win(page: Any) -> None:
    """South declares riichi and wins on North's discard."""
    page.locator("[data-seat='1'] .slot").tap()
    loser, winner = (page.locator(f"[data-seat='{seat}'] .who").bounding_box() for seat in (3, 1))
    page.mouse.move(loser["x"] + 20, loser["y"] + 10)
    page.mouse.down()
    page.mouse.move(WIDTH / 2, winner["y"] - 60, steps=4)
    page.mouse.move(winner["x"] + 20, winner["y"] + 10, steps=4)
    page.mouse.up()
    page.locator("[data-cell='3/40']").tap()
    page.locator(".moves li").nth(2).wait_for()


def _picture(page: Any, path: Path) -> None:
    page.wait_for_timeout(600)
    page.screenshot(path=path, type="jpeg", quality=75)
