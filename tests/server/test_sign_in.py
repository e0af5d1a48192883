"""Ways into an account besides its password, and what is tried against them."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
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
from server.parlour import Person, open_server, quick
from server.sign_in_owner import (
    OTHER,
    PASSWORD,
    Owner,
    add_passkey,
    begun,
    code_of,
    device_of,
    enters,
    numbered,
    refusal,
    through,
    token_in,
)
from server.sites import of_one_process


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mail_site(tmp_path_factory.mktemp("ways")) as opened:
        yield opened


def test_a_mail_sets_a_new_password_and_ends_every_other_way(owner: Owner) -> None:
    assert owner.get("/api/me")["mail"]
    owner.confirm()
    add_passkey(owner)
    assert owner.ways["address"]
    assert len(owner.ways["passkeys"]) == 1
    stranger = httpx.Client(base_url=owner.url)
    assert stranger.post("/api/forgotten", json={"address": owner.address}).is_success
    mail = owner.site.box.to(owner.address, 2)[-1]
    assert f"{owner.name}:" in mail
    body = {"token": token_in(mail, "recover"), "password": OTHER}
    answer = stranger.post("/api/forgotten/password", json=body)
    assert answer.json()["name"] == owner.name
    assert owner.get("/api/me")["person"] is None
    ways = stranger.get("/api/me/ways").json()
    assert ways == {"address": True, "passkeys": [], "oidc": False}
    assert code_of(stranger.post("/api/forgotten/password", json=body)) == "link_used"
    stranger.close()


def test_a_mail_to_an_address_that_is_not_confirmed_says_nothing_of_its_sender(owner: Owner) -> None:
    """Else the parlour would carry a stranger's words to anybody."""
    owner.http.patch("/api/me", json={"name": "Win at evil.example"}).raise_for_status()
    owner.post("/api/me/address", address=owner.address, password=PASSWORD)
    text = owner.site.box.to(owner.address)[-1]
    assert "evil" not in text
    assert owner.name not in text


def test_nothing_tells_whether_an_account_has_an_address(owner: Owner) -> None:
    owner.confirm()
    answers = [
        httpx.post(f"{owner.url}/api/forgotten", json={"address": address})
        for address in (owner.address, f"no.{owner.address}")
    ]
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1
    owner.site.box.to(owner.address, 2)
    assert [to for to, _ in owner.site.box.mails if to == [f"no.{owner.address}"]] == []


@of_one_process
def test_an_address_gets_few_mails_whoever_asks(owner: Owner) -> None:
    owner.confirm()
    for _ in range(2 * MAILS_PER_H):
        assert httpx.post(f"{owner.url}/api/forgotten", json={"address": owner.address}).is_success
    owner.site.box.to(owner.address, MAILS_PER_H)
    time.sleep(0.3)
    assert len(owner.site.box.to(owner.address)) == MAILS_PER_H  # with the one that confirmed it


@pytest.mark.parametrize(
    "address", ["nobody", "a@b", "a@b.org\r\nBcc: c@d.org", "a b@c.org", "a@b.org,c@d.org", "<a@b.org>"]
)
def test_only_addresses_are_written_to(owner: Owner, address: str) -> None:
    before = len(owner.site.box.mails)
    for path, body in (("me/address", {"password": PASSWORD}), ("forgotten", {})):
        answer = owner.http.post(f"/api/{path}", json={"address": address} | body)
        assert code_of(answer) == "bad_address"
    assert len(owner.site.box.mails) == before


def test_an_address_takes_the_password(owner: Owner) -> None:
    body = {"address": owner.address, "password": OTHER}
    assert code_of(owner.http.post("/api/me/address", json=body)) == "wrong_old_password"
    owner.confirm()
    assert (
        code_of(owner.http.post("/api/me/address/remove", json={"password": OTHER})) == "wrong_old_password"
    )
    assert not owner.post("/api/me/address/remove", password=PASSWORD)["address"]


def test_a_new_password_ends_the_other_ways(owner: Owner) -> None:
    owner.confirm()
    add_passkey(owner)
    owner.post("/api/password", old=PASSWORD, new=OTHER)
    assert owner.ways == {"address": False, "passkeys": [], "oidc": False}


def test_links_do_not_stand_for_each_other_and_expire(owner: Owner) -> None:
    owner.post("/api/me/address", address=owner.address, password=PASSWORD)
    token = token_in(owner.site.box.to(owner.address)[0], "mail")
    body = {"token": token, "password": OTHER}
    assert code_of(owner.http.post("/api/forgotten/password", json=body)) == "link_used"
    stored = dump(owner.site.data)
    rows(owner.site.data, "UPDATE one_times SET expires = 1")
    assert owner.address not in stored  # only its hash is
    assert token not in stored
    assert code_of(owner.http.post("/api/address/confirm", json={"token": token})) == "link_used"


def test_without_a_mail_server_nothing_is_promised(tmp_path: Path) -> None:
    without = Outside(smtp="smtp://127.0.0.1:1", mail_from="a@example.org")  # and no public address
    with open_server(quick(tmp_path, outside=without)) as url:
        mina = Person(url, "Mina")
        assert not mina.get("/api/me")["mail"]
        assert code_of(mina.http.post("/api/forgotten", json={"address": "a@example.org"})) == "no_mail"
        assert code_of(mina.http.post("/api/oidc", json={})) == "no_oidc"


@pytest.fixture
def provider(site: Site) -> Iterator[Provider]:
    provider, before = site.provider, vars(site.provider).copy()
    provider.claims = {"sub": f"subject {numbered()}", "preferred_username": f"member {numbered()}"}
    yield provider
    vars(provider).update(before | {"changes": {}})


def test_somebody_new_gets_an_account_and_comes_back_to_it(site: Site, provider: Provider) -> None:
    first = Person(site.url)
    second = Person(site.url)
    assert refusal(through(first)) == ""
    me = first.get("/api/me")["person"]
    assert me["name"] == provider.claims["preferred_username"]
    assert not me["guest"]
    assert refusal(through(second)) == ""
    assert second.get("/api/me")["person"]["id"] == me["id"]
    assert provider.asked[-1]["code_verifier"]
    assert code_of(second.http.delete("/api/me/oidc")) == "last_way"


def test_a_guest_keeps_everything(site: Site, provider: Provider) -> None:
    assert provider.claims
    guest = Person(site.url, f"guest {numbered()}")
    before = guest.get("/api/me")["person"]
    table = guest.table(bots=3)["id"]
    guest.post(f"/api/tables/{table}/start")
    assert refusal(through(guest)) == ""
    after = guest.get("/api/me")["person"]
    assert after | {"guest": True} == before | {"table": table}
    assert not after["guest"]


def test_a_guest_does_not_lose_everything_to_an_account_that_is_known(site: Site, provider: Provider) -> None:
    assert provider.claims
    first = Person(site.url)
    guest = Person(site.url, f"guest {numbered()}")
    through(first)
    assert refusal(through(guest)) == "identity_taken"
    assert guest.get("/api/me")["person"]["id"] == guest.id


@pytest.mark.slow
@pytest.mark.parametrize("guests", [True, False])
def test_of_two_who_bring_a_new_identity_at_one_instant_one_has_it(
    site: Site, provider: Provider, monkeypatch: pytest.MonkeyPatch, guests: bool
) -> None:
    """The other guest stays a guest; whoever was nobody here comes to the same account."""
    assert provider.claims
    both, looked, first = threading.Barrier(2), SignInStore.identity, iter(range(2))

    async def looks(store: SignInStore, mark: str) -> PersonRow | None:
        rows = await looked(store, mark)
        if next(first, None) is not None:
            await asyncio.to_thread(both.wait, 5)
        return rows

    names = [f"guest {numbered()}" if guests else None for _ in range(2)]
    one = Person(site.url, names[0])
    other = Person(site.url, names[1])
    monkeypatch.setattr(SignInStore, "identity", looks)
    with ThreadPoolExecutor(2) as pool:
        refusals = list(pool.map(lambda who: refusal(through(who)), (one, other)))
    people = [who.get("/api/me")["person"] for who in (one, other)]
    assert sorted(refusals) == (["", "identity_taken"] if guests else ["", ""])
    assert [person["guest"] for person in people] == [refusal != "" for refusal in refusals]
    assert (people[0]["id"] == people[1]["id"]) is not guests


def test_an_account_links_its_identity_after_a_look_at_the_password(
    site: Site, provider: Provider, owner: Owner
) -> None:
    assert code_of(owner.http.post("/api/oidc", json={"link": True})) == "wrong_old_password"
    assert refusal(through(owner, link=True, password=PASSWORD)) == ""
    assert owner.ways["oidc"]
    with closing(Person(site.url)) as again:
        through(again)
        assert again.get("/api/me")["person"]["name"] == owner.name
    with closing(Owner(site)) as other:
        assert refusal(through(other, link=True, password=PASSWORD)) == "identity_taken"
    assert not owner.http.delete("/api/me/oidc").json()["oidc"]
    assert provider.claims


def test_a_name_that_is_taken_gets_a_number(site: Site, provider: Provider, owner: Owner) -> None:
    provider.claims["preferred_username"] = owner.name
    person = Person(site.url)
    through(person)
    assert person.get("/api/me")["person"]["name"] == f"{owner.name} 2"


def another_key() -> Any:
    """A key that the provider does not have."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


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
def test_a_false_answer_of_the_provider_lets_nobody_in(
    site: Site, provider: Provider, spoiled: dict[str, Any]
) -> None:
    vars(provider).update(spoiled)
    if spoiled.get("signed_by") == "another key":
        provider.signed_by = another_key()
    person = Person(site.url)
    assert refusal(through(person)) == "oidc_failed"
    assert person.get("/api/me")["person"] is None


def test_a_way_back_works_once_and_in_its_own_browser(site: Site, provider: Provider) -> None:
    assert provider.claims
    one = Person(site.url)
    other = Person(site.url)
    url = one.post("/api/oidc")["url"]
    back = httpx.get(url).headers["location"].removeprefix(SITE)
    other.post("/api/oidc")  # a state of their own, but not this one
    assert refusal(other.http.get(back)) == "oidc_failed"
    assert other.get("/api/me")["person"] is None
    again = one.http.get(back)
    assert refusal(again) == ""
    assert refusal(one.http.get(back)) == "oidc_failed"
    assert refusal(one.http.get("/api/oidc/callback?code=x&state=")) == "oidc_failed"


def test_a_link_is_not_made_for_somebody_who_signed_in_meanwhile(
    site: Site, provider: Provider, owner: Owner
) -> None:
    assert provider.claims
    url = owner.post("/api/oidc", link=True, password=PASSWORD)["url"]
    back = httpx.get(url).headers["location"].removeprefix(SITE)
    with closing(Owner(site)) as other:
        owner.post("/api/login", name=other.name, password=PASSWORD)
        assert refusal(owner.http.get(back)) == "oidc_failed"


def test_secrets_do_not_show() -> None:
    said = repr(replace(Outside(), smtp="smtp://a:b@c", oidc_secret="d"))
    assert "smtp://" not in said
    assert "'d'" not in said


# Passkeys: a device lets its owner in, and nothing else does


def test_a_passkey_lets_its_owner_in_until_it_is_removed(owner: Owner) -> None:
    device = add_passkey(owner)
    assert [enters(owner.url, device.use(begun(owner.url))) for _ in range(2)] == [owner.name] * 2
    (key,) = owner.ways["passkeys"]
    with closing(Owner(owner.site)) as other:
        assert code_of(other.http.delete(f"/api/me/passkeys/{key['id']}")) == "no_passkey"
    assert owner.http.delete(f"/api/me/passkeys/{key['id']}").json()["passkeys"] == []
    assert enters(owner.url, device.use(begun(owner.url))) == "passkey_refused"


def test_an_answer_works_once_for_its_own_question(owner: Owner) -> None:
    device = add_passkey(owner)
    said = device.use(begun(owner.url))
    assert enters(owner.url, said) == owner.name
    assert enters(owner.url, said) == "passkey_refused"
    assert enters(owner.url, device.use("", challenge="AAAA")) == "passkey_refused"
    new = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    assert enters(owner.url, device.use(new)) == "passkey_refused"  # a question of another kind


@pytest.mark.parametrize("wrong", ["origin", "site", "flags", "key", "uses"])
def test_a_false_passkey_lets_nobody_in(owner: Owner, wrong: str) -> None:
    device = add_passkey(owner)
    device.uses = 5
    assert enters(owner.url, device.use(begun(owner.url))) == owner.name
    false = {
        "origin": "https://evil.example",
        "site": "evil.example",
        "flags": PRESENT,  # without a look at its owner
        "key": Authenticator("", "").key,
        "uses": 2,  # a copy from before
    }
    setattr(device, wrong, false[wrong])
    assert enters(owner.url, device.use(begun(owner.url))) == "passkey_refused"


@pytest.mark.parametrize("said", ["", "{}", "[]", "null", '{"response":{"clientDataJSON":"AAAA"}}', "x" * 99])
def test_nonsense_is_refused(owner: Owner, said: str) -> None:
    assert enters(owner.url, said) == "passkey_refused"
    assert code_of(owner.http.post("/api/me/passkeys", json={"credential": said})) == "passkey_refused"


def test_a_passkey_takes_the_password_and_is_ones_own(owner: Owner) -> None:
    assert code_of(owner.http.post("/api/me/passkeys/begin", json={})) == "wrong_old_password"
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    said = device_of(owner).make(options)
    with closing(Owner(owner.site)) as other:
        answer = other.http.post("/api/me/passkeys", json={"credential": said})
        assert code_of(answer) == "passkey_refused"
    guest = Person(owner.url, "Guest")
    assert code_of(guest.http.post("/api/me/passkeys/begin", json={})) == "no_account"


# The issuer of an OpenID provider is compared to the letter, with a slash at its end or without


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
async def test_issuers(tmp_path: Path, named: str, issuer: str, signed: str, works: bool) -> None:
    with provided() as provider:
        here = provider.issuer
        provider.issuer = issuer.format(here)
        provider.changes = {"iss": signed.format(here)}
        outside = Outside(oidc=named.format(here), oidc_client=CLIENT, oidc_secret=SECRET)
        settings = replace(quick(tmp_path), outside=outside, public_url="https://parlour.example.org")
        services = Services(settings)
        await services.lease.open_store()
        try:
            openid = OpenId(services, AccountService(services))
            if works:
                assert await _came(openid) == "Mina"
            else:
                with pytest.raises(ServerError) as refused:
                    await _came(openid)
                assert refused.value.code == "oidc_failed"
        finally:
            await services.store.close()


async def _came(openid: OpenId) -> str:
    """The name of somebody who signs in by the provider."""
    url, state = await openid.begin(None, None, link=False)
    async with httpx.AsyncClient() as client:
        back = (await client.get(url)).headers["location"]
    code = parse_qs(urlsplit(back).query)["code"][0]
    return (await openid.finish(None, code, state, state, "en")).name
