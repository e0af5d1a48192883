"""The operator's rules files are offered like presets and cannot be loaded by others."""

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku.cli.house_rules import read_house_rules
from jantaku.errors import RequestError
from jantaku.rules import Ruleset, load, preset_names
from jantaku.server.edge.limits import ASKER, Principal
from jantaku.server.edge.work import FairWork
from jantaku.server.rules import pages, routes
from jantaku.server.storage.saved import RulesetStore
from jantaku.server.storage.services import Services
from jantaku.terms import LANGUAGES
from server.parlour import WAIT_S, Person, Serve, until
from server.sites import of_one_process

CLUB = """extends = "standard"
name = { en = "Our club" }

[match]
length = "east"

[yaku.aisatsu]
closed = 1
open = 1
when = "runs >= 0"
name = { en = "Greeting", ja = "挨拶", ko = "인사" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "club.toml").write_text(CLUB, "utf-8")
    return folder


def test_house_rules_are_offered_like_presets(serve: Serve, folder: Path) -> None:
    mina = Person(serve(house_rules=read_house_rules([folder])))
    rows = mina.get("/api/rules")["rules"]
    assert [row["id"] for row in rows] == ["club", *preset_names()]
    assert [row["name"] for row in rows if row["house"]] == ["Our club"]
    page = mina.get("/api/rules/club", lang="ko")
    assert [row["closed"] for row in page["yaku"] if row["id"] == "aisatsu"] == ["1판"]
    assert mina.get(f"/api/rules/{rows[0]['fingerprint']}")["id"] == "club"
    assert any(row["path"] == "yaku.aisatsu" for row in mina.get("/api/rules/club/diff")["rows"])
    assert mina.post("/api/rules/check", toml=page["toml"])["ok"]


def refused(*paths: Path) -> RequestError:
    with pytest.raises(RequestError) as caught:
        read_house_rules(paths)
    for language in LANGUAGES:
        message = caught.value.message(language)
        assert "\n" not in message
        assert "{" not in message
        assert str(paths[-1]) in message
    return caught.value


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("tenhou", 'extends = "standard"\n', "house_rules_preset"),
        ("options", "", "house_rules_name"),
        ("0123456789abcdef", "", "house_rules_name"),
        ("our club", "", "house_rules_name"),
        ("x" * 41, "", "house_rules_name"),
        ("club", "[match]\nlength = 3\nsize = 1\n", "house_rules_wrong"),
        ("club", "[match", "house_rules_wrong"),
        ("club", '[local]\nfile = "club.py"\n', "house_rules_wrong"),
    ],
)
def test_an_invalid_rules_file_is_refused_with_a_one_line_message(
    tmp_path: Path, name: str, text: str, code: str
) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text(text, "utf-8")
    assert refused(path).code == code


def test_missing_empty_and_duplicate_rules_files_are_refused(tmp_path: Path, folder: Path) -> None:
    assert refused(tmp_path / "nowhere.toml").code == "house_rules_wrong"
    assert refused(tmp_path).code == "house_rules_none"
    other = tmp_path / "Club.toml"
    other.write_text("", "utf-8")
    assert refused(folder, other).code == "house_rules_twice"


def test_a_file_listed_twice_is_offered_once(folder: Path) -> None:
    (folder / "저녁.toml").write_text('extends = "club.toml"\n', "utf-8")
    changed = read_house_rules([folder, folder / "club.toml"])
    assert [rules.id for rules in changed] == ["club", "저녁"]
    assert [yaku.id for yaku in changed[1].own_yaku] == ["aisatsu"]


@pytest.mark.slow
def test_rules_outlive_their_file(serve: Serve) -> None:
    file = serve.data / "short.toml"
    file.write_text('[match]\nlength = "east"\n', "utf-8")
    mina = Person(serve(house_rules=read_house_rules([file])), "Mina")
    table = mina.table(rules="short")
    serve()
    mina.post(f"/api/tables/{table['id']}/start")
    assert mina.get(f"/api/tables/{table['id']}")["rules"]["fingerprint"] == table["rules"]["fingerprint"]
    assert load("standard").fingerprint != table["rules"]["fingerprint"]


def test_the_same_rules_under_another_id_keep_their_fingerprint() -> None:
    rules = load("standard").with_changes({"riichi.ippatsu": False})
    shown = rules.under("another")
    assert (shown.id, rules.under(rules.id)) == ("another", rules)
    assert vars(shown)["fingerprint"] == rules.fingerprint  # the fingerprint is copied, not computed again
    assert load(shown.to_dict()).fingerprint == rules.fingerprint


# Saved rules are parsed in threads and in turns, so that rules with many custom yaku delay nobody


MANY = 40


def own_rules(number: int) -> Ruleset:
    """Return rules with a custom yaku that depends on the number."""
    when = f'dora >= {number} and count("5z") == 2'
    return load({"extends": "standard", "yaku": {"white": {"closed": 2, "when": when}}})


async def test_rules_are_parsed_outside_the_event_loop(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser of this test waits for the event loop, so parsing in the event loop would be a deadlock."""
    loop, resumed, read = asyncio.get_running_loop(), threading.Event(), RulesetStore._parsed

    def beside(self: RulesetStore, tree: dict[str, Any], key: str) -> Ruleset:
        loop.call_soon_threadsafe(resumed.set)
        assert resumed.wait(WAIT_S), "the event loop was blocked"
        return read(self, tree, key)

    saved = await services.rulesets.save(own_rules(3))
    monkeypatch.setattr(RulesetStore, "_parsed", beside)
    assert (await services.rulesets.find(saved)).fingerprint == saved


async def test_parsing_many_rules_of_one_person_delays_another_by_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test compares the order of parsing; rules shown in lists are parsed in turns too."""
    order, joined, read, turn = list[str](), set[str](), RulesetStore._parsed, FairWork.turn
    open_gate = threading.Event()

    def noted(self: RulesetStore, tree: dict[str, Any], key: str) -> Ruleset:
        assert len(order) < 3 or open_gate.wait(WAIT_S)
        order.append(key)
        return read(self, tree, key)

    def joining(self: FairWork, holder: Principal) -> Any:
        joined.add(holder.person)
        return turn(self, holder)

    monkeypatch.setattr(RulesetStore, "_parsed", noted)
    monkeypatch.setattr(FairWork, "turn", joining)
    greedy = [await services.rulesets.save(own_rules(number), person="greedy") for number in range(MANY)]
    others = await services.rulesets.save(own_rules(MANY), person="other")

    async def lists(person: str, address: str, times: int) -> None:
        ASKER.set(Principal(person, address))
        await asyncio.gather(*(services.rulesets.of_person(person) for _ in range(times)))

    async def each(person: str, address: str) -> None:
        ASKER.set(Principal(person, address))
        await asyncio.gather(*(services.rulesets.find(key) for key in greedy))

    work = [lists("greedy", "X", 8), each("again", "X"), lists("other", "Y", 1)]
    tasks = [asyncio.create_task(job) for job in work]
    while joined < {"greedy", "again", "other"}:
        await asyncio.sleep(0)
    open_gate.set()
    await asyncio.gather(*tasks)
    assert order.index(others) <= 4
    assert sorted(order) == sorted([*greedy, others]), "rules requested concurrently are parsed once"


async def test_rules_parsed_before_a_change_are_not_cached(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The author's name is erased while the rules are being parsed."""
    rules, read = own_rules(3), RulesetStore._parsed
    saved = await services.rulesets.save(rules, "old", "p1")

    def forgetting(self: RulesetStore, tree: dict[str, Any], key: str) -> Ruleset:
        services.rulesets.forget()
        return read(self, tree, key)

    with monkeypatch.context() as reading:
        reading.setattr(RulesetStore, "_parsed", forgetting)
        await services.rulesets.find(saved)
    await services.rulesets.save(rules.with_changes({}, name="new"), "new", "p1")
    assert (await services.rulesets.find(saved)).name == rules.with_changes({}, name="new").name


@of_one_process
@pytest.mark.slow
def test_rules_pages_are_rendered_in_turns(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty requests of one person are waiting, and a page for another person is rendered next."""
    slots, render = threading.Semaphore(0), pages.page

    def waits(*given: Any) -> Any:
        assert slots.acquire(timeout=WAIT_S)
        return render(*given)

    monkeypatch.setattr(routes, "page", waits)
    greedy, other = Person(url, "Greedy"), Person(url, "Other")
    with ThreadPoolExecutor(MANY + 1) as pool:

        def ask(person: Person, rules: str) -> "Future[int]":
            cookies = dict(person.http.cookies)
            get = partial(httpx.get, f"{url}/api/rules/{rules}", cookies=cookies, timeout=WAIT_S)
            return pool.submit(lambda: get().status_code)

        requests = [ask(greedy, "tenhou") for _ in range(MANY)]
        # requests beyond the quota of one person
        until(lambda: sum(done.done() for done in requests) == MANY - 32)
        assert {done.result() for done in requests if done.done()} == {429}
        served = ask(other, "wrc")
        while not served.done():
            slots.release()
            time.sleep(0.01)
        assert not all(done.done() for done in requests)
        slots.release(MANY)
        assert (served.result(), [done.result() for done in requests].count(200)) == (200, 32)
