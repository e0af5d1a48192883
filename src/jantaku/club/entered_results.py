"""Results of games entered without hands: final points, chips, and players without a win."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from jantaku.club.settlement import SettledGame
from jantaku.club.settlement_record import mask
from jantaku.errors import EntryError, RequestError
from jantaku.fields import Fields, check_different, whole
from jantaku.kernels.engine.entered import add_prizes, finish_games
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

END_FIELDS: Final = ("scores", "chips", "no_win", "deducted")
MAX_SCORE: Final = 10_000_000  # also limits deductions
MAX_END_CHIPS: Final = 2_000  # of one seat in a game
MAX_DRAWS: Final = 3  # assumed draws at the end of a game, each with four riichi
MAX_HANDS: Final = 16  # assumed hands, where not every winner collects the sticks


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The result of a game by seat: points, chips won or paid, and the seats without a win.

    ``chips`` and ``no_win`` are ``None`` under rules without chips or yakitori. ``deducted`` are
    the final points that each seat loses for chombo during play; ``None`` if no seat loses any.
    """

    scores: tuple[int, ...]
    chips: tuple[int, ...] | None = None
    no_win: tuple[int, ...] | None = None
    deducted: tuple[int, ...] | None = None

    def besides_scores(self) -> dict[str, list[int]]:
        """Return the other known fields in the form of an event file."""
        fields = {"chips": self.chips, "no_win": self.no_win, "deducted": self.deducted}
        return {name: list(values) for name, values in fields.items() if values is not None}


def check_hands_or_end(fields: Fields) -> None:
    """Refuse a game with both hands and an end; chips and yakitori belong to an end."""
    if fields.get("hands") is not None:
        for name in END_FIELDS:
            if fields.get(name) is not None:
                raise RequestError("hands_or_scores", field=fields.path(name))


def end_from(fields: Fields, rules: Ruleset) -> GameEnd:
    """Read an end from ``scores`` and the other fields of a JSON object and check it against the rules."""
    seats = rules.match.players
    scores = _by_seat(fields, "scores", (seats, MAX_SCORE))
    chips = no_win = deducted = None
    if fields.get("chips") is not None:
        chips = _by_seat(fields, "chips", (seats, MAX_END_CHIPS))
    if fields.get("no_win") is not None:
        given = fields.typed("no_win", list)
        no_wins = [whole(seat, f"{fields.path('no_win')}[{i}]", 0, seats - 1) for i, seat in enumerate(given)]
        no_win = tuple(sorted(no_wins))
    if fields.get("deducted") is not None:
        deducted = _by_seat(fields, "deducted", (seats, MAX_SCORE), low=0)
    end = GameEnd(scores, chips, no_win, deducted if any(deducted or ()) else None)
    check_end(end, rules, fields.within)
    return end


def check_end(end: GameEnd, rules: Ruleset, within: str = "") -> None:
    """Refuse an impossible end. The desk, event files and ``jantaku settle`` all use this check.

    The points must add up to the starting points minus at most ``max_sticks`` unclaimed riichi sticks.
    """
    seats = rules.match.players
    if len(end.scores) != seats:
        raise RequestError("wrong_count", field=f"{within}scores", count=len(end.scores), wanted=seats)
    wanted = rules.match.start_points * seats
    sticks, rest = divmod(wanted - sum(end.scores), rules.riichi.deposit or wanted)
    if rest or not 0 <= sticks <= max_sticks(rules):
        code = "points_sum_at" if within else "points_sum"
        raise EntryError(code, field=f"{within}scores", found=sum(end.scores), wanted=wanted)
    _check_prizes(end, rules, within)


def _check_prizes(end: GameEnd, rules: Ruleset, within: str) -> None:
    """Refuse an end without chips or yakitori that the rules require, or with any that they do not have."""
    has_chips, has_yakitori = bool(rules.chips.value), bool(rules.match.yakitori)
    if (end.chips is None) == has_chips:
        code = "end_without_chips" if has_chips else "no_chips"
        raise EntryError(code, field=f"{within}chips")
    if (end.no_win is None) == has_yakitori:
        code = "end_without_winners" if has_yakitori else "no_yakitori"
        raise EntryError(code, field=f"{within}no_win")
    if end.chips is not None:
        if len(end.chips) != len(end.scores):
            counts = {"count": len(end.chips), "wanted": len(end.scores)}
            raise RequestError("wrong_count", field=f"{within}chips", **counts)
        if sum(end.chips):
            raise EntryError("chips_sum", field=f"{within}chips", found=sum(end.chips))
    for i, seat in enumerate(end.no_win or ()):
        whole(seat, f"{within}no_win[{i}]", 0, len(end.scores) - 1)
    check_different(end.no_win or (), f"{within}no_win")


def _by_seat(fields: Fields, name: str, limits: tuple[int, int], low: int | None = None) -> tuple[int, ...]:
    (seats, high), given = limits, fields.typed(name, list)
    low = -high if low is None else low
    if len(given) != seats:
        raise RequestError("wrong_count", field=fields.path(name), count=len(given), wanted=seats)
    return tuple(whole(value, f"{fields.path(name)}[{i}]", low, high) for i, value in enumerate(given))


def interim_end(game: SettledGame, rules: Ruleset) -> GameEnd:
    """Return the end of a game stopped after its hands so far; the rules may return riichi sticks."""
    scores = game.scores
    if returns_sticks(rules):
        owned = zip(scores, game.laid, strict=True)
        scores = tuple(points + sticks * rules.riichi.deposit for points, sticks in owned)
    return GameEnd(scores, game.chips, game.no_win, game.deducted)


def returns_sticks(rules: Ruleset) -> bool:
    """Whether leftover sticks return to their owners; points on paper then already include them."""
    return rules.end.leftover_deposits == "riichi_owner"


def max_sticks(rules: Ruleset) -> int:
    """Return the largest possible number of unclaimed riichi sticks at the end of a game.

    It is 0 if riichi is free or sticks return to their owners, and limited by what the players can pay.
    """
    deposit, seats = rules.riichi.deposit, rules.match.players
    if not deposit or returns_sticks(rules):
        return 0
    hands = MAX_DRAWS if rules.riichi.sticks_to == "any_winner" else MAX_HANDS
    return min(hands * seats, rules.match.start_points * seats // deposit)


def ended_game(end: GameEnd, rules: Ruleset, penalties: Sequence[tuple[int, int]] = ()) -> SettledGame:
    """Return the settled game for an end without hands, with ``penalties`` (seat, points) added."""
    game = ended_games([end], rules)[0]
    final = list(game.final or ())
    for seat, points in penalties:
        final[seat] += points
    return replace(game, final=tuple(final))


def ended_games(ends: Sequence[GameEnd], rules: Ruleset) -> list[SettledGame]:
    """Settle games from checked ends, with chips, yakitori and deductions."""
    if not ends:
        return []
    seats = rules.match.players
    record, everybody = rules_record(rules), mask(range(seats))
    scores = np.array([end.scores for end in ends], np.int64)
    final, places, yakitori = (np.zeros_like(scores) for _ in range(3))
    finish_games(scores, record, final, places)
    chips = np.array([end.chips or (0,) * seats for end in ends], np.int64)
    won = [0 if end.no_win is None else everybody & ~mask(end.no_win) for end in ends]
    add_prizes(places, chips, np.array(won, np.int64), record, final, yakitori)
    final -= np.array([end.deducted or (0,) * seats for end in ends], np.int64)
    rows = zip(scores.tolist(), final.tolist(), places.tolist(), yakitori.tolist(), strict=True)
    return [
        SettledGame(
            *(True, tuple(ended), tuple(points), tuple(place)),
            chips=end.chips,
            yakitori=tuple(paid) if rules.match.yakitori else None,
            deducted=end.deducted,
            no_win=end.no_win,
        )
        for end, (ended, points, place, paid) in zip(ends, rows, strict=True)
    ]
