"""An evening without hands: players type how their game ended, others confirm, a referee does the rest."""

from collections.abc import Callable
from typing import Any, Final

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import WORDS, Recording
from browser.test_desk import button
from jantaku import terms

pytestmark = slow_in_a_browser
DESK: Final = terms.table("desk", "en")
EVENT: Final = terms.table("event", "en")
POINTS: Final = ("40000", "30000", "20000", "10000")


def come(guest: Guest, recording: Recording, name: str) -> None:
    """A guest says who they are by the code of the venue."""
    code = recording.page.request.get(f"/api/{recording.event}").json()["code"]
    guest.page.goto(f"{recording.home}?code={code}")
    claim = guest.page.locator(".claim")
    claim.get_by_role("button", name=name, exact=True).click()
    button(claim, EVENT["claim"]["me"]).click()
    claim.wait_for(state="detached")


def type_points(page: Any, points: tuple[str, ...]) -> None:
    for field, value in zip(page.locator(".points input").all(), points, strict=True):
        field.fill(value)


def test_one_types_the_points_and_the_others_confirm(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger())
    first, second = stranger(), stranger()
    come(first, recording, "Kim")
    page = first.page
    for seat, name in enumerate(("Park", "Sato", "Lee"), 1):
        page.locator(".seats select").nth(seat).select_option(label=name)
    page.get_by_role("switch", name=WORDS["ended"]).click()
    type_points(page, POINTS)
    button(page, WORDS["points_enter"]).click()
    sheet = page.locator(".sheet")
    expect(sheet).to_contain_text(WORDS["game_over"])
    expect(sheet.locator("li", has_text="Kim")).to_contain_text("40,000")
    come(second, recording, "Park")
    second.page.goto(f"{recording.home}/{page.url.split('/')[-1]}")
    button(second.page, WORDS["points_change"]).click()  # they were typed wrong
    type_points(second.page, POINTS[::-1])
    button(second.page, WORDS["points_enter"]).click()
    expect(second.page.locator(".sheet li", has_text="Kim")).to_contain_text("10,000")
    expect(sheet.locator("li", has_text="Kim")).to_contain_text("10,000")
    button(sheet.locator("li", has_text="Kim"), WORDS["confirm"]).click()
    for name in ("Sato", "Lee"):
        own = button(sheet.locator("li", has_text=name), WORDS["confirm"])
        own.click()
        expect(own).to_have_count(0)
    expect(sheet).to_contain_text(WORDS["confirmed"])
    games = page.request.get(f"/api/{recording.event}/games").json()["games"]
    assert [(game["status"], game["scores"]) for game in games] == [
        ("confirmed", [10000, 20000, 30000, 40000])
    ]


def test_a_game_that_was_begun_ends_by_its_points_from_the_menu(stranger: Callable[..., Guest]) -> None:
    recording = Recording(stranger())
    recording.start("menu")
    page = recording.page
    page.get_by_role("button", name=WORDS["menu"], exact=True).click()
    button(page, WORDS["points"]).click()
    type_points(page, POINTS)
    button(page, WORDS["points_enter"]).click()
    expect(page.locator(".sheet")).to_contain_text(WORDS["confirmed"])  # whoever runs the event decides
    assert recording.view()["scores"] == [40000, 30000, 20000, 10000]


def test_a_referee_confirms_all_but_what_is_disputed_and_opens_that_hand(
    stranger: Callable[..., Guest],
) -> None:
    recording = Recording(stranger())
    page, player = recording.page, recording.player
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 4}]}
    for name in ("one", "two", "three"):
        recording.id = f"over-{name}"
        player.post(
            f"{recording.event}/games",
            {"id": recording.id, "stage": "league", "players": list(recording.seats)},
        )
        player.post(f"{recording.path}/hands", {"id": f"hand-{name}", "follows": "", "hand": bust})
    player.post(
        f"{recording.event}/calls",
        {"kind": "dispute", "game": "over-two", "version": "hand-two", "why": "3 han"},
    )
    event = recording.event.split("/")[1]
    page.goto(f"/desk/{event}/games")
    button(page, filled(DESK["games"]["confirm_all"], count=2)).click()
    page.locator(".sure").click()
    page.get_by_text(filled(DESK["games"]["confirmed_all"], count=2)).wait_for()
    states = {
        game["id"]: game["status"]
        for game in page.request.get(f"/api/{recording.event}/games").json()["games"]
    }
    assert states == {"over-one": "confirmed", "over-two": "over", "over-three": "confirmed"}
    page.goto(f"/desk/{event}/referee")
    page.get_by_role("link", name=DESK["dispute"]["open"]).click()
    expect(page.locator(".sheet h2")).to_contain_text("East 1")
    assert page.url.endswith("?hand=hand-two")
