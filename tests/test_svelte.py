"""Spaces in the client's pages that Svelte would drop."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


DROPPED = re.compile(r"[^\s>]\{[#:](?:if|else|each)[^{}]*\} \S|\S \{/(?:if|each)\}[^\s<]")


def test_no_block_of_a_page_begins_or_ends_with_a_dropped_space() -> None:
    """Without the space, two sentences, or a name and the mark after it, would run together."""
    pages = sorted((ROOT / "web" / "src").rglob("*.svelte"))
    assert [(page.name, match[0]) for page in pages for match in DROPPED.finditer(page.read_text())] == []
    assert DROPPED.search('{t("a")}{#if b} {t("b")}{/if}')
