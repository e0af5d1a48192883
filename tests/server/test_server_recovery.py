"""Recovery codes: they set a new password once, for their owner alone, and guessing them is limited."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import httpx
import pytest

from jantaku.server.people.recovery_codes import CODES
from server.databases import dump
from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process

PASSWORD, OTHER = "correct horse", "battery staple"
_NUMBERS = count(1)


class Owner(Person):
    """Somebody with an account."""

    def __init__(self, url: str) -> None:
        self.name = f"codes {next(_NUMBERS)}"
        super().__init__(url, self.name)
        self.post("/api/register", name=self.name, password=PASSWORD)


@pytest.fixture
def owner(url: str) -> Owner:
    """Somebody with an account."""
    return Owner(url)


def codes(owner: Owner) -> list[str]:
    """New codes of somebody whose password is the first one."""
    codes: list[str] = owner.post("/api/recovery", password=PASSWORD)["codes"]
    return codes


def recover(owner: Owner, code: str, password: str = OTHER, **said: str) -> httpx.Response:
    """What a browser without cookies gets for a code."""
    body = {"name": owner.name, "code": code, "password": password} | said
    return httpx.post(f"{owner.url}/api/recover", json=body)


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: code.replace("-", " ").replace("0", "O")])
def test_a_code_sets_a_new_password_and_ends_all_other_sessions(
    owner: Owner, typed: Callable[[str], str]
) -> None:
    made = codes(owner)
    assert len(set(made)) == CODES == owner.get("/api/recovery")["left"]
    answer = recover(owner, typed(made[0]))
    assert answer.status_code == 200, answer.text
    assert answer.json()["name"] == owner.name
    assert owner.get("/api/me")["person"] is None
    again = Person(owner.url)
    again.post("/api/login", name=owner.name, password=OTHER)
    assert again.get("/api/recovery")["left"] == CODES - 1


def test_a_code_works_once_and_for_its_owner_alone(owner: Owner, url: str) -> None:
    stranger = Owner(url)
    made, before = codes(owner), codes(stranger)
    codes(stranger)  # those made before stop working
    refused = [
        recover(owner, before[0]),
        recover(stranger, before[0]),
        recover(owner, made[0], name=stranger.name),
        recover(owner, made[0], name="nobody at all"),
        recover(owner, ""),
    ]
    assert [answer.status_code for answer in refused] == [403] * 5
    assert recover(owner, made[0], "short").status_code == 422
    assert recover(owner, made[0]).status_code == 200
    assert recover(owner, made[0]).status_code == 403


def test_codes_end_with_the_password_that_made_them(owner: Owner) -> None:
    """Whoever knew the password had made codes, and came back by them after the owner had changed it."""
    made = codes(owner)
    owner.post("/api/password", old=PASSWORD, new=OTHER)
    assert owner.get("/api/recovery")["left"] == 0
    assert recover(owner, made[0]).status_code == 403


def test_codes_need_an_account_and_its_password(owner: Owner, url: str) -> None:
    assert owner.http.post("/api/recovery", json={"password": OTHER}).status_code == 403
    assert owner.http.post("/api/recovery", json={}).status_code == 403
    assert owner.get("/api/recovery")["left"] == 0
    guest = Person(url, f"codes {next(_NUMBERS)}")
    assert guest.http.post("/api/recovery", json={}).json()["error"]["code"] == "no_account"


@of_one_process
def test_guessing_is_limited_and_no_code_is_stored(tmp_path: Path) -> None:
    limits = replace(LOOSE, tries_of_address_per_h=5, tries_of_account_per_h=50)
    with open_server(quick(tmp_path, limits=limits)) as url:
        owner = Owner(url)
        made = codes(owner)
        statuses = [recover(owner, "0000-0000-0000").status_code for _ in range(7)]
        assert statuses == [403] * 5 + [429] * 2
        assert recover(owner, made[0]).status_code == 429  # the right one, too
    stored = dump(tmp_path)
    assert not any(code in stored or code.replace("-", "") in stored for code in made)


def test_an_erased_person_leaves_no_codes(owner: Owner) -> None:
    made = codes(owner)
    asked = owner.post("/api/me/erase", password=PASSWORD)
    owner.post("/api/me/erase", password=PASSWORD, confirm=asked["confirm"])
    assert recover(owner, made[0]).status_code == 403
