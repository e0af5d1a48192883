"""Whoever is on the list scans a code, says who they are, and confirms games; the organiser undoes it."""

from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from browser.test_desk import WIDE, button, open_tab
from jantaku import terms
from server.clubs import BUST, Club
from server.parlour import PASSWORD

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("event", "en")["claim"]
DESK: Final = terms.table("desk", "en")
NAMES: Final = ("Ann", "Ben", "Cho", "Dai")


@pytest.fixture
def club(parlour: str) -> Club:
    club = Club(parlour, 0)
    club.entries = [*"abcd"]
    club.add(*({"id": entry, "name": name} for entry, name in zip("abcd", NAMES, strict=True)))
    return club


def say_who(player: Guest, name: str) -> None:
    """Choose a name of the list, and say that it is one's own."""
    page = player.page
    button(page.locator(".claim .names"), name).click()
    page.locator(".claim h2", has_text=WORDS["is_it_you"].format(name=name)).wait_for()
    button(page, WORDS["me"]).click()
    page.locator(".claim").wait_for(state="detached")


def test_four_scan_the_card_of_their_table_and_confirm_the_game(
    club: Club, stranger: Callable[..., Guest]
) -> None:
    club.add({"name": "Eun", "id": "e"})
    table = club.game("scanned", club.organiser, label="3")
    table.enter(BUST)
    code = club.organiser.get(club.at)["code"]
    for name in NAMES:
        player = stranger()
        page = player.page
        page.goto(f"/record/{club.id}?table=3&code={code}")
        here = page.locator(".claim > .names button")
        free = NAMES[NAMES.index(name) :]
        expect(here).to_have_text(list(free), use_inner_text=True)
        assert not page.evaluate(WIDE)
        if name == "Ann" and AXE.is_file():
            assert serious_faults(player) == []
        say_who(player, name)
        own = club.entries[NAMES.index(name)]
        expect(page.locator(".seats select").first).to_have_value(own)
        page.locator(".games a").first.click()
        page.locator(".table, main").first.wait_for()
        confirmed = page.request.post(f"{club.at}/{table.path}/confirm", data={"head": table.head}).json()
        assert confirmed["status"] == ("confirmed" if name == "Dai" else "over")


def test_a_card_is_opened_and_undone(club: Club, stranger: Callable[..., Guest]) -> None:
    organiser, player = stranger("desktop"), stranger()
    organiser.post("register", {"name": f"Card keeper {club.id[:6]}", "password": PASSWORD})
    name = organiser.page.request.get("/api/me").json()["person"]["name"]
    club.organiser.post(f"{club.at}/staff", name=name, role="organiser")
    desk = organiser.page
    desk.goto(f"/desk/{club.id}")
    open_tab(organiser, "print")
    button(desk, DESK["print"]["names"]).click()
    expect(desk.locator(".paper h2")).to_have_text(list(NAMES), use_inner_text=True)
    code = desk.locator(".paper img").first
    expect(code).to_have_js_property("complete", value=True)
    assert code.evaluate("one => one.naturalWidth") > 0
    open_tab(organiser, "people")
    desk.locator("button.name", has_text="Ben").click()
    desk.locator(".sheet summary", has_text=DESK["people"]["card"].format(name="Ben")).click()
    link = desk.locator(".sheet .share input").input_value()
    desk.keyboard.press("Escape")

    page = player.page
    page.goto(link[link.index("/events/") :])
    page.locator(".claim h2", has_text=WORDS["is_it_you"].format(name="Ben")).wait_for()
    button(page, WORDS["me"]).click()
    page.locator(".good", has_text="Ben").wait_for()

    claims = desk.locator(".claims")
    button(claims, DESK["people"]["claim_undo"]).click()
    desk.locator(".sure").click()
    expect(claims).to_have_count(0)
    page.goto(f"/events/{club.id}")
    expect(page.locator(".good")).to_have_count(0)


def test_joining_under_a_listed_name_offers_it_and_the_organiser_decides(
    club: Club, stranger: Callable[..., Guest]
) -> None:
    organiser, player = stranger("desktop"), stranger().enter("cho")
    organiser.post("register", {"name": f"Decider {club.id[:6]}", "password": PASSWORD})
    name = organiser.page.request.get("/api/me").json()["person"]["name"]
    club.organiser.post(f"{club.at}/staff", name=name, role="organiser")
    page = player.page
    page.goto(f"/events/{club.id}")
    page.locator(".claim h2", has_text=WORDS["is_it_you"].format(name="Cho")).wait_for()
    button(page, WORDS["me"]).click()
    page.get_by_text(WORDS["asked"].format(name="Cho")).wait_for()
    desk = organiser.page
    desk.goto(f"/desk/{club.id}")
    desk.locator(".attention a", has_text=DESK["overview"]["claims"]).click()
    button(desk.locator(".claims"), DESK["people"]["claim_accept"]).click()
    page.locator(".good", has_text="Cho").wait_for()  # by itself


def test_who_is_called_like_an_account_says_who_they_are_under_another_name(
    club: Club, stranger: Callable[..., Guest]
) -> None:
    name = f"Ann {club.id[:6]}"
    stranger().post("register", {"name": name, "password": PASSWORD})
    club.organiser.http.patch(f"{club.at}/entries/a", json={"name": name})
    player = stranger()
    player.expect_fault("409")
    page = player.page
    page.goto(f"/record/{club.id}?table=1&code={club.organiser.get(club.at)['code']}")
    button(page.locator(".claim .names"), name).click()
    button(page, WORDS["me"]).click()
    page.locator(".notices p").wait_for()
    page.locator(".claim input").fill("Ann of the list")
    page.keyboard.press("Enter")
    page.locator(".claim input").wait_for(state="detached")
    button(page, WORDS["me"]).click()
    expect(page.locator(".seats select").first).to_have_value("a")


def test_a_name_that_has_been_taken_meanwhile_is_no_longer_offered(
    club: Club, stranger: Callable[..., Guest]
) -> None:
    code = club.organiser.get(club.at)["code"]
    first, second = stranger().enter("First"), stranger("small")
    second.expect_fault("409")
    page = second.page
    longest = "W" * 40
    club.organiser.http.patch(f"{club.at}/entries/b", json={"name": longest})
    page.goto(f"/record/{club.id}?table=1&code={code}")
    button(page.locator(".claim .names"), longest).click()
    first.post(f"events/{club.id}/entries/b/claim", {"code": code})
    button(page, WORDS["me"]).click()
    page.locator(".notices p", has_text=longest).wait_for()
    expect(page.locator(".claim .names button")).to_have_text(["Ann", "Cho", "Dai"], use_inner_text=True)
    assert not page.evaluate(WIDE)
    say_who(second, "Cho")
