"""Attacks on sign-in methods that used to succeed, on both databases."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from server.authenticator import Authenticator
from server.mail_site import Site, mail_site
from server.openid_provider import Provider
from server.parlour import PASSWORD, Person, code_of
from server.sign_in_owner import (
    OTHER,
    Owner,
    add_passkey,
    device_of,
    passkey_options,
    refusal,
    sign_in_at_provider,
    sign_in_with,
    token_in,
)

COUNTS = (2**31 - 1, 2**31, 2**32 - 2)  # signature counters that are too large for PostgreSQL's integers


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    database = ""
    if request.param == "postgres":
        database = request.getfixturevalue("cluster").new_database(f"ways_{secrets.token_hex(4)}")
    with mail_site(tmp_path_factory.mktemp("attacked"), database_url=database) as opened:
        yield opened


@dataclass
class Member:
    """A person who can sign in to their account only at the provider."""

    who: Person
    provider: Provider


@pytest.fixture
def member(site: Site) -> Iterator[Member]:
    before, name = dict(site.provider.claims), secrets.token_hex(5)
    site.provider.claims = {"sub": name, "preferred_username": name}
    who = Person(site.url)
    assert refusal(sign_in_at_provider(who)) == ""
    yield Member(who, site.provider)
    site.provider.claims = before


def test_an_address_is_confirmed_only_by_its_own_account(owner: Owner) -> None:
    """Otherwise anyone who gets a mail because of a mistyped address could take over the account."""
    owner.post("/api/me/address", address=owner.address, password=PASSWORD)
    body = {"token": token_in(owner.site.box.to(owner.address)[0], "mail")}
    nobody = Person(owner.url)
    other = Owner(owner.site)
    nobody.refused("sign_in", "/api/address/confirm", **body)
    other.refused("link_used", "/api/address/confirm", **body)
    assert not other.ways["address"]
    assert not owner.ways["address"]


@pytest.mark.parametrize("header", ["x-forwarded-host", "x-host", "forwarded", "x-original-url", "origin"])
def test_headers_cannot_change_the_host_of_a_mailed_link(owner: Owner, header: str) -> None:
    owner.confirm()
    before = len(owner.site.box.to(owner.address))
    headers = {header: "host=evil.example" if header == "forwarded" else "https://evil.example"}
    owner.http.post("/api/forgotten", json={"address": owner.address}, headers=headers)
    answer = owner.http.post(
        "/api/forgotten", json={"address": owner.address}, headers={"host": "evil.example"}
    )
    assert code_of(answer) == "wrong_host"
    if header != "origin":  # refused because it comes from another site
        assert "evil" not in owner.site.box.to(owner.address, before + 1)[-1]


def test_links_sent_to_a_replaced_address_are_revoked(owner: Owner) -> None:
    old = f"old.{owner.address}"
    owner.confirm(old)
    owner.post("/api/forgotten", address=old)
    recovers = token_in(owner.site.box.to(old, 2)[-1], "recover")
    mistyped = f"not.{owner.address}"
    owner.post("/api/me/address", address=mistyped, password=PASSWORD)
    confirms = token_in(owner.site.box.to(mistyped)[0], "mail")
    owner.confirm()
    thief = Person(owner.url)
    body = {"token": recovers, "password": OTHER}
    thief.refused("link_used", "/api/forgotten/password", **body)
    owner.refused("link_used", "/api/address/confirm", token=confirms)


ENDINGS: dict[str, Callable[[Person], Any]] = {
    "a first password": lambda who: who.post("/api/password", new=PASSWORD),
    "signing out elsewhere": lambda who: who.delete("/api/sessions"),
}


@pytest.mark.parametrize("ends", ENDINGS.values(), ids=ENDINGS)
def test_pending_confirmations_end_with_their_session(
    site: Site, member: Member, ends: Callable[[Person], Any]
) -> None:
    """With a stolen session, someone starts adding an address and a passkey, to finish after its end."""
    address = f"{secrets.token_hex(4)}@example.org"
    member.who.post("/api/me/address", address=address)
    token = token_in(site.box.to(address)[0], "mail")
    options = member.who.post("/api/me/passkeys/begin")["options"]
    ends(member.who)
    answer = member.who.http.post("/api/address/confirm", json={"token": token})
    assert code_of(answer) == "link_used"
    answer = member.who.http.post(
        "/api/me/passkeys", json={"credential": device_of(member.who).make(options)}
    )
    assert code_of(answer) == "passkey_refused"


def test_the_last_way_to_sign_in_cannot_be_removed(member: Member) -> None:
    who = member.who
    options = who.post("/api/me/passkeys/begin")["options"]
    keys = who.post("/api/me/passkeys", credential=device_of(who).make(options))["passkeys"]
    path = f"/api/me/passkeys/{keys[0]['id']}"
    assert not who.delete("/api/me/oidc")["oidc"]
    who.refused("last_way", f"DELETE {path}")
    assert len(who.get("/api/me/ways")["passkeys"]) == 1
    who.post("/api/password", new=PASSWORD)
    assert who.delete(path)["passkeys"] == []


@pytest.mark.parametrize("uses", COUNTS)
def test_large_signature_counters_are_accepted(owner: Owner, uses: int) -> None:
    device = device_of(owner)
    device.uses = uses
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    owner.post("/api/me/passkeys", credential=device.make(options))
    assert sign_in_with(owner.url, device.use(passkey_options(owner.url))) == owner.name


DEEP = 4000
MALFORMED_KEYS: dict[str, Callable[[Authenticator], Any]] = {
    "a key that is a list": lambda device: vars(device).update(public=[1]),
    "a key without numbers": lambda device: vars(device).update(public={1: 3, 3: -257, -1: b"", -2: b""}),
    "a deep statement": lambda device: vars(device).update(attested=b"\x81" * DEEP),
}


@pytest.mark.parametrize("damage", MALFORMED_KEYS.values(), ids=MALFORMED_KEYS)
def test_malformed_keys_are_refused(owner: Owner, damage: Callable[[Authenticator], Any]) -> None:
    device = device_of(owner)
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    damage(device)
    answer = owner.http.post("/api/me/passkeys", json={"credential": device.make(options)})
    assert code_of(answer) == "passkey_refused"


@pytest.mark.parametrize("response", ["[" * DEEP, '{"a":' * (DEEP // 2), "1" * DEEP])
def test_deep_and_long_passkey_responses_are_refused(owner: Owner, response: str) -> None:
    add_passkey(owner)
    assert sign_in_with(owner.url, response) == "passkey_refused"
