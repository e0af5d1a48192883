"""Event files, imported logs, and exports to tables, pages and reports."""

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
from jantaku.terms import LANGUAGES
from server.clubs import BUST, RON, SCORES, Account, Club, Visitor
from server.parlour import Message, fast_settings, open_server
from support.club_games import random_event
from support.playing import played

slow = pytest.mark.slow
PAGES = ("rounds", "standings", "entries", "penalties", "games", "calls", "names", "statistics")
EXPORTS = ("json", "html", *(f"csv&table={table}" for table in ("standings", "games", "hands", "penalties")))
# fields that differ between servers: ids of people, times and revisions
SERVER_FIELDS = {
    *(
        "revision",
        "person",
        "at",
        "card",
        "created",
        "by",
        "started",
        "timer",
        "you",
        "mine",
        "claims",
        "head",
    ),
    *("version", "log", "organiser", "quality", "now", "guest", "replay", "since", "entered"),
}
# fields that depend on which accounts exist on the server
ACCOUNT_FIELDS = {"account", "claimed", "by_me", "one_account"}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A second server."""
    with open_server(fast_settings(tmp_path_factory.mktemp("elsewhere"))) as url:
        yield url


def bare(value: Any, gone: set[str] = SERVER_FIELDS) -> Any:
    """Remove the fields that differ between servers."""
    if isinstance(value, dict):
        return {name: bare(part, gone) for name, part in value.items() if name not in gone}
    return [bare(part, gone) for part in value] if isinstance(value, list) else value


def everything(club: Club, gone: set[str] = SERVER_FIELDS) -> Message:
    """Return everything that the organiser sees."""
    get, event = club.organiser.get, club.organiser.get()
    seen = {page: bare(get(page), gone) for page in PAGES}
    seen |= {name: event[name] for name in ("status", "listed", "registration", "stages", "players")}
    for game in get("games")["games"]:
        seen[game["id"]] = bare(get(f"games/{game['id']}"), gone)
    for name in EXPORTS:
        text = club.organiser.send("GET", f"export?format={name}").raise_for_status().text
        seen[name] = bare(json.loads(text), gone) if name == "json" else text
    return seen


def import_file(club: Club, file: Message, **body: Any) -> Any:
    """Import a file as a new event and let ``club`` continue with it."""
    answer = club.organiser.post("/api/events/import", file=file, **body)
    club.enter(answer["id"])
    return answer


def busy_event(url: str) -> Club:
    """Create an event that uses everything a file can contain; the second of its three rounds is running."""
    club = Club(url, 17)
    organiser, (player, *_) = club.organiser, club.players
    club.add(
        {"id": "late", "name": "Too late", "team": "Others"}, {"id": "sub", "name": "House", "team": "Others"}
    )
    organiser.post("entries/late/withdraw")
    settings: Message = {
        "minutes": 75,
        "bye_points": 3000,
        "substitutes": ["sub"],
        "substitute_points": -10000,
    }
    organiser.put("rounds/main/settings", **settings)
    club.seat(rounds=3, seed=7)
    club.run("publish", numbers=[1, 2])
    club.play_round()
    club.run("absences", entry="p9", first=3)
    first, second = club.run("2/start")["rounds"][1]["tables"][:2]
    club.recorder.post(f"games/{first['game']}/hands", id="first-hand", follows="", hand=RON)
    for why in ("late", "by mistake"):
        club.penalise("p0", -5000, why, stage="main")
    organiser.post("penalties/2/cancel", why="mistaken")
    [call] = player.post("calls", kind="call", label="7", why="chips are missing")["calls"]
    club.referee.post(f"calls/{call['number']}/close", answer="brought")
    club.add({"name": "Player 3", "id": "same"}, "gone", {"name": "Player 3"})
    organiser.post("entries/same/withdraw")
    organiser.post("entries/gone/erase", confirm=organiser.post("entries/gone/erase")["confirm"])
    nicknames = [{"site": "tenhou", "name": "kimchi"}]
    organiser.patch("entries/p10/names", real_name="Kim", nicknames=nicknames)
    for entry in ("p0", "p1", "p2"):
        organiser.patch(f"entries/{entry}", checked_in=True)
    organiser.post(f"games/{second['game']}/status", status="cancelled", why="nobody came")
    return club


@slow
def test_a_complete_event_moves_to_another_server(url: str, elsewhere: str) -> None:
    club, there = busy_event(url), Club(elsewhere, 0)
    names = [one["name"] for one in club.organiser.get()["staff"]]
    file = club.organiser.get("file")
    before, own = everything(club, SERVER_FIELDS | ACCOUNT_FIELDS), everything(club)
    states = {row["state"] for row in before["rounds"]["stages"][0]["rounds"]}
    assert states == {"done", "running", "drafted"}
    assert {entry["status"] for entry in before["entries"]["entries"]} == {"playing", "withdrawn"}
    assert len(before["penalties"]["penalties"]) == 2
    assert {game["status"] for game in before["games"]["games"]} == {"playing", "confirmed", "cancelled"}
    answer = import_file(there, file)
    assert everything(there, SERVER_FIELDS | ACCOUNT_FIELDS) == before
    assert sorted(answer["strangers"]) == sorted(names)
    assert len(answer["unclaimed"]) == 4
    again, gone = there.organiser.get("file"), {"staff", "account"}
    assert bare(again["server"], SERVER_FIELDS | gone) == bare(file["server"], SERVER_FIELDS | gone)
    for name in ("players", "games", "penalties", "stages"):
        assert bare(again[name]) == bare(file[name]), name
    [cancelled] = (one["id"] for one in before["games"]["games"] if one["status"] == "cancelled")
    there.organiser.post(f"games/{cancelled}/status", status="playing", why="they came")
    for table in there.round(2)["tables"]:  # and the imported event continues
        there.organiser.post(f"games/{table['game']}/points", scores=SCORES, why="paper")
    assert there.round(2)["state"] == "done"
    answer = import_file(club, file)  # on the same server, where all accounts exist
    assert (answer["unclaimed"], answer["strangers"]) == ([], [])
    assert everything(club) == own
    assert {one["role"] for one in answer["staff"]} == {"organiser", "referee", "recorder"}
    assert club.players[0].get(club.at)["entry"]["id"] == "p0"


@pytest.mark.parametrize("status", ["closed", "cancelled"])
def test_an_event_remains_closed_and_unlisted_after_import(club: Club, status: str) -> None:
    club.organiser.patch(listed=False)
    club.organiser.post("status", status=status, why="over")
    file = club.organiser.get("file")
    stays = import_file(club, file)
    assert (stays["status"], stays["listed"]) == (status, False)
    assert import_file(club, file, listed=True)["listed"] is True


def test_unconfirmed_points_stay_unconfirmed_after_import(club: Club) -> None:
    game = club.game("waiting")
    game.post("points", game.who, scores=SCORES)
    before = game.view(club.organiser)
    import_file(club, club.organiser.get("file"))
    after = game.view(club.organiser)
    assert bare(after) == bare(before)
    assert [seat["confirmed"] for seat in after["seats"]] == [True, False, False, False]
    assert game.confirm(club.organiser, everybody=True) == "confirmed"


ROUND: Message = {"stage": "one", "number": 1, "state": "done", "tables": []}
WRONG: dict[str, Any] = {
    "an unknown stage": {"rounds": [ROUND | {"stage": "x"}]},
    "an unknown player": {"rounds": [ROUND | {"byes": ["x"]}]},
    "a duplicate round": {"rounds": [ROUND] * 2},
    "a duplicate player": {"rounds": [ROUND | {"byes": ["a", "a"]}]},
    "an unknown game": {"calls": [{"kind": "call", "game": "x", "at": 1}]},
    "a call that is a doubt": {"calls": [{"kind": "doubt", "at": 1}]},
    "a penalty of an unknown player": {"penalties": [{"stage": "one", "player": "x", "points": 1}]},
    "a duplicate absence": {"absences": [{"stage": "one", "player": "a", "first": 1}] * 2},
    "settings of an unknown stage": {"settings": {"x": {}}},
    "an unknown substitute": {"settings": {"one": {"substitutes": ["x"]}}},
    "an unknown field": {"people": ["someone"]},
    "an account": {"entries": [{"id": "a", "name": "A", "person": "0123456789abcdef"}]},
    "a state": {"entries": [{"id": "a", "name": "A", "status": "merged"}]},
    "a plan": {"plan": {"correction_min": -1}},
    "a duplicate game": {"games": [{"id": "g", "stage": "one", "players": list("abcd"), "hands": []}] * 2},
    "a list": [],
    "text": "x",
}


@pytest.fixture(scope="module")
def importer(url: str) -> Account:
    return Account(url, "importer")


@pytest.mark.parametrize("name", WRONG)
def test_an_invalid_server_section_is_refused(importer: Account, name: str) -> None:
    players = [{"id": player, "name": player.upper()} for player in "abcd"]
    stages = [{"id": "one", "kind": "rounds"}]
    file = {"jantaku_event": 1, "name": "Cup", "players": players, "stages": stages, "server": WRONG[name]}
    assert importer.send("POST", "/api/events/import", file=file).status_code in (400, 422)


# Logs of games from other sites, imported into an event on the server or into an event file


NAMES = ("ASAPIN", "こたつ", "민수", "=cmd|' /C calc'!A0")


@cache
def game(seed: int = 11) -> Game:
    return played("tenhou", seed)


def log(name: str = "tenhou", names: tuple[str, ...] = NAMES, seed: int = 11) -> str:
    return formats.dumps(game(seed), name, names)


def read(text: str) -> Any:
    return log_game(text.encode(), load("tenhou"))


def test_a_game_has_the_same_digest_in_every_format() -> None:
    games, ended = {name: read(log(name)) for name in formats.BY_NAME}, end_of(game())
    assert ended is not None
    assert len({one.digest for one in games.values()}) == 1
    assert all(one.result.final == ended.final for one in games.values())
    assert (games["tenhou"].names, games["tenhou"].site) == (NAMES, "tenhou")
    assert [dict(hand) for hand in games["jantaku"].hands] == played_hands(game())
    assert read(log(seed=12)).digest != games["mjlog"].digest
    converted = json.loads(log()) | {"ref": "220101-0a1b2c3d-0000-4e5f"}
    assert read(json.dumps(converted)).site == "mahjongsoul"
    strange = json.loads(log()) | {"name": ["\x00", "a" * 100_000, {"a": 1}, None]}
    assert all(len(name) <= 64 for name in read(json.dumps(strange)).names)


@pytest.mark.parametrize(
    ("names", "nicknames", "listed", "players"),
    [
        ("AB", {"A": "1"}, {"b": "2"}, ["1", "2"]),
        ("AB", {"A": "1", "B": "1"}, {}, [None, None]),
        ("AB", {"A": "1"}, {"a": "2"}, ["1", None]),
        (("", "A"), {"": "1"}, {"": "2", "A": "3"}, [None, "3"]),
    ],
)
def test_log_names_are_matched_to_entries(
    names: Any, nicknames: Any, listed: Any, players: list[str | None]
) -> None:
    assert matched(names, nicknames, listed) == players


@slow
def test_a_log_is_previewed_imported_and_counted_once(club: Club) -> None:
    referee = club.referee
    shown = referee.post("logs/preview", text=log())
    assert (shown["players"], shown["known"], shown["site"]) == ([None] * 4, None, "tenhou")
    assert tuple(shown["names"]) == NAMES
    referee.refused("log_nobody", "logs", text=log(), stage="league")
    entered = referee.post("logs", text=log(), stage="league", players=club.entries, label="Tenhou")
    assert (entered["status"], entered["final"]) == ("confirmed", shown["final"])
    assert all(win["yaku"] for hand in entered["hands"] for win in hand["hand"].get("wins", ()))
    for other in ("mjlog", "mjai", "jantaku"):
        assert referee.post("logs", text=log(other), stage="league")["id"] == entered["id"]
    again = referee.post("logs/preview", text=log("mjlog"))
    # the choice of players for these names is remembered
    assert (again["known"], again["players"]) == (entered["id"], club.entries)
    second = referee.post("logs", text=log("mjlog", NAMES[::-1], 12), stage="league")
    assert [seat["entry"] for seat in second["seats"]] == club.entries[::-1]
    assert sum(club.points().values()) == 0
    file = club.organiser.get("file")
    file["games"][0]["id"] = "renamed"  # a log is recognised by its tiles, whatever its id
    import_file(club, file)
    body = {"text": log(), "stage": "league", "players": club.entries}
    assert club.organiser.post("logs", **body)["id"] == "renamed"
    assert len(club.organiser.get("games")["games"]) == 2
    file["games"].append(file["games"][0] | {"id": "another"})
    club.organiser.refused("id_twice", "/api/events/import", file=file)


@slow
def test_a_log_under_other_rules_is_refused_with_the_differing_hand(url: str) -> None:
    club = Club(url, rules="wrc")
    error = club.organiser.refused("log_differs", "logs/preview?lang=ko", text=log())
    assert error["hand"] == 0
    assert "룰" in error["message"]
    assert club.organiser.send("POST", "logs/preview", text=HOSTILE["deep"]()).status_code == 400
    assert club.organiser.send("POST", "logs/preview", text=" " * 3_000_000).status_code in (413, 422)
    club.organiser.refused("too_large", "entries", name="a" * 200_000)


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
def test_hostile_logs_are_refused_with_readable_messages(name: str) -> None:
    text = HOSTILE[name]()
    for language in LANGUAGES:
        with pytest.raises(JantakuError) as refusal:
            read(text)
        assert 0 < len(refusal.value.message(language)) < 2_000
        with pytest.raises(JantakuError) as refusal:
            read_event_log(text, load("tenhou"), language)
        assert refusal.value.message(language)[0].isalnum()


def test_the_import_command_adds_logs_to_an_event_file(tmp_path: Path) -> None:
    players = [{"id": f"p{i}", "name": name} for i, name in enumerate(("asapin", "こたつ", "민수", "Mina"))]
    event = {"jantaku_event": 1, "name": "E", "rules": "tenhou", "players": players,
             "stages": [{"id": "league", "kind": "open"}], "games": []}  # fmt: skip
    file, to, logs = tmp_path / "event.json", tmp_path / "new.json", [tmp_path / "tenhou", tmp_path / "mjlog"]
    file.write_text(json.dumps(event), "utf-8")
    for path in logs:
        path.write_text(log(path.name), "utf-8")
    arguments = ["event", "import", str(file), *map(str, logs), "--to", str(to)]
    failed = CliRunner().invoke(app, arguments)
    assert failed.exit_code != 0
    assert NAMES[3] in failed.output
    assert CliRunner().invoke(app, [*arguments, "--player", f"{NAMES[3]}=p3"]).exit_code == 0
    imported = standings(event_from(json.loads(to.read_text("utf-8")))).stages["league"]
    final = settle(played_hands(game()), "tenhou").final
    assert {row.player: row.points for row in imported} == dict(
        zip(("p0", "p1", "p2", "p3"), final or (), strict=True)
    )


# Exports from the server and from event files: tables, workbook, JSON and web page


EVIL = '=HYPERLINK("http://x","<script>alert(1)</script>")'
WON: Message = {
    **RON,
    "riichi": [0],
    "wins": [{"seat": 0, "han": 3, "fu": 40, "yaku": ["riichi", "tanyao", "dora"]}],
}
EVENT: Message = {
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
         "label": "3", "hands": [WON, BUST]},
        {"id": "g2", "stage": "league", "players": list("dcba"), "scores": [30000, 25000, 25000, 20000]},
    ],
    "penalties": [{"stage": "league", "player": "b", "points": -1000, "why": "late"}],
}  # fmt: skip
SHEETS = ("standings", "teams", "games", "hands", "penalties")


def tables_of(event: Message) -> EventTables:
    return EventTables(event_from(event))


def rows_of(text: str, separator: str = ",") -> list[list[str]]:
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator))


@pytest.mark.parametrize("language", LANGUAGES)
def test_csv_exports_contain_the_standings_and_no_formula(language: terms.Language) -> None:
    tables = {sheet.name: rows_of(csv_text(sheet)) for sheet in sheets(tables_of(EVENT), language)}
    assert tuple(tables) == SHEETS
    right = standings(event_from(EVENT)).stages["league"]
    assert [(row[2], int(row[5])) for row in tables["standings"][1:]] == [
        (row.player, row.points) for row in right
    ]
    assert {row[3] for row in tables["standings"][1:]} == {f"'{EVIL}", "미나", "'-c", "'@d"}
    titles, first, second = tables["games"]
    assert titles[1] == terms.text("event.list.stage", language)
    assert (first[0], *first[2:4], *first[4:20:5]) == ("g1", "3", "2025-06-01 14:00 +0900", *"abcd")
    assert tuple(map(int, first[7::5])) == settle([WON, BUST], "tenhou").final
    assert second[6::5] == ["30000", "25000", "25000", "20000"]
    assert [row[2:] for row in tables["penalties"][1:]] == [["b", "미나", "-1000", "late"]]
    for cell in (cell for rows in tables.values() for row in rows for cell in row):
        assert not cell.startswith(("=", "@", "\t")), cell
        assert cell[:1] not in "+-" or re.fullmatch(r"-?[\d.]*", cell), cell


def test_deducted_chombo_points_have_their_own_columns() -> None:
    """Without these columns, the points of a game would have a negative sum for no visible reason."""
    ended = {**EVENT["games"][1], "scores": [36000, 30000, 30000, 24000]}
    before, after = (
        sheet(tables_of({**EVENT, "rules": "wrc", "penalties": [], "games": [ended | fined]}), "games", "en")
        for fined in ({}, {"deducted": [0, 0, 30000, 0]})
    )
    assert len(after.titles) == len(before.titles) + 4
    chombo = [at for at, title in enumerate(after.titles) if "hombo" in title]
    assert [after.rows[0][at] for at in chombo] == [0, 0, -30000, 0]
    assert sum(int(str(after.rows[0][at - 2])) for at in chombo) == -30000


def test_exported_games_contain_their_round() -> None:
    first, *others = EVENT["games"]
    event = {**EVENT, "games": [{**first, "round": 3}, *others]}
    titles, *games = rows_of(csv_text(sheet(tables_of(event), "games", "en")))
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
    """In other locales, spreadsheets split cells at other separators, even inside quotes."""
    written = csv_text(ExportSheet("games", (text, "b"), ((1, text), (text, -2.5), (None, text))))
    cells = [cell for separator in ",;\t|" for row in rows_of(written, separator) for cell in row]
    cells += [
        cell for separator in ",;\t|" for line in written.splitlines() for cell in line.split(separator)
    ]
    for cell in cells:
        plain = cell.lstrip('\ufeff" ')
        assert plain == "-2.5" or not plain.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")), cell


def test_a_workbook_has_texts_numbers_and_sums_but_no_formula() -> None:
    data = io.BytesIO(xlsx_bytes(sheets(tables_of(EVENT), "ko"), "ko"))
    with zipfile.ZipFile(data) as file:
        assert file.testzip() is None
        xml = "".join(file.read(name).decode() for name in file.namelist())
    assert ("<f>" in xml, "<hyperlink " in xml) == (False, False)
    book = openpyxl.load_workbook(data)
    assert [page.title for page in book] == [terms.text(f"export.sheet.{name}", "ko") for name in SHEETS]
    assert not [cell for page in book for row in page.iter_rows() for cell in row if cell.data_type == "f"]
    by_name: dict[str, list[list[Any]]] = {
        name: [[cell.value for cell in row] for row in page.iter_rows()]
        for name, page in zip(SHEETS, book, strict=True)
    }
    points = {row[2]: row[5] for row in by_name["standings"][1:]}
    _, first, second = by_name["games"]
    assert (first[3], first[5], second[3]) == (datetime(2025, 6, 1, 14), EVIL, None)
    sums = Counter[str]({penalty["player"]: penalty["points"] for penalty in EVENT["penalties"]})
    for row in (first, second):
        for at in range(4, 24, 5):
            sums[row[at]] += row[at + 3]
    assert sums == points


def test_the_exported_page_is_self_contained_and_has_three_languages() -> None:
    page = event_page(tables_of(EVENT), "ko")
    assert ("<script" in page, "http://x" in page, "&lt;script&gt;" in page) == (False, True, True)
    assert not re.search(r"(src|href)=", page)
    for language in LANGUAGES:
        for key in ("export.rank", "event.game.hands", "event.standings"):
            assert f'<span lang="{language}">{terms.text(key, language)}</span>' in page
    assert "id='ko' checked" in page
    assert page.count("<details>") == 2
    assert terms.text("web.win.ron", "ja", **{"player": EVIL, "from": "미나"}).split(EVIL)[1] in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_hands_are_described_with_yaku_draws_and_fouls(language: terms.Language) -> None:
    tsumo: Message = {"end": "tsumo"}
    hands: list[tuple[Message, str]] = [
        (WON, terms.table("yaku", language)["tanyao"]["name"]),
        ({"end": "draw", "tenpai": [0, 3], "nagashi": []}, "A、D" if language == "ja" else "A, D"),
        (
            {"end": "abort", "kind": "kyuushu_kyuuhai", "seat": 1},
            terms.text("web.draw.kyuushu_kyuuhai", language),
        ),
        (
            {"end": "foul", "fouls": [{"seat": 1, "foul": "furiten_ron"}]},
            terms.table("options", language)["fouls"]["furiten_ron"]["label"],
        ),
        (
            tsumo | {"wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [1], "yakuman": 1}}]},
            terms.text("event.game.pao", language, players="B"),
        ),
        (tsumo | {"wins": [{"seat": 2, "limit": "mangan"}]}, terms.text("explain.limit.mangan", language)),
        (BUST, terms.text("explain.limit.double_yakuman", language)),
    ]
    for hand, words in hands:
        assert words in hand_in_words(READER(hand), ["A", "B", "C", "D"], language)


@slow
def test_the_server_exports_every_format_to_anyone(club: Club) -> None:
    club.game("export").finish(WON, BUST)
    stranger = Visitor(club.url, at=club.at)
    answers = {
        kind: stranger.send("GET", "export", format=kind, lang="ko")
        for kind in ("csv", "xlsx", "json", "html")
    }
    named = [club.organiser.send("GET", "file", lang="ko").headers["content-disposition"]]
    for kind, answer in answers.items():
        assert answer.status_code == 200, answer.text
        named.append(answer.headers["content-disposition"])
        assert named[-1].startswith("attachment")
        assert f'.{kind}"' in named[-1]
    assert len(set(named)) == len(named)  # no downloaded file overwrites another
    seen = stranger.get("standings")
    assert [stage | {"teams": []} for stage in answers["json"].json()["stages"]] == seen["stages"]
    rows = [row for row in rows_of(answers["csv"].text)[1:] if row[2]]
    assert [row[3] for row in rows][-4:] == [seen["names"][row["player"]] for row in club.rows()]
    assert answers["xlsx"].content[:2] == b"PK"
    assert terms.text("export.rank", "ko") in answers["html"].text
    teams = stranger.send("GET", "export", format="csv", table="teams", lang="ko")
    assert len(rows_of(teams.text)) == 1  # there are no teams, so there is only a header
    stranger.refused("bad_request", "GET export?format=exe")
    club.organiser.patch(hidden_standings=True)
    stranger.refused("standings_hidden", "GET export?format=csv")


def test_the_export_command_writes_the_same_tables(tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT), "utf-8")
    runs = {
        kind: CliRunner().invoke(
            app, ["--lang", "ko", "event", "export", str(file), str(tmp_path / f"out.{kind}")]
        )
        for kind in ("csv", "xlsx", "html", "json", "doc")
    }
    assert [run.exit_code == 0 for run in runs.values()] == [True] * 4 + [False]
    assert (tmp_path / "out.csv").read_bytes().decode() == csv_text(sheets(tables_of(EVENT), "ko")[0])
    assert "xlsx" in runs["doc"].output


# Large event files are imported up to the limit; files above it are refused early


MB: Final = 1_000_000
JSON: Final = {"content-type": "application/json"}
STALL_S: Final = 10.0  # maximum delay of other requests during an import, on a busy machine


@pytest.fixture
def mina(url: str) -> Account:
    return Account(url, "Mina")


@slow
def test_an_event_file_of_more_than_ten_megabytes_is_imported_without_stalling_others(mina: Account) -> None:
    file = random_event(Random(1), load("standard"), 12, 24)
    size = len(json.dumps(file["games"])) // 24
    games = [
        {**file["games"][i % 24], "id": f"game-{i}", "stage": "league"} for i in range(10 * MB // size + 100)
    ]
    file |= {
        "name": "Ten years",
        "stages": [{"id": "league", "kind": "open"}],
        "games": games,
        "penalties": [],
    }
    waits, done = list[float](), threading.Event()

    def look_meanwhile() -> None:
        other = Visitor(mina.url)
        while not done.wait(0.05):
            began = time.monotonic()
            other.get("/api/events")
            waits.append(time.monotonic() - began)

    others = threading.Thread(target=look_meanwhile)
    others.start()
    try:
        answer = mina.http.post("/api/events/import", json={"file": file}, timeout=300).raise_for_status()
    finally:
        done.set()
        others.join()
    assert max(waits) < STALL_S
    out = mina.http.get(f"/api/events/{answer.json()['id']}/file", timeout=300).json()
    both = [
        [[one.get(name) for name in ("id", "hands", "scores")] for one in of] for of in (out["games"], games)
    ]
    assert both[0] == both[1]


def parts(size: int, part: bytes) -> Iterator[bytes]:
    yield b'{"file":'
    for _ in range(size // len(part)):
        yield part


def test_a_file_declared_above_the_limit_is_refused_before_it_is_sent(mina: Account) -> None:
    address = urlsplit(mina.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=60)) as connection:
        connection.putrequest("POST", "/api/events/import")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", str(Limits().file_bytes + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413


@slow
def test_a_file_of_undeclared_length_is_refused_at_the_limit(mina: Account) -> None:
    content = parts(Limits().file_bytes + 3 * MB, b" " * MB)
    with suppress(httpx.NetworkError):  # the server may close the connection early
        answer = mina.http.post("/api/events/import", content=content, headers=JSON, timeout=120)
        assert answer.status_code == 413
    assert mina.get("/api/events")["mine"] == []


@slow
@pytest.mark.parametrize(
    "part",
    [b"[" * MB, b'{"a":' * 200_000, b"[0,1]," * 150_000],
    ids=["deep lists", "deep objects", "wide list"],
)
def test_a_hostile_file_below_the_limit_is_refused_in_bounded_time(mina: Account, part: bytes) -> None:
    content = parts(16 * MB, part)
    answer = mina.http.post("/api/events/import", content=content, headers=JSON, timeout=120)
    assert 400 <= answer.status_code < 500
    assert mina.get("/api/events")["mine"] == []


# Event reports: days, languages and hidden standings


@slow
def test_a_report_covers_the_games_and_is_hidden_with_the_standings(club: Club) -> None:
    player, organiser = club.players[0], club.organiser
    empty = organiser.get("report")
    assert (empty["days"], [section["kind"] for section in empty["sections"]]) == ([], ["numbers"])
    club.game("report").finish()
    report = player.get("report", zone="Asia/Seoul", lang="ko")
    assert [section["kind"] for section in report["sections"]][:2] == ["standings", "best"]
    assert report["markdown"].startswith("# ")
    (day,) = report["days"]
    assert player.get("report", zone="Asia/Seoul", day=day)["day"] == day
    for unknown in ("../../etc/passwd", "Seoul", "", "localtime", "asia/seoul"):
        for page in ("report", "export"):
            assert organiser.refused("bad_request", f"GET {page}", zone=unknown, lang="ko")["field"] == "zone"
    for wrong in ("1999-01-01", "9999-99-99"):
        organiser.refused("no_day", f"GET report?day={wrong}")
    for wrong in ("today", "2026-11-1", "2026-11-111", day + "%0a"):
        organiser.refused("bad_request", f"GET report?day={wrong}")
    organiser.patch(hidden_standings=True)
    player.refused("standings_hidden", "GET report")
    assert club.recorder.get("report")["title"]
