"""Korean particles take the form that fits the preceding word."""

import re

import pytest

from jantaku import terms
from jantaku.terms.particles import FORMS, with_particles
from support.scoring import table
from terms.test_terms import TABLES, leaves

PARTICLES = table("particles.tsv")


@pytest.mark.parametrize("row", PARTICLES, ids=[row["text"] for row in PARTICLES])
def test_korean_particles_fit_the_word_before(row: dict[str, str]) -> None:
    assert with_particles(row["text"]) == row["read"]


def test_korean_texts_name_particles_that_are_resolved() -> None:
    """No text shows two forms at once: what stands in brackets behind a placeholder is a known particle."""
    both = re.compile(
        r"이\(가\)|가\(이\)|을\(를\)|를\(을\)|은\(는\)|는\(은\)|와\(과\)|과\(와\)|\(으\)로|\(이\)"
    )
    for name in TABLES:
        for key, value in leaves(terms.table(name, "ko")):
            for match in both.finditer(value):
                written = value[match.start() : match.end() + 1]
                assert any(written.startswith(form) for form in FORMS), f"{name}:{key}: {written}"
