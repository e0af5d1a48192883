"""Deletion of personal data: no stored row contains the name, and the results of others stay the same."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku import terms
from jantaku.server.run import prepare
from jantaku.server.settings import Settings
from jantaku.server.storage.base import METADATA
from jantaku.server.storage.services import Services
from jantaku.terms import LANGUAGES
from server.clubs import BUST, RON, Account, Club, Visitor
from server.parlour import PASSWORD, fast_settings, open_server

pytestmark = pytest.mark.slow
NAMES = ("zuckerkandl", "quittengelee", "ツッカー姫", "erna")
ALL = {"everywhere": True}


def written(value: object) -> str:
    """Return a value as text; JSON is followed by a copy without escapes."""
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    try:
        return text + json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text


class DeletionClub(Club):
    """An event on its own server, with access to everything stored in the database."""

    def __init__(self, settings: Settings, url: str, token: str) -> None:
        super().__init__(url)
        self.settings, self.admin = settings, Visitor(url, at=self.at)
        self.admin.post("/api/enter", token=token)

    def stored(self) -> str:
        """Return all rows of the database as one text."""

        async def read() -> str:
            services = Services(self.settings)
            try:
                async with services.store.reading() as connection:
                    tables = [[*await connection.execute(table.select())] for table in METADATA.sorted_tables]
            finally:
                await services.store.close()
            return "\n".join(written(value) for rows in tables for row in rows for value in row)

        return asyncio.run(read()).casefold()

    def everything_visible(self) -> str:
        """Return all rows of the database, and the event's pages as the public and the organiser see them."""
        results = ("standings", "statistics", "games", "rounds", "export?format=csv")
        pages = ("", "entries", "log", "file", *results)
        people = (self.organiser, Visitor(self.url, at=self.at))
        seen = [who.send("GET", page).text for who in people for page in pages]
        return "\n".join([self.stored(), *seen]).casefold()

    def known_person(self) -> tuple[Account, str]:
        """Create a person whose name appears in every possible place; return their account and entry."""
        mina = self.account("Zuckerkandl")
        entry = mina.post("entries", name="Zuckerkandl Mina")["id"]
        nicknames = [{"site": "tenhou", "name": "ツッカー姫"}]
        mina.patch(f"entries/{entry}/names", real_name="Elisabeth Quittengelee", nicknames=nicknames)
        self.organiser.patch(f"entries/{entry}", name="Zuckerkandl M.", why="a wish")
        game = self.game("famous", players=["p0", "p1", "p2", entry]).finish(RON, BUST)
        game.post("status", status="playing", why="an objection")
        game.confirm()
        mina.post("calls", label="table 1", why="a question")
        self.penalise(entry)
        mina.post(f"/api/tables/{mina.table(name='Zuckerkandls den')['id']}/leave")
        mina.table(name="Zuckerkandl waits")
        mina.patch("/api/me", name="Zuckerkandl Erna")
        return mina, entry


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DeletionClub]:
    settings = fast_settings(tmp_path)
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url:
        yield DeletionClub(settings, url, token)


def erase(who: Visitor, path: str, **more: Any) -> None:
    """Request the deletion and confirm it."""
    preview = who.post(path, **more)
    assert not preview["done"]
    assert who.post(path, confirm=preview["confirm"], **more)["done"]


def test_deletion_removes_every_trace_of_a_name_and_keeps_others_results(house: DeletionClub) -> None:
    mina, entry = house.known_person()
    before, points = house.stored(), house.points()
    assert all(name in before for name in NAMES)
    house.game("bystander").enter(RON)
    mina.refused("not_confirmed", "/api/me/erase", confirm="guessed", password=PASSWORD)
    preview = mina.post("/api/me/erase")
    assert (preview["done"], preview["entries"]) == (False, 1)
    mina.refused("wrong_old_password", "/api/me/erase", confirm=preview["confirm"], password="wrong")
    assert house.stored().count("zuckerkandl") >= before.count("zuckerkandl")
    erase(mina, "/api/me/erase", password=PASSWORD)
    after = house.everything_visible()
    assert [name for name in NAMES if name in after] == []
    assert house.points() == points
    assert mina.get("/api/me")["person"] is None
    names = {
        language: house.organiser.get("standings", lang=language)["names"][entry] for language in LANGUAGES
    }
    assert names["ko"] == terms.text("export.erased", "ko", number=1)
    assert len({*names.values()}) == 3
    game = house.organiser.get("games/game-famous", lang="ja")
    assert game["seats"][3]["name"] == names["ja"]
    assert [hand["hand"] for hand in game["hands"]] == [RON, BUST]
    assert names["ko"] in [player["name"] for player in house.organiser.get("file", lang="ko")["players"]]
    assert "erase" in house.organiser.send("GET", "log").text


def test_deletion_removes_a_team_without_other_members(house: DeletionClub) -> None:
    mina, entry = house.known_person()
    for who, team in ((entry, "Schnabeltiere"), (entry, "Wolpertinger Vier"), ("p0", "Wolpertinger Zwei")):
        house.organiser.patch(f"entries/{who}", team=team, why="teams")
    for page in ("standings", "entries"):
        assert "Wolpertinger Vier" in house.organiser.send("GET", page).text
    erase(mina, "/api/me/erase", password=PASSWORD)
    after = house.everything_visible()
    assert [name for name in (*NAMES, "schnabeltiere", "wolpertinger vier") if name in after] == []
    assert "wolpertinger zwei" in after


def test_a_team_with_other_members_keeps_its_points(house: DeletionClub) -> None:
    mina, entry = house.known_person()
    for who in (entry, "p0"):
        house.organiser.patch(f"entries/{who}", team="Wolpertinger", why="")
    before = house.organiser.get("standings")["teams"]
    erase(mina, "/api/me/erase", password=PASSWORD)
    assert house.organiser.get("standings")["teams"] == before
    teams = {row["id"]: row["team"] for row in house.organiser.get("entries")["entries"]}
    assert teams[entry] == ""


def test_an_organiser_erases_the_names_of_an_entry(house: DeletionClub) -> None:
    mina, entry = house.known_person()
    points, names = house.points(), f"entries/{entry}/names"
    assert mina.get(names)["real_name"] == "Elisabeth Quittengelee"
    assert house.organiser.get("names")["names"][0]["entry"] == entry
    for person in (house.referee, house.players[0], house.guest()):
        person.refused("not_organiser", f"GET {names}")
        for page in ("entries", "games/game-famous", "standings", "export?format=html", "log"):
            assert "Quittengelee" not in person.send("GET", page).text
    nick = [{"site": "tenhou", "name": "ツッカー姫"}]
    house.organiser.refused("nickname_taken", "PATCH entries/p0/names", nicknames=nick)
    path = f"entries/{entry}/erase"
    house.organiser.refused("not_confirmed", path, confirm="x")
    erase(house.organiser, path)
    assert house.points() == points
    stored = house.stored()
    assert [name for name in ("quittengelee", "ツッカー姫") if name in stored] == []
    assert mina.get("/api/me")["person"]["name"] == "Zuckerkandl Erna"  # the account still exists
    assert entry in [row["id"] for row in house.organiser.get("entries")["entries"]]


def test_an_administrator_deletes_a_person(house: DeletionClub) -> None:
    quitte = house.account("Quitte")
    house.add({"name": "Quitte", "id": "listed-1"})
    house.organiser.patch("entries/listed-1", account=quitte.name)
    house.game("other", players=["p0", "p1", "p2", "listed-1"]).finish(RON, BUST)
    path, before = f"/api/people/{quitte.id}/erase", sorted(house.points().values())
    erase(house.admin, path)
    assert "quitte" not in house.stored()
    assert sorted(house.points().values()) == before
    house.admin.refused("no_person", path)
    busy = house.account("Busy")
    busy.post(f"/api/tables/{busy.table(bots=3)['id']}/start")
    confirm = busy.post("/api/me/erase")["confirm"]
    busy.refused("still_playing", "/api/me/erase", confirm=confirm, password=PASSWORD)
    assert busy.get("/api/me")["person"] is not None


# Erasing a player's names in all events of the organiser, but in no others


def another(club: Club, name: str, *people: dict[str, str], organiser: Account | None = None) -> Club:
    """Create another event; its organiser is the same unless given."""
    other = Club(club.url, 0, organiser or club.organiser, name=name)
    if people:
        other.add(*people)
    return other


def test_entries_without_an_account_are_matched_by_name(club: Club) -> None:
    organiser, path = club.organiser, "entries/p0/erase"
    theirs = Club(club.url)
    name = "Player 0"
    people = [{"name": name, "id": "x", "team": f"{name} team"}, {"name": "player 0", "id": "small"}]
    second = another(club, "Second", *people, {"name": "Player 00"})
    preview = organiser.post(path, **ALL)
    assert (preview["entries"], preview["events"]) == (2, ["Club", "Second"])
    organiser.refused(
        "not_confirmed", path, confirm=preview["confirm"]
    )  # the confirmation is for all events, not for one alone
    preview = organiser.post(path, **ALL)
    second.add({"name": name, "id": "namesake"})
    third = another(club, "Third", {"name": name, "id": "y"})
    # the confirmation does not cover entries added later
    organiser.refused("not_confirmed", path, **ALL, confirm=preview["confirm"])
    preview = organiser.post(path, **ALL)
    assert preview["entries"] == 3
    assert organiser.post(path, **ALL, confirm=preview["confirm"])["done"]
    left = second.organiser.get("entries")["entries"]
    assert {entry["called"] for entry in left} >= {"Player 00", "player 0 (2)", "Player 0 (3)"}
    assert f"{name} team" not in {entry["team"] for entry in left}
    assert not any(entry["name"] == name for entry in third.organiser.get("entries")["entries"])
    assert name in {entry["name"] for entry in theirs.organiser.get("entries")["entries"]}


def test_entries_with_an_account_are_matched_by_account(club: Club) -> None:
    player, foreign, path = club.players[0], club.account("another organiser"), f"{club.at}/entries/p0/erase"
    second, third = another(club, "Second"), another(club, "Third", organiser=foreign)
    mine = player.post(f"{second.at}/entries", name="Under another name")["id"]
    player.post(f"{third.at}/entries", name="Third name")
    for other in (player, club.referee, foreign):
        other.refused("not_organiser", path, **ALL)
    preview = club.organiser.post(path, **ALL)
    assert preview["entries"] == 2
    assert club.organiser.post(path, **ALL, confirm=preview["confirm"])["done"]
    entries = {entry["id"]: entry for entry in second.organiser.get("entries")["entries"]}
    assert "Under another name" not in str(entries)
    assert not entries[mine]["account"]
    assert "Third name" in str(third.organiser.get("entries"))
    assert club.organiser.post(path, **ALL)["entries"] == 1  # an erased entry has no name that could match
    club.organiser.refused("no_entry", "entries/none/erase")


def test_deletion_does_not_change_a_season_ranking(club: Club) -> None:
    """A person who was erased in two events still counts as one player of the season."""
    organiser, clubs = club.organiser, [club, Club(club.url, organiser=club.organiser)]
    clubs[0].result("year")
    clubs[1].result("year", players=["p1", "p0", "p3", "p2"])
    parts = [{"id": f"p{i}", "event": one.id} for i, one in enumerate(clubs)]
    season = organiser.post("/api/seasons", name="Year", cut=2, parts=parts)["id"]

    def ranking() -> list[tuple[int | None, int]]:
        rows = organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
        return [(row["rank"], row["points"]) for row in rows]

    before = ranking()
    erase(organiser, "entries/p1/erase", **ALL)
    assert ranking() == before
