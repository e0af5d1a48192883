"""Leaving rated games, removing people from tables, and friends."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.ranked.entries import Entry
from jantaku.server.storage.people import PersonRow
from server.clubs import Account
from server.parlour import (
    PASSWORD,
    Line,
    Message,
    Person,
    close_code,
    discards,
    fast_settings,
    hang_up,
    open_server,
    seated,
)

slow = pytest.mark.slow
NAMES = ("Mina", "Jun", "Kaito", "Seo")
# claims that nobody uses time out
SHORT_CLAIMS = "extends = 'standard'\n[clock]\nturn_s = 600\nclaim_window_s = 1\n"
SLOW = "extends = 'standard'\n[clock]\nturn_s = 600\nbank_s = 0\n"


def own(line: Line) -> Message:
    """Return the private data in the latest message."""
    assert line.own is not None
    return line.own


@pytest.fixture
def four(url: str) -> list[Person]:
    return [Person(url, name) for name in NAMES]


@slow
def test_leaving_and_rejoining_a_rated_game_gains_nothing(four: list[Person]) -> None:
    """The server does not act for the player, who finds the same options while the clock has kept running."""
    rules = four[0].post("/api/rules", toml=SLOW)["id"]
    table, lines = seated(four, rules=rules, options={"rated": True, "clock": True})
    question = own(lines[0])
    lefts = [question["left_ms"]]
    for _ in range(3):
        four[0].post(f"/api/tables/{table['id']}/leave")
        lines[0].until("sync")
        for line in lines[1:]:
            line.ask(type="ping")
        four[0].post(f"/api/tables/{table['id']}/join")
        lines[0].until("sync")
        now = own(lines[0])
        lefts.append(now["left_ms"])
        assert (now["ask"], now["hand"]) == (question["ask"], question["hand"])
    assert lefts == sorted(lefts, reverse=True)
    assert not any(discards(message, 0) for line in lines for message in line.seen if "events" in message)


@slow
@pytest.mark.parametrize("how", ["leave", "disconnect"])
def test_no_bot_plays_for_an_absent_player_in_a_rated_game(tmp_path: Path, how: str) -> None:
    """After the time for reconnecting, the server discards each drawn tile and passes on every call."""
    with open_server(fast_settings(tmp_path, grace_s=0.0, bot="standard")) as url:
        four = [Person(url, name) for name in NAMES]
        table, lines = seated(four, options={"rated": True})
        if how == "leave":
            four[0].post(f"/api/tables/{table['id']}/leave")
        lines[0].close()
        while not any(discards(message, 0) for message in lines[1].seen if "events" in message):
            lines[1].next()
        first = [event for event in lines[1].events() if event["type"] == "discarded" and event["seat"] == 0]
        assert [event["drawn"] for event in first] == [True]


def send_hello(who: Person, table: str) -> Any:
    """Open a socket and send ``hello``, which may be refused."""
    raw = who.raw(table)
    raw.send('{"type":"hello","version":1}')
    return raw


@slow
def test_the_owner_can_remove_a_person_before_the_game(four: list[Person]) -> None:
    mina, jun, kaito, seo = four
    table = f"/api/tables/{mina.table()['id']}"
    id_ = table.rpartition("/")[2]
    jun.post(f"{table}/join")
    line = jun.socket(id_)
    kaito.refused("not_owner", f"DELETE {table}/people/{jun.id}")
    mina.refused("no_person", f"DELETE {table}/people/{kaito.id}")
    mina.refused("not_yourself", f"DELETE {table}/people/{mina.id}")
    shown = mina.delete(f"{table}/people/{jun.id}")
    assert [seat and seat["person"] for seat in shown["seats"]] == [mina.id, None, None, None]
    assert close_code(line.raw) == 4403
    jun.refused("removed", f"{table}/join")
    assert close_code(send_hello(jun, id_)) == 4403
    jun.id = jun.post("/api/guest", name="Somebody else")["id"]
    jun.refused("removed", f"{table}/join")  # a new name in the same browser
    kaito.post(f"{table}/join")
    # Seo uses the owner's browser; removing Seo must not remove the owner
    seo.http.cookies.delete("jantaku_browser")
    seo.http.cookies.set("jantaku_browser", mina.http.cookies["jantaku_browser"])
    with closing(seo.socket(id_)):
        seo.post(f"{table}/join")
    mina.delete(f"{table}/people/{seo.id}")
    seo.refused("removed", f"{table}/join")
    mina.post(f"{table}/join")


@slow
def test_a_bot_takes_the_seat_of_a_removed_player(tmp_path: Path) -> None:
    """The bot still has the seat after a restart."""
    settings = fast_settings(tmp_path)
    with open_server(settings) as url:
        four = [Person(url, name) for name in NAMES]
        rules = four[0].post("/api/rules", toml=SHORT_CLAIMS)["id"]
        table, lines = seated(four, rules=rules, options={"clock": True})
        path = f"/api/tables/{table['id']}"
        four[1].post("/api/register", name="Jun", password=PASSWORD)
        lines[0].act({"type": "discard", "tile": own(lines[0])["drawn"], "drawn": True})
        shown = four[0].delete(f"{path}/people/{four[1].id}")
        assert (shown["seats"][1]["name"], shown["seats"][1]["bot"]) == ("Jun", "random")
        lines[2].until("update", lambda message: discards(message, 1))
        assert four[1].get("/api/tables")["mine"] == []
        assert four[1].get("/api/me")["person"]["table"] is None
        hang_up(lines)
        for person in four:
            person.close()
    with open_server(settings) as url:
        jun = Person(url)
        jun.post("/api/login", name="Jun", password=PASSWORD)
        jun.refused("removed", f"{path}/join")
        assert jun.get(path)["seats"][1]["bot"] == "random"


# Friends: mutual requests, presence, invitations and blocking


@pytest.fixture
def three(url: str) -> list[Account]:
    return [Account(url, name) for name in NAMES[:3]]


def tie(one: Person, other: Person, kind: str) -> Any:
    return one.put(f"/api/friends/{other.id}", tie=kind)


def befriend(one: Person, other: Person) -> None:
    tie(one, other, "friend")
    tie(other, one, "friend")


def seen(who: Person, kind: str) -> Any:
    """Return the people listed in one section of a person's page of friends."""
    return [person["person"] for person in who.get("/api/friends")[kind]]


def invite(who: Person, friend: Person, table: str) -> None:
    who.post(f"/api/friends/{friend.id}/invite", table=table)


def test_mutual_requests_create_a_friendship_until_one_ends_it(three: list[Person]) -> None:
    mina, jun, kaito = three
    tie(mina, jun, "friend")
    assert (seen(mina, "wanted"), seen(jun, "asked"), seen(kaito, "asked")) == ([jun.id], [mina.id], [])
    tie(jun, mina, "friend")
    assert seen(jun, "friends") == [mina.id]
    assert mina.get(f"/api/people/{jun.id}/card")["mutual"]
    tie(mina, jun, "none")
    assert seen(jun, "friends") == []
    mina.refused("not_yourself", f"PUT /api/friends/{mina.id}", tie="friend")
    mina.refused("no_person", "PUT /api/friends/0123456789abcdef", tie="friend")


def test_a_declined_friend_request_can_be_repeated(three: list[Person]) -> None:
    mina, jun, kaito = three
    tie(mina, jun, "friend")
    tie(kaito, jun, "friend")
    tie(jun, mina, "declined")
    assert (seen(jun, "asked"), seen(mina, "wanted")) == ([kaito.id], [])
    tie(mina, jun, "friend")
    assert {*seen(jun, "asked")} == {mina.id, kaito.id}
    tie(jun, mina, "friend")
    assert seen(mina, "friends") == [jun.id]


def test_people_at_tables_are_notified_of_friend_requests_and_invitations(three: list[Person]) -> None:
    mina, jun, kaito = three
    table = jun.table()["id"]
    with closing(jun.socket(table)) as seat, closing(kaito.socket(table)) as other:
        for one, two in ((mina, jun), (jun, mina)):
            tie(one, two, "friend")
            seat.until("asked")
        there = mina.table()["id"]
        invite(mina, jun, there)
        seat.until("asked")
        other.ask(type="ping")
        assert not any(message["type"] == "asked" for message in other.seen)
        assert jun.delete(f"/api/friends/invitations/{there}")["invitations"] == []
        seat.until("asked")  # for other devices of the same person
        invite(mina, jun, there)
        assert len(seen(jun, "invitations")) == 1
        jun.post(f"/api/tables/{there}/join")
        assert seen(jun, "invitations") == []


def test_blocking_is_invisible_and_ignores_requests(three: list[Person]) -> None:
    mina, jun, _ = three
    befriend(mina, jun)
    tie(jun, mina, "blocked")
    assert [seen(mina, kind) for kind in ("friends", "wanted", "blocked")] == [[], [jun.id], []]
    tie(mina, jun, "friend")
    assert (seen(jun, "asked"), seen(jun, "blocked")) == ([], [mina.id])
    mina.refused("no_friend", f"/api/friends/{jun.id}/invite", table=mina.table()["id"])


def test_friends_see_only_shared_presence(three: list[Person]) -> None:
    mina, jun, kaito = three
    befriend(mina, jun)
    tie(kaito, mina, "friend")

    def there() -> list[tuple[bool, str | None]]:
        return [(friend["here"], friend["table"]) for friend in jun.get("/api/friends")["friends"]]

    mina.socket(mina.table(options={"private": True})["id"])
    assert (there(), seen(kaito, "friends")) == ([(True, None)], [])
    public = mina.table()["id"]
    mina.socket(public)
    assert there() == [(True, public)]
    mina.put("/api/friends/presence", on=False)
    assert there() == [(False, None)]


def test_friends_are_invited_to_waiting_tables(three: list[Person]) -> None:
    mina, jun, kaito = three
    befriend(mina, jun)
    table = mina.table(options={"private": True})["id"]
    invite(mina, jun, table)
    [invitation] = jun.get("/api/friends")["invitations"]
    assert (invitation["person"], invitation["table"]) == (mina.id, table)
    jun.refused("not_seated", f"/api/friends/{mina.id}/invite", table=table)
    assert seen(kaito, "invitations") == []
    mina.post(f"/api/tables/{table}/start")
    assert seen(jun, "invitations") == []
    mina.refused("already_started", f"/api/friends/{jun.id}/invite", table=table)


@pytest.mark.parametrize("first", [True, False], ids=["before", "at the table"])
def test_chat_of_a_blocked_person_is_hidden(three: list[Person], first: bool) -> None:
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


def test_a_card_shows_games_only_with_shared_statistics(three: list[Person]) -> None:
    mina, jun, _ = three
    assert not jun.get(f"/api/people/{mina.id}/card")["shown"]
    mina.put("/api/me/profile/shown", on=True)
    card = jun.get(f"/api/people/{mina.id}/card")
    assert (card["shown"], card["title"], card["yaku"], card["steps"]) == (True, None, [], [None, None])


def test_blocked_people_are_never_paired_in_the_queue() -> None:
    row = PersonRow("a", "a", "a", "player", "en")
    assert "b" in Entry(Visitor(row, "", ""), "en", frozenset(), blocked=frozenset({"b"})).marks
