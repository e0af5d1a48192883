"""``PYTHONPATH=tests python -m browser.screenshots [FOLDER]``: the pictures of the READMEs and the tutorials.

They are taken in every language, for ``docs/pictures`` unless a folder is named.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from browser import tutorial_pictures
from browser.parlour import Guest, browsing, needs, serving

WIN: Final = "/calc?hand=234567m345p6799s8s&dora=3s&riichi=riichi&flags=ippatsu&by=tsumo&rules=bgm-2025"
README: Final = {"en": ("", "Mina"), "ja": ("-ja", "みな"), "ko": ("-ko", "미나")}
PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
QUALITY: Final = 82
# Discards until every river has a second row
LATER: Final = 8


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
        guest.page.goto(WIN)
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

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    shown = Pauses((0, 0), 0, (0, 0), (0, 0), 30, 0, deal=0)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), pauses=shown) as url,
        browsing() as browser,
    ):
        readme(browser, url, folder)
    write(f"{folder}\n")


if __name__ == "__main__":
    main()
