"""``PYTHONPATH=tests python -m browser.screenshots [FOLDER [VIEWPORT…]]``: a picture of every page.

With ``--readme`` the pictures of the READMEs and the tutorials in every language, in ``docs/pictures`` unless
a folder is named.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from browser import tutorial_pictures
from browser.parlour import Guest, browsing, needs, serving

LANGUAGES: Final = {"phone": "ko", "small": "ja", "tablet": "ja", "landscape": "ko", "desktop": "en"}
WIN: Final = (
    "/calc?hand=234567m345p6799s8s&dora=3s&riichi=riichi&flags=ippatsu&by=tsumo&rules=bgm-2025",
    "/calc?hand=1458m389p34679s14z",
)
README: Final = {"en": ("", "Mina"), "ja": ("-ja", "みな"), "ko": ("-ko", "미나")}
PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
QUALITY: Final = 82
# Discards until every river has a second row
LATER: Final = 8
CLAIM: Final = "[data-claim=chi], [data-claim=pon], [data-claim=riichi], [data-claim=win]"


class Album:
    """Takes pictures of one guest's page."""

    def __init__(self, folder: Path, guest: Guest, viewport: str) -> None:
        self.folder, self.guest, self.viewport = folder, guest, viewport

    def take(self, name: str, whole: bool = False) -> None:
        """Take one picture once nothing moves."""
        page = self.guest.page
        page.wait_for_timeout(450)
        page.screenshot(path=self.folder / f"{self.viewport}-{name}.png", full_page=whole)


def play(album: Album, table: str) -> None:
    """The table in the middle of a hand, a claim, a win, and the result."""
    guest = album.guest
    taken: set[str] = set()
    page = guest.page
    guest.sit_down(table)
    page.wait_for_selector(".tile-button")
    for turn in range(4000):
        if page.query_selector(".result"):
            break
        if page.query_selector(".sheet"):
            _once(album, taken, "draw" if page.query_selector(".sheet .hands") else "win")
            page.evaluate("document.querySelector('.sheet .foot button:not(:disabled)')?.click()")
        elif page.query_selector(CLAIM):
            _once(album, taken, "claim")
        elif page.query_selector(".river .line:nth-child(2) .tile") and page.query_selector(".choosing"):
            _once(album, taken, "table")
        page.evaluate("document.querySelector('[data-claim=win], [data-claim=pass]')?.click()")
        page.evaluate("[...document.querySelectorAll('.choosing:not(.blocked)')].at(-1)?.click()")
        page.wait_for_timeout(15 + turn % 7)
    page.wait_for_selector(".result")
    album.take("result")


def _once(album: Album, taken: set[str], name: str) -> None:
    if name not in taken:
        taken.add(name)
        album.take(name)


def replay(album: Album) -> None:
    """The replay of the game just played, some way in."""
    page = album.guest.page
    page.click("a[href^='/g/']")
    page.wait_for_selector(".replay")
    page.goto(page.url.split("?")[0] + "?at=60&seat=0")
    page.wait_for_selector(".moment p")
    album.take("replay")


def pages(album: Album) -> None:
    """All pages except the game."""
    page = album.guest.page
    for name, path, ready in (
        ("calculator", WIN[0], ".explanation"),
        ("discards", WIN[1], ".answer h2"),
        ("drill", "/drill?rules=standard&seed=5", ".choices button"),
        ("rules", "/rules", "li .card"),
        ("sheet", "/rules/bgm-2025", "table"),
        ("editor", "/edit/standard", "details"),
        ("new", "/new", "form .card"),
        ("games", "/games", "a.card"),
        ("settings", "/settings", ".card"),
        ("booklet", "/api/rules/bgm-2025/booklet?lang=ko", "main section"),
    ):
        page.goto(path)
        page.wait_for_selector(ready)
        if name == "editor":
            page.click("details summary")
        album.take(name)


def visit(browser: Any, url: str, folder: Path, viewport: str) -> None:
    """Take all pictures in one size."""
    guest = Guest(browser, url, viewport, LANGUAGES[viewport])
    album = Album(folder, guest, viewport)
    guest.page.goto("/")
    guest.page.wait_for_selector("#guest-name")
    album.take("welcome")
    guest.enter("미나")
    waiting = guest.table("bgm-2025", 1, clock=True)
    album.guest.page.goto("/")
    guest.page.wait_for_selector(".tables .card")
    album.take("lobby")
    guest.sit_down(waiting)
    guest.page.wait_for_selector(".invite")
    album.take("room")
    rules = guest.rules('extends = "bgm-2025"\n[match]\nlength = "east"\n')
    table = guest.table(rules, 3)
    guest.post(f"tables/{table}/start", {})
    play(album, table)
    replay(album)
    pages(album)
    for fault in guest.faults:
        sys.stderr.write(f"{viewport}: {fault}\n")
    guest.close()


def readme(browser: Any, url: str, folder: Path) -> None:
    """The table, a win and the calculator on a phone, in every language."""
    for language, (ending, name) in README.items():
        tutorial_pictures.take(browser, url, folder, language, ending)
        guest = Guest(browser, url, "phone", language)
        guest.page.goto("/")
        guest.page.wait_for_selector("#guest-name")
        guest.enter(name)
        wanted = {"table", "win"}
        while wanted:
            table = guest.table("bgm-2025", 3)
            guest.post(f"tables/{table}/start", {})
            guest.sit_down(table)
            guest.page.wait_for_selector(".tile-button")
            while wanted and not guest.page.query_selector(".result"):
                if shown := _in_a_game(guest.page) & wanted:
                    wanted -= shown
                    _picture(guest.page, folder / f"{min(shown)}-phone{ending}.jpg")
                _step(guest.page)
            guest.page.goto("/")
        guest.page.goto(WIN[0])
        guest.page.wait_for_selector(".explanation")
        _picture(guest.page, folder / f"calculator-phone{ending}.jpg")
        guest.close()


def _in_a_game(page: Any) -> set[str]:
    """A table in the middle of a hand, or a win with its value."""
    if page.query_selector(".sheet .win .value"):
        return {"win"}
    later = page.query_selector_all(".river .line:nth-child(2) .tile")
    return {"table"} if len(later) >= LATER and page.query_selector(".choosing") else set()


def _step(page: Any) -> None:
    """Win where that is possible, else pass, call nothing and discard the tile on the right."""
    page.evaluate("document.querySelector('.sheet .foot button:not(:disabled)')?.click()")
    page.evaluate("document.querySelector('[data-claim=win], [data-claim=pass]')?.click()")
    page.evaluate("[...document.querySelectorAll('.choosing:not(.blocked)')].at(-1)?.click()")
    page.wait_for_timeout(20)


def _picture(page: Any, path: Path) -> None:
    """Take one picture once no call is shown."""
    page.wait_for_timeout(1500)
    page.screenshot(path=path, type="jpeg", quality=QUALITY)


def main(write: Callable[[str], object] = sys.stdout.write) -> None:
    """Take them all."""
    if missing := needs():
        sys.exit(missing)
    from jantaku.server.settings import Pauses

    given = [argument for argument in sys.argv[1:] if argument != "--readme"]
    if wanted := "--readme" in sys.argv:
        folder = Path(given[0]) if given else PICTURES
    else:
        folder = Path(given[0] if given else tempfile.mkdtemp(prefix="jantaku-pictures-"))
    folder.mkdir(parents=True, exist_ok=True)
    shown = Pauses((0, 0), 0, (0, 0), (0, 0), 30, 0, deal=0)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), pauses=shown) as url,
        browsing() as browser,
    ):
        if wanted:
            readme(browser, url, folder)
        for viewport in () if wanted else given[1:] or LANGUAGES:
            visit(browser, url, folder, viewport)
    write(f"{folder}\n")


if __name__ == "__main__":
    main()
