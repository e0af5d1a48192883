"""Plays games in which the network's decisions are sampled, and records them for training.

The critic, which only training uses, sees everything: the hands of all seats and the order of the wall. It
predicts what a hand brings its seat, so that much of the luck can be subtracted from the result.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.net import HEADS, OPTION, SITUATION
from jantaku.bots.policies import ADAPTED, decide
from jantaku.bots.workspace import BotWorkspace
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.hands import RED, after, away, is_closed, seats_of
from jantaku.kernels.engine.state import CLAIMS, GAME_OVER, YOUR_TURN
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.engine.wall import dora_indicator, live_left
from jantaku.kernels.shanten import shanten
from jantaku.kernels.waits import effective_mask
from jantaku.lab.kernels.games import NO_ROOM
from jantaku.lab.kernels.hand_rows import record_end, record_game, record_start
from jantaku.lab.kernels.turns import deal

HIDDEN: Final = 12  # numbers of each seat that only the critic sees
STATE: Final = SITUATION + 4 * HIDDEN + 2

STEP_HAND, STEP_SEAT = range(2)
D_STEP, D_HEAD, D_FIRST, D_COUNT, D_CHOSEN = range(5)
STEPS, DECISIONS, ROWS = range(3)


class Recording(NamedTuple):
    """Decisions of the network in a chunk of games.

    ``states``: ``float32[s, STATE]``, the critic's view before each step, a seat's turn with a choice;
    ``steps``: ``int32[s, 2]``, its row of ``hands`` and its seat. ``decisions``: ``int32[d, 5]``, the
    decisions of steps that are recorded in full: the step, the head, the first of its ``options``
    (``float32[r, OPTION]``), their number, and the index of the chosen one (the number itself for none of
    them). ``used``: the rows used of the three. ``least``: the doubt from which a decision is
    recorded.
    """

    states: npt.NDArray[np.float32]
    steps: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    options: npt.NDArray[np.float32]
    used: npt.NDArray[np.int64]
    least: float


class Training(NamedTuple):
    """Who plays: the policy of each seat (``int64[n, 4]``), the random source of each game, the workspace."""

    policies: npt.NDArray[np.int64]
    chances: npt.NDArray[np.int64]
    work: BotWorkspace
    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]


@kernel
def _dora_held(game, seat, rules):
    """Return how many dora are in the seat's hand and melds, excluding ura dora."""
    total = 0
    for kind in range(34):
        held = int(game.hand[seat, kind])
        if held == 0:
            continue
        total += int(game.red[seat, kind])
        for i in range(int(game.indicators)):
            total += held * int(int(rules.next_kind[dora_indicator(game, i) % RED]) == kind)
    return total


@routine
def _write_hidden(  # noqa: PLR0917
    game, own, seat, base, rules, context, work, out
):
    """Write what the critic knows of ``seat``; ``base`` is the seat after which the next one draws."""
    hand, melds = game.hand[seat], int(game.melds[seat])
    distance = shanten(hand, melds, context.tables)
    tiles = 0
    for kind in range(34):
        tiles += int(hand[kind])
    improving = 0
    if tiles % 3 == 2:
        for kind in range(34):
            if work.choices[kind, 0] == distance:
                improving |= work.choices[kind, 1]
    else:
        improving = effective_mask(hand, hand, melds, context.tables, context.scratch)
    for stage in range(4):
        out[stage] = int(min(max(distance, 0), 3) == stage)
    left, end = 0, int(game.drawn_live) + live_left(game)
    for index in range(int(game.drawn_live), end):
        left += improving >> int(game.wall[index]) % RED & 1
    first, soon, turn = 0.0, 0, 0
    index = int(game.drawn_live) + (away(game, base, seat) - 1) % seats_of(game)
    while index < end:
        useful = improving >> int(game.wall[index]) % RED & 1
        if useful and first == 0.0:
            first = 1.0 / (1.0 + turn)
        soon += useful if turn < 4 else 0
        turn += 1
        index += seats_of(game)
    out[4] = min(left, 20) / 10.0
    out[5] = first
    out[6] = soon / 4.0
    out[7] = min(_dora_held(game, seat, rules), 8) / 4.0
    out[8] = int(is_closed(game, seat))
    danger = 0
    waits = int(game.waits[seat]) if seat != own else 0
    for kind in range(34):
        danger += int(game.hand[own, kind]) if waits >> kind & 1 else 0
    out[9] = danger / 4.0
    out[10] = int(game.riichi[seat] != 0)
    out[11] = first * int(distance == 0)


@routine
def _write_state(game, seat, rules, context, work, out):
    for i in range(SITUATION):
        out[i] = work.inputs.situation[i]
    base = int(game.turn) if game.phase == YOUR_TURN else int(game.claimed_from)
    for turn in range(seats_of(game)):
        at = SITUATION + turn * HIDDEN
        _write_hidden(game, seat, after(game, seat, turn), base, rules, context, work, out[at : at + HIDDEN])
    out[SITUATION + 4 * HIDDEN] = int(game.phase == YOUR_TURN)
    waited = 0
    if game.phase == CLAIMS:
        for other in range(seats_of(game)):
            waited |= int(game.waits[other]) if other != seat else 0
        out[SITUATION + 4 * HIDDEN + 1] = waited >> int(game.claimed_tile) % RED & 1


@routine
def _record(record, row, seat, work):
    """Record the decisions that the workspace holds, with all options of those in doubt."""
    used, step = record.used, int(record.used[STEPS])
    record.steps[step, STEP_HAND], record.steps[step, STEP_SEAT] = row, seat
    used[STEPS] += 1
    for head in range(HEADS):
        options = int(work.inputs.options[head])
        doubt = work.inputs.doubt[head]
        if options == 0 or doubt < record.least:
            continue
        made, first, count, chosen = int(used[DECISIONS]), int(used[ROWS]), 0, -1
        if made == len(record.decisions) or first + 34 > len(record.options):
            continue
        for option in range(34):
            if (options & int(work.inputs.likely[head])) >> option & 1 == 0:
                continue
            if option == int(work.inputs.chosen[head]):
                chosen = count
            for i in range(OPTION):
                record.options[first + count, i] = work.inputs.option[head, option, i]
            count += 1
        decision = record.decisions[made]
        decision[D_STEP], decision[D_HEAD], decision[D_FIRST] = step, head, first
        decision[D_COUNT], decision[D_CHOSEN] = count, chosen if chosen >= 0 else count
        used[DECISIONS] += 1
        used[ROWS] += count


@kernel
def _decided(code, least, work):
    """Return whether the network, in doubt, chose the action, and not a kan or a win in its place."""
    how = code >> 8
    if how in (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI, actions.CHI, actions.PON, actions.PASS):
        for head in range(HEADS):
            if int(work.inputs.options[head]) and work.inputs.doubt[head] >= least:
                return True
    return False


@routine
def play_recorded(batch, players, record, context):
    """Play every game of the batch to its end; return the number of hands, ``NO_ROOM`` if they do not fit."""
    rules, work, total = batch.rules[0], players.work, 0
    for i in range(len(batch.games)):
        game, hands, decisions = batch.games[i], 0, 0
        for k in range(len(work.source)):
            work.source[k] = players.chances[i, k]
        players.games[i].hands = total
        start_match(game, rules)
        while game.phase != GAME_OVER:
            if total + hands == len(players.hands):
                return NO_ROOM
            row = players.hands[total + hands]
            deal(batch, i, context)
            record_start(game, row, i, hands)
            while game.phase <= CLAIMS:
                seat = next_seat(game)
                policy = int(players.policies[i, seat])
                code = decide(game, seat, policy, rules, context, work)
                if (
                    policy == ADAPTED
                    and _decided(code, record.least, work)
                    and int(record.used[STEPS]) < len(record.steps)
                ):
                    _write_state(game, seat, rules, context, work, record.states[int(record.used[STEPS])])
                    _record(record, total + hands, seat, work)
                carry_out(game, seat, code, rules, context)
                decisions += 1
            record_end(game, row)
            hands += 1
        record_game(game, players.games[i], hands, decisions)
        total += hands
    return total
