"""Two friends on phones, each in their own language: from the lobby to a table, its replay, another game."""

import re
from collections.abc import Callable
from typing import Any

from browser.contexts import expect, filled
from browser.parlour import ONE_WIN, Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
JA, KO = terms.table("web", "ja"), terms.table("web", "ko")
PASSWORD = "a long password"
# The faces of the people at the table by their names
FACES = """() => Object.fromEntries([...document.querySelectorAll('.board .plate .plate')].map((plate) =>
  [plate.querySelector('.name').textContent.trim(), plate.querySelector('.face').innerHTML]))"""


def member(come: Callable[..., Guest], name: str, language: str) -> Guest:
    person = come("phone", language)
    person.post("register", {"name": name, "password": PASSWORD, "language": language})
    return person


def identity(person: Guest) -> str:
    return str(person.page.request.get("/api/me").json()["person"]["id"])


def tie(one: Guest, other: Guest) -> None:
    assert one.page.request.put(f"/api/friends/{identity(other)}", data={"tie": "friend"}).ok


@requires_axe
def test_the_lobby_says_what_friends_want(stranger: Callable[..., Guest]) -> None:
    hina, minjun = member(stranger, "Hina evening", "ja"), member(stranger, "Minjun evening", "ko")
    tie(hina, minjun)
    page = minjun.page
    page.goto("/")
    expect(page.get_by_text(KO["friends"]["asks"].format(name="Hina evening"))).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name=KO["friends"]["agree"]).click()
    expect(page.get_by_role("button", name=KO["friends"]["agree"])).to_have_count(0)
    table = hina.table("standard", 0)
    hina.post(f"friends/{identity(minjun)}/invite", {"table": table})
    page.goto("/")
    page.get_by_role("link", name=KO["friends"]["to_table"]).wait_for()
    assert serious_faults(minjun) == []
    page.get_by_role("link", name=KO["friends"]["to_table"]).click()
    page.wait_for_url(f"**/t/{table}")


def test_a_name_is_changed_and_ones_card_sent_to_a_friend(stranger: Callable[..., Guest]) -> None:
    page = member(stranger, "Hina with a slip", "ja").page
    page.goto("/settings")
    page.get_by_role("button", name=JA["account"]["rename"]).click()
    page.locator("form input[autocomplete=nickname]").fill("Hina without")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Hina without")).to_be_visible()
    page.goto("/people")
    page.get_by_role("link", name=JA["friends"]["own_card"]).click()
    expect(page.locator(".share input")).to_have_value(re.compile("/people/[0-9a-f]{16}$"))
    expect(page.locator(".share img")).to_be_visible()


def sit_down(host: Guest, friend: Guest) -> None:
    """Both at one table that ends with the first payment, and two bots."""
    table = host.table(host.rules(ONE_WIN), 2)
    for person in (host, friend):
        person.sit_down(table)
    friend.page.locator(".room li button.primary").first.click()
    friend.page.locator(".room .pill.me").wait_for()
    host.post(f"tables/{table}/start", {})
    for person in (host, friend):
        person.page.wait_for_selector(".tile-button")


def test_a_friend_is_seen_to_want_another_game_and_has_the_same_face_in_its_replay(
    stranger: Callable[..., Guest],
) -> None:
    host, friend = member(stranger, "Hina again", "ja"), member(stranger, "Minjun again", "ko")
    sit_down(host, friend)
    faces: dict[str, Any] = host.page.evaluate(FACES)
    for person in (host, friend):
        person.hurry()
    for person in (host, friend):
        person.page.locator(".result ol").wait_for()
    host.page.get_by_role("button", name=JA["result"]["rematch"]).click()
    wants = friend.page.locator("[role=status]", has_text="Hina again")
    expect(wants).to_have_text(filled(KO["vote"]["rematch"], players="Hina again", agreed=1, people=2))
    friend.page.get_by_role("link", name=KO["result"]["replay"]).click()
    friend.page.locator(".replay .plate .face").nth(3).wait_for()
    shown = friend.page.evaluate(FACES)
    assert {name: shown[name] for name in ("Hina again", "Minjun again")} == {
        name: faces[name] for name in ("Hina again", "Minjun again")
    }
    friend.page.get_by_role("button", name=terms.table("learn", "ko")["review"]["open"]).click()
    expect(friend.page.locator(".share input")).to_have_value(re.compile(r"/g/[0-9a-f]{16}\?at=\d+&seat=\d$"))
