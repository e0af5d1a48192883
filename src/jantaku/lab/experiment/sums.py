"""The quantities that an experiment counts: one row per game, one column per quantity."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.masks import yaku_in
from jantaku.kernels.bits import YAKU_BITS
from jantaku.lab.parquet import polars_library
from jantaku.rules import Ruleset

DORA: Final = ("dora", "red_dora", "ura_dora", "kita", "kan_han")  # han that are not yaku
YAKU: Final = tuple(yaku_in(1 << bit)[0] for bit in range(YAKU_BITS)) + DORA
OF_GAMES: Final = (
    "games",
    "busts",  # games that end with a player below zero
    "comebacks",  # games whose winner was in the lower half before the middle hand
    "turned",  # games whose last hand changed the leader
    "better",  # games won by the first of the bots
    "decisions",
    "final_total",  # sum of all final points: uma, oka and other additions
    "final_spread",  # their standard deviation within the game
)
PLAIN: Final = (
    *OF_GAMES,
    "hands",
    "seat_hands",  # hands times players
    "wins",
    "won_hands",
    "tsumo",
    "deal_ins",
    "draws",
    "riichi",
    "calls",
    "points",  # of all wins, without honba and deposits
    "turns",
    "dealer_wins",
    "win_turns",  # sum of the turns of all wins
    "repeats",  # hands after which the same player deals again
    "dealer_points",  # change of the dealer's score, including sticks and honba
)


def counted_yaku(rulesets: Iterable[Ruleset]) -> tuple[str, ...]:
    """Return the ids to count: the built-in yaku, the types of dora, and the rulesets' custom yaku."""
    return tuple(dict.fromkeys([*YAKU, *(yaku.id for rules in rulesets for yaku in rules.own_yaku)]))


def places_of(seats: Sequence[int]) -> range:
    """Return the places of a game, from 1."""
    return range(1, len(seats) + 1)


def columns(seats: Sequence[int], yaku: Sequence[str] = YAKU) -> tuple[str, ...]:
    """Return the names of the quantities in column order; ``yaku`` are the ids from ``counted_yaku``."""
    return (
        *PLAIN,
        *(f"score_{seat}" for seat in seats),
        *(f"final_{place}" for place in places_of(seats)),
        *(f"wins.{name}" for name in yaku),
        *(f"points.{name}" for name in yaku),
        *(f"win_turns.{name}" for name in yaku),
    )


def game_sums(
    hands: Any, games: Any, seats: Sequence[int], yaku: Sequence[str] = YAKU
) -> npt.NDArray[np.float64]:
    """Return the quantities of each game of a portion, ``float64[games, len(columns(seats, yaku))]``.

    ``hands`` and ``games`` are the portion's tables (``lab.parquet``), ordered by game.
    """
    game = hands["game"].to_numpy()
    begins = np.flatnonzero(np.diff(game, prepend=game[0] - 1))
    scores, finals = (by_seat(games, name, seats).astype(np.float64) for name in ("score", "final"))
    before = by_seat(hands, "score", seats)
    after = np.roll(before, -1, axis=0)
    after[np.append(begins[1:], len(before)) - 1] = scores
    of_hands = _hand_values(hands, seats, after - before, yaku[len(YAKU) :])
    summed = np.add.reduceat(of_hands, begins, axis=0)
    of_games = _game_values(hands, games, seats, begins)
    plain = len(PLAIN) - len(OF_GAMES)
    by_place = -np.sort(-finals, axis=1)
    return np.hstack([of_games, summed[:, :plain], scores, by_place, summed[:, plain:]])


def by_seat(table: Any, name: str, seats: Sequence[int]) -> npt.NDArray[Any]:
    """Stack the columns of a quantity that exists for each seat, ``[rows, seats]``."""
    return np.stack([table[f"{name}_{seat}"].to_numpy() for seat in seats], axis=1)


def _game_values(
    hands: Any, games: Any, seats: Sequence[int], begins: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the columns of ``OF_GAMES``; ``begins`` are the rows of the games' first hands."""
    scores, finals, places = (by_seat(games, name, seats) for name in ("score", "final", "place"))
    before = by_seat(hands, "score", seats)
    first = places.argmin(axis=1)
    counts = np.diff(begins, append=len(before))

    def ahead(row: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the number of players ahead of the game's winner before that hand."""
        scores = before[row]
        count: npt.NDArray[np.int64] = (scores > scores[np.arange(len(scores)), first][:, None]).sum(axis=1)
        return count

    columns = (
        np.ones(len(scores)),
        scores.min(axis=1) < 0,
        ahead(begins + counts // 2) >= len(seats) / 2,
        ahead(begins + counts - 1) > 0,
        by_seat(games, "player", seats)[np.arange(len(first)), first] == 0,
        games["decisions"].to_numpy(),
        finals.sum(axis=1),
        finals.std(axis=1),
    )
    return np.stack(columns, axis=1).astype(np.float64)


def _hand_values(
    hands: Any, seats: Sequence[int], gained: npt.NDArray[np.int64], own: Sequence[str]
) -> npt.NDArray[np.float64]:
    """Return the remaining quantities of each hand: those of ``PLAIN``, then those of each yaku.

    ``gained`` is the change of each seat's score, ``own`` are the ids of custom yaku.
    """

    def of(name: str) -> npt.NDArray[Any]:
        return by_seat(hands, name, seats)

    won = of("won").astype(bool)
    points = np.where(won, of("points"), 0)
    dealer = np.arange(len(won)), hands["dealer"].to_numpy()
    any_won = won.any(axis=1)
    discarded = hands["discarder"].is_not_null().to_numpy()
    dealt_in = any_won & discarded
    turns = hands["turns"].to_numpy().astype(np.int64)
    plain = [
        np.ones(len(won)),
        np.full(len(won), len(seats)),
        won.sum(axis=1),
        any_won,
        (won.sum(axis=1)) * (any_won & ~discarded),
        dealt_in,
        ~any_won,
        (of("riichi") > 0).sum(axis=1),
        (of("calls") > 0).sum(axis=1),
        points.sum(axis=1),
        turns,
        won[dealer],
        won.sum(axis=1) * turns,
        _repeats(hands),
        gained[dealer],
    ]
    masks = [*_yaku_masks(hands, of, won), *(won & _has_own(hands, seats, name) for name in own)]
    wins = [mask.sum(axis=1) for mask in masks]
    win_points = [(points * mask).sum(axis=1) for mask in masks]
    win_turns = [mask.sum(axis=1) * turns for mask in masks]
    return np.stack([*plain, *wins, *win_points, *win_turns], axis=1).astype(np.float64)


def _repeats(hands: Any) -> npt.NDArray[np.bool_]:
    """Mark the hands followed by one with the same number in the same game, ``bool[hands]``."""
    game, number = hands["game"].to_numpy(), hands["number"].to_numpy()
    again = (game[1:] == game[:-1]) & (number[1:] == number[:-1])
    return np.append(again, False)


def _has_own(hands: Any, seats: Sequence[int], name: str) -> npt.NDArray[np.bool_]:
    """Mark the seats with a custom yaku, ``bool[hands, seats]``; none under rules without it."""
    if f"own_yaku_{seats[0]}" not in hands.columns:
        return np.zeros((len(hands), len(seats)), np.bool_)
    text = polars_library().List(polars_library().String)
    flags = [hands[f"own_yaku_{seat}"].cast(text).list.contains(name).to_numpy() for seat in seats]
    return np.stack(flags, axis=1)


def _yaku_masks(
    hands: Any, of: Callable[[str], npt.NDArray[Any]], won: npt.NDArray[np.bool_]
) -> list[npt.NDArray[np.bool_]]:
    """Return a mask of the winners with each yaku and each type of dora, ``bool[hands, seats]`` each.

    Older files have no columns for kans and for norths set aside, which they count among the dora.
    """
    bits = of("yaku")
    red, ura = of("red_dora").astype(np.int64), of("ura_dora").astype(np.int64)
    norths, kans = (
        of(name).astype(np.int64) if f"{name}_0" in hands.columns else np.zeros_like(red)
        for name in ("kita", "kan_han")
    )
    dora = of("dora").astype(np.int64) - red - ura - norths
    yaku = [won & (bits >> bit & 1 == 1) for bit in range(YAKU_BITS)]
    return [*yaku, *(won & (count > 0) for count in (dora, red, ura, norths, kans))]
