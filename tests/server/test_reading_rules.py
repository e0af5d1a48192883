"""Saved rules are read beside the tables and by turns, however full of own yaku they are."""

import asyncio
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku.rules import Ruleset, load
from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import ASKER, Holder
from jantaku.server.rules import rules_pages, rules_routes
from jantaku.server.storage.rulesets import RulesetStore
from jantaku.server.storage.services import Services
from server.parlour import WAIT_S, Person, open_server, quick
from server.sites import of_one_process

MANY = 40


def own_rules(number: int) -> Ruleset:
    """Rules that differ in their own yaku from those of other numbers."""
    when = f'dora >= {number} and count("5z") == 2'
    return load({"extends": "standard", "yaku": {"white": {"closed": 2, "when": when}}})


@pytest.mark.anyio
async def test_rules_are_read_beside_the_tables(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader waits for the loop, which could not go on if it were read there."""
    loop, gone_on, read = asyncio.get_running_loop(), threading.Event(), RulesetStore._parsed

    def beside(self: RulesetStore, tree: str, key: str) -> Ruleset:
        loop.call_soon_threadsafe(gone_on.set)
        assert gone_on.wait(WAIT_S), "the loop of all tables stood still"
        return read(self, tree, key)

    saved = await services.rulesets.save(own_rules(3))
    monkeypatch.setattr(RulesetStore, "_parsed", beside)
    assert (await services.rulesets.find(saved)).fingerprint == saved


@pytest.mark.anyio
async def test_many_rules_of_one_hold_up_another_for_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by the order in which they are read: those of a list, too, wait for each other's turn."""
    order, joined, read, turn = list[str](), set[str](), RulesetStore._parsed, FairWork.turn
    open_gate = threading.Event()

    def noted(self: RulesetStore, tree: str, key: str) -> Ruleset:
        assert len(order) < 3 or open_gate.wait(WAIT_S)
        order.append(key)
        return read(self, tree, key)

    def joining(self: FairWork, holder: Holder) -> Any:
        joined.add(holder.person)
        return turn(self, holder)

    monkeypatch.setattr(RulesetStore, "_parsed", noted)
    monkeypatch.setattr(FairWork, "turn", joining)
    greedy = [await services.rulesets.save(own_rules(number), person="greedy") for number in range(MANY)]
    others = await services.rulesets.save(own_rules(MANY), person="other")

    async def lists(person: str, address: str, times: int) -> None:
        ASKER.set(Holder(person, address))
        await asyncio.gather(*(services.rulesets.of_person(person) for _ in range(times)))

    async def each(person: str, address: str) -> None:
        ASKER.set(Holder(person, address))
        await asyncio.gather(*(services.rulesets.find(key) for key in greedy))

    work = [lists("greedy", "X", 8), each("again", "X"), lists("other", "Y", 1)]
    tasks = [asyncio.create_task(job) for job in work]
    while joined < {"greedy", "again", "other"}:
        await asyncio.sleep(0)
    open_gate.set()
    await asyncio.gather(*tasks)
    assert order.index(others) <= 4
    assert sorted(order) == sorted([*greedy, others]), "rules that two ask for at once are read once"


@pytest.mark.anyio
async def test_what_was_read_before_a_change_is_not_kept(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that somebody had erased while the rules were being read."""
    rules, read = own_rules(3), RulesetStore._parsed
    saved = await services.rulesets.save(rules, "old", "p1")

    def forgetting(self: RulesetStore, tree: str, key: str) -> Ruleset:
        services.rulesets.forget()
        return read(self, tree, key)

    with monkeypatch.context() as reading:
        reading.setattr(RulesetStore, "_parsed", forgetting)
        await services.rulesets.find(saved)
    await services.rulesets.save(rules.with_changes({}, name="new"), "new", "p1")
    assert (await services.rulesets.find(saved)).name == rules.with_changes({}, name="new").name


@of_one_process
@pytest.mark.slow
def test_pages_of_rules_are_made_by_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty requests for pages by one address wait in the line; another one's page is the next to be made."""
    made, line, held = list[str](), threading.Semaphore(0), rules_pages.page

    def noted(rules: Ruleset, toml: str, language: Any) -> Any:
        assert line.acquire(timeout=WAIT_S)
        made.append(rules.id)
        return held(rules, toml, language)

    monkeypatch.setattr(rules_routes, "page", noted)
    with (
        open_server(quick(tmp_path)) as url,
        closing(Person(url, "Greedy")) as greedy,
        closing(Person(url, "Other")) as other,
    ):

        def ask(person: Person, rules: str, done: list[int]) -> threading.Thread:
            cookies = dict(person.http.cookies)

            def get() -> None:
                answer = httpx.get(f"{url}/api/rules/{rules}", cookies=cookies, timeout=WAIT_S)
                done.append(answer.status_code)

            thread = threading.Thread(target=get)
            thread.start()
            return thread

        statuses: list[int] = []
        threads = [ask(greedy, "tenhou", statuses) for _ in range(MANY)]
        while len(statuses) < MANY - 32:  # beyond what one person may have in the line
            threading.Event().wait(0.01)
        assert set(statuses) == {429}
        served: list[int] = []
        threads.append(ask(other, "wrc", served))
        while not served:
            line.release()
            threading.Event().wait(0.01)
        line.release(MANY)
        for thread in threads:
            thread.join()
        assert served == [200]
        assert statuses.count(200) == 32
