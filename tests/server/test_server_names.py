"""Names: what may stand in one, and which look alike."""

from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.server.errors import ServerError
from jantaku.server.names import MOST_LETTERS, check_reserved, shown_name, skeleton
from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process

PASSWORD = "correct horse"
KEPT = (
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
    "龍2",
)


@pytest.mark.parametrize("name", KEPT)
def test_names_in_all_scripts_are_kept(name: str) -> None:
    assert shown_name(name) == name


@pytest.mark.parametrize(
    ("written", "shown"),
    [
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
    ("name", "code"),
    [
        ("", "empty_name"),
        ("\u3000", "empty_name"),
        ("...", "empty_name"),
        ("\u3164", "name_character"),  # the filler of Korean letters
        ("\u115f\u1160", "name_character"),
        ("\u2800", "name_character"),  # a blank of Braille
        ("Mi\u200bna", "name_character"),
        ("Mi\u00adna", "name_character"),
        ("Mi\u034fna", "name_character"),
        ("\u202eaniM", "name_character"),
        ("\u2066Mina\u2069", "name_character"),
        ("Mina\ufe0f", "name_character"),
        ("Mina\U000e0101", "name_character"),
        ("Mina\u0007", "name_character"),
        ("Mina\u2028x", "name_character"),
        ("\ue000", "name_character"),
        ("\U000e0041x", "name_character"),
        ("\ud800", "name_character"),
        ("a\u20dd", "name_character"),
        ("Z\u0310\u0352\u033bina", "name_marks"),
        ("\u0301Mina", "name_marks"),
        ("가\u0301\u0301\u0301", "name_marks"),
        ("ก\u0e49\u0e49\u0e49\u0e49", "name_marks"),
        ("x" * (MOST_LETTERS + 1), "long_name"),
        ("\ufdfa\ufdfa", "long_name"),  # one sign that stands for eighteen letters
    ],
)
def test_names_with_hidden_or_stacked_characters_are_refused(name: str, code: str) -> None:
    with pytest.raises(ServerError) as error:
        shown_name(name)
    assert error.value.code == code


@pytest.mark.slow
@given(st.text(max_size=60))
def test_an_accepted_name_is_shown_unchanged(name: str) -> None:
    try:
        shown = shown_name(name)
    except ServerError:
        return
    assert shown_name(shown) == shown
    assert 0 < len(shown) <= MOST_LETTERS
    assert skeleton(shown)


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Mina", "mina"),
        ("Mina", "Міnа"),
        ("Mina", "ΜΙΝΑ"),
        ("Mina", "M1na"),
        ("Mina", "rnina"),
        ("Mina", "𝓜𝓲𝓷𝓪"),
        ("Mina", "M i n a."),
        ("Bo0m", "BOom"),
        ("ニ口", "二ロ"),
        ("カイ", "力イ"),
        ("ビール", "ビ一ル"),
        ("へび", "ヘび"),
    ],
)
def test_lookalike_names_share_a_skeleton(name: str, like: str) -> None:
    assert skeleton(name) == skeleton(like)


@pytest.mark.parametrize(
    ("name", "other"), [("かか", "がか"), ("Mina", "Nina"), ("민수", "민소"), ("José", "Josef")]
)
def test_distinct_names_have_distinct_skeletons(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


@pytest.mark.parametrize("name", ["Kaede", "Каеde", "sora", "S0ra", "HANEUL", "Ren", "Аdmin", "adrnin"])
def test_names_of_bots_and_the_admin_are_reserved(name: str) -> None:
    with pytest.raises(ServerError) as error:
        check_reserved(name)
    assert error.value.code == "name_like"


@pytest.mark.slow
def test_guests_cannot_imitate_an_account_name(tmp_path: Path) -> None:
    """Neither guests, nor new or renamed accounts, nor by the former name of an account."""
    with open_server(quick(tmp_path)) as url:
        mina, guest = Person(url), Person(url, "Jun")
        mina.post("/api/register", name="Mina", password=PASSWORD)
        for name in ("Mina", "Міnа", "rnina"):
            for path in ("guest", "register"):
                body = {"name": name} | ({"password": PASSWORD} if path == "register" else {})
                answer = httpx.post(f"{url}/api/{path}", json=body)
                assert answer.status_code == 409, (path, name)
            assert guest.http.patch("/api/me", json={"name": name}).status_code == 409
        assert mina.http.patch("/api/me", json={"name": "Chao"}).json()["name"] == "Chao"
        for name in ("Mіna", "Сhao"):
            assert guest.http.patch("/api/me", json={"name": name}).status_code == 409
        assert mina.http.patch("/api/me", json={"name": "MINA"}).status_code == 200
        assert guest.http.patch("/api/me", json={"name": "Сhao"}).status_code == 200, "it is free again"
        guest.http.patch("/api/me", json={"name": "Jun"})
        answer = guest.http.patch("/api/me", json={"name": "S\u200bora"}, headers={"accept-language": "ko"})
        assert answer.json()["error"]["code"] == "name_character"
        assert "U+200B" in answer.json()["error"]["message"]
        mina.close()
        guest.close()


@of_one_process
def test_names_of_accounts_cannot_be_tried_in_bulk(tmp_path: Path) -> None:
    """Whether a name is taken is told a few times a minute, to a person and to an address."""
    limits = replace(LOOSE, names_per_min=0.001, name_burst=5)
    with open_server(quick(tmp_path, limits=limits)) as url:
        Person(url).post("/api/register", name="Hana", password="correct horse")
        codes = []
        for number in range(4):
            guest = Person(url, f"Guest {number}")
            answers = [guest.http.patch("/api/me", json={"name": "Hana"}) for _ in range(3)]
            codes += [answer.json()["error"]["code"] for answer in answers]
            assert guest.http.patch("/api/me", json={"language": "ko"}).status_code == 200
            guest.close()
        assert codes == ["name_like"] * 5 + ["too_many"] * 7


def test_table_names_follow_the_same_rules(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        assert mina.table(name="  우리  탁자 ")["name"] == "우리 탁자"
        answer = mina.http.post("/api/tables", json={"name": "\u202eelbat"})
        assert answer.json()["error"]["code"] == "name_character"
        mina.close()
