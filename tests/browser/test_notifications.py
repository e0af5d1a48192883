"""Notifications in the browser: turned on at a tap, and shown by the service worker."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import serving, slow_in_a_browser
from jantaku import terms
from jantaku.server.ranked import queue
from jantaku.server.ranked.entries import DailyHour
from jantaku.terms import Language
from server.parlour import WAIT_S, Message
from server.receiver import HOST, BrowserKeys, browser_keys, running

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["push"]
REMIND = terms.table("web", "en")["ranked"]["remind"]
ENDPOINT = "https://push.example.org/one"
NEWS = {"title": "Spring", "body": "Round 1: table 1, you sit South.", "tag": "one", "url": "/events"}
# No push service can be reached from a test: the page gets a subscription all the same
SUBSCRIBED = """([endpoint, keys, already]) => {
  const toJSON = () => ({ endpoint, keys });
  const unsubscribe = async () => { now = null; };
  let now = already ? { toJSON, unsubscribe } : null;
  PushManager.prototype.getSubscription = async () => now;
  PushManager.prototype.subscribe = async (how) => {
    window.wanted = how;
    return (now = { toJSON, unsubscribe });
  };
}"""
INSTALLED = """navigator.serviceWorker.register('/sw.js')
  .then(() => navigator.serviceWorker.ready).then(() => true)"""
# The headless shell says "denied" whatever was granted
GRANTED = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })"
# Waiting for a function would take its promise for an answer
UNTIL_KNOWN = """async (on) => {
  while ((await (await fetch('/api/me/push')).json()).on !== on)
    await new Promise((done) => setTimeout(done, 50));
}"""
# The headless shell shows no notifications: the worker keeps what it would show
KEPT = """() => {
  const keep = async (title, { body, tag, data, renotify }) => {
    self.shown = [title, body, tag, data.url];
    self.rings = renotify;
  };
  registration.showNotification = keep;
}"""
UNTIL_SHOWN = """new Promise((done) => {
  const look = () => (self.shown ? done(self.shown) : setTimeout(look, 20));
  look();
})"""

# A tap that a test makes is no gesture: the worker keeps what it would open or bring to the front
TAPPED = """async (url) => {
  const went = [];
  const open = Object.getOwnPropertyDescriptor(Clients.prototype, 'openWindow');
  const focus = Object.getOwnPropertyDescriptor(WindowClient.prototype, 'focus');
  Clients.prototype.openWindow = async (where) => went.push(['opened', where]);
  WindowClient.prototype.focus = async function () { went.push(['focused', new URL(this.url).pathname]); };
  const tap = new Event('notificationclick');
  const close = () => went.push(['closed']);
  let over;
  Object.assign(tap, { notification: { close, data: { url } }, waitUntil: (until) => (over = until) });
  self.dispatchEvent(tap);
  await over;
  Object.defineProperty(Clients.prototype, 'openWindow', open);
  Object.defineProperty(WindowClient.prototype, 'focus', focus);
  return went;
}"""


@pytest.fixture
def page(contexts: Contexts, parlour: str) -> Iterator[Any]:
    context = contexts.fresh(parlour, "en", workers=True)
    context.grant_permissions(["notifications"], origin=parlour)
    context.add_init_script(GRANTED)
    yield context.new_page()
    context.close()


def deliver(page: Any, url: str, news: Message) -> None:
    """Let a push service deliver the news."""
    session = page.context.new_cdp_session(page)
    notices: list[str] = []

    def updated(event: Any) -> None:
        notices.extend(registration["registrationId"] for registration in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", updated)
    session.send("ServiceWorker.enable")
    page.evaluate(INSTALLED)
    about = {"origin": url, "registrationId": notices[-1], "data": json.dumps(news)}
    session.send("ServiceWorker.deliverPushMessage", about)


def enter(page: Any, name: str) -> None:
    page.goto("/")
    page.fill("#guest-name", name)
    page.press("#guest-name", "Enter")
    page.wait_for_selector("#guest-name", state="detached")


def flip(page: Any, *, on: bool) -> None:
    """Move the switch and wait until the server knows."""
    page.get_by_role("switch", name=WORDS["on"]).click()
    page.evaluate(UNTIL_KNOWN, on)


def test_news_are_shown_until_they_are_turned_off(page: Any, parlour: str) -> None:
    enter(page, "Mina")
    page.goto("/settings")
    page.evaluate(INSTALLED)
    page.evaluate(SUBSCRIBED, [ENDPOINT, browser_keys()])
    flip(page, on=True)
    assert page.evaluate("window.wanted.userVisibleOnly")
    page.reload()
    expect(page.get_by_role("switch", name=WORDS["on"])).to_be_checked()
    page.goto("/ranked")
    with page.expect_response("**/api/ranked/reminder?*") as kept:
        page.get_by_role("switch", name=REMIND).click()
    assert kept.value.ok
    page.goto("/settings")
    (worker,) = page.context.service_workers
    worker.evaluate(KEPT)
    deliver(page, parlour, NEWS)
    assert worker.evaluate(UNTIL_SHOWN) == list(NEWS.values())
    page.evaluate(SUBSCRIBED, [ENDPOINT, browser_keys()])
    flip(page, on=False)
    page.reload()
    expect(page.get_by_role("switch", name=WORDS["on"])).not_to_be_checked()


def test_a_tap_on_news_shows_their_page(page: Any, parlour: str) -> None:
    """The page that is open already, else a new one: no other page is left for it."""
    enter(page, "Tapping")
    page.goto("/ranked")
    page.evaluate(INSTALLED)
    (worker,) = page.context.service_workers
    assert worker.evaluate(TAPPED, "/ranked") == [["closed"], ["focused", "/ranked"]]
    assert worker.evaluate(TAPPED, "/t/some") == [["closed"], ["opened", "/t/some"]]
    page.goto("/settings")
    assert worker.evaluate(TAPPED, "/ranked") == [["closed"], ["opened", "/ranked"]]


@pytest.mark.parametrize("language", ["ko", "ja", "en"])
def test_the_daily_table_is_announced_ten_minutes_before(
    contexts: Contexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    """From the switch on a phone to what its service worker shows, in the language chosen since."""
    begins = datetime.now().replace(hour=21, minute=0, second=0, microsecond=0)
    now = begins - timedelta(minutes=30)
    monkeypatch.setattr(queue, "DailyHour", lambda clock: DailyHour(clock, lambda: now))
    keys = BrowserKeys()
    with running() as service, serving(tmp_path, daily="21:00", webhook_hosts=(HOST,)) as url:
        context = contexts.fresh(url, "en", workers=True)
        context.grant_permissions(["notifications"], origin=url)
        context.add_init_script(GRANTED)
        page = context.new_page()
        page.request.post("/api/register", data={"name": "Mina", "password": "a long password"})
        page.goto("/settings")
        page.evaluate(INSTALLED)
        page.evaluate(SUBSCRIBED, [service.url, keys.shown()])
        flip(page, on=True)
        chosen = json.dumps(json.dumps({"language": language}))
        context.add_init_script(f"localStorage.setItem('jantaku.settings', {chosen})")
        context.add_init_script(f"({SUBSCRIBED})({json.dumps([service.url, keys.shown(), True])})")
        page.goto("/ranked")
        remind = page.get_by_role("switch", name=terms.table("web", language)["ranked"]["remind"])
        with page.expect_response("**/api/ranked/reminder?*"):
            remind.click()
        (worker,) = context.service_workers
        worker.evaluate(KEPT)
        now = begins - timedelta(minutes=10)
        headers, sealed = service.got.get(timeout=WAIT_S)
        news = keys.read(sealed)
        assert int(headers["ttl"]) == 600  # nobody is told of a table that has begun
        deliver(page, url, news)
        said = terms.table("server", language)["ranked"]["daily"]
        text = said["body"].replace("{minutes}", "10")
        assert worker.evaluate(UNTIL_SHOWN) == [said["title"], text, "ranked daily", "/ranked"]
        assert worker.evaluate("self.rings")  # that of yesterday may still lie there
        context.close()
