"""Reads a condition: text to a typed tree, in one pass, with an error that points at the character.

The grammar is small enough for a reader by descent, which says exactly what it expected where, in every
language, and never depends on the version of a parser. Length, depth and expansion are bounded.
"""

from functools import lru_cache
from typing import Final

from jantaku.bounded import shown
from jantaku.errors import RulesError
from jantaku.rules.own import operands
from jantaku.rules.own.operands import Number, Operand, Truth
from jantaku.rules.own.tokens import Token, expected, problem, tokens
from jantaku.rules.own.tree import Condition, Node, Not, Several

MOST_TEXT: Final = 500  # characters of one condition
MOST_DEPTH: Final = 20  # of brackets and nots inside each other
_SIGNS: Final = (">=", "<=", "==", "!=", ">", "<")


@lru_cache(maxsize=1024)
def read(text: str, path: str = "when") -> Condition:
    """The condition of a text; raises ``RulesError`` with the character at which it cannot be read."""
    if len(text) > MOST_TEXT:
        raise RulesError("own_too_long", path=path, count=len(text), most=MOST_TEXT)
    condition = Condition(text, _ConditionReader(text, path).whole())
    spaced = " ".join(text.split())
    return condition if spaced == text else read(spaced, path)


class _ConditionReader:
    """Reads the tokens of one condition from left to right."""

    def __init__(self, text: str, path: str) -> None:
        self.path, self.at, self.depth = path, 0, 0
        self.tokens = tokens(text, path)

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        """The next token, which is read with this."""
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *texts: str) -> Token | None:
        """The next token if it is one of these."""
        return self.take() if self.next.text in texts and self.next.kind != "tiles" else None

    def demand(self, text: str, wanted: str) -> Token:
        """The next token, which must be this one."""
        token = self.accept(text)
        if token is None:
            raise expected(self.path, self.next, wanted)
        return token

    def whole(self) -> Node:
        """The whole text as one condition."""
        node = self.truth(self.either())
        if self.next.kind != "end":
            raise expected(self.path, self.next, "joiner")
        return node

    def deeper(self) -> None:
        """Go one level down, as far as allowed."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise problem("own_too_deep", self.path, self.next.start, most=MOST_DEPTH)

    def either(self) -> Operand:
        """Conditions joined by ``or``."""
        return self.joined("or", self.both)

    def both(self) -> Operand:
        """Conditions joined by ``and``."""
        return self.joined("and", self.denied)

    def joined(self, word: str, part) -> Operand:  # type: ignore[no-untyped-def]
        start, first = self.next.start, part()
        if self.next.text != word:
            return first  # type: ignore[no-any-return]
        parts = [self.truth(first)]
        while self.accept(word):
            parts.append(self.truth(part()))
        return Truth(Several(word == "and", tuple(parts), (start, self.tokens[self.at - 1].end)))

    def denied(self) -> Operand:
        """A condition after any number of ``not``."""
        start = self.next.start
        if not self.accept("not"):
            return self.comparison()
        self.deeper()
        inner = self.truth(self.denied())
        self.depth -= 1
        return Truth(Not(inner, (start, self.tokens[self.at - 1].end)))

    def comparison(self) -> Operand:
        """Sums compared with each other, or one of them alone."""
        start, left = self.next.start, self.total()
        parts: list[Node] = []
        while sign := self.accept(*_SIGNS):
            right = self.total()
            span = (start, self.tokens[self.at - 1].end)
            parts.append(operands.compared(left, sign, right, span, self.path))
            left = right
        if not parts:
            return left
        whole = (start, self.tokens[self.at - 1].end)
        return Truth(parts[0] if len(parts) == 1 else Several(True, tuple(parts), whole))

    def total(self) -> Operand:
        """Numbers added and subtracted."""
        sign = self.accept("-")
        start, operand = self.next.start, self.item()
        if sign:
            operand = operands.added(Number((), 0, (start, start)), operand, -1, self.path)
        while sign := self.accept("+", "-"):
            operand = operands.added(operand, self.item(), -1 if sign.text == "-" else 1, self.path)
        return operand

    def item(self) -> Operand:
        """A number, a word with its arguments, or a condition in brackets."""
        token = self.next
        if token.kind == "number":
            return operands.number(self.take(), self.path)
        if token.text == "(":
            self.take()
            self.deeper()
            operand = self.either()
            self.depth -= 1
            self.demand(")", "closing")
            return operand
        if token.kind != "word" or token.text in ("and", "or", "not"):
            raise expected(self.path, token, "condition")
        word = self.take()
        if self.next.text != "(":
            return operands.word(word, [], None, self.path)
        self.take()
        arguments = self.arguments()
        closing = self.demand(")", "comma" if arguments else "argument")
        return operands.word(word, arguments, closing, self.path)

    def arguments(self) -> list[list[Token]]:
        """The arguments up to the bracket: each a tile text, a word, or a number with what is added to it."""
        given: list[list[Token]] = []
        while not given or self.accept(","):
            if self.next.kind not in ("tiles", "word", "number"):
                raise expected(self.path, self.next, "argument")
            tokens = [self.take()]
            if sign := self.accept("+", "-"):
                if self.next.kind != "number":
                    raise expected(self.path, self.next, "number")
                tokens += [sign, self.take()]
            given.append(tokens)
            if len(given) > operands.MOST_ARGUMENTS:
                raise problem("own_arguments", self.path, tokens[0].start, most=operands.MOST_ARGUMENTS)
        return given

    def truth(self, operand: Operand) -> Node:
        """An operand as a condition: a number counts if it is at least 1."""
        return operands.truth(operand, self.path)


def problem_of(text: object, path: str) -> RulesError | None:
    """What is wrong with a condition that may be anything."""
    if not isinstance(text, str):
        return RulesError("wrong_value", path=path, value=shown(text), wanted=operands.SUCH)
    try:
        read(text, path)
    except RulesError as error:
        return error
    return None
