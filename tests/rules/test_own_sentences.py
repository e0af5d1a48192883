"""Conditions of custom yaku as sentences in three languages."""

from random import Random

import pytest

from jantaku import RulesError, load, terms
from jantaku.rules.own import program, read, vocabulary
from jantaku.rules.own.condition_sentences import condition_text, definition_of, part_texts
from jantaku.rules.own.word_list import words_listed
from jantaku.rules.own.written import written
from jantaku.rules.own_yaku import naming
from support.own_conditions import random_condition

WORDS = [
    ('only("1579s7z")', "every tile is one of: 1579s7z"),
    ("only(man, honours)", "every tile is one of: characters, honours"),
    ("runs >= 3", "runs: at least 3"),
    ("1 <= runs <= 3", "runs: at least 1, and runs: at most 3"),
    ("triplets == 0", "no triplets or kans"),
    ('triplet("5z")', "a triplet or kan of White"),
    ("run(n, x) == 2", "a run from n in suit x (exactly 2×)"),
    ("not triplet(n, x) >= 2", "a triplet or kan of n in suit x (at most 1×)"),
    ("not tsumo", "won by ron"),
    ("open", "the hand is open"),
    ("dealer", "the winner is the dealer"),
    ('has("1199m")', "the hand has 1199m"),
    ('yaku("pinfu") and closed', "the hand has Pinfu, and the hand is closed"),
    ("closed and (tsumo or riichi)", "the hand is closed, and (won by tsumo, or in riichi)"),
    ("not (riichi and tsumo)", "not (in riichi, and won by tsumo)"),
    ("n >= 2 and run(n, x)", "n is at least 2, and a run from n in suit x"),
    ("count(1, man)", "one of 1 man"),
    ("triplets > runs", "triplets or kans − runs: at least 1"),
    ("kinds != 5", "different tiles: not 5"),
]


def test_a_condition_uses_the_names_of_other_custom_yaku() -> None:
    other = {"name": {"ko": "공작", "en": "Peacock"}, "closed": 2, "when": 'only("1579s7z")'}
    both = {"closed": 3, "when": 'yaku("peacock") and tsumo'}
    rules = load({"extends": "standard", "yaku": {"peacock": other, "both": both}})
    own = next(yaku for yaku in rules.own_yaku if yaku.id == "both")
    called: list[tuple[terms.Language, str]] = [("en", "Peacock"), ("ko", "공작")]
    for language, name in called:
        named = naming(rules.own_yaku, language)
        assert name in own.why(language, named)
        assert name in own.definition(language, named)
        assert name in part_texts(read(own.condition), language, named=named)[0]


@pytest.mark.parametrize(("when", "words"), WORDS)
def test_a_condition_in_words(when: str, words: str) -> None:
    assert condition_text(read(when), "en") == words


def test_letters_are_explained_once() -> None:
    text = definition_of(read("run(n, x) and run(n, y)"), "en")
    assert text.endswith("(n: any number; x, y: different suits).")
    assert part_texts(read("run(n, x) and run(n, y)"), "ko") == [
        "x 종류의 n부터 시작하는 슌쯔가 있음", "y 종류의 n부터 시작하는 슌쯔가 있음",
    ]  # fmt: skip


def test_parts_joined_again_give_the_same_condition() -> None:
    for when in ("1 <= runs <= 3", "run(n, x) == 2", "tsumo and (ron or closed)", "tsumo or closed"):
        condition = read(when)
        parts = condition.options or condition.parts
        again = (" or " if condition.options else " and ").join(map(condition.written, parts))
        assert read(again).text == when


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_condition_is_put_into_words(language: terms.Language) -> None:
    chance = Random(3)
    for when in [*written().values(), *(random_condition(chance) for _ in range(300))]:
        try:
            program(read(when))
        except RulesError:
            continue
        assert definition_of(read(when), language)


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_offered_word_can_be_read(language: terms.Language) -> None:
    listed = words_listed(language)
    assert len({word.word for word in listed if word.kind != "yaku"}) > 60
    for word in listed:
        assert word.about
        if word.kind in ("circumstance", "form", "wait", "yaku"):
            read(word.insert)
        elif word.kind == "number":
            read(f"{word.insert} >= 1")
        elif word.kind == "tiles":
            read(f"only({word.insert})")
    missing = set(vocabulary.CONDITIONS) - {word.word for word in listed}
    assert missing <= {"quad", "concealed_quad", *vocabulary.PLURALS}
