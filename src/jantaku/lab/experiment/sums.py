"""What a game adds to each quantity that an experiment counts: one row a game, one column a quantity."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.masks import yaku_in
from jantaku.kernels.bits import YAKU_BITS
from jantaku.lab.parquet import polars_library
from jantaku.rules import Ruleset

DORA: Final = ("dora", "red_dora", "ura_dora", "kita", "kan_han")  # what adds han and is no yaku
YAKU: Final = tuple(yaku_in(1 << bit)[0] for bit in range(YAKU_BITS)) + DORA
OF_GAMES: Final = (
    "games",
    "busts",  # games that end with a player below zero
    "comebacks",  # games won by somebody of the lower half before the middle hand
    "turned",  # games whose last hand changed who is first
    "better",  # games that the first of the bots wins
    "decisions",
    "final_total",  # final points of all players: uma, oka and what else is added
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
    "win_turns",  # the turn of each win, added up
    "repeats",  # hands after which the same player deals again
    "dealer_points",  # what the dealer has more after each hand than before, sticks and honba included
)


def made_of(rulesets: Iterable[Ruleset]) -> tuple[str, ...]:
    """What wins under these rulesets can have: the built-in yaku, the sorts of dora, and their own yaku."""
    return tuple(dict.fromkeys([*YAKU, *(yaku.id for rules in rulesets for yaku in rules.own_yaku)]))


def places_of(seats: Sequence[int]) -> range:
    """The places of a game, from 1."""
    return range(1, len(seats) + 1)


def columns(seats: Sequence[int], made: Sequence[str] = YAKU) -> tuple[str, ...]:
    """The names of the quantities, in the order of the columns; ``made`` is ``made_of`` the rulesets."""
    return (
        *PLAIN,
        *(f"score_{seat}" for seat in seats),
        *(f"final_{place}" for place in places_of(seats)),
        *(f"wins.{name}" for name in made),
        *(f"points.{name}" for name in made),
        *(f"win_turns.{name}" for name in made),
    )


def game_sums(
    hands: Any, games: Any, seats: Sequence[int], made: Sequence[str] = YAKU
) -> npt.NDArray[np.float64]:
    """The quantities of each game of a portion, ``float64[games, len(columns(seats, made))]``.

    ``hands`` and ``games`` are the portion's tables (``lab.parquet``), in the order of the games.
    """
    game = hands["game"].to_numpy()
    begins = np.flatnonzero(np.diff(game, prepend=game[0] - 1))
    scores, finals = (by_seat(games, name, seats).astype(np.float64) for name in ("score", "final"))
    before = by_seat(hands, "score", seats)
    after = np.roll(before, -1, axis=0)
    after[np.append(begins[1:], len(before)) - 1] = scores
    of_hands = _hand_values(hands, seats, after - before, made[len(YAKU) :])
    summed = np.add.reduceat(of_hands, begins, axis=0)
    of_games = _game_values(hands, games, seats, begins)
    plain = len(PLAIN) - len(OF_GAMES)
    by_place = -np.sort(-finals, axis=1)
    return np.hstack([of_games, summed[:, :plain], scores, by_place, summed[:, plain:]])


def by_seat(table: Any, name: str, seats: Sequence[int]) -> npt.NDArray[Any]:
    """The columns of a quantity that each seat has, ``[rows, seats]``."""
    return np.stack([table[f"{name}_{seat}"].to_numpy() for seat in seats], axis=1)


def _game_values(
    hands: Any, games: Any, seats: Sequence[int], begins: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """The columns of ``OF_GAMES``; ``begins`` are the rows of the first hands."""
    scores, finals, places = (by_seat(games, name, seats) for name in ("score", "final", "place"))
    before = by_seat(hands, "score", seats)
    first = places.argmin(axis=1)
    counts = np.diff(begins, append=len(before))

    def ahead(row: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How many had more points before that hand than who won the game."""
        now = before[row]
        count: npt.NDArray[np.int64] = (now > now[np.arange(len(now)), first][:, None]).sum(axis=1)
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
    """The same of each hand, without the number of games and the scores.

    ``gained`` is what each seat has more after it, ``own`` are own yaku.
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
    made = [*_made(hands, of, won), *(won & _has_own(hands, seats, name) for name in own)]
    wins = [mask.sum(axis=1) for mask in made]
    worth = [(points * mask).sum(axis=1) for mask in made]
    when = [mask.sum(axis=1) * turns for mask in made]
    return np.stack([*plain, *wins, *worth, *when], axis=1).astype(np.float64)


def _repeats(hands: Any) -> npt.NDArray[np.bool_]:
    """After which hands of a game the next one has the same number, ``bool[hands]``."""
    game, number = hands["game"].to_numpy(), hands["number"].to_numpy()
    again = (game[1:] == game[:-1]) & (number[1:] == number[:-1])
    return np.append(again, False)


def _has_own(hands: Any, seats: Sequence[int], name: str) -> npt.NDArray[np.bool_]:
    """Which winners made an own yaku, ``bool[hands, seats]``; nobody under rules that do not have it."""
    if f"own_yaku_{seats[0]}" not in hands.columns:
        return np.zeros((len(hands), len(seats)), np.bool_)
    text = polars_library().List(polars_library().String)
    flags = [hands[f"own_yaku_{seat}"].cast(text).list.contains(name).to_numpy() for seat in seats]
    return np.stack(flags, axis=1)


def _made(
    hands: Any, of: Callable[[str], npt.NDArray[Any]], won: npt.NDArray[np.bool_]
) -> list[npt.NDArray[np.bool_]]:
    """Which winners made each yaku or had each sort of dora, ``bool[hands, seats]`` each.

    Files of before have no columns for norths set aside, which are among the dora there, and for kans.
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
