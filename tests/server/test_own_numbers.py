"""A person's own numbers: from their finished games, by the code of events, and for nobody else."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing

import pytest

from jantaku.club import GameResult, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.statistics import RuledGame, person_figures
from jantaku.records import formats
from jantaku.rules import load
from server.parlour import Person, open_server, quick, simplest

RULES = """
extends = "tenhou"
[match]
length = "east"
start_points = 3000
sticks = { 1000 = 3 }
[end]
tobi = "zero_or_below"
"""


def _result(game: str, players: tuple[str, ...], places: tuple[int, ...]) -> GameResult:
    return GameResult(game, "", None, players, (30, 10, -10, -30), places, None)


def test_figures_are_kept_apart_by_rules() -> None:
    tenhou, ema = load("tenhou"), load("ema")
    four = ("me", "a", "bot:standard", "bot:standard")
    games = [
        RuledGame(tenhou, _result("1", four, (1, 2, 3, 4))),
        RuledGame(ema, _result("2", ("", "me", "a", "b"), (1, 2, 3, 4))),
        RuledGame(tenhou, _result("3", four, (2, 1, 3, 4))),
        RuledGame(tenhou, _result("4", ("a", "b", "c", "d"), (1, 2, 3, 4))),
    ]
    figures = person_figures(games, "me")
    assert {name: [line.game for line in figure.games] for name, figure in figures.items()} == {
        tenhou.fingerprint: ["1", "3"],
        ema.fingerprint: ["2"],
    }
    assert figures[tenhou.fingerprint].brief.average_place == 1.5
    met = {opponent.opponent: len(opponent.games) for opponent in figures[tenhou.fingerprint].opponents}
    assert met == {"a": 2, "bot:standard": 2}
    assert {opponent.opponent for opponent in figures[ema.fingerprint].opponents} == {
        "a",
        "b",
    }  # somebody erased is nobody


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, str]]:
    """Somebody who has played a short game against bots to its end, and its record."""
    with open_server(quick(tmp_path_factory.mktemp("own"))) as url, closing(Person(url, "Mina")) as mina:
        rules = mina.post("/api/rules", toml=RULES)["id"]
        table = mina.table(bots=3, rules=rules)
        mina.post(f"/api/tables/{table['id']}/start")
        line = mina.socket(table["id"])
        while (own := line.asked()) is not None:
            assert line.act(simplest(own))["type"] == "ack"
        line.close()
        yield mina, mina.get(f"/api/tables/{table['id']}")["result"]["record"]


@pytest.mark.slow
def test_the_numbers_are_those_of_the_record(played: tuple[Person, str]) -> None:
    mina, game = played
    numbers = mina.get("/api/me/numbers")
    record = mina.http.get(f"/api/games/{game}/record").text
    summary = mina.get(f"/api/games/{game}")
    assert [ruleset["games"] for ruleset in numbers["rulesets"]] == [1]
    figures = numbers["figures"]
    assert [line["game"] for line in figures["games"]] == [game]
    seat = figures["games"][0]["seat"]
    assert figures["games"][0]["final"] == summary["final"][seat]
    assert figures["games"][0]["place"] == summary["places"][seat]
    copy = formats.parse_record(record.encode()).game
    hands = settle(played_hands(copy), copy.rules)
    assert [hand["delta"] for hand in figures["hands"]] == [hand.deltas[seat] for hand in hands.hands]
    assert numbers["names"] == {"bot:random": "random"}


@pytest.mark.slow
def test_the_files_have_every_game(played: tuple[Person, str]) -> None:
    mina, game = played
    whole = json.loads(mina.http.get("/api/me/numbers/file").text)
    assert [ruleset["figures"]["games"][0]["game"] for ruleset in whole["rulesets"]] == [game]
    answer = mina.http.get("/api/me/numbers/file", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [row["Game"] for row in rows] == [game]


@pytest.mark.slow
def test_nobody_sees_the_numbers_of_others(played: tuple[Person, str]) -> None:
    mina, _ = played
    with closing(Person(mina.url)) as stranger:
        for path in ("/api/me/numbers", "/api/me/numbers/file"):
            assert stranger.http.get(path).status_code == 401
    other = Person(mina.url, "Jun")
    numbers = other.get("/api/me/numbers", rules=mina.get("/api/me/numbers")["fingerprint"])
    assert (numbers["rulesets"], numbers["figures"], numbers["names"]) == ([], None, {})
    assert json.loads(other.http.get("/api/me/numbers/file").text)["rulesets"] == []


@pytest.mark.slow
def test_others_see_the_numbers_only_of_whoever_shows_them(played: tuple[Person, str]) -> None:
    """Without opponents and the ids of games, and not for longer than the person wishes."""
    mina, game = played
    address = f"/api/people/{mina.id}/numbers"
    other = Person(mina.url, "Jiho")
    stranger = Person(mina.url)
    assert other.http.get(address).json()["error"]["code"] == "numbers_private"
    assert other.http.get("/api/people/nobody/numbers").json()["error"]["code"] == "numbers_private"
    assert not mina.get("/api/me/numbers")["shown"]
    assert mina.http.put("/api/me/numbers/shown", json={"on": True}).json() == {"on": True}
    assert mina.get("/api/me/numbers")["shown"]
    numbers = other.get(address)
    assert (numbers["name"], numbers["figures"]["brief"]["games"]) == ("Mina", 1)
    assert numbers["figures"]["brief"] == mina.get("/api/me/numbers")["figures"]["brief"]
    assert numbers["figures"]["opponents"] == []
    assert game not in json.dumps(numbers)
    assert "bot:" not in json.dumps(numbers)
    assert stranger.http.get(address).status_code == 401
    assert other.http.put("/api/me/numbers/shown", json={"on": "yes"}).status_code == 422
    mina.http.put("/api/me/numbers/shown", json={"on": False})
    assert other.http.get(address).status_code == 404
