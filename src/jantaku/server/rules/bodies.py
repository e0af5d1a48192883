"""Request and response bodies about rulesets and yaku."""

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel
from pydantic.json_schema import SkipJsonSchema

from jantaku.adjudication.own_facts import ConditionPart
from jantaku.booklet.document import ExampleHand, YakuCards
from jantaku.hand import ReadMeld
from jantaku.rules.own.word_list import Word
from jantaku.rules.sheet import Section, SheetYaku
from jantaku.tiles import NotatedTile, NotatedTiles
from jantaku.win import RiichiKind
from jantaku.wire import Wire

Missing = SkipJsonSchema[None]  # an omitted keyword; never null


class TermTree(RootModel[dict[str, "str | list[str] | TermTree"]]):
    """A term table: each value is a text, several forms of a text, or a nested table."""


class OptionValue(RootModel["bool | int | str | list[OptionValue] | dict[str, OptionValue]"]):
    """The value of an option in a rules file: a scalar, a list, or a table."""


class SchemaPart(Wire):
    """A part of the JSON Schema of a rules file: a section, an option, or a nested value (``rules.schema``).

    ``x-rows`` and ``x-columns`` are the captions of a value that is a table.
    """

    title: str | Missing = None
    description: str | Missing = None
    type: str | Missing = None
    enum: list[str | int] | Missing = None
    const: bool | Missing = None
    any_of: Annotated[list["SchemaPart"] | Missing, Field(alias="anyOf")] = None
    ref: Annotated[str | Missing, Field(alias="$ref")] = None
    default: Any = None
    minimum: int | Missing = None
    maximum: int | Missing = None
    multiple_of: Annotated[int | Missing, Field(alias="multipleOf")] = None
    pattern: str | Missing = None
    max_length: Annotated[int | Missing, Field(alias="maxLength")] = None
    items: "SchemaPart | Missing" = None
    min_items: Annotated[int | Missing, Field(alias="minItems")] = None
    max_items: Annotated[int | Missing, Field(alias="maxItems")] = None
    properties: dict[str, "SchemaPart"] | Missing = None
    required: list[str] | Missing = None
    additional_properties: Annotated["bool | SchemaPart | Missing", Field(alias="additionalProperties")] = (
        None
    )
    max_properties: Annotated[int | Missing, Field(alias="maxProperties")] = None
    property_names: Annotated["SchemaPart | Missing", Field(alias="propertyNames")] = None
    rows: Annotated[list[str] | Missing, Field(alias="x-rows")] = None
    columns: Annotated[list[str] | Missing, Field(alias="x-columns")] = None


class RulesSchema(SchemaPart):
    """The JSON Schema of a rules file."""

    dialect: Annotated[str, Field(alias="$schema")]
    properties: dict[str, SchemaPart]
    defs: Annotated[dict[str, SchemaPart], Field(alias="$defs")]


class ShantenNumbers(Wire):
    """Shanten by form: 0 in tenpai, −1 complete; ``null`` if melds rule the form out."""

    id: str | int | None
    shanten: int
    standard: int
    chiitoitsu: int | None
    kokushi: int | None


Toml = Annotated[str, Field(max_length=50_000)]
ShortText = Annotated[str, Field(max_length=100)]
BookletFormat = Literal["html", "pdf", "md"]
BookletPaper = Literal["a4", "phone"]


class RulesRow(Wire):
    """One ruleset in a list.

    ``own``: saved by the person. ``house``: from a rules file with which the server was started.
    ``players``: the number of players; ``null`` if the stored rules cannot be read.
    """

    id: str
    name: str
    about: str
    fingerprint: str
    own: bool
    house: bool
    players: int | None


class RulesList(Wire):
    """The person's saved rules, then the house rules, then the presets."""

    rules: list[RulesRow]


class TomlBody(Wire):
    """A rules file."""

    toml: Toml


class BookletBody(Wire):
    """A booklet to write: its format, its paper, and the contents of its first page.

    ``known``: the preset that the players know, for a one-page booklet of differences; empty for the whole
    booklet. ``logo``: a small PNG or JPEG image in base64, or empty.
    """

    format: BookletFormat = "html"
    paper: BookletPaper = "a4"
    club: ShortText = ""
    date: ShortText = ""
    known: ShortText = ""
    logo: Annotated[str, Field(max_length=120_000)] = ""


class RulesProblem(Wire):
    """An error or note about a rules file: the path of the option, and a message that says how to fix it."""

    path: str
    code: str
    message: str


class KnownRules(Wire):
    """A preset with which a one-page booklet can compare the rules."""

    id: str
    name: str


class RulesPage(Wire):
    """A ruleset as a sheet (``jantaku.rules.sheet``), as data (``tree``), and as TOML on top of its parent.

    ``extends``: its parent preset; for a preset, itself. ``pdf``: whether this server can write PDF booklets.
    ``known``: the presets with which a one-page booklet can compare it.
    """

    id: str
    extends: str
    name: str
    about: str
    fingerprint: str
    players: int
    sections: tuple[Section, ...]
    yaku: tuple[SheetYaku, ...]
    tree: dict[str, OptionValue]
    toml: str
    pdf: bool
    known: list[KnownRules]


class Checked(Wire):
    """The result of checking a rules file; ``sheet``: the ruleset as in ``GET /api/rules/{id}``, if valid.

    ``notes``: warnings about a valid file, such as settings without effect. ``derived``: options whose values
    follow from others, by path.
    """

    ok: bool
    problems: list[RulesProblem]
    notes: list[RulesProblem]
    derived: dict[str, OptionValue]
    fingerprint: str | None = None
    sheet: RulesPage | None = None


class SavedRules(Wire):
    """The id of saved rules, for tables, and their link."""

    id: str
    url: str


class DiffRow(Wire):
    """One option that differs between two rulesets."""

    path: str
    label: str
    first: str
    second: str


class Diff(Wire):
    """All differences between two rulesets; ``names`` are their names."""

    first: str
    second: str
    names: list[str]
    rows: list[DiffRow]


class TriedHand(Wire):
    """A winning hand for trying a custom yaku; ``flags`` are further circumstances, such as ``last_tile``."""

    hand: NotatedTiles
    win: NotatedTile
    melds: Annotated[tuple[ReadMeld, ...], Field(max_length=4)] = Field(default_factory=tuple)
    by: Literal["tsumo", "ron"] = "ron"
    riichi: RiichiKind | None = None
    round: Literal["east", "south", "west", "north"] = "east"
    seat: Literal["east", "south", "west", "north"] = "south"
    flags: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=10)] = Field(
        default_factory=list
    )


class OwnYakuBody(Wire):
    """A custom yaku of a rules file, by id, and a hand to try it on."""

    toml: Toml
    yaku: Annotated[str, Field(max_length=40)]
    hand: TriedHand | None = None


class OwnProblem(Wire):
    """An error in a custom yaku: the path of the setting, and the 1-based position in the condition, or 0."""

    path: str
    message: str
    at: int


class OwnHand(Wire):
    """A hand with the yaku (``change`` is empty), or one that narrowly misses it.

    ``change``: the difference from a hand with the yaku. ``parts``: the parts of the condition.
    """

    example: ExampleHand
    change: str
    parts: list[ConditionPart]


class OwnJudged(Wire):
    """Whether a hand has a custom yaku; ``problem``: why the hand cannot win or be read."""

    has: bool
    problem: str
    parts: list[ConditionPart]


class OwnTried(Wire):
    """A custom yaku described in words, with example hands.

    ``parts`` are joined by ``joiner``. ``letters``: the meaning of the letters in the condition. ``always``
    and ``never``: names of built-in yaku that all, or none, of the ``tried`` hands with the yaku had.
    """

    problems: list[OwnProblem]
    definition: str
    parts: list[ConditionPart]
    joiner: Literal["and", "or"]
    letters: str
    having: list[OwnHand]
    near: list[OwnHand]
    always: list[str]
    never: list[str]
    tried: int
    hand: OwnJudged | None


class OwnPlayBody(Wire):
    """A custom yaku of a rules file, by id, to be played by bots."""

    toml: Toml
    yaku: Annotated[str, Field(max_length=40)]


class OwnWords(Wire):
    """The vocabulary of conditions, and the maximum length of a condition in characters."""

    words: list[Word]
    most: int


class YakuGuide(Wire):
    """All yaku of a ruleset, from low to high value."""

    id: str
    name: str
    groups: list[YakuCards]


class GalleryItem(Wire):
    """A custom yaku or house rule to add to a ruleset; ``changes`` are its options by path.

    ``source``: a web address; empty for an entry of the inventory of rules. ``closed`` and ``open``: the
    value of a yaku in words.
    """

    id: str
    kind: Literal["yaku", "house"]
    name: str
    about: str
    closed: str
    open: str
    source: str
    changes: dict[str, OptionValue]
    example: ExampleHand | None


class Gallery(Wire):
    """Custom yaku, then house rules."""

    parts: list[GalleryItem]
