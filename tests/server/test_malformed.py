"""Refusals of wrong values are in the reader's language, and repeat no text of a library."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from jantaku.server.edge.page_routes import NO_SOCKET
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings
from jantaku.server.storage.store import Store
from server.parlour import Person, open_server, quick
from server.postgres_cluster import Cluster

WRONG: list[tuple[str, str, Any]] = [
    ("POST", "/api/guest", {"name": 5, "language": "en"}),
    ("POST", "/api/guest", {"language": "en"}),
    ("POST", "/api/guest", {"name": "a" * 500, "language": "en"}),
    ("POST", "/api/guest", {"name": "Mina", "language": "xx"}),
    ("POST", "/api/guest", {"name": "Mina", "language": "en", "more": 1}),
    ("POST", "/api/tables", {"options": {"spectator_delay_s": -5}}),
    ("POST", "/api/tables", {"options": {"spectator_delay_s": 10**9}}),
    ("GET", "/api/me/numbers?rules=x", None),
]
NOWHERE = (  # an address cannot be corrected and sent again
    "/api/games/x/replay/-1", f"/api/events/{'x' * 99}", f"/api/seasons/{'x' * 99}", "/api/events/..%2f..%2f",
    f"/api/rules/{'x' * 99}", f"/api/people/{'x' * 99}/card", f"/api/lab/questions/{'x' * 99}",
)  # fmt: skip


@pytest.fixture(scope="module")
def mina(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with (
        open_server(quick(tmp_path_factory.mktemp("malformed"))) as url,
        closing(Person(url, "Mina")) as person,
    ):
        yield person


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "body"), WRONG, ids=range(len(WRONG)))
def test_wrong_values_are_refused_in_the_language_of_the_reader(
    mina: Person, method: str, path: str, body: Any
) -> None:
    for language, script in (("ko", "[가-힣]"), ("ja", "[ぁ-ん]")):
        answer = mina.http.request(method, path, json=body, headers={"accept-language": language})
        if "/me" in path:
            answer = mina.http.request(method, f"{path}&lang={language}", json=body)
        assert answer.status_code == 422, answer.text
        said = answer.json()["error"]["message"]
        assert re.search(
            script, mina.http.request(method, path, params={"lang": language}, json=body).text
        ) or (re.search(script, said))
        assert not re.search(r"(?i)input|should|field required|string|character", said)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOWHERE)
def test_an_address_that_cannot_be_has_nothing(mina: Person, path: str) -> None:
    answer = mina.http.get(path, params={"lang": "ko"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_page")


@pytest.mark.slow
@pytest.mark.slow
def test_an_address_with_a_nul_has_nothing_in_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    settings = quick(tmp_path, database_url=cluster.new_database("nul"))
    with open_server(settings) as url, closing(Person(url, "Mina")) as mina:
        for path in ("people/%00/numbers", "rules/%00", "tables/%00", "games/%00/replay", "events/a%00b"):
            assert mina.http.get(f"/api/{path}").status_code == 404, path


@pytest.mark.parametrize("path", ["ws/tables/..%2F..%2F", "ws/tables/", "ws/none", "ws", "elsewhere"])
def test_a_socket_of_nothing_is_closed_for_good(mina: Person, path: str) -> None:
    """A refused handshake looks like a lost network, after which a page tries again for ever."""
    address = str(mina.http.base_url).replace("http", "ws", 1).rstrip("/")
    with connect(f"{address}/{path}") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == NO_SOCKET


@pytest.mark.slow
def test_text_that_is_no_json_is_refused_in_words(mina: Person) -> None:
    for text in ("{", '{"name": "\\ud800"}', "\x00"):
        answer = mina.http.post(
            "/api/guest", content=text, headers={"content-type": "application/json", "accept-language": "ko"}
        )
        assert answer.status_code == 422
        assert not re.search(
            r"[a-z]{4}", answer.json()["error"]["message"].replace("JSON", "").replace("body", "")
        )


@pytest.mark.anyio
@pytest.mark.parametrize("sqlstate", ["22021", "08006"])
async def test_what_a_database_driver_says_reaches_the_log_alone(tmp_path: Path, sqlstate: str) -> None:
    secret = "relation people at 10.0.0.7"
    store = Store(Settings(data_dir=tmp_path))
    cause = sqlite3.OperationalError(secret)
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    for error in (
        OperationalError("SELECT 1", {}, cause),
        DBAPIError("SELECT 1", {}, cause),
        OSError(secret),
    ):
        with pytest.raises(ServerError) as refused:
            async with store._guarded():
                raise error
        for language in ("en", "ja", "ko"):
            assert secret not in refused.value.message(language)
        assert secret not in str(refused.value.details)
    await store.engine.dispose()
