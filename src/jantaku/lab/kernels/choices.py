"""Plays out every choice of a seat to the end of the game, from the same deals of the unseen tiles."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import shuffle
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_hand
from jantaku.kernels.engine.state import EXHAUSTED, GAME, GAME_OVER, NO_SEAT, WON
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.kernels.draws import arrange_draw, begin_draws
from jantaku.lab.kernels.games import play_on
from jantaku.lab.kernels.unseen import HiddenTiles, deal_unseen

# The recorded results of a choice: those of the hand, then those of the game
COLUMNS: Final = ("win", "tsumo", "deal_in", "draw", "points", "won", "lost", "place", "final")
WIN, BY_TSUMO, DEAL_IN, DRAW, POINTS, WON_POINTS, LOST_POINTS, PLACE, FINAL = range(len(COLUMNS))
STANDING_SIZE: Final = 16  # numbers that describe the state of a game between two hands


class Trial(NamedTuple):
    """A position and the choices of its seat.

    ``base`` (``GAME[1]``) is the position, ``codes`` (``int16[c]``) are the choices as the engine's integers,
    and ``seat`` (``int64[1]``) is the seat that chooses. ``games`` (``GAME[c]``), ``standings``
    (``int64[c, STANDING]``) and ``source`` (``int64[2]``) are working memory.
    """

    base: npt.NDArray[Any]
    games: npt.NDArray[Any]
    codes: npt.NDArray[np.int16]
    seat: npt.NDArray[np.int64]
    rules: npt.NDArray[Any]
    tiles: npt.NDArray[np.uint8]
    standings: npt.NDArray[np.int64]
    source: npt.NDArray[np.int64]
    unseen: HiddenTiles


class Chances(NamedTuple):
    """The random sources of each deal (``int64[n, 2]``): for unseen tiles, later walls, and the bots."""

    deals: npt.NDArray[np.int64]
    walls: npt.NDArray[np.int64]
    choices: npt.NDArray[np.int64]


def new_trial(
    base: npt.NDArray[Any], codes: list[int], seat: int, rules: npt.NDArray[Any], hidden: Any
) -> Trial:
    """Allocate a ``Trial``; ``hidden`` is the ``HiddenTiles`` of the position and the ruleset's tiles."""
    unseen, tiles = hidden
    return Trial(
        base,
        np.zeros(len(codes), GAME),
        np.array(codes, np.int16),
        np.array([seat], np.int64),
        rules,
        tiles,
        np.zeros((len(codes), STANDING_SIZE), np.int64),
        np.zeros(2, np.int64),
        unseen,
    )


@kernel
def _seed(source, chance):
    for k in range(len(source)):
        source[k] = chance[k]


@routine
def _record_hand(game, seat, before, out):
    """Record the result of the hand for the seat; ``before`` is its score at the choice."""
    outcome = game.outcome
    ended, gained = int(outcome.ended), int(game.match.scores[seat]) - before
    won = ended == WON and int(outcome.winners) >> seat & 1 != 0
    dealt_in = ended == WON and not won and int(outcome.discarder) == seat
    out[WIN], out[DEAL_IN], out[DRAW] = int(won), int(dealt_in), int(ended == EXHAUSTED)
    out[BY_TSUMO] = int(won and int(outcome.discarder) == NO_SEAT)
    out[POINTS] = gained
    out[WON_POINTS], out[LOST_POINTS] = gained * int(won), -gained * int(dealt_in)


@kernel
def _write_standing(game, out):
    """Write everything except the walls on which the rest of the game depends."""
    match = game.match
    out[0], out[1], out[2] = match.number, match.honba, match.deposits
    out[3] = int(match.streak) * 2 + int(game.phase == GAME_OVER)
    for seat in range(MAX_SEATS):
        out[4 + seat], out[8 + seat] = match.scores[seat], match.deposits_of[seat]
        out[12 + seat] = match.penalties[seat]


@kernel
def _first_same_standing(standings, index):
    """Return the first choice with the same standing as choice ``index``, possibly ``index`` itself."""
    for other in range(index):
        same = True
        for k in range(STANDING_SIZE):
            same = same and standings[other, k] == standings[index, k]
        if same:
            return other
    return index


@routine
def _play_rest(game, trial, chances, i, bots, context):
    """Play the remaining hands of the game, with the walls of deal ``i``."""
    _seed(trial.source, chances.walls[i])
    _seed(bots.work.source, chances.choices[i])
    while game.phase != GAME_OVER:
        shuffle(trial.tiles, trial.source, game.wall)
        start_hand(game, context)
        begin_draws(game, bots.draws)
        play_on(game, bots.policies[0], bots, trial.rules[0], context)


@routine
def _play_choice(game, trial, c, bots, context):
    """Carry out choice ``c`` and play the hand to its end."""
    begin_draws(game, bots.draws)
    arrange_draw(game, bots.draws)
    carry_out(game, int(trial.seat[0]), int(trial.codes[c]), trial.rules[0], context)
    play_on(game, bots.policies[0], bots, trial.rules[0], context)


@routine
def play_choices(trial, chances, bots, out, context):
    """Play out every choice from every deal and record it in ``out`` (``int64[n, c, len(COLUMNS)]``).

    Choices that lead to the same standing share the rest of the game, which is played once. Returns
    ``NO_SEAT``, or the seat in riichi for which no tenpai hand was found.
    """
    seat, count = int(trial.seat[0]), len(trial.codes)
    before = int(trial.base[0].match.scores[seat])
    for i in range(len(chances.deals)):
        _seed(trial.unseen.source, chances.deals[i])
        first = trial.games[0]
        trial.games[0] = trial.base[0]
        failed = deal_unseen(first, seat, trial.unseen, bots.work.views[0], context)
        if failed != NO_SEAT:
            return failed
        for c in range(1, count):
            trial.games[c] = trial.games[0]
        for c in range(count):
            _seed(bots.work.source, chances.choices[i])
            _play_choice(trial.games[c], trial, c, bots, context)
            _record_hand(trial.games[c], seat, before, out[i, c])
            _write_standing(trial.games[c], trial.standings[c])
        for c in range(count):
            same = _first_same_standing(trial.standings, c)
            if same == c:
                _play_rest(trial.games[c], trial, chances, i, bots, context)
            out[i, c, PLACE] = trial.games[same].match.place[seat]
            out[i, c, FINAL] = trial.games[same].match.final[seat]
    return NO_SEAT
