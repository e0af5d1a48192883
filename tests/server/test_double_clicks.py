"""Every route that changes something gets the same request twice at the same time, as after a double click.

Neither request may cause a server error, and nothing may be added twice.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from jantaku.server.edge.guard import RepeatGuard
from jantaku.server.run import prepare
from jantaku.server.storage.base import METADATA
from server import rights_rows
from server import test_event_rights as in_events
from server import test_server_rights as elsewhere
from server.clubs import Visitor
from server.parlour import NO_LIMITS, SITE, WAIT_S, Person, fast_settings, open_server, run_threads

pytestmark = pytest.mark.slow
ONCE = {"once": "1"}
# These may change: bots keep playing at other tables, event logs record every change, and people may have
# many sessions and sign-in challenges
IGNORED_TABLES = ("actions", "hands", "event_audit", "sessions", "one_times", "pulse")
MAX_ROUNDS = 20  # at most 60 rounds are allowed, and repeated requests add rounds that are not counted
BACKGROUND = "/seating"  # continues after the response
Sent = tuple[str, str, Any]
Rows = dict[str, int]


class FullServer:
    """A server with one object of every kind, and the number of rows in each database table."""

    def __init__(self, url: str, token: str, database: str) -> None:
        self.database = database
        self.round, once = 0, RepeatGuard.once  # requests from earlier rounds are not treated as repetitions
        self.once = lambda known, person, *sent: once(known, f"{person} {self.round}", *sent)
        self.elsewhere, self.admin = elsewhere.Cast(url, token), Visitor(url)
        self.admin.post("/api/enter", token=self.elsewhere.token("admin"))
        self.event = in_events.Cast(url, self.admin)

    async def rows(self) -> Rows:
        engine = create_async_engine(self.database, poolclass=NullPool)
        async with engine.connect() as connection:
            return {
                name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
                for name, table in METADATA.tables.items()
                if name not in IGNORED_TABLES
            }


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def parlour(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullServer]:
    limits = replace(NO_LIMITS, tables_of_one=10_000, tables=10_000, events_of_one=10_000)
    settings = fast_settings(tmp_path_factory.mktemp("twice"), limits=limits)
    if request.param == "postgres":
        settings = replace(settings, database_url=request.getfixturevalue("cluster").new_database("twice"))
    token = prepare(settings, admin=False)
    assert token is not None
    with pytest.MonkeyPatch.context() as patch, open_server(settings) as url:
        parlour = FullServer(url, token, settings.url)
        patch.setattr(RepeatGuard, "once", parlour.once)
        yield parlour


def at_once(who: Person, count: int, sent: Sent) -> list[httpx.Response]:
    """Send the same request ``count`` times at once from one browser, each on its own connection."""
    answers: list[httpx.Response] = []
    barrier = threading.Barrier(count)

    def send(after_s: float) -> None:
        with httpx.Client(base_url=who.url, timeout=WAIT_S, cookies=who.http.cookies, headers=ONCE) as http:
            http.get("/api/health")
            barrier.wait(WAIT_S)
            time.sleep(after_s)
            answers.append(
                http.request(sent[0], sent[1], json=None if sent[0] == "DELETE" else sent[2] or {})
            )

    apart_s = 0.05 if SITE in os.environ else 0.0  # gateways need a moment to synchronise
    run_threads([threading.Thread(target=send, args=[number * apart_s]) for number in range(count)])
    return answers


def check(parlour: FullServer, made: Callable[[], tuple[Person, Sent]]) -> None:
    """Assert that a request sent twice at once adds as many rows as one sent once, without server errors."""
    added: list[Rows] = []
    for count in (1, 2):
        who, sent = made()
        before = asyncio.run(parlour.rows())
        answers = at_once(who, count, sent)
        codes = sorted(answer.status_code for answer in answers)
        assert codes[0] == 200, [answer.text for answer in answers]
        assert codes[-1] < 500, [answer.text for answer in answers]
        after = asyncio.run(parlour.rows())
        added.append({name: after[name] - before[name] for name in after})
        parlour.round += 1
    once, twice = added
    if sent[1].endswith(BACKGROUND):
        return
    assert {name: count for name, count in twice.items() if count > max(0, once[name])} == {}


def changing(rows: Iterable[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "row", [row for row in rows if row.method != "GET" and row.allowed], ids=str
    )


@changing(in_events.ROWS)
def test_double_clicks_in_events_add_nothing_twice(parlour: FullServer, row: in_events.Row) -> None:
    full = parlour.event.last_round > MAX_ROUNDS
    cast = in_events.Cast(parlour.elsewhere.url, parlour.admin) if full else parlour.event

    def made() -> tuple[Person, Sent]:
        places, who = cast.places(row), cast.one(row.allowed[-1])
        return who, (row.method, row.path.format(**places), in_events.filled(row.body or {}, places))

    check(parlour, made)


@changing(rights_rows.ROWS)
def test_double_clicks_outside_events_add_nothing_twice(parlour: FullServer, row: rights_rows.Row) -> None:
    if SITE in os.environ and row.path == "/api/guest":
        pytest.skip("two gateways may each create a guest before they synchronise")
    cast, role = parlour.elsewhere, row.allowed[0]

    def made() -> tuple[Person, Sent]:
        who = cast.one(role)
        places = cast.places(row, who, role)
        return who, (row.method, row.path.format(**places), elsewhere.filled(row.body, places))

    check(parlour, made)
