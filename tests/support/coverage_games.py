"""Counts what random games under random rules reach.

Every hand is dealt at random, from the deal of a scenario, or near a chosen yaku. Seats win, call and declare
where they can more often than chance alone would have it, and commit fouls where the rules penalise them.
"""

import contextlib
import itertools
from collections import Counter
from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt

from jantaku.kernels import win as layout
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.bits import YAKU_BITS
from jantaku.kernels.engine import actions
from jantaku.kernels.engine import state as at
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.fouls import foul_actions
from jantaku.kernels.rules import FOULS, rules_record
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.catalogue import YakuEntry
from jantaku.rules.check import LIABLE, choices_of, hints
from jantaku.rules.options import SECTIONS
from support.option_scenarios import NOT_PLAYED, SCENARIOS
from support.options.deals import Scenario
from support.table import ENDED, Table, context, ruleset
from support.yaku_scenarios import EVERY_YAKU, dealt, played_up_to, script_of, winds_for

Record = npt.NDArray[Any]
HANDS: Final = 24  # hands under one ruleset
BRANCHES: Final = (
    "one winner", "two winners", "three winners", "tsumo", "all deposits taken", "deposits of the hand taken",
    "deposits left", "dealer stays", "deal passes", "nagashi mangan", "dealer is asked", "game over",
    "busted", "extra round", "shared place", "liability noted", "fifth kan",
)  # fmt: skip
(
    ONE, TWO, THREE, TSUMO, TOOK_ALL, TOOK_LAID, TOOK_NONE, STAYS, PASSES, NAGASHI, ASKED, OVER, BUSTED,
    EXTENDED, SHARED, NOTED, FIFTH,
) = range(len(BRANCHES))  # fmt: skip
NO_TALLY: Final = len(ENDED) + YAKU_BITS + len(FOULS) + len(BRANCHES)
AT_YAKU: Final = len(ENDED)
AT_FOUL: Final = AT_YAKU + YAKU_BITS
AT_BRANCH: Final = AT_FOUL + len(FOULS)
FINE, LOST_POINTS, LOST_TILES, DEAD_END, UNEVEN = range(5)
PROBLEMS: Final = ("fine", "points lost", "tiles lost", "a dead end", "payments that are no hundreds")

jit: Any = numba.njit if COMPILED else lambda function: function


@jit
def prefer(out, legal):  # type: ignore[no-untyped-def]
    """One of the actions: a win nearly always, calls and declarations often, mostly the drawn tile."""
    chance = np.random.random()
    for i in range(legal):
        kind = int(out[i]) >> 8
        if (kind in (actions.TSUMO, actions.RON)) and chance < 0.9:
            return int(out[i])
    pick = int(out[np.random.randint(0, legal)])
    for i in range(legal):
        code = int(out[i])
        kind = code >> 8
        eager = kind in (actions.ANKAN, actions.KAKAN, actions.DAIMINKAN)
        eager = eager or kind in (actions.RIICHI, actions.OPEN_RIICHI, actions.KYUUSHU)
        if eager and np.random.random() < 0.3:
            return code
        if kind == actions.DISCARD and code & actions.DRAWN and chance < 0.85:
            pick = code
    if int(pick) >> 8 in (actions.CHI, actions.PON) and chance < 0.6:
        return actions.PASS << 8
    return pick


@jit
def tiles_kept(game):  # type: ignore[no-untyped-def]
    """Whether every hand has the tiles it should have and no kind is held five times."""
    for kind in range(34):
        total = 0
        for seat in range(4):
            total += int(game.hand[seat, kind])
        if total > 4:
            return False
    for seat in range(4):
        held = 3 * int(game.melds[seat])
        for kind in range(34):
            held += int(game.hand[seat, kind])
        shown = game.phase == at.CLAIMS and seat == int(game.claimed_from)
        if held not in {13, 14} and not (shown and game.claimed_how == at.CONCEALED):
            return False
    return True


@jit
def points_of(game, rules):  # type: ignore[no-untyped-def]
    """All points: those of the players and those on the table."""
    points = int(game.match.deposits) * int(rules.riichi.deposit)
    for seat in range(4):
        points += int(game.match.scores[seat])
    return points


@jit
def note_end(game, before, result, tally):  # type: ignore[no-untyped-def]
    """Count how the hand ended."""
    outcome, match = game.outcome, game.match
    ended = int(outcome.ended)
    tally[ended] += 1
    if ended == at.WON:
        winners = 0
        for seat in range(4):
            winners += int(outcome.winners) >> seat & 1
        tally[AT_BRANCH + winners - 1] += 1
        tally[AT_BRANCH + TSUMO] += int(int(outcome.discarder) == at.NO_SEAT)
        tally[AT_BRANCH + TOOK_ALL] += int(outcome.took_deposits == at.ALL_TAKEN)
        tally[AT_BRANCH + TOOK_LAID] += int(outcome.took_deposits == at.LAID_TAKEN)
        tally[AT_BRANCH + TOOK_NONE] += int(outcome.took_deposits == at.NONE_TAKEN)
        for bit in range(YAKU_BITS):
            tally[AT_YAKU + bit] += int(result[layout.YAKU]) >> bit & 1
    tally[AT_BRANCH + NAGASHI] += int(outcome.nagashi != 0)
    tally[AT_BRANCH + ASKED] += int(game.deciding)
    stays = int(match.number) == before
    tally[AT_BRANCH + (STAYS if stays else PASSES)] += 1
    for seat in range(4):
        tally[AT_BRANCH + NOTED] += int(game.liable_yaku[seat, 0] != at.NO_SEAT)
        if game.fouls[seat]:
            tally[AT_FOUL + int(game.foul[seat])] += 1
    kans = 0
    for seat in range(4):
        for i in range(4):
            kans += int(game.meld[seat, i] >= layout.ANKAN)
    tally[AT_BRANCH + FIFTH] += int(kans == 5)


@jit
def play_hand(game, rules, room, out, tally):  # type: ignore[no-untyped-def]
    """Play the hand that is dealt to its end; how many decisions, and what went wrong (``FINE``)."""
    decisions, total = 0, points_of(game, rules)
    before = int(game.match.number)
    ended = False
    while game.phase <= at.CLAIMS:
        acted = False
        for turn in range(4):
            seat = (int(game.turn) + turn) % 4
            fouls = foul_actions(game, seat, rules, room, out)
            if fouls and np.random.random() < 0.03:
                engine.step(game, seat, int(out[np.random.randint(0, fouls)]), rules, room)
                acted = True
                break
            legal = engine.legal(game, seat, rules, room, out)
            if legal:
                engine.step(game, seat, prefer(out, legal), rules, room)
                acted = True
                break
        decisions += 1
        if not acted:
            return decisions, DEAD_END
        if points_of(game, rules) != total and game.phase != at.GAME_OVER:
            return decisions, LOST_POINTS
        if game.phase <= at.CLAIMS and not tiles_kept(game):
            return decisions, LOST_TILES
        if not ended and (game.phase > at.CLAIMS or game.deciding):
            ended = True
            note_end(game, before, room.result, tally)
            for seat in range(4):
                if int(game.outcome.delta[seat]) % 100:
                    return decisions, UNEVEN
    return decisions, FINE


# Rules, with every yaku on -------------------------------------------------------------------------------

NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "riichi.deposit": (500, 1000), "riichi.draws_left": (0, 1, 2), "riichi.open_han": (2, 3),
    "score.honba_value": (0, 100, 300, 1500), "draw.noten_payment": (0, 1000, 3000),
    "win.two_han_from_honba": (0, 5), "fouls.chombo_points": (2000, 3000),
    "end.dealer_stop_points": (0, 30000), "end.extension_target": (30000, 40000),
}  # fmt: skip
DEALS: Final = list(itertools.chain.from_iterable(SCENARIOS.values()))
EXAMPLES: Final = [entry for entry in catalogue().values() if entry.example]
PLAYED: Final = [path for path in SCENARIOS if path.split(".")[0] != "match" and path not in NOT_PLAYED]


def random_rules(rng: np.random.Generator) -> Ruleset:
    """Random rules: each option that matters to hands gets a random value, if the values are compatible."""
    changes = dict(EVERY_YAKU)
    for path in [*PLAYED, "match.length", "match.tie", "match.final_rounding"]:
        section, name = path.split(".")
        hint = hints(SECTIONS[section])[name]
        values: tuple[Any, ...] = NUMBERS.get(path, (True, False) if hint is bool else choices_of(hint))
        if values:
            changes[path] = values[int(rng.integers(len(values)))]
    if rng.random() < 0.9:  # most deals of the scenarios have tiles from 2m to 8m
        changes["tiles.man"] = "all"
    changes["draw.sanchahou"] = changes["win.multiple_ron"].endswith("triple_draw")
    changes["dora.kan_ura"] = changes["dora.ura"] and changes["dora.kan_dora"]
    changes["calls.kan_limit_one_player"] |= not changes["draw.suukansanra"]
    if changes["deal.renchan"] == "none":
        changes["deal.paarenchan"] = "off"
    changes["pao.yakuman"] = LIABLE if rng.random() < 0.8 else ()
    return ruleset(load("standard").with_changes(changes))


# Deals ---------------------------------------------------------------------------------------------------


def of_options(scenario: Scenario, rules: Ruleset) -> Table:
    """The deal of an option's scenario, played up to its last command as far as these rules let it."""
    table = Table(rules, scenario.hands, scenario.draws, **scenario.setting)
    for command in scenario.plays[:-1]:
        if command == "end":
            table.until(0)
        elif command.startswith("until"):
            table.until(int(command.split()[1]))
        elif command != "late":
            table.play(command)
    return table.until(0) if scenario.plays[-1:] == ("end",) else table


def near_a_yaku(entry: YakuEntry, rules: Ruleset, rng: np.random.Generator) -> Table:
    """A table at which the catalogue's example of a yaku can be won, as far as these rules let it be."""
    winds = winds_for(entry.example)
    script = script_of(entry, entry.example, winds[int(rng.integers(len(winds)))])
    table = dealt(script, rules, next(script.spare))
    played_up_to(table, script)
    return table


def steered(rules: Ruleset, rng: np.random.Generator) -> Table:
    """A table somewhere in a hand: just dealt, in the scenario of an option, or before a certain yaku."""
    way = rng.random()
    with contextlib.suppress(AssertionError, StopIteration):  # what these rules do not let come about
        if way < 0.3:
            return of_options(DEALS[int(rng.integers(len(DEALS)))], rules)
        if way < 0.7:
            return near_a_yaku(EXAMPLES[int(rng.integers(len(EXAMPLES)))], rules, rng)
    return Table(rules, number=int(rng.integers(8)), honba=int(rng.integers(3)))


# Running -------------------------------------------------------------------------------------------------


def run(decisions: int, seed: int) -> tuple[Counter[str], int]:
    """Play so many random decisions: how often each thing happened. Asserts that no law is broken."""
    rng, tally = np.random.default_rng(seed), np.zeros(NO_TALLY, np.int64)
    seed_chance(seed)
    done = 0
    out = np.empty(actions.MOST_ACTIONS, np.int16)
    while done < decisions:
        rules = random_rules(rng)
        record = rules_record(rules)[0]
        for _ in range(HANDS):
            table = steered(rules, rng)
            made, problem = play_hand(table.game, record, context(), out, tally)
            done += made
            assert problem == FINE, f"{PROBLEMS[problem]}: {rules.differences(load('standard'))}"
            note_settlement(table, rules, tally)
    return counted(tally), done


@jit
def seed_chance(seed):  # type: ignore[no-untyped-def]
    """Seed the random generator."""
    np.random.seed(seed)


def note_settlement(table: Table, rules: Ruleset, tally: Record) -> None:
    """Count how the game goes on after the hand."""
    match = table.game.match
    scores = [int(points) for points in match.scores]
    tally[AT_BRANCH + OVER] += int(match.over)
    tally[AT_BRANCH + BUSTED] += int(match.over and min(scores) <= 0)
    tally[AT_BRANCH + EXTENDED] += int(match.number in (4, 8, 16) and rules.end.extension != "none")
    tally[AT_BRANCH + SHARED] += int(match.over and len({int(place) for place in match.place}) < len(scores))


def counted(tally: Record) -> Counter[str]:
    """The tally by name."""
    names = [f"end: {name}" for name in ENDED]
    names += [f"yaku: {name}" for name in list(catalogue())[:YAKU_BITS]]
    names += [""] * (AT_FOUL - len(names))
    names += [f"foul: {name}" for name in FOULS]
    names += [f"settlement: {name}" for name in BRANCHES]
    return Counter({name: int(count) for name, count in zip(names, tally, strict=True) if name})


def never(counts: Counter[str]) -> list[str]:
    """What can happen but never did, without physical fouls and unfinished hands."""
    outside = {f"foul: {path.removeprefix('fouls.')}" for path in NOT_PLAYED if path.startswith("fouls.")}
    return [name for name, count in counts.items() if not count and name not in outside | {"end: running"}]
