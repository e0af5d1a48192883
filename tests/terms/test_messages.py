"""Messages in Japanese and Korean contain no English sentences, whatever the error."""

import builtins
import errno
import os
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import scale
from jantaku import terms
from jantaku.adjudication.jsonl import answer
from jantaku.errors import JantakuError, cause, phrase
from jantaku.rules import load
from support.rules_mutants import ODD, mutated
from support.scoring import WIN_FIELDS

WORDS = re.compile(r"[A-Za-z]{2,}(?: [A-Za-z]{2,})+")
ENGLISH = "this is a message in English"
OTHERS: list[terms.Language] = [language for language in terms.LANGUAGES if language != "en"]
WIN = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}


def english_in(error: JantakuError) -> list[str]:
    """Return the sequences of English words in the messages in other languages."""
    return [words for language in OTHERS for words in WORDS.findall(error.message(language))]


def errors_of_python() -> Iterator[BaseException]:
    """Yield an error of every type that Python or the system may raise."""
    kinds = [kind for kind in vars(builtins).values() if isinstance(kind, type)]
    others = UnicodeError | BaseExceptionGroup | KeyError  # a key may be a name and so contain English
    yield from (
        kind(ENGLISH) for kind in kinds if issubclass(kind, Exception) and not issubclass(kind, others)
    )
    yield UnicodeDecodeError("utf-8", b"\xff", 0, 1, ENGLISH)
    for number in errno.errorcode:
        yield OSError(number, os.strerror(number), "club.toml")


def test_a_cause_is_in_the_language_of_its_message() -> None:
    for error in errors_of_python():
        raised = JantakuError("unreadable_file", path="x", reason=cause(error))
        assert english_in(raised) == [], error


def test_the_english_cause_is_the_message_of_the_system() -> None:
    assert str(cause(OSError(errno.EIO, "Input/output error"))) == "Input/output error"
    long_name = OSError(errno.ENAMETOOLONG, "File name too long")
    assert str(cause(long_name)) == str(phrase("errors.causes.long_name"))


def test_refused_rules_are_explained_in_one_language() -> None:
    chance = random.Random(5)
    errors = [error for error in (refusal(mutated(chance)) for _ in range(scale(200))) if error]
    assert {problem.code for error in errors for problem in getattr(error, "problems", [error])}
    for error in errors:
        assert english_in(error) == [], error.details


def refusal(rules: Any) -> JantakuError | None:
    try:
        load(rules)
    except JantakuError as error:
        return error
    return None


@pytest.mark.parametrize("field", WIN_FIELDS)
def test_refused_requests_are_explained_in_one_language(field: str) -> None:
    for value in ODD:
        for language in OTHERS:
            with terms.using(language):
                text = answer({**WIN, field: value}).get("error", {}).get("message", "")
            assert WORDS.findall(text) == [], text


@pytest.mark.parametrize("key", ["", " ", "a b", "a\nb", "\u200b"])
@pytest.mark.parametrize("section", ["", "riichi", "yaku", "tiles.red"])
def test_an_invisible_key_is_quoted(section: str, key: str) -> None:
    data: dict[str, object] = {key: 1}
    for name in reversed(section.split(".") if section else []):
        data = {name: data}
    with pytest.raises(JantakuError) as caught:
        load(data)
    lines = caught.value.message("en").splitlines()
    assert len(lines) == 2
    assert terms.literal(key) in lines[1]
