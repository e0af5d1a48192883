"""Types of JSON that is made from tables: texts, the schema of a rules file, and whole rulesets."""

from typing import Annotated, Any

from pydantic import Field, RootModel
from pydantic.json_schema import SkipJsonSchema

from jantaku.server.edge.bodies import Wire

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
