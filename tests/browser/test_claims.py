"""Listed players scan a code, claim their name and confirm games; the organiser can undo a claim."""

import re
from typing import Any, Final

import pytest

from browser.contexts import expect
from browser.parlour import PASSWORD, Guest, MakeGuest, slow_in_a_browser
from server.clubs import BUST, Club

pytestmark = slow_in_a_browser
NAMES: Final = ("Ann", "Ben", "Cho", "Dai")


@pytest.fixture
def club(parlour: str) -> Club:
    club = Club(parlour, 0)
    club.entries = [*"abcd"]
    club.add(*({"id": entry, "name": name} for entry, name in zip("abcd", NAMES, strict=True)))
    return club


def claim(player: Guest) -> Any:
    """Return the section of the page in which a name can be claimed."""
    title = re.compile(
        "|".join(player.say(f"event.claim.{key}", name=".*") for key in ("title", "is_it_you"))
    )
    return player.page.get_by_role("region", name=title)


def choose(player: Guest, name: str) -> None:
    """Select a listed name and claim it."""
    claim(player).get_by_role("button", name=name, exact=True).click()
    player.heading("event.claim.is_it_you", name=name).wait_for()
    player.press("event.claim.me")


def test_four_players_scan_their_table_card_and_confirm_the_game(club: Club, stranger: MakeGuest) -> None:
    club.add({"name": "Eun", "id": "e"})
    table = club.game("scanned", club.organiser, label="3")
    table.enter(BUST)
    code = club.organiser.get("")["code"]
    for at, name in enumerate(NAMES):
        player = stranger()
        page = player.page
        page.goto(f"/record/{club.id}?table=3&code={code}")
        here = claim(player).get_by_role("list").first.get_by_role("button")
        expect(here).to_have_text(list(NAMES[at:]), use_inner_text=True)
        player.check()
        choose(player, name)
        expect(page.get_by_role("combobox", name="East", exact=True)).to_have_value(club.entries[at])
        page.get_by_role("link", name=re.compile("Table 3")).click()
        page.wait_for_url(f"**/{table.id}")
        confirmed = player.post(f"events/{club.id}/{table.path}/confirm", {"head": table.head})
        assert confirmed["status"] == ("confirmed" if name == "Dai" else "over")


def test_a_claim_by_card_can_be_undone(club: Club, stranger: MakeGuest) -> None:
    organiser, player = stranger("desktop").become(club.organiser), stranger()
    desk = organiser.page
    desk.goto(f"/desk/{club.id}")
    organiser.open_tab("print")
    organiser.choice("desk.print.names").check()
    for name in NAMES:
        code = desk.get_by_role("img", name=organiser.say("desk.print.qr_name", name=name))
        expect(code).to_have_js_property("complete", value=True)
        assert code.evaluate("(one) => one.naturalWidth") > 0
    organiser.open_tab("people")
    desk.get_by_role("button", name="Ben", exact=True).click()
    organiser.fold("desk.people.card", name="Ben").click()
    link = organiser.sheet.get_by_role("textbox", name=re.compile("^Link: ")).input_value()
    organiser.close_dialog()

    player.page.goto(link[link.index("/events/") :])
    player.heading("event.claim.is_it_you", name="Ben").wait_for()
    player.press("event.claim.me")
    player.see("event.register.playing", name="Ben")

    organiser.press("desk.people.claim_undo")
    organiser.confirm_question()
    expect(organiser.heading("desk.people.claims")).to_have_count(0)
    player.page.goto(f"/events/{club.id}")
    claim(player).wait_for()


def test_joining_under_a_listed_name_offers_it_and_the_organiser_decides(
    club: Club, stranger: MakeGuest
) -> None:
    organiser, player = stranger("desktop").become(club.organiser), stranger().enter("cho")
    player.page.goto(f"/events/{club.id}")
    player.heading("event.claim.is_it_you", name="Cho").wait_for()
    player.press("event.claim.me")
    player.see("event.claim.asked", name="Cho")
    organiser.page.goto(f"/desk/{club.id}")
    organiser.link("desk.overview.claims").click()
    organiser.press("desk.people.claim_accept")
    player.see("event.register.playing", name="Cho")  # the page shows this without a reload


def test_a_listed_name_equal_to_an_account_is_claimed_under_another_guest_name(
    club: Club, stranger: MakeGuest
) -> None:
    name = f"Ann {club.id[:6]}"
    stranger().post("register", {"name": name, "password": PASSWORD})
    club.organiser.patch("entries/a", name=name)
    player = stranger()
    player.expect_fault("409")
    player.page.goto(f"/record/{club.id}?table=1&code={club.organiser.get('')['code']}")
    choose(player, name)
    player.notice.wait_for()
    player.box("web.guest.name").fill("Ann of the list")
    player.page.keyboard.press("Enter")
    expect(player.box("web.guest.name")).to_have_count(0)
    player.press("event.claim.me")
    expect(player.page.get_by_role("combobox", name="East", exact=True)).to_have_value("a")


def test_a_name_claimed_meanwhile_is_no_longer_offered(club: Club, stranger: MakeGuest) -> None:
    code = club.organiser.get("")["code"]
    first, second = stranger().enter("First"), stranger("small")
    second.expect_fault("409")
    longest = "W" * 40
    club.organiser.patch("entries/b", name=longest)
    second.page.goto(f"/record/{club.id}?table=1&code={code}")
    claim(second).get_by_role("button", name=longest).click()
    first.post(f"events/{club.id}/entries/b/claim", {"code": code})
    second.press("event.claim.me")
    expect(second.notice).to_contain_text(longest)
    offered = claim(second).get_by_role("listitem").get_by_role("button")
    expect(offered).to_have_text(["Ann", "Cho", "Dai"], use_inner_text=True)
    second.fits()
    choose(second, "Cho")
    expect(claim(second)).to_have_count(0)
