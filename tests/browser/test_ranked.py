"""Ranked play in the browser: wait, be called, sit down without a tap in between, and see the own step."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from browser.contexts import PATIENCE_MS
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from server.parlour import Person
from server.test_absences import play_to_the_end
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
    page.locator(".waiting button").click()  # and back again
    page.locator("button.primary.big").click()
    page.locator(".waiting").wait_for()
    page.locator(".waiting a").click()  # something else meanwhile: one goes on waiting
    page.wait_for_url("**/drill")
    for one in three[1:]:
        wait(one, EAST)
    for one in three:
        until(one, lambda found: found["mine"]["called"])
        one.post("/api/ranked/here")
    page.wait_for_url("**/t/*", wait_until="commit")
    page.wait_for_selector(".own .tile")
    table = page.url.partition("/t/")[2].partition("?")[0]
    told = page.expect_response("**/api/ranked/games/*?*", timeout=PATIENCE_MS * 6)
    with told as steps, ThreadPoolExecutor(len(three)) as pool:
        rest = pool.map(play_to_the_end, [one.socket(table) for one in three])
        player.finish()
        list(rest)
    assert len(steps.value.json()["seats"]) == 4
    page.locator(".result [role=progressbar]").wait_for()


def test_a_guest_learns_that_it_takes_an_account(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/ranked")
    page.locator("main a[href='/settings']").first.wait_for()
    assert page.locator("button.primary.big").count() == 0
