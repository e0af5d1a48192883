"""Several people at a table: invite links, seats and stamps, votes, lost sockets and friends."""

import re
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import EAST, Guest, MakeGuest, against_bots, seat_four, slow_in_a_browser
from server.databases import rows

pytestmark = slow_in_a_browser


class SocketProxy:
    """A proxy for the WebSockets of a guest, which can close them."""

    def __init__(self, player: Guest) -> None:
        self.player, self.sockets = player, list[tuple[Any, Any]]()
        player.page.route_web_socket("**/ws/**", self._opened)

    def _opened(self, socket: Any) -> None:
        self.sockets.append((socket, socket.connect_to_server()))

    def cut(self) -> None:
        """Close the newest socket on both sides and wait until the page has connected again."""
        lost = self.player.page.get_by_role("status").filter(has_text=self.player.say("web.table.lost"))
        for end in self.sockets[-1]:
            end.close(code=4000, reason="cut")
        lost.wait_for()
        lost.wait_for(state="detached")


def test_a_table_is_created_and_joined_by_its_link(stranger: MakeGuest) -> None:
    host, friend = stranger("desktop").enter("Mina"), stranger()
    page = host.page
    page.goto("/new?rules=bgm-2025")
    page.get_by_label(host.say("web.lobby.east"), exact=True).check(force=True)
    host.toggle("web.new.clock").check()
    host.fold("web.settings.more").click()
    host.toggle("web.new.draw_seats").uncheck()
    host.toggle("web.new.even_pauses").check()
    host.press("web.new.create")
    page.wait_for_url("**/t/*")
    options = host.get(f"tables/{page.url.rpartition('/')[2]}")["options"]
    assert (options["clock"], options["even_pauses"], options["draw_seats"]) == (True, True, False)
    invited = friend.page
    invited.goto(page.url)
    expect(friend.heading("web.room.invited_by", host="Mina")).to_be_visible()
    friend.check("phone", "desktop", "phone")
    invited.get_by_role("radio", name="한국어").check()
    friend.language = "ko"
    expect(friend.heading("web.room.invited_by", host="Mina")).to_be_visible()
    friend.field("web.guest.name").fill("Jun")
    invited.keyboard.press("Enter")
    friend.button("web.room.sit").last.click()
    friend.press("web.room.swap_name", name="Mina")
    expect(page.get_by_text(host.say("web.room.swap_wanted", name="Jun"))).to_be_visible()
    host.check()
    host.press("web.say.wow")
    expect(invited.get_by_role("log").filter(has_text=friend.say("web.say.wow"))).to_be_visible()
    host.press("web.room.swap_name", name="Jun")
    expect(invited.get_by_role("listitem").first).to_contain_text("Jun")
    friend.toggle("web.say.mute", name="Mina").check()
    log = invited.get_by_role("log").inner_text()
    host.press("web.say.nice")
    host.press("web.room.add_bot", page.get_by_role("listitem").nth(1))
    expect(invited.get_by_role("listitem").nth(1)).to_contain_text(friend.say("web.bot.name.standard"))
    assert invited.get_by_role("log").inner_text() == log
    host.press("web.room.remove_bot")
    host.press("web.room.add_bot", page.get_by_role("listitem").nth(1))
    host.press("web.room.add_bot", page.get_by_role("listitem").nth(2))
    friend.press("web.room.say_ready")
    host.see("web.room.ready")
    host.press("web.room.say_ready")  # all players are ready, so the game starts
    for player in (host, friend):
        player.tiles.first.wait_for()


def test_four_players_vote_to_abort_and_play_a_rematch(guest: MakeGuest) -> None:
    players = seat_four(guest, EAST)
    host, south, west, north = players
    south.page.emulate_media(reduced_motion="reduce")
    for player in players:
        player.hurry()
    for player in players:
        player.see_discards(12)
    host.press("web.menu.title")
    host.press("web.menu.abort")
    vote = {"players": "East", "agreed": 1, "people": 4}
    for player in (south, west, north):
        expect(player.page.get_by_text(player.say("web.vote.abort", **vote))).to_be_in_viewport(ratio=1)
    west.press("web.vote.decline")
    host.see("web.vote.declined")
    host.press("web.menu.title")
    host.press("web.menu.abort")
    for player in (south, west, north):
        player.press("web.vote.agree")
    for player in players:
        expect(player.heading("web.result.aborted")).to_be_visible()
    host.press("web.result.rematch")
    south.press("web.vote.agree")
    west.press("web.vote.agree")
    expect(north.page.get_by_role("status").filter(has_text="South")).to_be_visible()
    north.press("web.vote.agree")
    for player in players:
        player.see_discards(4)


def test_lost_sockets_and_a_reload_lose_nothing(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    line = SocketProxy(player)
    against_bots(player)
    for opened in (1, 2, 3):
        player.hurry()
        player.see_discards(5 * opened)
        player.rest()
        line.cut()
        assert len(line.sockets) == opened + 1
    seen = player.state()
    player.page.reload()
    player.tiles.first.wait_for()
    player.still()
    assert player.state() == seen
    before = player.discards()
    player.expect_fault("WebSocket")
    player.expect_fault("net::ERR")
    player.context.set_offline(True)  # a tile discarded offline is sent after reconnecting
    player.page.evaluate("window.dispatchEvent(new Event('offline'))")
    player.page.get_by_role("status").filter(has_text=player.say("web.table.lost")).wait_for()
    player.tiles.last.click()
    player.context.set_offline(False)
    player.page.evaluate("window.dispatchEvent(new Event('online'))")
    player.see_discards(before + 1)


def test_a_table_in_two_tabs_is_played_in_the_latest(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    table = against_bots(player)
    second = player.context.new_page()
    second.goto(f"/t/{table}")
    second.get_by_role("group", name=player.say("web.table.own_hand")).get_by_role(
        "button", disabled=False
    ).first.wait_for()
    player.button("web.table.play_here").wait_for()
    second.keyboard.press("d")
    player.press("web.table.play_here")
    player.tiles.first.wait_for()
    second.get_by_role("button", name=player.say("web.table.play_here")).wait_for()
    second.close()


def test_the_owner_removes_a_player_and_fouls_are_announced(guest: MakeGuest) -> None:
    host, friend = guest("Mina"), guest("Jun")
    rules = host.rules('extends = "standard"\n[fouls]\nmode = "penalise"\n')
    table = host.table(rules, 2, draw_seats=False)
    friend.post(f"tables/{table}/join", {})
    host.post(f"tables/{table}/start", {})
    for player in (host, friend):
        player.sit_down(table)
        player.tiles.first.wait_for()
    host.press("web.foul.open")
    host.sheet.get_by_role("button", name=host.say("web.foul.win_called")).click()
    for player in (host, friend):
        expect(player.page.get_by_role("log").first).to_contain_text(
            f"Mina: {host.say('web.foul.win_called')}"
        )
        player.see("web.table.dead")
    host.page.reload()
    host.see("web.table.dead")
    friend.press("web.menu.title")
    expect(friend.fold("web.menu.people")).to_have_count(0)  # only the owner has this section
    host.press("web.menu.title")
    host.fold("web.menu.people").click()
    host.press("web.room.remove_name", name="Jun")
    host.press("desk.ask.no")
    host.press("web.room.remove_name", name="Jun")
    host.press("web.room.remove")
    expect(friend.heading("web.table.not_allowed")).to_be_visible()
    friend.sit_down(table)
    expect(friend.heading("web.table.not_allowed")).to_be_visible()
    host.close_dialog()
    host.hurry()
    host.see_discards(8)  # a bot takes over the seat


def test_all_hands_are_visible_to_a_referee_or_by_consent(guest: MakeGuest, data: Path) -> None:
    player, fan, referee = guest("Aki"), guest("Fan", "landscape"), guest("Rin", "desktop")
    rows(data, "UPDATE people SET role = 'referee' WHERE name = 'Rin'")
    table = against_bots(player, spectators=True, spectator_delay_s=0, private=False, draw_seats=False)
    player.hurry(400)
    hands = re.compile("’s hand:")
    for watcher in (fan, referee):
        watcher.page.goto("/")
        watcher.link_to(f"/t/{table}?watch=1").click()
        expect(watcher.page.get_by_role("img", name="concealed tile").first).to_be_visible()
        expect(watcher.page.get_by_role("img", name=hands)).to_have_count(0)
    expect(fan.link_to(f"/t/{table}?watch=1&all=1")).to_have_count(0)
    fan.page.goto(f"/t/{table}?watch=1&all=1")
    expect(fan.page.get_by_role("img", name="concealed tile").first).to_be_visible()
    expect(fan.page.get_by_role("img", name=hands)).to_have_count(0)
    fan.field("web.watch.seat").select_option("2")
    referee.page.goto("/")
    referee.link_to(f"/t/{table}?watch=1&all=1").click()
    expect(referee.page.get_by_role("img", name=hands)).to_have_count(4)
    fan.page.goto(f"/t/{table}?watch=1")
    player.rest()
    for on in (True, False):
        player.press("web.menu.title")
        player.toggle("web.watch.agree").set_checked(on)
        player.close_dialog()
        expect(fan.page.get_by_text(fan.say("web.watch.all"))).to_have_count(int(on))
        expect(fan.page.get_by_role("img", name=hands)).to_have_count(4 * on)


def tie(one: Guest, other: Guest) -> None:
    one.send("PUT", f"friends/{other.id}", {"tie": "friend"})


@pytest.mark.parametrize(
    ("viewport", "language", "place"),
    [("phone", "ko", "lobby"), ("landscape", "ja", "room"), ("desktop", "en", "game")],
)
def test_friend_requests_and_invitations_are_answered_on_any_page(
    stranger: MakeGuest, viewport: str, language: str, place: str
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
    buttons = page.get_by_role("main").get_by_role("button")
    still = "those => those.map((one) => [one.textContent, one.getBoundingClientRect().top])"
    before = buttons.evaluate_all(still)

    def assert_visible(text: str) -> None:
        expect(page.get_by_text(text)).to_be_in_viewport(ratio=1)
        if place != "game":  # at a running table, bots keep playing; on every other page, nothing may move
            after = dict(map(tuple, buttons.evaluate_all(still)))
            assert {what: after[what] for what, _ in before} == dict(map(tuple, before))

    def answer(key: str) -> None:
        other.press(key)
        expect(other.button(key)).to_have_count(0)

    tie(asker, other)
    assert_visible(other.say("web.friends.asks", name=asker.name))
    answer("web.friends.decline")
    assert asker.get("friends")["wanted"] == []
    tie(asker, other)
    answer("web.friends.agree")
    there = {"table": asker.table("standard", 0)}
    asker.post(f"friends/{other.id}/invite", there)
    assert_visible(other.say("web.friends.invited", name=asker.name, table="").strip())
    answer("web.friends.decline")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(other.button("web.friends.decline")).to_have_count(0)
    asker.post(f"friends/{other.id}/invite", there)
    other.link("web.friends.to_table").click()
    page.wait_for_url(f"**/t/{there['table']}")


def test_a_friend_request_from_a_card_and_an_invitation_to_a_table(stranger: MakeGuest) -> None:
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
