"""What changes between rounds: wrong seats, absences, substitutes, byes, replacements."""

import pytest

from jantaku.club import event_from, standings
from server.clubs import RON, Tournament, people, played, refused, standings_of, states
from server.parlour import Message


@pytest.mark.slow
def test_a_wrong_seating_is_mended_and_later_rounds_are_made_again(sixteen: Tournament) -> None:
    sixteen.make(rounds=5, seed=1)
    sixteen.post("publish")
    first, second = (table["players"] for table in sixteen.post("1/start")["rounds"][0]["tables"][:2])
    game = sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"][0]["game"]
    path = f"{sixteen.path}/games/{game}"
    sixteen.recorder.post(f"{path}/hands", id="first-hand", follows="", hand=RON)
    penalty = {"stage": "main", "entry": first[0], "game": game, "points": -5000, "why": "chombo"}
    sixteen.referee.post(f"{sixteen.path}/penalties", **penalty)
    swap = {"swap": [first[0], second[0]]}
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/seats", **swap) == (400, "why_needed")
    stage = sixteen.referee.post(f"{sixteen.rounds}/1/seats", **swap, why="they sat so")
    tables = stage["rounds"][0]["tables"]
    assert [table["players"][0] for table in tables[:2]] == [second[0], first[0]]
    assert tables[0]["game"] == game
    assert sixteen.organiser.get(path)["seats"][0]["entry"] == second[0]
    assert sixteen.referee.get(f"{sixteen.path}/penalties")["penalties"][0]["entry"] == second[0]
    rebuilt = sixteen.make(how="rebuild", seed=5)
    assert states(rebuilt) == ["running", *["drafted"] * 4]
    assert rebuilt["quality"]["repeats"] == rebuilt["quality"]["bound"] == 0
    assert [sorted(people(round_)) for round_ in rebuilt["rounds"]] == [sorted(sixteen.names)] * 5
    anew = sixteen.post("1/seats", swap=[second[0], first[0]], hands="restart", why="they changed back")
    assert [table["players"] for table in anew["rounds"][0]["tables"][:2]] == [first, second]
    assert anew["rounds"][0]["tables"][0]["game"] != game
    assert sixteen.organiser.get(path)["status"] == "cancelled"
    given = {"tables": {"1": second, "2": first}, "why": "whole tables"}
    final = sixteen.post("1/seats", **given)["rounds"][0]["tables"]
    assert [table["players"] for table in final[:2]] == [second, first]
    for wrong in ({"tables": {"1": first}}, {"swap": ["nobody", first[0]]}, {"tables": {"9": first}}):
        status, code = refused(sixteen.organiser, "POST", f"{sixteen.rounds}/1/seats", why="w", **wrong)
        assert (status, code) in ((409, "twice_in_round"), (409, "not_in_round"), (404, "no_round_table"))


@pytest.mark.slow
def test_absent_late_and_withdrawn_players_are_not_seated(sixteen: Tournament) -> None:
    player, mine = sixteen.players[0], sixteen.entries[0]
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"late_until": 2})
    path = f"{sixteen.rounds}/absences"
    assert refused(player, "POST", path, entry=sixteen.entries[1], first=2)[0] == 403
    player.post(path, entry=mine, first=2, last=3)
    assert player.post(path, entry=mine, first=3, last=3, present=True)["absences"] == [
        {"entry": mine, "first": 2, "last": 2}
    ]
    assert sixteen.players[1].get(sixteen.rounds)["absences"] == []
    stage = sixteen.make(rounds=4)
    assert [mine in people(round_) for round_ in stage["rounds"]] == [True, False, True, True]
    assert [len(round_["byes"]) for round_ in stage["rounds"]] == [0, 3, 0, 0]
    sixteen.post("publish", numbers=[1], start=True)
    assert refused(player, "POST", path, entry=mine, first=1) == (409, "round_begun")
    late = [{"name": f"Late {i}", "id": f"late{i}"} for i in range(5)]
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=late)
    sixteen.organiser.post(f"{sixteen.path}/entries/{sixteen.names[5]}/withdraw")
    sixteen.organiser.post(path, entry="late4", first=2, last=2)
    stage = sixteen.make(how="plan")
    for round_ in stage["rounds"][1:]:
        assert sixteen.names[5] not in people(round_)
        assert "late0" in people(round_)
        assert "late4" not in people(round_)  # who comes in after the second round is too late
        assert len(people(round_)) == len(set(people(round_)))


@pytest.mark.slow
def test_substitutes_fill_tables_with_points_of_their_own(url: str) -> None:
    cup = Tournament(url, 16)
    house = cup.names[-1]
    settings = {"substitutes": [house], "substitute_points": -15000, "bye_points": 10000}
    path = f"{cup.rounds}/settings"
    assert cup.organiser.http.put(path, json=settings).status_code == 200
    cup.organiser.http.patch(f"{cup.path}/entries/{cup.names[4]}", json={"status": "withdrawn"})
    stage = cup.make(how="random")
    assert all(len(round_["byes"]) == 2 for round_ in stage["rounds"])
    assert all(
        house not in people(round_) for round_ in stage["rounds"]
    )  # one substitute does not fill two seats
    cup.organiser.http.patch(f"{cup.path}/entries/{cup.names[4]}", json={"status": "playing"})
    stage = cup.make(rounds=2)
    assert all(house in people(round_) and not round_["byes"] for round_ in stage["rounds"])
    cup.post("publish")
    played(cup, 1)
    points = standings_of(cup)
    assert points[house] == -15000
    others = {name: value for name, value in points.items() if name != house}
    cup.organiser.http.put(path, json=settings | {"substitute_points": None, "substitute_uma": -20000})
    uma = standings_of(cup)
    table = next(seats for seats in cup.seats(cup.organiser.get(cup.rounds))[0] if house in seats)
    assert uma[house] == [40000, 30000, 20000, 10000][table.index(house)] - 25000 - 20000
    assert {name: value for name, value in uma.items() if name != house} == others


@pytest.mark.slow
def test_byes_are_worth_points_when_their_round_has_begun(url: str) -> None:
    cup = Tournament(url, 6)
    cup.organiser.http.put(f"{cup.rounds}/settings", json={"bye_points": 12000})
    byes = cup.make(rounds=3, seed=2)["rounds"][0]["byes"]
    assert len(byes) == 2
    cup.post("publish")
    assert set(standings_of(cup).values()) == {0}
    played(cup, 1)
    points = standings_of(cup)
    assert [points[name] for name in byes] == [12000, 12000]
    listed = cup.organiser.get(f"{cup.path}/standings")["byes"]
    assert sorted(listed, key=lambda bye: byes.index(bye["player"])) == [
        {"stage": listed[0]["stage"], "player": name, "points": 12000} for name in byes
    ]
    cup.post("1/seats", swap=[byes[0], next(iter(set(points) - set(byes)))], why="came after all")
    assert standings_of(cup)[byes[0]] != 12000
    before = standings_of(cup)
    cup.post("2/start")
    assert standings_of(cup) != before
    cup.post("2/finish", everything=True, why="nobody came")
    assert standings_of(cup) == before  # all of its games are cancelled
    cup.post("2/take-back")
    cup.post("2/start")
    assert standings_of(cup) != before
    cup.post("2/take-back", why="started by mistake")
    assert standings_of(cup) == before


@pytest.mark.slow
def test_who_does_not_play_in_a_round_neither_starts_it_nor_has_its_bye(url: str) -> None:
    """With 11 players three have a bye; one of them, and one at a table, say that they do not come."""
    cup = Tournament(url, 11)
    cup.organiser.http.put(f"{cup.rounds}/settings", json={"bye_points": 12000})
    byes = cup.make(rounds=3, seed=2)["rounds"][0]["byes"]
    cup.post("publish")
    tables = cup.organiser.get(cup.rounds)["rounds"][0]["tables"]
    gone = tables[1]["players"][2]
    for away in (gone, byes[0]):
        cup.post("absences", entry=away, first=1, last=1)
    answer = cup.referee.http.post(f"{cup.rounds}/1/start")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seated_gone")
    seats = [byes[1] if player == gone else player for player in tables[1]["players"]]
    moved = cup.post("1/seats", tables={"2": seats})["rounds"][0]
    assert {gone, byes[1]}.isdisjoint(moved["byes"])
    assert cup.post("1/start")["rounds"][0]["byes"] == byes[2:]
    points = standings_of(cup)
    assert {name: points[name] for name in (gone, *byes)} == {gone: 0, byes[0]: 0, byes[1]: 0, byes[2]: 12000}
    leaver = tables[0]["players"][0]
    cup.organiser.http.patch(f"{cup.path}/entries/{leaver}", json={"status": "withdrawn", "why": "ill"})
    seats = [byes[2] if player == leaver else player for player in tables[0]["players"]]
    assert cup.post("1/seats", tables={"1": seats}, why="ill")["rounds"][0]["byes"] == []


@pytest.mark.slow
def test_a_replacement_takes_all_later_seats(sixteen: Tournament) -> None:
    for _ in range(3):
        sixteen.make(how="random")
    sixteen.post("publish", start=True)
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    gone = sixteen.names[7]
    stage = sixteen.referee.post(f"{sixteen.rounds}/replace", entry=gone, by="new", why="ill")
    assert [gone in people(round_) for round_ in stage["rounds"]] == [True, False, False]
    assert ["new" in people(round_) for round_ in stage["rounds"]] == [False, True, True]
    assert stage["absences"] == [{"entry": gone, "first": 2, "last": None}]
    path = f"{sixteen.rounds}/replace"
    twice = {"entry": sixteen.names[8], "by": gone, "now": True}
    assert refused(sixteen.referee, "POST", path, **twice) == (409, "twice_in_round")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Next", "id": "next"}])
    stage = sixteen.post("replace", entry=sixteen.names[8], by="next", now=True)
    assert ["next" in people(round_) for round_ in stage["rounds"]] == [True, True, True]
    game = next(table["game"] for table in stage["rounds"][0]["tables"] if "next" in table["players"])
    seats = sixteen.organiser.get(f"{sixteen.path}/games/{game}")["seats"]
    assert "next" in [seat["entry"] for seat in seats]
    assert refused(sixteen.referee, "POST", path, entry=gone, by="next", first=3) == (409, "not_in_round")


@pytest.mark.slow
def test_a_reserve_who_has_not_played_yet_stays_when_the_rounds_are_made_anew(url: str) -> None:
    stages: list[Message] = [{"id": "league"}, {"id": "main", "kind": "rounds", "from": "league", "cut": 4}]
    cup = Tournament(url, 5, stages=stages)
    game = {"id": "league-game", "stage": "league", "players": cup.entries}
    cup.referee.post(f"{cup.path}/games", **game, scores=[40000, 30000, 20000, 10000])
    cup.make(rounds=2)
    gone, reserve = cup.names[1], cup.names[4]
    cup.post("publish")
    cup.post("replace", entry=gone, by=reserve, why="ill")
    stage = cup.make(how="rebuild")
    left = [name for name in cup.names if name != gone]
    assert [sorted(people(round_)) for round_ in stage["rounds"]] == [sorted(left)] * 2


@pytest.mark.slow
def test_who_fills_a_table_or_was_replaced_before_a_game_has_no_rank(url: str) -> None:
    """The best of all is the house's substitute; the final's first has left before it began."""
    stages: list[Message] = [
        {"id": "main", "kind": "rounds"},
        {"id": "title", "kind": "rounds", "from": "main", "cut": 4, "carry": 0.5},
    ]
    cup = Tournament(url, 8, stages=stages)
    house = cup.names[-1]
    cup.organiser.http.put(
        f"{cup.rounds}/settings", json={"substitutes": [house], "substitute_points": 90000}
    )
    assert house in people(cup.make(how="random")["rounds"][0])
    cup.post("publish")
    played(cup, 1)

    def rows(stage: int) -> list[Message]:
        return list(cup.organiser.get(f"{cup.path}/standings")["stages"][stage]["standings"])

    assert [(row["rank"], row["points"]) for row in rows(0) if row["player"] == house] == [(None, 90000)]
    finalists = [row["player"] for row in rows(1)]
    assert house not in finalists
    assert len(finalists) >= 4
    main, cup.rounds = cup.rounds, f"{cup.path}/rounds/title"
    cup.make(how="random")
    cup.post("publish")
    seated = people(cup.organiser.get(cup.rounds)["rounds"][0])
    first = next(row["player"] for row in rows(1) if row["player"] in seated)
    reserve = next(row["player"] for row in rows(0) if row["player"] not in {*finalists, house})
    cup.post("replace", entry=first, by=reserve, now=True)
    played(cup, 1)
    ranks = {row["player"]: row["rank"] for row in rows(1)}
    assert ranks[first] is None
    assert ranks[reserve] is not None
    file = cup.organiser.get(f"{cup.path}/file")
    assert {game["round"] for game in file["games"]} == {1}
    filed = event_from(file)
    assert {standing.player: standing.rank for standing in standings(filed).stages["title"]} == ranks
    again = cup.organiser.post("/api/events/import", file=file)
    assert again["id"] != cup.id
    cup.rounds = main


@pytest.mark.slow
def test_merged_entries_keep_their_seats(sixteen: Tournament) -> None:
    for _ in range(2):
        sixteen.make(how="random")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Same", "id": "same"}])
    merge = f"{sixteen.path}/entries/{sixteen.names[6]}/merge"
    assert refused(sixteen.organiser, "POST", merge, into=sixteen.names[7]) == (409, "both_seated")
    sixteen.organiser.post(merge, into="same")
    stage = sixteen.organiser.get(sixteen.rounds)
    assert all(
        "same" in people(round_) and sixteen.names[6] not in people(round_) for round_ in stage["rounds"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seated", [False, True])
def test_of_two_entries_merged_the_settings_go_with_whoever_stays(
    sixteen: Tournament, *, seated: bool
) -> None:
    """A reserve who has come twice stays a reserve; whoever is seated already stays a player."""
    listed = [{"name": "Reserve", "id": "reserve"}, {"name": "Again", "id": "again"}]
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=listed)
    settings = {"substitutes": ["reserve"], "apart": [["reserve", sixteen.names[0]], ["reserve", "again"]]}
    put = sixteen.organiser.http.put
    put(f"{sixteen.rounds}/settings", json=settings).raise_for_status()
    for away in (("reserve", 2, 2), ("again", 2, 3)):
        body = dict(zip(("entry", "first", "last"), away, strict=True))
        sixteen.organiser.post(f"{sixteen.rounds}/absences", **body)
    into = sixteen.names[1] if seated else "again"
    if seated:
        sixteen.make(how="random")
    before = sixteen.organiser.get(sixteen.path)["revision"]
    sixteen.organiser.post(f"{sixteen.path}/entries/reserve/merge", into=into)
    stage = sixteen.organiser.get(sixteen.rounds)
    apart = [[into, sixteen.names[0]]] + ([[into, "again"]] if seated else [])
    assert stage["settings"]["apart"] == apart
    assert stage["settings"]["substitutes"] == ([] if seated else ["again"])
    absent = {(away["entry"], away["first"], away["last"]) for away in stage["absences"]}
    assert absent == {("again", 2, 3)}
    again = put(f"{sixteen.rounds}/settings", json=settings)
    assert (again.status_code, again.json()["error"]["code"]) == (
        404,
        "not_entered",
    ) or again.status_code == 409
    stale = put(f"{sixteen.rounds}/settings", json={"minutes": 90, "revision": before})
    assert stale.json()["error"]["code"] == "rounds_moved_on"
