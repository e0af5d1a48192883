"""Suggestions for misspelt keys, options and names."""

from collections.abc import Collection
from typing import Final

MAX_WORD: Final = 40  # characters; no suggestion for a longer word


def nearest(word: object, known: Collection[str], cutoff: float = 0.5) -> str:
    """Return the known word most similar to ``word``; empty if there is none or ``word`` is not a string."""
    if not isinstance(word, str) or len(word) > MAX_WORD:
        return ""
    import difflib  # noqa: PLC0415  (only needed for errors)

    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=cutoff)), "")
