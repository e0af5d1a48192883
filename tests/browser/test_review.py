"""The review of a replay: numbers beside a decision, the largest losses, the chances of places."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.records import formats

pytestmark = slow_in_a_browser
WORDS = terms.table("learn", "en")["review"]
BOXES = "(at) => [...at.querySelectorAll('p')].map((one) => one.getBoundingClientRect().toJSON())"


def a_game() -> str:
    """A game of bots, one of which plays carelessly."""
    players = [bot("efficient", 3), *(bot("standard", seed) for seed in range(3))]
    game = Game("standard", seed=3)
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, players[seat].choose(game, seat))
    return formats.dumps(game, "jantaku")


@requires_axe
@pytest.mark.parametrize("viewport", ["phone", "desktop"])
def test_a_review_leads_to_the_decisions_that_cost_most(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest("Mina", viewport)
    page = player.page
    sent = player.post("uploads", {"name": "game.json", "text": a_game()})
    page.goto(f"/u/{sent['id']}?seat=0")
    page.get_by_role("button", name=WORDS["open"]).click()
    sheet = page.get_by_role("dialog")
    losses = sheet.locator(".losses button")
    expect(losses.first).to_be_visible()
    numbers = [int(re.sub(r"\D", "", text)) for text in sheet.locator(".losses .minus").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)
    expect(sheet.locator(".facts dd").first).to_contain_text("%")
    expect(sheet.locator("figure svg")).to_have_attribute("aria-label", re.compile("first hand"))
    sheet.locator("summary").click()
    expect(sheet.locator("tbody tr").last).to_contain_text(WORDS["end"])
    assert serious_faults(player) == []
    before = page.url
    losses.first.focus()
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    page.wait_for_function("before => location.href !== before", arg=before)
    moment = page.locator(".moment")
    expect(moment.locator(".loss")).to_contain_text(f"{numbers[0]:,}")
    expect(moment).to_contain_text("tiles")
    moment.locator("p").nth(1).wait_for()
    own, standard = moment.evaluate(BOXES)[:2]
    assert own["right"] <= standard["left"] or own["bottom"] <= standard["top"]  # each stands apart
    assert serious_faults(player) == []
    page.get_by_role("button", name=terms.table("web", "en")["lab"]["which_short"]).click()
    page.get_by_role("link", name=WORDS["calculator"]).click()
    page.wait_for_url("**/calc?hand=*")
    page.go_back()
    page.get_by_role("button", name=terms.table("web", "en")["lab"]["which_short"]).click()
    assert serious_faults(player) == []
    page.get_by_role("button", name=WORDS["what_if"]).click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".tile-button").first).to_be_visible()
