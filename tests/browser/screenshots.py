"""Take the screenshots for the READMEs and tutorials in every language.

Usage: ``PYTHONPATH=tests python -m browser.screenshots [FOLDER]``; the default folder is ``docs/pictures``.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from browser.parlour import PASSWORD, Guest, browsing, missing_requirements, serving
from browser.recording import Recording

WIN: Final = "/calc?hand=234567m345p6799s8s&dora=3s&riichi=riichi&flags=ippatsu&by=tsumo&rules=bgm-2025"
README: Final = {"en": ("", "Mina"), "ja": ("-ja", "みな"), "ko": ("-ko", "미나")}
PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
QUALITY: Final = 82
LATER: Final = 32  # after this many discards every river has a second row
# Win if possible, otherwise pass or discard the rightmost tile
STEP: Final = """() => {
  const { onward, claim, discards } = window.atTable;
  (onward() ?? claim('win') ?? claim('pass') ?? discards().at(-1))?.click();
}"""


def readme(browser: Any, url: str, folder: Path) -> None:
    """Take screenshots on a phone of the table, a win and the calculator, in every language."""
    for language, (ending, name) in README.items():
        take(browser, url, folder, language, ending)
        guest = Guest(browser, url, "phone", language).enter(name)
        wanted = {"table", "win"}
        while wanted:
            table = guest.table("bgm-2025", 3)
            guest.post(f"tables/{table}/start", {})
            guest.sit_down(table)
            guest.tiles.first.wait_for()
            guest.at_table()
            result = guest.heading("web.result.title")
            while wanted and not result.count():
                if shown := _in_a_game(guest) & wanted:
                    wanted -= shown
                    _picture(guest.page, folder / f"{min(shown)}-phone{ending}.jpg")
                guest.page.evaluate(STEP)
                guest.page.wait_for_timeout(20)
            guest.page.goto("/")
        guest.open(WIN)
        _picture(guest.page, folder / f"calculator-phone{ending}.jpg")
        guest.close()


def _in_a_game(guest: Guest) -> set[str]:
    """Return which of the two pictures the page shows: the table during a hand, or a win with its value."""
    if guest.sheet.filter(has_text=guest.say("web.win.dora")).count():
        return {"win"}
    return {"table"} if guest.discards() >= LATER and guest.free_tiles.count() else set()


def _picture(page: Any, path: Path) -> None:
    """Take a screenshot as soon as no call is displayed."""
    page.wait_for_timeout(1500)
    page.screenshot(path=path, type="jpeg", quality=QUALITY)


NAMES: Final = {
    "en": ("Ann", "Ben", "Cho", "Dai", "Eve"),
    "ja": ("佐藤", "鈴木", "高橋", "田中", "伊藤"),
    "ko": ("김하나", "이두리", "박세찬", "최네온", "정다섯"),
}
EVENT: Final = {"en": "Spring league", "ja": "春のリーグ", "ko": "봄 리그"}
ORGANISER: Final = {"en": "Hana Kim", "ja": "花", "ko": "김하늘"}


def take(browser: Any, url: str, folder: Path, language: str, ending: str) -> None:
    """Take screenshots of the desk with players, the recorder's table, and the payments of a win."""
    guest = Guest(browser, url, "phone", language)
    account = {"name": ORGANISER[language], "password": PASSWORD, "language": language}
    guest.id = guest.post("register", account)["id"]
    recording = Recording(guest, NAMES[language], name=EVENT[language], rules="bgm-2025")
    recording.start("first-game")
    guest.open(f"/desk/{recording.id}/people")
    _picture(guest.page, folder / f"desk-phone{ending}.jpg")
    recording.open()
    _picture(guest.page, folder / f"recorder-phone{ending}.jpg")
    recording.declare_riichi(1)  # South declares riichi and wins on North's discard
    recording.drag(3, 1)
    recording.worth(3, 40).tap()
    guest.sheet.get_by_role("list", name=guest.say("web.win.payments")).wait_for()
    _picture(guest.page, folder / f"payments-phone{ending}.jpg")
    guest.close()


def main(write: Callable[[str], object] = sys.stdout.write) -> None:
    """Take all screenshots."""
    if missing := missing_requirements():
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
