"""Online tables of an event from its pages: rounds by one button, free play, a referee's pause."""

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from browser.test_desk import WIDE, button
from jantaku import terms
from server.parlour import PASSWORD

pytestmark = slow_in_a_browser
EVENT: Final = terms.table("event", "ko")["online"]
DESK: Final = terms.table("desk", "ko")["rounds"]
ROOM: Final = terms.table("web", "ko")["room"]
HALTED: Final = terms.table("web", "ko")["table"]["halted"]
STAGES: Final = [{"id": "main", "kind": "rounds"}, {"id": "free"}]
PICTURES: Final = os.environ.get("JANTAKU_PICTURES")  # a folder for pictures of the pages, to look at


def look(player: Guest, name: str) -> None:
    """The page fits and has no serious fault; its picture is kept where somebody wants to look at it."""
    player.settle()
    assert not player.page.evaluate(WIDE), name
    if AXE.is_file():
        assert serious_faults(player) == []
    if PICTURES:
        player.page.screenshot(path=Path(PICTURES) / f"online-{name}.png", full_page=True)


_numbers = itertools.count()


def opened(stranger: Callable[..., Guest]) -> tuple[Guest, list[Guest], str]:
    """An organiser at the desk, four guests who have signed up, and their event with one published round."""
    organiser = stranger("desktop", "ko")
    organiser.post("register", {"name": f"온라인 주최자 {next(_numbers)}", "password": PASSWORD})
    event = organiser.post("events", {"name": "온라인 대회", "rules": "tenhou", "stages": STAGES})["id"]
    players = [stranger("phone", "ko").enter(name) for name in ("가온", "나래", "다온", "라온")]
    entries = [player.post(f"events/{event}/entries", {})["id"] for player in players]
    listed = [{"name": name, "id": name} for name in ("p1", "p2", "p3", "p4")]
    organiser.post(f"events/{event}/entries/list", {"entries": listed})
    rounds = [[entries[::-1], ["p1", "p2", "p3", "p4"]]]
    organiser.post(f"events/{event}/rounds/main/seating/import", {"rounds": rounds})
    organiser.post(f"events/{event}/rounds/main/publish", {})
    return organiser, players, event


def everybody_sits(players: list[Guest], event: str) -> None:
    """Each player finds the way to their table on the page of the event, and says that they are ready."""
    for number, player in enumerate(players):
        page = player.page
        page.goto(f"/events/{event}")
        page.locator("a.primary", has_text=EVENT["go_mine"]).first.wait_for()
        if not number:
            look(player, "event")
        page.locator("a.primary", has_text=EVENT["go_mine"]).first.tap()
        button(page, ROOM["say_ready"]).tap()
    for player in players:
        player.page.wait_for_selector(".own-hand, .tile-button")


def test_a_round_is_opened_online_and_halted(stranger: Callable[..., Guest]) -> None:
    organiser, players, event = opened(stranger)
    desk = organiser.page
    desk.goto(f"/desk/{event}/rounds")
    button(desk, DESK["online"]).click()
    expect(desk.locator(".round [role=status] li")).to_have_count(1)  # the table of people without accounts
    tables = desk.locator("section[aria-labelledby=online-tables] li")
    expect(tables).to_have_count(1)
    look(organiser, "desk")
    everybody_sits(players, event)
    winds = [player.page.locator(".tile-button").count() for player in players]
    assert winds.count(14) <= 1
    desk.reload()
    button(desk, EVENT["halt"]).click()
    for player in players:
        player.page.get_by_text(HALTED).wait_for()
    look(players[0], "halted")
    button(desk, EVENT["go_on"]).click()
    for player in players:
        expect(player.page.get_by_text(HALTED)).to_have_count(0)
    button(desk, EVENT["end"]).click()
    desk.locator(".sheet textarea, .sheet input").first.fill("정전")
    desk.locator(".sure").click()
    expect(tables).to_have_count(0)
    expect(button(desk, DESK["online_rest"])).to_be_visible()


def test_players_of_a_league_open_a_table_themselves(stranger: Callable[..., Guest]) -> None:
    _, players, event = opened(stranger)
    first, second = players[0], players[1]
    first.page.goto(f"/events/{event}")
    button(first.page, EVENT["open"]).tap()
    first.page.wait_for_selector(".room .pill.me")
    second.page.goto(f"/events/{event}")
    second.page.locator("a.primary", has_text=EVENT["go_free"]).tap()
    second.page.locator(".room li button.primary").first.tap()
    second.page.wait_for_selector(".room .pill.me")
    data: dict[str, Any] = json.loads(second.page.request.get(f"/api/events/{event}/tables").text())
    [free_table] = [table for table in data["tables"] if table["table"]["stage"] == "free"]
    assert free_table["problem"] is None
    assert sum(seat is not None for seat in free_table["table"]["seats"]) == 2
