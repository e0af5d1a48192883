"""Players enter how their game ended, and the others confirm it; check-ins of a league last an evening."""

import pytest

from jantaku.server.events.common import event
from server.clubs import DRAW, Gathering, Table, Tournament, refused
from server.parlour import Message

pytestmark = pytest.mark.slow
SCORES = [40000, 30000, 20000, 10000]
OTHERS = [10000, 20000, 30000, 40000]


def confirm(table: Table, seat: int) -> Message:
    """A player confirms what their phone shows."""
    who = table.gathering.players[seat]
    answer: Message = who.post(f"{table.path}/confirm", head=table.view(who)["head"])
    return answer


def games_that_count(gathering: Gathering) -> int:
    """How many games all players have in the standings."""
    stages = gathering.organiser.get(f"{gathering.path}/standings")["stages"]
    return sum(row["games"] for row in stages[0]["standings"])


def test_points_of_a_player_count_when_all_have_confirmed_them(gathering: Gathering) -> None:
    table = Table(gathering, "typed")
    path = f"{table.path}/points"
    shown = table.who.post(path, scores=SCORES)
    assert (shown["status"], shown["scores"], shown["only_points"]) == ("over", SCORES, True)
    assert [seat["confirmed"] for seat in shown["seats"]] == [True, False, False, False]
    assert table.who.post(path, scores=SCORES)["revision"] == shown["revision"]  # sent twice
    assert games_that_count(gathering) == 0
    for seat in (1, 2):
        assert confirm(table, seat)["status"] == "over"
    assert confirm(table, 3)["status"] == "confirmed"
    assert games_that_count(gathering) == 4
    late = refused(table.who, "POST", path, scores=OTHERS, revision=shown["revision"])
    assert late == (403, "not_referee")


def test_other_points_ask_everybody_again(gathering: Gathering) -> None:
    table = Table(gathering, "corrected")
    path, other = f"{table.path}/points", gathering.players[1]
    first = table.who.post(path, scores=SCORES)
    confirm(table, 2)
    assert refused(other, "POST", path, scores=OTHERS) == (409, "game_moved_on")
    second = other.post(path, scores=OTHERS, revision=first["revision"])
    assert [seat["confirmed"] for seat in second["seats"]] == [False, True, False, False]
    stale = refused(gathering.players[3], "POST", f"{table.path}/confirm", head=first["head"])
    assert stale == (409, "game_moved_on")
    assert (
        gathering.referee.post(f"{table.path}/confirm", head=second["head"], everybody=True)["scores"]
        == OTHERS
    )


def test_players_do_not_replace_hands_by_points(gathering: Gathering) -> None:
    table = Table(gathering, "played")
    table.enter(DRAW)
    body = {"scores": SCORES, "revision": table.view()["revision"]}
    assert refused(table.who, "POST", f"{table.path}/points", **body) == (403, "not_referee")
    empty = Table(gathering, "empty-table")
    assert refused(empty.who, "POST", f"{empty.path}/points", scores=[25000] * 3 + [26000])[0] == 400
    empty.who.post(f"{empty.path}/points", scores=SCORES)
    assert empty.refuse(DRAW) == (409, "only_points")


def test_a_game_with_its_points_starts_from_a_phone_once(gathering: Gathering) -> None:
    player, path = gathering.players[2], f"{gathering.path}/games"
    body = {"id": "from-a-phone", "stage": "league", "players": gathering.entries, "scores": SCORES}
    shown = player.post(path, **body)
    assert player.post(path, **body) == shown
    assert (shown["status"], [seat["confirmed"] for seat in shown["seats"]]) == (
        "over",
        [False, False, True, False],
    )
    stranger = body | {
        "id": "of-strangers",
        "players": [*gathering.entries[:2], *gathering.entries[3:], "paper"],
    }
    assert refused(player, "POST", path, **stranger) == (403, "not_recorder")


def test_what_only_one_has_entered_they_take_back(gathering: Gathering) -> None:
    table = Table(gathering, "mistaken")
    table.who.post(f"{table.path}/points", scores=SCORES)
    other = gathering.players[1]
    assert refused(other, "POST", f"{table.path}/status", status="cancelled") == (403, "not_referee")
    assert table.who.post(f"{table.path}/status", status="cancelled")["status"] == "cancelled"
    again = Table(gathering, "vouched")
    again.who.post(f"{again.path}/points", scores=SCORES)
    confirm(again, 1)
    assert refused(again.who, "POST", f"{again.path}/status", status="cancelled") == (403, "not_referee")


def test_a_game_that_goes_on_after_points_takes_hands(gathering: Gathering) -> None:
    table = Table(gathering, "goes-on")
    table.who.post(f"{table.path}/points", scores=SCORES)
    gathering.referee.post(f"{table.path}/status", status="playing", why="not over")
    assert table.view()["head"] == ""
    table.enter(DRAW)
    assert table.view()["status"] == "playing"


def test_a_round_that_ends_keeps_the_points_of_its_players(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    sixteen.post("publish", start=True)
    game = sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"][0]["game"]
    sixteen.recorder.post(f"{sixteen.path}/games/{game}/points", scores=SCORES)
    sixteen.referee.post(f"{sixteen.rounds}/1/finish", everything=True, why="the venue closes")
    states = sorted(table["status"] for table in sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"])
    assert states == ["cancelled", "cancelled", "cancelled", "confirmed"]


def test_seats_of_a_game_that_has_not_begun_change_without_a_reason(gathering: Gathering) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Reserve", "id": "reserve"}])
    table, seats = Table(gathering, "no-show"), [*gathering.entries[:3], "reserve"]
    path, body = f"{table.path}/seats", {"players": seats, "revision": 0}
    assert refused(table.who, "POST", path, **body) == (403, "not_referee")
    shown = gathering.referee.post(path, **body)
    assert [seat["entry"] for seat in shown["seats"]] == seats
    table.enter(DRAW)
    back = {"players": gathering.entries, "revision": table.view()["revision"]}
    assert refused(gathering.referee, "POST", path, **back) == (400, "why_needed")


def test_a_check_in_lasts_an_evening_in_a_league_and_in_rounds(
    gathering: Gathering, sixteen: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    for club in (gathering, sixteen):
        player, body = club.players[0], {"code": club.view()["code"]}
        first = player.post(f"{club.path}/entries/check-in", **body)["checked_in"]
        assert player.post(f"{club.path}/entries/check-in", **body)["checked_in"] == first
        monkeypatch.setattr(event, "EVENING_MS", 0)  # the evening is over
        assert player.get(club.path)["entry"]["checked_in"] is None
        monkeypatch.undo()
        entry = f"{club.path}/entries/{club.entries[1]}"
        organiser = club.organiser.http
        there = organiser.patch(entry, json={"checked_in": True}).json()["checked_in"]
        monkeypatch.setattr(event, "EVENING_MS", 0)
        organiser.patch(entry, json={"checked_in": True})
        monkeypatch.undo()
        now = next(
            one for one in player.get(f"{club.path}/entries")["entries"] if one["id"] == club.entries[1]
        )
        assert now["checked_in"] != there
