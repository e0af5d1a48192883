"""Friends: asked from a card, agreed to wherever one is, invited to a table, and met again after a game."""

import re
from collections.abc import Callable

import pytest

from browser.contexts import expect
from browser.parlour import ONE_WIN, Guest, slow_in_a_browser

pytestmark = slow_in_a_browser


def tie(one: Guest, other: Guest) -> None:
    one.send("PUT", f"friends/{other.id}", {"tie": "friend"})


@pytest.mark.parametrize(
    ("viewport", "language", "place"),
    [("phone", "ko", "lobby"), ("landscape", "ja", "room"), ("desktop", "en", "game")],
)
def test_requests_and_invitations_are_answered_where_one_is(
    stranger: Callable[..., Guest], viewport: str, language: str, place: str
) -> None:
    asker, other = stranger("desktop").register("Asker"), stranger(viewport, language).register("Other")
    page = other.page
    if place == "lobby":
        page.goto("/")
    else:
        own = other.table("standard", 0 if place == "room" else 3)
        if place == "game":
            other.post(f"tables/{own}/start", {})
        other.sit_down(own)
    page.wait_for_load_state("networkidle")
    buttons = page.locator("main :is(button, a.button):visible")
    still = "those => those.map((one) => [one.textContent, one.getBoundingClientRect().top])"
    before = buttons.evaluate_all(still)

    def asked(text: str) -> None:
        expect(page.get_by_text(text)).to_be_in_viewport(ratio=1)
        if place != "game":  # where bots play on; elsewhere nothing moves under a tap
            after = dict(map(tuple, buttons.evaluate_all(still)))
            assert {what: after[what] for what, _ in before} == dict(map(tuple, before))

    def answer(key: str) -> None:
        other.press(key)
        expect(other.button(key)).to_have_count(0)

    tie(asker, other)
    asked(other.say("web.friends.asks", name=asker.name))
    answer("web.friends.decline")
    assert asker.get("friends")["wanted"] == []
    tie(asker, other)
    answer("web.friends.agree")
    there = {"table": asker.table("standard", 0)}
    asker.post(f"friends/{other.id}/invite", there)
    asked(other.say("web.friends.invited", name=asker.name, table="").strip())
    answer("web.friends.decline")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(other.button("web.friends.decline")).to_have_count(0)
    asker.post(f"friends/{other.id}/invite", there)
    other.link("web.friends.to_table").click()
    page.wait_for_url(f"**/t/{there['table']}")


def test_one_asks_from_a_card_and_invites_to_a_table(stranger: Callable[..., Guest]) -> None:
    player, jun = stranger().register("Mina"), stranger().register("Jun")
    page = player.page
    page.goto(f"/people/{player.id}")
    player.see("web.friends.empty_card")
    expect(page.get_by_role("textbox", name=re.compile("^Link: "))).to_have_value(
        re.compile("/people/[0-9a-f]{16}$")
    )
    page.goto(f"/people/{jun.id}")
    player.press("web.friends.ask")
    expect(player.button("web.friends.ask")).to_have_count(0)
    player.check()
    assert [asking["person"] for asking in jun.get("friends")["asked"]] == [player.id]
    tie(jun, player)
    page.goto("/people")
    page.get_by_role("link", name=jun.name).wait_for()
    with page.expect_response("**/api/friends/presence?*"):
        page.get_by_role("switch").click()
    assert player.get("friends")["presence"] is False
    player.sit_down(player.table("standard", 0))
    with page.expect_response("**/api/friends/*/invite?*"):
        page.get_by_role("button", name=f"{player.say('web.friends.invite')}: {jun.name}").click()
    assert [invitation["name"] for invitation in jun.get("friends")["invitations"]] == [player.name]


def test_two_friends_want_another_game_and_show_their_numbers(stranger: Callable[..., Guest]) -> None:
    host, friend = stranger(language="ja").register("Hina"), stranger(language="ko").register("Minjun")
    table = host.table(host.rules(ONE_WIN), 2)
    friend.post(f"tables/{table}/join", {})
    friend.send("PUT", "me/numbers/shown", {"on": True})
    for person in (host, friend):
        person.sit_down(table)
    host.link("learn.numbers.title_of", name=friend.name).or_(
        host.page.get_by_role("link", name=friend.name)
    ).first.wait_for()
    host.post(f"tables/{table}/start", {})
    for person in (host, friend):
        person.page.wait_for_selector("button[data-tile]")
        person.hurry()
    for person in (host, friend):
        expect(person.heading("web.result.title")).to_be_visible(timeout=60_000)
    host.press("web.result.rematch")
    wanted = friend.say("web.vote.rematch", players=host.name, agreed=1, people=2)
    expect(friend.page.get_by_role("status").filter(has_text=wanted)).to_be_visible()
    friend.link("web.result.replay").click()
    expect(friend.page.get_by_text(host.name).first).to_be_attached()
