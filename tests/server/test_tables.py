"""Tables over real sockets: playing, reconnecting, privacy, spectators, votes, leaving."""

import dataclasses
import json
import tomllib
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from jantaku import load as load_paces
from jantaku.bots import LEVELS, bot
from jantaku.club import EventGame, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.statistics import RuledGame, person_figures
from jantaku.game import Discard, Game
from jantaku.game.events import HandStarted
from jantaku.game.view import riichi_of
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.archive.replay import ReplayGame, replay
from jantaku.server.edge.protocol import FROM_SERVER, BotLevel, Sync, TableOptions, Update, Welcome
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES, check_reserved
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import info
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.hints import hints
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table import Connection, Table
from jantaku.server.play.table_seats import bot_of, sitter_name
from jantaku.server.rules.pages import page, row, rules_name
from jantaku.server.settings import Limits, pace_of
from jantaku.server.storage.finished_games import absent_hands, counts_for, is_rated
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.tasks import all_done
from jantaku.tiles import RED, parse_tile, parse_tiles
from server.parlour import (
    Line,
    Message,
    Person,
    close_code,
    discards,
    open_server,
    quick,
    seated,
    simplest,
)
from server.test_archive import game_of
from server.test_numbers import RULES_OWN_NUMBERS
from support.three import three, three_may_play

TURNS = 60 if COMPILED else 8


@pytest.fixture
def four(url: str) -> Any:
    return [Person(url, name) for name in ("Mina", "Jun", "Kaito", "Seo")]


def move(lines: list[Line]) -> Line:
    """The asked player makes the simplest move; the others read their messages."""
    settle_server_tables(lines)
    line = next(line for line in lines if line.own and line.own["ask"] is not None)
    assert line.own is not None
    answer = line.act(simplest(line.own))
    assert answer["type"] == "ack", answer
    return line


def settle_server_tables(lines: list[Line]) -> None:
    """Read until everybody has answered a ping, so that no message is in flight."""
    for line in lines:
        line.ask(type="ping")


@pytest.mark.slow
def test_no_hidden_tile_is_anywhere_on_the_wire(four: list[Person]) -> None:
    """Compared with the full record, no field sent to a seat holds another seat's draw or hand."""
    table, lines = seated(four)
    for _ in range(TURNS):
        move(lines)
    settle_server_tables(lines)
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
    settle_server_tables(lines)
    lost = next(line for line in lines if not (line.own and line.own["ask"] is not None))
    seat = lines.index(lost)
    known, game = lost.seq, lost.game
    before = lost.events()
    lost.close()
    rest = [line for line in lines if line is not lost]
    moved = 0
    while moved < 12 and any(line.own and line.own["ask"] is not None for line in rest):
        move(rest)
        settle_server_tables(rest)
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


@pytest.mark.parametrize(("game", "last"), [(1, 100_000), (7, 3), (None, None), (1, None), (None, 5)])
def test_an_impossible_event_number_gets_a_full_sync(
    person: Person, game: int | None, last: int | None
) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], game=game, last=last)
    assert line.until("sync")["game"] == 1


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


def test_ending_the_game_needs_everybodys_vote(four: list[Person]) -> None:
    table, lines = seated(four)
    for line in lines[:3]:
        line.ask(type="abort", agree=True)
    lines[0].ask(type="abort", agree=False)
    lines[3].ask(type="abort", agree=True)
    settle_server_tables(lines)
    assert four[0].get(f"/api/tables/{table['id']}")["status"] == "playing"
    lines[0].ask(type="abort", agree=True)
    done = lines[1].until("table", lambda message: message["table"]["status"] == "aborted")
    assert done["table"]["result"]["final"] is None
    for line in lines:
        line.ask(type="rematch", agree=True)
    sync = lines[2].until("sync", lambda message: message["game"] == 2)
    assert sync["view"]["scores"] == [25000] * 4


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


# Before the game: who is ready, when it starts by itself, and seats that change hands


def room(url: str, seats: int = 4, **options: Any) -> tuple[str, list[Person], list[Line]]:
    """People at a table that has not begun."""
    people = [Person(url, name) for name in ("Ann", "Ben", "Cho", "Dai")[:seats]]
    table = people[0].table(options=options)["id"]
    for person in people[1:]:
        person.post(f"/api/tables/{table}/join")
    return table, people, [person.socket(table) for person in people]


def ready(line: Line, on: bool = True) -> Message:
    return line.ask(type="ready", on=on)


def seats_of(person: Person, table: str) -> list[Message]:
    seats: list[Message] = person.get(f"/api/tables/{table}")["seats"]
    return seats


def names(person: Person, table: str) -> list[str]:
    return [seat["name"] if seat else "" for seat in seats_of(person, table)]


def test_the_game_starts_when_everybody_is_ready(url: str) -> None:
    table, people, lines = room(url)
    for line in lines[:3]:
        assert ready(line)["type"] == "ack"
    ready(lines[0], on=False)
    ready(lines[3])
    shown = people[0].get(f"/api/tables/{table}")
    assert ([seat["ready"] for seat in shown["seats"]], shown["status"]) == (
        [False, True, True, True],
        "waiting",
    )
    ready(lines[0])
    assert people[0].get(f"/api/tables/{table}")["status"] == "playing"
    assert not any(seat["ready"] for seat in seats_of(people[0], table))
    assert lines[1].ask(type="swap", seat=0)["code"] == "already_started"


def test_whoever_is_gone_is_not_ready_and_free_seats_wait_for_the_host(url: str) -> None:
    table, people, lines = room(url, 3)
    for line in lines:
        ready(line)
    assert people[0].get(f"/api/tables/{table}")["status"] == "waiting"  # a seat is free
    lines[2].raw.close()
    lines[0].until("table", lambda message: not message["table"]["seats"][2]["ready"])
    people[0].post(f"/api/tables/{table}/bots")
    assert people[0].get(f"/api/tables/{table}")["status"] == "waiting"
    lines[2] = people[2].socket(table)
    ready(lines[2])
    assert people[0].get(f"/api/tables/{table}")["status"] == "playing"


def test_the_last_bot_starts_a_game_for_which_all_are_ready(url: str) -> None:
    table, people, lines = room(url, 3)
    for line in lines:
        ready(line)
    assert people[0].post(f"/api/tables/{table}/bots", level="gentle")["status"] == "playing"


def test_two_who_agree_swap_their_seats(url: str) -> None:
    table, people, lines = room(url, 3)
    ready(lines[2])
    assert lines[1].ask(type="swap", seat=2)["type"] == "ack"
    assert [seat and seat["wants_seat"] for seat in seats_of(people[0], table)] == [None, 2, None, None]
    lines[2].ask(type="swap", seat=1, agree=False)
    assert seats_of(people[0], table)[1]["wants_seat"] is None
    lines[1].ask(type="swap", seat=2)
    lines[0].ask(type="swap", seat=1)  # another wish stays open, until that player moves
    lines[2].ask(type="swap", seat=1)
    assert names(people[0], table) == ["Ann", "Cho", "Ben", ""]
    shown = [seat for seat in seats_of(people[0], table) if seat]
    assert [(seat["wants_seat"], seat["ready"]) for seat in shown] == [(None, False)] * 3
    welcome = lines[1].until("welcome")
    assert welcome["seat"] == 2
    assert ready(lines[1])["type"] == "ack"
    assert [seat["ready"] for seat in seats_of(people[0], table) if seat] == [False, False, True]


def test_a_bot_swaps_at_once_and_a_free_seat_has_nobody_to_ask(url: str) -> None:
    table, people, lines = room(url, 2)
    people[0].post(f"/api/tables/{table}/bots", seat=3)
    lines[1].send(type="swap", id="s", seat=3)
    assert lines[1].until("welcome")["seat"] == 3
    assert names(people[0], table)[3] == "Ben"
    for seat, code in ((2, "no_swap"), (0, "no_swap")):
        assert lines[0].ask(type="swap", seat=seat)["code"] == code
    lines[0].send(type="swap", id="t", seat=7)
    assert lines[0].until("error")["code"] == "bad_message"


def test_who_plays_with_bots_alone_chooses_their_pace_at_any_time(url: str) -> None:
    table, people, lines = room(url, 2, pace="slow")
    assert people[0].get(f"/api/tables/{table}")["options"]["pace"] == "slow"
    assert lines[0].ask(type="pace", pace="quick")["code"] == "not_alone"
    people[1].post(f"/api/tables/{table}/leave")
    people[0].post(f"/api/tables/{table}/start")
    for pace in ("quick", "usual"):
        assert lines[0].ask(type="pace", pace=pace)["type"] == "ack"
        assert people[0].get(f"/api/tables/{table}")["options"]["pace"] == pace
    lines[0].send(type="pace", id="f", pace="fastest")
    assert lines[0].until("error")["code"] == "bad_message"


def test_who_has_left_a_game_may_return_so_its_pace_stays(url: str) -> None:
    table, people, lines = room(url, 2)
    people[0].post(f"/api/tables/{table}/start")
    people[1].post(f"/api/tables/{table}/leave")
    assert lines[0].ask(type="pace", pace="quick")["code"] == "not_alone"


def test_the_pace_outlives_a_restart(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        ann = Person(url, "Ann")
        table = ann.table(bots=3)["id"]
        line = ann.socket(table)
        assert line.ask(type="pace", pace="quick")["type"] == "ack"
        line.close()
    with open_server(quick(tmp_path)) as url:
        again = Person(url)
        again.http.cookies = ann.http.cookies
        assert again.get(f"/api/tables/{table}")["options"]["pace"] == "quick"


@pytest.mark.parametrize("mover", ["guest", "host"])
@pytest.mark.parametrize("how", ["move", "leave", "swap"])
def test_a_seat_that_changes_hands_takes_nobody_elses_socket(url: str, mover: str, how: str) -> None:
    table, people, lines = room(url, 3)
    index = 0 if mover == "host" else 1
    other = 2
    if how == "move":
        people[index].post(f"/api/tables/{table}/join", seat=3)
        people[other].post(f"/api/tables/{table}/join", seat=index)
        people[index].post(f"/api/tables/{table}/join", seat=other)  # and the other way round
    elif how == "leave":
        people[index].post(f"/api/tables/{table}/leave")
        people[other].post(f"/api/tables/{table}/join", seat=index)
        people[index].post(f"/api/tables/{table}/join", seat=other)
    else:
        lines[index].ask(type="swap", seat=other)
        lines[other].ask(type="swap", seat=index)
    for line, seat in ((lines[index], other), (lines[other], index)):
        assert ready(line)["type"] == "ack"  # both are connected, each to their own seat
        assert [message["seat"] for message in line.seen if message["type"] == "welcome"][-1] == seat
    shown = [info and (info["name"], info["connected"], info["ready"]) for info in seats_of(people[0], table)]
    called = ("Ann", "Ben", "Cho")
    assert [shown[index], shown[other], shown[3]] == [
        (called[other], True, True),
        (called[index], True, True),
        None,
    ]
    lines[index].raw.close()
    lines[other].until("table", lambda message: not message["table"]["seats"][other]["connected"])
    assert [info and info["connected"] for info in seats_of(people[0], table)].count(True) == 2


# Hands that the table plays for somebody who is away are marked, and are not that person's hands


EAST = 'extends = "standard"\n[match]\nlength = "east"\n[end]\ntobi = "off"\n'


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Person]]:
    with open_server(quick(tmp_path, grace_s=0.2)) as url:
        mina = Person(url, "Mina")
        jun = Person(url, "Jun")
        yield [mina, jun]


def begun(two: list[Person]) -> tuple[str, list[Line]]:
    rules = two[0].post("/api/rules", toml=EAST)["id"]
    table = two[0].table(bots=2, rules=rules)["id"]
    two[1].post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in two]
    two[0].post(f"/api/tables/{table}/start")
    return table, lines


def play_to_the_end(line: Line) -> None:
    while (own := line.asked()) is not None:
        answer = line.act(simplest(own))
        # The table may play once more for somebody who has just come back
        assert answer["type"] == "ack" or answer["code"] == "late"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["leaves", "loses the connection"])
def test_hands_of_an_absent_player_are_marked_and_count_for_nobody(two: list[Person], way: str) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].until("sync")
    if way == "leaves":
        jun.post(f"/api/tables/{table}/leave")
    lines[1].close()
    play_to_the_end(lines[0])
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    summary = mina.get(f"/api/games/{game}")
    absent = [player["absent"] for player in summary["players"]]
    seats = {player["name"]: seat for seat, player in enumerate(summary["players"])}
    events, hand, drew = mina.get(f"/api/games/{game}/replay")["events"], -1, set()
    for event in events:
        hand += event["type"] == "hand_started"
        if event["type"] == "discarded" and event["seat"] == seats["Jun"]:
            drew.add(hand)
    assert drew <= {*absent[seats["Jun"]]} <= {*range(summary["hands"])}  # a hand may end before one acts
    assert len(drew) >= 3
    assert [absent[seat] for name, seat in seats.items() if name != "Jun"] == [[]] * 3
    assert mina.get("/api/me/numbers")["figures"]["brief"]["games"] == 1
    assert jun.get("/api/me/numbers")["figures"] is None
    record = mina.http.get(f"/api/games/{game}/record").text
    assert json.loads(record.splitlines()[-1])["absent"] == absent
    formats.parse_record(record.encode())


@pytest.mark.slow
def test_whoever_comes_back_plays_the_later_hands_themselves(two: list[Person]) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].close()
    while sum(event["type"] == "hand_started" for event in lines[0].events()) < 2:
        own = lines[0].asked()
        assert own is not None
        lines[0].act(simplest(own))
    back = jun.socket(table)
    back.until("sync")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play_to_the_end, (lines[0], back)))
    summary = mina.get(f"/api/games/{mina.get(f'/api/tables/{table}')['result']['record']}")
    absent = {player["name"]: player["absent"] for player in summary["players"]}
    assert 0 in absent["Jun"]
    assert summary["hands"] - 1 not in absent["Jun"]
    assert absent["Mina"] == []


def test_the_hand_of_an_action_is_the_one_in_which_it_was_taken() -> None:
    """Also its first and its last action, and only the hands of that seat."""
    game = game_of(5000)
    dealt = [index for index, event in enumerate(game.events) if isinstance(event, HandStarted)]
    first = next(number for number, move in enumerate(game.moves) if move[0] > dealt[2])
    hands = absent_hands(game, [(first, 1), (first - 1, 1), (first, 3), (0, 0), (len(game.moves) - 1, 0)])
    assert hands == [[0, len(dealt) - 1], [1, 2], [], [2]]


def test_figures_leave_out_hands_that_others_played() -> None:
    game = game_of(5000)
    played = settle(played_hands(game), game.rules)
    four, count = ("a", "b", "c", "d"), len(played.hands)
    away = (frozenset({0, 2}), frozenset[int](), frozenset[int](), frozenset[int]())
    result = EventGame("1", "", four, played, absent=away)
    games = [RuledGame(load("standard"), result)]
    hands = [person_figures(games, letter)[game.rules.fingerprint].hands for letter in "ab"]
    assert [len(hand) for hand in hands] == [count - 2, count]


def test_the_rule_of_games_and_ratings() -> None:
    stored = {"absent": [[0, 1, 2], [1], [], list(range(4))]}
    assert [counts_for(stored, seat, 4) for seat in range(4)] == [False, True, True, False]
    assert not is_rated(stored, 4, 4)
    assert is_rated({"absent": [[0, 1, 2], [], [], []]}, 4, 4)  # leaving does not save from a loss
    assert is_rated(stored | {"there": [0, 1, 2, 3]}, 4, 4)  # not even in the first hand
    assert not is_rated(stored | {"there": [0, 1, 2]}, 4, 4)  # who never came has lost nothing
    for before in (None, {}, {"final": [0]}):  # games of earlier versions
        assert counts_for(before, 3, 8)
        assert is_rated(before, 4, 8)


@pytest.mark.slow
def test_others_open_reviews_only_of_whoever_lets_them(two: list[Person]) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].close()
    jun.post(f"/api/tables/{table}/leave")
    play_to_the_end(lines[0])
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    players = mina.get(f"/api/games/{game}")["players"]
    seat = next(seat for seat, player in enumerate(players) if player["name"] == "Mina")
    path = f"/api/games/{game}/review?seat={seat}"

    def seen() -> list[int]:
        stranger = Person(mina.url)
        return [person.http.get(path).status_code for person in (mina, jun, stranger)]

    assert (seen(), mina.get("/api/me/numbers")["reviews"]) == ([200] * 3, True)
    mina.http.put("/api/me/numbers/shown", json={"on": False, "reviews": False}).raise_for_status()
    assert (seen(), mina.get("/api/me/numbers")["reviews"]) == ([200, 403, 403], False)
    mina.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    assert seen() == [200, 403, 403]


# Stamps and texts at a table: who hears them, who may write, muting, and how many


def room_sayings(url: str, **options: Any) -> tuple[str, list[Person], list[Line]]:
    """Three people at a table that has not begun, and one who only watches."""
    people = [Person(url, name) for name in ("Ann", "Ben", "Cho", "Dai")]
    table = people[0].table(options=options)["id"]
    for person in people[1:3]:
        person.post(f"/api/tables/{table}/join")
    return table, people, [person.socket(table) for person in people]


def heard(line: Line) -> list[Message]:
    """What a socket has been told by now."""
    messages = []
    line.send(type="ping", id="p")
    while (message := line.next())["type"] != "pong":
        if message["type"] == "said":
            messages.append(message)
    return messages


def test_a_stamp_reaches_everybody_in_the_room_but_those_who_muted(url: str) -> None:
    _, people, lines = room_sayings(url)
    me = people[1].id
    assert lines[2].ask(type="mute", id="m", person=me, on=True)["type"] == "ack"
    assert lines[1].ask(type="say", id="s", stamp="hello")["type"] in ("ack", "said")
    said = {"type": "said", "seat": 1, "stamp": "hello", "text": None}
    assert [heard(line) for line in (lines[0], lines[2], lines[3])] == [[said], [], [said]]
    lines[2].ask(type="mute", id="m2", person=me, on=False)
    lines[1].ask(type="say", id="s2", stamp="nice")
    assert [saying["stamp"] for saying in heard(lines[2])] == ["nice"]


def test_only_players_speak_and_only_players_are_muted(url: str) -> None:
    _, people, lines = room_sayings(url)
    watcher = lines[3]
    assert watcher.ask(type="say", id="s", stamp="hello")["code"] == "not_seated"
    assert watcher.ask(type="mute", id="m", person=people[0].id, on=True)["code"] == "not_seated"
    assert lines[0].ask(type="mute", id="m", person=people[3].id, on=True)["code"] == "no_person"
    assert lines[0].ask(type="mute", id="m", person=people[0].id, on=True)["code"] == "not_yourself"
    lines[0].send(type="say", id="s", stamp="rude")
    assert lines[0].until("error")["code"] == "bad_message"
    assert lines[0].ask(type="say", id="s")["code"] == "bad_message"


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "no_chat"), ({"chat": True}, "no_chat"), ({"private": True}, "no_chat")],
)
def test_strangers_write_no_texts(url: str, options: dict[str, Any], code: str) -> None:
    _, _, lines = room_sayings(url, **options)
    assert lines[0].ask(type="say", id="t", text="hi")["code"] == code


def test_texts_are_written_at_private_tables_whose_host_wishes_them(url: str) -> None:
    _, _, lines = room_sayings(url, private=True, chat=True)
    lines[0].ask(type="say", id="t", text="안녕 ㅋㅋ")
    assert [saying["text"] for saying in heard(lines[1])] == ["안녕 ㅋㅋ"]
    for bad, code in (("\u200b", "bad_text"), ("a\u202eb", "bad_text"), ("x" * 81, "bad_message")):
        lines[0].send(type="say", id="b", text=bad)
        assert lines[0].until("error")["code"] == code
    assert lines[0].ask(type="say", id="2", text="a", stamp="nice")["code"] == "bad_message"


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[str]:
    settings = quick(tmp_path)
    limits = dataclasses.replace(settings.limits, sayings_per_s=0.001, saying_burst=Limits().saying_burst)
    with open_server(dataclasses.replace(settings, limits=limits)) as url:
        yield url


def test_nobody_says_more_than_a_few_things_at_once(strict: str) -> None:
    _, _, lines = room_sayings(strict)
    for i in range(10):
        lines[0].ask(type="say", id=f"s{i}", stamp="wow")
    assert len(heard(lines[1])) <= Limits().saying_burst


def test_a_game_of_another_length_and_a_seat_anywhere(url: str) -> None:
    ann, ben, cho = (Person(url, name) for name in ("Ann", "Ben", "Cho"))
    opened = ann.post("/api/tables", length="east", rules="tenhou")
    assert (opened["rules"]["length"], opened["rules"]["name"]) == ("east", "Tenhou · East only")
    assert opened["rules"]["id"] == opened["rules"]["fingerprint"]
    ann.post("/api/tables", options={"private": True}, length="east")
    table = ben.post("/api/tables/anywhere", length="east")
    assert (table["id"], sum(seat is not None for seat in table["seats"])) == (opened["id"], 2)
    other = cho.post("/api/tables/anywhere", length="hanchan", rules="ema")
    assert (other["owner"], other["rules"]["id"]) == (cho.id, "ema")
    three = ann.post("/api/tables/anywhere", players=3)
    assert (three["rules"]["id"], three["rules"]["man"], len(three["seats"])) == ("standard-3", "one_nine", 3)
    assert ben.post("/api/tables/anywhere", players=3)["id"] == three["id"]


def test_a_removed_person_is_seated_elsewhere(url: str) -> None:
    ann, ben = (Person(url, name) for name in ("Ann", "Ben"))
    table = ann.post("/api/tables", length="hanchan", rules="wrc")
    ben.post(f"/api/tables/{table['id']}/join")
    answer = ann.http.delete(f"/api/tables/{table['id']}/people/{ben.id}")
    assert answer.status_code == 200
    assert ben.post("/api/tables/anywhere", rules="wrc")["id"] != table["id"]


# Levels of bots at tables: chosen at the opening, for a seat, at the start; kept in games and rematches


def levels(table: Message) -> list[str | None]:
    return [seat and seat["bot"] for seat in table["seats"]]


def test_the_levels_of_the_protocol_are_those_of_the_bots() -> None:
    assert get_args(BotLevel) == LEVELS


def test_bots_have_a_name_in_each_language_and_people_their_own() -> None:
    for name in BOT_NAMES:
        shown = {sitter_name(Sitter(name, bot="gentle"), language) for language in ("en", "ja", "ko")}
        assert len(shown) == 3
        for seat in shown:
            with pytest.raises(ServerError):
                check_reserved(seat)
    assert sitter_name(Sitter("Sora", "p1"), "ko") == "Sora"
    assert sitter_name(Sitter("Sora", "p1", bot="standard"), "ko") == "Sora"


@pytest.mark.slow
def test_a_level_is_chosen_for_the_table_a_seat_and_the_start(person: Person, other: Person) -> None:
    table = person.table(bots=1, options={"bot": "gentle"})["id"]
    assert levels(person.get(f"/api/tables/{table}")) == [None, "gentle", None, None]
    person.post(f"/api/tables/{table}/bots", level="strong")
    for path, body in (
        (f"/api/tables/{table}/bots", {"level": "random"}),
        ("/api/tables", {"options": {"bot": 1}}),
    ):
        assert person.http.post(path, json=body).status_code == 422
    assert person.http.post(f"/api/tables/{table}/start?level=best").status_code == 422
    assert other.http.post(f"/api/tables/{table}/bots", json={"level": "gentle"}).status_code == 403
    started = person.post(f"/api/tables/{table}/start?level=efficient")
    assert levels(started) == [None, "gentle", "strong", "efficient"]


@pytest.mark.parametrize(
    ("opened_with", "bots", "wanted"),
    [
        (None, (None, None), "random"),  # the server's usual one
        ("strong", (None, None), "strong"),
        ("strong", ("efficient", "gentle"), "gentle"),
        (None, ("strong", None), "strong"),
        ("gentle", ("of another version", None), "gentle"),
    ],
)
def test_for_an_absent_person_plays_a_bot_of_the_level_of_the_others(
    opened_with: BotLevel | None, bots: tuple[str | None, ...], wanted: str
) -> None:
    others = [None if level is None else Sitter("Sora", bot=level) for level in bots]
    sitters = (Sitter("Mina", "p1"), Sitter("Jun", "p2", "standard", gone=True), *others)  # Jun was removed
    row = TableRow("t", "", "p1", "standard", "", TableOptions(bot=opened_with), sitters=sitters)
    services: Any = SimpleNamespace(settings=quick(Path()))
    table = Table(row, load("standard"), services)
    assert bot_of(table, 0) == wanted
    assert bot_of(table, 1) == "standard"
    table.row = replace(row, options=TableOptions(rated=True))
    assert bot_of(table, 0) is None


@pytest.mark.slow
def test_a_rematch_keeps_seats_and_levels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Also after the server has been started again; the record names the levels."""
    settings = quick(tmp_path_factory.mktemp("levels"))
    wanted = [None, "strong", "gentle", "random"]
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        rules = mina.post("/api/rules", toml=RULES_OWN_NUMBERS)["id"]
        table = mina.table(rules=rules)["id"]
        for level in wanted[1:3]:
            mina.post(f"/api/tables/{table}/bots", level=level)
        mina.post(f"/api/tables/{table}/start")
        finished(mina.socket(table))
    with open_server(settings) as url:
        again = Person(url)
        again.http.cookies = mina.http.cookies
        before = again.get(f"/api/tables/{table}")
        assert levels(before) == wanted
        game = again.get(f"/api/games/{before['result']['record']}")
        assert [player["level"] for player in game["players"]] == wanted
        line = again.socket(table)
        line.send(type="rematch", id="again", agree=True)
        line.until("sync", lambda message: message["game"] == 2)
        after = again.get(f"/api/tables/{table}")
        assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
        assert levels(after) == wanted


def finished(line: Line) -> None:
    """Play a game to its end."""
    while (own := line.asked()) is not None:
        assert line.act(simplest(own))["type"] == "ack"
    line.raw.close()


# How fast bots play where nobody has said it, and rules by the words of their author


@pytest.mark.parametrize(
    ("pace", "people", "factor"),
    [(None, 1, 0.3), (None, 2, 1.0), ("usual", 1, 1.0), ("slow", 1, 1.6), ("quick", 3, 0.3)],
)
def test_bots_are_quick_for_one_person_alone_unless_somebody_chose(
    pace: str | None, people: int, factor: float
) -> None:
    assert pace_of(pace, people) == factor


OWN = """extends = "standard"
{words}
[match]
start_points = 30000
return_points = 30000
"""


def test_rules_without_a_description_have_none_and_a_name_is_shown_in_any_language() -> None:
    unnamed = load_paces(tomllib.loads(OWN.format(words="")))
    named = load_paces(tomllib.loads(OWN.format(words='[name]\nko = "금요 룰"\n[about]\nko = "우리끼리"')))
    for language in ("en", "ja", "ko"):
        assert row(unnamed, language).about == page(unnamed, "", language).about == ""
        assert row(named, language).about == page(named, "", language).about == "우리끼리"
        assert rules_name(named, language) == row(named, language).name == "금요 룰"


# Hints: the value of a hand with and without the riichi that a discard may declare


RULES_SERVER_HINTS = load("standard").with_changes({"riichi.open": True, "match.length": "east"})


def declared(seed: int, kind: str) -> Iterator[tuple[dict[str, Any], Game, int]]:
    """A game of bots that declare riichi when they may: the hint before, the game after, the seat."""
    game, player = Game(RULES_SERVER_HINTS, seed), bot("efficient")
    while not game.is_over:
        seat = game.to_act[0]
        ways = [
            action for action in game.legal(seat) if isinstance(action, Discard) and action.riichi == kind
        ]
        if not ways:
            game.play(seat, player.choose(game, seat))
            continue
        rows = hints(game, seat, "en")["discards"]
        row = next(row for row in rows if parse_tile(row["tile"]) % RED == ways[0].tile % RED)
        game.play(seat, ways[0])
        yield row, game, seat


@pytest.mark.parametrize("kind", ["riichi", "open"])
def test_hints_for_a_riichi_discard_include_the_riichi_value(kind: str) -> None:
    gained, seen = 0, 0
    for hint, game, seat in declared(5, kind):
        if riichi_of(game.record, seat) is None:  # somebody has won on the tile: the next hand is dealt
            continue
        promised = hint["riichi"][kind]
        assert promised == hints(game, seat, "en")["waits"]
        gained += any(wait["ron"] is None for wait in hint["waits"])
        assert all(way["ron"] for way in promised)
        seen += 1
    assert seen > gained > 0


def test_hints_name_the_tiles_that_each_discard_accepts() -> None:
    game = Game(RULES_SERVER_HINTS, 7)
    seat = game.to_act[0]
    discards = hints(game, seat, "en")["discards"]
    assert discards[0]["shanten"] > 0
    for discard in discards:
        accepted = parse_tiles(discard["accepts"])
        assert bool(accepted) == (discard["tiles"] > 0)
        assert len(accepted) <= discard["tiles"] <= 4 * len(accepted)


def test_hints_tell_what_a_discard_costs_against_the_one_of_the_standard_bot() -> None:
    game, player = Game(RULES_SERVER_HINTS, 8), bot("standard", 0)
    weighed = 0
    while len(game.played) < 120:
        seat = game.to_act[0]
        chosen = player.choose(game, seat)
        rows = hints(game, seat, "en")["discards"]
        losses = {parse_tile(row["tile"]) % RED: row["loss"] for row in rows}
        if isinstance(chosen, Discard) and None not in losses.values():
            assert losses[chosen.tile % RED] == min(losses.values()) == 0
            weighed += max(losses.values()) > 0
        game.play(seat, chosen)
    assert weighed > 20


def test_hints_count_wareme_as_far_as_they_can_know_it() -> None:
    """Of a ron only the winner is known, at a tsumo everybody pays: the same game with and without wareme."""
    seen = set[tuple[bool, bool]]()
    for seed in range(3):
        plain, doubled = (
            Game(RULES_SERVER_HINTS.with_changes({"score.wareme": way}), seed) for way in ("off", "hand")
        )
        player = bot("efficient")
        while len(plain.walls) == 1 and not plain.is_over:
            seat = plain.to_act[0]
            broken = doubled.view(seat).wareme
            pairs = zip(*(hints(game, seat, "en")["waits"] for game in (plain, doubled)), strict=True)
            for usual, more in pairs:
                if usual["ron"] and usual["tsumo"]:
                    assert more["ron"] == usual["ron"] * (2 if broken == seat else 1)
                    assert (more["tsumo"] == 2 * usual["tsumo"]) is (broken == seat)
                    assert more["tsumo"] > usual["tsumo"]
                    seen.add((broken == seat, True))
            action = player.choose(plain, seat)
            for game in (plain, doubled):
                game.play(seat, action)
    assert len(seen) == 2


# A table for three in the parlour: seats, messages, storage and what is resumed from it


MOVES = 30


@pytest.fixture
def allowed() -> Iterator[None]:
    with three_may_play():
        yield


@pytest.fixture
async def three_stores(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Services]:
    stores = Services(quick(tmp_path))
    await stores.store.claim()
    await stores.store.open()
    stores.writer.start()
    yield stores
    await all_done(10)
    await stores.writer.stop()
    await stores.store.close()


async def a_table(three_stores: Services, people: int) -> tuple[GameLoop, list[Connection]]:
    """A table for three with so many people; the game has not begun."""
    persons = [PersonRow(new_id(), f"P{i}", None, "player", "en") for i in range(people)]
    rules = await three_stores.rulesets.save(three())
    loop = await Lobby(three_stores).add(
        persons[0], "", NewTable("", rules, TableOptions(clock=False, draw_seats=False))
    )
    for person in persons:
        loop.table.row = table_seats.joined(loop.table.row, person, None)
    connections = [Connection(person) for person in persons]
    for seat, connection in enumerate(connections):
        loop.table.audience.sit(connection, seat)
    return loop, connections


@pytest.mark.usefixtures("allowed")
async def test_a_table_of_three_is_full_with_three(three_stores: Services) -> None:
    loop, _ = await a_table(three_stores, 3)
    assert len(info(loop.table, "en").seats) == 3
    with pytest.raises(ServerError) as caught:
        table_seats.joined(loop.table.row, PersonRow(new_id(), "Late", None, "player", "en"), None)
    assert caught.value.code == "no_free_seat"
    stored = table_seats.left(loop.table.row, loop.table.row.owner)
    await three_stores.seating.change(stored)
    assert await three_stores.seating.find(stored.id) == stored
    assert len(stored.sitters) == 3


@pytest.mark.usefixtures("allowed")
async def test_clients_learn_how_many_play_and_how_long_the_wall_is(three_stores: Services) -> None:
    """The page that opens a table offers two bots, and the table counts down from 83."""
    loop, _ = await a_table(three_stores, 1)
    rules = loop.table.rules
    assert info(loop.table, "en").rules.wall == 83
    assert row(rules, "en").players == page(rules, "", "en").players == 3
    assert replay(ReplayGame(Game(rules, seed=1), ["A", "B", "C"])).wall == 83


@pytest.mark.usefixtures("allowed")
async def test_a_game_of_three_is_played_told_and_resumed(three_stores: Services) -> None:
    loop, connections = await a_table(three_stores, 1)
    async with loop.changing() as table:
        await play.start(table)
    live = loop.table.live
    assert live is not None
    assert [bool(sitter and sitter.bot) for sitter in loop.table.row.sitters] == [False, True, True]
    for _ in range(MOVES):
        if live.game.is_over or live.between:
            break
        seat = live.game.to_act[0]
        async with loop.changing() as table:
            await play.carry_out(table, seat, live.game.legal(seat)[0])
    messages = [FROM_SERVER.validate_json(text) for text in connections[0]._waiting]
    assert {type(told) for told in messages} >= {Welcome, Sync, Update}
    for message in messages:
        if isinstance(message, Welcome):
            assert len(message.table.seats) == 3
        elif isinstance(message, Sync):
            assert message.view is None or len(message.view.scores) == 3
    again = await Lobby(three_stores).find(loop.table.row.id)
    assert again.table.live is not None
    assert again.table.row.seat_count == 3
    assert again.table.live.game.events == live.game.events
    dealt = [event for event in live.game.events if isinstance(event, HandStarted)]
    assert {len(event.scores) for event in dealt} == {3}
