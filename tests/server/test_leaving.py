"""Leaving a rated game gains nothing, and the owner of a table can remove people."""

from contextlib import closing
from pathlib import Path

import pytest

from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.ranked.entries import Entry
from jantaku.server.storage.people import PersonRow
from server.parlour import (
    PASSWORD,
    Line,
    Message,
    Person,
    close_code,
    discards,
    hang_up,
    open_server,
    quick,
    seated,
)

NAMES = ("Mina", "Jun", "Kaito", "Seo")
SHORT_CLAIMS = "extends = 'standard'\n[clock]\nturn_s = 600\nclaim_window_s = 1\n"  # who can call passes
SLOW = "extends = 'standard'\n[clock]\nturn_s = {turn}\nbank_s = 0\n"


@pytest.fixture
def four(url: str) -> list[Person]:
    return [Person(url, name) for name in NAMES]


def rated(four: list[Person], turn: int = 600) -> tuple[Message, list[Line]]:
    """A rated table whose first dealer, in seat 0, is asked."""
    rules = four[0].post("/api/rules", toml=SLOW.format(turn=turn))["id"]
    return seated(four, rules=rules, options={"rated": True, "clock": True})


def left_ms(line: Line) -> int:
    """The time left for the seat."""
    line.until("sync")
    assert line.own is not None
    left = line.own["left_ms"]
    assert isinstance(left, int)
    return left


@pytest.mark.slow
def test_leaving_and_returning_to_a_rated_game_gains_nothing(four: list[Person]) -> None:
    """No move has been made, the question is the same, and the time has gone on."""
    table, lines = rated(four)
    question, before = lines[0].own, lines[0].own["left_ms"]  # type: ignore[index]
    assert question is not None
    lefts = [before]
    for _ in range(3):
        four[0].post(f"/api/tables/{table['id']}/leave")
        lines[0].until("sync")
        for line in lines[1:]:
            line.ask(type="ping")
        four[0].post(f"/api/tables/{table['id']}/join")
        lefts.append(left_ms(lines[0]))
        assert lines[0].own is not None
        assert lines[0].own["ask"] == question["ask"]
        assert lines[0].own["hand"] == question["hand"]
    assert lefts == sorted(lefts, reverse=True)
    assert not any(discards(message, 0) for line in lines for message in line.seen if "events" in message)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["leave", "lose the line"])
def test_no_bot_plays_for_an_absent_player_in_a_rated_game(tmp_path: Path, how: str) -> None:
    """After the reconnection time the server discards the drawn tile and passes every call."""
    with open_server(quick(tmp_path, grace_s=0.0, bot="standard")) as url:
        four = [Person(url, name) for name in NAMES]
        table, lines = seated(four, options={"rated": True})
        if how == "leave":
            four[0].post(f"/api/tables/{table['id']}/leave")
        lines[0].close()
        while not any(discards(message, 0) for message in lines[1].seen if "events" in message):
            lines[1].next()
        (event,) = [
            event for event in lines[1].events() if event["type"] == "discarded" and event["seat"] == 0
        ]
        assert event["drawn"]


@pytest.mark.slow
def test_the_owner_can_remove_a_waiting_person(four: list[Person]) -> None:
    mina, jun, kaito, _ = four
    table = mina.table()["id"]
    jun.post(f"/api/tables/{table}/join")
    line = jun.socket(table)
    assert kaito.http.delete(f"/api/tables/{table}/people/{jun.id}").status_code == 403
    assert mina.http.delete(f"/api/tables/{table}/people/{kaito.id}").status_code == 404
    assert mina.http.delete(f"/api/tables/{table}/people/{mina.id}").json()["error"]["code"] == "not_yourself"
    shown = mina.http.delete(f"/api/tables/{table}/people/{jun.id}").json()
    assert [seat and seat["person"] for seat in shown["seats"]] == [mina.id, None, None, None]
    assert close_code(line.raw) == 4403
    line.close()
    refused = jun.http.post(f"/api/tables/{table}/join", json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "removed")
    assert close_code(greeted(jun, table)) == 4403
    jun.id = jun.post("/api/guest", name="Somebody else")["id"]
    assert jun.http.post(f"/api/tables/{table}/join", json={}).status_code == 403, "the same browser"
    kaito.post(f"/api/tables/{table}/join")


def greeted(who: Person, table: str):  # type: ignore[no-untyped-def]
    """A socket after ``hello``, accepted or not."""
    raw = who.raw(table)
    raw.send('{"type":"hello","version":1}')
    return raw


@pytest.mark.slow
def test_a_bot_takes_the_seat_of_a_removed_player(tmp_path: Path) -> None:
    """The bot keeps the seat after a restart."""
    settings = quick(tmp_path)
    with open_server(settings) as url:
        four = [Person(url, name) for name in NAMES]
        rules = four[0].post("/api/rules", toml=SHORT_CLAIMS)["id"]
        table, lines = seated(four, rules=rules, options={"clock": True})
        four[1].post("/api/register", name="Jun", password="correct horse")
        lines[0].act({"type": "discard", "tile": lines[0].own["drawn"], "drawn": True})  # type: ignore[index]
        shown = four[0].http.delete(f"/api/tables/{table['id']}/people/{four[1].id}").json()
        assert (shown["seats"][1]["name"], shown["seats"][1]["bot"]) == ("Jun", "random")
        lines[2].until("update", lambda message: discards(message, 1))
        assert four[1].get("/api/tables")["mine"] == []
        assert four[1].get("/api/me")["person"]["table"] is None
        hang_up(lines)
        for line in (four[0], four[2], four[3]):
            line.close()
    with open_server(settings) as url:
        jun = Person(url)
        jun.post("/api/login", name="Jun", password="correct horse")
        assert jun.http.post(f"/api/tables/{table['id']}/join", json={}).status_code == 403
        assert jun.get(f"/api/tables/{table['id']}")["seats"][1]["bot"] == "random"
        four[1].close()


def test_a_shared_browser_does_not_exclude_another_person(url: str) -> None:
    """A second person from the owner's browser is removed, and the owner stays."""
    mina = Person(url, "Mina")
    jun = Person(url, "Jun")
    jun.http.cookies.delete("jantaku_browser")
    jun.http.cookies.set("jantaku_browser", mina.http.cookies["jantaku_browser"])
    table = mina.table()["id"]
    with closing(jun.socket(table)):
        jun.post(f"/api/tables/{table}/join")
    mina.http.delete(f"/api/tables/{table}/people/{jun.id}").raise_for_status()
    assert jun.http.post(f"/api/tables/{table}/join", json={}).status_code == 403
    mina.post(f"/api/tables/{table}/join")


# Friends: both want it, each sees what the other lets them see, and whom one blocks one does not meet


@pytest.fixture
def three(url: str, request: pytest.FixtureRequest) -> list[Person]:
    return [
        Person(url, f"{name} {abs(hash(request.node.name)) % 10_000}", PASSWORD)
        for name in ("Mina", "Jun", "Kaito")
    ]


def tie(one: Person, other: Person, kind: str) -> Message:
    answer = one.http.put(f"/api/friends/{other.id}", json={"tie": kind})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def ids(people: list[Message]) -> list[str]:
    return [person["person"] for person in people]


def test_two_who_want_it_are_friends_until_one_does_not(three: list[Person]) -> None:
    mina, jun, kaito = three
    assert ids(tie(mina, jun, "friend")["wanted"]) == [jun.id]
    assert ids(jun.get("/api/friends")["asked"]) == [mina.id]
    assert kaito.get("/api/friends")["asked"] == []
    assert ids(tie(jun, mina, "friend")["friends"]) == [mina.id]
    assert mina.get(f"/api/people/{jun.id}/card")["mutual"]
    tie(mina, jun, "none")
    assert jun.get("/api/friends")["friends"] == []
    mina.refused("not_yourself", f"PUT /api/friends/{mina.id}", tie="friend")
    mina.refused("no_person", "PUT /api/friends/0123456789abcdef", tie="friend")


def test_a_request_is_declined_and_may_be_made_again(three: list[Person]) -> None:
    mina, jun, kaito = three
    tie(mina, jun, "friend")
    tie(kaito, jun, "friend")
    assert ids(tie(jun, mina, "declined")["asked"]) == [kaito.id]
    assert mina.get("/api/friends")["wanted"] == []
    tie(mina, jun, "friend")
    assert set(ids(jun.get("/api/friends")["asked"])) == {mina.id, kaito.id}
    tie(jun, mina, "friend")
    tie(mina, jun, "declined")  # there is no request: they stay friends until one of them parts
    tie(mina, jun, "none")
    assert mina.get("/api/friends")["friends"] == []


def test_whoever_is_at_a_table_hears_of_each_request(three: list[Person]) -> None:
    mina, jun, kaito = three
    table = jun.table()["id"]
    with closing(jun.socket(table)) as seat, closing(kaito.socket(table)) as other:
        tie(mina, jun, "friend")
        seat.until("asked")
        tie(jun, mina, "friend")
        seat.until("asked")
        there = mina.table()["id"]
        mina.post(f"/api/friends/{jun.id}/invite", table=there)
        seat.until("asked")
        other.ask(type="ping")
        assert not any(message["type"] == "asked" for message in other.seen)
        page = jun.http.delete(f"/api/friends/invitations/{there}").json()
        assert page["invitations"] == []
        seat.until("asked")  # the other devices of the same person
        mina.post(f"/api/friends/{jun.id}/invite", table=there)
        assert len(jun.get("/api/friends")["invitations"]) == 1
        jun.post(f"/api/tables/{there}/join")
        assert jun.get("/api/friends")["invitations"] == []


def test_who_is_blocked_learns_nothing_and_asks_in_vain(three: list[Person]) -> None:
    mina, jun, _ = three
    tie(mina, jun, "friend")
    tie(jun, mina, "friend")
    tie(jun, mina, "blocked")
    page = mina.get("/api/friends")
    assert (ids(page["friends"]), ids(page["wanted"]), page["blocked"]) == ([], [jun.id], [])
    tie(mina, jun, "friend")
    assert jun.get("/api/friends")["asked"] == []
    assert ids(jun.get("/api/friends")["blocked"]) == [mina.id]
    table = mina.table()["id"]
    mina.refused("no_friend", f"POST /api/friends/{jun.id}/invite", table=table)


def test_friends_see_where_one_plays_only_if_one_lets_them(three: list[Person]) -> None:
    mina, jun, kaito = three
    for one, other in ((mina, jun), (jun, mina), (kaito, mina)):
        tie(one, other, "friend")
    table = mina.table(options={"private": True})["id"]
    mina.socket(table)
    assert [(friend["here"], friend["table"]) for friend in jun.get("/api/friends")["friends"]] == [
        (True, None)
    ]
    assert kaito.get("/api/friends")["friends"] == []
    public = mina.table()["id"]
    mina.socket(public)
    assert jun.get("/api/friends")["friends"][0]["table"] == public
    mina.http.put("/api/friends/presence", json={"on": False}).raise_for_status()
    assert [(friend["here"], friend["table"]) for friend in jun.get("/api/friends")["friends"]] == [
        (False, None)
    ]


def test_friends_are_invited_to_a_table_that_waits(three: list[Person]) -> None:
    mina, jun, kaito = three
    tie(mina, jun, "friend")
    tie(jun, mina, "friend")
    table = mina.table(options={"private": True})["id"]
    mina.post(f"/api/friends/{jun.id}/invite", table=table)
    assert [
        (invitation["person"], invitation["table"]) for invitation in jun.get("/api/friends")["invitations"]
    ] == [(mina.id, table)]
    jun.refused("not_seated", f"POST /api/friends/{mina.id}/invite", table=table)
    assert kaito.get("/api/friends")["invitations"] == []
    mina.post(f"/api/tables/{table}/start")
    assert jun.get("/api/friends")["invitations"] == []
    mina.refused("already_started", f"POST /api/friends/{jun.id}/invite", table=table)


@pytest.mark.parametrize("first", [True, False], ids=["before", "at the table"])
def test_what_a_blocked_person_says_is_not_heard(three: list[Person], first: bool) -> None:
    mina, jun, _ = three
    if first:
        tie(mina, jun, "blocked")
    table = mina.table()["id"]
    jun.post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in (mina, jun)]
    if not first:
        tie(mina, jun, "blocked")
    assert lines[1].ask(type="say", stamp="hello")["type"] == "ack"
    lines[0].ask(type="ping")
    assert not any(message["type"] == "said" for message in lines[0].seen)


def test_a_card_shows_games_only_of_whoever_shows_their_numbers(three: list[Person]) -> None:
    mina, jun, _ = three
    assert not jun.get(f"/api/people/{mina.id}/card")["shown"]
    mina.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    card = jun.get(f"/api/people/{mina.id}/card")
    assert (card["shown"], card["title"], card["yaku"], card["steps"]) == (True, None, [], [None, None])


def test_blocked_people_are_marks_in_the_queue() -> None:
    row = PersonRow("a", "a", "a", "player", "en")
    assert "b" in Entry(Visitor(row, "", ""), "en", frozenset(), blocked=frozenset({"b"})).marks
