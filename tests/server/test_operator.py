"""The operator's view: database failures, failed starts, disk usage, retention, metrics and backups."""

import json
import logging
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import func, insert, select, text, update
from typer.testing import CliRunner

from jantaku import terms
from jantaku.cli.app import app
from jantaku.errors import RequestError
from jantaku.game import Game, Pass
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.records.native.game_file import dumps
from jantaku.server.edge.metrics import Metrics, configure_tracing, metrics_port
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.play.live_game import LiveGame
from jantaku.server.run import configure_logging, prepare
from jantaku.server.settings import DATABASE_FILE, Limits, Pauses, Settings
from jantaku.server.storage.backup import backup
from jantaku.server.storage.base import METADATA, Rows, table_of
from jantaku.server.storage.cleanup import KINDS, Affected, RetentionRow
from jantaku.server.storage.event_plan import EventPlan, StagePlan
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.finished_games import OutcomeRow
from jantaku.server.storage.games import GameRow, HandRow, PlayerRow, moves_of
from jantaku.server.storage.people import DAY_MS
from jantaku.server.storage.ratings import RatingStep
from jantaku.server.storage.saved import UploadRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import Store
from jantaku.server.storage.tables import PRACTICE, RANKED, TableRow
from jantaku.server.storage.writer import Move
from server.parlour import IMPORTS, Person, Serve, code_of, fast_settings, free_port, only_limits, until
from server.postgres_cluster import Cluster
from server.sites import of_one_process
from server.test_archive import game_of
from server.test_event_online import League
from server.test_server_course import walk
from server.test_storage import create_game
from support.playing import played

SECRET, PASSWORD = "horse%40battery", "horse@battery"
LONG = "a long password"
SCRIPTS = {"ko": "[가-힣]", "ja": "[ぁ-んァ-ヶ一-龠]", "en": "[a-z]"}


class Operator:
    """A server with its health check and its log messages about the database."""

    def __init__(self, serve: Serve, logged: pytest.LogCaptureFixture) -> None:
        logged.set_level(logging.WARNING, "jantaku.server")
        self.serve, self.logged = serve, logged

    def log_messages(self) -> list[str]:
        messages = [record.getMessage() for record in self.logged.records]
        return [message for message in messages if "The database" in message]

    def health(self) -> int:
        """Return the status of the health check, which answers even if the database does not."""
        return httpx.get(f"{self.mina.url}/api/health", timeout=30).status_code

    def start(self, **settings: Any) -> Person:
        self.mina = Person(self.serve(**settings), "Mina")
        assert self.health() == 200
        return self.mina

    def check_failing(self, cause: str, broken: AbstractContextManager[object]) -> None:
        """Assert that nothing is stored while the database is broken, and that one log message says so."""
        with broken:
            for _ in range(2):
                answer = self.mina.send("POST", "/api/rules", toml="[riichi]\ndeposit = 300")
                assert (answer.status_code, self.health()) == (503, 503)
        until(lambda: self.health() == 200)
        until(lambda: len(self.log_messages()) == 2)
        first, second = self.log_messages()
        assert ("fails" in first, cause in first, "works again" in second) == (True, True, True)


@pytest.fixture
def operator(serve: Serve, caplog: pytest.LogCaptureFixture) -> Operator:
    return Operator(serve, caplog)


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """Suspend a process and its children."""
    processes = [process, *map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    for number in processes:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in processes:
            os.kill(number, signal.SIGCONT)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.slow
def test_a_frozen_database_is_logged_once_and_health_answers(
    cluster: Cluster, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.store.ANSWER_S", 1.0)
    operator.start(database_url=cluster.url)
    postmaster = int((cluster.data / "postmaster.pid").read_text().split()[0])
    operator.check_failing("Timeout", stopped(postmaster))


@of_one_process
@pytest.mark.slow
def test_a_locked_database_is_logged_once_and_health_answers(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.drivers.BUSY_MS", 300)
    operator.start()
    operator.check_failing("database is locked", locked(operator.serve.data / DATABASE_FILE))


def set_newer_version(folder: Path) -> None:
    prepare(fast_settings(folder), admin=False)
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def write_invalid_database(folder: Path) -> None:
    (folder / DATABASE_FILE).write_bytes(b"this is not a database " * 100)


def replace_folder_by_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("a file")


CASES: dict[str, Callable[[Path], object] | tuple[str, ...]] = {
    "newer": set_newer_version,
    "not a database": write_invalid_database,
    "a file instead of a folder": replace_folder_by_file,
    "not writable": ("--data", "/proc/nowhere"),
    "unreachable": (f"postgresql://mina:{SECRET}@127.0.0.1:1/jantaku",),
    "unreachable socket": (f"postgresql://mina@/x?host=/nowhere&password={SECRET}",),
    "unknown kind": (f"oracle://mina:{SECRET}@localhost/x",),
    "no URL": (f"mina:{SECRET}@localhost",),
    "no port": (f"postgresql://mina:ho/{SECRET}@localhost:port/x",),
    "invalid public URL": ("--public-url", "mahjong.example.org"),
    "missing rules file": ("--rules", "nowhere.toml"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_failed_start_prints_one_line(tmp_path: Path, name: str) -> None:
    case, folder = CASES[name], tmp_path / "data"
    folder.mkdir()
    options = case if isinstance(case, tuple) else ()
    if not isinstance(case, tuple):
        case(folder)
    variables = os.environ | {"PYTHONPATH": IMPORTS}
    if len(options) == 1:
        variables, options = variables | {"JANTAKU_DATABASE_URL": options[0]}, ()
    if "--data" not in options:
        options = (*options, "--data", str(folder))
    language = terms.LANGUAGES[
        list(CASES).index(name) % len(terms.LANGUAGES)
    ]  # one language per case, since starting a server takes a second
    command = [sys.executable, "-m", "jantaku", "serve", "--port", "0", "--lang", language, *options]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode > 0
    [output] = done.stderr.strip().splitlines()
    assert not [word for word in (SECRET, PASSWORD, "battery", "Traceback") if word in output + done.stdout]
    assert re.search(SCRIPTS[language], output)


DATABASES = (
    f"postgresql://mina:{SECRET}@127.0.0.1/club",
    f"postgresql://mina:{SECRET}@db.example.org/club",
    f"postgresql://mina:ho/{SECRET}@localhost:port/x",
    f"mina:{SECRET}@localhost",
    f"postgresql:///club?host=/run/postgresql&password={SECRET}",
    f"postgresql:///club?p%61ssword={SECRET}",
    f"postgresql:///club?sslPassword={SECRET}",
)
NATS = (
    f"nats://jantaku:{SECRET}@127.0.0.1:4222",
    f"nats://127.0.0.1:4222,tls://jantaku:{SECRET}@nats",
    f"nats://{SECRET}@localhost",  # a token
    f"{SECRET}@localhost",
)


@pytest.mark.parametrize(
    ("command", "option", "url", "variable"),
    [
        *(("serve", "--database", url, "JANTAKU_DATABASE_URL") for url in DATABASES),
        *(("serve", "--nats", url, "JANTAKU_NATS") for url in NATS),
        ("backup file", "--database", DATABASES[0], "JANTAKU_DATABASE_URL"),
        ("upgrade", "--database", DATABASES[0], "JANTAKU_DATABASE_URL"),
    ],
)
def test_a_password_in_an_option_is_refused(command: str, option: str, url: str, variable: str) -> None:
    for given in ([f"{option}={url}"], [option, url]):
        done = CliRunner().invoke(app, [*command.split(), *given])
        output = " ".join(done.output.split()) + str(done.exception)
        assert done.exit_code != 0
        assert (variable in output, "horse" in output) == (True, False)
    for allowed in ("", "?passfile=/etc/pass"):
        url = f"postgresql://mina@127.0.0.1:1/club{allowed}"
        done = CliRunner().invoke(app, ["backup", "file", "--database", url])
        assert "JANTAKU_DATABASE_URL" not in done.output + str(done.exception)  # the connection itself fails


def test_no_log_or_settings_text_contains_a_password(operator: Operator) -> None:
    url = f"postgresql://mina:{SECRET}@127.0.0.1:1/jantaku"
    settings = Settings(data_dir=operator.serve.data, database_url=url)
    store = Store(settings)
    store.faults.report(OSError(f"cannot connect with {SECRET} or {PASSWORD}"))
    output = repr([settings, store.where, store.engine, store.engine.url, *operator.log_messages()])
    assert (SECRET in output, PASSWORD in output, "***" in operator.log_messages()[0]) == (False, False, True)


@pytest.mark.parametrize(
    ("cause", "advised"),
    [
        ("database or disk is full", True),
        ('could not extend file "base/5/16384": No space left on device', True),
        ("database is locked", False),
    ],
)
def test_the_log_advises_what_to_do_about_a_full_disk(operator: Operator, cause: str, advised: bool) -> None:
    Store(Settings(data_dir=operator.serve.data)).faults.report(OSError(cause))
    [output] = operator.log_messages()
    assert (cause in output, "Free space" in output) == (True, advised)


# Disk usage by kind and by person, shown to the administrator in three languages


def administered(serve: Serve) -> tuple[Person, Person]:
    """Return the administrator of a server and another person."""
    token = prepare(fast_settings(serve.data), admin=False)
    admin, mina = Person(serve()), Person(serve.url, "Mina")
    admin.post("/api/enter", token=token)
    return admin, mina


@of_one_process
@pytest.mark.slow
def test_the_administrator_sees_disk_usage_by_kind_and_person(serve: Serve) -> None:
    admin, mina = administered(serve)
    mina.refused("not_allowed", "GET /api/disk")
    before = admin.get("/api/disk")
    for seed in range(3):
        mina.post("/api/uploads", text=dumps(game_of(400, seed)))
    mina.post("/api/rules", toml='extends = "tenhou"\n[about]\nen = "{}"\n'.format("x" * 1500))
    disk = admin.get("/api/disk")
    kinds = {kind["kind"]: kind["bytes"] for kind in disk["kinds"]}
    assert sum(kinds.values()) == disk["bytes"] >= before["bytes"]
    [hers] = [person for person in disk["people"] if person["id"] == mina.id]
    mine = {kind["kind"]: kind["bytes"] for kind in hers["kinds"]}
    assert mine["uploads"] == kinds["uploads"] > 10_000
    assert mine["rulesets"] > 3000
    assert (hers["name"], hers["bytes"]) == ("Mina", sum(mine.values()))
    assert disk["people"][0]["bytes"] == max(person["bytes"] for person in disk["people"])
    for language, script in SCRIPTS.items():
        names = [kind["name"] for kind in admin.get("/api/disk", lang=language)["kinds"]]
        assert all(re.search(script, name) for name in names)
    mina.table(bots=3)
    assert {kind["kind"] for kind in admin.get("/api/disk")["kinds"]} == kinds.keys()


@pytest.mark.slow
def test_storage_for_event_logs_is_limited_per_person_and_address(serve: Serve) -> None:
    """Change logs are permanent, so there is a limit per person, and for large changes one per address.

    Someone who hands an event over may create another one, but not indefinitely.
    """
    url = serve(limits=only_limits(kept_bytes_of_one=40_000, kept_bytes_per_day=60_000))

    def accepted(name: str, letters: int) -> int:
        """Return how many of ten changes are accepted; the others must be refused and have no effect."""
        who = Person(url, name, LONG)
        event = f"/api/events/{who.post('/api/events', name=name, rules='standard')['id']}"
        answers = [who.send("PATCH", event, about=str(i) * letters) for i in range(10)]
        count = sum(answer.is_success for answer in answers)
        assert [code_of(answer) for answer in answers[count:]] == ["too_much_kept_there"] * (10 - count)
        assert who.get(event)["about"] == str(count - 1) * letters
        return count

    assert 4 <= accepted("Mina", 4000) <= 6
    assert accepted("Sori", 4000) <= 4
    assert accepted("Yuki", 90) == 10
    serve(limits=only_limits(kept_bytes_of_one=40_000, events_of_one=2))
    one, other, codes = Person(url, "Hana", LONG), Person(url, "Jun", LONG), []
    for _ in range(12):
        answer = one.send("POST", "/api/events", name="Cup", rules="standard", about="x" * 4000)
        codes.append(code_of(answer))
        if answer.is_success:
            event = f"/api/events/{answer.json()['id']}"
            one.post(f"{event}/staff", name="Jun", role="organiser")
            one.delete(f"{event}/staff/{one.id}")
    assert other.id
    assert {*codes} == {"", "too_much_kept_there"}
    assert 2 <= codes.count("too_much_kept_there") <= 5


# Retention: the preview counts what would be deleted; data used by ratings and events is kept


NOW = 1000 * DAY_MS
USUAL = {kind.name: kind.default for kind in KINDS}


async def play_finished_game(
    services: Services, days_ago: float, status: str = "closed", **table: Any
) -> str:
    """Store a game that ended ``days_ago`` at a table with these values; return the id of the game."""
    row, game = await create_game(services)
    for number in range(3):
        await services.writer.write(Move(game.id, number, 0, "5m"))
    over = replace(game, status="finished", ended=NOW - round(days_ago * DAY_MS), hands=1)
    await services.games.end(over, row, [b"a hand"], 0, {})
    async with services.store.writing() as connection:
        values = {"status": status, **table}
        await connection.execute(update(TableRow).where(TableRow.id == row.id).values(values))
    return game.id


async def stored(services: Services) -> set[str]:
    return set(await services.store.values(select(GameRow.id)))


async def add(services: Services, rows: Rows, **values: Any) -> None:
    """Insert a row with these values and empty values for all other columns."""
    empty = {
        column.name: column.type.python_type() for column in table_of(rows).columns if not column.nullable
    }
    async with services.store.writing() as connection:
        await connection.execute(insert(rows).values(empty | values))


async def in_an_event(services: Services, game: str) -> None:
    await add(services, EventRow, id="e", plan=EventPlan(stages=[StagePlan("main")]))
    await add(services, OutcomeRow, game=game, event="e", stage="main", outcome="counted")


async def in_a_rating(services: Services, game: str) -> None:
    await add(services, RatingStep, under="u", person="p1", game=game)


async def test_retention_deletes_only_old_casual_games(services: Services) -> None:
    services.writer.start()
    rated = TableOptions(rated=True)
    gone = [await play_finished_game(services, 11), await play_finished_game(services, 11, stage=PRACTICE)]
    stays = [
        await play_finished_game(services, 9),
        await play_finished_game(services, 11, options=rated),
        await play_finished_game(services, 11, stage=RANKED),
        await play_finished_game(services, 11, event="e", stage="main"),
        await play_finished_game(services, 11, status="waiting"),  # the players may still want a rematch
    ]
    for counts in (in_an_event, in_a_rating):
        stays.append(await play_finished_game(services, 11))
        await counts(services, stays[-1])
    days = USUAL | {"casual": 10}
    expected = (await services.retention.preview(days, NOW))["casual"]
    assert (expected.rows, expected.bytes > 0) == (2, True)
    await services.retention.clean(NOW)
    assert await stored(services) == {*gone, *stays}, "nothing is deleted before the setting is saved"
    await services.retention.save(days)
    await services.retention.clean(NOW)
    assert await stored(services) == {*stays}
    left = await services.store.values(select(HandRow.game).union_all(select(PlayerRow.game)))
    assert not {*gone} & {*left}
    assert await moves_of(services.store, *gone) == {game: [] for game in gone}
    assert (await services.retention.preview(days, NOW))["casual"] == Affected(0, 0)


async def test_retention_deletes_only_old_uploads(services: Services) -> None:
    for created in (0, 995):
        await services.uploads.add("log", "x" * 1000, "p1", Limits())
        rows = update(UploadRow).where(UploadRow.created > NOW).values(created=created * DAY_MS)
        async with services.store.writing() as connection:
            await connection.execute(rows)
    days = USUAL | {"uploads": 10}
    uploads = (await services.retention.preview(days, NOW))["uploads"]
    assert (uploads.rows, uploads.bytes > 1000) == (1, True)
    await services.retention.save(days)
    await services.retention.clean(NOW)
    assert await services.store.value(select(func.count(UploadRow.id))) == 1


async def test_retention_has_defaults_until_changed(services: Services) -> None:
    assert await services.retention.days() == USUAL == {"unpacked": 30, "casual": 0, "uploads": 0}
    await services.retention.save(USUAL | {"unpacked": 3})
    assert await services.retention.days() == USUAL | {"unpacked": 3}
    await services.retention.save({})
    assert await services.retention.days() == USUAL
    assert await services.store.value(select(func.count(RetentionRow.name))) == 0


@pytest.mark.parametrize("days", [{"unpacked": 0}, {"casual": 6}, {"uploads": 1}, {"casual": 36_501}])
async def test_retention_periods_outside_their_limits_are_refused(
    services: Services, days: Mapping[str, int]
) -> None:
    for refuses in (services.retention.save, services.retention.preview):
        with pytest.raises(ServerError) as refused:
            await refuses(days)
        assert refused.value.code == "bad_days"


def test_only_the_administrator_previews_and_saves_retention(serve: Serve) -> None:
    admin, mina = administered(serve)
    kinds = [{"name": "casual", "days": 30}]
    for request in ("GET /api/keeping", "POST /api/keeping/preview", "PUT /api/keeping"):
        mina.refused("not_allowed", request, **({} if "GET" in request else {"kinds": kinds}))
    seen = admin.post("/api/keeping/preview", kinds=kinds)["kinds"]
    assert {kind["name"]: (kind["days"], kind["rows"]) for kind in seen}["casual"] == (30, 0)
    assert {kind["name"]: kind["days"] for kind in admin.get("/api/keeping")["kinds"]} == USUAL
    assert admin.put("/api/keeping", kinds=kinds)["kinds"] == admin.get("/api/keeping")["kinds"] == seen
    wrong = [{"name": "casual", "days": 1}]
    assert admin.refused("bad_days", "PUT /api/keeping", kinds=wrong)["field"] == "casual"
    for language, script in SCRIPTS.items():
        kinds = admin.get("/api/keeping", lang=language)["kinds"]
        assert all(re.search(script, kind[part]) for kind in kinds for part in ("label", "lost"))


# Metrics, structured logs and traces


@of_one_process
def test_metrics_count_table_activity_without_identities(serve: Serve) -> None:
    port = free_port()
    mina = Person(serve(metrics_port=port), "Mina")
    table, line = mina.start(sit=True)
    line.move()
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    pairs = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    numbers = {name: float(value) for name, _, value in pairs}
    for name in ('tables{state="playing"}', 'sockets{of="seat"}', "action_seconds_count"):
        assert numbers[f"jantaku_{name}"] == 1
    for name in ("actions_total", "messages_received_total", "messages_sent_total", "commit_seconds_count"):
        assert numbers[f"jantaku_{name}"] > 0
    assert not [secret for secret in (table, mina.id, "Mina", str(serve.data)) if secret in text]
    assert "jantaku_actions" not in httpx.get(f"{mina.url}/metrics").text
    assert mina.get("/api/ready") == {"ok": True, "processes": 1}
    with pytest.raises(RequestError) as refused, metrics_port(Settings(metrics_port=port), Metrics()):
        pass
    assert refused.value.code == "cannot_listen"


def test_json_logs_contain_no_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    configure_logging(Settings(tmp_path, database_url="postgresql://me:s3cret-word@host/x"), as_json=True)
    try:
        raise ValueError("s3cret-word is wrong")
    except ValueError:
        logging.getLogger("jantaku.server").exception("table %s", "abc")
    output = json.loads(capsys.readouterr().err)
    assert (output["level"], output["message"]) == ("ERROR", "table abc")
    assert ("is wrong" in output["error"], "s3cret" in str(output)) == (True, False)


def test_an_action_is_traced_in_steps_without_identities(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("opentelemetry.trace.get_tracer", provider.get_tracer)
    mina = Person(serve(), "Mina")
    table, line = mina.start(sit=True)
    line.move()
    spans = exporter.get_finished_spans()
    action = next(span for span in spans if span.name == "action")
    inside = [span for span in spans if span.parent and span.parent.span_id == action.context.span_id]
    assert [span.name for span in inside] == ["store", "play", "tell"]
    output = " ".join(span.to_json() for span in spans)
    assert not [secret for secret in (table, mina.id, "Mina") if secret in output]


def test_tracing_needs_a_configured_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    providers: list[object] = []
    monkeypatch.setattr("opentelemetry.trace.set_tracer_provider", providers.append)
    for variable in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(variable, raising=False)
    configure_tracing()
    assert providers == []
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    configure_tracing()
    assert len(providers) == 1


# Backups of SQLite and PostgreSQL, and their restoration


async def rows_of(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    services = Services(settings)
    try:
        async with services.store.reading() as connection:
            by_table = {}
            for table in METADATA.sorted_tables:
                rows = await connection.execute(table.select())
                by_table[table.name] = sorted(map(tuple, rows), key=repr)
            return by_table
    finally:
        await services.store.close()


@pytest.fixture
async def empty(services: Services, tmp_path: Path) -> Settings:
    """A new database of the same kind."""
    url = services.settings.database_url
    if url:
        async with services.store.engine.connect() as connection:
            plain = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await plain.execute(text("CREATE DATABASE restored"))
        url = "/".join([url.partition("?")[0].rpartition("/")[0], "restored?" + url.partition("?")[2]])
    return Settings(data_dir=tmp_path / "restored", database_url=url)


@pytest.mark.slow
async def test_a_backup_of_a_running_server_can_be_restored(
    services: Services, empty: Settings, tmp_path: Path
) -> None:
    league = League(services)
    await league.open()
    await league.play(played("tenhou", 3))
    await league.counter.decide_all()
    before, file = await rows_of(services.settings), tmp_path / "file"
    assert all(before[name] for name in ("people", "events", "recorded_games", "hand_versions", "hands"))
    kind = backup(services.settings, file)
    assert file.stat().st_mode & 0o777 == 0o600
    if kind == "sqlite":
        empty.data_dir.mkdir()
        shutil.copy(file, empty.data_dir / DATABASE_FILE)
    else:
        url = empty.database_url.replace("postgresql+asyncpg:", "postgresql:")
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={url}", str(file)], check=True)
    assert await rows_of(empty) == before
    again = Services(empty)
    await again.store.open()
    await again.store.close()


@pytest.mark.slow
async def test_a_backup_contains_only_committed_changes(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    thread = threading.Thread(target=prepare, args=(settings,), kwargs={"admin": True})
    thread.start()
    thread.join()
    writing = sqlite3.connect(settings.data_dir / DATABASE_FILE, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("UPDATE people SET name = 'half'")
    backup(settings, tmp_path / "copy")
    writing.close()
    copy = sqlite3.connect(tmp_path / "copy")
    assert copy.execute("SELECT count(*) FROM people WHERE name = 'half'").fetchone() == (0,)
    copy.close()


@pytest.mark.slow
def test_the_backup_command_writes_a_file_and_explains_restoring(tmp_path: Path) -> None:
    data, file = (str(tmp_path / name) for name in ("data", "file"))

    def called(*arguments: str) -> Any:
        return CliRunner().invoke(app, [*arguments, "--data", data])

    for missing in (called("backup", file), called("upgrade")):
        assert (missing.exit_code, Path(file).exists()) == (2, False)
        assert DATABASE_FILE in missing.output
    prepare(Settings(data_dir=Path(data)), admin=True)
    assert called("upgrade").exit_code == 0
    done = called("backup", file)
    assert (done.exit_code, file in done.output, f"{DATABASE_FILE}-wal" in done.output) == (0, True, True)
    assert called("backup", file).exit_code == 2  # restoring never overwrites a file
    assert called("backup", str(tmp_path / "nowhere" / "x")).exit_code == 2


# The load benchmark works although there are limits per address


@pytest.mark.long
def test_the_load_benchmark_reports_its_measurements() -> None:
    command = [sys.executable, "-m", "bench.server_load", "--tables", "4", "--seconds", "3"]
    output = subprocess.run(
        [*command, "--port", str(free_port())],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert output.returncode == 0, output.stderr
    titles, _, row = (line.strip("| ").split(" | ") for line in output.stdout.splitlines()[:3])
    figures = dict(zip(titles, row, strict=True))
    assert (figures["tables"], figures["sockets"]) == ("4", "16")
    assert float(figures["updates/s"]) > float(figures["actions/s"]) > 0
    assert "refused" not in output.stdout


FOREVER = 1e9


@pytest.mark.parametrize("even", [False, True])
def test_the_game_waits_for_players_who_can_call(even: bool) -> None:
    live = LiveGame(Game("standard", 3), Pauses(), 3.0, even)
    chance, now, claims = random.Random(3), 0.0, 0
    for _ in range(400):
        if live.game.is_over or live.between:
            break
        if live.game.record.phase == YOUR_TURN:
            walk(live, chance)
        now += FOREVER
        live.release(now)
        while live.game.record.phase != YOUR_TURN and not live.game.is_over:
            seat, before = live.game.to_act[0], live.sent
            assert Pass() in live.game.legal(seat)
            assert live.open_to(seat)
            assert live.release(now + FOREVER) == []
            claims += 1
            live.game.play(seat, Pass())
            now += 2 * FOREVER
            assert bool(live.release(now)) == (live.game.record.phase == YOUR_TURN or live.between)
            assert live.sent >= before
    assert claims > 3
