"""A server that stands by takes the place of one that ends, however it ends, and loses no game."""

import signal
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from server.parlour import Person, Process, free_port, simplest, taken

pytestmark = pytest.mark.slow


def moved(person: Person, url: str) -> Person:
    """The same browser, which comes by another address."""
    player = Person(url)
    for name, value in person.http.cookies.items():
        player.http.cookies.set(name, value)
    return player


@pytest.mark.parametrize(("kind", "ends"), [("postgres", signal.SIGKILL), ("sqlite", signal.SIGTERM)])
def test_a_game_goes_on_at_the_server_that_stood_by(
    tmp_path: Path, request: pytest.FixtureRequest, kind: str, ends: signal.Signals
) -> None:
    options = []
    if kind == "postgres":
        options = [f"database_url={request.getfixturevalue('cluster').new_database('standing_by')}"]
    port = free_port()
    first = Process(tmp_path, free_port(), *options)
    first.wait()
    second = Process(tmp_path, port, "standby=1", *options)
    try:
        while not taken(port):
            time.sleep(0.05)
        with closing(Person(first.url, "Mina")) as mina:
            table = mina.table(bots=3, sit=True)["id"]
            line = mina.socket(table)
            mina.post(f"/api/tables/{table}/start")
            for _ in range(5):
                asked = line.asked()
                assert asked is not None
                line.act(simplest(asked))
            seq = line.seq
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{second.url}/api/health")
            first.process.send_signal(ends)
            began = time.monotonic()
            second.wait()
            took = time.monotonic() - began
            with closing(moved(mina, second.url)) as again:
                line = again.socket(table, game=1, last=seq)
                asked = line.asked()
                assert asked is not None
                assert line.act(simplest(asked))["type"] == "ack"
                assert line.seq > seq
        assert took < 20  # less than 5 where no other work keeps the processors busy
    finally:
        first.kill()
        second.kill()
