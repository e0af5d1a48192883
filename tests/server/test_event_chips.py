"""An event whose rules have chips and yakitori: from the hands to the standings and the exports."""

import csv
import io

import pytest

from server.clubs import Gathering, PaperClub, Table, member, refused
from server.parlour import Message

TOML = """extends = "tenhou"
name = { en = "Chips" }
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
[end]
tobi = "off"
extension = "none"
"""


def ron(winner: int, loser: int, **more: object) -> Message:
    return {"end": "ron", "from": loser, "wins": [{"seat": winner, "han": 1, "fu": 30, **more}]}


def rules_of(url: str) -> str:
    """The id of the rules, saved by somebody."""
    person = member(url, "author")
    return str(person.post("/api/rules", toml=TOML)["id"])


@pytest.mark.slow
def test_chips_and_yakitori_count_from_the_recorder_to_the_exports(url: str) -> None:
    club = Gathering(url, rules=rules_of(url))
    payments = club.organiser.get(f"{club.path}/payments")
    assert (payments["chips"], payments["yakitori"]) == (1000, 3000)
    table = Table(club, "chips")
    assert table.refuse(ron(1, 3)) == (400, "chips_unknown")
    told = {"yaku": ["tanyao", "red_dora"], "bonus": {"red_dora": 2}}
    entered = table.enter(ron(1, 3, **told))["game"]
    assert entered["hands"][0]["chips"] == [0, 2, 0, -2]
    for hand in (ron(2, 1, chips=0), ron(1, 2, chips=1)):
        table.enter(hand)
    over = table.enter(ron(0, 3, chips=0))["game"]
    assert (over["over"], over["chips"], over["yakitori"]) == (
        True,
        [0, 3, -1, -2],
        [3000, 3000, 3000, -9000],
    )
    bare = [
        after - 1000 * chips - paid
        for after, chips, paid in zip(over["final"], over["chips"], over["yakitori"], strict=True)
    ]
    assert bare == [36000, 6000, -15000, -27000]  # points, uma and oka alone
    table.confirm(club.referee, everybody=True)
    shown = club.organiser.get(f"{club.path}/games")["games"][0]
    assert (shown["chips"], shown["yakitori"]) == (over["chips"], over["yakitori"])
    rows = club.organiser.get(f"{club.path}/standings")["stages"][0]["standings"]
    points = {row["player"]: row["points"] for row in rows}
    assert [points[entry] for entry in club.entries] == over["final"]
    text = club.organiser.http.get(f"{club.path}/export?format=csv&table=games").text
    head, row = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))[:2]
    cells = dict(zip(head, row, strict=True))
    assert (cells["East: Chips"], cells["North: Chips"], cells["North: Yakitori"]) == ("0", "-2", "-9000")


@pytest.mark.slow
def test_a_paper_sheet_has_points_chips_and_who_has_won_nothing(url: str) -> None:
    club = PaperClub(url, rules=rules_of(url))
    body = {
        "id": "game-paper",
        "stage": club.organiser.get(club.path)["stages"][0]["id"],
        "players": club.entries,
    }
    scores, chips = [40000, 30000, 20000, 10000], [2, 0, -1, -1]
    send = (club.organiser, "POST", f"{club.path}/games")
    assert refused(*send, **body, scores=scores) == (400, "end_without_chips")
    assert refused(*send, **body, scores=scores, chips=chips) == (400, "end_without_winners")
    assert refused(*send, **body, scores=scores, chips=[1, 0, 0, 0], no_win=[]) == (400, "chips_sum")
    assert refused(*send, **body, chips=chips) == (400, "missing_field")
    assert club.organiser.get(f"{club.path}/games")["games"] == []
    for _ in range(2):  # the second request changes nothing
        club.organiser.post(f"{club.path}/games", **body, scores=scores, chips=chips, no_win=[3, 2])
    shown = club.organiser.get(f"{club.path}/games")["games"][0]
    assert (shown["chips"], shown["yakitori"]) == (chips, [6000, 6000, -6000, -6000])
    other = {"scores": scores, "chips": [0, 0, 0, 0], "no_win": [], "why": "misread", "revision": 0}
    club.organiser.post(f"{club.path}/games/game-paper/points", **other)
    again = club.organiser.get(f"{club.path}/games/game-paper")
    assert (again["chips"], again["yakitori"], again["only_points"]) == ([0] * 4, [0] * 4, True)
    filed = club.organiser.get(f"{club.path}/export", format="json")
    assert (filed["games"][0]["chips"], filed["games"][0]["yakitori"]) == ([0] * 4, [0] * 4)
    whole = club.organiser.get(f"{club.path}/file")["games"][0]
    assert (whole["scores"], whole["chips"], whole["no_win"]) == (scores, [0] * 4, [])


@pytest.mark.slow
def test_a_chombo_taken_at_the_end_is_shown_where_results_may_be_seen(url: str) -> None:
    club = Gathering(url, rules="wrc")
    table = Table(club, "fined")
    table.enter(ron(1, 3))
    table.enter({"end": "foul", "fouls": [{"seat": 2, "foul": "false_win_shown"}]})
    path = f"{club.path}/games/{table.id}"
    game = club.organiser.get(path)
    body = {"scores": game["scores"], "revision": game["revision"], "why": "time"}
    ended = club.referee.post(f"{path}/points", **body)
    assert ended["only_points"]
    assert [bool(points) for points in ended["deducted"]] == [False, False, True, False]
    assert sum(ended["final"]) == -sum(ended["deducted"])
    assert club.organiser.get(f"{club.path}/games")["games"][0]["deducted"] == ended["deducted"]
    club.organiser.http.patch(club.path, json={"hidden_standings": True}).raise_for_status()
    stranger = member(url, "stranger")
    assert stranger.get(f"{club.path}/games")["games"][0]["deducted"] is None
