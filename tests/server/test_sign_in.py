"""Ways to sign in without a password, and attempts to abuse them."""

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.sign_in import OpenId
from jantaku.server.settings import MAILS_PER_H, Outside
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import SignInStore
from server.authenticator import PRESENT, Authenticator
from server.databases import dump, rows
from server.mail_site import SITE, Site, mail_site
from server.openid_provider import CLIENT, SECRET, Provider, provided
from server.parlour import PASSWORD, Person, Serve, fast_settings, run_concurrently
from server.sign_in_owner import (
    OTHER,
    Owner,
    add_passkey,
    device_of,
    numbered,
    passkey_options,
    refusal,
    sign_in_at_provider,
    sign_in_with,
    token_in,
)
from server.sites import of_one_process


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mail_site(tmp_path_factory.mktemp("ways")) as opened:
        yield opened


NONE = {"address": False, "passkeys": [], "oidc": False}


def test_a_recovery_mail_sets_a_new_password_and_removes_all_other_ways_to_sign_in(owner: Owner) -> None:
    assert owner.get("/api/me")["mail"]
    owner.confirm()
    add_passkey(owner)
    assert (owner.ways["address"], len(owner.ways["passkeys"])) == (True, 1)
    stranger = Person(owner.url)
    stranger.post("/api/forgotten", address=owner.address)
    mail = owner.site.box.to(owner.address, 2)[-1]
    assert f"{owner.name}:" in mail
    body = {"token": token_in(mail, "recover"), "password": OTHER}
    assert stranger.post("/api/forgotten/password", **body)["name"] == owner.name
    assert owner.get("/api/me")["person"] is None
    assert stranger.get("/api/me/ways") == NONE | {"address": True}
    stranger.refused("link_used", "/api/forgotten/password", **body)


def test_a_new_password_removes_the_other_ways_to_sign_in(owner: Owner) -> None:
    owner.confirm()
    add_passkey(owner)
    owner.post("/api/password", old=PASSWORD, new=OTHER)
    assert owner.ways == NONE


def test_a_confirmation_mail_contains_no_text_of_its_sender(owner: Owner) -> None:
    """Mails with text by their sender could be misused to send anything to strangers.

    The link only confirms the address.
    """
    owner.patch("/api/me", name="Win at evil.example")
    owner.refused("wrong_old_password", "/api/me/address", address=owner.address, password=OTHER)
    owner.post("/api/me/address", address=owner.address, password=PASSWORD)
    text = owner.site.box.to(owner.address)[-1]
    token = token_in(text, "mail")
    assert not [word for word in ("evil", owner.name) if word in text]
    owner.refused("link_used", "/api/forgotten/password", token=token, password=OTHER)
    stored = dump(owner.site.data)
    assert not [secret for secret in (owner.address, token) if secret in stored], "only hashes are stored"
    rows(owner.site.data, "UPDATE one_times SET expires = 1")
    owner.refused("link_used", "/api/address/confirm", token=token)


def test_an_address_is_removed_with_the_password(owner: Owner) -> None:
    owner.confirm()
    owner.refused("wrong_old_password", "/api/me/address/remove", password=OTHER)
    assert not owner.post("/api/me/address/remove", password=PASSWORD)["address"]


@of_one_process
def test_recovery_mails_are_limited_and_do_not_reveal_whether_an_address_is_known(owner: Owner) -> None:
    owner.confirm()
    answers = [
        Person(owner.url).send("POST", "/api/forgotten", address=address)
        for address in (*[owner.address] * 2 * MAILS_PER_H, f"no.{owner.address}")
    ]
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1
    owner.site.box.to(owner.address, MAILS_PER_H)
    time.sleep(0.3)
    assert len(owner.site.box.to(owner.address)) == MAILS_PER_H  # one of these mails is the confirmation
    assert f"no.{owner.address}" not in str(owner.site.box.mails)


@pytest.mark.parametrize(
    "address", ["nobody", "a@b", "a@b.org\r\nBcc: c@d.org", "a b@c.org", "a@b.org,c@d.org", "<a@b.org>"]
)
def test_invalid_mail_addresses_are_refused(owner: Owner, address: str) -> None:
    before = len(owner.site.box.mails)
    owner.refused("bad_address", "/api/me/address", address=address, password=PASSWORD)
    owner.refused("bad_address", "/api/forgotten", address=address)
    assert len(owner.site.box.mails) == before


def test_recovery_and_provider_need_configuration(serve: Serve) -> None:
    without = Outside(smtp="smtp://127.0.0.1:1", mail_from="a@example.org")  # there is no public URL
    mina = Person(serve(outside=without), "Mina")
    assert not mina.get("/api/me")["mail"]
    mina.refused("no_mail", "/api/forgotten", address="a@example.org")
    mina.refused("no_oidc", "/api/oidc")
    shown = repr(replace(Outside(), smtp="smtp://a:b@c", oidc_secret="d"))
    assert not [secret for secret in ("smtp://", "'d'") if secret in shown]


# Sign-in with an OpenID provider


@pytest.fixture
def provider(site: Site) -> Iterator[Provider]:
    provider, before = site.provider, vars(site.provider).copy()
    provider.claims = {"sub": f"subject {numbered()}", "preferred_username": f"member {numbered()}"}
    yield provider
    vars(provider).update(before | {"changes": {}})


def return_path(who: Person, **body: Any) -> str:
    """Return the path of the redirect that comes back from the provider."""
    return str(httpx.get(who.post("/api/oidc", **body)["url"]).headers["location"]).removeprefix(SITE)


def test_a_new_identity_creates_an_account_that_later_sign_ins_reach(site: Site, provider: Provider) -> None:
    """A guest keeps everything when linked to the identity, and is never merged into an existing account."""
    first, second = Person(site.url, f"guest {numbered()}"), Person(site.url)
    before = first.get("/api/me")["person"]
    table = first.table(bots=3)["id"]
    first.post(f"/api/tables/{table}/start")
    assert refusal(sign_in_at_provider(first)) == ""
    after = first.get("/api/me")["person"]
    assert (after["guest"], after | {"guest": True}) == (False, before | {"table": table})
    assert refusal(sign_in_at_provider(second)) == ""
    assert second.get("/api/me")["person"]["id"] == after["id"]
    assert provider.token_requests[-1]["code_verifier"]
    second.refused("last_way", "DELETE /api/me/oidc")
    guest = Person(site.url, f"guest {numbered()}")
    assert refusal(sign_in_at_provider(guest)) == "identity_taken"
    assert guest.get("/api/me")["person"]["id"] == guest.id


@pytest.mark.slow
@pytest.mark.parametrize("guests", [True, False])
@pytest.mark.usefixtures("provider")
def test_concurrent_sign_ins_with_a_new_identity_create_one_account(
    site: Site, monkeypatch: pytest.MonkeyPatch, guests: bool
) -> None:
    """The second guest remains a guest; a second visitor without a session gets the same account."""
    both, looked, first = threading.Barrier(2), SignInStore.identity, iter(range(2))

    async def looks(store: SignInStore, mark: str) -> PersonRow | None:
        rows = await looked(store, mark)
        if next(first, None) is not None:
            await asyncio.to_thread(both.wait, 5)
        return rows

    two = [Person(site.url, f"guest {numbered()}" if guests else None) for _ in range(2)]
    monkeypatch.setattr(SignInStore, "identity", looks)
    refusals = [
        refusal(answer) for answer in run_concurrently([partial(sign_in_at_provider, who) for who in two])
    ]
    people = [who.get("/api/me")["person"] for who in two]
    assert sorted(refusals) == (["", "identity_taken"] if guests else ["", ""])
    assert [person["guest"] for person in people] == [refusal != "" for refusal in refusals]
    assert (people[0]["id"] == people[1]["id"]) is not guests


@pytest.mark.usefixtures("provider")
def test_linking_an_identity_needs_the_password(site: Site, owner: Owner) -> None:
    owner.refused("wrong_old_password", "/api/oidc", link=True)
    assert refusal(sign_in_at_provider(owner, link=True, password=PASSWORD)) == ""
    assert owner.ways["oidc"]
    again, other = Person(site.url), Owner(site)
    sign_in_at_provider(again)
    assert again.get("/api/me")["person"]["name"] == owner.name
    assert refusal(sign_in_at_provider(other, link=True, password=PASSWORD)) == "identity_taken"
    assert not owner.delete("/api/me/oidc")["oidc"]
    returns = return_path(owner, link=True, password=PASSWORD)
    owner.post("/api/login", name=other.name, password=PASSWORD)
    assert refusal(owner.http.get(returns)) == "oidc_failed", "another person has signed in meanwhile"


def test_a_taken_name_from_the_provider_gets_a_number(site: Site, provider: Provider, owner: Owner) -> None:
    provider.claims["preferred_username"] = owner.name
    person = Person(site.url)
    sign_in_at_provider(person)
    assert person.get("/api/me")["person"]["name"] == f"{owner.name} 2"


@pytest.mark.parametrize(
    "spoiled",
    [
        {"changes": {"nonce": "another"}},
        {"changes": {"aud": "another"}},
        {"changes": {"aud": [CLIENT, "another"]}},
        {"changes": {"iss": "https://evil.example"}},
        {"changes": {"exp": 1}},
        {"changes": {"sub": None}},
        {"signed_by": "another key"},
        {"signed_by": "a" * 64, "algorithm": "HS256"},
    ],
    ids=str,
)
def test_a_forged_provider_token_is_refused(site: Site, provider: Provider, spoiled: dict[str, Any]) -> None:
    vars(provider).update(spoiled)
    if spoiled.get("signed_by") == "another key":
        provider.signed_by = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    person = Person(site.url)
    assert refusal(sign_in_at_provider(person)) == "oidc_failed"
    assert person.get("/api/me")["person"] is None


@pytest.mark.usefixtures("provider")
def test_a_provider_redirect_works_once_and_only_in_its_browser(site: Site) -> None:
    one, other = Person(site.url), Person(site.url)
    returns = return_path(one)
    other.post("/api/oidc")  # this browser has a state of its own, which does not match
    assert refusal(other.http.get(returns)) == "oidc_failed"
    assert other.get("/api/me")["person"] is None
    assert [refusal(one.http.get(returns)) for _ in range(2)] == ["", "oidc_failed"]
    assert refusal(one.http.get("/api/oidc/callback?code=x&state=")) == "oidc_failed"


# Sign-in with a passkey


def test_a_passkey_signs_its_owner_in_until_removed(owner: Owner) -> None:
    device = add_passkey(owner)
    assert [sign_in_with(owner.url, device.use(passkey_options(owner.url))) for _ in range(2)] == [
        owner.name
    ] * 2
    [key] = owner.ways["passkeys"]
    path = f"/api/me/passkeys/{key['id']}"
    Owner(owner.site).refused("no_passkey", f"DELETE {path}")
    assert owner.delete(path)["passkeys"] == []
    assert sign_in_with(owner.url, device.use(passkey_options(owner.url))) == "passkey_refused"


def test_a_passkey_response_works_once_for_its_own_challenge(owner: Owner) -> None:
    device = add_passkey(owner)
    response = device.use(passkey_options(owner.url))
    # a challenge that was created for registration
    new = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    answers = [response, response, device.use("", challenge="AAAA"), device.use(new)]
    assert [sign_in_with(owner.url, answer) for answer in answers] == [owner.name] + ["passkey_refused"] * 3


@pytest.mark.parametrize(
    ("part", "false"),
    [
        ("origin", "https://evil.example"),
        ("site", "evil.example"),
        ("flags", PRESENT),  # the device has not verified the user
        ("key", Authenticator("", "").key),
        ("uses", 2),  # an older copy of the device, whose signature counter is behind
    ],
    ids=["origin", "site", "flags", "key", "uses"],
)
def test_a_forged_passkey_is_refused(owner: Owner, part: str, false: Any) -> None:
    device = add_passkey(owner)
    device.uses = 5
    assert sign_in_with(owner.url, device.use(passkey_options(owner.url))) == owner.name
    setattr(device, part, false)
    assert sign_in_with(owner.url, device.use(passkey_options(owner.url))) == "passkey_refused"


@pytest.mark.parametrize(
    "response", ["", "{}", "[]", "null", '{"response":{"clientDataJSON":"AAAA"}}', "x" * 99]
)
def test_malformed_passkey_responses_are_refused(owner: Owner, response: str) -> None:
    assert sign_in_with(owner.url, response) == "passkey_refused"
    owner.refused("passkey_refused", "/api/me/passkeys", credential=response)


def test_adding_a_passkey_needs_the_password_and_the_same_account(owner: Owner) -> None:
    owner.refused("wrong_old_password", "/api/me/passkeys/begin")
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    credential = device_of(owner).make(options)
    Owner(owner.site).refused("passkey_refused", "/api/me/passkeys", credential=credential)
    Person(owner.url, "Guest").refused("no_account", "/api/me/passkeys/begin")


# The issuer of the OpenID provider must match exactly, including a trailing slash


@pytest.mark.parametrize(
    ("named", "issuer", "signed", "works"),
    [
        ("{}", "{}", "{}", True),
        ("{}/", "{}/", "{}/", True),
        ("{}/", "{}", "{}", False),
        ("{}", "{}/", "{}/", False),
        ("{}/", "{}/", "{}", False),
        ("{}", "{}", "{}/", False),
        ("{}", "{}//", "{}//", False),
    ],
)
async def test_the_configured_issuer_must_match_exactly(
    tmp_path: Path, named: str, issuer: str, signed: str, works: bool
) -> None:
    with provided() as provider:
        here = provider.issuer
        provider.issuer = issuer.format(here)
        provider.changes = {"iss": signed.format(here)}
        outside = Outside(oidc=named.format(here), oidc_client=CLIENT, oidc_secret=SECRET)
        settings = replace(fast_settings(tmp_path), outside=outside, public_url="https://parlour.example.org")
        services = Services(settings)
        await services.lease.open_store()
        try:
            openid = OpenId(services, AccountService(services))
            if works:
                assert await _sign_in(openid) == "Mina"
            else:
                with pytest.raises(ServerError) as refused:
                    await _sign_in(openid)
                assert refused.value.code == "oidc_failed"
        finally:
            await services.store.close()


async def _sign_in(openid: OpenId) -> str:
    """Sign in at the provider; return the account's name."""
    url, state = await openid.begin(None, None, link=False)
    async with httpx.AsyncClient() as client:
        return_path = (await client.get(url)).headers["location"]
    code = parse_qs(urlsplit(return_path).query)["code"][0]
    return (await openid.finish(None, code, state, state, "en")).name
