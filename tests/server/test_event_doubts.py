"""Games that one account enters alone wait, and what hardly ever happens is shown to the referees."""

from typing import Any

import pytest

from jantaku import terms
from jantaku.terms import LANGUAGES
from server.clubs import BUST, DRAW, Gathering, PaperClub, Table, refused
from server.parlour import Message, Person

pytestmark = pytest.mark.slow

SMALL: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}
LISTED = [{"name": name, "id": name} for name in ("ken", "mei", "rin")]


@pytest.fixture
def club(url: str) -> Gathering:
    """An event in which three players have no account."""
    gathering = Gathering(url, rules="tenhou")
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=LISTED)
    return gathering


def alone(club: Gathering, name: str, *hands: Message) -> Table:
    """A game of one account and three players without one, confirmed by the account for every seat."""
    table = Table(club, name, players=[club.entries[0], *(row["id"] for row in LISTED)])
    for hand in hands or (BUST,):
        table.enter(hand)
    confirm_all(table, table.who)
    return table


def confirm_all(table: Table, who: Person) -> None:
    for seat in range(4):
        table.confirm(who, seat=seat)


def played(club: Gathering) -> int:
    rows = club.organiser.get(f"{club.path}/standings")["stages"][0]["standings"]
    return sum(row["games"] for row in rows)


def doubts(club: Gathering, who: Person | None = None) -> list[Message]:
    return list((who or club.referee).get(f"{club.path}/doubts")["games"])


def test_one_account_alone_makes_no_game_count(club: Gathering) -> None:
    for i in range(4):
        table = alone(club, f"alone-{i}")
        assert (table.view()["status"], table.view()["one_account"]) == ("over", True)
    assert played(club) == 0
    assert [len(doubt["reasons"]) > 1 for doubt in doubts(club)] == [True] * 4


def test_guests_are_no_second_account(club: Gathering) -> None:
    guest = Person(club.url, "somebody")
    entry = guest.post(f"{club.path}/entries", name="somebody")["id"]
    table = Table(club, "guest", players=[club.entries[0], entry, "ken", "mei"])
    table.enter(BUST)
    for who, seat in ((table.who, 0), (guest, 1), (table.who, 2), (guest, 3), (table.who, 3)):
        assert table.confirm(who, seat=seat)["status"] == "over"
    assert played(club) == 0


@pytest.mark.parametrize("who", ["referee", "organiser", "recorder"])
def test_a_second_account_or_a_referee_makes_it_count(club: Gathering, who: str) -> None:
    table = alone(club, who)
    game = table.confirm(getattr(club, who), seat=2)
    assert (game["status"], game["one_account"]) == ("confirmed", False)
    assert played(club) == 4


def test_two_players_with_accounts_are_enough(club: Gathering) -> None:
    table = Table(club, "two", players=[*club.entries[:2], "ken", "mei"])
    table.enter(BUST)
    for seat in (0, 2, 3):
        table.confirm(table.who, seat=seat)
    assert table.confirm(club.players[1])["status"] == "confirmed"


def test_an_organiser_may_allow_it(club: Gathering) -> None:
    assert club.organiser.get(club.path)["confirm_alone"] is False
    club.organiser.http.patch(club.path, json={"confirm_alone": True})
    assert alone(club, "allowed").view()["status"] == "confirmed"
    assert played(club) == 4


def test_an_account_that_joins_a_seat_later_confirms_it_anew(club: Gathering) -> None:
    table = alone(club, "later")
    account = club.players[3].get("/api/me")["person"]["name"]
    club.organiser.post(f"{club.path}/entries/{club.entries[3]}/withdraw")
    free = club.organiser.http.patch(f"{club.path}/entries/{club.entries[3]}", json={"account": ""})
    taken = club.organiser.http.patch(f"{club.path}/entries/ken", json={"account": account})
    assert (free.status_code, taken.status_code) == (200, 200), (free.text, taken.text)
    assert table.confirm(club.players[3])["status"] == "confirmed"


def test_games_that_hardly_ever_happen_are_shown_until_a_referee_clears_them(club: Gathering) -> None:
    alike = [SMALL] * 4
    first = Table(club, "odd")
    for hand in (*alike, BUST):
        first.enter(hand)
    for player in club.players:
        first.confirm(player)
    twin = Table(club, "odd-again")
    for hand in (*alike, BUST):
        twin.enter(hand)
    for player in club.players:
        twin.confirm(player)
    assert played(club) == 8  # they count until somebody decides otherwise
    warnings = doubts(club)
    assert [warning["game"] for warning in warnings] == [first.id, twin.id]
    assert [len(warning["reasons"]) for warning in warnings] == [4, 5]
    assert warnings[0]["players"] == club.entries
    assert refused(club.players[0], "GET", f"{club.path}/doubts") == (403, "not_recorder")
    clear = f"{club.path}/doubts/{warnings[0]['number']}/clear"
    assert refused(club.recorder, "POST", clear, answer="") == (403, "not_referee")
    left = club.referee.post(clear, answer="We saw it")["games"]
    assert [doubt["game"] for doubt in left] == [twin.id]
    assert club.referee.post(clear, answer="")["games"] == left, "another referee was faster"
    club.referee.post(f"{twin.path}/status", status="cancelled", why="entered twice")
    assert doubts(club) == []
    log = club.organiser.get(f"{club.path}/log")["changes"]
    assert [(event["game"], event["why"]) for event in log if event["action"] == "cleared"] == [
        (first.id, "We saw it")
    ]


def test_reasons_are_told_in_every_language(club: Gathering) -> None:
    alone(club, "words", *[SMALL] * 4, BUST)
    for language in LANGUAGES:
        answer = club.referee.http.get(f"{club.path}/doubts", params={"lang": language})
        shown = answer.json()["games"][0]["reasons"]
        wanted = [
            terms.text("desk.doubt.alone", language),
            terms.text("desk.doubt.points", language, most=130000, least=-80000),
            terms.text("desk.doubt.yakuman", language, count=2),
            terms.text("desk.doubt.alike", language, count=4),
        ]
        assert shown[:4] == wanted


def test_calls_and_games_to_look_at_do_not_mix(club: Gathering) -> None:
    table = alone(club, "mixed")
    club.players[0].post(f"{club.path}/calls", game=table.id, why="come")
    number = doubts(club)[0]["number"]
    assert [call["why"] for call in club.referee.get(f"{club.path}/calls")["calls"]] == ["come"]
    assert refused(club.referee, "POST", f"{club.path}/calls/{number}/close", answer="") == (404, "no_call")


def test_points_beyond_reason_are_shown_though_a_referee_entered_them(url: str) -> None:
    paper = PaperClub(url, rules="tenhou")
    body: Message = {"stage": "league", "players": paper.entries}
    paper.organiser.post(f"{paper.path}/games", id="usual-game", **body, scores=[40000, 30000, 20000, 10000])
    paper.organiser.post(f"{paper.path}/games", id="slip-game", **body, scores=[400000, -300000, 0, 0])
    shown = paper.organiser.get(f"{paper.path}/doubts")["games"]
    assert [doubt["game"] for doubt in shown] == ["slip-game"]


@pytest.mark.parametrize("scores", [[60000, 40000, 30000, 20000], [25000, 25000, 25000, 24900]])
def test_an_import_refuses_what_the_desk_refuses_and_says_where(club: Gathering, scores: list[int]) -> None:
    game: dict[str, Any] = {"stage": "league", "players": ["ken", "mei", "rin", club.entries[0]]}
    start = (club.referee, "POST", f"{club.path}/games")
    assert refused(*start, id="paper-game", scores=scores, **game) == (400, "points_sum")
    file = club.organiser.get(f"{club.path}/file")
    file["games"] = [{"id": "good", "scores": [25000] * 4, **game}, {"id": "bad", "scores": scores, **game}]
    answer = club.organiser.http.post("/api/events/import", json={"file": file})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("points_sum_at", "games[1].scores")
    file["games"][1]["scores"] = [1000000, -900000, 0, 0]
    opened = club.organiser.post("/api/events/import", file=file)["id"]
    shown = club.organiser.get(f"/api/events/{opened}/doubts")["games"]
    assert [doubt["game"] for doubt in shown] == ["bad"]


def test_a_game_entered_by_those_who_run_the_event_has_no_pace(club: Gathering) -> None:
    table = Table(club, "paper", who=club.recorder)
    for hand in (DRAW, BUST):
        table.enter(hand)
    for player in club.players:
        table.confirm(player)
    (doubt,) = doubts(club)
    assert doubt["reasons"][1:] == [terms.text("desk.doubt.yakuman", "en", count=2)]
