"""What the pages for people show: code blocks, commands and links."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
READMES: Final = ("README.md", "README.ko.md", "README.ja.md")
# The first words of the commands that tests run or check
PROGRAMS: Final = frozenset(("jantaku", "echo", "zcat", "curl"))
FENCE: Final = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
LINE: Final = re.compile(r"^\s*(?:\$ )?(.*?)(?:\s{2,}#.*|\s+#\s.*)?$")
INLINE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
ASSIGNMENT: Final = re.compile(r"[A-Z_]+=\S*")


class Shown(NamedTuple):
    """A command that a page shows."""

    page: str
    text: str


def pages() -> list[str]:
    """Every page for people, as a path below the project's folder."""
    tops = [path.name for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    below = [str(path.relative_to(ROOT)) for top in ("docs", "deploy") for path in (ROOT / top).rglob("*.md")]
    return sorted([*tops, *(page for page in below if "_build" not in page), "web/README.md"])


@cache
def text_of(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of one language on a page."""
    return [code for _, kind, code in FENCE.findall(text_of(page)) if kind.strip() == language]


def program(line: str) -> str:
    """The program that a line starts: its first word that sets no variable."""
    words = (word for word in line.split() if not ASSIGNMENT.fullmatch(word))
    return next(words, "")


def block_lines(page: str) -> Iterator[tuple[str, str]]:
    """The lines of the blocks that may hold commands, each with the language of its block."""
    for kind in ("sh", ""):
        for code in blocks(page, kind):
            for line in code.replace("\\\n", " ").splitlines():
                if (match := LINE.match(line)) and match[1] and not match[1].startswith("#"):
                    yield kind, match[1]


def inline_commands(page: str) -> Iterator[str]:
    """Commands within the text, except those that leave out their beginning."""
    for line in FENCE.sub("", text_of(page)).splitlines():
        for code in INLINE.findall(line):
            if program(code) in PROGRAMS and " " in code:
                yield code


def abbreviated(page: str) -> Iterator[tuple[str, str]]:
    """``jantaku rules list`` · ``show NAME``: a whole command, and one that leaves out its beginning."""
    for line in text_of(page).splitlines():
        whole = ""
        for code, before in re.findall(r"`([^`\n]+)`((?: · )?)", line):
            if code.startswith("jantaku "):
                whole = code
            elif whole:
                yield whole, code
            whole = whole if before else ""


def commands() -> list[Shown]:
    """Every command that any page shows, each once."""
    page_of: dict[str, str] = {}
    for page in pages():
        for _, line in block_lines(page):
            if program(line) in PROGRAMS:
                page_of.setdefault(line, page)
        for line in inline_commands(page):
            page_of.setdefault(line, page)
    return [Shown(page, text) for text, page in page_of.items()]


def words_of(text: str) -> list[str]:
    """The words of a command line, with ``<``, ``>`` and ``|`` as words of their own."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="<>|;&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)
