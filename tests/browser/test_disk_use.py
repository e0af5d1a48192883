"""The administrator's settings say what fills the disk; no one else's do."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms
from jantaku.server.settings import DATABASE_FILE

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["settings"]


def test_the_administrator_sees_what_fills_the_disk(guest: Callable[..., Guest], data: Path) -> None:
    page = guest("Boss", "phone").page
    page.goto("/settings")
    expect(page.get_by_role("heading", name=WORDS["theme"])).to_be_visible()
    expect(page.get_by_role("heading", name=WORDS["disk"])).to_have_count(0)
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database, database:
        database.execute("UPDATE people SET role = 'admin' WHERE name = 'Boss'")
    text = 'extends = "tenhou"\n[match]\nstart_points = 26000\n'
    assert page.request.post("/api/rules", data={"toml": text}).ok
    page.goto("/settings")
    expect(page.get_by_role("heading", name=WORDS["disk"])).to_be_visible()
    expect(page.locator(".disk li", has_text="Boss")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
