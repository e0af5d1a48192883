"""A paper sheet under rules with chips and yakitori: the form says what it needs, and sends it."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
DESK = terms.table("desk", "en")
TOML = """extends = "standard"
name = { en = "Chips" }
[match]
yakitori = 3000
[chips]
value = 1000
"""


@requires_axe
def test_points_chips_and_who_has_won_nothing_are_entered(stranger: Callable[..., Guest]) -> None:
    player = stranger()
    page = player.page
    player.post("register", {"name": "chip maker", "password": "correct horse", "language": "en"})
    rules = player.rules(TOML)
    made = {"name": {"en": "Chips"}, "rules": rules, "stages": [{"id": "main", "kind": "open"}]}
    path = f"events/{player.post('events', made)['id']}"
    people = [{"name": name, "id": f"p{i}"} for i, name in enumerate("ABCD")]
    player.post(f"{path}/entries/list", {"entries": people})
    game = {"id": "paper-game", "stage": "main", "players": [f"p{i}" for i in range(4)]}
    player.post(f"{path}/games", game)

    page.goto(f"/desk/{path.removeprefix('events/')}/games")
    page.locator("button.game").click()
    page.get_by_role("button", name=DESK["game"]["points"], exact=True).click()
    form = page.locator(".sheet form")
    expect(form).to_contain_text(DESK["points"]["extra_both"])
    for field, points in zip(
        form.locator(".points input").all(), ("40,000", "30000", "20000", "10000"), strict=True
    ):
        field.fill(points)
    page.fill("input[name=points-why]", "from the sheet")
    enter = page.get_by_role("button", name=DESK["game"]["points_enter"], exact=True)
    form.locator("input[name=chips-0]").fill("3")
    expect(form).to_contain_text(DESK["points"]["chips_over"].format(sum="+3"))
    expect(enter).to_be_disabled()
    form.locator("input[name=chips-3]").fill("3")
    form.locator("label", has=page.locator("input[name=chips-3]")).get_by_role("button").tap()
    expect(form.locator("input[name=chips-3]")).to_have_value("-3")
    form.locator("input[name=no-win-3]").check()
    assert serious_faults(player) == []
    enter.click()
    expect(page.locator(".sheet")).to_contain_text("A +3,000 · B +3,000 · C +3,000 · D −9,000")
    shown = page.request.get(f"/api/{path}/games/paper-game").json()
    assert (shown["chips"], shown["only_points"]) == ([3, 0, 0, -3], True)
    page.keyboard.press("Escape")
    page.locator("nav.tabs a[href$='/print']").click()
    page.emulate_media(media="print")
    rows = page.locator(".sheet-page tr.last th").all_inner_texts()
    assert rows[1:3] == [DESK["print"]["chips"].format(value="1,000"), DESK["print"]["no_win"]]
