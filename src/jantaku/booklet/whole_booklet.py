"""Build the complete booklet of a ruleset.

The texts come from the option table and the catalogue, so that the booklet describes what the engine does.
"""

from collections.abc import Iterable, Iterator

from jantaku import terms
from jantaku.booklet import document
from jantaku.booklet.options_by_chapter import ADDED, FIXED, GLANCE, SECTIONS_OF, STEPS, paths_of
from jantaku.booklet.payment_tables import PaymentWords
from jantaku.booklet.yaku import yaku_blocks
from jantaku.rules import Ruleset, load
from jantaku.rules.answers import answer, applies, foul_deposit
from jantaku.rules.gates import gate_open
from jantaku.rules.sentences import about_option
from jantaku.rules.sheet import answer_in_words, cost_in_words, label, option_row, ruleset_name, sheet
from jantaku.terms import Language
from jantaku.tiles import COPIES, kinds_of


def booklet(
    rules: Ruleset, language: Language | None = None, cover: document.Cover | None = None
) -> document.Booklet:
    """Build the booklet of ``rules`` in ``language`` (default: the current one).

    Raises ``RulesError`` (``no_example``) if a yaku counts but no example hand contains it.
    """
    with terms.using(language or terms.current()):
        return _Builder(rules, language or terms.current(), cover or document.Cover()).booklet()


class _Builder:
    """Builds the chapters of a ruleset in one language."""

    def __init__(self, rules: Ruleset, language: Language, cover: document.Cover) -> None:
        self.rules, self.language, self.cover = rules, language, cover
        self.title = cover.title or ruleset_name(rules, language)
        self.standard = load("standard")
        self.tables = PaymentWords(rules, language)

    def text(self, key: str, **values: object) -> str:
        return terms.text(f"sheet.{key}", self.language, **values)

    def booklet(self) -> document.Booklet:
        mark = self.text("booklet.mark", id=self.rules.id, fingerprint=self.rules.fingerprint)
        about = sheet(self.rules, self.language).about
        return document.Booklet(self.language, self.title, about, mark, self.cover, tuple(self.chapters()))

    def chapters(self) -> Iterator[document.Chapter]:
        yield self.chapter("glance", document.Facts(tuple(self.facts())))
        yield self.chapter("differences", *self.differences())
        yield self.chapter("play", document.Steps(tuple(self.steps())))
        for name in SECTIONS_OF:
            rows = document.OptionRows(tuple(self.row(path) for path in self.applicable(paths_of(name))))
            before, after = self.around(name)
            yield self.chapter(name, *before, rows, *after)
        yield self.chapter("yaku", *yaku_blocks(self.rules, self.language))

    def chapter(self, name: str, *blocks: document.Block) -> document.Chapter:
        title, about = (self.text(f"chapters.{name}.{part}") for part in ("title", "about"))
        return document.Chapter(name, title, about, blocks)

    def around(self, name: str) -> tuple[list[document.Block], list[document.Block]]:
        """Return the blocks before and after the options of a chapter."""
        fixed = FIXED.get(name, {})
        notes = [
            self.text(f"fixed.{key}") for key, condition in fixed.items() if gate_open(condition, self.rules)
        ]
        before: list[document.Block] = [document.Paragraph(" ".join(notes))] if notes else []
        after: list[document.Block | None] = []
        if name == "draws":
            after = [self.tables.noten() if self.rules.draw.noten_payment else None]
        elif name == "fouls":
            if self.rules.fouls.mode == "prevent":
                before.insert(0, document.Paragraph(self.text("chapters.fouls.refused")))
            after = [self.costs(), self.tables.chombo()]
        elif name == "points":
            after = [*self.tables.hands(), document.Paragraph(self.text("tables.about")), self.tables.honba()]
        elif name == "final":
            after = [self.tables.final()]
        return before, [block for block in after if block is not None]

    def value(self, path: str) -> str:
        return answer_in_words(self.rules, path, self.language)

    def applicable(self, paths: Iterable[str]) -> Iterator[str]:
        """Yield the options that are relevant under these rules."""
        return (path for path in paths if applies(self.rules, path))

    def facts(self) -> Iterator[tuple[str, str]]:
        for path in self.applicable(GLANCE):
            yield label(path, self.language), self.value(path)

    def row(self, path: str) -> document.OptionRow:
        """Return an option with its explanation and value."""
        row = option_row(self.rules, self.standard, path, self.language)
        compared = row.differs and applies(self.standard, path)
        standard = self.text("booklet.standard", value=row.standard) if compared else ""
        return document.OptionRow(
            path, row.label, about_option(path, self.language, self.rules), row.value, standard
        )

    def differences(self) -> Iterator[document.Block]:
        """Yield a table of the differences from standard: options first, then values of yaku."""
        shown = sheet(self.rules, self.language)
        rows = [
            (row.label, row.value, row.standard)
            for part in shown.sections
            for row in part.rows
            if row.differs
        ]
        for yaku in shown.yaku:
            mine = f"{yaku.closed} / {yaku.open}"
            if yaku.differs and mine != yaku.standard:
                rows.append((yaku.name, mine, yaku.standard))
        if not rows:
            yield document.Paragraph(self.text("chapters.differences.none"))
            return
        names = (self.title, ruleset_name(self.standard, self.language))
        yield document.Grid("", ("", *names), tuple(rows))

    def steps(self) -> Iterator[tuple[str, str]]:
        """Yield the steps of "how to play" that apply under these rules."""
        rules = self.rules
        values = {
            "players": rules.match.players,
            "tiles": len(kinds_of(rules.tiles.man)) * COPIES,
            "man": self.value("tiles.man"),
            "dead_wall": rules.tiles.dead_wall,
            "start_points": f"{rules.match.start_points:,}",
            "length": self.value("match.length"),
            "deposit": f"{rules.riichi.deposit:,}",
            "noten": f"{rules.draw.noten_payment:,}",
            "renchan": self.value("deal.renchan"),
            "honba": f"{rules.score.honba_value:,}",
            "kita": rules.kita.han,
            "added": terms.text("explain.separator", self.language).join(self.added()),
        }
        for name, condition in STEPS.items():
            if gate_open(condition, rules):
                yield self.text(f"steps.{name}.title"), self.text(f"steps.{name}.text", **values)

    def added(self) -> Iterator[str]:
        """Yield the labels of the options that change the points at the end of the game."""
        for path, condition in ADDED.items():
            if gate_open(condition, self.rules):
                yield label(path, self.language)

    def costs(self) -> document.Facts:
        """Explain the kinds of penalty that these rules use."""
        used = {answer(self.rules, path) for path in self.applicable(paths_of("fouls"))}
        costs = [cost for cost in terms.table("sheet", self.language)["costs"] if cost in used]
        texts = [self.text(f"costs.{cost}", points=foul_deposit(self.rules)) for cost in costs]
        names = [cost_in_words(cost, self.rules, self.language) for cost in costs]
        return document.Facts(tuple(zip(names, texts, strict=True)))
