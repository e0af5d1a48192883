"""The standings, games and hands of an event as plain tables, with titles in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Final, NamedTuple

from jantaku import terms
from jantaku.adjudication.explanation_words import yakuman_text
from jantaku.club.entered_hands import EnteredHand, EnteredWin
from jantaku.club.event import ClubEvent, EventGame, stage_name
from jantaku.club.stage_standings import EventStandings, standings
from jantaku.seats import hand_name
from jantaku.terms import Language

Cell = str | int | float | datetime | None

SHEETS: Final = ("standings", "teams", "games", "hands", "penalties")
MINUTE: Final = "%Y-%m-%d %H:%M"


@dataclass(frozen=True, slots=True)
class ExportSheet:
    """A table: its name, column titles and rows."""

    name: str
    titles: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class EventTables:
    """An event and its standings; times are converted to ``zone``, or left as written without one."""

    event: ClubEvent
    zone: tzinfo | None = None

    @cached_property
    def standings(self) -> EventStandings:
        """The standings of all stages."""
        return standings(self.event)

    @property
    def names(self) -> dict[str, str]:
        """The names of the players by id."""
        return self.event.names

    @property
    def games(self) -> tuple[EventGame, ...]:
        """The games that are over."""
        return self.event.results

    def stage(self, stage: str, language: Language) -> str:
        """Return the name of a stage."""
        return stage_name(self.event.stages, stage, language)

    def moment(self, game: EventGame) -> datetime | None:
        """Return the time of a game in ``zone`` without offset; as written if there is no zone."""
        at = None if game.at is None else datetime.fromisoformat(game.at)
        if at is None or at.tzinfo is None or self.zone is None:
            return at
        return at.astimezone(self.zone).replace(tzinfo=None)

    def clock(self, game: EventGame) -> str:
        """Return the time of a game as text; empty if unknown."""
        at = self.moment(game)
        return "" if at is None else f"{at:{MINUTE} %z}".rstrip()


def sheet(tables: EventTables, name: str, language: Language) -> ExportSheet:
    """Return one table of an event, by its name in ``SHEETS``."""
    writers = {
        "standings": _standings,
        "teams": _teams,
        "games": _games,
        "hands": _hands,
        "penalties": _penalties,
    }
    return writers[name](tables, language)


def sheets(tables: EventTables, language: Language) -> list[ExportSheet]:
    """Return the tables of an event that have rows; standings and games are always included."""
    pages = [sheet(tables, name, language) for name in SHEETS]
    return [page for page in pages if page.rows or page.name in ("standings", "games")]


def _titles(language: Language, *keys: str) -> tuple[str, ...]:
    return tuple(terms.text(key, language) for key in keys)


def _winds(tables: EventTables, language: Language) -> list[str]:
    winds = ("east", "south", "west", "north")[: tables.event.rules.match.players]
    return [terms.text(f"drawn_table.wind.{wind}", language) for wind in winds]


def _standings(tables: EventTables, language: Language) -> ExportSheet:
    seats = range(1, tables.event.rules.match.players + 1)
    titles = _titles(
        language,
        *("event.list.stage", "export.rank", "export.id", "event.table.player", "export.team"),
        *("event.table.points", "event.table.carried", "export.penalty", "event.table.games"),
        *("export.counted", "event.table.average"),
    )
    titles += tuple(terms.text("event.table.place", language, place=place) for place in seats)
    titles += _titles(language, "export.qualified")
    teams = {player.id: player.team for player in tables.event.players}
    rows = [
        (
            *(tables.stage(stage, language), row.rank, row.player, tables.names[row.player]),
            *(teams[row.player], row.points, row.carried, row.penalty, row.games, row.counted),
            None if row.average_place is None else round(float(row.average_place), 4),
            *row.places,
            terms.text("export.yes" if row.qualified else "export.no", language),
        )
        for stage, standing in tables.standings.stages.items()
        for row in standing
    ]
    return ExportSheet("standings", titles, tuple(rows))


def _teams(tables: EventTables, language: Language) -> ExportSheet:
    titles = _titles(language, "export.rank", "export.team", "event.table.points")
    return ExportSheet(
        "teams", titles, tuple((team.rank, team.team, team.points) for team in tables.standings.teams)
    )


def prizes(tables: EventTables) -> dict[str, int]:
    """Return the parts of final points other than the score, each with the sign to apply (chombo: -1).

    Chombo are included only if some game has one that is deducted at the end of the game.
    """
    rules, fouls = tables.event.rules, any(game.result.deducted for game in tables.games)
    present = {"chips": bool(rules.chips.value), "yakitori": bool(rules.match.yakitori), "deducted": fouls}
    return {name: -1 if name == "deducted" else 1 for name, has in present.items() if has}


def prize(game: EventGame, name: str) -> Sequence[int]:
    """Return one of these parts by seat; zeros if the game has none."""
    return getattr(game.result, name) or (0,) * len(game.players)


def _games(tables: EventTables, language: Language) -> ExportSheet:
    rounds = any(game.round for game in tables.games)
    within = ("event.list.stage", *["export.round"] * rounds, "export.table", "export.at")
    titles = list(_titles(language, "export.id", *within))
    if tables.zone is not None:
        titles[-1] += f" ({tables.zone})"
    for wind in _winds(tables, language):
        keys = (
            "export.player_id",
            "event.table.player",
            "event.game.scores",
            "event.game.final",
            "export.place",
        )
        paid = [f"export.{name}" for name in prizes(tables)]
        titles += [f"{wind}: {title}" for title in _titles(language, *keys, *paid)]
    rows = []
    for game in tables.games:
        cells: list[Cell] = [game.id, tables.stage(game.stage, language), *[game.round] * rounds]
        cells += [game.label, tables.moment(game)]
        for seat, player in enumerate(game.players):
            score, place = game.result.scores[seat], game.places[seat]
            cells += [player, tables.names[player], score, game.final[seat], place]
            cells += [sign * prize(game, name)[seat] for name, sign in prizes(tables).items()]
        rows.append(tuple(cells))
    return ExportSheet("games", tuple(titles), tuple(rows))


def _penalties(tables: EventTables, language: Language) -> ExportSheet:
    keys = ("event.list.stage", "export.game", "export.player_id", "event.table.player")
    titles = _titles(language, *keys, "event.table.points", "export.why")
    within = [
        (game.stage, game.id, game.players[seat], points, why)
        for game in tables.games
        for seat, points, why in game.penalties
    ]
    of_stages = [
        (penalty.stage, "", penalty.player, penalty.points, penalty.why) for penalty in tables.event.penalties
    ]
    rows = [
        (tables.stage(stage, language), game, player, tables.names[player], points, why)
        for stage, game, player, points, why in of_stages + within
    ]
    return ExportSheet("penalties", titles, tuple(rows))


class DescribedHand(NamedTuple):
    """A hand: its name and ending in each language, points won or lost by seat, and the points after it."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    deltas: tuple[int, ...]
    scores: tuple[int, ...]


def hand_lines(tables: EventTables, game: EventGame, languages: Sequence[Language]) -> list[DescribedHand]:
    """Describe the hands of a game in each language."""
    names = [tables.names[player] for player in game.players]
    if game.played is None:
        return []
    return [
        DescribedHand(
            tuple(hand_name(row.number, row.honba, len(names), language) for language in languages),
            tuple(hand_in_words(hand, names, language) for language in languages),
            row.deltas,
            row.scores,
        )
        for hand, row in zip(game.played.entered, game.played.hands, strict=True)
    ]


def _hands(tables: EventTables, language: Language) -> ExportSheet:
    titles = list(_titles(language, "export.id", "export.hand", "export.ending"))
    winds = _winds(tables, language)
    titles += [f"{wind}: {terms.text('export.change', language)}" for wind in winds]
    titles += [f"{wind}: {terms.text('event.game.scores', language)}" for wind in winds]
    rows: list[tuple[Cell, ...]] = [
        (game.id, *line.names, *line.words, *line.deltas, *line.scores)
        for game in tables.games
        for line in hand_lines(tables, game, (language,))
    ]
    return ExportSheet("hands", tuple(titles), tuple(rows))


STOP: Final[dict[Language, str]] = {"en": ". ", "ja": "。", "ko": ". "}


BRACKETS: Final[dict[Language, str]] = {"en": " ({})", "ja": "（{}）", "ko": " ({})"}


def hand_in_words(hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    """Describe the end of a hand: wins, discarder, tenpai players, riichi and fouls; ``names`` by seat."""
    lines = [_ending(hand, names, language)]
    if hand.riichi:
        riichi = _listed(hand.riichi, names, language)
        lines.append(_text("event.game.riichi", language, players=riichi))
    for foul in hand.fouls:
        label = terms.table("options", language)["fouls"].get(foul.foul, {}).get("label", foul.foul)
        lines.append(_text("event.game.foul", language, player=names[foul.seat], foul=label))
    return _sentences(lines, language)


def _sentences(lines: Sequence[str], language: Language) -> str:
    return STOP[language].join(line.rstrip(".。") for line in lines)


def _text(key: str, language: Language, **values: object) -> str:
    return terms.text(key, language, **values)


def _listed(seats: Sequence[int], names: Sequence[str], language: Language) -> str:
    return terms.listed((names[seat] for seat in seats), language)


def _ending(hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    if hand.end in ("ron", "tsumo"):
        return _sentences([_win(win, hand, names, language) for win in hand.wins], language)
    if hand.end == "draw":
        tenpai, nagashi = (_listed(seats, names, language) for seats in (hand.tenpai, hand.nagashi))
        players = _text("web.draw.tenpai", language, players=tenpai) if tenpai else ""
        parts = [_text("web.draw.exhausted", language), players or _text("web.draw.nobody", language)]
        if nagashi:
            parts.append(_text("web.draw.nagashi", language, players=nagashi))
        return _sentences(parts, language)
    return _text(f"web.draw.{hand.abort}" if hand.end == "abort" else "event.game.foul_end", language)


def _win(win: EnteredWin, hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    player = names[win.seat]
    if hand.discarder is not None:
        result = _text("web.win.ron", language, **{"player": player, "from": names[hand.discarder]})
    else:
        result = _text("web.win.tsumo", language, player=player)
    text = f"{result}: {worth_in_words(win, language)}"
    if win.chips:
        text += BRACKETS[language].format(_text("event.game.chips", language, count=win.chips))
    if win.pao:
        players = _listed(win.pao.seats, names, language)
        text += BRACKETS[language].format(_text("event.game.pao", language, players=players))
    yaku = yaku_in_words(win, language)
    return text + BRACKETS[language].format(terms.listed(yaku, language)) if yaku else text


def yaku_in_words(win: EnteredWin, language: Language) -> list[str]:
    """Return the names of the yaku of a win; empty if not recorded."""
    return [_yaku(name, language) for name in win.yaku or ()]


def _yaku(name: str, language: Language) -> str:
    bonus = terms.table("explain", language)["bonus"]
    entry = terms.table("yaku", language).get(name)
    return str(entry["name"] if entry else bonus.get(name, name))


def worth_in_words(win: EnteredWin, language: Language) -> str:
    """Return the value of a win as text: yakuman, a limit, or han and fu."""
    if win.yakuman:
        return yakuman_text(win.yakuman, language)
    if win.limit:
        return _text(f"explain.limit.{win.limit}", language)
    return _text("web.score.han_fu", language, han=win.han, fu=win.fu)
