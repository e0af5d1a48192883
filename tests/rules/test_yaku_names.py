"""Names of yaku in each language."""

from typing import Any

import pytest

from jantaku import RequestError, Win, load, score, yaku_name
from jantaku.rules.bonus import BONUS
from jantaku.rules.catalogue import catalogue
from jantaku.terms import LANGUAGES, using

OWN = {"closed": 2, "open": 1, "when": "tsumo", "name": {"en": "Rising sun", "ja": "日の出"}}
HOUSE = load({"extends": "standard", "yaku": {"hinode": OWN}})


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_yaku_and_dora_have_different_names(language: Any) -> None:
    ids = [*catalogue(), *BONUS]
    assert len({yaku_name(yaku, language) for yaku in ids}) == len(ids)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (("pinfu", "ja"), "平和"),
        (("kita", "ko"), "북빼기"),
        (("hinode", "ja", HOUSE), "日の出"),
        (("hinode", "ko", HOUSE), "Rising sun"),
        (("pinfu", "en", "tenhou"), "Pinfu"),
    ],
)
def test_names(given: tuple[Any, ...], wanted: str) -> None:
    assert yaku_name(*given) == wanted


def test_the_yaku_of_a_score_have_names_in_the_current_language() -> None:
    made = score(Win.parse("234m067p345678s9p 9p", riichi="riichi", tsumo=True, dora="8p"), HOUSE)
    with using("ja"):
        names = [yaku_name(yaku, rules=made.rules) for yaku in made.yaku]
    assert names == ["立直", "門前清自摸和", "日の出", "ドラ", "赤ドラ"]


@pytest.mark.parametrize(
    ("arguments", "field", "quoted"),
    [
        (("pinfuu",), "yaku", "(pinfu)"),
        (("hinode",), "yaku", "hinode"),
        (("",), "yaku", "“”"),
        ((5,), "yaku", "text"),
        (("pinfu", "fr"), "language", "en, ja, ko"),
    ],
)
def test_an_unknown_yaku_or_language_is_refused(arguments: Any, field: str, quoted: str) -> None:
    with pytest.raises(RequestError) as refused:
        yaku_name(*arguments)
    assert refused.value.field == field
    assert quoted in str(refused.value)
