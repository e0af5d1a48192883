"""Levels of bots at tables: chosen at the opening, for a seat, at the start; kept in games and rematches."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from jantaku.bots import LEVELS
from jantaku.rules import load
from jantaku.server.edge.protocol import BotLevel, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES, check_reserved
from jantaku.server.play.absent_players import bot_of
from jantaku.server.play.bot_choice import _player
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.storage.tables import Sitter, TableRow
from server.parlour import Line, Message, Person, open_server, quick, simplest
from server.test_own_numbers import RULES


def levels(table: Message) -> list[str | None]:
    return [seat and seat["bot"] for seat in table["seats"]]


def test_the_levels_of_the_protocol_are_those_of_the_bots() -> None:
    assert get_args(BotLevel) == LEVELS


def test_tables_older_than_levels_have_the_usual_one() -> None:
    assert TableOptions(rated=True).bot is None
    assert _player("of another version").name == "standard"


def test_bots_have_a_name_in_each_language_and_people_their_own() -> None:
    for name in BOT_NAMES:
        shown = {sitter_name(Sitter(name, bot="gentle"), language) for language in ("en", "ja", "ko")}
        assert len(shown) == 3
        for seat in shown:
            with pytest.raises(ServerError):
                check_reserved(seat)
    assert sitter_name(Sitter("Sora", "p1"), "ko") == "Sora"
    assert sitter_name(Sitter("Sora", "p1", bot="standard"), "ko") == "Sora"


@pytest.mark.slow
def test_a_level_is_chosen_for_the_table_a_seat_and_the_start(person: Person, other: Person) -> None:
    table = person.table(bots=1, options={"bot": "gentle"})["id"]
    assert levels(person.get(f"/api/tables/{table}")) == [None, "gentle", None, None]
    person.post(f"/api/tables/{table}/bots", level="strong")
    for path, body in (
        (f"/api/tables/{table}/bots", {"level": "random"}),
        ("/api/tables", {"options": {"bot": 1}}),
    ):
        assert person.http.post(path, json=body).status_code == 422
    assert person.http.post(f"/api/tables/{table}/start?level=best").status_code == 422
    assert other.http.post(f"/api/tables/{table}/bots", json={"level": "gentle"}).status_code == 403
    started = person.post(f"/api/tables/{table}/start?level=efficient")
    assert levels(started) == [None, "gentle", "strong", "efficient"]


@pytest.mark.parametrize(
    ("opened_with", "bots", "wanted"),
    [
        (None, (None, None), "random"),  # the server's usual one
        ("strong", (None, None), "strong"),
        ("strong", ("efficient", "gentle"), "gentle"),
        (None, ("strong", None), "strong"),
        ("gentle", ("of another version", None), "gentle"),
    ],
)
def test_for_an_absent_person_plays_a_bot_of_the_level_of_the_others(
    opened_with: BotLevel | None, bots: tuple[str | None, ...], wanted: str
) -> None:
    others = [None if level is None else Sitter("Sora", bot=level) for level in bots]
    sitters = (Sitter("Mina", "p1"), Sitter("Jun", "p2", "standard", gone=True), *others)  # Jun was removed
    row = TableRow("t", "", "p1", "standard", "", TableOptions(bot=opened_with), sitters)
    services: Any = SimpleNamespace(settings=quick(Path()))
    table = Table(row, load("standard"), services)
    assert bot_of(table, 0) == wanted
    assert bot_of(table, 1) == "standard"
    table.row = replace(row, options=TableOptions(rated=True))
    assert bot_of(table, 0) is None


@pytest.mark.slow
def test_for_a_removed_person_plays_a_bot_of_the_table(person: Person, other: Person) -> None:
    table = person.table(bots=2, options={"bot": "gentle"})["id"]
    other.post(f"/api/tables/{table}/join")
    person.post(f"/api/tables/{table}/start")
    shown = person.http.delete(f"/api/tables/{table}/people/{other.id}").json()
    assert sorted(levels(shown), key=str) == [None, "gentle", "gentle", "gentle"]


@pytest.mark.slow
def test_a_rematch_keeps_seats_and_levels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Also after the server has been started again; the record names the levels."""
    settings = quick(tmp_path_factory.mktemp("levels"))
    wanted = [None, "strong", "gentle", "random"]
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        rules = mina.post("/api/rules", toml=RULES)["id"]
        table = mina.table(rules=rules)["id"]
        for level in wanted[1:3]:
            mina.post(f"/api/tables/{table}/bots", level=level)
        mina.post(f"/api/tables/{table}/start")
        finished(mina.socket(table))
    with open_server(settings) as url:
        again = Person(url)
        again.http.cookies = mina.http.cookies
        before = again.get(f"/api/tables/{table}")
        assert levels(before) == wanted
        game = again.get(f"/api/games/{before['result']['record']}")
        assert [player["level"] for player in game["players"]] == wanted
        line = again.socket(table)
        line.send(type="rematch", id="again", agree=True)
        line.until("sync", lambda message: message["game"] == 2)
        after = again.get(f"/api/tables/{table}")
        assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
        assert levels(after) == wanted
        line.raw.close()


def finished(line: Line) -> None:
    """Play a game to its end."""
    while (own := line.asked()) is not None:
        assert line.act(simplest(own))["type"] == "ack"
    line.raw.close()
