"""Ranked play in the browser: wait, be called, get a seat without another tap, and see the new rating."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from browser.contexts import PATIENCE_MS, Contexts, expect
from browser.parlour import Guest, MakeGuest, serving, slow_in_a_browser
from browser.test_pages import MAX_SHIFT, slow_network
from jantaku.server.ranked import queue
from jantaku.server.ranked.entries import DailyHour
from server.parlour import PASSWORD, Person
from server.test_ranked import EAST, confirm_all, wait

pytestmark = slow_in_a_browser
# Layout shifts within the result of a game
WATCH_RESULT = """() => {
  window.shifts = [];
  const within = ({ node }) => document.querySelector('main h1')?.parentElement.contains(node);
  new PerformanceObserver((list) => {
    const moved = list.getEntries().filter((shift) => shift.sources.some(within));
    window.shifts.push(...moved.map(({ value }) => value));
  }).observe({ type: 'layout-shift' });
}"""


@pytest.fixture
def three(parlour: str) -> Iterator[list[Person]]:
    members = [Person(parlour, f"{name} of the queue", PASSWORD) for name in ("Jun", "Kaito", "Seo")]
    yield members
    for person in members:
        person.delete("/api/ranked")
        person.close()


def test_a_queued_player_is_called_and_plays(guest: MakeGuest, three: list[Person]) -> None:
    player = guest("Mina of the queue")
    player.post("register", {"name": "Mina of the queue", "password": "a long password", "language": "en"})
    page = player.page
    page.goto("/ranked")
    page.get_by_role("button", name="Tenhou").wait_for()
    player.check()
    wait(three[0], EAST)
    player.press("web.ranked.wait")
    player.row("Jun of the queue").wait_for()
    player.check()
    player.press("web.ranked.stop")  # leave the queue and join it again
    player.press("web.ranked.wait")
    page.get_by_role("timer").wait_for()
    player.link("practice.page.title").click()  # a player still waits while another page is open
    page.wait_for_url("**/practice")
    for person in three[1:]:
        wait(person, EAST)
    confirm_all(*three)
    page.wait_for_url("**/t/*", wait_until="commit")
    player.tiles.first.wait_for()
    table = page.url.partition("/t/")[2].partition("?")[0]
    slow_network(page)
    page.evaluate(WATCH_RESULT)
    answer = page.expect_response("**/api/ranked/games/*?*", timeout=PATIENCE_MS * 6)
    with answer as steps, ThreadPoolExecutor(len(three)) as pool:
        rest = [pool.submit(person.socket(table).finish) for person in three]
        player.finish()
        for done in rest:
            done.result()
    assert len(steps.value.json()["seats"]) == 4
    page.get_by_role("progressbar").wait_for()
    page.wait_for_load_state("networkidle")
    assert sum(page.evaluate("window.shifts")) < MAX_SHIFT


def test_the_daily_table_starts_with_the_players_present(
    contexts: Contexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows a countdown, no one waits for absent players, and bots take the free seats."""
    begins = datetime.now().replace(hour=21, minute=0, second=0, microsecond=0)
    now = begins - timedelta(hours=2)
    monkeypatch.setattr(queue, "DailyHour", lambda clock: DailyHour(clock, lambda: now))
    with serving(tmp_path, daily="21:00") as url:
        people = [Guest(contexts, url, language=language, fresh=True) for language in ("ko", "ja", "en")]
        for name, person in zip(("Mina", "Kaito", "Seo"), people, strict=True):
            person.post(
                "register", {"name": name, "password": "a long password", "language": person.language}
            )
            person.page.goto("/ranked")
            person.button("web.ranked.wait").wait_for()
            expect(person.button("web.ranked.join_daily")).to_have_count(0)
        now = begins - timedelta(minutes=10)
        for person in people:
            person.page.reload()
            person.press("web.ranked.join_daily")
            expect(person.page.get_by_role("timer")).to_have_text("10:00")
        people[2].press("web.ranked.stop")
        people[2].button("web.ranked.wait").wait_for()
        people[1].link("practice.page.title").click()  # wait while another page is open
        people[1].page.wait_for_url("**/practice*")
        people[1].page.reload()  # the player is still in the queue
        people[1].notice.wait_for()
        now = begins
        for person in people[:2]:
            person.page.wait_for_url("**/t/*", wait_until="commit")
            person.tiles.first.wait_for()
            person.still()
            assert person.notice.count() == 0  # no notice covers the hand
        assert people[2].page.url.endswith("/ranked")
        assert [person.faults for person in people] == [[], [], []]
        for person in people:
            person.close()
