"""The pages of friends and the card of a person: asked from a card, agreed to on the page of friends."""

from collections.abc import Callable
from contextlib import closing

from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms
from server.test_ranked import member

INVITE = f"{terms.table('web', 'en')['friends']['invite']}: Jun with friends"
pytestmark = slow_in_a_browser


@requires_axe
def test_one_asks_from_a_card_and_the_other_agrees(guest: Callable[..., Guest], parlour: str) -> None:
    player = guest("Mina with friends")
    player.post("register", {"name": "Mina with friends", "password": "a long password", "language": "en"})
    page = player.page
    with closing(member(parlour, "Jun with friends")) as jun:
        page.goto(f"/people/{jun.id}")
        page.locator("article button.primary").click()
        page.locator("article button:not(.primary):not(.danger)").wait_for()
        assert serious_faults(player) == []
        (asking,) = jun.get("/api/friends")["asked"]
        jun.http.put(f"/api/friends/{asking['person']}", json={"tie": "friend"}).raise_for_status()
        page.goto("/people")
        page.get_by_role("link", name="Jun with friends").wait_for()
        assert serious_faults(player) == []
        for shown in (False, True):
            with page.expect_response("**/api/friends/presence?*") as kept:
                page.get_by_role("switch").click()
            assert kept.value.ok
            assert page.request.get("/api/friends").json()["presence"] is shown
        player.sit_down(player.table("standard", 0))
        with page.expect_response("**/api/friends/*/invite?*") as sent:
            page.get_by_role("button", name=INVITE).click()
        assert sent.value.ok
        assert [invitation["name"] for invitation in jun.get("/api/friends")["invitations"]] == [
            "Mina with friends"
        ]
