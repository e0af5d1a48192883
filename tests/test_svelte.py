"""What the pages of the client must not lose when Svelte compiles them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


DROPPED = re.compile(r"[^\s>]\{[#:](?:if|else|each)[^{}]*\} \S|\S \{/(?:if|each)\}[^\s<]")


def test_no_block_of_a_page_begins_or_ends_with_a_space_that_svelte_drops() -> None:
    """Two sentences or a name and its mark would stand without a space between them."""
    pages = sorted((ROOT / "web" / "src").rglob("*.svelte"))
    assert [(page.name, match[0]) for page in pages for match in DROPPED.finditer(page.read_text())] == []
    assert DROPPED.search('{t("a")}{#if b} {t("b")}{/if}')
