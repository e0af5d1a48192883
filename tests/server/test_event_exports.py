"""An event out of the server and out of an event file: tables, workbook, JSON, and a page of its own."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from typer.testing import CliRunner

from jantaku import terms
from jantaku.cli.app import app
from jantaku.club import event_from, settle, standings
from jantaku.club.export import ExportSheet, csv_text, event_page, read_tables, sheets, xlsx_bytes
from jantaku.club.export.event_tables import sheet
from jantaku.club.export.hand_words import hand_in_words
from jantaku.errors import RequestError
from jantaku.terms import LANGUAGES
from server.clubs import BUST, Gathering, Table, refused
from server.parlour import Person

EVIL = '=HYPERLINK("http://x","<script>alert(1)</script>")'
RON = {
    "end": "ron", "from": 1, "riichi": [0],
    "wins": [{"seat": 0, "han": 3, "fu": 40, "yaku": ["riichi", "tanyao", "dora"]}],
}  # fmt: skip
EVENT: dict[str, Any] = {
    "jantaku_event": 1,
    "name": {"en": "Spring <cup>", "ko": "봄 대회"},
    "rules": "tenhou",
    "players": [
        {"id": "a", "name": EVIL, "team": "+X"},
        {"id": "b", "name": "미나", "team": "Y"},
        {"id": "c", "name": "-c", "team": "+X"},
        {"id": "d", "name": "@d", "team": "Y"},
    ],
    "stages": [{"id": "league", "kind": "open", "name": {"ko": "리그", "en": "League"}}],
    "games": [
        {"id": "g1", "stage": "league", "at": "2025-06-01T14:00:00+09:00", "players": ["a", "b", "c", "d"],
         "label": "3", "hands": [RON, BUST]},
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
    tables = {sheet.name: rows_of(csv_text(sheet)) for sheet in sheets(read_tables(EVENT), language)}
    assert set(tables) == {"standings", "teams", "games", "hands", "penalties"}
    right = standings(event_from(EVENT)).stages["league"]
    assert [row[2] for row in tables["standings"][1:]] == [standing.player for standing in right]
    assert [int(row[5]) for row in tables["standings"][1:]] == [standing.points for standing in right]
    assert {row[3] for row in tables["standings"][1:]} == {f"'{EVIL}", "미나", "'-c", "'@d"}
    titles, first, second = tables["games"]
    assert titles[1] == terms.text("event.list.stage", language)
    final = settle([RON, BUST], "tenhou").final
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
    plain = read_tables({**wrc, "games": [ended]})
    fined = read_tables({**wrc, "games": [ended | {"deducted": [0, 0, 30000, 0]}]})
    before, after = (sheet(tables, "games", "en") for tables in (plain, fined))
    assert len(after.titles) == len(before.titles) + 4
    chombo = [at for at, title in enumerate(after.titles) if "hombo" in title]
    assert [after.rows[0][at] for at in chombo] == [0, 0, -30000, 0]
    assert sum(int(str(after.rows[0][at - 2])) for at in chombo) == -30000


def test_games_of_rounds_say_which_round() -> None:
    first, *others = EVENT["games"]
    event = {**EVENT, "games": [{**first, "round": 3}, *others]}
    titles, *games = rows_of(csv_text(sheet(read_tables(event), "games", "en")))
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
    names, xml = workbook(xlsx_bytes(sheets(read_tables(EVENT), "ko"), "ko"))
    assert names == [
        terms.text(f"export.sheet.{name}", "ko")
        for name in ("standings", "teams", "games", "hands", "penalties")
    ]
    assert "<f>" not in xml
    assert "<hyperlink " not in xml
    assert "미나" in xml
    assert xml.count("<v>") > 40


def test_a_spreadsheet_opens_the_workbook_with_the_right_types_and_sums() -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheets(read_tables(EVENT), "en"), "en")))
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
    page = event_page(read_tables(EVENT), "ko")
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
        RON,
        {"end": "draw", "tenpai": [0, 3], "nagashi": []},
        {"end": "abort", "kind": "kyuushu_kyuuhai", "seat": 1},
        {"end": "foul", "fouls": [{"seat": 1, "foul": "furiten_ron"}]},
        {"end": "tsumo", "wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [1], "yakuman": 1}}]},
        {"end": "tsumo", "wins": [{"seat": 2, "limit": "mangan"}]},
        {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]},
    ]
    for language in LANGUAGES:
        said = [hand_in_words(hand, ["A", "B", "C", "D"], language) for hand in hands]
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
    table.enter(RON)
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
    expected = csv_text(sheets(read_tables(EVENT), "ko")[0])
    assert (tmp_path / "out.csv").read_bytes().decode() == expected
    assert run("out.doc").exit_code != 0
    assert "xlsx" in run("out.doc").output
