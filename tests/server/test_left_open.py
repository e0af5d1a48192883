"""What somebody leaves behind: an open session, which opens no lasting way, and tables, which forget them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jantaku.server.people.accounts import FRESH_MS
from jantaku.server.run import prepare
from server.parlour import Person, open_server, quick
from server.sign_in_owner import code_of

NEW = "battery staple"
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/password", {"old": None, "new": NEW}),
    ("/api/recovery", {"password": ""}),
    ("/api/link", {}),
)


@pytest.fixture
def admin(tmp_path: Path) -> Iterator[Person]:
    """Somebody with an account that only a link opens."""
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as person:
        person.post("/api/enter", token=token)
        yield person


def grow_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every session have begun longer ago than a password may be set."""
    monkeypatch.setattr("jantaku.server.people.accounts.FRESH_MS", -1)


def test_the_first_password_needs_a_fresh_sign_in(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FRESH_MS <= 3_600_000
    own_link = admin.post("/api/link")["url"].rpartition("/")[2]
    grow_old(monkeypatch)
    for path, body in WAYS:
        assert code_of(admin.http.post(path, json=body)) == "sign_in_again", path
    asked = admin.post("/api/me/erase")
    assert code_of(admin.http.post("/api/me/erase", json={"confirm": asked["confirm"]})) == "sign_in_again"
    monkeypatch.undo()
    admin.post("/api/enter", token=own_link)
    admin.post("/api/password", old=None, new=NEW)
    grow_old(monkeypatch)
    assert code_of(admin.http.post("/api/password", json={"old": None, "new": NEW})) == "wrong_old_password"
    admin.post("/api/password", old=NEW, new="correct horse")  # whoever knows it needs nothing else
    admin.post("/api/link")


def test_the_tables_of_somebody_who_is_deleted_have_no_owner(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    with (
        open_server(settings) as url,
        closing(Person(url, "Mina")) as mina,
        closing(Person(url, "Jun")) as jun,
    ):
        tables = [mina.table(bots=bots)["id"] for bots in (1, 3)]
        jun.post(f"/api/tables/{tables[0]}/join")
        confirm = mina.post("/api/me/erase")["confirm"]
        assert mina.post("/api/me/erase", confirm=confirm)["done"]
        jun.post(f"/api/tables/{tables[0]}/start")
        assert jun.get(f"/api/tables/{tables[0]}")["owner"] == jun.id
    with closing(sqlite3.connect(tmp_path / "jantaku.sqlite3")) as database:
        assert [*database.execute("SELECT count(*) FROM tables WHERE owner = ?", (mina.id,))] == [(0,)]
