"""Ways into an account in the browser: a passkey, a mail, the OpenID provider, each pressed by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from browser.contexts import Contexts
from browser.parlour import PAUSES, Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms
from server.mail_site import Box, mail_site
from server.openid_provider import Provider
from server.parlour import PASSWORD, free_port

pytestmark = slow_in_a_browser
LANGUAGES = ("ko", "ja", "en")
NAME, ADDRESS, NEW = "Mina of ways", "mina@example.org", "another password"
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@contextmanager
def house(data: Path) -> Iterator[tuple[str, Box, Provider]]:
    """A server at a name, as passkeys need it, with a mail server and a provider."""
    port = free_port()
    url = f"http://localhost:{port}"
    with mail_site(data, url, port, pauses=PAUSES) as site:
        yield url, site.box, site.provider


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[str, Box, Provider]]:
    with house(tmp_path) as url:
        yield url


def words(language: str) -> Any:
    """The words of the client."""
    return terms.table("web", next(tongue for tongue in terms.LANGUAGES if tongue == language))


def signed_out(player: Guest, said: Any) -> None:
    """Sign out on the page of settings, where one signs in then."""
    player.page.goto("/settings")
    player.page.locator(".ways").wait_for()
    player.page.get_by_role("button", name=said["account"]["logout"], exact=True).click()
    player.page.wait_for_selector(".sign-in")


@requires_axe
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_is_made_and_used(
    contexts: Contexts, place: tuple[str, Box, Provider], language: str
) -> None:
    url, box, _ = place
    said = words(language)
    player = Guest(contexts, url, "phone", language, fresh=True).enter(NAME)
    player.post("register", {"name": NAME, "password": PASSWORD, "language": language})
    page = player.page
    line = player.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/settings")
    page.fill(".ways input[type=password]", PASSWORD)
    page.get_by_role("button", name=said["ways"]["passkey_add"]).click()
    page.locator(".ways li").wait_for()
    page.fill(".ways input[type=email]", ADDRESS)
    page.get_by_role("button", name=said["ways"]["address_send"]).press("Enter")
    page.goto(link_in(box.to(ADDRESS)[0]))
    assert serious_faults(player) == []
    page.get_by_role("button", name=said["ways"]["confirm"]).click()
    page.get_by_text(said["ways"]["address_set"]).wait_for()
    assert serious_faults(player) == []
    page.fill(".ways input[type=password]", PASSWORD)
    page.locator(".ways button", has_text="Club").click()
    page.wait_for_url("**/settings")
    page.get_by_role("button", name=said["ways"]["oidc_off"], exact=True).wait_for()

    signed_out(player, said)
    assert serious_faults(player) == []
    page.get_by_role("button", name=said["ways"]["passkey_use"]).click()
    page.locator(".ways").wait_for()
    signed_out(player, said)
    page.get_by_role("button", name="Club").click()
    page.locator(".ways").wait_for()
    page.get_by_role("button", name=said["ways"]["oidc_off"], exact=True).click()
    page.locator(".ways li button").click()
    page.locator(".ways li").wait_for(state="detached")

    signed_out(player, said)
    page.get_by_role("button", name=said["recovery"]["forgotten"]).click()
    page.fill("input[type=email]", ADDRESS)
    page.get_by_role("button", name=said["ways"]["by_mail"]).click()
    page.goto(link_in(box.to(ADDRESS, 2)[1]))
    assert serious_faults(player) == []
    page.fill("input[type=password]", NEW)
    page.press("input[type=password]", "Enter")
    page.wait_for_url(f"{url}/")
    page.goto("/settings")
    page.fill(".ways input[type=password]", NEW)
    page.get_by_role("button", name=said["ways"]["address_remove"]).click()
    page.locator(".ways input[type=email]").wait_for()
    assert player.faults == []
    player.close()


def link_in(text: str) -> str:
    """The link in a mail."""
    return next(part for part in text.split() if part.startswith("http://") and part.count("/") > 3)


def test_somebody_who_comes_back_in_vain_is_told(
    contexts: Contexts, place: tuple[str, Box, Provider]
) -> None:
    url, _, provider = place
    provider.changes = {"nonce": "another"}
    player = Guest(contexts, url, "phone", "en", fresh=True)
    player.page.goto("/settings")
    player.page.get_by_role("button", name="Club").click()
    player.page.locator("p[role=alert]").wait_for()
    assert player.page.request.get("/api/me").json()["person"] is None
    player.close()


def test_a_guest_becomes_an_account_at_the_provider_and_loses_nothing_to_a_known_one(
    contexts: Contexts, place: tuple[str, Box, Provider]
) -> None:
    url, _, provider = place
    provider.changes = {"sub": "somebody new", "preferred_username": "Somebody new"}
    for name, taken in (("Guest one", False), ("Guest two", True)):
        player = Guest(contexts, url, "phone", "en", fresh=True).enter(name)
        before = player.page.request.get("/api/me").json()["person"]
        player.page.goto("/settings")
        player.page.get_by_role("button", name="Club").click()
        if taken:
            player.page.locator(
                "p[role=alert]", has_text=words("en")["ways"]["taken"].format(name="Club")
            ).wait_for()
        else:
            player.page.locator(".ways").wait_for()
        after = player.page.request.get("/api/me").json()["person"]
        assert (after["id"], after["guest"]) == (before["id"], taken)
        player.close()
    provider.changes = {}
