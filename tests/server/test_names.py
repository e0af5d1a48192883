"""Names: allowed characters, lookalikes, and guests who are numbered."""

import asyncio
import hashlib

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from jantaku.server.errors import ServerError
from jantaku.server.names import MAX_NAME, check_reserved, numbered, shown_name, skeleton
from jantaku.server.storage.people import GuestName
from jantaku.server.storage.services import Services
from server.lobbies import somebody
from server.parlour import PASSWORD, Person, Serve, code_of, fast_settings, only_limits, run_concurrently
from server.sites import of_one_process

UNCHANGED = (
    "민수",
    "ㅋㅋㅋ",
    "山田 太郎",
    "みなと",
    "ガンダム",
    "Nguyễn Văn",
    "Zoë",
    "ภูมิ",
    "नमस्ते",
    "Иван",
    "💩",
)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        *zip(UNCHANGED, UNCHANGED, strict=True),
        ("  민수 ", "민수"),
        ("Ｍｉｎａ", "Mina"),
        ("ｶﾞﾝﾀﾞﾑ", "ガンダム"),
        ("a\u3000 b", "a b"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_names_are_normalised(written: str, shown: str) -> None:
    assert shown_name(written) == shown


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("empty_name", ["", "\u3000", "..."]),
        # Hangul fillers, a Braille blank, invisible and bidirectional characters
        ("name_character", ["\u3164", "\u115f\u1160", "\u2800", "Mi\u200bna", "Mi\u00adna", "Mi\u034fna"]),
        ("name_character", ["\u202eaniM", "\u2066Mina\u2069", "Mina\ufe0f", "Mina\U000e0101", "Mina\u0007"]),
        ("name_character", ["Mina\u2028x", "\ue000", "\U000e0041x", "\ud800", "a\u20dd"]),
        ("name_marks", ["Z\u0310\u0352\u033bina", "\u0301Mina", "가\u0301\u0301\u0301", "ก" + "\u0e49" * 4]),
        ("long_name", ["x" * (MAX_NAME + 1), "\ufdfa\ufdfa"]),  # one character expands to eighteen letters
    ],
)
def test_names_with_hidden_or_stacked_characters_are_refused(code: str, names: list[str]) -> None:
    for name in names:
        with pytest.raises(ServerError) as error:
            shown_name(name)
        assert error.value.code == code, ascii(name)


@pytest.mark.slow
@given(st.text(max_size=60))
def test_normalising_an_accepted_name_again_changes_nothing(name: str) -> None:
    try:
        shown = shown_name(name)
    except ServerError:
        return
    assert shown_name(shown) == shown
    assert 0 < len(shown) <= MAX_NAME
    assert skeleton(shown)


@pytest.mark.parametrize(
    ("name", "alike", "unlike"),
    [
        ("Mina", ["mina", "Міnа", "ΜΙΝΑ", "M1na", "rnina", "𝓜𝓲𝓷𝓪", "M i n a."], "Nina"),
        ("Bo0m", ["BOom"], "Bom"),
        ("ニ口", ["二ロ"], "ニコ"),
        ("カイ", ["力イ"], "ガイ"),
        ("ビール", ["ビ一ル"], "ビル"),
        ("へび", ["ヘび"], "へひ"),
        ("민수", [], "민소"),
        ("José", [], "Josef"),
        ("かか", [], "がか"),
    ],
)
def test_lookalike_names_share_a_skeleton(name: str, alike: list[str], unlike: str) -> None:
    assert {skeleton(other) for other in alike} <= {skeleton(name)}
    assert skeleton(unlike) != skeleton(name)


@pytest.mark.parametrize("name", ["Kaede", "Каеde", "sora", "S0ra", "HANEUL", "Ren", "Аdmin", "adrnin"])
def test_names_of_bots_and_the_admin_are_reserved(name: str) -> None:
    with pytest.raises(ServerError) as error:
        check_reserved(name)
    assert error.value.code == "name_like"


def rename(person: Person, name: str) -> str:
    return str(person.patch("/api/me", name=name)["name"])


@pytest.mark.slow
def test_nobody_can_imitate_an_account(serve: Serve) -> None:
    """No guest and no account can get a name that looks like another account's current or former name."""
    url = serve()
    mina, guest = Person(url, "Mina", PASSWORD), Person(url, "Jun")
    for name in ("Mina", "Міnа", "rnina"):
        assert httpx.post(f"{url}/api/guest", json={"name": name}).status_code == 409
        body = {"name": name, "password": PASSWORD}
        assert httpx.post(f"{url}/api/register", json=body).status_code == 409
        guest.refused("name_like", "PATCH /api/me", name=name)
    assert rename(mina, "Chao") == "Chao"
    for name in ("Mіna", "Сhao"):
        guest.refused("name_like", "PATCH /api/me", name=name)
    assert rename(mina, "MINA") == "MINA"
    assert rename(guest, "Сhao"), "the former name is free again"
    rename(guest, "Jun")
    answer = guest.http.patch("/api/me", json={"name": "S\u200bora"}, headers={"accept-language": "ko"})
    assert answer.json()["error"]["code"] == "name_character"
    assert "U+200B" in answer.json()["error"]["message"]
    assert mina.table(name="  우리  탁자 ")["name"] == "우리 탁자"
    mina.refused("name_character", "/api/tables", name="\u202eelbat")


@of_one_process
def test_account_names_cannot_be_probed_in_bulk(serve: Serve) -> None:
    """Each person and each address can find out only a few times a minute whether a name exists."""
    url = serve(limits=only_limits(names_per_min=0.001, name_burst=5))
    Person(url, "Hana", PASSWORD)
    codes = []
    for number in range(4):
        guest = Person(url, f"Guest {number}")
        codes += [code_of(guest.send("PATCH", "/api/me", name="Hana")) for _ in range(3)]
        guest.patch("/api/me", language="ko")
    assert codes == ["name_like"] * 5 + ["too_many"] * 7


# Guests' names differ from those of other guests, including guests who signed out or were deleted


@pytest.fixture
def strict(serve: Serve) -> str:
    """A server where guests get distinct names, as on a real server."""
    return serve(same_names=False)


def current_name(person: Person) -> str:
    return str(person.get("/api/me")["person"]["name"])


def register(person: Person, name: str) -> str:
    """Register an account; return the name that is displayed."""
    return str(person.post("/api/register", name=name, password=PASSWORD)["name"])


def test_guests_with_the_same_name_get_distinct_numbers(strict: str) -> None:
    first = Person(strict, "미나")
    table = first.table()["id"]
    again = Person(strict, "미나")
    seats = again.post(f"/api/tables/{table}/join")["seats"]
    assert [seat["name"] for seat in seats if seat] == ["미나", "미나 2"]
    first.post("/api/logout")  # after signing out, the guest still has this name in records
    for name, shown in (("미나", "미나 3"), ("미 나", "미 나 4"), ("미나 5", "미나 5"), ("미나", "미나 6")):
        assert current_name(Person(strict, name)) == shown
    names = run_concurrently([lambda: current_name(Person(strict, "Cho"))] * 16)
    assert sorted(names) == sorted(["Cho", *(f"Cho {number}" for number in range(2, 17))])


def test_renaming_cannot_produce_the_name_of_another_guest(strict: str) -> None:
    one, other = Person(strict, "Ann"), Person(strict, "Ben")
    assert [rename(other, "ann") for _ in range(2)] == ["ann 2"] * 2  # the guest keeps the number
    assert rename(one, "ANN") == "ANN"  # a variant of the guest's own name
    assert one.patch("/api/me", language="ko")["name"] == "ANN"
    long = "x" * MAX_NAME
    assert current_name(Person(strict, long)) == long
    assert current_name(Person(strict, long)) == numbered(long, 2) == "x" * (MAX_NAME - 2) + " 2"


def test_accounts_cannot_look_like_earlier_guests(strict: str) -> None:
    """An account signs in with its numbered name; a guest who registers keeps the name unchanged."""
    for name in ("Eun", "Hana", "Joo"):
        Person(strict, name).post("/api/logout")
    new, other = Person(strict), Person(strict, "Gil")
    assert register(new, "Eun") == rename(new, "Eun") == "Eun 2"
    assert Person(strict).post("/api/login", name="Eun", password=PASSWORD)["name"] == "Eun 2"
    assert register(Person(strict, "Fay"), "Fay") == "Fay"
    assert register(other, "Hana") == "Hana 2"
    assert [rename(other, name) for name in ("Ivo", "joo")] == ["Ivo", "joo 2"]


async def test_names_of_deleted_guests_and_accounts_stay_reserved(services: Services) -> None:
    async def entered() -> str:
        return (await services.accounts.add_guest(somebody("Dai"), unique=True)).name

    names = []
    for _ in range(2):
        names.append(await entered())
        await services.cleanup.tidy()  # none of these guests is signed in
    await services.accounts.add(somebody("Dai 3", "dai 3"), ["dal3"])
    assert [*names, await entered()] == ["Dai", "Dai 2", "Dai 4"]


def test_guest_names_cannot_be_recovered_from_stored_marks(serve: Serve) -> None:
    """Neither hashing guesses nor comparing the marks with those of another server reveals a name."""

    async def marks(place: str) -> set[str]:
        services = Services(fast_settings(serve.data / place))
        await services.store.open()
        for name in ("Dai", "Eun"):
            await services.accounts.add_guest(somebody(name), unique=True)
        stored = set(map(str, await services.store.values(select(GuestName.mark))))
        await services.store.close()
        return stored

    one, other = (asyncio.run(marks(place)) for place in ("one", "other"))
    texts = [text for name in ("Dai", "Eun") for text in (name, skeleton(name))]
    guesses = {hashlib.sha256(text.encode()).hexdigest() for text in texts}
    assert len(one) == len(other) == 2
    assert not one & other | guesses & (one | other)
