"""Attacks on events: reading and changing without the right, taken ids, races, texts nobody can see."""

import asyncio

import pytest

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import StagePlan, rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.recording.recorded_game import (
    ConfirmBody,
    HandBody,
    StartRecorded,
    confirm,
    table_of,
)
from jantaku.server.events.recording.starting_games import enter_hand, start
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.storage.events import CallRow, add_call
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from server.clubs import BUST, DRAW, RON, Gathering, Table, member, refused
from server.parlour import Person

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("who", ["outsider", "guest"])
def test_starting_a_game_again_shows_it_only_to_those_who_may_start_it(url: str, who: str) -> None:
    gathering = Gathering(url, rules="tenhou", hidden_standings=True)
    table = Table(gathering, f"again-{who}")
    table.enter(RON)
    other = Person(url, "Guest") if who == "guest" else member(url, who)
    body = {"id": table.id, "stage": "league", "players": gathering.entries}
    assert refused(other, "POST", f"{gathering.path}/games", **body) == (403, "not_recorder")
    assert table.who.post(f"{gathering.path}/games", **body)["head"] == table.head
    other.close()


def test_the_id_of_a_game_with_other_points_is_taken(gathering: Gathering) -> None:
    path, scores = f"{gathering.path}/games", [25000] * 4
    body = {"id": "points-1", "stage": "league", "players": gathering.entries, "scores": scores}
    first = gathering.referee.post(path, **body)
    assert gathering.referee.post(path, **body) == first
    changed = body | {"scores": [40000, 20000, 20000, 20000]}
    assert refused(gathering.referee, "POST", path, **changed) == (409, "id_reused")


@pytest.mark.parametrize("key", ["online-0123456789abcdef", "log-0123456789abcdef"])
def test_nobody_takes_the_ids_of_games_that_the_server_makes(gathering: Gathering, key: str) -> None:
    body = {"id": key, "stage": "league", "players": gathering.entries}
    assert refused(gathering.players[0], "POST", f"{gathering.path}/games", **body) == (409, "id_reused")


@pytest.mark.parametrize("status", ["refused", "withdrawn"])
def test_who_no_longer_plays_enters_and_cancels_nothing(gathering: Gathering, status: str) -> None:
    table, out = Table(gathering, f"out-{status}"), gathering.players[2]
    empty = Table(gathering, f"empty-{status}")
    table.enter(BUST)
    path = f"{gathering.path}/entries/{gathering.entries[2]}"
    assert gathering.organiser.http.patch(path, json={"status": status}).status_code == 200
    assert table.refuse(DRAW, out) == (403, "not_recorder")
    assert refused(out, "POST", f"{table.path}/confirm", head=table.head) == (403, "not_recorder")
    assert refused(out, "POST", f"{empty.path}/status", status="cancelled") == (403, "not_referee")
    assert table.view(out)["may_record"] is False


@pytest.mark.parametrize("why", ["\u200b", "\u2060\u202e", "\u3164", " \n ", "\u0000"], ids=ascii)
def test_a_reason_that_nobody_can_see_is_none(url: str, why: str) -> None:
    gathering = Gathering(url, rules="tenhou", correction_min=0)
    table = Table(gathering, f"reason-{ord(why[0])}")
    table.enter(RON)
    change = {"action": "replace", "place": 0, "why": why}
    assert table.refuse(DRAW, gathering.referee, **change)[1] == "why_needed"
    cancel = {"status": "cancelled", "why": why}
    assert refused(gathering.referee, "POST", f"{table.path}/status", **cancel)[1] == "why_needed"
    points = {"stage": "league", "entry": gathering.entries[0], "points": -1000, "why": why}
    assert refused(gathering.referee, "POST", f"{gathering.path}/penalties", **points)[1] == "bad_request"


def test_a_text_in_the_log_keeps_no_sign_that_turns_or_hides_others(gathering: Gathering) -> None:
    path, why = f"{gathering.path}/calls", "late\u202e \u0000etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"
    gathering.players[0].post(path, why=why)
    assert gathering.referee.get(path)["calls"][0]["why"] == "late etal\n\U0001f468\u200d\U0001f469 ㅋㅋ"


@pytest.mark.parametrize("points", [True, "5", 1.0, None])
def test_points_are_whole_numbers(gathering: Gathering, points: object) -> None:
    body = {"stage": "league", "entry": gathering.entries[0], "points": points, "why": "late"}
    assert refused(gathering.referee, "POST", f"{gathering.path}/penalties", **body)[1] == "bad_request"


def test_a_call_of_the_staff_is_in_no_log_of_a_player(gathering: Gathering) -> None:
    path = f"{gathering.path}/calls"
    number = gathering.recorder.post(path, label="bar", why="about one player")["calls"][0]["number"]
    gathering.referee.post(f"{path}/{number}/close", answer="spoken to them")
    log = gathering.players[0].get(f"{gathering.path}/log")["changes"]
    assert not {"call", "answer"} & {event["action"] for event in log}
    whole = gathering.organiser.get(f"{gathering.path}/log")["changes"]
    assert {"call", "answer"} <= {change["action"] for change in whole}


def test_drafts_in_the_log_are_for_organisers(url: str) -> None:
    stages = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
    gathering = Gathering(url, rules="tenhou", stages=stages)
    path = f"{gathering.path}/rounds/main/seating/import"
    gathering.organiser.post(path, rounds=[[gathering.entries]])

    def actions(who: Person) -> set[str]:
        return {change["action"] for change in who.get(f"{gathering.path}/log")["changes"]}

    assert not any("seating" in actions(person) for person in (gathering.recorder, gathering.referee))
    assert "seating" in actions(gathering.organiser)


@pytest.mark.parametrize("key", [".", "..", "a/b", "a b", "\u202e"], ids=ascii)
def test_an_id_that_cannot_stand_in_an_address_is_refused(gathering: Gathering, key: str) -> None:
    organiser, path = gathering.organiser, f"{gathering.path}/entries/list"
    assert refused(organiser, "POST", path, entries=[{"name": "n", "id": key}])[1] == "bad_request"
    organiser.post(path, entries=[{"name": "n", "id": "..a"}])


@pytest.mark.anyio
async def test_a_dispute_that_comes_first_stops_a_confirmation_that_is_on_its_way(services: Services) -> None:
    who = PersonRow(new_id(), "Mina", "mina", "player", "en")
    await services.accounts.add(who)
    stages = [StagePlan(id="league")]
    event = await create(services, who, CreateEvent(name={"en": "E"}, rules="tenhou", stages=stages))
    async with services.events.changing(event, who) as change:
        people = await add_listed(change, [Listed(name) for name in "abcd"])
    rights = await rights_in(services, event, who)
    seats = [person.id for person in people]
    await start(
        services,
        rights,
        who,
        StartRecorded(id="race-game", stage="league", players=seats),
        StandingsCache(services),
    )
    version = "race-hand"
    await enter_hand(services, who, event, "race-game", HandBody(id=version, follows="", hand=BUST))
    table = await table_of(services, rights, "race-game")
    body = ConfirmBody(head=version, everybody=True)
    async with services.events.changing(event, who) as change:
        waiting = asyncio.create_task(confirm(services, table, who, body))
        await asyncio.wait([waiting], timeout=0.3)  # it waits for this change
        about = ("race-game", version, "", who.id, who.name, "no", change.at, None, "")
        await add_call(change, CallRow(1, "dispute", *about))
    with pytest.raises(ServerError, match="disputed"):
        await waiting
