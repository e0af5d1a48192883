"""Tiles in sentences: plain text for a terminal, marked up for clients that draw pictures."""

import re
from typing import Any

import pytest

from jantaku import terms
from jantaku.adjudication.explain import explain, explain_failure
from jantaku.adjudication.score import score
from jantaku.errors import HandError, NotationError, RulesError
from jantaku.game.win_reasons import because
from jantaku.hand import Hand
from jantaku.rules import load
from jantaku.tiles import parse_tiles
from jantaku.win import Win

OPEN, CLOSE = terms.TILE_MARKS
MARKED = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
HANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("234m567p34567s99p 8s", {"riichi": "riichi", "dora": "4s"}),
    ("111m555z789s33p12m 3m", {"tsumo": True}),
    ("123m55p678s1115z9s 5p", {}),
    ("234m067p345678s9p 9p", {"tsumo": True}),
    ("123m456m789p55z12s 3s", {}),
)


def sentences(notation: str, options: dict[str, Any], language: terms.Language) -> list[str]:
    """Return every sentence of the explanation that may mention tiles."""
    rules, win = load("standard"), Win.parse(notation, **options)
    try:
        explanation = explain(score(win, rules), language)
    except HandError as error:
        explanation = explain_failure(win, rules, error, language)
    why = [*(row.why for row in explanation.yaku), *(row.why for row in explanation.near_misses)]
    return [
        *explanation.notes,
        *why,
        *(row.detail for row in explanation.fu),
        *explanation.arithmetic,
        explanation.title,
    ]


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.parametrize(("notation", "options"), HANDS)
def test_explanations_mark_their_tiles_for_pictures(
    notation: str, options: dict[str, Any], language: terms.Language
) -> None:
    plain = sentences(notation, options, language)
    with terms.with_pictures():
        marked = sentences(notation, options, language)
    assert len(plain) == len(marked)
    assert not [text for text in plain if OPEN in text or CLOSE in text]
    assert any(OPEN in text for text in marked)
    for plain_text, marked_text in zip(plain, marked, strict=True):
        assert all(parse_tiles(tiles) for tiles in MARKED.findall(marked_text))
        assert not re.search(r"\d[mps]\b", MARKED.sub("", marked_text))
        # Texts without tiles are the same in both forms
        assert len(MARKED.findall(marked_text)) or plain_text == marked_text


def test_tiles_are_marked_only_within_the_block() -> None:
    with terms.with_pictures():
        assert terms.tile_text("3m", "three") == f"{OPEN}3m{CLOSE}"
    assert terms.tile_text("3m", "three") == "three"
    assert terms.tile_text("3m") == "3m"


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_reasons_and_errors_mark_their_tiles(language: terms.Language) -> None:
    with pytest.raises(NotationError) as fifth:
        Hand.parse("11111m22334p567s")
    red = RulesError("red_not_in_rules", path="tiles.red", tile="5m", allowed=1, rules="standard")
    for plain in (because("kuikae", tile="3m").text, fifth.value.message, red.message):
        assert OPEN not in plain(language)
        with terms.with_pictures():
            marked = MARKED.findall(plain(language))
        assert len(marked) == 1
        assert len(parse_tiles(marked[0])) == 1
    assert because("furiten_discard", tiles="36p").details == {"tiles": "36p"}
