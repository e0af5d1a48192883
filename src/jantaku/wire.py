"""The base of models that say how JSON from outside looks; whoever imports it imports pydantic."""

from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticUndefined

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


Model = TypeVar("Model", bound=Wire)


def optional(model: type[Model]) -> type[Model]:
    """The model with all its fields left out at will: they are ``None`` then."""
    for field in model.model_fields.values():
        kind: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        field.annotation, field.metadata = kind | None, []
        field.default, field.default_factory = None, None
    model.model_rebuild(force=True)
    return model


def required(model: type[Model]) -> type[Model]:
    """The model as an answer: every field is there, and none needs bounds."""
    for field in model.model_fields.values():
        field.default, field.default_factory, field.metadata = PydanticUndefined, None, []
    model.model_rebuild(force=True)
    return model
