"""Korean particles and English plurals agree with the text that they follow."""

import re

import pytest

from jantaku import terms
from jantaku.terms.agreement import FORMS, in_agreement
from support.scoring import table
from terms.test_terms import TABLES, leaves

ROWS = table("agreement.tsv")


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_words_agree_with_the_text_before_them(row: dict[str, str]) -> None:
    assert in_agreement(row["text"], str) == row["read"]


def test_filled_values_stay_unchanged() -> None:
    filled = in_agreement("{team}: {count} game(s)", lambda text: text.format(team="Ace(s) 은(는)", count=1))
    assert filled == "Ace(s) 은(는): 1 game"


def test_korean_texts_use_known_particles() -> None:
    """Brackets after a placeholder contain a known particle, so no text ever displays both forms."""
    both = re.compile(
        r"이\(가\)|가\(이\)|을\(를\)|를\(을\)|은\(는\)|는\(은\)|와\(과\)|과\(와\)|\(으\)로|\(이\)"
    )
    for name in TABLES:
        for key, value in leaves(terms.table(name, "ko")):
            for match in both.finditer(value):
                written = value[match.start() : match.end() + 1]
                assert any(written.startswith(form) for form in FORMS), f"{name}:{key}: {written}"
