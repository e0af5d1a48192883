"""The word that somebody may have meant: what messages about unknown keys, options and names suggest."""

from collections.abc import Collection
from typing import Final

MOST_WORD: Final = 40  # characters of a word for which a similar one is sought


def nearest(word: object, known: Collection[str], cutoff: float = 0.5) -> str:
    """The known word most similar to ``word``; empty if there is none or ``word`` is no text."""
    if not isinstance(word, str) or len(word) > MOST_WORD:
        return ""
    import difflib  # noqa: PLC0415  (most programs are told of no wrong word)

    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=cutoff)), "")
