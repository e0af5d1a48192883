"""Code blocks and commands in the documentation."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
READMES: Final = ("README.md", "README.ko.md", "README.ja.md")
FENCE: Final = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
LINE: Final = re.compile(r"^\s*(?:\$ )?(.*?)(?:\s{2,}#.*|\s+#\s.*)?$")
BUILT: Final = {"_build", "generated"}
INLINE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
ASSIGNMENT: Final = re.compile(r"[A-Z_]+=\S*")


def pages() -> list[str]:
    """Return all pages as paths relative to the project."""
    tops = [path.name for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    below = [str(path.relative_to(ROOT)) for top in ("docs", "deploy") for path in (ROOT / top).rglob("*.md")]
    written = [page for page in below if not BUILT & {*Path(page).parts}]
    return sorted([*tops, *written, "web/README.md", "web/DESIGN.md"])


@cache
def text_of(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of one language on a page."""
    return blocks_in(text_of(page), language)


def blocks_in(text: str, language: str) -> list[str]:
    """Return the code blocks of one language in a text."""
    return [code for _, kind, code in FENCE.findall(text) if kind.strip() == language]


def program(line: str) -> str:
    """Return the program that a line runs: its first word that is not an assignment."""
    words = (word for word in line.split() if not ASSIGNMENT.fullmatch(word))
    return next(words, "")


def lines(page: str) -> Iterator[str]:
    """Yield the lines of blocks that may contain commands, and inline code."""
    for kind in ("sh", ""):
        for code in blocks(page, kind):
            for line in code.replace("\\\n", " ").splitlines():
                if (match := LINE.match(line)) and match[1] and not match[1].startswith("#"):
                    yield match[1]
    for line in FENCE.sub("", text_of(page)).splitlines():
        yield from (code for code in INLINE.findall(line) if " " in code)


def abbreviated(page: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of a full and an abbreviated command, as in ``jantaku rules list`` · ``show NAME``."""
    for line in text_of(page).splitlines():
        whole = ""
        for code, before in re.findall(r"`([^`\n]+)`((?: · )?)", line):
            if code.startswith("jantaku "):
                whole = code
            elif whole:
                yield whole, code
            whole = whole if before else ""


def shown(name: str) -> dict[str, str]:
    """Return the commands of a program on all pages, each with the last page that shows it."""
    return {line: page for page in pages() for line in lines(page) if program(line) == name}
