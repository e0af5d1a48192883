"""Reports of a day or a whole event: as numbers, as text, and as Markdown for a blog or wiki."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from jantaku import terms
from jantaku.club.days import day_of as played_on
from jantaku.club.entered_hands import EnteredWin
from jantaku.club.event import ClubEvent, EventGame
from jantaku.club.export.event_tables import EventTables, worth_in_words, yaku_in_words
from jantaku.club.stage_standings import PlayerStanding, standings
from jantaku.club.statistics import Achievement, event_figures
from jantaku.seats import hand_name
from jantaku.terms import Language, counted, thousands

MAX_BEST_HANDS: Final = 5


@dataclasses.dataclass(frozen=True, slots=True)
class ReportRow:
    """A player's row in a stage: ``before`` is the rank before the day, ``change`` the day's points."""

    rank: int
    before: int | None
    player: str
    points: int
    change: int
    games: int


@dataclasses.dataclass(frozen=True, slots=True)
class BestHand:
    """A win: ``points`` gained, the entered ``win``, and the player who dealt in (``source``)."""

    game: str
    player: str
    source: str | None
    number: int
    honba: int
    points: int
    win: EnteredWin


@dataclasses.dataclass(frozen=True, slots=True)
class ReportNumbers:
    """Totals of the games played; numbers that depend on hands are 0 if none were recorded.

    ``hands`` are those of ``games_with_hands`` that ended without a chombo; ``wins`` of them ended in a win.
    ``winners`` is the number of winning hands, including those of multiple rons, and ``won`` the points won.
    """

    games: int
    games_with_hands: int
    hands: int
    wins: int
    winners: int
    tsumo: int
    draws: int
    riichi: int
    won: int


@dataclasses.dataclass(frozen=True, slots=True)
class EventReport:
    """The report of a ``day`` (ISO 8601), or of the whole event if it is ``None``."""

    day: str | None
    stages: Mapping[str, tuple[ReportRow, ...]]
    best: tuple[BestHand, ...]
    records: tuple[Achievement, ...]
    numbers: ReportNumbers


def day_of(tables: EventTables, game: EventGame) -> str | None:
    """Return the day of a game in the time zone of ``tables``."""
    return played_on(None if game.at is None else datetime.fromisoformat(game.at), tables.zone)


def days_of(tables: EventTables) -> list[str]:
    """Return the days with games, in order."""
    return sorted({day for game in tables.games if (day := day_of(tables, game))})


def event_report(tables: EventTables, day: str | None = None) -> EventReport:
    """Compile a report. Stage penalties have no date and count from the beginning."""
    days = {game.id: day_of(tables, game) or "" for game in tables.games}
    event = tables.event
    until = _with(event, (result for result in event.results if day is None or days[result.id] <= day))
    before = _with(event, (result for result in event.results if day is not None and days[result.id] < day))
    of_day = _with(event, (result for result in event.results if day is None or days[result.id] == day))
    return EventReport(
        day,
        _moves(before, until, of_day, moved=day is not None),
        _best(of_day.results),
        event_figures(of_day).achievements,
        _numbers(of_day.results),
    )


def _with(event: ClubEvent, games: Iterable[EventGame]) -> ClubEvent:
    return dataclasses.replace(event, games=tuple(games))


def _moves(
    before: ClubEvent, until: ClubEvent, of_day: ClubEvent, *, moved: bool
) -> dict[str, tuple[ReportRow, ...]]:
    """Return the standings of each stage that was played, with the changes since ``before``."""
    played = {result.stage for result in of_day.results}
    earlier = standings(before).stages
    moves = {}
    for stage, rows in standings(until).stages.items():
        if stage in played:
            old = {row.player: row for row in earlier[stage]} if moved else {}
            moves[stage] = tuple(_row(row, old.get(row.player)) for row in rows if row.rank is not None)
    return moves


def _row(now: PlayerStanding, old: PlayerStanding | None) -> ReportRow:
    points, games = (0, 0) if old is None else (old.points, old.games)
    before = old.rank if old is not None and old.games else None
    return ReportRow(now.rank or 0, before, now.player, now.points, now.points - points, now.games - games)


def _best(games: Sequence[EventGame]) -> tuple[BestHand, ...]:
    """Return the wins that gained the most points; ties are in order of the games."""
    hands = []
    for game in games:
        for hand, settled in zip(game.played.entered, game.played.hands, strict=True) if game.played else ():
            source = None if hand.discarder is None else game.players[hand.discarder]
            for win in hand.wins:
                if (seat := win.seat) in settled.winners:
                    key = (game.id, game.players[seat], source, settled.number, settled.honba)
                    hands.append(BestHand(*key, settled.deltas[seat], win))
    return tuple(sorted(hands, key=lambda hand: -hand.points)[:MAX_BEST_HANDS])


def _numbers(results: Sequence[EventGame]) -> ReportNumbers:
    played = [result.played for result in results if result.played]
    hands = [
        (entered, settled, settled.winners + settled.nagashi)
        for game in played
        for entered, settled in zip(game.entered, game.hands, strict=True)
        if entered.end != "foul"
    ]
    return ReportNumbers(
        games=len(results),
        games_with_hands=len(played),
        hands=len(hands),
        wins=sum(bool(winners) for _, _, winners in hands),
        winners=sum(len(winners) for _, _, winners in hands),
        tsumo=sum(entered.end == "tsumo" and bool(winners) for entered, _, winners in hands),
        draws=sum(entered.end == "draw" and not winners for entered, _, winners in hands),
        riichi=sum(len(entered.riichi) for entered, _, _ in hands),
        won=sum(settled.deltas[seat] for _, settled, winners in hands for seat in winners),
    )


UP, DOWN, SAME, NEW = "▲", "▼", "–", "●"


DATES: Final[dict[Language, str]] = {
    "en": "{0:%Y-%m-%d}",
    "ja": "{0.year}年{0.month}月{0.day}日",
    "ko": "{0.year}년 {0.month}월 {0.day}일",
}


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A table: its ``kind``, the titles of its columns, its rows, and the tiles of a hand for each row.

    Tiles are groups in notation, such as ``"123m406p11z 5p 777s"``: concealed tiles, winning tile, melds.
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
    """Render a report in a language."""
    render = _Renderer(tables, language)
    stages = [
        render.stage(stage, rows, moved=report.day is not None) for stage, rows in report.stages.items()
    ]
    parts = [render.best(report.best), render.records(report.records), render.numbers(report.numbers)]
    return ReportText(
        tables.event.name,
        render.about(report),
        (*stages, *(part for part in parts if part.rows)),
    )


class _Renderer:
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
        shown = [i for i in range(len(columns)) if moved or columns[i] not in ("move", "change")]
        return ReportSection(
            "standings",
            self.word("standings", stage=self._tables.stage(stage, self._language)),
            tuple(self.word(columns[i]) for i in shown),
            tuple(tuple(row[i] for i in shown) for row in cells),
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
        """Render the totals; shares appear only if hands were recorded."""
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
        cells = tuple((self.word(key), value) for key, value in rows if value)
        return ReportSection("numbers", self.word("numbers"), self.words("number", "value"), cells)


def _share(count: int, of: int) -> str:
    return f"{counted(count)} ({count / of:.0%})" if of else counted(count)


def _move(row: ReportRow) -> str:
    """Return the number of ranks a player has gained or lost during the day, with an arrow."""
    if row.before is None:
        return NEW
    steps = row.before - row.rank
    return f"{UP if steps > 0 else DOWN}{abs(steps)}" if steps else SAME


MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


def report_markdown(report: ReportText) -> str:
    """Return the report as Markdown with one table per section; markup in names is escaped."""
    parts = [f"# {_plain(report.title)}", _plain(report.about)]
    for section in report.sections:
        parts += [f"## {_plain(section.title)}", _table(section)]
    return "\n\n".join(parts) + "\n"


def _table(section: ReportSection) -> str:
    rows = [section.columns, *section.rows]
    cells = [[_plain(cell) for cell in row] for row in rows]
    for row, tiles in zip(cells[1:], section.tiles, strict=False):
        if tiles:
            row[2] += f" `{tiles}`"
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(section.columns), *lines[1:]])


def _plain(text: str) -> str:
    return MARKS.sub(r"\\\1", " ".join(text.split()))
