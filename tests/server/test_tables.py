"""Tables: playing, reconnecting, hidden tiles, spectators, votes, leaving, chat and bots."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jantaku.game.events import HandStarted
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.archive.replay import ReplayGame, replay
from jantaku.server.edge.protocol import FROM_SERVER, BotLevel, Sync, TableOptions, Update, Welcome
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES, check_reserved
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import info
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import bot_of, sitter_name
from jantaku.server.programs import Programs
from jantaku.server.settings import Limits, Program, pace_of
from jantaku.server.storage.finished_games import absent_hands, counts_for, is_rated
from jantaku.server.storage.tables import Sitter, TableRow
from server.lobbies import act, create_table, somebody
from server.parlour import (
    SHORT,
    Line,
    Message,
    Person,
    Serve,
    close_code,
    discards,
    fast_settings,
    only_limits,
    run_concurrently,
    seated,
    simplest_action,
)
from server.test_archive import game_of
from support.three import three, three_may_play

TURNS = 60 if COMPILED else 8
NAMES = ("Ann", "Ben", "Cho", "Dai")


@pytest.fixture
def four(url: str) -> list[Person]:
    return [Person(url, name) for name in NAMES]


def move(lines: list[Line]) -> None:
    """Play the simplest action of a player who has to act; then all sockets read their messages."""
    settle(lines)
    line = next(line for line in lines if line.own and line.own["ask"] is not None)
    assert line.move()["type"] == "ack"
    settle(lines)


def settle(lines: list[Line]) -> None:
    """Read until no message is on its way."""
    for line in lines:
        line.ask(type="ping")


def hidden(event: Message, seat: int) -> Message:
    """Return an event as a seat may see it, computed independently and in a simpler way."""
    seen = dict(event)
    if event["type"] == "drew" and event["seat"] != seat:
        seen.pop("tile", None)
    if event["type"] == "hand_started":
        seen["hands"] = [hand if index == seat else None for index, hand in enumerate(event["hands"])]
    return seen


@pytest.mark.slow
def test_no_message_contains_a_hidden_tile(four: list[Person]) -> None:
    """The messages to each seat are compared with the game record; none has a tile hidden from that seat."""
    table, lines = seated(four)
    for _ in range(TURNS):
        move(lines)
    for line in lines:
        line.ask(type="abort", agree=True)
    game = four[0].get(f"/api/tables/{table['id']}")["result"]["record"]
    truth = four[0].get(f"/api/games/{game}/replay")["events"]
    for seat, line in enumerate(lines):
        start = min(message["view_seq"] for message in line.seen if message["type"] == "sync")
        events = line.events()
        assert events == [hidden(event, seat) for event in truth[start : start + len(events)]]
        views = [message["view"] for message in line.seen if message.get("view")]
        assert {str(view["shown"]) for view in views} == {str([None] * 4)}
        texts = json.dumps(line.seen)
        assert [hand in texts for hand in truth[1]["hands"]] == [other == seat for other in range(4)]


def test_a_reconnecting_client_gets_exactly_what_it_missed(four: list[Person]) -> None:
    table, lines = seated(four)
    for _ in range(10):
        move(lines)
    lost = next(line for line in lines if not (line.own and line.own["ask"] is not None))
    seat, known = lines.index(lost), lost.seq
    lost.close()
    rest = [line for line in lines if line is not lost]
    for _ in range(12):
        if any(line.own and line.own["ask"] is not None for line in rest):
            move(rest)
    back = four[seat].socket(table["id"], game=lost.game, last=known)
    missed = back.until("update")
    assert missed["seq"] >= max(known, rest[0].seq)
    assert len(missed["events"]) == missed["seq"] - known
    sync = four[seat].socket(table["id"]).until("sync")
    assert close_code(back.raw) == 4409
    assert sync["seq"] == sync["view_seq"] + len(sync["events"])
    whole = lost.events() + missed["events"]
    assert whole[len(whole) - len(sync["events"]) :] == sync["events"]


def test_an_impossible_event_number_gets_a_full_sync(person: Person) -> None:
    table, _ = person.start()
    for game, last in ((1, 100_000), (7, 3), (None, None), (1, None), (None, 5)):
        assert person.socket(table, game=game, last=last).until("sync")["game"] == 1


def test_a_repeated_message_is_handled_once(person: Person) -> None:
    _, line = person.start()
    assert line.own is not None
    message = {
        "type": "act",
        "id": "same",
        "game": 1,
        "ask": line.own["ask"],
        "action": simplest_action(line.own),
    }
    line.send(**message)
    line.send(**message)
    line.ask(type="ping")
    assert [received for received in line.seen if received["type"] == "ack"] == [
        {"type": "ack", "id": "same"}
    ] * 2
    mine = [event for event in line.events() if event["type"] == "discarded" and event["seat"] == 0]
    assert len(mine) <= 2
    assert line.ask(**{**message, "id": "late"})["code"] == "late"


def test_forbidden_messages_change_nothing(person: Person) -> None:
    table, line = person.start()
    assert line.own is not None
    held, ask = line.own["hand"], line.own["ask"]
    for action, code in (
        ({"type": "discard", "tile": "9m9m"}, "bad_message"),
        ({"type": "ron"}, "illegal_action"),
        ({"type": "pon", "red": 0}, "illegal_action"),
        ({"type": "foul", "act": "win_shown"}, "illegal_action"),
    ):
        line.send(type="act", id="x", game=1, ask=ask, action=action)
        assert line.until("error")["code"] == code
    own = person.socket(table).until("sync")["own"]
    assert (own["hand"], own["ask"]) == (held, ask)


def test_a_spectator_sees_no_hands_and_cannot_act(person: Person, other: Person) -> None:
    table = person.table(bots=3)["id"]
    watcher = other.socket(table, all_hands=True)
    assert (watcher.welcome["seat"], watcher.welcome["all_hands"]) == (None, False)
    person.post(f"/api/tables/{table}/start")
    line = person.socket(table)
    line.move()
    assert watcher.until("sync")["view"] is None
    watcher.until("update", lambda message: message["events"])
    for event in watcher.events():
        assert "tile" not in event or event["type"] != "drew"
        assert event.get("hands", [None] * 4) == [None] * 4
    assert watcher.ask(type="act", game=1, ask=1, action={"type": "pass"})["code"] == "not_seated"


HELLO = '{"type":"hello","version":1}'


def test_an_unadmitted_socket_is_closed(url: str, person: Person, other: Person) -> None:
    table = person.table(bots=3, options={"spectators": False})["id"]
    person.post(f"/api/tables/{table}/start")
    for who, where, first, code in (
        (Person(url), table, "", 4401),
        (person, "nosuchid", HELLO, 4404),
        (other, table, HELLO, 4403),
        (person, table, "{}", 4400),
        (person, table, "no json", 4400),
        (person, table, '{"type":"ping","id":"1"}', 4400),
        (person, table, '{"type":"hello","version":99}', 4406),
        (person, table, "x" * 5000, 1009),
    ):
        raw = who.raw(where)
        if first:
            raw.send(first)
        assert close_code(raw) == code
    with pytest.raises(Exception, match="403"):
        person.raw(table, Origin="https://elsewhere.example")
    person.raw(table, Origin=url)


def test_a_bot_plays_for_a_player_who_left_until_they_return(four: list[Person]) -> None:
    table, lines = seated(four)
    lines[0].wait_to_act()
    assert four[0].post(f"/api/tables/{table['id']}/leave")["seats"][0]["away"]
    lines[1].until("update", lambda message: discards(message, 0))
    assert not four[0].post(f"/api/tables/{table['id']}/join")["seats"][0]["away"]
    welcome = lines[0].until("welcome", lambda message: message["seat"] == 0)
    assert welcome["table"]["status"] == "playing"


def test_a_bot_plays_for_a_disconnected_player_until_they_return(serve: Serve) -> None:
    url = serve(grace_s=0.0)
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    table = mina.table(bots=2)["id"]
    jun.post(f"/api/tables/{table}/join")
    line, watching = mina.socket(table), jun.socket(table)
    mina.post(f"/api/tables/{table}/start")
    line.until("sync")
    line.close()
    watching.until("table", lambda message: message["table"]["seats"][0]["away"])
    watching.until("update", lambda message: discards(message, 0))
    mina.socket(table)
    watching.until("table", lambda message: not message["table"]["seats"][0]["away"])


def test_aborting_a_game_needs_a_unanimous_vote(four: list[Person]) -> None:
    table, lines = seated(four)
    for line in lines[:3]:
        line.ask(type="abort", agree=True)
    lines[0].ask(type="abort", agree=False)
    lines[3].ask(type="abort", agree=True)
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
def test_a_rematch_waits_for_players_who_just_disconnected(serve: Serve, grace_s: float) -> None:
    url = serve(grace_s=grace_s)
    people = [Person(url, name) for name in NAMES]
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
        people[3].socket(table["id"]).ask(type="rematch", agree=True)
    while lines[2].game != 2:
        lines[2].next()
    sitting = people[0].get(f"/api/tables/{table['id']}")["seats"]
    assert [seat["bot"] is None for seat in sitting] == [True] * 3 + [grace_s > 0]


def test_the_lobby_can_list_only_my_tables(person: Person, other: Person) -> None:
    own = person.table()["id"]
    public = other.table()["id"]
    page = person.get("/api/tables", mine=True)
    assert ([table["id"] for table in page["mine"]], page["tables"]) == ([own], [])
    assert public in [table["id"] for table in person.get("/api/tables")["tables"]]


# Before the game: being ready, starting automatically, and swapping seats


class Room:
    """People at a table where the game has not started."""

    def __init__(self, url: str, seats: int = 4, watchers: int = 0, **options: Any) -> None:
        self.people = [Person(url, name) for name in NAMES[: seats + watchers]]
        self.table = self.people[0].table(options=options)["id"]
        self.path = f"/api/tables/{self.table}"
        for person in self.people[1:seats]:
            person.post(f"{self.path}/join")
        self.lines = [person.socket(self.table) for person in self.people]

    def view(self) -> Message:
        table: Message = self.people[0].get(self.path)
        return table

    def seats(self, name: str) -> list[Any]:
        return [seat and seat[name] for seat in self.view()["seats"]]

    def ready(self, *lines: int, on: bool = True) -> None:
        for line in lines:
            assert self.lines[line].ask(type="ready", on=on)["type"] == "ack"


def test_the_game_starts_when_all_players_are_ready(url: str) -> None:
    room = Room(url)
    room.ready(0, 1, 2)
    room.ready(0, on=False)
    room.ready(3)
    assert (room.seats("ready"), room.view()["status"]) == ([False, True, True, True], "waiting")
    room.ready(0)
    assert (room.seats("ready"), room.view()["status"]) == ([False] * 4, "playing")
    assert room.lines[1].ask(type="swap", seat=0)["code"] == "already_started"


def test_disconnected_players_are_not_ready_and_free_seats_wait_for_the_host(url: str) -> None:
    room = Room(url, 3)
    room.ready(0, 1, 2)
    assert room.view()["status"] == "waiting"  # one seat is still free
    room.lines[2].close()
    room.lines[0].until("table", lambda message: not message["table"]["seats"][2]["ready"])
    room.people[0].post(f"{room.path}/bots")
    assert room.view()["status"] == "waiting"
    room.lines[2] = room.people[2].socket(room.table)
    room.ready(2)
    assert room.view()["status"] == "playing"


def test_the_last_bot_starts_a_game_if_all_are_ready(url: str) -> None:
    room = Room(url, 3)
    room.ready(0, 1, 2)
    assert room.people[0].post(f"{room.path}/bots", level="gentle")["status"] == "playing"


def test_two_players_who_agree_swap_seats(url: str) -> None:
    room = Room(url, 3)
    room.ready(2)
    assert room.lines[1].ask(type="swap", seat=2)["type"] == "ack"
    assert room.seats("wants_seat") == [None, 2, None, None]
    room.lines[2].ask(type="swap", seat=1, agree=False)
    assert room.seats("wants_seat") == [None] * 4
    room.lines[1].ask(type="swap", seat=2)
    room.lines[0].ask(type="swap", seat=1)  # another request stays open until the player who made it moves
    room.lines[2].ask(type="swap", seat=1)
    assert room.seats("name") == ["Ann", "Cho", "Ben", None]
    assert (room.seats("wants_seat"), room.seats("ready")) == ([None] * 4, [False] * 3 + [None])
    assert room.lines[1].until("welcome")["seat"] == 2
    room.ready(1)
    assert room.seats("ready") == [False, False, True, None]


def test_bots_swap_at_once_and_free_seats_cannot_be_swapped(url: str) -> None:
    room = Room(url, 2)
    room.people[0].post(f"{room.path}/bots", seat=3)
    room.lines[1].send(type="swap", id="s", seat=3)
    assert room.lines[1].until("welcome")["seat"] == 3
    assert room.seats("name")[3] == "Ben"
    for seat, code in ((2, "no_swap"), (0, "no_swap"), (7, "bad_message")):
        room.lines[0].send(type="swap", id="s", seat=seat)
        assert room.lines[0].until("error")["code"] == code


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("how", ["move", "leave", "swap"])
def test_a_seat_swap_moves_the_sockets(url: str, mover: int, how: str) -> None:
    room, other = Room(url, 3), 2
    one, two = room.people[mover], room.people[other]
    if how == "swap":
        room.lines[mover].ask(type="swap", seat=other)
        room.lines[other].ask(type="swap", seat=mover)
    else:
        one.post(f"{room.path}/leave") if how == "leave" else one.post(f"{room.path}/join", seat=3)
        two.post(f"{room.path}/join", seat=mover)
        one.post(f"{room.path}/join", seat=other)
    room.ready(mover, other)  # each socket belongs to its new seat
    for line, seat in ((mover, other), (other, mover)):
        seats = [message["seat"] for message in room.lines[line].seen if message["type"] == "welcome"]
        assert seats[-1] == seat
    assert [room.seats("name")[seat] for seat in (mover, other, 3)] == ["Cho", NAMES[mover], None]
    for flag in ("connected", "ready"):
        assert [room.seats(flag)[seat] for seat in (mover, other)] == [True, True]
    room.lines[mover].close()
    room.lines[other].until("table", lambda message: not message["table"]["seats"][other]["connected"])
    assert room.seats("connected").count(True) == 2


def test_only_a_lone_player_can_set_the_pace_of_bots(serve: Serve) -> None:
    room = Room(serve(), 2, pace="slow")
    host, line = room.people[0], room.lines[0]
    assert room.view()["options"]["pace"] == "slow"
    assert line.ask(type="pace", pace="quick")["code"] == "not_alone"
    room.people[1].post(f"{room.path}/leave")
    host.post(f"{room.path}/start")
    for pace in ("quick", "usual"):
        assert line.ask(type="pace", pace=pace)["type"] == "ack"
        assert room.view()["options"]["pace"] == pace
    line.send(type="pace", id="f", pace="fastest")
    assert line.until("error")["code"] == "bad_message"
    other = Room(serve(), 2)
    assert room.view()["options"]["pace"] == "usual"
    other.people[0].post(f"{other.path}/start")
    other.people[1].post(f"{other.path}/leave")  # this player may come back
    assert other.lines[0].ask(type="pace", pace="quick")["code"] == "not_alone"


@pytest.mark.parametrize(
    ("pace", "people", "factor"),
    [(None, 1, 0.3), (None, 2, 1.0), ("usual", 1, 1.0), ("slow", 1, 1.6), ("quick", 3, 0.3)],
)
def test_bots_are_quick_by_default_for_a_lone_player(pace: str | None, people: int, factor: float) -> None:
    assert pace_of(pace, people) == factor


def test_joining_any_table_seats_people_at_matching_tables(serve: Serve) -> None:
    url = serve()
    ann, ben, cho = (Person(url, name) for name in NAMES[:3])
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
    ann.delete(f"/api/tables/{three['id']}/people/{ben.id}")
    assert ben.post("/api/tables/anywhere", players=3)["id"] != three["id"], (
        "not at a table they were removed from"
    )


# Hands that the server plays for an absent person are marked and do not count for that person


EAST = 'extends = "standard"\n[match]\nlength = "east"\n[end]\ntobi = "off"\n'


@pytest.fixture
def two(serve: Serve) -> list[Person]:
    url = serve(grace_s=0.2)
    return [Person(url, "Mina"), Person(url, "Jun")]


def started_game(two: list[Person]) -> tuple[str, list[Line]]:
    rules = two[0].post("/api/rules", toml=EAST)["id"]
    table = two[0].table(bots=2, rules=rules)["id"]
    two[1].post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in two]
    two[0].post(f"/api/tables/{table}/start")
    return table, lines


@pytest.mark.slow
@pytest.mark.parametrize("way", ["leaves", "disconnects"])
def test_hands_of_an_absent_player_are_marked_and_do_not_count(two: list[Person], way: str) -> None:
    mina, jun = two
    table, lines = started_game(two)
    lines[1].until("sync")
    if way == "leaves":
        jun.post(f"/api/tables/{table}/leave")
    lines[1].close()
    lines[0].finish()
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    summary = mina.get(f"/api/games/{game}")
    absent = [player["absent"] for player in summary["players"]]
    seats = {player["name"]: seat for seat, player in enumerate(summary["players"])}
    hand, acted = -1, set()
    for event in mina.get(f"/api/games/{game}/replay")["events"]:
        hand += event["type"] == "hand_started"
        if event["type"] == "discarded" and event["seat"] == seats["Jun"]:
            acted.add(hand)
    assert (
        acted <= {*absent[seats["Jun"]]} <= {*range(summary["hands"])}
    )  # the hand may end before the player acts
    assert len(acted) >= 3
    assert [absent[seat] for name, seat in seats.items() if name != "Jun"] == [[]] * 3
    assert mina.get("/api/me/profile")["figures"]["brief"]["games"] == 1
    assert jun.get("/api/me/profile")["figures"] is None
    record = mina.http.get(f"/api/games/{game}/record").text
    assert json.loads(record.splitlines()[-1])["absent"] == absent
    formats.parse_record(record.encode())

    path = f"/api/games/{game}/review?seat={seats['Mina']}"

    def seen(**shown: bool) -> list[int]:
        """Return the statuses of review requests by Mina, by the other player and by a stranger."""
        mina.put("/api/me/profile/shown", **shown)
        return [person.http.get(path).status_code for person in (mina, jun, Person(mina.url))]

    assert seen(on=False) == [200] * 3
    assert seen(on=False, reviews=False) == seen(on=True) == [200, 403, 403]
    assert not mina.get("/api/me/profile")["reviews"]


@pytest.mark.slow
def test_a_returning_player_plays_the_later_hands(two: list[Person]) -> None:
    mina, jun = two
    table, lines = started_game(two)
    lines[1].close()
    while sum(event["type"] == "hand_started" for event in lines[0].events()) < 2:
        lines[0].move()
    back = jun.socket(table)
    back.until("sync")
    run_concurrently([lines[0].finish, back.finish])
    summary = mina.get(f"/api/games/{mina.get(f'/api/tables/{table}')['result']['record']}")
    absent = {player["name"]: player["absent"] for player in summary["players"]}
    assert (0 in absent["Jun"], summary["hands"] - 1 in absent["Jun"], absent["Mina"]) == (True, False, [])


def test_absent_actions_are_assigned_to_the_hand_they_were_made_in() -> None:
    """The first and last action of a hand belong to it; only hands of the absent seat are listed."""
    game = game_of(5000)
    dealt = [index for index, event in enumerate(game.events) if isinstance(event, HandStarted)]
    first = next(number for number, move in enumerate(game.moves) if move[0] > dealt[2])
    hands = absent_hands(game, [(first, 1), (first - 1, 1), (first, 3), (0, 0), (len(game.moves) - 1, 0)])
    assert hands == [[0, len(dealt) - 1], [1, 2], [], [2]]


def test_games_count_and_are_rated_depending_on_absences() -> None:
    stored = {"absent": [[0, 1, 2], [1], [], [0, 1, 2, 3]]}
    assert [counts_for(stored, seat, 4) for seat in range(4)] == [False, True, True, False]
    assert not is_rated(stored, 4, 4)
    assert is_rated({"absent": [[0, 1, 2], [], [], []]}, 4, 4)  # a player cannot avoid a loss by leaving
    assert is_rated(stored | {"there": [0, 1, 2, 3]}, 4, 4)  # not even by leaving in the first hand
    assert not is_rated(stored | {"there": [0, 1, 2]}, 4, 4)  # a player who never arrived has not lost
    assert counts_for(None, 3, 8)


# Stamps and texts at a table: who gets them, who may send them, muting and limits


def new_sayings(line: Line) -> list[Message]:
    """Return the stamps and texts that arrived since the last call."""
    before = len(line.seen)
    line.types()
    return [message for message in line.seen[before:] if message["type"] == "said"]


def test_a_stamp_reaches_everyone_who_has_not_muted_its_sender(url: str) -> None:
    room = Room(url, 3, watchers=1)
    ann, ben, cho, dai = room.lines
    me = room.people[1].id
    assert cho.ask(type="mute", person=me, on=True)["type"] == "ack"
    ben.ask(type="say", stamp="hello")
    stamp = {"type": "said", "seat": 1, "stamp": "hello", "text": None}
    assert [new_sayings(line) for line in (ann, cho, dai)] == [[stamp], [], [stamp]]
    cho.ask(type="mute", person=me, on=False)
    ben.ask(type="say", stamp="nice")
    assert [saying["stamp"] for saying in new_sayings(cho)] == ["nice"]
    say, people = {"type": "say", "id": "s"}, [person.id for person in room.people]
    for line, message, code in (
        (dai, say | {"stamp": "hello"}, "not_seated"),
        (dai, {"type": "mute", "id": "s", "person": people[0], "on": True}, "not_seated"),
        (ann, {"type": "mute", "id": "s", "person": people[3], "on": True}, "no_person"),
        (ann, {"type": "mute", "id": "s", "person": people[0], "on": True}, "not_yourself"),
        (ann, say | {"stamp": "rude"}, "bad_message"),
        (ann, say, "bad_message"),
        (ann, say | {"text": "hi"}, "no_chat"),
    ):
        line.send(**message)
        assert line.until("error")["code"] == code, message


def test_chat_is_limited_to_private_tables_that_allow_it(url: str) -> None:
    for options in ({"chat": True}, {"private": True}):
        assert Room(url, 2, **options).lines[0].ask(type="say", text="hi")["code"] == "no_chat"
    ann, ben = Room(url, 2, private=True, chat=True).lines
    ann.ask(type="say", text="안녕 ㅋㅋ")
    assert [saying["text"] for saying in new_sayings(ben)] == ["안녕 ㅋㅋ"]
    for wrong, code in (
        ({"text": "\u200b"}, "bad_text"),
        ({"text": "a\u202eb"}, "bad_text"),
        ({"text": "x" * 81}, "bad_message"),
        ({"text": "a", "stamp": "nice"}, "bad_message"),
    ):
        ann.send(type="say", id="b", **wrong)
        assert ann.until("error")["code"] == code


def test_chat_is_rate_limited(serve: Serve) -> None:
    burst = Limits().saying_burst
    ann, ben = Room(serve(limits=only_limits(sayings_per_s=0.001, saying_burst=burst)), 2).lines
    for _ in range(10):
        ann.ask(type="say", stamp="wow")
    assert len(new_sayings(ben)) == burst


# Levels of bots, chosen for a table, for a seat or at the start, and kept in a rematch


def levels(table: Message) -> list[str | None]:
    return [seat and seat["bot"] for seat in table["seats"]]


def test_only_names_of_bots_are_localised() -> None:
    for name in BOT_NAMES:
        shown = {sitter_name(Sitter(name, bot="gentle"), language) for language in ("en", "ja", "ko")}
        assert len(shown) == 3
        for seat in shown:
            with pytest.raises(ServerError):
                check_reserved(seat)
    assert sitter_name(Sitter("Sora", "p1"), "ko") == "Sora"
    assert sitter_name(Sitter("Sora", "p1", bot="standard"), "ko") == "Sora"


@pytest.mark.parametrize(
    ("opened_with", "bots", "wanted"),
    [
        (None, (None, None), "random"),  # the default level of the server
        ("strong", (None, None), "strong"),
        ("strong", ("efficient", "gentle"), "gentle"),
        (None, ("strong", None), "strong"),
        ("gentle", ("of another version", None), "gentle"),
        ("program", ("program", None), "random"),  # a program has no known strength
        ("program", ("program", "strong"), "strong"),
    ],
)
def test_a_bot_for_an_absent_player_has_the_level_of_the_other_bots(
    opened_with: BotLevel | None, bots: tuple[str | None, ...], wanted: str
) -> None:
    others = [None if level is None else Sitter("Sora", bot=level) for level in bots]
    sitters = (Sitter("Mina", "p1"), Sitter("Jun", "p2", "standard", gone=True), *others)  # Jun was removed
    row = TableRow("t", "", "p1", "standard", "", TableOptions(bot=opened_with), sitters=sitters)
    services: Any = SimpleNamespace(
        settings=fast_settings(Path()), programs=Programs([Program("program", "mjai:cat")], 1)
    )
    table = Table(row, load("standard"), services)
    assert [bot_of(table, 0), bot_of(table, 1)] == [wanted, "standard"]
    table.row = replace(row, options=TableOptions(rated=True))
    assert bot_of(table, 0) is None


@pytest.mark.slow
def test_a_rematch_keeps_seats_and_levels(serve: Serve) -> None:
    """The levels survive a restart and are part of the game record."""
    url = serve()
    mina, other = Person(url, "Mina"), Person(url, "Jun")
    rules = mina.post("/api/rules", toml=SHORT)["id"]
    table = mina.table(rules=rules, bots=1, options={"bot": "gentle"})["id"]
    path = f"/api/tables/{table}"
    assert levels(mina.get(path)) == [None, "gentle", None, None]
    mina.post(f"{path}/bots", level="strong")
    mina.refused("no_program", f"{path}/bots", level="random")
    mina.refused("bad_request", "/api/tables", options={"bot": 1})
    mina.refused("no_program", f"{path}/start?level=best")
    other.refused("not_owner", f"{path}/bots", level="gentle")
    wanted = [None, "gentle", "strong", "efficient"]
    assert levels(mina.post(f"{path}/start?level=efficient")) == wanted
    mina.socket(table).finish()
    serve()
    before = mina.get(path)
    assert levels(before) == wanted
    game = mina.get(f"/api/games/{before['result']['record']}")
    assert [player["level"] for player in game["players"]] == wanted
    line = mina.socket(table)
    line.send(type="rematch", id="again", agree=True)
    line.until("sync", lambda message: message["game"] == 2)
    after = mina.get(path)
    assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
    assert levels(after) == wanted


# A three-player table: seats, messages, storage and resuming


@pytest.fixture
def allowed() -> Iterator[None]:
    with three_may_play():
        yield


@pytest.mark.usefixtures("allowed")
async def test_a_three_player_table_is_full_with_three(lobby: Lobby) -> None:
    services = lobby.services
    loop, _ = await create_table(lobby, 3, await services.rulesets.save(three()), started=False)
    seen = info(loop.table, "en")
    assert (len(seen.seats), seen.rules.wall) == (3, 83)
    with pytest.raises(ServerError) as caught:
        table_seats.joined(loop.table.row, somebody("Late"), None)
    assert caught.value.code == "no_free_seat"
    stored = table_seats.left(loop.table.row, loop.table.row.owner)
    await services.seating.change(stored)
    assert await services.seating.find(stored.id) == stored
    assert len(stored.sitters) == 3


@pytest.mark.usefixtures("allowed")
async def test_a_three_player_game_is_played_and_resumed(lobby: Lobby) -> None:
    loop, [connection] = await create_table(lobby, 1, await lobby.services.rulesets.save(three()))
    live = loop.table.live
    assert live is not None
    assert [bool(sitter and sitter.bot) for sitter in loop.table.row.sitters] == [False, True, True]
    for _ in range(30):
        if not live.game.is_over and not live.between:
            await act(loop)
    messages = [FROM_SERVER.validate_json(text) for text in connection._waiting]
    assert {type(message) for message in messages} >= {Welcome, Sync, Update}
    for message in messages:
        if isinstance(message, Welcome):
            assert len(message.table.seats) == 3
        elif isinstance(message, Sync):
            assert message.view is None or len(message.view.scores) == 3
    again = (await Lobby(lobby.services).find(loop.table.row.id)).table
    assert again.live is not None
    assert (again.row.seat_count, again.live.game.events) == (3, live.game.events)
    dealt = [event for event in live.game.events if isinstance(event, HandStarted)]
    assert {len(event.scores) for event in dealt} == {3}
    assert replay(ReplayGame(live.game, ["A", "B", "C"])).wall == 83
