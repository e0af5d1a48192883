"""The value of a win as a record gives it, not adjudicated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, cast

from jantaku.errors import Phrases, RequestError, kind_of_value
from jantaku.hand import Wind


@dataclass(frozen=True)
class RecordedScore:
    """The values of a ``Score`` as a record or a message gives them, without a win or a ruleset.

    ``han`` and ``fu`` are ``None`` if the record gives none, as for a yakuman.
    """

    points: int
    payments: Mapping[Wind, int] = field(hash=False)
    han: int | None = None
    fu: int | None = None
    yakuman: int = 0
    limit: str | None = None
    yaku: Mapping[str, int] = field(default_factory=dict, hash=False)
    fu_items: Mapping[str, int] = field(default_factory=dict, hash=False)
    counted_as: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same data as ``Score.to_dict``."""
        fields = {name: getattr(self, name) for name in _CHECKS if name not in _RARELY or getattr(self, name)}
        return fields | {name: dict(fields[name]) for name in _TABLES}

    @classmethod
    def from_dict(cls, data: object) -> "RecordedScore":
        """Read the output of ``to_dict``; raises ``RequestError`` with the invalid field."""
        if not isinstance(data, Mapping):
            raise RequestError("wrong_type", field="score", wanted=kind_of_value(dict))
        if data.get("fu_items") == []:  # earlier versions wrote a list if the record gave no fu
            data = {**data, "fu_items": {}}
        for item in fields(cls):
            if item.name not in data and item.name in ("points", "payments"):
                raise RequestError("missing_field", field=f"score.{item.name}")
        for name, value in data.items():
            if name not in _CHECKS:
                raise RequestError("unknown_field", field=f"score.{name}", known=Phrases(_CHECKS))
            wanted, fits = _CHECKS[name]
            if not fits(value):
                raise RequestError("wrong_type", field=f"score.{name}", wanted=wanted)
        return cls(**cast("dict[str, Any]", dict(data)))


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_number_or_none(value: object) -> bool:
    return value is None or type(value) is int


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_table(value: object) -> bool:
    """Whether the value maps names to numbers."""
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and type(number) is int for name, number in value.items()
    )


_TABLES: Final = ("yaku", "fu_items", "payments")
_RARELY: Final = ("counted_as",)
# The type of each field, in the order of ``Score.to_dict``
_CHECKS: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "han": ("number", _is_number_or_none),
    "fu": ("number", _is_number_or_none),
    "yakuman": ("number", _is_number),
    "limit": ("string", _is_text_or_none),
    "points": ("number", _is_number),
    "yaku": ("object", _is_table),
    "fu_items": ("object", _is_table),
    "payments": ("object", _is_table),
    "counted_as": ("string", _is_text_or_none),
}
