"""Infer the rules of a foreign log from its contents.

Logs of Tenhou and Mahjong Soul name their table. Private tables may have other starting points and uma, which
only the scores of the log reveal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, Literal

import numpy as np

from jantaku.errors import JantakuError, RecordError
from jantaku.game import Standing
from jantaku.kernels.engine.game_end import finish, last_number
from jantaku.kernels.engine.state import MATCH
from jantaku.kernels.rules import choice, rules_record
from jantaku.rules import Ruleset, load
from jantaku.seats import by_place
from jantaku.tiles import Tile, kinds_of

TENHOU, MAHJONG_SOUL = "tenhou", "mahjongsoul"
PRESETS: Final = {  # by platform and number of players
    (TENHOU, 4): "tenhou",
    (TENHOU, 3): "tenhou-3",
    (MAHJONG_SOUL, 4): "mahjongsoul",
    (MAHJONG_SOUL, 3): "mahjongsoul-3",
}
ROUNDINGS: Final = ("nearest_1000", "none", "five_down_six_up")
TIES: Final = ("seat_order", "share")
OKA: Final = ("derived", "none")
UMA: Final = (  # common values, by place, in thousands
    (20, 10, -10, -20),
    (10, 5, -5, -10),
    (30, 10, -10, -30),
    (15, 5, -5, -15),
    (30, 20, -20, -30),
    (12, 4, -4, -12),
    (0, 0, 0, 0),
    (15, 0, -15),
    (20, 0, -20),
    (10, 0, -10),
    (30, 0, -30),
    (0, 0, 0),
)
_STICKS: Final = (10_000, 5_000, 1_000, 100)


HandEnding = Literal["won", "exhausted", "other"]


@dataclass(frozen=True)
class LoggedEnd:
    """The end of a game: points, and final points with uma and oka."""

    scores: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class LoggedTable:
    """The table as described by a log: platform, number of players, and options if it names any.

    Tables with ``is_private`` may have any rules; others have those of the platform. ``is_known_site``: the
    log names its platform.
    """

    site: str = TENHOU
    seats: int = 4
    red: Mapping[str, int] | None = None
    kuitan: bool | None = None
    east_only: bool | None = None
    is_private: bool = True
    is_known_site: bool = True


@dataclass(frozen=True)
class GameCourse:
    """The course of a logged game: the standing before each hand, and the end of the game if it has one.

    ``endings`` are the ends of the hands, as far as the log states them.
    """

    standings: Sequence[Standing]
    final: LoggedEnd | None = None
    endings: Sequence[HandEnding] = ()

    @property
    def start_points(self) -> int | None:
        """The starting points; ``None`` if the log starts mid-game or has no hands."""
        if not self.standings:
            return None
        first = self.standings[0]
        equal = len(set(first.scores)) == 1 and first.scores[0] > 0
        at_start = (first.number, first.honba, first.deposits) == (0, 0, 0)
        return first.scores[0] if equal and at_start else None


def possible_rules(table: LoggedTable, course: GameCourse) -> list[Ruleset]:
    """Return the rules that the log of a table does not rule out, likely ones first (``rules_of_table``).

    A log may name neither its platform nor its length, nor who pays the missing share of a tsumo at a private
    table of three; only the play reveals them.
    """
    lengths = (None, True, False) if table.east_only is None else (table.east_only,)
    sites = (table.site,) if table.is_known_site else (table.site, *({TENHOU, MAHJONG_SOUL} - {table.site}))
    tables = [replace(table, site=site, east_only=length) for site in sites for length in lengths]
    rules = [rules_of_table(each, course) for each in tables]
    if table.seats == 3 and table.is_private:  # a setting of Mahjong Soul's friendly games
        rules += [each.with_changes({"score.missing_share": "split"}) for each in rules]
    return list({each.fingerprint: each for each in rules}.values())


def rules_of_table(table: LoggedTable, course: GameCourse) -> Ruleset:
    """Return the rules of a log's table; if none fit the scores, the preset with the options the log names.

    Raises ``RecordError`` if the platform has no rules for this number of players.
    """
    if (table.site, table.seats) not in PRESETS:
        wanted = max(seats for _, seats in PRESETS)
        raise RecordError("record_other_players", count=table.seats, wanted=wanted)
    rules = load(PRESETS[table.site, table.seats])
    changes: dict[str, Any] = {}
    if table.red is not None and (red := _in_the_set(table.red, rules)) != dict(rules.tiles.red):
        changes["tiles.red"] = red
    if table.kuitan is False:
        changes["calls.kuitan"] = False
    if _is_east_only(table, course, len(rules.seats)):
        changes["match.length"] = "east"
    changes |= _of_the_start(rules, course)
    if table.is_private and any(min(standing.scores) < 0 for standing in course.standings):
        changes["end.tobi"] = "off"
    rules = _changed(rules, changes)
    rules = _changed(rules, dict.fromkeys(_ruled_out_endings(rules, course), "off"))
    return rules if course.final is None else fitted(rules, course.final)


def _in_the_set(red: Mapping[str, int], rules: Ruleset) -> dict[str, int]:
    """Keep the red tiles of kinds that are in the set."""
    kinds = [int(kind) for kind in kinds_of(rules.tiles.man)]
    return {tile: count for tile, count in red.items() if int(Tile.parse(tile)) in kinds}


def _changed(rules: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    return rules.with_changes(changes) if changes else rules


def _is_east_only(table: LoggedTable, course: GameCourse, seats: int) -> bool:
    """Whether the game has one round; a second one begins if no player has enough points."""
    last = max((standing.number for standing in course.standings), default=0)
    if table.east_only is None:
        ended = course.final is not None and min(course.final.scores) >= 0
        return ended and last < seats and course.start_points is not None
    return table.east_only and last < 2 * seats


def _of_the_start(rules: Ruleset, course: GameCourse) -> dict[str, Any]:
    """Return other starting points with matching sticks, and return points that are not lower."""
    start = course.start_points
    if start is None or start == rules.match.start_points or not 1000 <= start <= 1_000_000:
        return {}
    values: dict[str, Any] = {"match.start_points": start, "match.sticks": sticks_for(start)}
    if rules.match.return_points < start:
        values["match.return_points"] = start
    return values


def sticks_for(points: int) -> dict[str, int]:
    """Return sticks that add up to the points, with some of each small denomination."""
    counts: dict[str, int] = {}
    for stick in (100, 1_000, 5_000):
        most = {100: 10, 1_000: 4, 5_000: 2}[stick]
        counts[str(stick)] = count = min(most, points // stick)
        points -= count * stick
    for stick in _STICKS:
        counts[str(stick)] = counts.get(str(stick), 0) + points // stick
        points %= stick
    return {name: count for name, count in counts.items() if count} | ({str(points): 1} if points else {})


def fitted(rules: Ruleset, final: LoggedEnd) -> Ruleset:
    """Return the rules with return points, uma, oka, ties and rounding that give the final points.

    The rules are unchanged if they already do, or if nothing fits.
    """
    if final_points(rules, final.scores) == final.points:
        return rules
    for changes in _end_options(rules, final):
        if final_points(rules, final.scores, changes) == final.points:
            try:
                return rules.with_changes({f"match.{name}": value for name, value in changes.items()})
            except JantakuError:
                continue
    return rules


def _end_options(rules: Ruleset, final: LoggedEnd) -> Iterator[dict[str, Any]]:
    """Yield possible values of the end-of-game options, likely ones first."""
    match = rules.match
    returns = dict.fromkeys((match.return_points, match.start_points, 40_000, 30_000, 25_000))
    low = [points for points in returns if points >= match.start_points]
    combinations = product(_first(match.tie, TIES), _first(match.final_rounding, ROUNDINGS), low, OKA)
    for tie, rounding, back, oka in combinations:
        options = {"tie": tie, "final_rounding": rounding, "return_points": back, "oka": oka}
        for uma in UMA:
            if len(uma) == len(rules.seats):
                yield options | {"uma": [1000 * uma for uma in uma]}
    for tie, rounding, back, oka in product(_first(match.tie, TIES), ROUNDINGS, low, OKA):
        options = {"tie": tie, "final_rounding": rounding, "return_points": back, "oka": oka}
        yield options | {"uma": _uma_between(rules, final, options)}


def _ruled_out_endings(rules: Ruleset, course: GameCourse) -> Iterator[str]:
    """Yield the options that would have ended the game before its actual last hand.

    Early Tenhou had no tenpai-yame, and private tables may have any rules.
    """
    last = last_number(rules_record(rules)[0])
    for before, ending, after in zip(course.standings, course.endings, course.standings[1:], strict=False):
        stays = before.number == after.number >= last
        dealer = before.number % len(rules.seats)
        leads = by_place(after.scores)[0] == dealer and after.scores[dealer] >= rules.end.dealer_stop_points
        if stays and leads and ending != "other":
            yield "end.agari_yame" if ending == "won" else "end.tenpai_yame"


def _first(value: str, values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((value, *values)))


def _uma_between(rules: Ruleset, final: LoggedEnd, options: Mapping[str, Any]) -> list[int]:
    """Return the uma that turns the points into the final points; first place gets the remainder."""
    plain = final_points(rules, final.scores, {**options, "uma": [0] * len(rules.seats), "oka": "none"})
    order = by_place(final.scores)
    rest = [final.points[seat] - plain[seat] for seat in order[1:]]
    return [-sum(rest), *rest]


def final_points(
    rules: Ruleset, scores: Sequence[int], changes: Mapping[str, Any] | None = None
) -> tuple[int, ...]:
    """Return the final points for the last scores; ``changes`` override options of ``match``."""
    records = rules_record(rules).copy()
    options = dict(changes or {})
    back = options.get("return_points", rules.match.return_points)
    oka = options.pop("oka", rules.match.oka)
    gained = len(rules.seats) * (back - rules.match.start_points) if oka == "derived" else 0
    records[0].oka = oka if isinstance(oka, int) else gained
    if "uma" in options:
        uma = options.pop("uma")
        records[0].uma[: len(uma)] = uma
    for name, value in options.items():
        number = choice(f"match.{name}", value) if isinstance(value, str) else value
        setattr(records[0].match, name, number)
    matches = np.zeros(1, MATCH)
    matches[0].seats = len(rules.seats)
    matches[0].scores[: len(scores)] = scores
    finish(matches[0], records[0])
    return tuple(matches[0].final.tolist()[: len(rules.seats)])
