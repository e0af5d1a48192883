"""Decisions of the event staff and how they are corrected: roles, entries, seats, rounds and rules."""

import re
from pathlib import Path
from typing import Final

import pytest

from browser.club import Club
from browser.contexts import expect
from browser.parlour import Guest, MakeGuest, slow_in_a_browser
from server import clubs
from server.clubs import RON, SCORES, Account, states

pytestmark = slow_in_a_browser

NAMES: Final = ("Ann", "Ben", "Cho", "Dai", "Ann again", "Gone", "Everywhere")
STAGES: Final = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
# The buttons under Files, and the first bytes of the files that they download
SAVED: Final = {
    "save": b"{", "save_ranking": b"PK", "save_ranking_csv": b"\xef\xbb\xbf", "save_xlsx": b"PK",
    "save_html": b"<!doctype html>", "save_json": b"{",
    "table_standings": b"\xef\xbb\xbf", "table_teams": b"\xef\xbb\xbf", "table_games": b"\xef\xbb\xbf",
    "table_hands": b"\xef\xbb\xbf",
}  # fmt: skip


def staff(seen: Club, url: str) -> None:
    """Give someone a role and take it away again."""
    player, helper = seen.organiser, Account(url, "Helper")
    player.open_tab("people")
    player.box("desk.staff.name").fill(helper.name)
    player.field("desk.staff.role").select_option("recorder")
    player.press("desk.staff.add")
    remove = player.button("desk.staff.remove_one", name=helper.name)
    remove.wait_for()
    assert helper.get(f"/api/events/{seen.id}")["role"] == "recorder"
    remove.click()
    player.confirm_question()
    expect(remove).to_have_count(0)
    assert helper.get(f"/api/events/{seen.id}")["role"] is None
    helper.close()


def people(seen: Club) -> None:
    """Merge two entries of the same person and erase names; the games stay."""
    player, page = seen.organiser, seen.organiser.page
    four = ["Ann-again", "Gone", "Cho", "Dai"]
    seen.post("games", id="game-kept", stage="league", players=four, scores=SCORES)
    page.get_by_role("button", name="Ann again", exact=True).click()
    player.fold("desk.people.same").click()
    player.field("desk.people.into").select_option("Ann")
    player.press("desk.people.merge")
    player.confirm_question("registered twice")
    for name, act in (("Gone", "erase"), ("Everywhere", "erase_everywhere")):
        page.get_by_role("button", name=name, exact=True).click()
        player.press(f"desk.people.{act}")
        player.confirm_question()
        expect(player.sheet).to_have_count(0)
    for name in NAMES[4:]:
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    assert seen.get("games/game-kept")["seats"][0]["entry"] == "Ann"
    assert not {"Gone", "Everywhere"} & {entry["name"] for entry in seen.get("entries")["entries"]}
    assert sum(row["points"] for row in seen.get("standings")["stages"][0]["standings"]) == 0


def dispute(seen: Club) -> None:
    """A referee restores an earlier version of a disputed hand and closes the call."""
    player, page = seen.organiser, seen.organiser.page
    second = {"id": "hand-two", "follows": "hand-one", "action": "replace", "place": 0, "why": "wrong"}
    seen.post("games", id="disputed", stage="league", players=["Ann", "Ben", "Cho", "Dai"])
    seen.post("games/disputed/hands", id="hand-one", follows="", hand=RON)
    seen.post("games/disputed/hands", **second, hand={"end": "draw", "tenpai": [0]})
    seen.post("calls", kind="dispute", game="disputed", version="hand-two", why="it was a ron")
    player.open_tab("referee")
    call = page.get_by_role("article")  # the call shows the players and the hand
    expect(call).to_contain_text(", ".join(NAMES[:4]))
    expect(call).to_contain_text(f"East 1 · {player.say('web.table.honba_count', count=0)}")
    versions = call.get_by_role("heading", level=3)
    expect(versions).to_have_count(2)
    player.press("desk.dispute.take")
    player.confirm_question("all four agree")
    expect(versions).to_have_count(3)
    hand = seen.get("games/disputed")["hands"][0]["hand"]
    assert {name: hand[name] for name in ("end", "from")} == {"end": "ron", "from": 1}
    player.press("desk.referee.close")
    expect(call).to_have_count(0)
    assert seen.get("calls")["calls"] == []


def penalty(seen: Club) -> None:
    """A penalty that was cancelled no longer counts."""
    player, before = seen.organiser, seen.get("standings")["stages"]
    seen.post("penalties", stage="league", entry="Ben", points=-20000, why="late")
    given = player.row("late")
    player.press("desk.penalty.cancel", given)
    player.confirm_question("the train was late")
    player.see("desk.penalty.cancelled", given)
    assert seen.get("standings")["stages"] == before


def rounds(seen: Club) -> None:
    """Pause and resume the timer of a round, add time, swap seats and finish the round."""
    player, path = seen.organiser, "rounds/main"
    player.send("PUT", f"{seen.path}/{path}/settings", {"minutes": 60})
    seen.post("rounds/main/seating/import", csv="1,1,Ann,Ben,Cho,Dai\n")
    seen.post("rounds/main/publish", start=True)
    player.open_tab("rounds")
    card = player.section("desk.rounds.round", number=1)
    clock = card.get_by_role("timer")
    player.press("desk.rounds.pause", card)
    player.button("desk.rounds.go_on", card).wait_for()
    assert seen.get(path)["rounds"][0]["timer"]["running"] is False
    expect(clock).to_have_text(re.compile(r"^(60:00|59:\d\d)$"))
    player.press("desk.rounds.extra_all", card)
    expect(clock).to_have_text(re.compile(r"^(1:05:00|1:04:\d\d|65:00|64:\d\d)$"))
    player.press("desk.rounds.extra_one", card, number=1)
    card.get_by_text("+5:00").wait_for()
    player.press("desk.rounds.go_on", card)
    player.button("desk.rounds.pause", card).wait_for()
    player.press("desk.rounds.change_seat", card, name="Ann")
    player.sheet.get_by_role("button", name="Dai", exact=True).click()
    player.press("desk.rounds.swap", player.sheet)
    player.confirm_question("sat down wrong")
    expect(card.get_by_role("button", name=re.compile("Dai|Ann")).first).to_have_text("Dai")
    assert seen.get(path)["rounds"][0]["tables"][0]["players"] == ["Dai", "Ben", "Cho", "Ann"]
    player.button("desk.rounds.finish_act", card).first.click()
    player.confirm_question("time is up")
    player.see("desk.rounds.state.done", card)


def files(seen: Club) -> None:
    """Download every file and check its content."""
    seen.organiser.open_tab("files")
    names = set()
    for word, begins in SAVED.items():
        with seen.organiser.page.expect_download() as download:
            seen.organiser.press(f"desk.files.{word}")
        names.add(download.value.suggested_filename)
        assert Path(download.value.path()).read_bytes().lower().startswith(begins.lower()), word
    assert len(names) == len(SAVED)


def test_staff_make_and_undo_decisions(parlour: str, stranger: MakeGuest) -> None:
    seen = Club(stranger(), NAMES, rules="tenhou", stages=STAGES)
    seen.organiser.page.goto(f"/desk/{seen.id}")
    staff(seen, parlour)
    people(seen)
    dispute(seen)
    penalty(seen)
    rounds(seen)
    files(seen)


@pytest.fixture
def cup(parlour: str) -> clubs.Club:
    """An event with a running round of two tables, one of which has finished by entering its points."""
    cup = clubs.Club(parlour, 8)
    cup.seat([cup.entries[:4], cup.entries[4:]])
    cup.run("publish", start=True)
    cup.run("1/results", results=[{"table": 1, "scores": SCORES}])
    cup.add("reserve")
    return cup


def organiser(cup: clubs.Club, stranger: MakeGuest, tab: str) -> Guest:
    player = stranger("desktop").become(cup.organiser)
    player.page.goto(f"/desk/{cup.id}/{tab}")
    return player


def test_a_rules_change_is_previewed_before_it_is_saved(cup: clubs.Club, stranger: MakeGuest) -> None:
    player = organiser(cup, stranger, "settings")
    player.field("web.new.rules").first.select_option("mahjongsoul")
    player.press("desk.save")
    player.see("desk.rules.about", player.sheet)
    player.box("desk.ask.why", player.sheet).fill("the wrong preset")
    player.press("desk.rules.act")
    expect(player.sheet).to_have_count(0)
    assert cup.organiser.get("")["rules"] == "mahjongsoul"
    assert "the wrong preset" in [row["why"] for row in cup.log()]


def test_the_players_of_a_game_are_corrected(cup: clubs.Club, stranger: MakeGuest) -> None:
    player = organiser(cup, stranger, "games")
    player.row(player.say("desk.rounds.table", number=1)).get_by_role("button").click()
    player.fold("desk.game.seats").click()  # the section is collapsed because the game has begun
    player.sheet.get_by_role("combobox", name="East", exact=True).select_option(
        cup.entries[1]
    )  # selecting one player swaps the two
    why = player.box("desk.ask.why", player.sheet)
    why.fill("they had swapped")
    player.press("desk.game.seats_act")
    expect(why).to_have_value("")
    table = cup.view_rounds()["rounds"][0]["tables"][0]
    assert table["players"][:2] == [cup.entries[1], cup.entries[0]]


def test_a_reserve_replaces_a_player_in_the_running_round(cup: clubs.Club, stranger: MakeGuest) -> None:
    player = organiser(cup, stranger, "rounds")
    player.press("desk.rounds.change_seat", name="Player 4")
    player.sheet.get_by_role("button", name="Reserve").click()
    expect(player.toggle("desk.rounds.later_too")).to_be_checked()
    player.press("desk.rounds.replace", player.sheet)
    player.confirm_question()
    player.button("desk.rounds.change_seat", name="Reserve").wait_for()
    player.fits()
    assert cup.view_rounds()["rounds"][0]["tables"][1]["players"][0] == "reserve"


def test_the_running_round_comes_first_and_an_early_start_of_the_next_is_confirmed(
    cup: clubs.Club, stranger: MakeGuest
) -> None:
    cup.run("seating/import", rounds=[[cup.entries[:4], cup.entries[4:]]], first=2)
    cup.run("publish")
    player = organiser(cup, stranger, "rounds")
    first, next_ = (player.section("desk.rounds.round", number=number) for number in (1, 2))
    expect(player.page.get_by_role("heading", level=2).first).to_have_text(
        player.say("desk.rounds.round", number=1)
    )
    player.see("desk.rounds.state.running", first)
    player.press("desk.rounds.start", next_)
    player.see("desk.rounds.early_about", player.sheet)
    player.close_dialog()
    assert states(cup.view_rounds()) == ["running", "published"]
    player.press("desk.rounds.start", next_)
    player.confirm_question()
    player.see("desk.rounds.state.running", next_)
    player.press("desk.rounds.take_back_act", next_)
    player.confirm_question()
    player.see("desk.rounds.state.published", next_)
    assert states(cup.view_rounds()) == ["running", "published"]


def test_a_new_event_registers_the_people_of_an_earlier_one(cup: clubs.Club, stranger: MakeGuest) -> None:
    player = stranger("desktop").become(cup.organiser)
    made = player.post("events", {"name": "Autumn", "rules": "tenhou"})["id"]
    player.page.goto(f"/desk/{made}/people")
    player.press("desk.people.add")
    player.field("desk.people.earlier").select_option(cup.id)
    player.press("desk.people.add_count", count=9)
    expect(player.sheet).to_have_count(0)
    registered, known = (
        {row["name"] for row in player.get(f"events/{event}/entries")["entries"]} for event in (made, cup.id)
    )
    assert registered == known


def test_no_shows_are_withdrawn(cup: clubs.Club, stranger: MakeGuest) -> None:
    player = organiser(cup, stranger, "people")
    check_in = player.button("event.register.check_in")
    expect(check_in).to_have_count(9)
    check_in.evaluate_all(
        "(all) => all.forEach((one) => one.closest('li').innerText.includes('Reserve') || one.click())"
    )
    expect(check_in).to_have_count(1)  # none of the quick clicks was lost
    player.press("desk.people.no_shows", count=1)
    expect(player.sheet).to_contain_text("Reserve")
    player.confirm_question()
    expect(player.sheet).to_have_count(0)
    rows = cup.organiser.get("entries")["entries"]
    assert [row["id"] for row in rows if row["status"] == "withdrawn"] == ["reserve"]
