"""Request and response bodies about rulesets, and the kinds of tables that are offered."""

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

Missing = SkipJsonSchema[None]  # a keyword that is left out, never null


class TermTree(RootModel[dict[str, "str | list[str] | TermTree"]]):
    """A table of texts: each is a text, several forms of one, or a table again."""


class OptionValue(RootModel["bool | int | str | list[OptionValue] | dict[str, OptionValue]"]):
    """What a rules file may say in one place: a value, a list, or a table."""


class SchemaPart(Wire):
    """A part of the JSON Schema of a rules file: a section, an option, or a value in it (``rules.schema``).

    ``x-rows`` and ``x-columns`` are captions of a value that is a table.
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
    """Shanten by form: 0 in tenpai, −1 complete; ``null`` where melds rule a form out."""

    id: str | int | None
    shanten: int
    standard: int
    chiitoitsu: int | None
    kokushi: int | None


Toml = Annotated[str, Field(max_length=50_000)]
Written = Annotated[str, Field(max_length=100)]
BookletFormat = Literal["html", "pdf", "md"]
BookletPaper = Literal["a4", "phone"]


class RulesRow(Wire):
    """One ruleset in a list.

    ``own``: the person saved it. ``house``: it is from a rules file that the server was started with.
    ``players``: how many play; ``null`` if the stored rules cannot be read.
    """

    id: str
    name: str
    about: str
    fingerprint: str
    own: bool
    house: bool
    players: int | None


class RulesList(Wire):
    """The rules the person has saved, the house rules, then the presets."""

    rules: list[RulesRow]


class TomlBody(Wire):
    """A rules file."""

    toml: Toml


class BookletBody(Wire):
    """The booklet somebody wants: its format, its page, and what stands on the first page.

    ``known``: the preset that its players know, for the booklet of one page, or nothing for the whole one.
    ``logo``: a small PNG or JPEG picture in base64, or nothing.
    """

    format: BookletFormat = "html"
    paper: BookletPaper = "a4"
    club: Written = ""
    date: Written = ""
    known: Written = ""
    logo: Annotated[str, Field(max_length=120_000)] = ""


class RulesProblem(Wire):
    """One error in a rules file: the path of the option and how to fix it."""

    path: str
    code: str
    message: str


class KnownRules(Wire):
    """A preset that players of these rules may know."""

    id: str
    name: str


class RulesPage(Wire):
    """A ruleset as a sheet (``jantaku.rules.sheet``), as data (``tree``), and as TOML over its parent.

    ``extends``: the preset it builds on; for a preset, itself. ``pdf``: whether this server can write
    the rules' booklet as PDF. ``known``: what a booklet of one page can compare them with.
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
    """Whether a rules file is valid; if so, ``sheet`` is as in ``GET /api/rules/{id}``.

    ``notes``: what a valid file should be told: settings without effect, and ``derived``, the options
    that follow from others, by path.
    """

    ok: bool
    problems: list[RulesProblem]
    notes: list[RulesProblem]
    derived: dict[str, OptionValue]
    fingerprint: str | None = None
    sheet: RulesPage | None = None


class SavedRules(Wire):
    """Saved rules, with the id to use for tables and links."""

    id: str
    url: str


class DiffRow(Wire):
    """One option that differs between two rulesets."""

    path: str
    label: str
    first: str
    second: str


class Diff(Wire):
    """All differences between two rulesets; ``names`` holds both names."""

    first: str
    second: str
    names: list[str]
    rows: list[DiffRow]


class TriedHand(Wire):
    """A winning hand to try an own yaku on; ``flags`` are further circumstances, such as ``last_tile``."""

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
    """An own yaku of a rules file, by its id, and a hand to try it on."""

    toml: Toml
    yaku: Annotated[str, Field(max_length=40)]
    hand: TriedHand | None = None


class OwnProblem(Wire):
    """An error in an own yaku: the setting, and the character of the condition from 1, or 0."""

    path: str
    message: str
    at: int


class OwnHand(Wire):
    """A hand that has the yaku (``change`` is empty) or nearly has it.

    ``change``: what differs from a hand that has it; ``parts``: those of the condition.
    """

    example: ExampleHand
    change: str
    parts: list[ConditionPart]


class OwnJudged(Wire):
    """What an own yaku says of a hand; ``problem``: why the hand cannot win or be read."""

    has: bool
    problem: str
    parts: list[ConditionPart]


class OwnTried(Wire):
    """An own yaku in words and tried out.

    ``parts`` are joined by ``joiner`` (``and``, ``or``); ``letters``: what the letters of the condition stand
    for. ``always`` and ``never``: names of built-in yaku that all, or none, of the ``tried`` hands had.
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
    """An own yaku of a rules file, by its id, that bots should play with."""

    toml: Toml
    yaku: Annotated[str, Field(max_length=40)]


class OwnWords(Wire):
    """The words of the language of conditions, and the most characters of a condition."""

    words: list[Word]
    most: int


class YakuGuide(Wire):
    """Every yaku that counts under a ruleset, from low to high."""

    id: str
    name: str
    groups: list[YakuCards]


class GalleryItem(Wire):
    """A own yaku or a house rule that rules can take in: ``changes`` are its options by path.

    ``source``: an address, or empty where the inventory of rules has it. ``closed`` and ``open``: the worth
    of a yaku in words.
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
    """Own yaku, then house rules."""

    parts: list[GalleryItem]
