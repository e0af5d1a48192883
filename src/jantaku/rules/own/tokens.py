"""The words and signs of a condition, each with its place in the text."""

import re
from typing import Final, NamedTuple

from jantaku.bounded import shown
from jantaku.errors import Phrase, RulesError, phrase

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<word>[a-z][a-z0-9_]*)"""
    r"""|(?P<tiles>"[^"\n]*"|'[^'\n]*')|(?P<sign>>=|<=|==|!=|[<>(),+-])"""
)


class Token(NamedTuple):
    """A word, number, quoted text or sign; ``kind`` ``end`` is the end of the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def problem(code: str, path: str, start: int, **details: object) -> RulesError:
    """An error at a character of the condition, counted from 1."""
    return RulesError(code, path=path, at=start + 1, **details)


def expected(path: str, token: Token, wanted: str) -> RulesError:
    """The error for a token where something else should be."""
    if token.kind == "end":
        return problem("own_expected_end", path, token.start, wanted=wish(wanted))
    return problem("own_expected", path, token.start, found=shown(token.text, 30), wanted=wish(wanted))


def wish(what: str) -> Phrase:
    """What was expected, in words."""
    return phrase(f"errors.own.{what}")


def tokens(text: str, path: str) -> list[Token]:
    """The tokens of a condition, without its spaces; the last one is the end."""
    read, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            sign = text[at]
            code = "own_quote" if sign in "\"'" else "own_sign"
            raise problem(code, path, at, found=shown(sign), point=f"U+{ord(sign):04X}")
        if match.lastgroup != "space":
            read.append(Token(str(match.lastgroup), match.group(), at))
        at = match.end()
    return [*read, Token("end", "", len(text))]
