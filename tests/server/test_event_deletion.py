"""Deletion of a person's data on request: no name stays in any row, and the results of others stay right."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jantaku import terms
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from jantaku.server.storage.base import METADATA
from jantaku.server.storage.services import Services
from jantaku.terms import LANGUAGES
from server.clubs import BUST, RON, Gathering, PaperClub, Table, member, refused
from server.parlour import PASSWORD, Person, open_server, quick


class House:
    """A server with an event; what its database holds."""

    def __init__(self, settings: Settings, url: str, token: str) -> None:
        self.settings, self.url = settings, url
        self.club = Gathering(url, rules="tenhou")
        self.admin = Person(url)
        self.admin.post("/api/enter", token=token)

    def rows(self) -> str:
        """Everything in the rows of the database, as one text."""

        async def read() -> str:
            services = Services(self.settings)
            try:
                async with services.store.reading() as connection:
                    found = [
                        list(await connection.execute(table.select())) for table in METADATA.sorted_tables
                    ]
            finally:
                await services.store.close()
            return "\n".join(_said(value) for rows in found for row in rows for value in row)

        return asyncio.run(read())

    def standings(self, language: str = "en") -> dict[str, Any]:
        standings: dict[str, Any] = self.club.organiser.get(f"{self.club.path}/standings", lang=language)
        return standings

    def points(self) -> dict[str, int]:
        return {row["player"]: row["points"] for row in self.standings()["stages"][0]["standings"]}


def _said(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    text = str(value)
    try:
        return text + json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url:
        built = House(settings, url, token)
        with closing(built.club), closing(built.admin):
            yield built


def erase(who: Person, path: str, **more: Any) -> dict[str, Any]:
    """Ask and confirm."""
    asked = who.post(path, **more)
    assert not asked["done"]
    answer: dict[str, Any] = who.post(path, confirm=asked["confirm"], **more)
    assert answer["done"]
    return answer


def play(house: House, name: str, **start: Any) -> Table:
    table = Table(house.club, name, **start)
    table.enter(RON)
    table.enter(BUST)
    table.confirm(house.club.referee, everybody=True)
    return table


def famous(house: House) -> tuple[Person, str]:
    """Somebody whose name stands everywhere; returns them and their entry."""
    club, mina = house.club, member(house.url, "Zuckerkandl")
    entry = mina.post(f"{club.path}/entries", name="Zuckerkandl Mina")["id"]
    mina.http.patch(f"{club.path}/entries/{entry}/names", json={
        "real_name": "Elisabeth Quittengelee", "nicknames": [{"site": "tenhou", "name": "ツッカー姫"}],
    }).raise_for_status()  # fmt: skip
    club.organiser.http.patch(
        f"{club.path}/entries/{entry}", json={"name": "Zuckerkandl M.", "why": "a wish"}
    ).raise_for_status()
    table = play(house, "famous", players=[*club.entries[:3], entry])
    club.referee.post(f"{club.path}/games/{table.id}/status", status="playing", why="an objection")
    table.confirm(club.referee, everybody=True)
    mina.post(f"{club.path}/calls", label="table 1", why="a question")
    body = {"stage": "league", "entry": entry, "points": -1000, "why": "late"}
    club.referee.post(f"{club.path}/penalties", **body)
    for name in ("Zuckerkandl's den",):
        table_id = mina.table(name=name)["id"]
        mina.post(f"/api/tables/{table_id}/leave")
    mina.table(name="Zuckerkandl waits")
    mina.http.patch("/api/me", json={"name": "Zuckerkandl Erna"}).raise_for_status()
    return mina, entry


NAMES = ("zuckerkandl", "quittengelee", "ツッカー姫", "erna")


@pytest.mark.slow
def test_no_byte_of_a_name_stays_and_others_keep_their_results(house: House) -> None:
    mina, entry = famous(house)
    before = house.rows().casefold()
    assert all(name in before for name in NAMES)
    points, bystander = house.points(), Table(house.club, "bystander")
    bystander.enter(RON)
    assert refused(mina, "POST", "/api/me/erase", confirm="guessed", password=PASSWORD)[0] == 409
    asked = mina.post("/api/me/erase")
    assert (asked["done"], asked["entries"]) == (False, 1)
    assert refused(mina, "POST", "/api/me/erase", confirm=asked["confirm"], password="wrong")[0] == 403
    assert house.rows().casefold().count("zuckerkandl") >= before.count("zuckerkandl")
    erase(mina, "/api/me/erase", password=PASSWORD)
    after = house.rows().casefold()
    assert [name for name in NAMES if name in after] == []
    assert house.points() == points
    assert mina.get("/api/me")["person"] is None
    names = {language: house.standings(language)["names"][entry] for language in LANGUAGES}
    assert names["ko"] == terms.text("export.erased", "ko", number=1)
    assert len(set(names.values())) == 3
    game = house.club.organiser.get(f"{house.club.path}/games/game-famous", lang="ja")
    assert game["seats"][3]["name"] == names["ja"]
    assert [hand["hand"] for hand in game["hands"]] == [RON, BUST]
    text = house.club.organiser.get(f"{house.club.path}/file", lang="ko")
    assert names["ko"] in [player["name"] for player in text["players"]]
    log = json.dumps(house.club.organiser.get(f"{house.club.path}/log"), ensure_ascii=False).casefold()
    assert "erase" in log
    assert not any(name in log for name in NAMES)


def everywhere(house: House) -> str:
    """All rows of the database, and what anybody and the organiser are shown of the event."""
    pages = (
        "",
        "/entries",
        "/standings",
        "/statistics",
        "/games",
        "/log",
        "/file",
        "/rounds",
        "/export?format=csv",
    )
    shown = [house.rows()]
    for who in (house.club.organiser, Person(house.url)):
        shown += [who.http.get(f"{house.club.path}{page}", params={"lang": "en"}).text for page in pages]
    return "\n".join(shown).casefold()


@pytest.mark.slow
def test_a_team_of_ones_own_goes_and_a_team_of_others_stays(house: House) -> None:
    club = house.club
    mina, entry = famous(house)
    others = club.entries[0]

    def join(who: str, team: str) -> None:
        answer = club.organiser.http.patch(f"{club.path}/entries/{who}", json={"team": team, "why": "teams"})
        answer.raise_for_status()

    for team in ("Schnabeltiere", "Wolpertinger Vier"):
        join(entry, team)
    join(others, "Wolpertinger Zwei")
    for page in ("standings", "entries"):
        assert "Wolpertinger Vier" in club.organiser.http.get(f"{club.path}/{page}").text
    before = everywhere(house)
    assert "wolpertinger vier" in before
    erase(mina, "/api/me/erase", password=PASSWORD)
    after = everywhere(house)
    assert [name for name in (*NAMES, "schnabeltiere", "wolpertinger vier") if name in after] == []
    assert "wolpertinger zwei" in after


@pytest.mark.slow
def test_a_team_that_others_play_for_keeps_its_points(house: House) -> None:
    club = house.club
    mina, entry = famous(house)
    for team_mate in (entry, club.entries[0]):
        body = {"team": "Wolpertinger", "why": ""}
        club.organiser.http.patch(f"{club.path}/entries/{team_mate}", json=body).raise_for_status()
    before = house.standings()["teams"]
    erase(mina, "/api/me/erase", password=PASSWORD)
    assert house.standings()["teams"] == before
    listed = club.organiser.get(f"{club.path}/entries")["entries"]
    assert {row["id"]: row["team"] for row in listed}[entry] == ""


@pytest.mark.slow
def test_an_organiser_deletes_the_names_of_an_entry(house: House) -> None:
    mina, entry = famous(house)
    club, points = house.club, house.points()
    path = f"{club.path}/entries/{entry}/erase"
    assert refused(club.players[0], "POST", path) == (403, "not_organiser")
    assert refused(club.organiser, "POST", path, confirm="x") == (409, "not_confirmed")
    erase(club.organiser, path)
    assert house.points() == points
    rows = house.rows()
    assert "Quittengelee" not in rows
    assert "ツッカー姫" not in rows
    assert mina.get("/api/me")["person"]["name"] == "Zuckerkandl Erna"  # the account lives on
    assert entry in [row["id"] for row in club.organiser.get(f"{club.path}/entries")["entries"]]


@pytest.mark.slow
def test_an_admin_deletes_a_person(house: House) -> None:
    club = house.club
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "Quitte", "id": "listed-1"}])
    quitte = member(house.url, "Quitte")
    name = quitte.get("/api/me")["person"]["name"]
    club.organiser.http.patch(f"{club.path}/entries/listed-1", json={"account": name}).raise_for_status()
    play(house, "other", players=[*club.entries[:3], "listed-1"])
    path = f"/api/people/{quitte.id}/erase"
    assert refused(club.organiser, "POST", path)[0] == 403
    before = sorted(house.points().values())
    erase(house.admin, path)
    assert "quitte" not in house.rows().casefold()
    assert sorted(house.points().values()) == before
    assert refused(house.admin, "POST", path) == (404, "no_person")


@pytest.mark.slow
def test_nobody_is_deleted_during_a_game(house: House) -> None:
    mina = member(house.url, "Busy")
    table = mina.table(bots=3)
    mina.post(f"/api/tables/{table['id']}/start")
    asked = mina.post("/api/me/erase")
    answer = refused(mina, "POST", "/api/me/erase", confirm=asked["confirm"], password=PASSWORD)
    assert answer == (409, "still_playing")
    assert mina.get("/api/me")["person"] is not None


@pytest.mark.slow
def test_only_organisers_and_the_player_read_real_names(house: House) -> None:
    mina, entry = famous(house)
    path = f"{house.club.path}/entries/{entry}/names"
    assert mina.get(path)["real_name"] == "Elisabeth Quittengelee"
    assert house.club.organiser.get(f"{house.club.path}/names")["names"][0]["entry"] == entry
    for person in (house.club.referee, house.club.players[0], Person(house.url, "Guest")):
        assert refused(person, "GET", path) == (403, "not_organiser")
        for page in ("entries", "games/game-famous", "standings", "export?format=html", "export?format=json"):
            assert "Quittengelee" not in person.http.get(f"{house.club.path}/{page}").text
    log = house.club.referee.get(f"{house.club.path}/log")
    assert "Quittengelee" not in json.dumps(log)
    nick = {"nicknames": [{"site": "tenhou", "name": "ツッカー姫"}]}
    other = f"{house.club.path}/entries/{house.club.entries[0]}/names"
    assert refused(house.club.organiser, "PATCH", other, **nick) == (409, "nickname_taken")


# The names of a player go in all events of their organiser at once, and nowhere else


EVERYWHERE = {"everywhere": True}


@pytest.mark.slow
def test_without_an_account_the_name_tells(url: str) -> None:
    first, other = PaperClub(url), PaperClub(url)
    second = f"/api/events/{first.organiser.post('/api/events', name='Second')['id']}/entries"
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
    third = f"/api/events/{first.organiser.post('/api/events', name='Third')['id']}/entries"
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
    second = f"/api/events/{club.organiser.post('/api/events', name='Second')['id']}/entries"
    mine = player.post(second, name="Under another name")["id"]
    third = f"/api/events/{foreign.post('/api/events', name='Third')['id']}/entries"
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
    second = f"/api/events/{organiser.post('/api/events', name='Second')['id']}"
    listed = [{"name": entry.upper(), "id": entry} for entry in first.entries]
    organiser.post(f"{second}/entries/list", entries=listed)
    parts = list[dict[str, str]]()
    for path, players in ((first.path, "abcd"), (second, "badc")):
        scores = [40000, 30000, 20000, 10000]
        body = {"id": "year-game", "stage": "league", "players": list(players), "scores": scores}
        organiser.post(f"{path}/games", **body)
        parts.append({"id": f"p{len(parts)}", "event": path.rpartition("/")[2]})
    season = organiser.post("/api/seasons", name="Year", cut=2, parts=parts)["id"]

    def ranking() -> list[tuple[int | None, int]]:
        rows = organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
        return [(row["rank"], row["points"]) for row in rows]

    before, path = ranking(), f"{first.path}/entries/b/erase"
    confirm = organiser.post(path, **EVERYWHERE)["confirm"]
    assert organiser.post(path, **EVERYWHERE, confirm=confirm)["done"]
    assert ranking() == before
    organiser.close()
