"""Practice on a phone: exercises, their links, and the puzzle of the day."""

import re

from browser.contexts import expect
from browser.parlour import MakeGuest, in_every_language


@in_every_language
def test_a_visitor_practises_without_an_account(stranger: MakeGuest, language: str) -> None:
    """An exercise is answered by touch or keys; the answer, its reason and the link remain."""
    player = stranger(language=language)
    page = player.page
    page.goto("/practice")
    player.check("phone", "desktop")
    player.resize("phone")
    page.get_by_role("link").filter(has_text=player.say("practice.kind.safe.about")).tap()
    choices = page.get_by_role("group").get_by_role("button")
    check = player.button("practice.answer.check")
    expect(check).to_be_disabled()
    choices.first.tap()
    expect(choices.first).to_have_attribute("aria-pressed", "true")
    choices.first.tap()
    expect(check).to_be_disabled()
    choices.first.focus()
    page.keyboard.press("Space")
    check.click()
    verdict = page.get_by_role("article").get_by_role("status")
    expect(verdict).to_contain_text(
        re.compile("|".join(player.say(f"practice.answer.{name}") for name in ("right", "wrong")))
    )
    expect(verdict).to_be_focused()  # the button that had the focus is gone
    expect(page.get_by_role("definition").first).not_to_be_empty()
    player.check("phone", "desktop")
    player.resize("phone")
    question = page.get_by_role("heading", level=2)
    asked, address = question.inner_text(), page.url
    player.press("practice.answer.next")
    expect(verdict).to_be_empty()
    expect(question).to_be_focused()
    assert page.url != address
    page.goto(address)
    expect(question).to_have_text(asked)


def test_the_puzzle_of_the_day_has_a_link_with_its_date(stranger: MakeGuest) -> None:
    player = stranger()
    page = player.page
    page.goto("/practice")
    player.link("practice.page.solve").tap()
    page.wait_for_url(re.compile(r"/practice/day/\d{4}-\d\d-\d\d\?rules=standard$"))
    expect(page.get_by_role("heading", level=1)).not_to_contain_text(":")  # a date without a time
    page.get_by_role("group").get_by_role("button").first.tap()
    expect(page.get_by_role("article").get_by_role("status")).not_to_be_empty()
    player.button("web.calc.link").wait_for()
    page.goto("/practice/points/1")
    expect(page.get_by_role("article")).to_contain_text(player.say("web.table.winning_tile"))
    page.goto("/practice/nothing")
    player.see("web.lost.title")


def test_only_people_have_mistakes_to_practise(stranger: MakeGuest) -> None:
    player = stranger(language="ja")
    player.page.goto("/practice/mistake")
    player.see("practice.page.sign_in")
    player.field("web.guest.name").fill("Mina")
    player.page.keyboard.press("Enter")
    player.see("practice.page.none_due")
    expect(player.link("practice.page.to_games")).to_have_attribute("href", "/games")
