"""Side bets: both agree, the game's final points settle them, and nobody else ever reads them."""

from typing import Any

import pytest

from jantaku.terms import text
from server.clubs import BUST, PASSWORD, Gathering, Table, refused
from server.parlour import Message

pytestmark = pytest.mark.slow


def offer(gathering: Gathering, table: Table, mine: int, theirs: int, **body: Any) -> Message:
    given = {"game": table.id, "entry": gathering.entries[theirs], "stake": 10} | body
    bets: Message = gathering.players[mine].post(f"{gathering.path}/bets", **given)
    return bets


def answer(gathering: Gathering, seat: int, number: int, word: str) -> Message:
    answer: Message = gathering.players[seat].post(f"{gathering.path}/bets/{number}/answer", answer=word)
    return answer


def mine(gathering: Gathering, seat: int) -> list[tuple[int, str, int | None]]:
    bets = gathering.players[seat].get(f"{gathering.path}/bets")["bets"]
    return [(bet["number"], bet["status"], bet["points"]) for bet in bets]


def finish(gathering: Gathering, table: Table) -> list[int]:
    table.enter(BUST)
    gathering.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    final: list[int] = table.view()["final"]
    return final


@pytest.mark.slow
def test_a_bet_is_settled_by_the_final_points(gathering: Gathering) -> None:
    table = Table(gathering, "bets")
    revisions = [gathering.view()["revision"]]
    offer(gathering, table, 0, 1)
    revisions.append(gathering.view()["revision"])
    offer(gathering, table, 1, 0, kind="per_1000", stake=3)
    offer(gathering, table, 2, 0)
    answer(gathering, 1, 1, "agreed")
    answer(gathering, 0, 2, "agreed")
    assert mine(gathering, 0) == [(1, "agreed", None), (2, "agreed", None), (3, "offered", None)]
    revisions.append(gathering.view()["revision"])
    assert revisions == sorted(set(revisions)), "pages load again when somebody offers or answers"
    final = finish(gathering, table)
    difference = round(3 * (final[0] - final[1]) / 1000)
    assert mine(gathering, 0) == [(1, "settled", 10), (2, "settled", difference), (3, "void", None)]
    assert mine(gathering, 1) == [(1, "settled", -10), (2, "settled", -difference)]
    balances = gathering.players[1].get(f"{gathering.path}/bets")["balances"]
    assert [(balance["entry"], balance["points"]) for balance in balances] == [
        (gathering.entries[0], -10 - difference)
    ]
    body = {"stage": "league", "entry": gathering.entries[0], "game": table.id, "points": -500000, "why": "w"}
    gathering.referee.post(f"{gathering.path}/penalties", **body)
    assert mine(gathering, 1)[0] == (1, "settled", 10)
    gathering.referee.post(f"{table.path}/status", status="cancelled", why="not played")
    assert {status for _, status, _ in mine(gathering, 1)} == {"void"}


def test_only_the_two_read_a_bet(gathering: Gathering) -> None:
    table = Table(gathering, "secret")
    offer(gathering, table, 0, 1)
    answer(gathering, 1, 1, "agreed")
    for person in (gathering.organiser, gathering.referee, gathering.recorder, *gathering.players[2:]):
        assert person.get(f"{gathering.path}/bets") == {"bets": [], "balances": []}
        assert refused(person, "POST", f"{gathering.path}/bets/1/answer", answer="declined") == (
            404,
            "no_bet",
        )
    finish(gathering, table)
    for path in ("log", "file", "standings", f"games/{table.id}", "games", "penalties"):
        assert "bet" not in gathering.organiser.http.get(f"{gathering.path}/{path}").text.lower()


def test_both_must_agree_in_time(gathering: Gathering) -> None:
    table = Table(gathering, "in-time")
    for _ in range(4):
        offer(gathering, table, 0, 1)
    path = f"{gathering.path}/bets"
    own = refused(gathering.players[0], "POST", f"{path}/1/answer", answer="agreed")
    assert own == (403, "not_yours_to_answer")
    theirs = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="withdrawn")
    assert theirs == (403, "not_yours_to_answer")
    answer(gathering, 0, 1, "withdrawn")
    answer(gathering, 1, 2, "declined")
    answer(gathering, 1, 3, "agreed")
    decided = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="agreed")
    assert decided == (409, "bet_decided")
    table.enter(BUST)
    late = refused(gathering.players[1], "POST", f"{path}/4/answer", answer="agreed")
    assert late == (409, "bet_too_late")
    body = {"game": table.id, "entry": gathering.entries[1], "stake": 5}
    assert refused(gathering.players[0], "POST", path, **body) == (409, "bet_too_late")
    assert [status for _, status, _ in mine(gathering, 1)] == ["withdrawn", "declined", "agreed", "offered"]


def test_a_bet_is_between_two_players_of_the_game(gathering: Gathering) -> None:
    listed = [{"name": "Paper", "id": "paper"}]
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=listed)
    table = Table(gathering, "paper", players=[*gathering.entries[:3], "paper"])
    path, body = f"{gathering.path}/bets", {"game": table.id, "stake": 5}
    for entry in ("paper", gathering.entries[0], gathering.entries[3]):
        assert refused(gathering.players[0], "POST", path, **body, entry=entry) == (409, "bet_opponent")
    outside = refused(gathering.players[3], "POST", path, **body, entry=gathering.entries[0])
    assert outside == (403, "not_recorder")


def test_who_is_deleted_leaves_no_bets_and_no_season(gathering: Gathering) -> None:
    table = Table(gathering, "deleted")
    offer(gathering, table, 0, 1)
    answer(gathering, 1, 1, "agreed")
    finish(gathering, table)
    leaving = gathering.players[1]
    parts = [{"id": "a", "event": gathering.id}]
    season = gathering.organiser.post("/api/seasons", name={"en": "Year"}, parts=parts)["id"]
    mine = leaving.post("/api/seasons", name={"en": "Mine"})["id"]
    asked = leaving.post("/api/me/erase")["confirm"]
    leaving.post("/api/me/erase", confirm=asked, password=PASSWORD)
    assert gathering.players[0].get(f"{gathering.path}/bets") == {"bets": [], "balances": []}
    assert gathering.organiser.get(f"/api/seasons/{mine}")["mine"] is False
    deleted = text("export.erased", "en", number=1)
    rows = gathering.organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
    assert [row["name"] for row in rows].count(deleted) == 1
    player = gathering.organiser.get(f"{gathering.path}/players/{gathering.entries[1]}")
    assert (player["name"], player["figures"]["brief"]["games"]) == (deleted, 1)
    assert deleted in gathering.organiser.get(f"{gathering.path}/statistics")["names"].values()


def test_a_closed_event_takes_no_bets(gathering: Gathering) -> None:
    table = Table(gathering, "closed")
    offer(gathering, table, 0, 1)
    offer(gathering, table, 0, 1)
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    path, body = f"{gathering.path}/bets", {"game": table.id, "entry": gathering.entries[1], "stake": 5}
    assert refused(gathering.players[0], "POST", path, **body) == (409, "event_over")
    agreed = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="agreed")
    assert agreed == (409, "event_over")
    answer(gathering, 1, 1, "declined")
    answer(gathering, 0, 2, "withdrawn")
    assert [status for _, status, _ in mine(gathering, 0)] == ["declined", "withdrawn"]
