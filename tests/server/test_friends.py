"""Friends: both want it, each sees what the other lets them see, and whom one blocks one does not meet."""

from contextlib import closing

import pytest

from jantaku.club.statistics import RuledGame
from jantaku.server.friends.routes import played
from jantaku.server.people.asking import Visitor
from jantaku.server.ranked.entries import Entry
from jantaku.server.storage.people import PersonRow
from server.parlour import Message, Person
from server.test_ranked import member, refused


@pytest.fixture
def three(url: str, request: pytest.FixtureRequest) -> list[Person]:
    return [
        member(url, f"{name} {abs(hash(request.node.name)) % 10_000}") for name in ("Mina", "Jun", "Kaito")
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
    assert refused(mina, "PUT", f"/api/friends/{mina.id}", {"tie": "friend"}) == "not_yourself"
    assert refused(mina, "PUT", "/api/friends/0123456789abcdef", {"tie": "friend"}) == "no_person"


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
    assert refused(mina, "POST", f"/api/friends/{jun.id}/invite", {"table": table}) == "no_friend"


def test_friends_see_where_one_plays_only_if_one_lets_them(three: list[Person]) -> None:
    mina, jun, kaito = three
    for one, other in ((mina, jun), (jun, mina), (kaito, mina)):
        tie(one, other, "friend")
    table = mina.table(options={"private": True})["id"]
    line = mina.socket(table)
    assert [(friend["here"], friend["table"]) for friend in jun.get("/api/friends")["friends"]] == [
        (True, None)
    ]
    assert kaito.get("/api/friends")["friends"] == []
    public = mina.table()["id"]
    also = mina.socket(public)
    assert jun.get("/api/friends")["friends"][0]["table"] == public
    mina.http.put("/api/friends/presence", json={"on": False}).raise_for_status()
    assert [(friend["here"], friend["table"]) for friend in jun.get("/api/friends")["friends"]] == [
        (False, None)
    ]
    line.close()
    also.close()


def test_friends_are_invited_to_a_table_that_waits(three: list[Person]) -> None:
    mina, jun, kaito = three
    tie(mina, jun, "friend")
    tie(jun, mina, "friend")
    table = mina.table(options={"private": True})["id"]
    mina.post(f"/api/friends/{jun.id}/invite", table=table)
    assert [
        (invitation["person"], invitation["table"]) for invitation in jun.get("/api/friends")["invitations"]
    ] == [(mina.id, table)]
    assert refused(jun, "POST", f"/api/friends/{mina.id}/invite", {"table": table}) == "not_seated"
    assert kaito.get("/api/friends")["invitations"] == []
    mina.post(f"/api/tables/{table}/start")
    assert jun.get("/api/friends")["invitations"] == []
    assert refused(mina, "POST", f"/api/friends/{jun.id}/invite", {"table": table}) == "already_started"


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
    for line in lines:
        line.close()


def test_a_card_shows_games_only_of_whoever_shows_their_numbers(three: list[Person]) -> None:
    mina, jun, _ = three
    assert not jun.get(f"/api/people/{mina.id}/card")["shown"]
    mina.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    card = jun.get(f"/api/people/{mina.id}/card")
    assert (card["shown"], card["title"], card["yaku"], card["steps"]) == (True, None, [], [None, None])


def test_titles_come_from_games() -> None:
    nothing = played(list[RuledGame](), "a")
    assert (nothing.title, nothing.yaku, nothing.feats) == (None, [], ())


def test_blocked_people_are_marks_in_the_queue() -> None:
    row = PersonRow("a", "a", "a", "player", "en")
    assert "b" in Entry(Visitor(row, "", ""), "en", frozenset(), blocked=frozenset({"b"})).marks
