"""The client as an app: first load, installation, offline behaviour, and new builds."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import STATIC, Guest, against_bots, in_every_language, slow_in_a_browser
from jantaku import terms
from jantaku.server.edge import pages

pytestmark = slow_in_a_browser
OFFLINE = "You are offline"
CONNECTIONS = 6  # a browser opens six connections to a server, one of them for the page itself


@pytest.fixture
def app(contexts: Contexts, parlour: str) -> Iterator[Any]:
    """Makes pages of a browser where service workers run and nothing has been loaded."""
    opened: list[Any] = []

    def come(language: str = "en", *, workers: bool = True) -> Any:
        opened.append(contexts.fresh(parlour, language, workers=workers))
        return opened[-1].new_page()

    yield come
    for context in opened:
        context.close()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the built client that a test may change."""
    copy = tmp_path / "static"
    shutil.copytree(STATIC.parent, copy, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    monkeypatch.setattr(pages, "STATIC", copy)
    return copy


def deploy(built: Path) -> None:
    """Replace the build by a new one: the same files under other names."""
    names = [file.name for file in (built / "assets").iterdir()]
    old = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    for file in [*built.glob("*.*"), *(built / "assets").iterdir()]:
        if file.suffix in (".js", ".html", ".json"):
            file.write_text(old.sub(lambda match: f"v2-{match[0]}", file.read_text("utf-8")), "utf-8")
    for name in names:
        (built / "assets" / name).rename(built / "assets" / f"v2-{name}")


def installed(page: Any) -> None:
    """Wait until the service worker has everything; the page registers it after two seconds."""
    page.clock.install()
    page.goto("/")
    page.clock.fast_forward(3000)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


@in_every_language
def test_the_first_page_loads_all_its_files_in_one_wave(app: Any, language: terms.Language) -> None:
    page = app(language, workers=False)
    page.goto("/")
    page.wait_for_selector("#guest-name")
    page.wait_for_selector(".sprite", state="attached")
    kinds = "performance.getEntriesByType('resource').filter((e) => e.name.includes('/assets/'))"
    measured = page.evaluate(f"{kinds}.map((e) => [e.name.replace(location.origin, ''), e.initiatorType])")
    assert len([name for name, _ in measured if not name.endswith(".svg")]) <= CONNECTIONS  # tiles come last
    named = page.evaluate(
        "[...document.querySelectorAll('head [src], head [href]')].map((e) => e.src ?? e.href)"
    )
    for name, _ in measured:
        assert any(link.endswith(name) for link in named), f"{name} is learnt of late"
    assert page.evaluate("document.documentElement.lang") == language


def test_the_next_page_uses_the_chosen_language(app: Any) -> None:
    page = app("ko", workers=False)
    page.goto("/settings")
    page.click("label[lang=ja]")
    page.wait_for_selector("html[lang=ja]")
    assert '<html lang="ja"' in page.request.get("/").text()


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
    page.locator("h1", has_text=OFFLINE).wait_for()
    page.goto("/t/none")
    page.locator("h1", has_text=OFFLINE).wait_for()
    page.goto("/calc")
    page.locator("h1", has_text=OFFLINE).wait_for()
    page.context.set_offline(False)
    page.wait_for_selector("[data-kind='1m']")
    expect(page.locator("h1", has_text=OFFLINE)).to_have_count(0)


def test_a_page_of_an_old_build_offers_the_new_one(app: Any, built: Path) -> None:
    page = app(workers=False)
    page.goto("/")
    page.wait_for_selector("#guest-name")
    deploy(built)
    page.click("nav a[href='/calc']")
    page.click("[role=alert] button.primary")
    page.wait_for_selector("[data-kind='1m']")
    assert "/v2-" in page.evaluate("document.querySelector('script[src]').src")


def test_an_installed_app_of_an_old_build_keeps_working(app: Any, built: Path) -> None:
    page = app()
    installed(page)
    deploy(built)
    page.click("nav a[href='/calc']")
    page.wait_for_selector("[data-kind='1m']")
    page.reload()
    page.wait_for_selector("[data-kind='1m']")
    assert "/v2-" in page.evaluate("document.querySelector('script[src]').src")


def test_an_open_table_is_told_of_a_new_build(guest: Callable[..., Guest], built: Path) -> None:
    player = guest()
    sockets: list[Any] = []

    def opened(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    player.page.route_web_socket("**/ws/**", opened)
    table = against_bots(player)
    deploy(built)
    sockets[-1].close(code=1012, reason="the server starts anew")
    player.page.locator(".notices .offer").click()
    player.page.wait_for_selector("script[src*='/v2-']", state="attached")
    player.page.wait_for_selector(".tile-button")
    assert player.page.url.endswith(f"/t/{table}")
    player.hurry()
    player.see_discards(4)
