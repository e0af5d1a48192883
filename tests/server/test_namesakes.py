"""Namesakes in an event: every page tells them apart, while their own names stay as they are."""

from server.clubs import PaperClub, Table

PEOPLE = [("Mina", "Red"), ("Mina", "Blue"), ("Sora", ""), ("sora", "")]
APART = {"m1": "Mina", "m2": "Mina (2)", "s1": "Sora", "s2": "sora (2)"}


def opened(url: str) -> PaperClub:
    """An event with two pairs of namesakes, beside four other people."""
    club = PaperClub(url)
    listed = [
        {"name": name, "team": team, "id": key} for (name, team), key in zip(PEOPLE, APART, strict=True)
    ]
    club.organiser.post(f"{club.path}/entries/list", entries=listed)
    return club


def called(club: PaperClub) -> dict[str, str]:
    return {entry["id"]: entry["called"] for entry in club.organiser.get(f"{club.path}/entries")["entries"]}


def test_namesakes_are_told_apart_in_lists_games_standings_and_errors(url: str) -> None:
    club = opened(url)
    assert called(club) == {"a": "A", "b": "B", "c": "C", "d": "D"} | APART
    listed = club.organiser.get(f"{club.path}/entries")["entries"]
    assert [entry["name"] for entry in listed[4:]] == [name for name, _ in PEOPLE]  # as they were written
    table = Table(club, "namesakes", players=list(APART))
    assert [seat["name"] for seat in table.started["seats"]] == list(APART.values())
    wrong = table.body({"end": "ron", "from": 1, "wins": [{"seat": 1, "han": 1, "fu": 30}]})
    answer = club.organiser.http.post(f"{table.path}/hands", json=wrong)
    assert "Mina (2)" in answer.json()["error"]["message"]
    club.organiser.post(f"{table.path}/points", scores=[40000, 30000, 20000, 10000], why="paper")
    names = club.organiser.get(f"{club.path}/standings")["names"]
    assert {key: names[key] for key in APART} == APART
    statistics = club.organiser.get(f"{club.path}/statistics")["names"]
    assert {key: statistics[key] for key in APART if key in statistics} == APART


def test_a_label_stays_when_a_namesake_goes(url: str) -> None:
    club = opened(url)
    club.organiser.post(f"{club.path}/entries/m1/withdraw")
    club.organiser.http.patch(f"{club.path}/entries/s1", json={"name": "Nari"})
    after = called(club)
    assert (after["m2"], after["s1"], after["s2"]) == ("Mina (2)", "Nari", "sora (2)")
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "Sora", "id": "s3"}])
    assert called(club)["s3"] == "Sora"
