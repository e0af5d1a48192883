"""Notifications in the browser: turned on at a tap, and shown by the service worker."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import slow_in_a_browser
from jantaku import terms
from server.receiver import browser_keys

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["push"]
REMIND = terms.table("web", "en")["ranked"]["remind"]
NEWS = {"title": "Spring", "body": "Round 1: table 1, you sit South.", "tag": "one", "url": "/events"}
# No push service can be reached from a test: the page gets a subscription all the same
SUBSCRIBED = """(keys) => {
  let now = null;
  const toJSON = () => ({ endpoint: 'https://push.example.org/one', keys });
  const unsubscribe = async () => { now = null; };
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
  const keep = async (title, { body, tag, data }) => { self.shown = [title, body, tag, data.url]; };
  registration.showNotification = keep;
}"""
UNTIL_SHOWN = """new Promise((done) => {
  const look = () => (self.shown ? done(self.shown) : setTimeout(look, 20));
  look();
})"""


@pytest.fixture
def page(contexts: Contexts, parlour: str) -> Iterator[Any]:
    context = contexts.fresh(parlour, "en", workers=True)
    context.grant_permissions(["notifications"], origin=parlour)
    context.add_init_script(GRANTED)
    yield context.new_page()
    context.close()


def deliver(page: Any, url: str) -> None:
    """Let a push service deliver the news."""
    session = page.context.new_cdp_session(page)
    notices: list[str] = []

    def updated(event: Any) -> None:
        notices.extend(registration["registrationId"] for registration in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", updated)
    session.send("ServiceWorker.enable")
    page.evaluate(INSTALLED)
    about = {"origin": url, "registrationId": notices[-1], "data": json.dumps(NEWS)}
    session.send("ServiceWorker.deliverPushMessage", about)


def flip(page: Any, *, on: bool) -> None:
    """Move the switch and wait until the server knows."""
    page.get_by_role("switch", name=WORDS["on"]).click()
    page.evaluate(UNTIL_KNOWN, on)


def test_news_are_shown_until_they_are_turned_off(page: Any, parlour: str) -> None:
    page.goto("/")
    page.fill("#guest-name", "Mina")
    page.press("#guest-name", "Enter")
    page.wait_for_selector("#guest-name", state="detached")
    page.goto("/settings")
    page.evaluate(INSTALLED)
    page.evaluate(SUBSCRIBED, browser_keys())
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
    deliver(page, parlour)
    assert worker.evaluate(UNTIL_SHOWN) == list(NEWS.values())
    page.evaluate(SUBSCRIBED, browser_keys())
    flip(page, on=False)
    page.reload()
    expect(page.get_by_role("switch", name=WORDS["on"])).not_to_be_checked()
