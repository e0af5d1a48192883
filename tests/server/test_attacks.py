"""Requests that used to block all tables: each is refused, or answered without blocking the event loop."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

import httpx
import pytest

from jantaku.club.statistics import person_figures
from jantaku.game import Game
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.archive.replay import ReplayGame
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.work import TooMuchWorkError, Workers, run_in_fork, run_limited
from jantaku.server.errors import ServerError
from jantaku.server.rules.pages import read_rules, write_booklet
from jantaku.server.settings import RATES, Limits, without
from jantaku.server.study import profile
from server.parlour import Person, Serve, fast_settings, open_server
from support.steps import Steps

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
HAND: dict[str, Any] = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
DOTTED = "a" + ".a" * 23_900 + " = 1\n"
MAX_STEPS = 100_000
"""Function calls per event loop callback. An honest request makes 40,000; each attack made millions."""
Request = tuple[str, dict[str, Any]]
HONEST: list[Request] = [
    ("score", HAND),
    ("score", HAND | {"rules": {"riichi": {"deposit": 500}}}),
    ("explain", HAND),
    ("waits", {"hand": "234m567p34567s99p"}),
    ("rules/check", {"toml": "[riichi]\ndeposit = 500"}),
    ("rules", {"toml": "[riichi]\ndeposit = 500"}),
    ("uploads", {"text": "{}"}),
]


def unknown_yaku() -> list[Request]:
    """Requests whose rules contain thousands of misspelled yaku."""
    yaku = {f"sanshoku_doukoo{number}": {"closed": 1} for number in range(2900)}
    return [("score", HAND | {"rules": {"yaku": yaku}})] * 5


def unknown_options() -> list[Request]:
    """Requests whose rules contain thousands of misspelled options and choices, and long words."""
    options = dict.fromkeys((f"ippatsu_broken_by_anka{number}" for number in range(3500)), 1)
    long = {"x" * 30_000 + str(number): 1 for number in range(3)}
    return [("explain", HAND | {"rules": rules}) for rules in ({"riichi": options}, {"riichi": long}, long)]


def long_words() -> list[Request]:
    """Requests with words of 100 kB in place of short ones."""
    word = "east" * 25_000
    return [("score", HAND | {name: word}) for name in ("round", "by", "hand", "win", "rules", word)]


def dotted_keys() -> list[Request]:
    """Requests with TOML whose keys have thousands of parts."""
    return [("rules/check", {"toml": DOTTED})] * 4 + [("rules", {"toml": DOTTED})] * 4


def without_order() -> list[Request]:
    """Requests with a tenhou.net/6 log containing so many ambiguous pons that their order cannot be found."""
    text = json.loads(formats.dumps(Game("tenhou", seed=3), "tenhou"))
    row = text["log"][0]
    for seat in range(4):
        row[5 + 3 * seat] = [11, "p111111"] * 800
        row[6 + 3 * seat] = [11, 11] * 800
    return [("uploads", {"text": json.dumps(text)})] * 6


def deep_bodies() -> list[Request]:
    """Requests whose bodies are deeply nested lists."""
    value: Any = 1
    for _ in range(190):
        value = [value]
    return [(path, {"rules": {"riichi": value}, "hand": value}) for path in ("score", "waits")]


def attack(url: str, requests: list[Request]) -> list[int]:
    """Send all requests at once while another person polls the server; return the statuses."""
    attacker, other = Person(url, "Mallory"), Person(url)
    statuses: list[int] = []

    def send(path: str, body: dict[str, Any]) -> None:
        answer = httpx.post(f"{url}/api/{path}", json=body, cookies=dict(attacker.http.cookies), timeout=120)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=send, args=request) for request in requests]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        other.get("/api/health")
        time.sleep(0.01)
    return statuses


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Steps]]:
    """A server with a short time limit for jobs, and the calls made by its event loop."""
    limits = Limits(requests_per_s=1e6, request_burst=1_000_000, entries_per_min=1e6, job_cpu_s=0.5)
    settings, steps = fast_settings(tmp_path_factory.mktemp("attacks"), limits=limits), Steps()
    with open_server(settings, steps.watch_loop) as url:
        attack(url, HONEST)  # warm-up
        yield url, steps


@pytest.mark.parametrize(
    "requests", [unknown_yaku, unknown_options, long_words, dotted_keys, without_order, deep_bodies]
)
def test_attacks_are_refused_while_others_are_served(
    strict: tuple[str, Steps], requests: Callable[[], list[Request]]
) -> None:
    url, steps = strict
    steps.forget()
    statuses = attack(url, requests())
    assert len(statuses) == len(requests())
    assert max(statuses) < 500
    assert steps.most < MAX_STEPS


def slowly(function: Callable[..., Any]) -> Callable[..., Any]:
    """Slow down a function so that requests that use it pile up."""

    def slow(*given: Any) -> Any:
        time.sleep(0.02)
        return function(*given)

    return slow


@pytest.mark.parametrize("subject", ["replays", "profile"])
def test_many_requests_of_one_person_barely_delay_another(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    """Instead of time, count the attacker's requests that are answered while the other person waits."""
    monkeypatch.setattr(ReplayGame, "moment", slowly(ReplayGame.moment))
    monkeypatch.setattr(profile, "person_figures", slowly(person_figures))
    url = serve(limits=without(Limits(), *RATES))
    one, other, path = Person(url, "Mallory"), Person(url, "Mina"), "/api/me/profile"
    if subject == "replays":
        text = formats.dumps(Game("tenhou", seed=3), "tenhou")
        path = f"/api/uploads/{one.post('/api/uploads', name='log', text=text)['id']}/replay/0"
    done: list[int] = []

    def ask(_: int) -> None:
        done.append(httpx.get(url + path, cookies=dict(one.http.cookies), timeout=60).status_code)

    with ThreadPoolExecutor(32) as pool:
        pool.map(ask, range(150))
        while len(done) < 10:
            time.sleep(0.01)
        before = done.count(200)
        other.get(path)
        meanwhile = done.count(200) - before
    assert meanwhile <= 6, meanwhile
    assert set(done) <= {200, 429, 503}


# Jobs in worker processes


ASKER = Principal("p1", "192.0.2.1")


async def assert_too_heavy(workers: Workers, function: Callable[..., Any], *given: Any) -> None:
    with pytest.raises(ServerError) as caught:
        await workers.run(ASKER, function, *given)
    assert caught.value.code == "too_heavy"


async def test_a_job_has_a_time_limit() -> None:
    workers = Workers(Limits(job_cpu_s=0.2))
    await assert_too_heavy(workers, sum, range(10**13))
    await assert_too_heavy(workers, read_rules, DOTTED)
    assert await workers.run(ASKER, len, "four") == 4


async def test_a_dead_worker_is_replaced() -> None:
    workers = Workers(Limits())
    first = await workers.run(ASKER, os.getpid)
    assert first != os.getpid()
    await assert_too_heavy(workers, os._exit, 1)
    assert await workers.run(ASKER, os.getpid) not in (first, os.getpid())


async def test_waiting_jobs_are_limited_per_person_and_address() -> None:
    workers = Workers(Limits(jobs_of_one=2, jobs_of_address=3, jobs=4))
    askers = [Principal(person, address) for person, address in ("aX", "aX", "aX", "bX", "cX", "dY", "eZ")]
    jobs = (workers.run(asker, len, "four") for asker in askers)
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    refused = [isinstance(outcome, ServerError) and outcome.code == "busy" for outcome in outcomes]
    assert refused == [False, False, True, False, True, False, True]
    assert await workers.run(askers[-1], len, "four") == 4


async def test_jobs_of_one_address_delay_another_by_at_most_one_job() -> None:
    workers, done = Workers(Limits()), list[str]()

    async def ask(person: str, address: str) -> None:
        await workers.run(Principal(person, address), time.sleep, 0.05)
        done.append(address)

    crowd = [asyncio.create_task(ask(f"guest {number // 2}", "X")) for number in range(8)]
    await asyncio.sleep(0)
    await asyncio.gather(ask("other", "Y"), *crowd)
    assert done.index("Y") <= 2, done


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_state_of_a_forked_job_ends_with_its_process() -> None:
    state = list[int]()

    def remember(number: int) -> int:
        state.append(number)
        return os.getpid()

    assert run_in_fork(remember, 5) != os.getpid()
    assert state == []
    with pytest.raises(ZeroDivisionError):
        run_in_fork(divmod, 1, 0)
    with pytest.raises(MemoryError):
        run_in_fork(os._exit, 1)
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as worker,
        pytest.raises((TooMuchWorkError, MemoryError)),
    ):
        worker.submit(run_limited, 0.2, run_in_fork, (sum, range(10**13))).result()


@pytest.mark.skipif(find_spec("typst") is None, reason="no Typst")
async def test_booklets_leave_no_memory_in_the_workers() -> None:
    """The typesetting library would keep the last ten booklets in memory, up to hundreds of megabytes."""
    resource = pytest.importorskip("resource")
    workers, rules, sizes = Workers(Limits(job_cpu_s=60)), load("standard"), []
    wanted = {"format": "pdf", "paper": "a4", "date": "", "logo": "", "known": ""}
    for number in range(6):
        await workers.run(ASKER, write_booklet, rules, {**wanted, "club": str(number)}, "ko")
        usage = await workers.run(ASKER, resource.getrusage, resource.RUSAGE_SELF)
        sizes.append(usage.ru_maxrss >> 10)
    assert sizes[-1] - sizes[0] < 80, sizes
