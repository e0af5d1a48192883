"""The names of a player go in all events of their organiser at once, and nowhere else."""

import pytest

from server.clubs import Gathering, PaperClub, member, refused

EVERYWHERE = {"everywhere": True}


@pytest.mark.slow
def test_without_an_account_the_name_tells(url: str) -> None:
    first, other = PaperClub(url), PaperClub(url)
    second = f"/api/events/{first.organiser.post('/api/events', name={'en': 'Second'})['id']}/entries"
    listed = [{"name": "A", "id": "x", "team": "A team"}, {"name": "a", "id": "small"}, {"name": "AA"}]
    first.organiser.post(f"{second}/list", entries=listed)
    path = f"{first.path}/entries/a/erase"
    assert refused(other.organiser, "POST", path, **EVERYWHERE)[0] == 403
    asked = first.organiser.post(path, **EVERYWHERE)
    assert (asked["entries"], asked["events"]) == (2, ["Paper", "Second"])
    wrong = refused(first.organiser, "POST", path, confirm=asked["confirm"])  # asked for all, not for one
    assert wrong == (409, "not_confirmed")
    asked = first.organiser.post(path, **EVERYWHERE)
    first.organiser.post(f"{second}/list", entries=[{"name": "A", "id": "namesake"}])
    third = f"/api/events/{first.organiser.post('/api/events', name={'en': 'Third'})['id']}/entries"
    first.organiser.post(f"{third}/list", entries=[{"name": "A", "id": "y"}])
    late = refused(first.organiser, "POST", path, **EVERYWHERE, confirm=asked["confirm"])
    assert late == (409, "not_confirmed")  # the question did not count whoever has come since
    asked = first.organiser.post(path, **EVERYWHERE)
    assert asked["entries"] == 3
    assert first.organiser.post(path, **EVERYWHERE, confirm=asked["confirm"])["done"]
    left = first.organiser.get(second)["entries"]
    assert {entry["called"] for entry in left} & {"A", "AA", "a (2)", "A (3)"} == {"AA", "a (2)", "A (3)"}
    assert not any(entry["name"] == "A" for entry in first.organiser.get(third)["entries"])
    assert "A team" not in {entry["team"] for entry in left}
    assert "A" in {entry["name"] for entry in other.organiser.get(f"{other.path}/entries")["entries"]}
    for club in (first, other):
        club.organiser.close()


@pytest.mark.slow
def test_with_an_account_the_account_tells(url: str) -> None:
    club, foreign = Gathering(url, rules="tenhou"), member(url, "another organiser")
    player = club.players[0]
    second = f"/api/events/{club.organiser.post('/api/events', name={'en': 'Second'})['id']}/entries"
    mine = player.post(second, name="Under another name")["id"]
    third = f"/api/events/{foreign.post('/api/events', name={'en': 'Third'})['id']}/entries"
    player.post(third, name="Third name")
    path = f"{club.path}/entries/{club.entries[0]}/erase"
    for other in (player, club.referee, foreign):
        assert refused(other, "POST", path, **EVERYWHERE)[0] == 403
    asked = club.organiser.post(path, **EVERYWHERE)
    assert asked["entries"] == 2
    assert club.organiser.post(path, **EVERYWHERE, confirm=asked["confirm"])["done"]
    entries = {entry["id"]: entry for entry in club.organiser.get(second)["entries"]}
    assert "Under another name" not in str(entries)
    assert not entries[mine]["account"]
    assert "Third name" in str(foreign.get(third))
    assert club.organiser.post(path, **EVERYWHERE)["entries"] == 1  # those without a name are not told apart
    assert refused(club.organiser, "POST", f"{club.path}/entries/none/erase")[0] == 404


@pytest.mark.slow
def test_the_ranking_of_a_season_stays(url: str) -> None:
    """Whoever was erased in two events stood in the year twice, and others came to another place."""
    first = PaperClub(url)
    organiser = first.organiser
    second = f"/api/events/{organiser.post('/api/events', name={'en': 'Second'})['id']}"
    listed = [{"name": entry.upper(), "id": entry} for entry in first.entries]
    organiser.post(f"{second}/entries/list", entries=listed)
    parts = list[dict[str, str]]()
    for path, players in ((first.path, "abcd"), (second, "badc")):
        scores = [40000, 30000, 20000, 10000]
        body = {"id": "year-game", "stage": "league", "players": list(players), "scores": scores}
        organiser.post(f"{path}/games", **body)
        parts.append({"id": f"p{len(parts)}", "event": path.rpartition("/")[2]})
    season = organiser.post("/api/seasons", name={"en": "Year"}, cut=2, parts=parts)["id"]

    def ranking() -> list[tuple[int | None, int]]:
        rows = organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
        return [(row["rank"], row["points"]) for row in rows]

    before, path = ranking(), f"{first.path}/entries/b/erase"
    confirm = organiser.post(path, **EVERYWHERE)["confirm"]
    assert organiser.post(path, **EVERYWHERE, confirm=confirm)["done"]
    assert ranking() == before
    organiser.close()
