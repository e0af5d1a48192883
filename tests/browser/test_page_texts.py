"""No text is cut or covered in a replay, in the recorder, at the end of a hand or in the lobby."""

import itertools
from collections.abc import Callable
from typing import Final

from browser.contexts import VIEWPORTS, expect
from browser.fitting import hidden_texts
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import Recording
from browser.test_hand_end import PAID, WIN, end, told
from browser.test_review import a_game
from browser.test_table_texts import in_languages

pytestmark = slow_in_a_browser
SIZES: Final = ("small", "phone", "tall", "short", "desktop")
CUT_CHOICES: Final = """() => {
  const wrong = []; // a list's arrow takes 18 pixels
  const paint = document.createElement('canvas').getContext('2d');
  for (const select of document.querySelectorAll('select')) {
    const style = getComputedStyle(select);
    paint.font = style.font;
    const room = select.clientWidth - 18 - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const text = select.selectedOptions[0]?.textContent ?? '';
    if (paint.measureText(text).width > room) wrong.push(`cut choice: ${text}`);
  }
  return wrong;
}"""

TEXT_BOXES: Final = """(links) => links.map((link) => {
  const range = document.createRange();
  range.selectNodeContents(link);
  return range.getBoundingClientRect().toJSON();
})"""


def cut_in(player: Guest, names: tuple[str, ...] = SIZES, root: str = "main") -> dict[str, list[str]]:
    """What is cut or covered on the open page, by size of the window."""
    found: dict[str, list[str]] = {}
    for name in names:
        width, height = VIEWPORTS[name]
        player.page.set_viewport_size({"width": width, "height": height})
        player.still()
        wrong = hidden_texts(player.page, root) + player.page.evaluate(CUT_CHOICES)
        found |= {name: wrong} if wrong else {}
    return found


@in_languages
def test_a_replay_is_whole(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    sent = player.post("uploads", {"name": "game.json", "text": a_game()})
    player.page.goto(f"/u/{sent['id']}?seat=0&at=60")
    player.page.wait_for_selector(".moment .risk")
    found = cut_in(player)
    for name in SIZES:
        player.resize(name)
        expect(player.page.locator(".moment .risk").first).to_be_in_viewport(ratio=1)
    assert found == {}, "\n".join(map(str, found.items()))


@in_languages
def test_the_recorder_is_whole(stranger: Callable[..., Guest], language: str) -> None:
    recording = Recording(stranger(language=language))
    recording.start("texts")
    found = cut_in(recording.player)
    assert found == {}, "\n".join(map(str, found.items()))


@in_languages
def test_the_lobby_is_whole(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    player.table("standard", 0, private=False)
    player.page.goto("/")
    player.page.wait_for_selector(".links")
    found = cut_in(player)
    player.resize("small")
    links = player.page.locator("nav.page-links a").evaluate_all(TEXT_BOXES)
    assert all(one["right"] + 3 < other["left"] for one, other in itertools.pairwise(links))
    assert found == {}, "\n".join(map(str, found.items()))


@in_languages
def test_the_end_of_a_hand_is_whole(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    puppet = told(player)
    end(puppet, WIN, PAID)
    puppet.page.wait_for_selector(".sheet")
    found = cut_in(player, ("tall", "short", "desktop"), ".sheet")
    assert found == {}, "\n".join(map(str, found.items()))


@in_languages
def test_the_way_back_to_a_game_covers_nothing(stranger: Callable[..., Guest], language: str) -> None:
    recording = Recording(stranger(language=language))
    player = recording.player
    recording.start("strip")
    sent = player.post("uploads", {"name": "game.json", "text": a_game()})
    table = player.table("standard", 3)
    player.post(f"tables/{table}/start", {})
    found: dict[str, dict[str, list[str]]] = {}
    for path, ready in (
        (f"/u/{sent['id']}?seat=0&at=60", ".moment .risk"),
        (recording.home.replace("record", "desk"), "h1"),
        (f"{recording.home}/{recording.id}", "[data-seat='0']"),
    ):
        player.page.goto(path)
        player.page.wait_for_selector(ready)
        if not path.startswith("/record"):
            expect(player.page.locator(f"a[href='/t/{table}']").first).to_be_in_viewport(ratio=1)
        wrong = cut_in(player, ("tall", "short", "desktop"))
        if "/desk/" in path:  # its tabs scroll sideways
            beyond = ("cut:", "outside:")
            covered = {
                at: [one for one in faults if not one.startswith(beyond)] for at, faults in wrong.items()
            }
            wrong = {at: faults for at, faults in covered.items() if faults}
        found |= {path: wrong} if wrong else {}
    assert found == {}, "\n".join(map(str, found.items()))
