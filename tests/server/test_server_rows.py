"""Stored rows that cannot be read: lists show the rest."""

import logging
from collections import OrderedDict
from pathlib import Path

import pytest

from jantaku.server.storage import rows as stored_rows
from server.databases import rows
from server.parlour import Person, open_server, quick

CLUB = 'extends = "tenhou"\n[name]\nen = "Club {number}"\n[riichi]\ndeposit = {number}00\n'
BROKEN_TREES = [
    '{"name": {"en": 5}}', "{", "[]", "null", '{"match": {"uma": [1]}}', '{"yaku": {"foo": 0}}', "[" * 5000,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("tree", BROKEN_TREES)
def test_unreadable_rules_do_not_break_lists(
    tmp_path: Path, tree: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_rows, "_LOGGED", OrderedDict())  # each row is logged once
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        saved = [mina.post("/api/rules", toml=CLUB.replace("{number}", str(n)))["id"] for n in (1, 2)]
        tables = [mina.table(rules=rules)["id"] for rules in (*saved, "standard")]
        cookies = dict(mina.http.cookies)
        mina.close()
    rows(tmp_path, "UPDATE rulesets SET tree = ? WHERE fingerprint = ?", tree, saved[0])
    with caplog.at_level(logging.ERROR, "jantaku.server"), open_server(quick(tmp_path)) as url:
        mina = Person(url)
        mina.http.cookies.update(cookies)
        names = {row["id"]: row["name"] for row in mina.get("/api/rules", lang="en")["rules"]}
        assert names[saved[0]] == "Club 1 (cannot be read)"
        assert names[saved[1]] == "Club 2"
        assert mina.http.get(f"/api/tables/{tables[0]}").status_code == 409
        for table in tables[1:]:
            mina.get(f"/api/tables/{table}")
        listed = {table["id"] for table in mina.get("/api/tables")["tables"]}
        assert listed == set(tables[1:])
        assert mina.http.get(f"/api/rules/{saved[0]}").status_code == 409
        assert mina.http.post("/api/tables", json={"rules": saved[0]}).status_code == 409
        assert mina.http.delete(f"/api/rules/{saved[0]}").status_code == 200
        mina.close()
    assert any("cannot be read" in record.getMessage() for record in caplog.records)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoilt", ["players = '{'", "result = '{'", "players = '[5]'", "rules = 'x', fingerprint = 'x'"]
)
def test_an_unreadable_game_does_not_break_lists(tmp_path: Path, spoilt: str) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        for _ in range(2):
            table = mina.table(bots=3)
            line = mina.socket(table["id"])
            mina.post(f"/api/tables/{table['id']}/start")
            line.until("sync")
            line.close()
        mina.close()
    rows(tmp_path, "UPDATE tables SET status = 'over'")
    rows(tmp_path, "UPDATE games SET status = 'finished', ended = 5")
    rows(tmp_path, f"UPDATE games SET {spoilt} WHERE id = (SELECT min(id) FROM games)")
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        listed = mina.get("/api/games", lang="en")["games"]
        names = [game["rules_name"] for game in listed]
        assert len([name for name in names if name != "cannot be read"]) == 1
        mina.close()


@pytest.mark.slow
def test_an_unreadable_table_does_not_break_lists(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        tables = [mina.table()["id"] for _ in range(2)]
        mina.close()
    rows(tmp_path, "UPDATE tables SET options = '{' WHERE id = ?", tables[0])
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        mina.get(f"/api/tables/{tables[1]}")
        assert {table["id"] for table in mina.get("/api/tables")["tables"]} == {tables[1]}
        assert mina.http.get(f"/api/tables/{tables[0]}").status_code == 404
        mina.close()
