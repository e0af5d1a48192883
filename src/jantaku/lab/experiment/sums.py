"""What a game adds to each quantity that an experiment counts: one row a game, one column a quantity."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.masks import yaku_in
from jantaku.kernels.bits import YAKU_BITS
from jantaku.lab.parquet import polars_library
from jantaku.rules import Ruleset

DORA: Final = ("dora", "red_dora", "ura_dora")
YAKU: Final = tuple(yaku_in(1 << bit)[0] for bit in range(YAKU_BITS)) + DORA
OF_GAMES: Final = (
    "games",
    "busts",  # games that end with a player below zero
    "first_final",  # the final points of the winner, uma and oka included, and of the last
    "last_final",
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
)


def made_of(rulesets: Iterable[Ruleset]) -> tuple[str, ...]:
    """What wins under these rulesets can have: the built-in yaku, the sorts of dora, and their local yaku."""
    return tuple(dict.fromkeys([*YAKU, *(yaku.id for rules in rulesets for yaku in rules.local)]))


def columns(seats: Sequence[int], made: Sequence[str] = YAKU) -> tuple[str, ...]:
    """The names of the quantities, in the order of the columns; ``made`` is ``made_of`` the rulesets."""
    return (
        *PLAIN,
        *(f"score_{seat}" for seat in seats),
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
    of_hands = _hand_values(hands, seats, made[len(YAKU) :])
    summed = np.add.reduceat(of_hands, begins, axis=0)
    scores, finals = (
        np.stack([games[f"{name}_{seat}"].to_numpy() for seat in seats], axis=1).astype(np.float64)
        for name in ("score", "final")
    )
    of_games = (np.ones(len(scores)), scores.min(axis=1) < 0, finals.max(axis=1), finals.min(axis=1))
    plain = len(PLAIN) - len(OF_GAMES)
    return np.hstack([np.stack(of_games, axis=1), summed[:, :plain], scores, summed[:, plain:]])


def _hand_values(hands: Any, seats: Sequence[int], local: Sequence[str]) -> npt.NDArray[np.float64]:
    """The same of each hand, without the number of games and the scores; ``local`` are local yaku."""

    def by_seat(name: str) -> npt.NDArray[Any]:
        return np.stack([hands[f"{name}_{seat}"].to_numpy() for seat in seats], axis=1)

    won = by_seat("won").astype(bool)
    points = np.where(won, by_seat("points"), 0)
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
        (by_seat("riichi") > 0).sum(axis=1),
        (by_seat("calls") > 0).sum(axis=1),
        points.sum(axis=1),
        turns,
        won[np.arange(len(won)), hands["dealer"].to_numpy()],
        won.sum(axis=1) * turns,
        _repeats(hands),
    ]
    made = [*_made(by_seat, won), *(won & _has_local(hands, seats, name) for name in local)]
    wins = [mask.sum(axis=1) for mask in made]
    worth = [(points * mask).sum(axis=1) for mask in made]
    when = [mask.sum(axis=1) * turns for mask in made]
    return np.stack([*plain, *wins, *worth, *when], axis=1).astype(np.float64)


def _repeats(hands: Any) -> npt.NDArray[np.bool_]:
    """After which hands of a game the next one has the same number, ``bool[hands]``."""
    game, number = hands["game"].to_numpy(), hands["number"].to_numpy()
    again = (game[1:] == game[:-1]) & (number[1:] == number[:-1])
    return np.append(again, False)


def _has_local(hands: Any, seats: Sequence[int], name: str) -> npt.NDArray[np.bool_]:
    """Which winners made a local yaku, ``bool[hands, seats]``; nobody under rules that do not have it."""
    if f"local_{seats[0]}" not in hands.columns:
        return np.zeros((len(hands), len(seats)), np.bool_)
    text = polars_library().List(polars_library().String)
    found = [hands[f"local_{seat}"].cast(text).list.contains(name).to_numpy() for seat in seats]
    return np.stack(found, axis=1)


def _made(by_seat: Any, won: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.bool_]]:
    """Which winners made each yaku or had each sort of dora, ``bool[hands, seats]`` each."""
    bits = by_seat("yaku")
    red, ura = by_seat("red_dora").astype(np.int64), by_seat("ura_dora").astype(np.int64)
    dora = by_seat("dora").astype(np.int64) - red - ura
    yaku = [won & (bits >> bit & 1 == 1) for bit in range(YAKU_BITS)]
    return [*yaku, *(won & (count > 0) for count in (dora, red, ura))]
