"""A rule booklet as data: chapters of blocks, the same for every format.

Every text is finished and in the booklet's language. The formats only lay it out.
"""

from dataclasses import dataclass
from typing import Final

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.terms import Language
from jantaku.win import Win

MOST_TEXT: Final = 100  # characters of what the organiser adds


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture of the club: ``image/png`` or ``image/jpeg``, and the file's bytes."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Cover:
    """What the organiser adds: the club's name, a date as written, a logo. All may be missing.

    ``title`` stands instead of the ruleset's name, for rules that have none.
    """

    club: str = ""
    date: str = ""
    logo: Logo | None = None
    title: str = ""

    def __post_init__(self) -> None:
        """Drop invisible characters; raises ``RequestError`` if the club or the date is too long."""
        for field in ("club", "date", "title"):
            text = getattr(self, field)
            if len(text) > MOST_TEXT and field != "title":
                raise RequestError("text_too_long", field=field, most=MOST_TEXT)
            object.__setattr__(self, field, "".join(filter(str.isprintable, text)).strip())


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option: the question it answers, the answer, and the standard answer if it differs."""

    path: str
    label: str
    about: str
    value: str
    standard: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Steps:
    """A numbered list: pairs of a short title and a text."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OptionRows:
    """Options with their questions."""

    rows: tuple[OptionRow, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a label and a value, without explanations."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a caption; the first cell of each row is its heading."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ExampleHand:
    """A winning hand that the scorer has confirmed, how it was won, and its value in words."""

    win: Win
    how: str
    value: str


@dataclass(frozen=True, slots=True)
class YakuCard:
    """A yaku: its names, worth, definition, further settings in words, and an example."""

    id: str
    name: str
    names: tuple[tuple[Language, str], ...]
    closed: str
    open: str
    standard: str
    definition: str
    notes: tuple[str, ...]
    example: ExampleHand | None

    @property
    def worth(self) -> str:
        """``1 han, closed hands only``; ``closed 3 han · open 2 han``."""
        off = terms.text("cli.sheet.off")
        if self.open == off:
            return terms.text("sheet.booklet.worth_closed", None, worth=self.closed)
        if self.closed == off:
            return terms.text("sheet.booklet.worth_open", None, worth=self.open)
        if self.closed == self.open:
            return terms.text("sheet.booklet.worth_both", None, worth=self.closed)
        return terms.text("sheet.booklet.worth", None, closed=self.closed, open=self.open)


@dataclass(frozen=True, slots=True)
class YakuCards:
    """The yaku of one worth."""

    title: str
    cards: tuple[YakuCard, ...]


Block = Paragraph | Steps | OptionRows | Facts | Grid | YakuCards


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with its blocks; ``id`` names it in links."""

    id: str
    title: str
    about: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Booklet:
    """A ruleset for players, in one language: whole, or what differs from known rules on one page."""

    language: Language
    title: str
    about: str
    mark: str
    cover: Cover
    chapters: tuple[Chapter, ...]
    one_page: bool = False
