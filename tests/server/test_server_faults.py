"""Server faults: a table's players are told, the table is retried, and it is stopped if retries fail."""

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from jantaku import terms
from jantaku.game.step_events import Step
from jantaku.records.native import game_file as record
from jantaku.server.play import bot_choice
from jantaku.server.play import carry_out as play
from jantaku.server.play import game_loop as loop
from jantaku.server.play.table import Table
from jantaku.server.storage import finished_games
from server.parlour import LOOSE, Line, Message, Person, close_code, open_server, quick, simplest
from server.sites import of_one_process

FAULTY = "faulty"
DEPOSIT = "[riichi]\ndeposit = {}"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without delay."""
    monkeypatch.setattr(loop, "RETRY_S", 0.001)


class Bug:
    """Fails at a table of that name, so many times."""

    def __init__(self, times: float, works: Callable[..., Any]) -> None:
        self.left = times
        self.works = works

    async def __call__(self, table: Table, *rest: Any) -> Any:
        if table.row.name == FAULTY and self.left > 0:
            self.left -= 1
            raise RuntimeError("a bug")
        return await self.works(table, *rest)


@contextmanager
def playing(url: str, name: str = FAULTY, **hello: Any) -> Iterator[tuple[Person, Message, Line]]:
    """A table of one person and three bots, in a game."""
    mina = Person(url, "Mina")
    table = mina.table(bots=3, name=name)
    with closing(mina.socket(table["id"], **hello)) as line:
        mina.post(f"/api/tables/{table['id']}/start")
        yield mina, table, line


def act(line: Line) -> Message:
    """Do the simplest thing."""
    own = line.asked()
    assert own is not None
    return line.act(simplest(own))


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.slow
def test_players_are_told_of_a_fault_and_the_game_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: terms.Language
) -> None:
    monkeypatch.setattr(loop, "carry_out", Bug(loop.MOST_FAULTS - 1, play.carry_out))
    with open_server(quick(tmp_path)) as url, playing(url, language=language) as (_, _, line):
        act(line)
        said = line.until("error")
        assert said["code"] == "table_fault"
        assert said["id"] is None
        assert said["message"] == terms.text("server_errors.table_fault", language)
        line.own = None
        assert act(line)["type"] == "ack"


@of_one_process
@pytest.mark.slow
def test_a_broken_table_is_stopped_and_others_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = Bug(float("inf"), play.carry_out)
    monkeypatch.setattr(loop, "carry_out", bug)
    settings = quick(tmp_path)
    with (
        open_server(settings) as url,
        playing(url) as (mina, table, line),
        playing(url, "sound") as (_, _, other),
    ):
        act(line)
        codes = [line.until("error")["code"] for _ in range(2)]
        assert codes == ["table_fault", "table_stopped"]
        assert line.until("table")["table"]["stopped"]
        seq = line.seq
        refused = line.ask(type="act", game=1, ask=seq, action={"type": "pass"})
        assert refused["code"] == "table_stopped"
        for _ in range(3):
            assert act(other)["type"] == "ack"
        assert mina.get("/api/health")["stopped"] == 1
        assert table["id"] not in [row["id"] for row in mina.get("/api/tables")["tables"]]
        again = mina.socket(table["id"])
        assert again.welcome["table"]["stopped"]
        assert again.until("sync")["seq"] == seq
        again.close()
        cookie = dict(mina.http.cookies)
    bug.left = 0  # the fault is fixed
    with open_server(settings) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookie)
        with closing(mina.socket(table["id"], game=1, last=seq)) as line:
            assert not line.welcome["table"]["stopped"]
            assert act(line)["type"] == "ack"
            assert line.seq > seq


@pytest.mark.slow
def test_the_owner_may_end_a_stopped_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "carry_out", Bug(float("inf"), play.carry_out))
    with open_server(quick(tmp_path)) as url, playing(url) as (mina, table, line):
        act(line)
        line.until("table", lambda message: message["table"]["stopped"])
        assert mina.http.delete(f"/api/tables/{table['id']}").status_code == 200
        ended = line.until("table")["table"]
        assert (ended["status"], ended["stopped"]) == ("aborted", False)
        text = mina.http.get(f"/api/games/{ended['result']['record']}/record").text
        assert len(record.loads(text).moves) == 1


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["person", "bot"])
def test_a_fault_in_the_middle_of_an_action_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, actor: str
) -> None:
    """The engine has moved and the action is stored, but a later step failed: the action is undone."""
    whole, left = Step.events, [0]

    def told(step: Step) -> Any:
        if left[0] and (step.seat == 0) == (actor == "person"):
            left[0] -= 1
            raise RuntimeError("a bug")
        return whole(step)

    monkeypatch.setattr(Step, "events", told)
    with open_server(quick(tmp_path)) as url, playing(url) as (mina, table, line):
        act(line)
        left[0], before = 1, len(line.seen)
        while left[0]:  # an answer may be late: a bot was quicker
            answer = act(line)
            line.own = line.own if answer["type"] == "ack" else None
        assert actor == "bot" or answer["code"] == "internal"
        while "sync" not in [message["type"] for message in line.seen[before:]]:
            line.next()
        for _ in range(2):
            while act(line)["type"] != "ack":  # the table may be reading itself again
                line.own = None
        line.ask(type="abort", agree=True)
        game = mina.get(f"/api/tables/{table['id']}")["result"]["record"]
        truth = mina.get(f"/api/games/{game}/replay")["events"]
        last = max(index for index, message in enumerate(line.seen) if message["type"] == "sync")
        heard = [event for message in line.seen[last:] for event in message.get("events", ())]
        start = line.seen[last]["view_seq"]
        assert [open_to_all(event) for event in heard] == [
            open_to_all(event) for event in truth[start : start + len(heard)]
        ]


def open_to_all(event: Message) -> Message:
    """An event without what others do not see."""
    return {key: value for key, value in event.items() if key not in ("hands", "tile")}


@pytest.mark.slow
def test_an_unreadable_table_does_not_block_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, whole, read = quick(tmp_path), play.resume, ContextVar[str]("read")
    with (
        open_server(settings) as url,
        playing(url) as (mina, first, _),
        playing(url, "sound") as (_, second, _),
    ):
        cookie = dict(mina.http.cookies)

    async def resume(table: Table, stored: Any = None) -> None:
        read.set(table.row.id)
        await whole(table, stored)

    def replayed(*given: Any) -> Any:
        if read.get() == first["id"]:
            raise RuntimeError("a bug")
        return finished_games.replayed(*given)

    monkeypatch.setattr(play, "resume", resume)
    monkeypatch.setattr(play, "replayed", replayed)
    with open_server(settings) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookie)
        assert mina.get(f"/api/tables/{second['id']}")["stopped"] is False
        assert mina.get(f"/api/tables/{first['id']}")["stopped"] is True
        with closing(mina.socket(first["id"])) as line:
            assert line.welcome["table"]["stopped"]
        assert mina.http.delete(f"/api/tables/{first['id']}").status_code == 200
        assert mina.get(f"/api/tables/{first['id']}")["status"] == "aborted"


@pytest.mark.slow
def test_failing_hints_leave_the_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("jantaku.server.play.message_handlers.hints", broken)
    with open_server(quick(tmp_path)) as url, playing(url) as (_, _, line):
        line.asked()
        for _ in range(2 * loop.MOST_FAULTS):
            assert line.ask(type="hints")["code"] == "internal"
        assert act(line)["type"] == "ack"


@pytest.mark.slow
def test_the_server_plays_for_a_failing_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_policy: str) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(bot_choice, "_player", broken)
    with open_server(quick(tmp_path)) as url, playing(url) as (_, _, line):
        for _ in range(3):
            assert act(line)["type"] == "ack"


# Limits for one person and one address


@pytest.mark.slow
def test_sockets_of_one_person_are_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, sockets_of_one=2)
    with open_server(quick(tmp_path, limits=limits)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table()["id"]
        lines = [mina.socket(table, watch=True) for _ in range(2)]
        assert close_code(mina.raw(table)) == 4429
        lines[0].close()
        with closing(Person(url, "Jun")) as jun:
            jun.socket(table).close()
        while True:  # the place is free once the server has noticed
            raw = mina.raw(table)
            raw.send('{"type":"hello","version":1}')
            try:
                raw.recv()
                break
            except Exception:
                continue
        raw.close()
        lines[1].close()


@pytest.mark.parametrize(
    ("limit", "path", "bodies", "code"),
    [
        ("guests_per_day", "/api/guest", [{"name": "a"}, {"name": "b"}], "too_many_guests"),
        ("tables_of_one", "/api/tables", [{"sit": False}, {}], "too_many_tables"),
        ("rules_of_one", "/api/rules", [{"toml": DEPOSIT.format(n)} for n in (300, 500)], "too_many_rules"),
    ],
)
@pytest.mark.slow
def test_everything_one_person_keeps_is_limited(
    tmp_path: Path, limit: str, path: str, bodies: list[Message], code: str
) -> None:
    changes: dict[str, Any] = {limit: 2 if limit == "guests_per_day" else 1}
    limits = dataclasses.replace(LOOSE, **changes)
    with open_server(quick(tmp_path, limits=limits)) as url, closing(Person(url, "Mina")) as mina:
        mina.post(path, **bodies[0])
        answer = mina.http.post(path, json=bodies[1])
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, code)
        assert answer.json()["error"]["message"]


@of_one_process
@pytest.mark.slow
def test_finished_tables_leave_memory_and_can_be_reloaded(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, idle_tables=2, tables_of_one=100)
    settings = quick(tmp_path, limits=limits)
    with open_server(settings) as url, closing(Person(url, "Mina")) as mina:
        tables = [mina.table(bots=3)["id"] for _ in range(4)]
        for table in tables:
            mina.post(f"/api/tables/{table}/start")
            with closing(mina.socket(table)) as line:
                line.ask(type="abort", agree=True)
    with open_server(settings) as url, closing(Person(url, "Jun")) as jun:
        assert jun.get("/api/health")["tables"] == 0
        for table in tables:
            game = jun.get(f"/api/tables/{table}")
            assert game["status"] == "aborted"
            assert jun.get(f"/api/games/{game['result']['record']}/replay")["hands"]
        assert jun.get("/api/health")["tables"] == 2
