"""A report in words: a title and sections, each a table, for every way to show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from jantaku import terms
from jantaku.club.entered_hands import EnteredWin
from jantaku.club.export.event_tables import EventTables
from jantaku.club.export.hand_words import worth_in_words, yaku_in_words
from jantaku.club.report.event_report import BestHand, EventReport, ReportNumbers, ReportRow
from jantaku.club.statistics import Achievement
from jantaku.seats import hand_name
from jantaku.terms import Language, counted, thousands

UP, DOWN, SAME, NEW = "▲", "▼", "–", "●"
DATES: Final[dict[Language, str]] = {
    "en": "{0:%Y-%m-%d}",
    "ja": "{0.year}年{0.month}月{0.day}日",
    "ko": "{0.year}년 {0.month}월 {0.day}일",
}


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A table: its ``kind``, the titles of its columns, its rows, and for each row the tiles of a hand.

    Tiles are groups in notation, ``"123m406p11z 5p 777s"``: concealed, the winning tile, melds.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportText:
    """A report in one language."""

    title: str
    about: str
    sections: tuple[ReportSection, ...]


def report_text(tables: EventTables, report: EventReport, language: Language) -> ReportText:
    """Say a report in a language."""
    said = _Said(tables, language)
    stages = [said.stage(stage, rows, moved=report.day is not None) for stage, rows in report.stages.items()]
    parts = [said.best(report.best), said.records(report.records), said.numbers(report.numbers)]
    return ReportText(
        tables.event.name,
        said.about(report),
        (*stages, *(part for part in parts if part.rows)),
    )


class _Said:
    def __init__(self, tables: EventTables, language: Language) -> None:
        self._tables = tables
        self._names = tables.names
        self._seats = tables.event.rules.match.players
        self._language: Language = language

    def word(self, key: str, **values: object) -> str:
        return terms.text(f"report.{key}", self._language, **values)

    def words(self, *keys: str) -> tuple[str, ...]:
        return tuple(map(self.word, keys))

    def about(self, report: EventReport) -> str:
        if report.day is None:
            return self.word("whole", games=report.numbers.games)
        day = date.fromisoformat(report.day)
        return self.word("of_day", games=report.numbers.games, date=DATES[self._language].format(day))

    def stage(self, stage: str, rows: Sequence[ReportRow], *, moved: bool) -> ReportSection:
        columns = ("rank", "move", "player", "points", "change", "games")
        cells = [
            (
                *(str(row.rank), _move(row), self._names[row.player], thousands(row.points)),
                *(thousands(row.change) if row.games or row.change else "", str(row.games)),
            )
            for row in rows
        ]
        kept = [i for i in range(len(columns)) if moved or columns[i] not in ("move", "change")]
        return ReportSection(
            "standings",
            self.word("standings", stage=self._tables.stage(stage, self._language)),
            tuple(self.word(columns[i]) for i in kept),
            tuple(tuple(row[i] for i in kept) for row in cells),
        )

    def best(self, hands: Sequence[BestHand]) -> ReportSection:
        rows = tuple(
            (self._names[hand.player], counted(hand.points), self._worth(hand.win), self._where(hand))
            for hand in hands
        )
        tiles = tuple(hand.win.tiles for hand in hands)
        return ReportSection(
            "best", self.word("best"), self.words("player", "won", "hand", "when"), rows, tiles
        )

    def _worth(self, win: EnteredWin) -> str:
        yaku = yaku_in_words(win, self._language)
        worth = worth_in_words(win, self._language)
        return f"{worth}: {terms.listed(yaku, self._language)}" if yaku else worth

    def _where(self, hand: BestHand) -> str:
        name = hand_name(hand.number, hand.honba, self._seats, self._language)
        if hand.source is None:
            return self.word("tsumo", hand=name)
        return self.word("ron", hand=name, source=self._names[hand.source])

    def records(self, achievements: Sequence[Achievement]) -> ReportSection:
        rows = tuple(
            (
                terms.text(f"figures.achievement.{achievement.kind}", self._language),
                terms.listed([self._names[player] for player in achievement.players], self._language),
                self._value(achievement),
            )
            for achievement in achievements
        )
        return ReportSection("records", self.word("records"), self.words("record", "player", "value"), rows)

    def _value(self, achievement: Achievement) -> str:
        if achievement.kind == "fewest_deal_ins":
            return f"{achievement.value:.1%}"
        return (
            thousands(int(achievement.value))
            if achievement.kind == "best_game"
            else counted(int(achievement.value))
        )

    def numbers(self, numbers: ReportNumbers) -> ReportSection:
        """How much was played; shares only where hands were recorded."""
        rows = [("games_played", counted(numbers.games))]
        if numbers.hands:
            rows += [
                ("games_with_hands", _share(numbers.games_with_hands, numbers.games)),
                (
                    "hands_played",
                    f"{counted(numbers.hands)} ({numbers.hands / numbers.games_with_hands:.1f})",
                ),
                ("wins", _share(numbers.wins, numbers.hands)),
                ("tsumo_wins", _share(numbers.tsumo, numbers.wins)),
                ("winners", counted(numbers.winners)),
                ("draws", _share(numbers.draws, numbers.hands)),
                ("riichi", counted(numbers.riichi)),
                ("average_win", counted(round(numbers.won / numbers.winners)) if numbers.winners else ""),
            ]
        said = tuple((self.word(key), value) for key, value in rows if value)
        return ReportSection("numbers", self.word("numbers"), self.words("number", "value"), said)


def _share(count: int, of: int) -> str:
    return f"{counted(count)} ({count / of:.0%})" if of else counted(count)


def _move(row: ReportRow) -> str:
    """How many places a player has gone up or down in the day."""
    if row.before is None:
        return NEW
    steps = row.before - row.rank
    return f"{UP if steps > 0 else DOWN}{abs(steps)}" if steps else SAME
