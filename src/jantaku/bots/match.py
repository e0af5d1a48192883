"""Games between bots that run entirely in compiled code."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source, shuffle
from jantaku.bots.net_file import TrainedBot
from jantaku.bots.policies import decide
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.dealing import start_hand, start_match
from jantaku.kernels.engine.hands import is_closed, seats_of
from jantaku.kernels.engine.state import CLAIMS, EXHAUSTED, GAME_OVER, NO_SEAT, WON
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules import Ruleset

# Columns of the tally, one row per seat
(
    HANDS,
    WINS,
    TSUMO,
    DEAL_INS,
    CALLED,
    RIICHI,
    DRAWS,
    TENPAI,
    WON_POINTS,
    LOST_POINTS,
    GAMES,
    FIRST,
    SECOND,
    THIRD,
    FOURTH,
    POINTS,
    FINAL,
) = range(17)
TALLY: Final = 17
SEAT_SHIFT: Final = 12  # a recorded move is ``seat << SEAT_SHIFT | action``


class Match(NamedTuple):
    """Everything a bot game needs in addition to the engine's record, rules and context.

    ``policies`` (``int64[4]``) has the policy of each seat, ``tiles`` the tiles of the ruleset. ``walls`` is
    the random source of the walls, separate from that of the bots, so that other bots can get the same walls.
    ``moves`` (``int32``) receives a record of the game, up to its size. ``tally`` (``int64[4, TALLY]``)
    counts the events of each seat so far.
    """

    policies: npt.NDArray[np.int64]
    tiles: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32]
    tally: npt.NDArray[np.int64]
    work: BotWorkspace


def by_seat(policies: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the policy of each seat as ``int64[4]`` for compiled code; 0 for unused seats."""
    seats = np.zeros(MAX_SEATS, np.int64)
    seats[: len(policies)] = policies
    return seats


def new_match(
    rules: Ruleset,
    policies: tuple[int, ...],
    seed: Any = None,
    moves: int = 0,
    adapted: TrainedBot | None = None,
) -> Match:
    """Create a ``Match`` of ``policies`` (``bots.policies``) that records up to ``moves`` moves.

    ``adapted`` is the bot of the policy ``ADAPTED``.
    """
    words = np.random.SeedSequence(seed).generate_state(2)
    return Match(
        by_seat(policies),
        np.array(tile_set(rules), np.uint8),
        new_source(int(words[0])),
        np.zeros(moves, np.int32),
        np.zeros((MAX_SEATS, TALLY), np.int64),
        new_bot_workspace(new_source(int(words[1])), rules, adapted),
    )


@routine
def count_hand(game, tally):
    """Add the finished hand to the tally."""
    outcome = game.outcome
    ended, winners = int(outcome.ended), int(outcome.winners)
    for seat in range(seats_of(game)):
        row = tally[seat]
        row[HANDS] += 1
        row[CALLED] += int(not is_closed(game, seat))
        row[RIICHI] += int(game.riichi[seat] != 0)
        row[DRAWS] += int(ended == EXHAUSTED)
        row[TENPAI] += int(ended == EXHAUSTED and int(outcome.tenpai) >> seat & 1)
        if ended != WON:
            continue
        if winners >> seat & 1:
            row[WINS] += 1
            row[TSUMO] += int(int(outcome.discarder) == NO_SEAT)
            row[WON_POINTS] += int(outcome.delta[seat])
        elif int(outcome.discarder) == seat:
            row[DEAL_INS] += 1
            row[LOST_POINTS] += int(outcome.delta[seat])


@routine
def count_game(game, tally):
    """Add the result of a finished game to the tally."""
    for seat in range(seats_of(game)):
        tally[seat, GAMES] += 1
        tally[seat, FIRST + int(game.match.place[seat]) - 1] += 1
        tally[seat, POINTS] += int(game.match.scores[seat])
        tally[seat, FINAL] += int(game.match.final[seat])


@routine
def play_decision(game, policies, work, rules, context):
    """Let the seat to act choose by its policy and execute the action; return the move."""
    seat = next_seat(game)
    code = decide(game, seat, policies[seat], rules, context, work)
    carry_out(game, seat, code, rules, context)
    return seat << SEAT_SHIFT | code


@routine
def play_hand(game, policies, work, moves, rules, context):
    """Play the dealt hand by the policy of each seat (``int64[4]``); return the number of moves.

    The moves are written to ``moves`` (``int32``), up to its size.
    """
    made = 0
    while True:
        move = play_decision(game, policies, work, rules, context)
        if made < len(moves):
            moves[made] = move
        made += 1
        if game.phase > CLAIMS:
            return made


@kernel
def _deal(game, match, context):
    shuffle(match.tiles, match.walls, game.wall)
    start_hand(game, context)


@routine
def play_match(game, match, rules, context):
    """Play ``game`` (a ``GAME``) from the first deal to the end; return the number of moves."""
    moves = 0
    start_match(game, rules)
    while True:
        _deal(game, match, context)
        moves += play_hand(game, match.policies, match.work, match.moves[moves:], rules, context)
        count_hand(game, match.tally)
        if game.phase == GAME_OVER:
            break
    count_game(game, match.tally)
    return moves
