"""A guest becomes an account, which is entered again by password, link and code, and erased."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from browser.contexts import expect
from browser.parlour import PASSWORD, Guest, slow_in_a_browser
from server.databases import rows

pytestmark = slow_in_a_browser
NEW = "battery staple"


def sign_in(player: Guest, name: str, password: str) -> None:
    """Sign in by hand."""
    player.page.goto("/")
    player.press("web.guest.have_account")
    player.page.locator("[autocomplete=username]").fill(name)
    player.page.locator("[autocomplete=current-password]").fill(password)
    player.page.keyboard.press("Enter")


def test_a_guest_keeps_everything_by_a_password_and_returns(stranger: Callable[..., Guest]) -> None:
    player, phone = stranger().enter("Guest of honour"), stranger().enter("Passing guest")
    phone.expect_fault("401")
    page, sheet = player.page, player.sheet
    page.goto("/settings")
    player.press("web.account.logout")
    expect(sheet).to_contain_text("Guest of honour")  # what is lost
    player.check()
    player.press("web.button.close")
    page.reload()
    player.heading("web.settings.theme").wait_for()
    expect(page.get_by_role("heading", name="Guest of honour")).to_be_visible()  # one press loses nothing
    player.press("web.account.logout")
    sheet.locator("input").fill("1234567")
    player.press("web.account.register", sheet)
    assert sheet.locator("input").evaluate("(field) => field.validity.tooShort")
    sheet.locator("input").fill(PASSWORD)
    player.press("web.account.register", sheet)
    expect(sheet).to_have_count(0)
    player.press("web.account.link")
    link = page.get_by_role("textbox", name=re.compile(r"^Link: "))
    phone.page.goto(link.input_value())
    phone.press("web.enter.go")
    phone.press("web.account.logout_anyway")  # a guest is told what is lost
    expect(phone.page.get_by_text("Guest of honour").first).to_be_visible()
    page.reload()
    sessions = page.get_by_role("listitem").filter(has=page.get_by_role("button"))
    expect(sessions.first).to_be_visible()
    page.locator("[autocomplete=current-password]").first.fill(PASSWORD)
    page.locator("[autocomplete=new-password]").first.fill(NEW)
    page.keyboard.press("Enter")
    player.see("web.account.password_changed")
    assert phone.get("me")["person"] is None  # signed out elsewhere
    player.press("web.account.logout")  # an account loses nothing
    page.locator("[autocomplete=username]").wait_for()
    player.expect_fault("401")
    player.expect_fault("403")
    sign_in(player, "Guest of honour", PASSWORD)
    wrong = page.locator("[autocomplete=current-password]")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    wrong.fill(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Guest of honour").first).to_be_visible()
    page.goto("/settings")
    player.press("web.account.erase")
    erasing = page.locator("form").filter(has=page.locator(".danger"))
    erasing.locator("input").fill(NEW)
    erasing.locator(".danger").click()
    page.locator("[autocomplete=username]").or_(player.box("web.guest.name")).first.wait_for()
    assert player.get("me")["person"] is None


def test_a_recovery_code_opens_the_account_in_a_fresh_browser_once(stranger: Callable[..., Guest]) -> None:
    owner, again = stranger(fresh=True).register("Mina at home"), stranger(fresh=True)
    owner.page.goto("/settings")
    part = owner.heading("web.recovery.title").locator("xpath=ancestor::section[1]")
    part.locator("input").fill(PASSWORD)
    part.get_by_role("button").first.click()
    codes = part.get_by_role("listitem")
    codes.nth(1).wait_for()
    first, second = codes.all_inner_texts()[:2]
    page = again.page

    def recover(code: str, new: str) -> int:
        page.goto("/")
        again.press("web.guest.have_account")
        again.press("web.recovery.forgotten")
        page.locator("[autocomplete=username]").fill(owner.name)
        page.locator("[autocomplete=one-time-code]").fill(f" {code.lower()} ")
        page.locator("[autocomplete=new-password]").fill(new)
        with page.expect_response("**/api/recover?*") as answer:
            page.keyboard.press("Enter")
        return int(answer.value.status)

    assert recover(first, NEW) == 200
    assert again.get("me")["person"]["id"] == owner.id
    assert owner.get("me")["person"] is None
    again.context.clear_cookies()
    again.expect_fault("403")
    assert recover(first, "yet another one") == 403
    assert recover(second, "yet another one") == 200
    assert again.get("me")["person"]["id"] == owner.id


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_settings_are_kept_in_each_language(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language="en")
    page = player.page
    page.goto("/settings")
    page.locator(f"label[lang={language}]").click()
    page.wait_for_selector(f"html[lang={language}]")
    player.language = language
    player.choice("web.settings.theme_dark").check()
    player.toggle("web.settings.motion").uncheck()
    player.check()
    page.reload()
    expect(player.choice("web.settings.theme_dark")).to_be_checked()
    expect(player.toggle("web.settings.motion")).not_to_be_checked()
    assert f'<html lang="{language}"' in page.request.get("/").text()
    player.press("web.account.rename")
    page.locator("[autocomplete=nickname]").last.fill("Mina renamed")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mina renamed")).to_be_visible()


def test_the_administrator_alone_sees_what_fills_the_disk(guest: Callable[..., Guest], data: Path) -> None:
    boss = guest("Boss")
    boss.expect_fault("400")
    page = boss.page
    page.goto("/settings")
    expect(boss.heading("web.settings.theme")).to_be_visible()
    expect(boss.heading("web.settings.disk")).to_have_count(0)
    rows(data, "UPDATE people SET role = 'admin' WHERE name = 'Boss'")
    page.goto("/settings")
    expect(boss.heading("web.settings.disk")).to_be_visible()
    days = page.get_by_label("Casual games")
    days.fill("3")
    boss.press("web.settings.keeping_look")
    expect(page.get_by_text("7 to")).to_be_visible()  # fewer days are refused, in words
    days.fill("30")
    boss.press("web.settings.keeping_look")
    boss.press("web.settings.keeping_save")
    boss.see("web.settings.keeping_saved")
    page.reload()
    expect(days).to_have_value("30")
    boss.check()
