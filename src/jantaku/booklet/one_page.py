"""Build one-page booklets: the differences from known rules, new yaku, and the payments."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from jantaku import terms
from jantaku.booklet.document import Block, Booklet, Chapter, Cover, Grid, Paragraph, YakuCards
from jantaku.booklet.options_by_chapter import GLANCE
from jantaku.booklet.payment_tables import PaymentWords
from jantaku.booklet.yaku import yaku_blocks
from jantaku.errors import wrong_choice
from jantaku.rules import Ruleset, load
from jantaku.rules.sheet import known_presets, ruleset_about, ruleset_name, sheet
from jantaku.terms import Language

OMITTED: Final = ("event", "clock", "match.sticks")
"""Sections and an option that differ from venue to venue and are left out."""
MAX_FU: Final = 70  # in the payment tables; hands with more are rare
MAX_HAN: Final = 4  # in the payment tables of rules without limits
LAST: Final = ("fouls",)  # sections listed last


def one_page(
    rules: Ruleset, known: str, language: Language | None = None, cover: Cover | None = None
) -> Booklet:
    """Build a one-page booklet for players who know the preset ``known``.

    Raises ``RequestError`` unless it is one of ``known_presets``, and ``RulesError`` like ``booklet``.
    """
    choices = known_presets(rules)
    if known not in choices:
        raise wrong_choice("known", known, choices)
    with terms.using(language or terms.current()):
        return _OnePage(rules, load(known), language or terms.current(), cover or Cover()).booklet()


class _OnePage:
    """Builds the chapters of a ruleset in one language."""

    def __init__(self, rules: Ruleset, known: Ruleset, language: Language, cover: Cover) -> None:
        self.rules, self.known, self.language, self.cover = rules, known, language, cover
        self.name = ruleset_name(known, language)
        self.sheet = sheet(rules, language, known)

    def booklet(self) -> Booklet:
        names = {"id": self.rules.id, "fingerprint": self.rules.fingerprint}
        title = self.cover.title or ruleset_name(self.rules, self.language)
        mark = terms.text("sheet.booklet.mark", self.language, **names)
        about = ruleset_about(self.rules, self.language)
        return Booklet(self.language, title, about, mark, self.cover, tuple(self.chapters()), one_page=True)

    def chapters(self) -> Iterator[Chapter]:
        yield self.chapter("differences", *self.differences())
        if worths := self.worths():
            yield self.chapter("worths", worths)
        if cards := self.new_yaku():
            yield self.chapter("new", cards)
        yield self.chapter("payments", *self.payments())

    def chapter(self, name: str, *blocks: Block) -> Chapter:
        title, about = (self.text(f"{name}.{part}") for part in ("title", "about"))
        return Chapter(name, title, about, blocks)

    def text(self, key: str) -> str:
        return terms.text(f"sheet.short.{key}", self.language, known=self.name)

    def columns(self) -> tuple[str, str, str]:
        return "", self.text("here"), self.name

    def differences(self) -> Iterator[Block]:
        """Yield the options that differ: the most important first, fouls last."""
        rows = [
            row
            for part in sorted(self.sheet.sections, key=lambda part: part.id in LAST)
            for row in part.rows
            if row.differs and part.id not in OMITTED and row.path not in OMITTED
        ]
        rows.sort(key=lambda row: row.path not in GLANCE)
        cells = tuple((row.label, row.value, row.standard) for row in rows)
        yield Grid("", self.columns(), cells) if cells else Paragraph(self.text("differences.none"))

    def worths(self) -> Grid | None:
        """Return the yaku with other values, including those that do not count here."""
        cells, new = [], self.new_ids()
        for yaku in self.sheet.yaku:
            mine = f"{yaku.closed} / {yaku.open}"
            if yaku.differs and mine != yaku.standard and yaku.id not in new:
                cells.append((yaku.name, mine, yaku.standard))
        return Grid("", self.columns(), tuple(cells)) if cells else None

    def new_ids(self) -> tuple[str, ...]:
        """Return the yaku that count here but not under the known rules."""
        off = terms.text("cli.sheet.off", self.language)
        return tuple(yaku.id for yaku in self.sheet.yaku if yaku.exists and yaku.standard == f"{off} / {off}")

    def new_yaku(self) -> YakuCards | None:
        """Return the new yaku with examples, custom yaku first."""
        new, own = self.new_ids(), {yaku.id for yaku in self.rules.own_yaku}
        blocks = yaku_blocks(self.rules, self.language, new)
        cards = [
            replace(card, names={}, standard="")
            for block in blocks
            if isinstance(block, YakuCards)
            for card in block.cards
        ]
        cards.sort(key=lambda card: card.id not in own)
        return YakuCards("", tuple(cards)) if cards else None

    def payments(self) -> Iterator[Block]:
        """Yield the payment tables and the value of honba."""
        tables = PaymentWords(self.rules, self.language)
        yield from tables.hands(MAX_FU, MAX_HAN)
        if (note := tables.honba()) is not None:
            yield note
