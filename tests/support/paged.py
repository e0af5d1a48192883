"""Find texts that are split across pages of a PDF file."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.booklet import Booklet
from jantaku.booklet.document import Grid, OptionRows, Steps, YakuCards


def pages_of(pdf: bytes, folder: Path) -> list[str]:
    """Return the text of each page without spaces, in the order of the file."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    file = folder / "booklet.pdf"
    file.write_bytes(pdf)
    command = ["pdftotext", "-raw", "-enc", "UTF-8", str(file), "-"]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return [plain(page) for page in text.split("\f")]


def plain(text: str) -> str:
    """Remove from a text the spaces and marks that page layout adds."""
    return re.sub(r"[\s●]", "", text)


def kept_together(made: Booklet) -> Iterator[list[str]]:
    """Return the texts that must be on one page: rows, steps, lines of tables, yaku with their examples."""
    for chapter in made.chapters:
        for block in chapter.blocks:
            if isinstance(block, OptionRows):
                yield from ([row.label, row.value, row.about] for row in block.rows)
            elif isinstance(block, Steps):
                yield from ([title, text] for title, text in block.items)
            elif isinstance(block, Grid) and not block.caption:
                yield from (list(row) for row in block.rows)
            elif isinstance(block, Grid):
                yield [cell for row in block.rows for cell in row]
            elif isinstance(block, YakuCards):
                for card in block.cards:
                    yield [card.name, card.definition, *([card.example.value] if card.example else [])]


def torn(made: Booklet, pages: list[str]) -> list[list[str]]:
    """Return the groups of texts that are split."""
    groups = [[plain(text) for text in group] for group in kept_together(made)]
    return [group for group in groups if not any(all(text in page for text in group) for page in pages)]
