"""Refusals that once revealed too much, came too late or were missing."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.server.play import carry_out as play
from jantaku.server.settings import Settings
from jantaku.server.storage.store import Store
from server.parlour import WAIT_S, Person, hang_up, open_server, quick, seated

pytestmark = pytest.mark.skipif(not COMPILED, reason="games over sockets take long uncompiled")


@contextmanager
def table_of_four(folder: Path, **options: Any) -> Iterator[tuple[list[Person], Any, list[Any]]]:
    """Four people in seats 0 to 3 of a game under the given options."""
    with open_server(quick(folder)) as url:
        four = [Person(url, name) for name in ("Mina", "Juno", "Theo", "Lena")]
        table, lines = seated(four, options={"draw_seats": False, **options})
        yield four, table, lines
        hang_up(lines)
        for person in four:
            person.close()


@pytest.mark.slow
def test_refusals_do_not_wait_for_the_table_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal comes at once even while an action is stored; a delay would reveal that action."""
    carry_out, stored = play.carry_out, threading.Event()

    async def slowly(*given: Any) -> None:
        assert await asyncio.to_thread(stored.wait, WAIT_S)
        await carry_out(*given)

    with table_of_four(tmp_path) as (four, table, lines):
        monkeypatch.setattr("jantaku.server.play.message_handlers.play.carry_out", slowly)
        own = lines[0].own
        lines[0].send(type="act", id="slow", game=1, ask=own["ask"], action=own["legal"][0])
        assert lines[2].ask(type="rematch", agree=True)["code"] == "already_started"
        gone = four[0].http.delete(f"/api/tables/{table['id']}/people/nobody")
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, "no_person")
        assert not [message for message in lines[0].seen if message.get("id") == "slow"]
        stored.set()
        assert lines[0].until("ack")["id"] == "slow"


@pytest.mark.slow
def test_message_ids_start_over_with_each_game(tmp_path: Path) -> None:
    """A new player in a seat may reuse the message ids of the previous one."""
    with table_of_four(tmp_path) as (_, _, lines):
        for line in lines:
            line.send(type="ready", id="a7")
            assert line.ask(type="abort", id="a8", agree=True)["type"] == "ack"
        for line in lines:
            assert line.ask(type="rematch", id="a9", agree=True)["type"] == "ack"
        lines[0].until("sync")
        own = lines[0].own
        before = lines[0].seq
        assert lines[0].act(own["legal"][0], id="a7")["type"] == "ack"
        assert lines[0].seq > before


@pytest.mark.slow
def test_players_cannot_be_removed_from_a_rated_game(tmp_path: Path) -> None:
    with table_of_four(tmp_path, rated=True) as (four, table, _):
        gone = four[0].http.delete(f"/api/tables/{table['id']}/people/{four[1].id}")
        assert (gone.status_code, gone.json()["error"]["code"]) == (409, "rated_stays")


def test_help_is_limited_per_person_not_per_socket(tmp_path: Path) -> None:
    from dataclasses import replace

    from server.parlour import LOOSE

    with open_server(replace(quick(tmp_path), limits=replace(LOOSE, heavy_per_s=0.001))) as url:
        mina = Person(url, "Mina")
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        codes = []
        for _ in range(4):
            line = mina.socket(table["id"])
            line.until("sync")
            codes += [line.ask(type="why", what="ron").get("code") for _ in range(5)]
            line.close()
        mina.close()
    assert codes[:10].count("too_many") == 0
    assert codes[10:] == ["too_many"] * 10


@pytest.mark.slow
def test_huge_numbers_in_rules_are_reported_as_rules_errors(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        text = 'extends = "standard"\n[match]\nstart_points = ' + "9" * 4301
        assert mina.post("/api/rules/check", toml=text)["ok"] is False
        assert mina.http.post("/api/rules", json={"toml": text}).status_code == 400
        mina.close()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_without_a_file_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        Store(Settings(data_dir=tmp_path, database_url=url))
    assert caught.value.code == "bad_database_url"


@pytest.mark.slow
def test_a_rematch_that_is_sent_twice_is_confirmed_twice(tmp_path: Path) -> None:
    """A page sends again what is unconfirmed when it is greeted, and lots give it another seat then."""
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(bots=3, options={"draw_seats": True})["id"]
        mina.post(f"/api/tables/{table}/start")
        line = mina.socket(table)
        for number in range(5):
            assert line.ask(type="abort", id=f"a{number}", agree=True)["type"] == "ack"
            for _ in range(2):
                assert line.ask(type="rematch", id=f"r{number}", agree=True)["type"] == "ack"
        line.close()
