"""The comparison of the booklet of bgm-2025 with the printed rules quotes what the booklet says."""

import re
from pathlib import Path

from jantaku.booklet import FORMATS, PAPERS, booklet
from jantaku.booklet.document import OptionRows
from jantaku.rules import load

PAGE = Path(__file__).parents[2] / "docs" / "bgm-2025-sheet.md"
VERDICTS = ("same", "by hand", "doubtful")


def rows() -> list[list[str]]:
    """The cells of every row of the table."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[2:]]


def plain(text: str) -> str:
    """Markdown without the signs that only mark up."""
    return re.sub(r"[\\*`]", "", text)


def test_every_quotation_stands_in_the_booklet() -> None:
    made = booklet(load("bgm-2025"), "ko")
    said = plain(FORMATS["md"].write(made, PAPERS["a4"], None).decode())
    blocks = [block for chapter in made.chapters for block in chapter.blocks if isinstance(block, OptionRows)]
    answers = {row.label: row.value for block in blocks for row in block.rows}
    quoted = [text.split(" → ") for row in rows() for text in re.findall("「(.*?)」", " | ".join(row))]
    assert len(quoted) > 80
    for text, *answer in quoted:
        assert answers[text] == answer[0] if answer else text in said, text


def test_every_row_has_a_verdict() -> None:
    for row in rows():
        verdict = row[-1]
        assert verdict.startswith(VERDICTS), row
        assert "「" in "".join(row) or verdict.startswith("by hand"), row
