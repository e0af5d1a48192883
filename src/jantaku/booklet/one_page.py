"""Builds the booklet of one page: what differs from rules that a player knows, new yaku, and the payments."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from jantaku import terms
from jantaku.booklet.document import Block, Booklet, Chapter, Cover, Grid, Paragraph, YakuCards
from jantaku.booklet.options_by_chapter import GLANCE
from jantaku.booklet.payment_tables import PaymentWords
from jantaku.booklet.yaku import yaku_blocks
from jantaku.errors import no_choice
from jantaku.rules import Ruleset, load
from jantaku.rules.sheet import known_presets, ruleset_about, ruleset_name, sheet
from jantaku.terms import Language

NOT_TOLD: Final = ("event", "clock", "match.sticks")
"""Sections and an option that differ from site to site and from evening to evening."""
MOST_FU: Final = 70  # of the tables of payments: hands with more are rare
MOST_HAN: Final = 4  # where there are no limits
LAST: Final = ("fouls",)  # sections that are told last


def one_page(
    rules: Ruleset, known: str, language: Language | None = None, cover: Cover | None = None
) -> Booklet:
    """The booklet of one page for players who know the preset ``known``.

    Raises ``RequestError`` unless it is one of ``known_presets``, and ``RulesError`` as ``booklet`` does.
    """
    choices = known_presets(rules)
    if known not in choices:
        raise no_choice("known", known, choices)
    with terms.using(language or terms.current()):
        return _OnePage(rules, load(known), language or terms.current(), cover or Cover()).booklet()


class _OnePage:
    """Writes the chapters of one ruleset in one language."""

    def __init__(self, rules: Ruleset, known: Ruleset, language: Language, cover: Cover) -> None:
        self.rules, self.known, self.language, self.cover = rules, known, language, cover
        self.name = ruleset_name(known, language)
        self.sheet = sheet(rules, language, known)

    def booklet(self) -> Booklet:
        said = {"id": self.rules.id, "fingerprint": self.rules.fingerprint}
        title = self.cover.title or ruleset_name(self.rules, self.language)
        mark = terms.text("sheet.booklet.mark", self.language, **said)
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
        title, about = (self.said(f"{name}.{part}") for part in ("title", "about"))
        return Chapter(name, title, about, blocks)

    def said(self, key: str) -> str:
        return terms.text(f"sheet.short.{key}", self.language, known=self.name)

    def columns(self) -> tuple[str, str, str]:
        return "", self.said("here"), self.name

    def differences(self) -> Iterator[Block]:
        """The options that differ: what players ask first, then the rest, fouls last."""
        rows = [
            row
            for part in sorted(self.sheet.sections, key=lambda part: part.id in LAST)
            for row in part.rows
            if row.differs and part.id not in NOT_TOLD and row.path not in NOT_TOLD
        ]
        rows.sort(key=lambda row: row.path not in GLANCE)
        cells = tuple((row.label, row.value, row.standard) for row in rows)
        yield Grid("", self.columns(), cells) if cells else Paragraph(self.said("differences.none"))

    def worths(self) -> Grid | None:
        """The yaku that both have, with another worth here, and those that count no more."""
        cells, new = [], self.new_ids()
        for yaku in self.sheet.yaku:
            mine = f"{yaku.closed} / {yaku.open}"
            if yaku.differs and mine != yaku.standard and yaku.id not in new:
                cells.append((yaku.name, mine, yaku.standard))
        return Grid("", self.columns(), tuple(cells)) if cells else None

    def new_ids(self) -> tuple[str, ...]:
        """The yaku that count here and not under the known rules."""
        off = terms.text("cli.sheet.off", self.language)
        return tuple(yaku.id for yaku in self.sheet.yaku if yaku.exists and yaku.standard == f"{off} / {off}")

    def new_yaku(self) -> YakuCards | None:
        """The yaku that the known rules do not have, with examples; the house's own first."""
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
        """What hands pay, and what honba add."""
        tables = PaymentWords(self.rules, self.language)
        yield from tables.hands(MOST_FU, MOST_HAN)
        if (said := tables.honba()) is not None:
            yield said
