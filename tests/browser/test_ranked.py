"""Ranked play in the browser: wait, be called, and sit at the table, without a tap in between."""

from collections.abc import Callable, Iterator

import pytest

from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from server.parlour import Person
from server.test_ranked import EAST, member, until, wait

pytestmark = slow_in_a_browser


@pytest.fixture
def three(parlour: str) -> Iterator[list[Person]]:
    found = [member(parlour, name) for name in ("Jun of the queue", "Kaito of the queue", "Seo of the queue")]
    yield found
    for one in found:
        one.http.delete("/api/ranked")
        one.close()


@requires_axe
def test_somebody_waits_is_called_and_plays(guest: Callable[..., Guest], three: list[Person]) -> None:
    player = guest("Mina of the queue")
    player.post("register", {"name": "Mina of the queue", "password": "a long password", "language": "en"})
    page = player.page
    page.goto("/ranked")
    page.get_by_role("button", name="Tenhou").wait_for()
    assert serious_faults(player) == []
    wait(three[0], EAST)
    page.locator("button.primary.big").click()
    page.locator(".people").get_by_text("Jun of the queue").wait_for()
    assert serious_faults(player) == []
    for one in three[1:]:
        wait(one, EAST)
    for one in three:
        until(one, lambda found: found["mine"]["called"])
        one.post("/api/ranked/here")
    page.wait_for_url("**/t/*", wait_until="commit")
    page.wait_for_selector(".own .tile")


def test_a_guest_learns_that_it_takes_an_account(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/ranked")
    page.locator("main a[href='/settings']").first.wait_for()
    assert page.locator("button.primary.big").count() == 0
