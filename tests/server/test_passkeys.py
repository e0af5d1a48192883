"""Passkeys: a device lets its owner in, and nothing else does."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from server.authenticator import PRESENT, Authenticator
from server.mail_site import Site, mail_site
from server.parlour import Person
from server.sign_in_owner import (
    PASSWORD,
    Owner,
    add_passkey,
    begun,
    code_of,
    device_of,
    enters,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mail_site(tmp_path_factory.mktemp("passkeys")) as opened:
        yield opened


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
