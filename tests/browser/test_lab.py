"""The lab in the browser: what a change of rules does, and which discard is best."""

from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import Game, terms
from jantaku.bots import bot
from jantaku.records import formats
from support.lab import compile_lab

pytestmark = slow_in_a_browser
pytest.importorskip("polars")
WORDS: Final = terms.table("web", "en")["lab"]
CLUB: Final = 'extends = "standard"\n[yaku.tanyao]\nopen = false\n'


def a_game() -> str:
    """A stored game between bots."""
    game, player = Game("standard", seed=3), bot("efficient", 3)
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return formats.dumps(game, "jantaku")


@requires_axe
def test_the_lab_answers_from_the_editor_the_calculator_and_a_replay(guest: Callable[..., Guest]) -> None:
    compile_lab()
    player = guest()
    page = player.page
    page.goto("/edit/standard")
    page.wait_for_selector("details")
    file = {"name": "club.toml", "mimeType": "application/toml", "buffer": CLUB.encode()}
    page.set_input_files("input[type=file]", files=[file])
    ask = page.get_by_role("button", name=WORDS["what_changes"])
    expect(page.get_by_role("status").first).to_contain_text("1 ")
    page.get_by_label(WORDS["games"]).select_option("100")
    ask.click()
    page.wait_for_url("**/lab/*")
    address = page.url
    page.reload()  # the question has an address
    expect(page.locator(".changes li")).to_have_count(1)
    expect(page.get_by_role("status").first).to_contain_text("Answered: 100 games")
    clear = page.locator("tbody tr")
    expect(clear.filter(has_text="Hands with calls")).to_have_count(1)
    page.get_by_role("button", name="All ").click()
    expect(clear.nth(20)).to_be_visible()
    assert serious_faults(player) == []
    page.get_by_role("link", name=WORDS["mine"]).click()
    expect(page.locator(".questions li")).to_have_count(1)
    stranger = guest("Joon")
    stranger.expect_fault("404")
    stranger.page.goto(address)
    expect(stranger.page.locator("p[role=alert]")).to_be_visible()

    page.goto("/calc?hand=19m1458p2358s1z5z6z7z")
    page.get_by_role("button", name=WORDS["which"]).click()
    expect(page.locator(".which tbody tr")).to_have_count(6)
    page.get_by_role("button", name=WORDS["stop"]).click()
    expect(page.get_by_role("status").filter(has_text="Stopped after")).to_be_visible()
    assert serious_faults(player) == []

    sent = player.post("uploads", {"name": "game.json", "text": a_game()})
    page.goto(f"/u/{sent['id']}")
    page.get_by_role("button", name=WORDS["which_short"]).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=WORDS["which"]).click()
    expect(sheet.locator("tbody tr")).to_have_count(6)
    sheet.get_by_role("button", name="Close").click()
    page.goto("/lab")
    states = page.locator(".questions li")
    expect(states).to_have_count(3)
    expect(states.filter(has_text=WORDS["state"]["stopped"])).to_have_count(2)  # the sheet is closed
