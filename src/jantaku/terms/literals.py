"""Values as a rules file or a JSON request writes them: ``true``, ``"off"``, ``[1, 2]``, ``{ "5m" = 1 }``."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from string import Formatter


def literal(value: object) -> str:
    """The value as TOML writes it. A text of a type of its own is already written.

    >>> literal(True), literal("off"), literal((1, "a")), literal({"5m": 1})
    ('true', '"off"', '[1, "a"]', '{ "5m" = 1 }')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if type(value) is str:
        import json  # noqa: PLC0415  (most programs show no literal)

        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{literal(key)} = {literal(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return str(value)


MINUS = "−"
"""The sign of a number below zero wherever people read it; a hyphen is shorter, and breaks lines."""


def signed(value: float, digits: int = 0) -> str:
    """A change as people read it, with its sign; zero has none.

    >>> signed(1000), signed(-20000), signed(-0.25, 1), signed(0), signed(-0.01, 1)
    ('+1,000', '−20,000', '−0.2', '0', '0.0')
    """
    said = f"{value:+,.{digits}f}".replace("-", MINUS)
    return said if any(digit in said for digit in "123456789") else said[1:]


def counted(value: int) -> str:
    """Points as people read them: ``25,000``, ``−300``."""
    return f"{value:,}".replace("-", MINUS)


def _is_below(value: object) -> bool:
    return isinstance(value, int | float) and value < 0


def decimals(points: int) -> str:
    """The decimals that points in thousands need, at least one: 350 and 25,350 need ``35``."""
    return f"{abs(points) % 1000:03}".rstrip("0") or "0"


def thousands(points: int, least: int = 1) -> str:
    """Points after uma in thousands, with their sign, exact, with at least so many decimals.

    >>> thousands(12300), thousands(-4000), thousands(25), thousands(0), thousands(12300, 2)
    ('+12.3', '−4.0', '+0.025', '0.0', '+12.30')
    """
    whole = abs(points) // 1000
    digits = decimals(points).ljust(least, "0")
    return f"{'+' if points > 0 else MINUS if points < 0 else ''}{whole:,}.{digits}"


@cache
def _literals() -> "Formatter":
    """``str.format`` with ``!r`` for literals instead of Python's own notation, and one sign for minus."""
    from string import Formatter  # noqa: PLC0415  (as above)

    class Literals(Formatter):
        def format_field(self, value: Any, format_spec: str) -> str:
            said = str(super().format_field(value, format_spec))
            return said.replace("-", MINUS) if _is_below(value) else said

        def convert_field(self, value: Any, conversion: Any) -> Any:
            return literal(value) if conversion == "r" else super().convert_field(value, conversion)

    return Literals()


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its placeholders filled; ``{name!r}`` shows a value as a literal."""
    special = "!r}" in text or any(map(_is_below, values.values()))
    return _literals().vformat(text, (), values) if special else text.format(**values)
