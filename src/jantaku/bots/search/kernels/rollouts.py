"""Plays out the choices of a seat from the same deals of the unseen tiles, to the end of the hand or game."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import shuffle
from jantaku.bots.place_chances import expected_result
from jantaku.bots.search.kernels.own_draws import arrange_draw, begin_draws, play_on
from jantaku.bots.search.kernels.past import recall
from jantaku.bots.search.kernels.unseen import HiddenTiles, deal_unseen
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_hand
from jantaku.kernels.engine.state import EXHAUSTED, GAME, GAME_OVER, NO_SEAT, WON
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.win import MAX_SEATS, OWN_YAKU, YAKU

# The recorded results of a choice: those of the hand, then those of the game with the chance of each place
COLUMNS: Final = (
    *("win", "tsumo", "deal_in", "draw", "tenpai", "points", "won", "lost", "place", "final"),
    *("first", "second", "third", "fourth"),
)
(
    WIN, BY_TSUMO, DEAL_IN, DRAW, TENPAI, POINTS, WON_POINTS, LOST_POINTS, PLACE, FINAL, FIRST, _, _, _,
) = range(len(COLUMNS))  # fmt: skip
YAKU_MASKS: Final = 2  # those of the rules' yaku and of own yaku
STANDING_SIZE: Final = 16  # numbers that describe the state of a game between two hands


class Trial(NamedTuple):
    """A position and the choices of its seat.

    ``base`` (``GAME[1]``) is the position, ``codes`` (``int16[c]``) are the choices as the engine's integers,
    and ``seat`` (``int64[1]``) is the seat that chooses. ``whole`` (``int64[1]``): 1 to play games to their
    end, 0 to stop at the end of the hand and estimate the result from there (``bots.place_chances``).
    ``games`` (``GAME[c]``), ``standings`` (``int64[c, STANDING]``), ``source`` (``int64[2]``) and ``places``
    (``float64[4]``) are working memory.
    """

    base: npt.NDArray[Any]
    games: npt.NDArray[Any]
    codes: npt.NDArray[np.int16]
    seat: npt.NDArray[np.int64]
    whole: npt.NDArray[np.int64]
    rules: npt.NDArray[Any]
    standings: npt.NDArray[np.int64]
    source: npt.NDArray[np.int64]
    places: npt.NDArray[np.float64]
    unseen: HiddenTiles


class Chances(NamedTuple):
    """The random sources of each deal (``int64[n, 2]``): for unseen tiles, later walls, and the bots."""

    deals: npt.NDArray[np.int64]
    walls: npt.NDArray[np.int64]
    choices: npt.NDArray[np.int64]


def new_trial(
    base: npt.NDArray[Any],
    codes: Sequence[int],
    seat: int,
    rules: npt.NDArray[Any],
    unseen: HiddenTiles,
    whole: bool,
) -> Trial:
    """Allocate a ``Trial``."""
    return Trial(
        base,
        np.zeros(len(codes), GAME),
        np.array(codes, np.int16),
        np.array([seat], np.int64),
        np.array([int(whole)], np.int64),
        rules,
        np.zeros((len(codes), STANDING_SIZE), np.int64),
        np.zeros(2, np.int64),
        np.zeros(MAX_SEATS, np.float64),
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
    out[TENPAI] = int(ended == EXHAUSTED and int(outcome.tenpai) >> seat & 1 != 0)
    out[POINTS] = gained
    out[WON_POINTS], out[LOST_POINTS] = gained * int(won), -gained * int(dealt_in)


@routine
def _record_yaku(game, seat, yaku):
    """Record the masks of the yaku with which the seat won, 0 if it did not."""
    yaku[0] = yaku[1] = 0
    for i in range(len(game.won_by)):
        if int(game.won_by[i]) == seat:
            yaku[0], yaku[1] = int(game.results[i, YAKU]), int(game.results[i, OWN_YAKU])


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
def _play_rest(game, trial, chances, i, players, context):
    """Play the remaining hands of the game, with the walls of deal ``i``."""
    _seed(trial.source, chances.walls[i])
    _seed(players.work.source, chances.choices[i])
    while game.phase != GAME_OVER:
        shuffle(trial.unseen.tiles, trial.source, game.wall)
        start_hand(game, context)
        begin_draws(game, players.draws)
        play_on(game, players.policies[0], players, trial.rules[0], context)


@kernel
def _record_result(place, final, places, out):
    out[PLACE], out[FINAL] = place, final
    for i in range(MAX_SEATS):
        out[FIRST + i] = places[i]


@routine
def _finish_games(trial, chances, i, players, out, context):
    """Play all games of deal ``i`` to their end and record the final places and points.

    Choices that lead to the same standing share the rest of the game, which is played once.
    """
    seat = int(trial.seat[0])
    for c in range(len(trial.codes)):
        _write_standing(trial.games[c], trial.standings[c])
    for c in range(len(trial.codes)):
        same = _first_same_standing(trial.standings, c)
        if same == c:
            _play_rest(trial.games[c], trial, chances, i, players, context)
        place, final = expected_result(trial.games[same].match, seat, trial.rules[0], trial.places)
        _record_result(place, final, trial.places, out[c])


@routine
def _play_choice(game, trial, c, players, context):
    """Carry out choice ``c`` and play the hand to its end."""
    begin_draws(game, players.draws)
    arrange_draw(game, players.draws)
    carry_out(game, int(trial.seat[0]), int(trial.codes[c]), trial.rules[0], context)
    play_on(game, players.policies[0], players, trial.rules[0], context)


@routine
def play_choices(trial, chances, players, out, yaku, effective, context):
    """Play out every choice from every deal.

    Records the results in ``out`` (``float64[n, c, len(COLUMNS)]``), the yaku of the seat's wins in ``yaku``
    (``int64[n, c, YAKU_MASKS]``), and in ``effective`` (``float64[n]``) how many equally likely hands each
    opponent's hand was chosen from. Returns ``NO_SEAT``, the seat in
    riichi for which no tenpai hand was found, or the choosing seat if the record lacks tiles.
    """
    seat, rules = int(trial.seat[0]), trial.rules[0]
    before = int(trial.base[0].match.scores[seat])
    if int(trial.unseen.hands[0]) > 1:
        recall(trial.base[0], seat, trial.unseen.past, players.policies[0])
    for i in range(len(chances.deals)):
        _seed(trial.unseen.source, chances.deals[i])
        trial.games[0] = trial.base[0]
        failed = deal_unseen(trial.games[0], seat, trial.unseen, players, rules, context)
        if failed != NO_SEAT:
            return failed
        effective[i] = trial.unseen.effective[0]
        for c in range(1, len(trial.codes)):
            trial.games[c] = trial.games[0]
        for c in range(len(trial.codes)):
            _seed(players.work.source, chances.choices[i])
            _play_choice(trial.games[c], trial, c, players, context)
            _record_hand(trial.games[c], seat, before, out[i, c])
            _record_yaku(trial.games[c], seat, yaku[i, c])
            if trial.whole[0] == 0:
                place, final = expected_result(trial.games[c].match, seat, rules, trial.places)
                _record_result(place, final, trial.places, out[i, c])
        if trial.whole[0]:
            _finish_games(trial, chances, i, players, out[i], context)
    return NO_SEAT
