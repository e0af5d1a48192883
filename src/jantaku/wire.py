"""The base of models that say how JSON from outside looks; whoever imports it imports pydantic."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from jantaku.reading import make_strict


class Wire(BaseModel):
    """Base of all wire models; unknown fields are refused, and ``true``, ``"1"`` or ``1.0`` as a number."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, populate_by_name=True)

    @classmethod
    def of(cls, source: object, **others: object) -> Self:
        """A model with the attributes of ``source`` that are fields of it, and ``others``."""
        own = {
            name: getattr(source, name) for name in cls.model_fields.keys() - others if hasattr(source, name)
        }
        return cls.model_validate(own | others)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of a model, with every number and truth value in it strict."""
        schema: CoreSchema = make_strict(handler(source))
        return schema
