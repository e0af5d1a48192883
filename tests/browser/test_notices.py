"""What went well is a status, what went wrong an alert: at the field that it concerns, where there is one."""

import re
from collections.abc import Callable

import pytest

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
in_languages = pytest.mark.parametrize("language", ["en", "ja", "ko"])


def test_success_is_a_status_and_failure_an_alert(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    player.sit_down(player.table("standard", 0))
    page.wait_for_selector(".room")
    words = terms.table("web", "en")
    page.get_by_role("button", name=words["share"]["copy"], exact=True).click()
    done = page.locator(".notices [role=status]")
    expect(done).to_have_text(re.compile("link is (copied|selected)"))
    expect(page.locator(".notices [role=alert]")).to_be_empty()
    player.expect_fault("409")
    page.route("**/start*", lambda route: route.fulfill(status=409, json={}))
    page.get_by_role("button", name=filled(words["room"]["start_with_bots"], count=3)).click()
    failed = page.locator(".notices [role=alert] p")
    expect(failed).to_have_count(1)
    expect(done).not_to_contain_text(failed.inner_text())


@in_languages
def test_a_wrong_password_is_said_at_its_field(stranger: Callable[..., Guest], language: str) -> None:
    player = stranger("phone", language)
    page, words = player.page, terms.table("web", language)
    player.expect_fault("401")
    player.expect_fault("403")
    page.goto("/")
    page.get_by_role("button", name=words["guest"]["have_account"]).click()
    form = page.locator(".sign-in")
    field = form.locator("[autocomplete=current-password]")
    form.locator("[autocomplete=username]").fill("Nobody at all")
    field.fill("not the password")
    form.get_by_role("button", name=words["account"]["login"], exact=True).click()
    expect(field).to_have_attribute("aria-invalid", "true")
    said = form.get_by_role("alert")
    expect(said).to_be_visible()
    expect(field).to_have_accessible_description(said.inner_text())
    expect(page.locator(".notices p")).to_have_count(0)
    field.fill("another")
    expect(field).to_have_attribute("aria-invalid", "false")


@in_languages
def test_a_new_yaku_says_what_it_needs(guest: Callable[..., Guest], language: str) -> None:
    page, words = guest(language=language).page, terms.table("web", language)["editor"]
    page.goto("/edit/standard")
    page.wait_for_selector("details")
    page.get_by_text(words["own"]["title"], exact=True).first.click()
    page.get_by_role("button", name=words["own"]["new"], exact=True).click()
    shown = page.locator(".own details summary b, details details summary b").last.inner_text()
    bar = page.locator(".bar[role=status]")
    expect(bar).to_contain_text(words["own"]["begun"].format(name=shown))
    page.wait_for_load_state("networkidle")
    expect(bar).to_contain_text(words["own"]["begun"].format(name=shown))
    assert "own_" not in bar.inner_text()
    expect(page.get_by_role("button", name=words["save"], exact=True)).to_be_disabled()
