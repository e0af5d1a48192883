"""Shorten untrusted values before a message quotes them."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from jantaku.terms import literal

MAX_TEXT: Final = 100  # characters of an untrusted text in a message
MAX_DETAIL: Final = 3000  # characters of one detail of a message
MAX_BITS: Final = 128
_ITEMS: Final = 4
_DEPTH: Final = 3


class Sketch(str):
    """Text that stands for a value; its ``repr`` is the text itself, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def shown(value: object, most: int = MAX_TEXT) -> object:
    """Return a value short enough for a message.

    Long texts, deep or long containers and huge numbers are cut; lone surrogates are escaped.

    >>> shown(5), shown("x" * 7, 4), shown([[[[[]]]]])
    (5, 'xxx…', [[[[…]]]])
    """
    if isinstance(value, str):
        whole = value if len(value) <= most else f"{value[: most - 1]}…"
        text = whole.encode("utf-8", "backslashreplace").decode()
        return Sketch(text) if isinstance(value, Sketch) else text
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return Sketch(f"{'-' * (value < 0)}10^{value.bit_length() * 3 // 10}…")
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return Sketch(shown(_sketch(value, _DEPTH), most))
    return value


def named(key: object) -> object:
    """Return a key for a message, in quotes if it is empty or contains spaces or unprintable characters.

    >>> named("ura"), named(""), named("a b")
    ('ura', '""', '"a b"')
    """
    text = shown(key)
    plain = not isinstance(text, str) or (text.isprintable() and text and " " not in text)
    return text if plain else Sketch(literal(str(text)))


def _sketch(value: object, depth: int) -> str:
    if isinstance(value, Mapping):
        pairs = (
            f"{literal(shown(key))} = {_sketch(item, depth - 1)}"
            for key, item in islice(value.items(), _ITEMS)
        )
        return f"{{ {_listed(pairs, len(value), depth)} }}" if value else "{}"
    if isinstance(value, list | tuple | set | frozenset):
        items = (_sketch(item, depth - 1) for item in islice(value, _ITEMS))
        return f"[{_listed(items, len(value), depth)}]"
    return literal(shown(value))


def _listed(items: Iterable[str], count: int, depth: int) -> str:
    if depth == 0:
        return "…" if count else ""
    return ", ".join([*items, *(["…"] if count > _ITEMS else [])])
