"""Base class of the models of requests and answers. Importing this module also imports pydantic."""

from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticUndefined

from jantaku.reading import make_strict


class Wire(BaseModel):
    """Base of all wire models: refuses unknown fields, and ``true``, ``"1"`` or ``1.0`` for an integer."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, populate_by_name=True)

    @classmethod
    def of(cls, source: object, **others: object) -> Self:
        """Create a model from the attributes of ``source`` named like its fields, and from ``others``."""
        own = {
            name: getattr(source, name) for name in cls.model_fields.keys() - others if hasattr(source, name)
        }
        return cls.model_validate(own | others)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the model with all scalars strict."""
        schema: CoreSchema = make_strict(handler(source))
        return schema


Model = TypeVar("Model", bound=Wire)


def optional(model: type[Model]) -> type[Model]:
    """Make all fields of the model optional, with the default ``None``, and return it."""
    for field in model.model_fields.values():
        kind: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        field.annotation, field.metadata = kind | None, []
        field.default, field.default_factory = None, None
    model.model_rebuild(force=True)
    return model


def required(model: type[Model]) -> type[Model]:
    """Make all fields of the model required and unbounded, as in answers, and return it."""
    for field in model.model_fields.values():
        field.default, field.default_factory, field.metadata = PydanticUndefined, None, []
    model.model_rebuild(force=True)
    return model
