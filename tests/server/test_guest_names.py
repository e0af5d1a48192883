"""No guest ever looks like another guest, whether that one is there, has signed out, or was deleted."""

import asyncio
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from jantaku.server.names import MOST_LETTERS, numbered, skeleton
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.schema import guest_names
from jantaku.server.storage.services import Services
from server.parlour import Person, open_server, quick


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as it runs outside tests, where no two guests look alike."""
    with open_server(quick(tmp_path_factory.mktemp("names"), same_names=False)) as url:
        yield url


def called(person: Person) -> str:
    """The person's name as everybody sees it."""
    name: str = person.get("/api/me")["person"]["name"]
    return name


def test_each_guest_of_a_name_has_a_number_of_their_own(strict: str) -> None:
    first = Person(strict, "미나")
    table = first.table()["id"]
    again = Person(strict, "미나")
    again.post(f"/api/tables/{table}/join")
    seats = first.get(f"/api/tables/{table}")["seats"]
    assert [seat["name"] for seat in seats if seat] == ["미나", "미나 2"]
    first.post("/api/logout")
    assert called(Person(strict, "미나")) == "미나 3"  # whoever has gone keeps the name in every record
    assert called(Person(strict, "미 나")) == "미 나 4"  # looks the same
    assert called(Person(strict, "미나 5")) == "미나 5"
    assert called(Person(strict, "미나")) == "미나 6"


def test_renaming_gives_nobody_the_look_of_another(strict: str) -> None:
    one, other = Person(strict, "Ann"), Person(strict, "Ben")
    assert other.http.patch("/api/me", json={"name": "ann"}).json()["name"] == "ann 2"
    assert other.http.patch("/api/me", json={"name": "ann"}).json()["name"] == "ann 2"  # keeps its number
    assert one.http.patch("/api/me", json={"name": "ANN"}).json()["name"] == "ANN"  # one's own look
    assert one.http.patch("/api/me", json={"language": "ko"}).json()["name"] == "ANN"
    long = "x" * MOST_LETTERS
    assert called(Person(strict, long)) == long
    assert called(Person(strict, long)) == numbered(long, 2) == "x" * (MOST_LETTERS - 2) + " 2"


def test_many_at_once_all_get_names_of_their_own(strict: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda _: called(Person(strict, "Cho")), range(16)))
    assert sorted(names) == sorted(["Cho", *(f"Cho {number}" for number in range(2, 17))])


def registered(person: Person, name: str) -> str:
    """The name that somebody has after opening an account with a name."""
    answer = person.http.post(
        "/api/register", json={"name": name, "password": "long enough", "language": "en"}
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["name"])


def test_no_account_looks_like_a_guest_who_played_here(strict: str) -> None:
    """It keeps the name to sign in with; the guest who opens the account keeps the name itself."""
    first = Person(strict, "Eun")
    first.post("/api/logout")
    new = Person(strict)
    assert registered(new, "Eun") == "Eun 2"
    assert new.http.patch("/api/me", json={"name": "Eun"}).json()["name"] == "Eun 2"
    again = Person(strict)
    login = {"name": "Eun", "password": "long enough"}
    assert again.http.post("/api/login", json=login).json()["name"] == "Eun 2"
    guest = Person(strict, "Fay")
    assert registered(guest, "Fay") == "Fay"
    other = Person(strict, "Gil")
    Person(strict, "Hana").post("/api/logout")
    assert registered(other, "Hana") == "Hana 2"
    assert other.http.patch("/api/me", json={"name": "Ivo"}).json()["name"] == "Ivo"
    Person(strict, "Joo").post("/api/logout")
    assert other.http.patch("/api/me", json={"name": "joo"}).json()["name"] == "joo 2"


def test_a_deleted_guest_is_not_forgotten_and_an_account_keeps_its_look(tmp_path: Path) -> None:
    async def live() -> list[str]:
        services = Services(quick(tmp_path, same_names=False))
        await services.store.claim()
        await services.store.open()
        add, names = services.accounts.add_guest, []
        for _ in range(2):
            names.append((await add(PersonRow(new_id(), "Dai", None, "player", "en"), unlike=True)).name)
            await services.cleanup.tidy()  # nobody of them is signed in
        account = PersonRow(new_id(), "Dai 3", "dai 3", "player", "en")
        await services.accounts.add(account, "x", ["dal3"])
        names.append((await add(PersonRow(new_id(), "Dai", None, "player", "en"), unlike=True)).name)
        await services.store.close()
        return names

    assert asyncio.run(live()) == ["Dai", "Dai 2", "Dai 4"]


def test_names_of_guests_cannot_be_guessed_from_a_copy_of_the_table(tmp_path: Path) -> None:
    """Neither by hashing a guess nor by asking another parlour for its mark."""

    async def marks(data: Path) -> list[str]:
        services = Services(quick(data, same_names=False))
        await services.store.claim()
        await services.store.open()
        for name in ("Dai", "Eun"):
            await services.accounts.add_guest(PersonRow(new_id(), name, None, "player", "en"), unlike=True)
        found = [str(mark) for mark in await services.store.values(select(guest_names.c.mark))]
        await services.store.close()
        return found

    one, other = (asyncio.run(marks(tmp_path / place)) for place in ("one", "other"))
    guesses = {
        hashlib.sha256(text.encode()).hexdigest()
        for name in ("Dai", "Eun")
        for text in (name, skeleton(name))
    }
    assert len(one) == len(other) == 2
    assert set(one).isdisjoint(other)
    assert guesses.isdisjoint((*one, *other))
