"""The administrator's settings say what fills the disk; no one else's do."""

from collections.abc import Callable
from pathlib import Path

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms
from server.databases import rows

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["settings"]


def test_the_administrator_sees_what_fills_the_disk(guest: Callable[..., Guest], data: Path) -> None:
    boss = guest("Boss", "phone")
    boss.expect_fault("400")
    page = boss.page
    page.goto("/settings")
    expect(page.get_by_role("heading", name=WORDS["theme"])).to_be_visible()
    expect(page.get_by_role("heading", name=WORDS["disk"])).to_have_count(0)
    rows(data, "UPDATE people SET role = 'admin' WHERE name = 'Boss'")
    text = 'extends = "tenhou"\n[match]\nstart_points = 26000\n'
    assert page.request.post("/api/rules", data={"toml": text}).ok
    page.goto("/settings")
    expect(page.get_by_role("heading", name=WORDS["disk"])).to_be_visible()
    expect(page.locator(".disk li", has_text="Boss")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    kept = page.locator(".keeping")
    days = kept.get_by_label("Casual games")
    expect(days).to_have_value("0")
    days.fill("3")
    look = kept.get_by_role("button", name=WORDS["keeping_look"])
    look.click()
    expect(page.get_by_text("7 to")).to_be_visible()  # fewer days are refused, in words
    days.fill("30")
    look.click()
    save = kept.get_by_role("button", name=WORDS["keeping_save"])
    expect(save).to_be_visible()
    expect(kept.get_by_text(WORDS["keeping_nothing"])).to_have_count(3)
    save.click()
    expect(page.get_by_text(WORDS["keeping_saved"])).to_be_visible()
    page.reload()
    expect(kept.get_by_label("Casual games")).to_have_value("30")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
