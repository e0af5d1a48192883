"""A rule booklet as data: chapters of blocks, the same for every format.

Every text is finished and in the booklet's language. The formats only lay it out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jantaku.errors import RequestError
from jantaku.hand import Hand, Meld
from jantaku.reading import Strict, as_in_json
from jantaku.terms import Language
from jantaku.tiles import NotatedTile, SortedTiles
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
class ExampleHand(Strict):
    """A winning hand in which a yaku counts, how it was won, and its value in words."""

    hand: SortedTiles
    win: NotatedTile
    melds: tuple[Meld, ...]
    how: str
    value: str

    @property
    def to_draw(self) -> Win:
        """The win as pictures show it."""
        return Win(Hand(self.hand, self.melds), self.win)


@dataclass(frozen=True, slots=True)
class YakuCard(Strict):
    """A yaku in words: its worth under the rules, and its standard worth if that differs.

    ``names``: its names in the other languages.
    """

    id: str
    name: str
    names: Mapping[str, str]
    worth: str
    standard: str
    definition: str
    notes: tuple[str, ...]
    example: ExampleHand | None


@dataclass(frozen=True, slots=True)
class YakuCards(Strict):
    """The yaku of one worth."""

    __pydantic_config__ = as_in_json(cards="yaku")

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
