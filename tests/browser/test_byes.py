"""Points for a bye: the settings take only numbers, and the standings show byes in a column of their own."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
DESK, EVENT = terms.table("desk", "en"), terms.table("event", "en")


@requires_axe
def test_byes_from_the_settings_to_the_standings(stranger: Callable[..., Guest]) -> None:
    player = stranger()
    page = player.page
    player.post("register", {"name": "bye maker", "password": "correct horse", "language": "en"})
    made = {"name": {"en": "Byes"}, "rules": "tenhou", "stages": [{"id": "main", "kind": "rounds"}]}
    event = player.post("events", made)["id"]
    path = f"events/{event}"
    people = [{"name": f"P{i}", "id": f"p{i}"} for i in range(9)]
    player.post(f"{path}/entries/list", {"entries": people})

    page.goto(f"/desk/{event}/rounds")
    page.locator("summary", has_text=DESK["rounds"]["settings"]).click()
    field = page.locator("input[name=bye]")
    for wrong in ("many", "12x"):
        field.fill(wrong)
        expect(page.locator("label [role=alert]")).to_have_text(DESK["points"]["no_number"])
        field.press("Enter")
        assert page.request.get(f"/api/{path}/rounds/main").json()["settings"]["bye_points"] == 0
    field.fill("12,000")
    expect(page.locator("label [role=alert]")).to_be_hidden()
    field.press("Enter")
    page.get_by_text(DESK["settings"]["saved"]).wait_for()
    assert page.request.get(f"/api/{path}/rounds/main").json()["settings"]["bye_points"] == 12000

    player.post(f"{path}/rounds/main/seating", {"how": "random"})
    expect(page.locator(".seating")).to_contain_text(DESK["rounds"]["publish"])
    player.post(f"{path}/rounds/main/publish", {"start": True})
    page.goto(f"/events/{event}/standings")
    row = page.locator("tr", has_text="+12.0").first
    expect(page.locator("thead")).to_contain_text(EVENT["table"]["bye"])
    expect(row.locator("td").last).to_have_text("+12.0")
    assert serious_faults(player) == []
    player.resize("desktop")
    expect(row.locator("td").last).to_be_visible()
