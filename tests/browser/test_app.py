"""The client as an app: first load, installation, use offline, new builds and notifications."""

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import STATIC, MakeGuest, against_bots, in_every_language, serving, slow_in_a_browser
from jantaku import terms
from jantaku.server.edge import pages
from jantaku.server.ranked import queue
from jantaku.server.ranked.entries import DailyHour
from jantaku.terms import Language
from server.parlour import WAIT_S, Message
from server.receiver import HOST, BrowserKeys, running

pytestmark = slow_in_a_browser

NEW = "[...document.scripts].some((one) => one.src.includes('/v2-'))"
CONNECTIONS = 6  # a browser opens six connections to a server, and one of them loads the page itself


@pytest.fixture
def app(contexts: Contexts, parlour: str) -> Iterator[Any]:
    """Open pages in new browser contexts that allow service workers."""
    opened: list[Any] = []

    def make(language: str = "en", *, workers: bool = True) -> Any:
        opened.append(contexts.fresh(parlour, language, workers=workers))
        return opened[-1].new_page()

    yield make
    for context in opened:
        context.close()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the built client that a test may change."""
    copy = tmp_path / "static"
    shutil.copytree(STATIC.parent, copy, ignore=shutil.ignore_patterns("*.br"))
    for packed in [*copy.glob("*.gz"), *copy.glob("assets/*.gz")]:
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        packed.unlink()
    monkeypatch.setattr(pages, "STATIC", copy)
    return copy


def deploy(built: Path) -> None:
    """Replace the build by a newer one that has the same files under new names."""
    names = [file.name for file in (built / "assets").iterdir()]
    old = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    for file in [*built.glob("*.*"), *(built / "assets").iterdir()]:
        if file.suffix in (".js", ".html", ".json"):
            file.write_text(old.sub(lambda match: f"v2-{match[0]}", file.read_text("utf-8")), "utf-8")
    for name in names:
        (built / "assets" / name).rename(built / "assets" / f"v2-{name}")


def installed(page: Any) -> None:
    """Wait until the service worker, which the page registers after two seconds, has cached all files."""
    page.clock.install()
    page.goto("/")
    page.clock.fast_forward(3000)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def see_the_calculator(page: Any) -> None:
    page.get_by_role("group", name="Tiles").get_by_role("button", name="1 man").wait_for()


@in_every_language
def test_the_first_page_loads_all_its_files_in_parallel(app: Any, language: terms.Language) -> None:
    page = app(language, workers=False)
    page.goto("/")
    page.get_by_label(terms.text("web.guest.name", language)).wait_for()
    kinds = "performance.getEntriesByType('resource').filter((e) => e.name.includes('/assets/'))"
    page.wait_for_load_state("networkidle")
    measured = page.evaluate(f"{kinds}.map((e) => e.name.replace(location.origin, ''))")
    # images and the font are loaded last
    files = [name for name in measured if name.endswith((".js", ".css"))]
    assert len(files) <= CONNECTIONS
    named = page.evaluate(
        "[...document.querySelectorAll('head [src], head [href]')].map((e) => e.src ?? e.href)"
    )
    for name in files:
        assert any(link.endswith(name) for link in named), f"{name} is discovered late"
    assert page.evaluate("document.documentElement.lang") == language


@in_every_language
def test_the_app_can_be_installed(app: Any, language: terms.Language) -> None:
    page = app(language)
    installed(page)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert terms.table("web", language)["app"]["name"] in manifest["data"]
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults if fault["errorId"] != "in-incognito"] == []


def test_the_app_reports_being_offline_and_reconnects(app: Any) -> None:
    page = app()
    installed(page)
    page.context.set_offline(True)
    page.goto("/calc")
    offline = page.get_by_role("heading", name="You are offline")
    offline.wait_for()
    page.goto("/t/none")
    offline.wait_for()
    page.goto("/calc")
    offline.wait_for()
    page.context.set_offline(False)
    see_the_calculator(page)
    expect(offline).to_have_count(0)


def test_a_page_of_an_old_build_offers_the_new_one(app: Any, built: Path) -> None:
    page = app(workers=False)
    page.goto("/")
    page.get_by_label("Your name").wait_for()
    deploy(built)
    page.get_by_role("link", name="Calculator", exact=True).click()
    page.get_by_role("button", name=terms.text("web.version.load", "en")).click()
    see_the_calculator(page)
    assert page.evaluate(NEW)


def test_an_installed_app_of_an_old_build_keeps_working(app: Any, built: Path) -> None:
    page = app()
    installed(page)
    deploy(built)
    page.get_by_role("link", name="Calculator", exact=True).click()
    see_the_calculator(page)
    page.reload()
    see_the_calculator(page)
    assert page.evaluate(NEW)


def test_an_open_table_is_offered_a_new_build(guest: MakeGuest, built: Path) -> None:
    player = guest()
    sockets: list[Any] = []

    def opened(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    player.page.route_web_socket("**/ws/**", opened)
    table = against_bots(player)
    deploy(built)
    sockets[-1].close(code=1012, reason="the server restarts")
    player.notice.get_by_role("button").first.click()
    player.page.wait_for_function(f"() => {NEW}")
    player.tiles.first.wait_for()
    assert player.page.url.endswith(f"/t/{table}")
    player.hurry()
    player.see_discards(4)


# Tests cannot reach a push service, so the page gets a fake subscription
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
# The headless shell always reports "denied"
GRANTED = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })"
# wait_for_function would treat a pending promise as true
UNTIL_KNOWN = """async (on) => {
  while ((await (await fetch('/api/me/push')).json()).on !== on)
    await new Promise((done) => setTimeout(done, 50));
}"""
# The headless shell does not show notifications, so the worker records them
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

# A simulated tap is not a user gesture, so the worker records which page it would open or focus
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
    """Deliver a push message as a push service would."""
    session = page.context.new_cdp_session(page)
    notices: list[str] = []

    def updated(event: Any) -> None:
        notices.extend(registration["registrationId"] for registration in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", updated)
    session.send("ServiceWorker.enable")
    page.evaluate(INSTALLED)
    about = {"origin": url, "registrationId": notices[-1], "data": json.dumps(news)}
    session.send("ServiceWorker.deliverPushMessage", about)


def switch(page: Any, language: Language) -> Any:
    return page.get_by_role("switch", name=terms.text("web.push.on", language))


def flip(page: Any, language: Language, *, on: bool) -> None:
    """Press the switch and wait until the server has stored the change."""
    switch(page, language).click()
    page.evaluate(UNTIL_KNOWN, on)


def test_tapping_a_notification_shows_its_page(page: Any, parlour: str) -> None:
    """If the page is already open, it gets the focus; otherwise it is opened in a new window."""
    page.request.post("/api/guest", data={"name": "Tapping"})
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
    """After notifications are turned on, the language is changed, and the notification is in the new one."""
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
        page.evaluate(SUBSCRIBED, [service.url, keys.subscription_keys()])
        flip(page, "en", on=True)
        assert page.evaluate("window.wanted.userVisibleOnly")
        chosen = json.dumps(json.dumps({"language": language}))
        context.add_init_script(f"localStorage.setItem('jantaku.settings', {chosen})")
        context.add_init_script(
            f"({SUBSCRIBED})({json.dumps([service.url, keys.subscription_keys(), True])})"
        )
        page.goto("/ranked")
        remind = page.get_by_role("switch", name=terms.table("web", language)["ranked"]["remind"])
        with page.expect_response("**/api/ranked/reminder?*"):
            remind.click()
        (worker,) = context.service_workers
        worker.evaluate(KEPT)
        now = begins - timedelta(minutes=10)
        headers, sealed = service.got.get(timeout=WAIT_S)
        news = keys.read(sealed)
        assert int(headers["ttl"]) == 600  # the notification expires when the table starts
        deliver(page, url, news)
        texts = terms.table("server", language)["ranked"]["daily"]
        text = texts["body"].replace("{minutes}", "10")
        assert worker.evaluate(UNTIL_SHOWN) == [texts["title"], text, "ranked daily", "/ranked"]
        assert worker.evaluate("self.rings")  # replaces yesterday's notification, with a sound
        page.goto("/settings")
        flip(page, language, on=False)
        page.reload()
        expect(switch(page, language)).not_to_be_checked()
        context.close()
