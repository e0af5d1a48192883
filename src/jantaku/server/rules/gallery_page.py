"""The gallery as the rules editor shows it: each part in words, with what it sets and an example."""

from typing import Any

from jantaku import terms
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score
from jantaku.booklet.examples import ScoredExample
from jantaku.booklet.yaku import shown_example
from jantaku.rules import load
from jantaku.rules.gallery import GalleryPart, gallery
from jantaku.rules.sheet import worth_in_words
from jantaku.server.rules.yaku_guide import example_data

Data = dict[str, Any]


def gallery_page(language: terms.Language) -> Data:
    """``Gallery`` as data."""
    with terms.using(language):
        return {"parts": [_shown(part, language) for part in gallery().values()]}


def _shown(part: GalleryPart, language: terms.Language) -> Data:
    shown = {"id": part.id, "kind": part.kind, "source": part.source, "changes": part.changes}
    said = {"name": part.name[language], "about": part.about[language]}
    if part.kind != "yaku":
        return {**shown, **said, "closed": "", "open": "", "example": None}
    own = part.rules["yaku"][part.id]
    return {
        **shown,
        **said,
        "closed": worth_in_words(own["closed"], language),
        "open": worth_in_words(own["open"], language),
        "example": _example(part, language),
    }


def _example(part: GalleryPart, language: terms.Language) -> Data:
    rules = load("standard").with_changes(part.changes)
    win = win_from_request(dict(part.example))
    return example_data(shown_example(ScoredExample(win, score(win, rules)), part.id, rules, language))
