"""What the pages print in bold stands on the screen, in the same language."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from jantaku.terms import Language, table
from support.pages import ROOT, pages, text_of

TABLES: Final = ("web", "desk", "event", "recorder", "season", "server", "server_errors", "learn", "guide")
PAGES: Final = sorted(
    f"docs/{path.name}"
    for top in ("player", "organising", "recorder.")
    for path in (ROOT / "docs").glob(f"{top}*.md")
    if path.name != "recorder.md"  # which describes what labels do, and names few
)
# Titles of paragraphs, which begin a line or an item of a list and end in a full stop
TITLE: Final = re.compile(r"^(- )?\*\*[^*]+[.。]\*\*", re.MULTILINE)
BOLD: Final = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
CODE: Final = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
PLACE: Final = re.compile(r"\\\{\w+\\\}")


def texts(node: Any) -> Iterator[str]:
    """Every text of a table."""
    for value in node.values() if isinstance(node, dict) else node:
        yield from (value,) if isinstance(value, str) else texts(value)


@cache
def on_screen(language: Language) -> tuple[re.Pattern[str], ...]:
    """What can stand on a page: with anything in the place of a name or a number, or what is before it."""
    said = {text for name in TABLES for text in texts(table(name, language))}
    literal = {text for text in said if len(re.sub(r"\{\w+\}|[\s.:,]", "", text)) > 1 or "{" not in text}
    before = {text.partition("{")[0].rstrip(" (（:") for text in literal if not text.startswith("{")}
    return tuple(re.compile(PLACE.sub(".+", re.escape(text)) + "[.。:]?") for text in literal | before)


def labels(page: str) -> list[str]:
    """The labels of a page; an arrow leads from one to the next."""
    bold = BOLD.findall(TITLE.sub("", text_of(page)))
    return list(dict.fromkeys(label for part in bold for label in " ".join(part.split()).split(" → ")))


@pytest.mark.parametrize("page", pages())
def test_bold_ends_where_readers_of_markdown_see_it(page: str) -> None:
    """Two stars between a bracket and a letter end nothing, so they would stand in the text."""
    text = CODE.sub("x", text_of(page))
    spans = ((match[1], text[: match.start()][-1:], text[match.end() :][:1]) for match in BOLD.finditer(text))
    stars = [
        bold
        for bold, before, after in spans
        if (re.match(r"\w", after) and re.search(r"\W$", bold))
        or (re.match(r"\w", before) and re.match(r"\W", bold))
    ]
    assert stars == []


@pytest.mark.parametrize("page", PAGES)
def test_labels_of_a_page_stand_on_the_screen(page: str) -> None:
    ending = page.removesuffix(".md").rpartition(".")[2]
    language: Language = "ko" if ending == "ko" else "ja" if ending == "ja" else "en"
    known = on_screen(language)
    assert len(labels(page)) > 8
    assert [label for label in labels(page) if not any(pattern.fullmatch(label) for pattern in known)] == []
