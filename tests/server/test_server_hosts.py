"""Which names in ``Host`` the server answers to, for requests and for sockets."""

from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from jantaku.server.edge.hosts import Hosts
from jantaku.server.settings import Settings
from server.parlour import Person, open_server, quick

FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7", "[2001:db8::1]"]
BROKEN = ["", "localhost/", "a@localhost", "localhost:port", "[::1", "localhost localhost", "::1"]


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a public address and an extra name."""
    data = tmp_path_factory.mktemp("hosts")
    settings = quick(data, public_url="http://club.example", hosts=("Table.local", "192.0.2.9"))
    with open_server(settings) as url:
        yield url


def status(url: str, host: str, path: str = "/api/health") -> int:
    return httpx.get(url + path, headers={"host": host}).status_code


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "127.0.0.1:80", "club.example", "table.local:8000"]
)
def test_own_names_are_answered(named: str, host: str) -> None:
    assert status(named, host) == 200


@pytest.mark.parametrize("host", [*FOREIGN, *BROKEN])
@pytest.mark.parametrize("path", ["/api/health", "/", "/api/rules"])
def test_other_names_are_refused(named: str, host: str, path: str) -> None:
    assert status(named, host, path) in (400, 421)


def test_the_refusal_says_what_to_do(named: str) -> None:
    answer = httpx.get(f"{named}/api/health", headers={"host": "evil.example", "accept-language": "ko"})
    assert answer.status_code == 421
    assert answer.json()["error"]["code"] == "wrong_host"
    assert "evil.example" in answer.json()["error"]["message"]


def test_sockets_are_held_to_the_same_names(named: str) -> None:
    mina = Person(named, "Mina")
    table = mina.table()
    for host in FOREIGN:
        with pytest.raises(InvalidStatus) as caught:
            mina.raw(table["id"], Host=host)
        assert caught.value.response.status_code == 403
    mina.socket(table["id"]).close()


@pytest.mark.parametrize(
    ("host", "came_in_at", "allowed"),
    [
        ("192.168.1.5:8000", "192.168.1.5", True),
        ("192.168.1.6:8000", "192.168.1.5", False),
        ("[2001:db8::5]:8000", "2001:0db8::5", True),
        ("[2001:db8::6]", "2001:db8::5", False),
        ("[::1]:8000", "::1", True),
        ("localhost", None, True),
        ("192.168.1.5", None, False),
    ],
)
def test_the_server_answers_to_the_address_of_the_connection(
    host: str, came_in_at: str | None, allowed: bool
) -> None:
    scope = {"headers": [(b"host", host.encode())], "server": came_in_at and (came_in_at, 8000)}
    assert Hosts(Settings()).allow(scope) is allowed


def test_exactly_one_host_header_is_required() -> None:
    assert not Hosts(Settings()).allow({"headers": [(b"host", b"localhost")] * 2, "server": None})
    assert not Hosts(Settings()).allow({"headers": [], "server": None})
