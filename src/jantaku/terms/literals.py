"""Format values as in a rules file (``true``, ``"off"``, ``[1, 2]``, ``{ "5m" = 1 }``), and points."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from string import Formatter


def literal(value: object) -> str:
    """Format a value as in TOML; an instance of a subclass of ``str`` is used as it is.

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
"""Minus sign in texts; a hyphen would be shorter and would allow a line break."""


def signed(value: float, digits: int = 0) -> str:
    """Format a change with its sign and thousands separators; zero has no sign.

    >>> signed(1000), signed(-20000), signed(-0.25, 1), signed(0), signed(-0.01, 1)
    ('+1,000', '−20,000', '−0.2', '0', '0.0')
    """
    text = f"{value:+,.{digits}f}".replace("-", MINUS)
    return text if any(digit in text for digit in "123456789") else text[1:]


def counted(value: int) -> str:
    """Format points with thousands separators: ``25,000``, ``−300``."""
    return f"{value:,}".replace("-", MINUS)


def _is_negative(value: object) -> bool:
    return isinstance(value, int | float) and value < 0


def decimals(points: int) -> str:
    """Return the decimals of points in thousands, without trailing zeros: ``35`` for 350 and 25,350."""
    return f"{abs(points) % 1000:03}".rstrip("0") or "0"


def thousands(points: int, least: int = 1) -> str:
    """Format points in thousands, exactly, with a sign and at least ``least`` decimals.

    >>> thousands(12300), thousands(-4000), thousands(25), thousands(0), thousands(12300, 2)
    ('+12.3', '−4.0', '+0.025', '0.0', '+12.30')
    """
    whole = abs(points) // 1000
    digits = decimals(points).ljust(least, "0")
    return f"{'+' if points > 0 else MINUS if points < 0 else ''}{whole:,}.{digits}"


@cache
def _literals() -> "Formatter":
    """Return a formatter that formats ``!r`` with ``literal`` and numbers with a real minus sign."""
    from string import Formatter  # noqa: PLC0415  (as above)

    class Literals(Formatter):
        def format_field(self, value: Any, format_spec: str) -> str:
            text = str(super().format_field(value, format_spec))
            return text.replace("-", MINUS) if _is_negative(value) else text

        def convert_field(self, value: Any, conversion: Any) -> Any:
            return literal(value) if conversion == "r" else super().convert_field(value, conversion)

    return Literals()


def fill(text: str, values: Mapping[str, object]) -> str:
    """Fill the placeholders of a text; ``{name!r}`` formats a value as a literal."""
    special = "!r}" in text or any(map(_is_negative, values.values()))
    return _literals().vformat(text, (), values) if special else text.format(**values)
