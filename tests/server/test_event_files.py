"""An event moves to another server by its file: what was shown there is shown here."""

import csv
import io
import json
import re
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import openpyxl
import pytest
from typer.testing import CliRunner

from jantaku import terms
from jantaku.cli.app import app
from jantaku.club import event_from, settle, standings
from jantaku.club.as_entered import end_of, played_hands
from jantaku.club.export import EventTables, ExportSheet, csv_text, event_page, sheets, xlsx_bytes
from jantaku.club.export.event_tables import hand_in_words, sheet
from jantaku.club.log_games import log_game, matched
from jantaku.club.settlement import READER
from jantaku.errors import JantakuError, RequestError
from jantaku.game import Game
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.events.recording.game_log_jobs import read_event_log
from jantaku.server.settings import Limits
from jantaku.terms import LANGUAGES, Language
from server.clubs import BUST, RON, Gathering, PaperClub, Table, Tournament, member, played, refused
from server.clubs import Table as Played
from server.parlour import Person, open_server, quick
from support.club_games import random_event
from support.playing import played as played_event_imports


@pytest.fixture(scope="module")
def other_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another server."""
    with open_server(quick(tmp_path_factory.mktemp("elsewhere"))) as url:
        yield url


SHOWN = ("rounds", "standings", "entries", "penalties", "games", "calls", "names", "statistics")
EXPORTS = [
    f"export?format={kind}"
    for kind in (
        "json",
        "html",
        *(f"csv&table={table}" for table in ("standings", "games", "hands", "penalties")),
    )
]


def _everything(cup: Tournament, path: str, *gone: str) -> dict[str, Any]:
    """What an organiser sees, without ids of people and moments."""
    shown = {name: _plain(cup.organiser.get(f"{path}/{name}"), gone) for name in SHOWN}
    event = cup.organiser.get(path)
    shown |= {name: event[name] for name in ("status", "listed", "registration", "stages", "players")}
    for game in cup.organiser.get(f"{path}/games")["games"]:
        shown[f"game {game['id']}"] = _plain(cup.organiser.get(f"{path}/games/{game['id']}"), gone)
    for name in EXPORTS:
        text = cup.organiser.http.get(f"{path}/{name}").raise_for_status().text
        shown[name] = _plain(json.loads(text), gone) if "json" in name else text
    return shown


# what belongs to a server: ids of people, its clock, and counts of changes
GONE = (
    *("revision", "person", "at", "card", "created", "by", "started", "timer", "you", "mine"),
    *(
        "claims",
        "head",
        "version",
        "log",
        "organiser",
        "quality",
        "now",
        "guest",
        "replay",
        "since",
        "entered",
    ),
)
OF_ACCOUNTS = ("account", "claimed", "by_me", "one_account")  # and what only a server that knows them has


def _plain(value: Any, gone: tuple[str, ...] = ()) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held, gone) for name, held in value.items() if name not in (*GONE, *gone)}
    return [_plain(held, gone) for held in value] if isinstance(value, list) else value


def _busy(cup: Tournament) -> None:
    """An event in its second of three rounds, in which everything happens that can be moved."""
    organiser, path, names = cup.organiser, cup.path, cup.names
    stranger = {"id": "late", "name": "Too late", "team": "Others"}
    organiser.post(
        f"{path}/entries/list", entries=[stranger, {"id": "sub", "name": "House", "team": "Others"}]
    )
    organiser.post(f"{path}/entries/late/withdraw")
    settings = {"minutes": 75, "bye_points": 3000, "substitutes": ["sub"], "substitute_points": -10000}
    assert organiser.http.put(f"{cup.rounds}/settings", json=settings).status_code == 200
    cup.make(rounds=3, seed=7)
    cup.post("publish", numbers=[1, 2])
    played(cup, 1)
    cup.post("absences", entry=names[5], first=3)
    cup.post("2/start")
    tables = organiser.get(cup.rounds)["rounds"][1]["tables"]
    game = f"{path}/games/{tables[0]['game']}"
    cup.recorder.post(f"{game}/hands", id="first-hand", follows="", hand=RON)
    for why in ("late", "by mistake"):
        organiser.post(f"{path}/penalties", stage="main", entry=names[0], points=-5000, why=why)
    number = next(
        row["number"] for row in organiser.get(f"{path}/penalties")["penalties"] if row["why"] == "by mistake"
    )
    organiser.post(f"{path}/penalties/{number}/cancel", why="mistaken")
    player = cup.players[0]
    player.post(f"{path}/calls", kind="call", label="7", why="chips are missing")
    cup.referee.post(
        f"{path}/calls/{organiser.get(f'{path}/calls')['calls'][0]['number']}/close", answer="brought"
    )
    _people(cup)
    game = f"{cup.path}/games/{tables[1]['game']}"
    organiser.post(f"{game}/status", status="cancelled", why="nobody came")


def _people(cup: Tournament) -> None:
    """Namesakes, nicknames, check-ins, somebody deleted and somebody who has withdrawn."""
    organiser, path = cup.organiser, cup.path
    people = [{"name": "Player 3", "id": "same"}, {"name": "Gone", "id": "gone"}, {"name": "Player 3"}]
    organiser.post(f"{path}/entries/list", entries=people)
    organiser.post(f"{path}/entries/same/withdraw")
    confirm = organiser.post(f"{path}/entries/gone/erase")["confirm"]
    organiser.post(f"{path}/entries/gone/erase", confirm=confirm)
    names = {"real_name": "Kim", "nicknames": [{"site": "tenhou", "name": "kimchi"}]}
    organiser.http.patch(f"{path}/entries/{cup.names[6]}/names", json=names).raise_for_status()
    for entry in cup.names[:3]:
        organiser.http.patch(f"{path}/entries/{entry}", json={"checked_in": True}).raise_for_status()


def _moved(cup: Tournament, file: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Import a file; the cup then works on the new event."""
    answer = cup.organiser.post("/api/events/import", file=file, **body)
    cup.path = f"/api/events/{answer['id']}"
    cup.rounds = f"{cup.path}/rounds/main"
    return dict(answer)


@pytest.mark.slow
def test_an_event_with_everything_moves_to_another_server(url: str, other_url: str) -> None:
    cup = Tournament(url, 17)
    there = Tournament(other_url, 4)
    _busy(cup)
    file = cup.organiser.get(f"{cup.path}/file")
    before, own = _everything(cup, cup.path, *OF_ACCOUNTS), _everything(cup, cup.path)
    assert {row["state"] for row in before["rounds"]["stages"][0]["rounds"]} == {
        "done",
        "running",
        "drafted",
    }
    assert {entry["status"] for entry in before["entries"]["entries"]} == {"playing", "withdrawn"}
    assert len(before["penalties"]["penalties"]) == 2
    assert {game["status"] for game in before["games"]["games"]} == {"playing", "confirmed", "cancelled"}
    answer = _moved(there, file)
    after = _everything(there, there.path, *OF_ACCOUNTS)
    assert after.keys() == before.keys()
    for name, shown in before.items():
        assert after[name] == shown, name
    names = [cup.organiser.get(cup.path)["staff"][i]["name"] for i in range(3)]
    assert sorted(answer["strangers"]) == sorted(names)
    assert len(answer["unclaimed"]) == 4
    again = there.organiser.get(f"{there.path}/file")
    without = ("staff", "account")
    assert _plain(again["server"], without) == _plain(file["server"], without)
    for name in ("players", "games", "penalties", "stages"):
        assert _plain(again[name]) == _plain(file[name]), name
    [cancelled] = (one["id"] for one in after["games"]["games"] if one["status"] == "cancelled")
    there.organiser.post(f"{there.path}/games/{cancelled}/status", status="playing", why="they came")
    for table in there.organiser.get(there.rounds)["rounds"][1]["tables"]:  # and the event goes on
        points = f"{there.path}/games/{table['game']}/points"
        there.organiser.post(points, scores=[40000, 30000, 20000, 10000], why="paper")
    assert there.organiser.get(there.rounds)["rounds"][1]["state"] == "done"
    answer = _moved(cup, file)  # beside itself, where everybody is known
    assert (answer["unclaimed"], answer["strangers"]) == ([], [])
    after = _everything(cup, cup.path)
    for name, shown in own.items():
        assert after[name] == shown, name
    assert {one["role"] for one in answer["staff"]} == {"organiser", "referee", "recorder"}
    assert cup.players[0].get(cup.path)["entry"]["id"] == cup.entries[0]


@pytest.mark.parametrize("status", ["closed", "cancelled"])
def test_an_event_that_is_over_and_unlisted_stays_so(url: str, status: str) -> None:
    cup = Tournament(url, 4)
    cup.organiser.http.patch(cup.path, json={"listed": False}).raise_for_status()
    cup.organiser.post(f"{cup.path}/status", status=status, why="over")
    file = cup.organiser.get(f"{cup.path}/file")
    moved = _moved(cup, file)
    assert (moved["status"], moved["listed"]) == (status, False)
    assert _moved(cup, file, listed=True)["listed"] is True


def test_points_that_wait_for_others_still_wait(url: str) -> None:
    club, game = PaperClub(url), "waiting-1"
    with closing(club.organiser):
        player = member(url, "player")
        account = player.get("/api/me")["person"]["name"]
        club.organiser.http.patch(f"{club.path}/entries/a", json={"account": account}).raise_for_status()
        player.post(f"{club.path}/games", id=game, stage="league", players=list("abcd"))
        player.post(f"{club.path}/games/{game}/points", scores=[40000, 30000, 20000, 10000])
        shown = club.organiser.get(f"{club.path}/games/{game}")
        file = club.organiser.get(f"{club.path}/file")
        path = f"/api/events/{club.organiser.post('/api/events/import', file=file)['id']}"
        moved = club.organiser.get(f"{path}/games/{game}")
        assert _plain(moved) == _plain(shown)
        assert [seat["confirmed"] for seat in moved["seats"]] == [True, False, False, False]
        club.organiser.post(f"{path}/games/{game}/confirm", head=moved["head"], everybody=True)
        assert club.organiser.get(f"{path}/games/{game}")["status"] == "confirmed"


WRONG: dict[str, dict[str, Any]] = {
    "no such stage": {"rounds": [{"stage": "x", "number": 1, "state": "done", "tables": []}]},
    "no such player": {
        "rounds": [{"stage": "one", "number": 1, "state": "done", "tables": [], "byes": ["x"]}]
    },
    "a round twice": {"rounds": [{"stage": "one", "number": 1, "state": "done", "tables": []}] * 2},
    "a player twice": {
        "rounds": [{"stage": "one", "number": 1, "state": "done", "tables": [], "byes": ["a", "a"]}]
    },
    "no such game": {"calls": [{"kind": "call", "game": "x", "at": 1}]},
    "a call that is a doubt": {"calls": [{"kind": "doubt", "at": 1}]},
    "a penalty of nobody": {"penalties": [{"stage": "one", "player": "x", "points": 1}]},
    "an absence twice": {"absences": [{"stage": "one", "player": "a", "first": 1}] * 2},
    "settings of no stage": {"settings": {"x": {}}},
    "a substitute of nobody": {"settings": {"one": {"substitutes": ["x"]}}},
    "an unknown field": {"people": ["someone"]},
    "an account": {"entries": [{"id": "a", "name": "A", "person": "0123456789abcdef"}]},
    "a state": {"entries": [{"id": "a", "name": "A", "status": "merged"}]},
    "a plan": {"plan": {"correction_min": -1}},
    "a game twice": {"games": [{"id": "g", "stage": "one", "players": list("abcd"), "hands": []}] * 2},
    "a list": [],  # type: ignore[dict-item]
    "text": "x",  # type: ignore[dict-item]
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_part_is_refused(name: str, url: str) -> None:
    file = {
        "jantaku_event": 1,
        "name": "Cup",
        "players": [{"id": player, "name": player.upper()} for player in "abcd"],
        "stages": [{"id": "one", "kind": "rounds"}],
        "server": WRONG[name],
    }
    organiser = member(url, f"organiser {name}"[:16])
    status, _ = refused(organiser, "POST", "/api/events/import", file=file)
    assert status in (400, 422)


# Logs of games that were played elsewhere, into a stage of an event and into an event file


NAMES = ("ASAPIN", "こたつ", "민수", "=cmd|' /C calc'!A0")


@cache
def game() -> Game:
    return played_event_imports("tenhou", 11)


def log(name: str = "tenhou", names: tuple[str, ...] = NAMES) -> str:
    return formats.dumps(game(), name, names)


@pytest.mark.slow
def test_every_format_tells_the_same_game_by_the_same_digest() -> None:
    games = {name: log_game(log(name).encode(), load("tenhou")) for name in formats.BY_NAME}
    ended = end_of(game())
    assert ended is not None
    assert {one.digest for one in games.values()} == {games["mjlog"].digest}
    assert all(one.result.final == ended.final for one in games.values())
    assert games["tenhou"].names == NAMES
    assert [dict(hand) for hand in games["jantaku"].hands] == played_hands(game())
    assert (
        log_game(formats.dumps(played_event_imports("tenhou", 12), "tenhou").encode(), load("tenhou")).digest
        != games["mjlog"].digest
    )


def test_a_converted_log_tells_its_site() -> None:
    converted = json.loads(log()) | {"ref": "220101-0a1b2c3d-0000-4e5f"}
    assert log_game(json.dumps(converted).encode(), load("tenhou")).site == "mahjongsoul"
    assert log_game(log().encode(), load("tenhou")).site == "tenhou"


@pytest.mark.parametrize(
    ("names", "nicknames", "listed", "players"),
    [
        ("AB", {"A": "1"}, {"b": "2"}, ["1", "2"]),
        ("AB", {"A": "1", "B": "1"}, {}, [None, None]),
        ("AB", {"A": "1"}, {"a": "2"}, ["1", None]),
        (("", "A"), {"": "1"}, {"": "2", "A": "3"}, [None, "3"]),
    ],
)
def test_names_find_entries(names: Any, nicknames: Any, listed: Any, players: list[str | None]) -> None:
    assert matched(names, nicknames, listed) == players


@pytest.mark.slow
def test_a_log_is_looked_at_entered_and_counts_once(gathering: Gathering) -> None:
    path, referee = f"{gathering.path}/logs", gathering.referee
    shown = referee.post(f"{path}/preview", text=log())
    assert (shown["players"], shown["known"], shown["site"]) == ([None] * 4, None, "tenhou")
    assert tuple(shown["names"]) == NAMES
    assert refused(referee, "POST", path, text=log(), stage="league") == (400, "log_nobody")
    game = referee.post(path, text=log(), stage="league", players=gathering.entries, label="Tenhou")
    assert (game["status"], game["final"]) == ("confirmed", shown["final"])
    assert all(win["yaku"] for hand in game["hands"] for win in hand["hand"].get("wins", ()))
    for other in ("mjlog", "mjai", "jantaku"):
        assert referee.post(path, text=log(other), stage="league")["id"] == game["id"]
    assert len(referee.get(f"{gathering.path}/games")["games"]) == 1
    with closing(Gathering(gathering.url)) as others:
        file = gathering.organiser.get(f"{gathering.path}/file")
        file["games"][0]["id"] = "renamed"  # the tiles tell, whatever the id
        there = f"/api/events/{others.organiser.post('/api/events/import', file=file)['id']}"
        body = {"text": log(), "stage": "league", "players": gathering.entries}
        assert others.organiser.post(f"{there}/logs", **body)["id"] == "renamed"
        assert len(others.organiser.get(f"{there}/games")["games"]) == 1
        twice = file | {"games": [*file["games"], file["games"][0] | {"id": "another"}]}
        assert refused(others.organiser, "POST", "/api/events/import", file=twice) == (400, "id_twice")
    again = referee.post(f"{path}/preview", text=log("mjlog"))
    assert again["known"] == game["id"]
    assert again["players"] == gathering.entries  # the names are remembered
    second = formats.dumps(played_event_imports("tenhou", 12), "mjlog", [*NAMES[::-1]])
    assert [seat["entry"] for seat in referee.post(path, text=second, stage="league")["seats"]] == (
        gathering.entries[::-1]
    )
    points = {row["player"]: row["points"] for row in referee.get(f"{gathering.path}/standings")["stages"][0][
        "standings"
    ]}  # fmt: skip
    assert sum(points.values()) == 0
    assert refused(gathering.players[0], "POST", f"{path}/preview", text=log()) == (403, "not_referee")


@pytest.mark.slow
def test_a_log_by_other_rules_is_refused_with_its_hand(url: str) -> None:
    gathering = Gathering(url, rules="wrc")
    answer = gathering.referee.http.post(
        f"{gathering.path}/logs/preview", json={"text": log()}, params={"lang": "ko"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "log_differs")
    assert answer.json()["error"]["hand"] == 0
    assert "룰" in answer.json()["error"]["message"]


def named_strangely() -> str:
    return json.dumps(json.loads(log()) | {"name": ["\x00", "a" * 100_000, {"a": 1}, None]})


HOSTILE: dict[str, Callable[[], str]] = {
    "empty": lambda: " ",
    "deep": lambda: "[" * 100_000,
    "deep object": lambda: '{"log":' * 50_000,
    "numbers": lambda: '{"log":[[[1e999,0,0],[25000,25000,25000,25000],[],[]]],"name":["a"]}',
    "huge number": lambda: '{"log":[[[' + "9" * 5_000 + ",0,0]]]}",
    "bomb": lambda: (
        '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><mjloggm>&b;</mjloggm>'
    ),
    "half": lambda: log("mjlog")[: len(log("mjlog")) // 2],
    "short": lambda: log("jantaku").split("\n")[0],
    "nothing": lambda: "<mjloggm/>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_words(name: str) -> None:
    with pytest.raises(JantakuError) as refusal:
        log_game(HOSTILE[name]().encode(), load("tenhou"))
    assert 0 < len(refusal.value.message("ko")) < 2_000


def test_strange_names_are_shortened() -> None:
    names = log_game(named_strangely().encode(), load("tenhou")).names
    assert all(len(name) <= 64 for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_of_a_text_says_what_is_refused(language: Language) -> None:
    for name, made in HOSTILE.items():
        with pytest.raises(JantakuError) as refusal:
            read_event_log(made(), load("tenhou"), language)
        assert refusal.value.message(language)[0].isalnum(), name


@pytest.mark.slow
def test_the_server_bounds_a_log(gathering: Gathering) -> None:
    path = f"{gathering.path}/logs/preview"
    assert refused(gathering.referee, "POST", path, text=HOSTILE["deep"]())[0] == 400
    assert refused(gathering.referee, "POST", path, text=" " * 3_000_000)[0] in (413, 422)
    assert refused(gathering.referee, "POST", f"{gathering.path}/entries", name="a" * 200_000)[0] == 413


def test_the_command_adds_logs_to_an_event_file(tmp_path: Path) -> None:
    players = [{"id": f"p{i}", "name": name} for i, name in enumerate(("asapin", "こたつ", "민수", "Mina"))]
    event = {"jantaku_event": 1, "name": "E", "rules": "tenhou", "players": players,
             "stages": [{"id": "league", "kind": "open"}], "games": []}  # fmt: skip
    file, to = tmp_path / "event.json", tmp_path / "new.json"
    file.write_text(json.dumps(event), "utf-8")
    for name in ("tenhou", "mjlog"):
        (tmp_path / name).write_text(log(name), "utf-8")
    logs = [str(tmp_path / name) for name in ("tenhou", "mjlog")]
    arguments = ["event", "import", str(file), *logs, "--to", str(to)]
    failed = CliRunner().invoke(app, arguments)
    assert failed.exit_code != 0
    assert NAMES[3] in failed.output
    assert CliRunner().invoke(app, [*arguments, "--player", f"{NAMES[3]}=p3"]).exit_code == 0
    imported = event_from(json.loads(to.read_text("utf-8")))
    final = settle(played_hands(game()), "tenhou").final
    assert final is not None
    points = {standing.player: standing.points for standing in standings(imported).stages["league"]}
    assert points == {f"p{i}": final[i] for i in range(4)}


# An event out of the server and out of an event file: tables, workbook, JSON, and a page of its own


EVIL = '=HYPERLINK("http://x","<script>alert(1)</script>")'
RON_EVENT_EXPORTS = {
    "end": "ron", "from": 1, "riichi": [0],
    "wins": [{"seat": 0, "han": 3, "fu": 40, "yaku": ["riichi", "tanyao", "dora"]}],
}  # fmt: skip
EVENT: dict[str, Any] = {
    "jantaku_event": 1,
    "name": "Spring <cup>",
    "rules": "tenhou",
    "players": [
        {"id": "a", "name": EVIL, "team": "+X"},
        {"id": "b", "name": "미나", "team": "Y"},
        {"id": "c", "name": "-c", "team": "+X"},
        {"id": "d", "name": "@d", "team": "Y"},
    ],
    "stages": [{"id": "league", "kind": "open", "name": "리그"}],
    "games": [
        {"id": "g1", "stage": "league", "at": "2025-06-01T14:00:00+09:00", "players": ["a", "b", "c", "d"],
         "label": "3", "hands": [RON_EVENT_EXPORTS, BUST]},
        {"id": "g2", "stage": "league", "players": list("dcba"), "scores": [30000, 25000, 25000, 20000]},
    ],
    "penalties": [{"stage": "league", "player": "b", "points": -1000, "why": "late"}],
}  # fmt: skip


def rows_of(text: str) -> list[list[str]]:
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def workbook(data: bytes) -> tuple[list[str], str]:
    """The names of the sheets of a workbook, and all of its XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        parts = {name: file.read(name).decode() for name in file.namelist()}
    return re.findall(r'<sheet name="([^"]+)"', parts["xl/workbook.xml"]), "".join(parts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_csv_has_the_standings_and_no_formula(language: terms.Language) -> None:
    tables = {
        sheet.name: rows_of(csv_text(sheet)) for sheet in sheets(EventTables(event_from(EVENT)), language)
    }
    assert set(tables) == {"standings", "teams", "games", "hands", "penalties"}
    right = standings(event_from(EVENT)).stages["league"]
    assert [row[2] for row in tables["standings"][1:]] == [standing.player for standing in right]
    assert [int(row[5]) for row in tables["standings"][1:]] == [standing.points for standing in right]
    assert {row[3] for row in tables["standings"][1:]} == {f"'{EVIL}", "미나", "'-c", "'@d"}
    titles, first, second = tables["games"]
    assert titles[1] == terms.text("event.list.stage", language)
    final = settle([RON_EVENT_EXPORTS, BUST], "tenhou").final
    assert final is not None
    assert (first[0], *first[2:4]) == ("g1", "3", "2025-06-01 14:00 +0900")
    assert [first[i] for i in (4, 9, 14, 19)] == list("abcd")
    assert [int(first[i]) for i in (7, 12, 17, 22)] == list(final)
    assert second[6::5] == ["30000", "25000", "25000", "20000"]
    assert [row[2:] for row in tables["penalties"][1:]] == [["b", "미나", "-1000", "late"]]
    for row in (row for rows in tables.values() for row in rows):
        for cell in row:
            assert not cell.startswith(("=", "@", "\t")), cell
            assert cell[:1] not in "+-" or re.fullmatch(r"-?[\d.]*", cell), cell


def test_a_chombo_that_is_deducted_stands_beside_the_points_that_have_it() -> None:
    """Otherwise the points of a game add up to less than nothing, and no sheet says why."""
    first = EVENT["games"][0]
    wrc = {**EVENT, "rules": "wrc", "penalties": []}
    ended = {name: first[name] for name in ("id", "stage", "players")} | {
        "scores": [36000, 30000, 30000, 24000]
    }
    plain = EventTables(event_from({**wrc, "games": [ended]}))
    fined = EventTables(event_from({**wrc, "games": [ended | {"deducted": [0, 0, 30000, 0]}]}))
    before, after = (sheet(tables, "games", "en") for tables in (plain, fined))
    assert len(after.titles) == len(before.titles) + 4
    chombo = [at for at, title in enumerate(after.titles) if "hombo" in title]
    assert [after.rows[0][at] for at in chombo] == [0, 0, -30000, 0]
    assert sum(int(str(after.rows[0][at - 2])) for at in chombo) == -30000


def test_games_of_rounds_say_which_round() -> None:
    first, *others = EVENT["games"]
    event = {**EVENT, "games": [{**first, "round": 3}, *others]}
    titles, *games = rows_of(csv_text(sheet(EventTables(event_from(event)), "games", "en")))
    assert (titles[2], [row[2] for row in games]) == ("Round", ["3", ""])
    for wrong in (0, "3", 1.5):
        with pytest.raises(RequestError):
            event_from({**EVENT, "games": [{**first, "round": wrong}]})


FORMULAS = (
    "=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "＝1", "＠x", '"=1', "x;=1+1", "x,=1", "x\t=1",
    "x|@1", 'x; "=1', 'x";=1;"', "x\n=1", "x\u2028=1", "x\0=1", 'a",=1', ";;=1", "x; ＝1",
)  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula_with_any_separator(text: str) -> None:
    """Spreadsheets of other countries divide cells at other signs, and inside quotes, too."""
    written = csv_text(ExportSheet("games", (text, "b"), ((1, text), (text, -2.5), (None, text))))
    cells = [cell for separator in ",;\t|" for row in split_at(written, separator) for cell in row]
    cells += [
        cell for separator in ",;\t|" for line in written.splitlines() for cell in line.split(separator)
    ]
    for cell in cells:
        plain = cell.lstrip('\ufeff" ')
        assert plain == "-2.5" or not plain.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")), cell


def split_at(text: str, separator: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator))


def test_a_workbook_has_texts_and_numbers_but_no_formula() -> None:
    names, xml = workbook(xlsx_bytes(sheets(EventTables(event_from(EVENT)), "ko"), "ko"))
    assert names == [
        terms.text(f"export.sheet.{name}", "ko")
        for name in ("standings", "teams", "games", "hands", "penalties")
    ]
    assert "<f>" not in xml
    assert "<hyperlink " not in xml
    assert "미나" in xml
    assert xml.count("<v>") > 40


def test_a_spreadsheet_opens_the_workbook_with_the_right_types_and_sums() -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheets(EventTables(event_from(EVENT)), "en"), "en")))
    by_title: dict[str, list[list[Any]]] = {
        page.title: [[cell.value for cell in row] for row in page.iter_rows()] for page in book
    }
    assert not [cell for page in book for row in page.iter_rows() for cell in row if cell.data_type == "f"]
    points = {row[2]: row[5] for row in by_title["Standings"][1:]}
    titles, first, second = by_title["Games"]
    assert first[3] == datetime(2025, 6, 1, 14)
    assert (first[5], second[3]) == (EVIL, None)
    sums: Counter[str] = Counter({penalty["player"]: penalty["points"] for penalty in EVENT["penalties"]})
    for row in (first, second):
        for at in (i for i, title in enumerate(titles) if title.endswith("Player ID")):
            sums[row[at]] += row[at + 3]
    assert sums == points


def test_the_page_stands_alone_and_speaks_three_languages() -> None:
    page = event_page(EventTables(event_from(EVENT)), "ko")
    assert "<script" not in page
    assert "http://x" in page  # the name as text
    assert "&lt;script&gt;" in page
    assert not re.search(r"(src|href)=", page)
    for language in LANGUAGES:
        for key in ("export.rank", "event.game.hands", "event.standings"):
            assert f'<span lang="{language}">{terms.text(key, language)}</span>' in page
    assert "id='ko' checked" in page
    assert page.count("<details>") == 2
    assert terms.text("web.win.ron", "ja", **{"player": EVIL, "from": "미나"}).split(EVIL)[1] in page


def test_hands_are_told_with_yaku_draws_and_fouls() -> None:
    hands: list[dict[str, Any]] = [
        RON_EVENT_EXPORTS,
        {"end": "draw", "tenpai": [0, 3], "nagashi": []},
        {"end": "abort", "kind": "kyuushu_kyuuhai", "seat": 1},
        {"end": "foul", "fouls": [{"seat": 1, "foul": "furiten_ron"}]},
        {"end": "tsumo", "wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [1], "yakuman": 1}}]},
        {"end": "tsumo", "wins": [{"seat": 2, "limit": "mangan"}]},
        {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]},
    ]
    for language in LANGUAGES:
        said = [hand_in_words(READER(hand), ["A", "B", "C", "D"], language) for hand in hands]
        assert terms.table("yaku", language)["tanyao"]["name"] in said[0]
        assert ("A、D" if language == "ja" else "A, D") in said[1]
        assert terms.text("web.draw.kyuushu_kyuuhai", language) in said[2]
        assert terms.table("options", language)["fouls"]["furiten_ron"]["label"] in said[3]
        assert terms.text("event.game.pao", language, players="B") in said[4]
        assert terms.text("explain.limit.mangan", language) in said[5]
        assert terms.text("explain.limit.double_yakuman", language) in said[6]


@pytest.fixture
def exported(url: str) -> Gathering:
    exported = Gathering(url, rules="tenhou")
    table = Table(exported, "export")
    table.enter(RON_EVENT_EXPORTS)
    table.enter(BUST)
    table.confirm(exported.referee, everybody=True)
    return exported


@pytest.mark.slow
def test_the_server_writes_every_format_for_everybody(exported: Gathering) -> None:
    stranger, path = Person(exported.url), f"{exported.path}/export"
    answers = {
        kind: stranger.http.get(path, params={"format": kind, "lang": "ko"})
        for kind in ("csv", "xlsx", "json", "html")
    }
    for kind, answer in answers.items():
        assert answer.status_code == 200, answer.text
        assert f'.{kind}"' in answer.headers["content-disposition"]
        assert answer.headers["content-disposition"].startswith("attachment")
    own = exported.organiser.http.get(f"{exported.path}/file", params={"lang": "ko"})
    named = [answer.headers["content-disposition"] for answer in (own, *answers.values())]
    assert len(set(named)) == len(named)  # none is saved over another
    shown = stranger.get(f"{exported.path}/standings")
    assert [stage | {"teams": []} for stage in answers["json"].json()["stages"]] == shown["stages"]
    assert [row[3] for row in rows_of(answers["csv"].text)[1:]] == [
        shown["names"][row["player"]] for row in shown["stages"][0]["standings"]
    ]
    assert workbook(answers["xlsx"].content)[0][0] == terms.text("export.sheet.standings", "ko")
    assert terms.text("export.rank", "ko") in answers["html"].text
    teams = stranger.http.get(path, params={"format": "csv", "table": "teams", "lang": "ko"})
    assert (teams.status_code, len(rows_of(teams.text))) == (200, 1)  # nobody is in a team: titles only
    assert refused(stranger, "GET", f"{path}?format=exe")[0] == 422
    exported.organiser.http.patch(exported.path, json={"hidden_standings": True})
    assert refused(stranger, "GET", f"{path}?format=csv") == (403, "standings_hidden")


def test_the_command_writes_the_same_tables(tmp_path: Path) -> None:
    def run(name: str) -> Any:
        return CliRunner().invoke(app, ["--lang", "ko", "event", "export", str(file), str(tmp_path / name)])

    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT), "utf-8")
    for name in ("out.csv", "out.xlsx", "out.html", "out.json"):
        assert run(name).exit_code == 0
    expected = csv_text(sheets(EventTables(event_from(EVENT)), "ko")[0])
    assert (tmp_path / "out.csv").read_bytes().decode() == expected
    assert run("out.doc").exit_code != 0
    assert "xlsx" in run("out.doc").output


# An event with as many games as an event may have moves by its file; larger files are refused early


MB: Final = 1_000_000
JSON: Final = {"content-type": "application/json"}
STALL_S: Final = 10.0  # of others while a file is read and stored, also on a machine that is busy


@pytest.fixture
def mina(url: str) -> Person:
    return member(url, "Mina")


def large_file(size: int) -> dict[str, Any]:
    """An event file of at least so many bytes: the hands of a few games again and again."""
    event = random_event(Random(1), load("standard"), 12, 24)
    of_one = len(json.dumps(event["games"])) // len(event["games"])
    games = [
        {**event["games"][i % 24], "id": f"game-{i}", "stage": "league"} for i in range(size // of_one + 100)
    ]
    stages = [{"id": "league", "kind": "open"}]
    return event | {"name": "Ten years", "stages": stages, "games": games, "penalties": []}


@pytest.mark.slow
def test_an_event_of_more_than_ten_megabytes_moves_by_its_file(mina: Person) -> None:
    file = large_file(10 * MB)
    assert len(json.dumps(file)) > 10 * MB
    waits, done = list[float](), threading.Event()

    def look_meanwhile() -> None:
        other = Person(mina.url)
        while not done.wait(0.05):
            began = time.monotonic()
            other.get("/api/events")
            waits.append(time.monotonic() - began)

    others = threading.Thread(target=look_meanwhile)
    others.start()
    try:
        answer = mina.http.post("/api/events/import", json={"file": file}, timeout=300)
    finally:
        done.set()
        others.join()
    answer.raise_for_status()
    path = f"/api/events/{answer.json()['id']}"
    assert max(waits) < STALL_S
    out = mina.http.get(f"{path}/file", timeout=300).json()
    told = [
        [(game["id"], game.get("hands"), game.get("scores")) for game in one["games"]] for one in (out, file)
    ]
    assert told[0] == told[1]


def parts(size: int, part: bytes) -> Iterator[bytes]:
    yield b'{"file":'
    for _ in range(size // len(part)):
        yield part


def test_a_file_that_says_it_is_above_the_limit_is_refused_before_it_is_sent(mina: Person) -> None:
    address = urlsplit(mina.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=60)) as connection:
        connection.putrequest("POST", "/api/events/import")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", str(Limits().file_bytes + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413


@pytest.mark.slow
def test_a_file_that_does_not_say_how_long_it_is_ends_at_the_limit(mina: Person) -> None:
    content = parts(Limits().file_bytes + 3 * MB, b" " * MB)
    with suppress(httpx.NetworkError):  # the server may hang up before everything is sent
        answer = mina.http.post("/api/events/import", content=content, headers=JSON, timeout=120)
        assert answer.status_code == 413
    assert mina.get("/api/events")["mine"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [b"[" * MB, b'{"a":' * 200_000, b"[0,1]," * 150_000], ids=["deep", "names", "wide"]
)
def test_a_hostile_file_below_the_limit_costs_bounded_time(mina: Person, part: bytes) -> None:
    answer = mina.http.post(
        "/api/events/import",
        content=parts(16 * MB, part),
        headers=JSON,
        timeout=120,
    )
    assert 400 <= answer.status_code < 500
    assert mina.get("/api/events")["mine"] == []


# The report of an event from the server: its days, its language, and whom hidden standings keep from it


@pytest.mark.slow
def test_a_report_follows_the_games(gathering: Gathering) -> None:
    path = f"{gathering.path}/report"
    empty = gathering.organiser.get(path)
    assert (empty["days"], [section["kind"] for section in empty["sections"]]) == ([], ["numbers"])
    table = Played(gathering, "report")
    table.enter(BUST)
    gathering.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    answer = gathering.players[0].get(path, zone="Asia/Seoul", lang="ko")
    assert [section["kind"] for section in answer["sections"]][:2] == ["standings", "best"]
    assert answer["markdown"].startswith("# ")
    (day,) = answer["days"]
    assert gathering.players[0].get(path, zone="Asia/Seoul", day=day)["day"] == day
    for unknown in ("../../etc/passwd", "Seoul", "", "localtime", "asia/seoul"):
        for page in (path, f"{gathering.path}/export"):
            answer = gathering.organiser.http.get(page, params={"zone": unknown, "lang": "ko"})
            assert (answer.status_code, answer.json()["error"]["field"]) == (422, "zone")
    for wrong in ("1999-01-01", "9999-99-99"):
        assert refused(gathering.organiser, "GET", f"{path}?day={wrong}") == (404, "no_day")
    for wrong in ("today", "2026-11-1", "2026-11-111", day + "%0a"):
        assert refused(gathering.organiser, "GET", f"{path}?day={wrong}")[0] in (400, 422)


@pytest.mark.slow
def test_a_hidden_report_is_for_the_staff(gathering: Gathering) -> None:
    gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True}).raise_for_status()
    path = f"{gathering.path}/report"
    assert refused(gathering.players[0], "GET", path) == (403, "standings_hidden")
    assert gathering.recorder.get(path)["title"]
