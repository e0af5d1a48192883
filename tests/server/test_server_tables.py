"""Tables over real sockets: playing, reconnecting, privacy, spectators, votes, leaving."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from server.parlour import (
    Line,
    Message,
    Person,
    close_code,
    discards,
    hang_up,
    open_server,
    quick,
    seated,
    simplest,
)

TURNS = 60 if COMPILED else 8


@pytest.fixture
def four(url: str) -> Any:
    return [Person(url, name) for name in ("Mina", "Jun", "Kaito", "Seo")]


def move(lines: list[Line]) -> Line:
    """The asked player makes the simplest move; the others read their messages."""
    settle(lines)
    line = next(line for line in lines if line.own and line.own["ask"] is not None)
    assert line.own is not None
    answer = line.act(simplest(line.own))
    assert answer["type"] == "ack", answer
    return line


def settle(lines: list[Line]) -> None:
    """Read until everybody has answered a ping, so that no message is in flight."""
    for line in lines:
        line.ask(type="ping")


@pytest.mark.slow
def test_four_people_play_and_each_sees_only_what_they_may(four: list[Person]) -> None:
    table, lines = seated(four)
    for _ in range(TURNS):
        move(lines)
    settle(lines)
    for seat, line in enumerate(lines):
        for message in line.seen:
            for event in message.get("events", ()):
                if event["type"] == "drew" and event["seat"] != seat:
                    assert "tile" not in event
                if event["type"] == "hand_started":
                    assert [hand is not None for hand in event["hands"]] == [
                        number == seat for number in range(4)
                    ]
    assert len({line.seq for line in lines}) == 1
    hang_up(lines)
    assert table["status"] == "waiting"


@pytest.mark.slow
def test_no_hidden_tile_is_anywhere_on_the_wire(four: list[Person]) -> None:
    """Compared with the full record, no field sent to a seat holds another seat's draw or hand."""
    table, lines = seated(four)
    for _ in range(TURNS):
        move(lines)
    settle(lines)
    for line in lines:
        line.ask(type="abort", agree=True)
    lines[0].until("table", lambda message: message["table"]["status"] == "aborted")
    game = four[0].get(f"/api/tables/{table['id']}")["result"]["record"]
    truth = four[0].get(f"/api/games/{game}/replay")["events"]
    for seat, line in enumerate(lines):
        events = [event for message in line.seen for event in message.get("events", ())]
        whole = {message["view_seq"] for message in line.seen if message["type"] == "sync"}
        start = min(whole)
        assert events == [hidden(event, seat) for event in truth[start : start + len(events)]]
        for message in line.seen:
            view = message.get("view")
            if view:
                assert [shown is None for shown in view["shown"]] == [True] * 4
                own_tiles = view["hand"] + (view["drawn"] or "")
                for other in range(4):
                    assert other == seat or truth[1]["hands"][other] not in json.dumps(view) or own_tiles
        texts = json.dumps(line.seen)
        for other in range(4):
            if other != seat:
                assert f'"{truth[1]["hands"][other]}"' not in texts
    hang_up(lines)


def hidden(event: Message, seat: int) -> Message:
    """An event as that seat may see it, in a second, simpler implementation."""
    seen = dict(event)
    if event["type"] == "drew" and event["seat"] != seat:
        seen.pop("tile", None)
    if event["type"] == "hand_started":
        seen["hands"] = [hand if index == seat else None for index, hand in enumerate(event["hands"])]
    return seen


def test_a_reconnecting_client_gets_exactly_what_it_missed(four: list[Person]) -> None:
    table, lines = seated(four)
    for _ in range(10):
        move(lines)
    settle(lines)
    lost = next(line for line in lines if not (line.own and line.own["ask"] is not None))
    seat = lines.index(lost)
    known, game = lost.seq, lost.game
    before = lost.events()
    lost.close()
    rest = [line for line in lines if line is not lost]
    moved = 0
    while moved < 12 and any(line.own and line.own["ask"] is not None for line in rest):
        move(rest)
        settle(rest)
        moved += 1
    back = four[seat].socket(table["id"], game=game, last=known)
    missed = back.until("update")
    assert missed["seq"] == rest[0].seq or missed["seq"] >= known
    assert len(missed["events"]) == missed["seq"] - known
    whole = before + missed["events"]
    fresh = four[seat].socket(table["id"])
    sync = fresh.until("sync")
    assert close_code(back.raw) == 4409
    assert sync["seq"] == sync["view_seq"] + len(sync["events"])
    assert whole[-len(sync["events"]) :] == sync["events"] or not sync["events"]
    hang_up([*rest, fresh])


@pytest.mark.parametrize(("game", "last"), [(1, 100_000), (7, 3), (None, None), (1, None), (None, 5)])
def test_an_impossible_event_number_gets_a_full_sync(
    person: Person, game: int | None, last: int | None
) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], game=game, last=last)
    assert line.until("sync")["game"] == 1
    line.close()


def test_a_repeated_message_is_carried_out_once(person: Person) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    own = line.asked()
    assert own is not None
    message = {"type": "act", "id": "same", "game": 1, "ask": own["ask"], "action": simplest(own)}
    line.send(**message)
    line.send(**message)
    line.ask(type="ping")
    acks = [message for message in line.seen if message["type"] == "ack"]
    assert acks == [{"type": "ack", "id": "same"}] * 2
    mine = [event for event in line.events() if event["type"] == "discarded" and event["seat"] == 0]
    assert len(mine) <= 2
    late = line.ask(**{**message, "id": "late"})
    assert late["type"] == "error"
    assert late["code"] == "late"
    line.close()


def test_forbidden_messages_change_nothing(person: Person) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], language="ko")
    own = line.asked()
    assert own is not None
    held = own["hand"]
    wrong: list[tuple[Message, str]] = [
        ({"type": "discard", "tile": "9m9m"}, ""),
        ({"type": "ron"}, "illegal_action"),
        ({"type": "pon", "red": 0}, "illegal_action"),
        ({"type": "foul", "act": "win_shown"}, "illegal_action"),
    ]
    for action, code in wrong:
        line.send(type="act", id="x", game=1, ask=own["ask"], action=action)
        answer = line.until("error")
        assert code in ("", answer["code"])
        assert answer["message"]
    again = person.socket(table["id"])
    sync = again.until("sync")
    assert sync["own"]["hand"] == held
    assert sync["own"]["ask"] == own["ask"]
    again.close()


def test_a_spectator_sees_no_hands_and_cannot_act(person: Person, other: Person) -> None:
    table = person.table(bots=3)
    watcher = other.socket(table["id"], all_hands=True)
    assert watcher.welcome["seat"] is None
    assert not watcher.welcome["all_hands"]
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    own = line.asked()
    assert own is not None
    line.act(simplest(own))
    sync = watcher.until("sync")
    assert sync["view"] is None
    watcher.until("update", lambda message: message["events"])
    for event in watcher.events():
        assert "tile" not in event or event["type"] != "drew"
        assert event.get("hands", [None] * 4) == [None] * 4
    answer = watcher.ask(type="act", game=1, ask=own["ask"], action={"type": "pass"})
    assert answer["code"] == "not_seated"
    hang_up([line, watcher])


def test_a_table_can_exclude_spectators(person: Person, other: Person) -> None:
    table = person.table(bots=3, options={"spectators": False})
    person.post(f"/api/tables/{table['id']}/start")
    raw = other.raw(table["id"])
    raw.send(json.dumps({"type": "hello", "version": 1}))
    assert close_code(raw) == 4403


def test_a_bot_plays_for_a_player_who_left_until_they_return(four: list[Person]) -> None:
    table, lines = seated(four)
    lines[0].asked()
    gone = four[0].post(f"/api/tables/{table['id']}/leave")
    assert gone["seats"][0]["away"]
    lines[1].until("update", lambda message: discards(message, 0))
    back = four[0].post(f"/api/tables/{table['id']}/join")
    assert not back["seats"][0]["away"]
    welcome = lines[0].until("welcome", lambda message: message["seat"] == 0)
    assert welcome["table"]["status"] == "playing"
    hang_up(lines)


def test_a_bot_plays_for_a_disconnected_player_until_they_return(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, grace_s=0.0)) as url:
        mina, jun = Person(url, "Mina"), Person(url, "Jun")
        table = mina.table(bots=2)
        jun.post(f"/api/tables/{table['id']}/join")
        line, watching = mina.socket(table["id"]), jun.socket(table["id"])
        mina.post(f"/api/tables/{table['id']}/start")
        line.until("sync")
        line.close()
        watching.until("table", lambda message: message["table"]["seats"][0]["away"])
        watching.until("update", lambda message: discards(message, 0))
        line = mina.socket(table["id"])
        watching.until("table", lambda message: not message["table"]["seats"][0]["away"])
        for guest in (line, watching, mina, jun):
            guest.close()


def test_ending_the_game_needs_everybodys_vote(four: list[Person]) -> None:
    table, lines = seated(four)
    for line in lines[:3]:
        line.ask(type="abort", agree=True)
    lines[0].ask(type="abort", agree=False)
    lines[3].ask(type="abort", agree=True)
    settle(lines)
    assert four[0].get(f"/api/tables/{table['id']}")["status"] == "playing"
    lines[0].ask(type="abort", agree=True)
    done = lines[1].until("table", lambda message: message["table"]["status"] == "aborted")
    assert done["table"]["result"]["final"] is None
    for line in lines:
        line.ask(type="rematch", agree=True)
    sync = lines[2].until("sync", lambda message: message["game"] == 2)
    assert sync["view"]["scores"] == [25000] * 4
    hang_up(lines)


@pytest.mark.slow
@pytest.mark.parametrize("grace_s", [1e6, 0.0])
def test_a_rematch_waits_for_players_who_just_disconnected(tmp_path: Path, grace_s: float) -> None:
    with open_server(quick(tmp_path, grace_s=grace_s)) as url:
        people = [Person(url, name) for name in ("Mina", "Jun", "Kaito", "Seo")]
        table, lines = seated(people)
        for line in lines:
            line.ask(type="abort", agree=True)
        lines[3].close()
        lines[0].until("table", lambda message: not message["table"]["seats"][3]["connected"])
        for line in lines[:3]:
            assert line.ask(type="rematch", agree=True)["type"] == "ack"
        if grace_s:
            game = people[0].get(f"/api/tables/{table['id']}")
            assert (game["status"], game["game"]) == ("aborted", 1)
            lines[3] = people[3].socket(table["id"])
            lines[3].ask(type="rematch", agree=True)
        while lines[2].game != 2:
            lines[2].next()
        sitting = people[0].get(f"/api/tables/{table['id']}")["seats"]
        assert [seat["bot"] is None for seat in sitting] == [True] * 3 + [grace_s > 0]
        hang_up(lines)
        for person in people:
            person.close()


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("{}", 4400),
        ("no json", 4400),
        ('{"type":"ping","id":"1"}', 4400),
        ('{"type":"hello","version":99}', 4406),
        ("x" * 5000, 1009),
    ],
)
def test_the_first_message_must_be_hello(person: Person, first: str, code: int) -> None:
    table = person.table()
    raw = person.raw(table["id"])
    raw.send(first)
    assert close_code(raw) == code


def test_sockets_need_a_person_a_table_and_the_right_origin(url: str, person: Person) -> None:
    table = person.table()
    nobody = Person(url)
    raw = nobody.raw(table["id"])
    assert close_code(raw) == 4401
    raw = person.raw("nosuchid")
    raw.send(json.dumps({"type": "hello", "version": 1}))
    assert close_code(raw) == 4404
    with pytest.raises(Exception, match="403"):
        person.raw(table["id"], Origin="https://elsewhere.example")
    person.raw(table["id"], Origin=url).close()


def test_somebody_asks_for_their_own_tables_alone(person: Person, other: Person) -> None:
    own = person.post("/api/tables", sit=True)["id"]
    public = other.post("/api/tables", sit=True)["id"]
    page = person.get("/api/tables", mine=True)
    assert [table["id"] for table in page["mine"]] == [own]
    assert page["tables"] == []
    assert public in [table["id"] for table in person.get("/api/tables")["tables"]]
