"""Read untrusted data into dataclasses; a ``RequestError`` names the field that is wrong.

A dataclass declares the valid values of its fields by types and by annotations from this module (``Within``,
``Parsed``, ``Refined`` …), from which pydantic validates. Pydantic is imported when a reader is first used.

>>> from typing import Annotated
>>> @dataclass
... class Foul:
...     seat: Annotated[int, Within(0, 3)]
>>> Reader(Foul)({"seat": 7}, "fouls[0].")
Traceback (most recent call last):
jantaku.errors.RequestError: fouls[0].seat cannot be 7; give a number from 0 to 3.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, get_args

from jantaku.bounded import named, shown
from jantaku.errors import (
    JantakuError,
    NotationError,
    Phrases,
    RequestError,
    either,
    kind_of_value,
    wrong_choice,
)
from jantaku.nearest_word import nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails, SchemaSerializer, SchemaValidator, ValidationError

MAX_TEXT: Final = 1000  # characters; 136 tiles written singly, with spaces, take 408
MAX_DEPTH: Final = 12
CONFIG: Final[Any] = {"extra": "forbid"}
Value = TypeVar("Value")
NO_NAMES: Final[Mapping[str, str]] = {}
_STRICT: Final = ("int", "float", "bool", "str")
_NOT_STRICT: Final = {"keys_schema", "default", "serialization", "metadata"}
_UNKNOWN: Final = ("unexpected_keyword_argument", "extra_forbidden")
_KINDS: Final = {
    "dict": dict,
    "dataclass": dict,
    "model": dict,
    "list": list,
    "tuple": list,
    "int": int,
    "bool": bool,
}
_WRAPPERS: Final = (
    *("definitions", "definition-ref", "default", "nullable"),
    *("function-after", "function-before"),
)


class Within:
    """Bounds (inclusive) of a number, of the length of a text, or of the number of entries."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        schema = inner = handler(source)
        while inner["type"].startswith("function"):
            inner = inner["schema"]
        names = ("ge", "le") if inner["type"] in ("int", "float") else ("min_length", "max_length")
        bounds = zip(names, (self.low, self.high), strict=True)
        inner.update((name, bound) for name, bound in bounds if bound or name != "min_length")
        return schema


class Refined:
    """Pass the value through ``check`` after reading; its ``JantakuError`` gets the path of the field."""

    def __init__(self, check: Callable[[Any], Any]) -> None:
        self.check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return _after(self.check, handler(source))


class Prepared:
    """Pass the JSON through ``prepare`` before reading."""

    def __init__(self, prepare: Callable[[Any], Any]) -> None:
        self.prepare = prepare

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        function = {"type": "no-info", "function": self.prepare}
        return {"type": "function-before", "function": function, "schema": handler(source)}


class OneOf:
    """One of a fixed set of words."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words

    def __get_pydantic_core_schema__(self, _: Any, __: Any) -> Any:
        return {"type": "literal", "expected": list(self.words)}


class Parsed:
    """A value that JSON represents by another ``kind``, as a string represents tiles.

    ``parse`` turns the JSON into the value and ``write`` turns the value into JSON.
    """

    def __init__(
        self,
        parse: Callable[[Any], Any],
        kind: Any = str,
        write: Callable[[Any], Any] | None = None,
        description: str = "",
    ) -> None:
        self.parse, self.kind, self.write, self.description = parse, kind, write, description

    def __get_pydantic_core_schema__(self, _: Any, handler: Any) -> Any:
        schema = _after(self.parse, handler.generate_schema(self.kind))
        if self.write is not None:
            schema["serialization"] = {"type": "function-plain", "function": self.write}
        return schema

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], Any]) -> Any:
        return handler(schema) | ({"description": self.description} if self.description else {})


class ByType:
    """One of several ``Typed`` dataclasses, chosen by the field ``type``."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        choices = zip(get_args(source), handler(source)["choices"], strict=True)
        return {
            "type": "tagged-union",
            "discriminator": "type",
            "choices": {kind.type: choice for kind, choice in choices},
        }


def _after(function: Callable[[Any], Any], schema: Any) -> Any:
    return {"type": "function-after", "function": {"type": "no-info", "function": function}, "schema": schema}


def as_in_json(**names: str) -> Any:
    """Return the ``__pydantic_config__`` of a dataclass whose fields have the given ``names`` in JSON."""
    return CONFIG | {"alias_generator": lambda name: names.get(name, name)}


class Strict:
    """Base of dataclasses that refuse unknown fields, and ``true``, ``"1"`` or ``1.0`` for an integer."""

    __slots__ = ()
    __pydantic_config__: ClassVar[Any] = CONFIG

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        schema = handler(source)
        for field in make_strict(handler.resolve_ref_schema(schema))["schema"]["fields"]:
            inner = field["schema"]
            if inner["type"] == "default" and "serialization" in inner["schema"]:
                default = inner["schema"]["serialization"]["function"](inner["default"])
                field["metadata"] = {"pydantic_js_updates": {"default": default}}
        return schema


class Typed(Strict):
    """Base of dataclasses distinguished in JSON by a constant field ``type``."""

    __slots__ = ()
    type: ClassVar[str]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        schema = super().__get_pydantic_core_schema__(source, handler)
        resolved = handler.resolve_ref_schema(schema)
        name = {"type": "literal", "expected": [cls.type]}
        resolved["schema"]["fields"].insert(0, {"type": "dataclass-field", "name": "type", "schema": name})
        resolved["fields"].insert(0, "type")
        return schema


@contextmanager
def in_field(field: str) -> Iterator[None]:
    """Name the field in any ``NotationError`` raised inside, unless it already names one."""
    try:
        yield
    except NotationError as error:
        error.details.setdefault("field", field)
        raise


class Reader(Generic[Value]):
    """Reads values of one type. A null field counts as missing unless ``nulls`` is set."""

    def __init__(self, kind: type[Value], *, nulls: bool = False) -> None:
        self._kind, self._nulls = kind, nulls

    def __call__(self, data: object, within: str = "") -> Value:
        """Return the value of parsed JSON; ``within`` (``hands[2].``) is the prefix of its path in errors.

        Raises ``RequestError``, or the error of a ``Parsed`` or ``Refined`` field.
        """
        from pydantic_core import ValidationError  # noqa: PLC0415 — only when something is read

        try:
            given = [data if self._nulls else without_nulls(data)]
            values: list[Value] = self._validator.validate_python(given)
        except ValidationError as error:
            raise self._translated(error, within) from None
        return values[0]

    def write(self, value: Value, *, exclude_defaults: bool = False) -> Any:
        """Return the value as JSON that this reader accepts."""
        return self._serializer.to_python(
            [value], mode="json", by_alias=True, exclude_defaults=exclude_defaults
        )[0]

    @cached_property
    def _schema(self) -> Any:
        from pydantic import TypeAdapter  # noqa: PLC0415 — likewise

        # in a list, because a nested dataclass inherits the configuration
        return make_strict(TypeAdapter(list[self._kind], config=CONFIG).core_schema, MAX_TEXT)  # type: ignore[name-defined]

    @cached_property
    def _validator(self) -> "SchemaValidator":
        from pydantic_core import SchemaValidator  # noqa: PLC0415 — likewise

        return SchemaValidator(self._schema)

    @cached_property
    def _serializer(self) -> "SchemaSerializer":
        from pydantic_core import SchemaSerializer  # noqa: PLC0415 — likewise

        return SchemaSerializer(self._schema)

    def _translated(self, error: "ValidationError", within: str) -> JantakuError:
        """Return our error for the first problem, unknown names first, as they may explain missing ones."""
        wrong = min(error.errors(include_url=False), key=lambda problem: problem["type"] not in _UNKNOWN)
        schema, path = _locate(self._schema, wrong["loc"][:-1] if wrong["type"] in _UNKNOWN else wrong["loc"])
        if wrong["type"] in _UNKNOWN:
            path = (*path, wrong["loc"][-1])
        path, place = path[1:], within.rstrip(".")
        at = f"{within}{path_of(path)}" if path and isinstance(path[0], str) else f"{place}{path_of(path)}"
        cause = wrong.get("ctx", {}).get("error")
        if isinstance(cause, JantakuError):
            return prefix_path(cause, at, _json_names(schema))
        return _request_error(wrong, at, schema)


def prefix_path(error: JantakuError, at: str, names: Mapping[str, str] = NO_NAMES) -> JantakuError:
    """Put the path ``at`` before the path in ``error``, and return it.

    ``names`` maps names of fields to their names in JSON where these differ.
    """
    inner = str(error.details.get("field", ""))
    inner = names.get(inner, inner)
    path = at if not inner else f"{at}{inner}" if inner[0] == "[" or not at else f"{at}.{inner}"
    error.details["field"] = path
    if isinstance(error, RequestError):
        error.field = path
    return error


def without_nulls(data: Any, depth: int = MAX_DEPTH) -> Any:
    """Return JSON without null fields, down to ``depth`` levels."""
    if depth == 0:
        return data
    if isinstance(data, dict):
        return {name: without_nulls(value, depth - 1) for name, value in data.items() if value is not None}
    return [without_nulls(value, depth - 1) for value in data] if isinstance(data, list) else data


def make_strict(schema: Any, most_text: int | None = None) -> Any:
    """Make all scalars in a schema strict, so that ``true`` or ``"1"`` is not a number.

    Pydantic's own strict mode would also refuse lists for tuples. Keys of mappings stay lax, since JSON has
    only text keys. Texts without a bound get ``most_text``.
    """
    if isinstance(schema, MutableMapping):
        if schema.get("type") in _STRICT:
            schema["strict"] = True
        if schema.get("type") == "str" and most_text:
            schema.setdefault("max_length", most_text)
        for name in schema.keys() - _NOT_STRICT:
            make_strict(schema[name], most_text)
    elif isinstance(schema, list | tuple):
        for part in schema:
            make_strict(part, most_text)
    return schema


def path_of(location: tuple[int | str, ...]) -> str:
    """Format a location in JSON as a path: ``wins[0].pao.seats``."""
    parts = "".join(f"[{part}]" if isinstance(part, int) else f".{named(part)}" for part in location)
    return parts.removeprefix(".")


def _request_error(wrong: "ErrorDetails", field: str, schema: Mapping[str, Any]) -> RequestError:
    kind, value, context = wrong["type"], wrong["input"], wrong.get("ctx", {})
    code, details = "wrong_type", dict[str, object]()
    if kind == "literal_error":
        return wrong_choice(field, value, schema["expected"])
    if kind.startswith("union_tag"):
        return wrong_choice(f"{field}.type".lstrip("."), value.get("type"), schema["choices"])
    if schema["type"] == "union":
        details = {"wanted": either(*(_KINDS.get(part["type"], str) for part in schema["choices"][:2]))}
    elif kind in ("missing", "string_too_short", "too_short"):
        code = "missing_field"
    elif kind in _UNKNOWN:
        known = list(_fields(schema))
        near = nearest(str(wrong["loc"][-1]), known)
        code = "unknown_field_nearest" if near else "unknown_field"
        details = {"nearest": near, "known": Phrases(known)}
    elif kind == "string_too_long":
        code, details = "text_too_long", {"most": context["max_length"]}
    elif kind == "too_long":
        code, details = "too_many", {"count": len(value), "most": context["max_length"]}
    elif "than" in kind:
        code, details = "number_range", {"value": shown(value), "low": schema["ge"], "high": schema["le"]}
    else:
        details = {"wanted": kind_of_value(_KINDS.get(kind.split("_")[0], str))}
    return RequestError(code, field=field or "request", **details)


def _fields(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schemas of the fields of an object by their names in JSON."""
    fields = schema["schema"]["fields"]
    pairs = fields.items() if isinstance(fields, dict) else [(field["name"], field) for field in fields]
    return {field.get("validation_alias", name): field["schema"] for name, field in pairs}


def _json_names(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the JSON names of the fields of a dataclass; empty for any other schema."""
    fields = schema["schema"]["fields"] if schema["type"] == "dataclass" else ()
    return {field["name"]: field["validation_alias"] for field in fields if "validation_alias" in field}


def _locate(schema: Any, location: tuple[int | str, ...]) -> tuple[Mapping[str, Any], tuple[int | str, ...]]:
    """Return the schema at a location in the data and its path, which ends at the first union."""
    refs = {part["ref"]: part for part in schema.get("definitions", ())}
    path, steps = list[int | str](), list(location)
    while True:
        while schema["type"] in _WRAPPERS:
            schema = refs[schema["schema_ref"]] if "schema_ref" in schema else schema["schema"]
        if not steps or schema["type"] == "union":
            return schema, tuple(path)
        step = steps.pop(0)
        if schema["type"] == "tagged-union":
            schema = schema["choices"][step]
            continue
        path.append(step)
        if schema["type"] in ("dataclass", "model"):
            schema = _fields(schema)[str(step)]
        elif schema["type"] == "tuple":
            items = schema["items_schema"]
            schema = items[min(int(step), len(items) - 1)]
        elif schema["type"] == "dict":
            schema = schema["keys_schema" if steps == ["[key]"] else "values_schema"]
            steps = steps if steps != ["[key]"] else []
        else:
            schema = schema["items_schema"]
