"""Accounts: a guest keeps everything with a password, link, recovery code, passkey, mail or OpenID."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import PASSWORD, PAUSES, Guest, MakeGuest, slow_in_a_browser
from server.databases import rows
from server.mail_site import Box, mail_site
from server.openid_provider import Provider
from server.parlour import free_port

pytestmark = slow_in_a_browser

NEW = "battery staple"


def sign_in(player: Guest, name: str, password: str) -> None:
    """Sign in with the form."""
    player.page.goto("/")
    player.press("web.guest.have_account")
    player.box("web.account.name").fill(name)
    player.field("web.account.password").fill(password)
    player.page.keyboard.press("Enter")


def enter_password(player: Guest, password: str = PASSWORD) -> None:
    """Type the password in the dialog that confirms a change to the account."""
    player.field("web.account.password", player.sheet).fill(password)
    player.page.keyboard.press("Enter")
    expect(player.sheet).to_have_count(0)


def test_a_guest_keeps_everything_by_setting_a_password(stranger: MakeGuest) -> None:
    player, phone = stranger().enter("Guest of honour"), stranger().enter("Passing guest")
    phone.expect_fault("401")
    page, sheet = player.page, player.sheet
    page.goto("/settings")
    player.press("web.account.logout")
    expect(sheet).to_contain_text("Guest of honour")  # the dialog lists what would be lost
    player.check()
    player.press("web.button.close")
    page.reload()
    player.choice("web.settings.theme_dark").wait_for()
    # a single click does not sign the guest out
    expect(page.get_by_role("heading", name="Guest of honour")).to_be_visible()
    player.press("web.account.logout")
    chosen = player.field("web.account.password", sheet)
    chosen.fill("1234567")
    player.press("web.account.register", sheet)
    assert chosen.evaluate("(field) => field.validity.tooShort")
    chosen.fill(PASSWORD)
    player.press("web.account.register", sheet)
    expect(sheet).to_have_count(0)
    player.press("web.account.link")
    link = page.get_by_role("textbox", name=re.compile(r"^Link: "))
    phone.page.goto(link.input_value())
    phone.press("web.enter.go")
    phone.press("web.account.logout_anyway")  # guests are warned
    expect(phone.page.get_by_text("Guest of honour").first).to_be_visible()
    page.reload()
    sessions = page.get_by_role("listitem").filter(has=page.get_by_role("button"))
    expect(sessions.first).to_be_visible()
    player.field("web.account.new_password").fill(NEW)
    page.keyboard.press("Enter")
    enter_password(player)
    player.see("web.account.password_changed")
    assert phone.get("me")["person"] is None  # the change of the password has signed this phone out
    player.press("web.account.logout")  # someone with an account loses nothing
    player.box("web.account.name").wait_for()
    player.expect_fault("401")
    player.expect_fault("403")
    sign_in(player, "Guest of honour", PASSWORD)
    wrong = player.field("web.account.password")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    wrong.fill(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Guest of honour").first).to_be_visible()
    page.goto("/settings")
    player.press("web.account.erase")
    enter_password(player, NEW)
    player.box("web.account.name").or_(player.box("web.guest.name")).first.wait_for()
    assert player.get("me")["person"] is None


def test_a_recovery_code_opens_the_account_in_a_fresh_browser_once(stranger: MakeGuest) -> None:
    owner, again = stranger(fresh=True).register("Mina at home"), stranger(fresh=True)
    owner.page.goto("/settings")
    part = owner.section("web.recovery.title")
    part.get_by_role("button").first.click()
    enter_password(owner)
    codes = part.get_by_role("listitem")
    codes.nth(1).wait_for()
    first, second = codes.all_inner_texts()[:2]
    page = again.page

    def recover(code: str, new: str) -> int:
        page.goto("/")
        again.press("web.guest.have_account")
        again.press("web.recovery.forgotten")
        again.box("web.account.name").fill(owner.name)
        again.field("web.recovery.code").fill(f" {code.lower()} ")
        again.field("web.account.new_password").fill(new)
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
def test_settings_are_stored_in_each_language(guest: MakeGuest, language: str) -> None:
    player = guest(language="en")
    page = player.page
    page.goto("/settings")
    page.get_by_role("radio", name={"en": "English", "ja": "日本語", "ko": "한국어"}[language]).check()
    page.wait_for_function("(to) => document.documentElement.lang === to", arg=language)
    player.language = language
    player.choice("web.settings.theme_dark").check()
    player.toggle("web.settings.motion").uncheck()
    player.check()
    page.reload()
    expect(player.choice("web.settings.theme_dark")).to_be_checked()
    expect(player.toggle("web.settings.motion")).not_to_be_checked()
    assert f'<html lang="{language}"' in page.request.get("/").text()
    player.press("web.account.rename")
    player.box("web.account.name").last.fill("Mina renamed")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mina renamed")).to_be_visible()


def test_only_the_administrator_sees_disk_usage_and_retention(guest: MakeGuest, data: Path) -> None:
    boss = guest("Boss")
    boss.expect_fault("400")
    page = boss.page
    page.goto("/settings")
    expect(boss.choice("web.settings.theme_dark")).to_be_visible()
    expect(boss.heading("web.settings.admin.disk")).to_have_count(0)
    rows(data, "UPDATE people SET role = 'admin' WHERE name = 'Boss'")
    page.goto("/settings")
    expect(boss.heading("web.settings.admin.disk")).to_be_visible()
    days = page.get_by_label("Casual games")
    days.fill("3")
    boss.press("web.settings.admin.keeping_look")
    expect(page.get_by_text("7 to")).to_be_visible()  # three days are too few, so there is an error message
    days.fill("30")
    boss.press("web.settings.admin.keeping_look")
    boss.press("web.settings.admin.keeping_save")
    boss.see("web.settings.admin.keeping_saved")
    page.reload()
    expect(days).to_have_value("30")
    boss.check()


LANGUAGES = ("ko", "ja", "en")
NAME, ADDRESS = "Mina of ways", "mina@example.org"
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@contextmanager
def house(data: Path) -> Iterator[tuple[str, Box, Provider]]:
    """Run a server with a host name, as passkeys require, with a mail server and an OpenID provider."""
    port = free_port()
    url = f"http://localhost:{port}"
    with mail_site(data, url, port, pauses=PAUSES) as site:
        yield url, site.box, site.provider


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[str, Box, Provider]]:
    with house(tmp_path) as url:
        yield url


def signed_out(player: Guest) -> None:
    """Sign out on the page of settings."""
    player.page.goto("/settings")
    player.heading("web.ways.title").wait_for()
    player.press("web.account.logout")
    player.button("web.account.login").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_to_sign_in_is_added_used_and_removed(
    contexts: Contexts, place: tuple[str, Box, Provider], language: str
) -> None:
    url, box, _ = place
    player = Guest(contexts, url, "phone", language, fresh=True).enter(NAME)
    player.post("register", {"name": NAME, "password": PASSWORD, "language": language})
    page = player.page
    line = player.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/settings")
    ways = player.section("web.ways.title")
    passkey = ways.get_by_role("listitem")
    player.press("web.ways.passkey_add")
    enter_password(player)
    passkey.wait_for()
    player.box("web.ways.address", ways).fill(ADDRESS)
    player.button("web.ways.address_send").press("Enter")
    enter_password(player)
    page.goto(link_in(box.to(ADDRESS)[0]))
    player.check()
    player.press("web.ways.confirm")
    player.see("web.ways.address_set")
    player.check()
    player.press("web.ways.oidc_link", name="Club")
    enter_password(player)
    page.wait_for_url("**/settings")
    player.button("web.ways.oidc_off", ways).wait_for()

    signed_out(player)
    player.check()
    player.press("web.ways.passkey_use")
    ways.wait_for()
    signed_out(player)
    player.press("web.ways.oidc_use", name="Club")
    player.press("web.ways.oidc_off")
    passkey.get_by_role("button").click()
    expect(passkey).to_have_count(0)

    signed_out(player)
    player.press("web.recovery.forgotten")
    player.box("web.ways.address").fill(ADDRESS)
    player.press("web.ways.by_mail")
    page.goto(link_in(box.to(ADDRESS, 2)[1]))
    player.check()
    chosen = player.field("web.account.new_password")
    chosen.fill(NEW)
    chosen.press("Enter")
    page.wait_for_url(f"{url}/")
    page.goto("/settings")
    player.press("web.ways.address_remove")
    enter_password(player, NEW)
    player.box("web.ways.address", ways).wait_for()
    assert player.faults == []
    player.close()


def link_in(text: str) -> str:
    """Return the link that a mail contains."""
    return next(part for part in text.split() if part.startswith("http://") and part.count("/") > 3)


def test_a_failed_provider_sign_in_shows_an_error(
    contexts: Contexts, place: tuple[str, Box, Provider]
) -> None:
    url, _, provider = place
    provider.changes = {"nonce": "another"}
    player = Guest(contexts, url, "phone", "en", fresh=True)
    player.page.goto("/settings")
    player.press("web.ways.oidc_use", name="Club")
    player.page.get_by_role("main").get_by_role("alert").wait_for()
    assert player.page.request.get("/api/me").json()["person"] is None
    player.close()


def test_a_guest_becomes_a_provider_account_but_is_not_merged_into_an_existing_one(
    contexts: Contexts, place: tuple[str, Box, Provider]
) -> None:
    url, _, provider = place
    provider.changes = {"sub": "somebody new", "preferred_username": "Somebody new"}
    for name, exists in (("Guest one", False), ("Guest two", True)):
        player = Guest(contexts, url, "phone", "en", fresh=True).enter(name)
        before = player.page.request.get("/api/me").json()["person"]
        player.page.goto("/settings")
        player.press("web.ways.oidc_use", name="Club")
        if exists:
            player.see("web.ways.taken", name="Club")
        else:
            player.heading("web.ways.title").wait_for()
        after = player.page.request.get("/api/me").json()["person"]
        assert (after["id"], after["guest"]) == (before["id"], exists)
        player.close()
    provider.changes = {}
