"""Records the decisions of a network that chooses at random, from which training learns.

The critic, which only training uses, sees everything: the hands of all seats and the order of the wall. It
predicts what a hand brings its seat, so that much of the luck can be subtracted from the result.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.net import HEADS, OPTION, SITUATION
from jantaku.bots.policies import ADAPTED, decide
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.hands import RED, after, away, is_closed, seats_of
from jantaku.kernels.engine.state import CLAIMS, YOUR_TURN
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.engine.wall import dora_indicator, live_left
from jantaku.kernels.shanten import shanten
from jantaku.kernels.waits import effective_mask
from jantaku.tiles import KINDS

HIDDEN: Final = 12  # numbers of each seat that only the critic sees
STATE: Final = SITUATION + 4 * HIDDEN + 2

STEP_HAND, STEP_SEAT = range(2)
D_STEP, D_HEAD, D_FIRST, D_COUNT, D_CHOSEN = range(5)
STEPS, DECISIONS, ROWS = range(3)
LEAST: Final = 0.02  # probability of another choice from which a decision is recorded
LIKELY: Final = 0.002  # probability from which an option is


class Recording(NamedTuple):
    """Space for the decisions of a chunk of games; nothing is recorded if it has no ``steps``.

    ``steps``: ``int32[s, 2]``, a seat's turn with a choice: its row of ``hands`` and its seat; ``states``:
    ``float32[s, STATE]``, what the critic sees before it, or empty. ``decisions``: ``int32[d, 5]``, the
    decisions of these steps: the step, the head, the first of its options, their number, and the index of
    the chosen one (the number itself for none of them). ``options``: ``float32[r, OPTION]``, with their
    ``chances``, ``float32[r]``. ``used``: the rows used of steps, decisions and options.
    """

    steps: npt.NDArray[np.int32]
    states: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]
    options: npt.NDArray[np.float32]
    chances: npt.NDArray[np.float32]
    used: npt.NDArray[np.int64]


def new_recording(steps: int, options: int, *, critic: bool) -> Recording:
    """Allocate space for ``steps`` and ``options``; ``critic``: with what the critic sees."""
    return Recording(
        np.zeros((steps, 2), np.int32),
        np.zeros((steps if critic else 0, STATE), np.float32),
        np.zeros((steps, 5), np.int32),
        np.zeros((options, OPTION), np.float32),
        np.zeros(options, np.float32),
        np.zeros(3, np.int64),
    )


@kernel
def records(record):
    """Return whether decisions are recorded."""
    return len(record.steps) > 0


def is_full(record: Recording) -> bool:
    """Return whether the space may have been too small for all decisions."""
    steps, rows = int(record.used[STEPS]), int(record.used[ROWS])
    return records(record) and (steps == len(record.steps) or rows + KINDS > len(record.options))


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


@kernel
def _doubt(head, work):
    """Return the probability of another option than the likeliest, 0 if the head decided nothing."""
    options, refused, most = int(work.inputs.options[head]), 1.0, 0.0
    if options == 0:
        return 0.0
    for option in range(KINDS):
        if options >> option & 1:
            chance = float(work.inputs.chances[head, option])
            refused -= chance
            most = max(most, chance)
    return 1.0 - max(most, refused)


@routine
def _record(record, row, seat, work):
    """Record the decisions in doubt that the workspace holds, with their options."""
    used, step = record.used, int(record.used[STEPS])
    record.steps[step, STEP_HAND], record.steps[step, STEP_SEAT] = row, seat
    used[STEPS] += 1
    for head in range(HEADS):
        options, chosen = int(work.inputs.options[head]), int(work.inputs.chosen[head])
        if _doubt(head, work) < LEAST:
            continue
        made, first, count, index = int(used[DECISIONS]), int(used[ROWS]), 0, -1
        if made == len(record.decisions) or first + KINDS > len(record.options):
            continue
        for option in range(KINDS):
            chance = work.inputs.chances[head, option]
            if options >> option & 1 == 0 or (chance < LIKELY and option != chosen):
                continue
            if option == chosen:
                index = count
            for i in range(OPTION):
                record.options[first + count, i] = work.inputs.option[head, option, i]
            record.chances[first + count] = chance
            count += 1
        decision = record.decisions[made]
        decision[D_STEP], decision[D_HEAD], decision[D_FIRST] = step, head, first
        decision[D_COUNT], decision[D_CHOSEN] = count, index if index >= 0 else count
        used[DECISIONS] += 1
        used[ROWS] += count


@kernel
def _decided(code, work):
    """Return whether the network, in doubt, chose the action, and not a kan or a win in its place."""
    how = code >> 8
    if how in (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI, actions.CHI, actions.PON, actions.PASS):
        for head in range(HEADS):
            if _doubt(head, work) >= LEAST:
                return True
    return False


@routine
def play_recorded(  # noqa: PLR0917
    game, policies, work, row, record, rules, context
):
    """Play to the end of the hand with index ``row`` and record it; return the number of decisions.

    Once ``record`` is full, nothing more is recorded.
    """
    decisions = 0
    while game.phase <= CLAIMS:
        seat = next_seat(game)
        policy, step = int(policies[seat]), int(record.used[STEPS])
        code = decide(game, seat, policy, rules, context, work)
        if policy == ADAPTED and step < len(record.steps) and _decided(code, work):
            if len(record.states) > 0:
                _write_state(game, seat, rules, context, work, record.states[step])
            _record(record, row, seat, work)
        carry_out(game, seat, code, rules, context)
        decisions += 1
    return decisions
