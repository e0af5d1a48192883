"""The lab in the browser: the effect of a rule change, and the best discard."""

from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import MakeGuest, slow_in_a_browser
from browser.test_games import game_text
from jantaku import terms
from support.lab import compile_lab

pytestmark = slow_in_a_browser
pytest.importorskip("polars")
WORDS: Final = terms.table("web", "en")["lab"]
CLUB: Final = 'extends = "standard"\n[yaku.tanyao]\nopen = false\n'


def test_the_lab_answers_from_the_editor_the_calculator_and_a_replay(guest: MakeGuest) -> None:
    compile_lab()
    player = guest()
    page = player.page
    page.goto("/edit/standard")
    file = {"name": "club.toml", "mimeType": "application/toml", "buffer": CLUB.encode()}
    player.field("web.editor.load").set_input_files(files=[file])
    ask = page.get_by_role("button", name=WORDS["what_changes"])
    expect(page.get_by_role("status").first).to_contain_text("1 ")
    page.get_by_label(WORDS["games"]).select_option("100")
    ask.click()
    page.wait_for_url("**/lab/*")
    address = page.url
    page.reload()  # each question has a URL of its own
    changes = page.get_by_role("list").filter(has_text="→")
    expect(changes.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("status").first).to_contain_text("Answered: 100 games")
    clear = page.get_by_role("row").filter(has=page.get_by_role("rowheader"))
    expect(clear.filter(has_text="Hands with calls")).to_have_count(1)
    page.get_by_role("button", name="All ").click()
    expect(clear.nth(20)).to_be_visible()
    player.check()
    page.get_by_role("link", name=WORDS["mine"]).click()
    questions = page.get_by_role("main").get_by_role("listitem")
    expect(questions).to_have_count(1)
    stranger = guest("Joon")
    stranger.expect_fault("404")
    stranger.page.goto(address)
    expect(stranger.page.get_by_role("main").get_by_role("alert")).to_be_visible()

    page.goto("/calc?hand=19m1458p2358s1z5z6z7z")
    page.get_by_role("button", name=WORDS["which"]).click()
    expect(clear).to_have_count(6)
    page.get_by_role("button", name=WORDS["stop"]).click()
    expect(page.get_by_role("status").filter(has_text="Stopped after")).to_be_visible()
    player.check()

    sent = player.post("uploads", {"name": "game.json", "text": game_text()})
    page.goto(f"/u/{sent['id']}")
    page.get_by_role("button", name=WORDS["which_short"]).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=WORDS["which"]).click()
    expect(sheet.get_by_role("rowheader").filter(has_text=WORDS["played"])).to_have_count(1)
    player.close_dialog()
    page.goto("/lab")
    expect(questions).to_have_count(3)
    expect(questions.filter(has_text=WORDS["state"]["stopped"])).to_have_count(
        2
    )  # closing the dialog stops the simulation
