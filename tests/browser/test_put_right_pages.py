"""What went wrong is put right at the desk: the rules, who sat where, a reserve, and who did not come."""

import re
from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import WIDE, button
from jantaku import terms
from server.clubs import SCORES, Club
from server.parlour import PASSWORD

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
CHECK_IN_OTHERS: Final = """(away) => document.querySelectorAll('button.check').forEach((one) => {
  if (!one.closest('li').innerText.includes(away)) one.click();
})"""


@pytest.fixture
def cup(parlour: str) -> Club:
    """Two tables of a round in play; one of them has ended by its points."""
    cup = Club(parlour, 8)
    cup.seat([cup.entries[:4], cup.entries[4:]])
    cup.run("publish", start=True)
    cup.run("1/results", results=[{"table": 1, "scores": SCORES}])
    cup.add("reserve")
    return cup


def organiser(cup: Club, come: Callable[..., Guest], tab: str) -> Guest:
    player = come("desktop")
    player.page.set_viewport_size({"width": 1366, "height": 768})
    player.post("register", {"name": f"Mender {cup.id[:6]}", "password": PASSWORD})
    name = player.page.request.get("/api/me").json()["person"]["name"]
    cup.organiser.post(f"{cup.at}/staff", name=name, role="organiser")
    player.page.goto(f"/desk/{cup.id}/{tab}")
    return player


def test_other_rules_are_looked_at_before_they_count(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = organiser(cup, stranger, "settings")
    page = player.page
    page.locator(".settings select").first.select_option("mahjongsoul")
    button(page, WORDS["save"]).click()
    sheet = page.locator(".sheet")
    sheet.get_by_text(WORDS["rules"]["about"]).wait_for()
    sheet.locator("input[name=rules-why]").fill("the wrong preset")
    button(sheet, WORDS["rules"]["act"]).click()
    sheet.wait_for(state="detached")
    assert cup.organiser.get(cup.at)["rules"] == "mahjongsoul"
    page.goto(f"/desk/{cup.id}/log")
    page.get_by_text("the wrong preset").first.wait_for()


def test_a_game_gets_the_people_who_really_sat_there(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = organiser(cup, stranger, "games")
    page = player.page
    page.locator(".game", has_text=WORDS["rounds"]["table"].format(number=1)).click()
    sheet = page.locator(".sheet")
    sheet.locator("summary", has_text=WORDS["game"]["seats"]).click()  # closed, since the game has begun
    sheet.locator("details select").first.select_option(cup.entries[1])  # the two swap by one choice
    sheet.locator("input[name=seats-why]").fill("they had swapped")
    button(sheet, WORDS["game"]["seats_act"]).click()
    expect(sheet.locator("input[name=seats-why]")).to_have_value("")
    table = cup.organiser.get(cup.rounds)["rounds"][0]["tables"][0]
    assert table["players"][:2] == [cup.entries[1], cup.entries[0]]


def test_a_reserve_sits_down_in_the_round_that_is_played(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = organiser(cup, stranger, "rounds")
    page = player.page
    words = WORDS["rounds"]
    page.locator(".tables > li").nth(1).locator("ol button").first.click()
    sheet = page.locator(".sheet")
    expect(sheet.get_by_role("switch", name=words["later_too"])).to_be_checked()
    sheet.locator(".entry-chip", has_text="Reserve").click()
    page.locator(".sure").click()
    page.locator(".tables", has_text="Reserve").wait_for()
    assert not page.evaluate(WIDE)
    assert cup.organiser.get(cup.rounds)["rounds"][0]["tables"][1]["players"][0] == "reserve"


def test_the_round_in_play_stands_first_and_the_next_is_not_started_by_mistake(
    cup: Club, stranger: Callable[..., Guest]
) -> None:
    cup.run("seating/import", rounds=[[cup.entries[:4], cup.entries[4:]]], first=2)
    cup.run("publish")
    page = organiser(cup, stranger, "rounds").page
    cards = page.locator("main section.card")
    expect(cards.first).to_have_class(re.compile(r"\bround\b"))
    expect(cards.first.locator(".state")).to_have_class(re.compile("running"))
    press = WORDS["rounds"]["start"]
    button(page.locator(".round"), press).click()
    page.locator(".sheet", has_text=WORDS["rounds"]["early_about"]).wait_for()
    page.keyboard.press("Escape")
    page.locator(".sheet").wait_for(state="detached")
    assert [round_["state"] for round_ in cup.organiser.get(cup.rounds)["rounds"]] == ["running", "published"]
    button(page.locator(".round"), press).click()
    page.locator(".sure").click()
    expect(page.locator(".round .state.running")).to_have_count(2)
    begun = page.locator(".round", has_text=filled(WORDS["rounds"]["round"], number=2))
    button(begun, WORDS["rounds"]["take_back_act"]).click()
    page.locator(".sure").click()
    expect(page.locator(".round .state.running")).to_have_count(1)
    assert [round_["state"] for round_ in cup.organiser.get(cup.rounds)["rounds"]] == ["running", "published"]


def test_a_new_event_takes_those_of_an_earlier_one(cup: Club, stranger: Callable[..., Guest]) -> None:
    page = organiser(cup, stranger, "people").page
    made = page.request.post("/api/events", data={"name": "Autumn", "rules": "tenhou"}).json()["id"]
    page.goto(f"/desk/{made}/people")
    button(page, WORDS["people"]["add"]).click()
    page.select_option("select[name=earlier]", value=cup.id)
    expect(page.locator(".preview tbody tr")).to_have_count(9)
    page.locator(".sheet .foot .primary").click()
    page.locator(".sheet").wait_for(state="detached")
    taken, known = (
        [row["name"] for row in page.request.get(f"/api/events/{event}/entries").json()["entries"]]
        for event in (made, cup.id)
    )
    assert sorted(taken) == sorted(known)


def test_those_who_did_not_come_are_taken_out(cup: Club, stranger: Callable[..., Guest]) -> None:
    player = organiser(cup, stranger, "people")
    page = player.page
    page.locator("button.check").nth(8).wait_for()
    page.evaluate(CHECK_IN_OTHERS, "Reserve")
    expect(page.locator("button.check.lit")).to_have_count(8)  # every one of the quick taps
    button(page, filled(WORDS["people"]["no_shows"], count=1)).click()
    page.locator(".sheet", has_text="Reserve").wait_for()
    page.locator(".sure").click()
    page.locator(".sheet").wait_for(state="detached")
    rows = cup.organiser.get(f"{cup.at}/entries")["entries"]
    assert [row["id"] for row in rows if row["status"] == "withdrawn"] == ["reserve"]
