"""Sockets that connect and disconnect: their limits, and what others at the table are told."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.parlour import LOOSE, Line, Person, close_code, open_server, quick


@contextmanager
def hosted(folder: Path, **limits: Any) -> Iterator[tuple[str, str, Line]]:
    """A table at which Mina sits: the server, the table and her socket."""
    with (
        open_server(quick(folder, limits=replace(LOOSE, **limits))) as url,
        closing(Person(url, "Mina")) as mina,
    ):
        table = mina.table()["id"]
        with closing(mina.socket(table)) as line:
            yield url, table, line


def heard(line: Line) -> list[str]:
    """The types of what has come in, up to the answer to a question asked now."""
    before = len(line.seen)
    line.ask(type="hints")
    return [message["type"] for message in line.seen[before:-1]]


@pytest.mark.slow
def test_the_rate_of_new_sockets_per_person_is_limited(tmp_path: Path) -> None:
    slow = {"connects_per_s": 0.001, "connect_burst": 3}
    with hosted(tmp_path, **slow) as (url, table, line), closing(Person(url, "Jun")) as jun:
        for _ in range(3):
            jun.socket(table, watch=True).close()
        codes = [close_code(jun.raw(table)) for _ in range(20)]
        assert codes == [4429] * 20
        heard(line)
        with closing(Person(url, "Sora-chan")) as other:  # nobody else is kept out
            other.socket(table, watch=True).close()


@pytest.mark.slow
def test_the_rate_of_new_sockets_per_address_is_limited(tmp_path: Path) -> None:
    slow = {"connects_of_address_per_s": 0.001, "sockets_of_address": 4}
    with hosted(tmp_path, **slow) as (url, table, _):
        for number in range(3):
            with closing(Person(url, f"Guest {number}")) as guest:
                guest.socket(table, watch=True).close()
        with closing(Person(url, "Jun")) as jun, pytest.raises(InvalidStatus, match="403"):
            jun.raw(table)


@pytest.mark.slow
def test_a_flood_of_sockets_sends_others_few_messages(tmp_path: Path) -> None:
    """Two hundred tries of a stranger are no more than 2 messages for each that is let in."""
    slow = {"connects_per_s": 0.001, "connect_burst": 5}
    with hosted(tmp_path, **slow) as (url, table, line), closing(Person(url, "Jun")) as jun:
        for _ in range(200):
            try:
                jun.socket(table, watch=True).close()
            except ConnectionClosed:
                continue
        assert len(heard(line)) <= 2 * 5


@pytest.mark.slow
def test_others_are_told_of_a_socket_only_when_the_table_changes(tmp_path: Path) -> None:
    with hosted(tmp_path) as (url, table, line), closing(Person(url, "Jun")) as jun:
        jun.post(f"/api/tables/{table}/join")
        first = jun.socket(table)
        line.until("table", lambda said: said["table"]["seats"][1] and said["table"]["seats"][1]["connected"])
        heard(line)
        for _ in range(5):  # replaces the older socket: still connected, so nothing changes for others
            first = jun.socket(table)
        assert first.welcome["seat"] is not None
        assert heard(line) == []
        first.close()
        line.until("table", lambda said: not said["table"]["seats"][1]["connected"])
