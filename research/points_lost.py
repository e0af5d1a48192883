"""Points that a bot loses per decision, at positions whose actions have been played out deeply.

    python -m research.points_lost choose [POSITIONS]   choose positions from games between bots
    python -m research.points_lost value [POSITIONS [DEALS]]
                                                        play out their actions; continues where it stopped
    python -m research.points_lost score BOT ...        score bots: standard, strong, search:200ms, ...

``search:200ms`` is a search of 200 milliseconds, ``search:50`` one of 50 deals; a second number is the
number of hands to choose each opponent's from (1: without likelihood). The positions are in ``POSITIONS``:
one line for each game, with the steps to look at, and the game in the form of ``records.native.compact``.
Each action is played out from two independent sets of deals. What a choice loses against the best action is
measured on one set, the best action being the one that the other set finds; so chance makes no action look
better than it is, and a loss that only chance suggests averages to zero. True losses come out a little too
small, because the other set does not always find the best action. ``VALUES`` has for each position and action
the points of the final result that it gains over the choice of ``strong``, with the standard error, once for
each set.
"""

import gzip
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from jantaku.bots import bot
from jantaku.bots.chance import new_source
from jantaku.bots.player import Bot
from jantaku.bots.policies import STRONG
from jantaku.bots.search import SearchBot, Settings, position_to_act, search
from jantaku.bots.search.candidates import candidates
from jantaku.bots.search.position import choice_of
from jantaku.bots.search.search import HANDS
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game import Game
from jantaku.game.actions import encode
from jantaku.kernels.engine.state import CLAIMS
from jantaku.records.native.compact import compact, expand
from jantaku.tiles import RED

FOLDER: Final = Path(__file__).parents[1] / "tests" / "data"
POSITIONS: Final = FOLDER / "positions.tsv.gz"
VALUES: Final = FOLDER / "position_values.jsonl"
NUMBER: Final = 500
PER_GAME: Final = 5
DEALS: Final = 1000  # of each action and set, on average; the best ones get more
SETS: Final = 2
DEEP_HANDS: Final = 8
SEED: Final = 1
CLOSE: Final = 4.0  # utility: a discard so far above the second is obvious
PLAYERS: Final = ("strong", "strong", "standard", "strong")
SPREAD: Final = 400.0  # points, of the true differences from the choice of ``strong``
KINDS: Final = ("turn 0", "turn 1", "turn 2", "threat", "claim", "claim, threat", "riichi")
OFTEN: Final = 0.2  # share of the decisions of the rarest kind to keep


@dataclass(frozen=True)
class Position:
    """A decision of a game: the number of actions before it, and the seat."""

    game: Game
    step: int
    seat: int

    @property
    def key(self) -> str:
        """Return a name that stays the same when positions are added."""
        return f"{self.game.seed.hex()[-6:] if self.game.seed else ''}-{self.step}-{self.seat}"


def choose(count: int) -> None:
    """Choose positions and write them."""
    chance, rows, kinds = Random(SEED), [], Counter[str]()
    number = found = 0
    while found < count:
        game = Game("tenhou", seed=1_000_000 * SEED + number)
        number += 1
        players, steps = [bot(name, number) for name in PLAYERS], []
        while not game.is_over:
            seat = game.to_act[0]
            chosen = players[seat].choose(game, seat)
            if chance.random() < _share(_kind(game, seat), kinds) and _is_open(game, seat):
                steps.append((len(game.played), seat, _kind(game, seat)))
            game.play(seat, chosen)
        chance.shuffle(steps)
        kept = sorted(steps[: min(PER_GAME, count - found)])
        kinds.update(kind for *_, kind in kept)
        found += len(kept)
        if kept:
            steps_of = " ".join(f"{step}:{seat}" for step, seat, _ in kept)
            rows.append(f"{steps_of}\t{compact(_cut(game, kept[-1][0]))}\n")
    POSITIONS.write_bytes(gzip.compress("".join(rows).encode(), 9, mtime=0))
    print(dict(kinds), POSITIONS.stat().st_size, "bytes")


def _cut(game: Game, step: int) -> Game:
    """Return the game before action ``step``."""
    now = game.restarted()
    for _, seat, action in game.moves[:step]:
        now.play(seat, action)
    return now


def _kind(game: Game, seat: int) -> str:
    """Return which of ``KINDS`` a decision is; turns are in sixes."""
    record = game.record
    threat = any(record.riichi[other] for other in game.seats if other != seat)
    if record.phase == CLAIMS:
        return "claim, threat" if threat else "claim"
    if any(action.type == "discard" and action.riichi for action in game.legal(seat)):
        return "riichi"
    return "threat" if threat else f"turn {min(int(record.discards[seat]) // 6, 2)}"


def _share(kind: str, kinds: Counter[str]) -> float:
    """Return the share of such decisions to keep: fewer of a kind that is already common."""
    return OFTEN * (1 + min(kinds[one] for one in KINDS)) / (1 + kinds[kind])


def _is_open(game: Game, seat: int) -> bool:
    """Return whether the decision is not obvious: no win, and no action far above the others."""
    legal = game.legal(seat)
    if len(legal) < 2 or any(action.type in ("tsumo", "ron", "end_game") for action in legal):
        return False
    if game.record.riichi[seat]:
        return False
    known = position_to_act(game, seat)
    work = new_bot_workspace(new_source(0), game.rules)
    return len(candidates(known, STRONG, game.array.copy(), work, CLOSE)) > 1


def positions() -> Iterator[Position]:
    """Yield the positions, in the order of the file."""
    for line in gzip.decompress(POSITIONS.read_bytes()).decode().splitlines():
        steps, text = line.split("\t")
        whole = expand(text)
        now, played = whole.restarted(), 0
        for word in steps.split():
            step, seat = map(int, word.split(":"))
            for _, mover, action in whole.moves[played:step]:
                now.play(mover, action)
            played = step
            yield Position(now.copy(), step, seat)


def _value(job: tuple[Position, int]) -> dict[str, Any]:
    """Play out the actions of a position deeply, from each set of deals."""
    position, deals = job
    known = position_to_act(position.game, position.seat)
    gains: dict[str, list[float]] = {}
    for number in range(SETS):
        result = search(known, Settings(deals=deals, hands=DEEP_HANDS, seed=SEED + number))
        for one in result.values:
            gains.setdefault(str(one.action), []).extend((round(one.gain, 1), round(one.gain_error, 1)))
    policy = next((action for action, known in gains.items() if not any(known)), "")
    return {"position": position.key, "policy": policy, "values": gains}


def value(count: int, deals: int) -> None:
    """Add the values of the first ``count`` positions that have none yet."""
    done = {row["position"] for row in values()}
    todo = [one for one, _ in zip(positions(), range(count), strict=False) if one.key not in done]
    with ProcessPoolExecutor() as pool, VALUES.open("a", encoding="ascii") as file:
        for row in pool.map(_value, ((one, deals) for one in todo)):
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
            file.flush()


def values() -> list[dict[str, Any]]:
    """Return the stored values: one row for each position, with a gain and an error by action and set."""
    return list(map(json.loads, VALUES.read_text("ascii").splitlines())) if VALUES.exists() else []


def player_of(name: str) -> Bot:
    """Return the bot of a name, which may be a search: ``search:200ms``, ``search:50`` or ``search:50,1``."""
    if not name.startswith("search:"):
        return bot(name, SEED)
    budget, _, hands = name.removeprefix("search:").partition(",")
    settings = Settings(deals=1, hands=int(hands or HANDS), seed=SEED + 1)
    if budget.endswith("ms"):
        return SearchBot(replace(settings, deals=None, budget_ms=float(budget.removesuffix("ms"))))
    return SearchBot(replace(settings, deals=int(budget)))


def _loss(job: tuple[str, Position, dict[str, Any]]) -> tuple[float, bool, bool]:
    """Return the points that a bot's choice loses, if it is that of ``strong``, and if it has a value."""
    name, position, row = job
    game, seat = position.game, position.seat
    action = player_of(name).choose(game, seat)
    reds = int(game.record.red[seat, game.claimed % RED])
    known: dict[str, list[float]] = row["values"]
    chosen = _merged(str(choice_of(encode(action, game.claimed, reds), game.claimed)), known)
    losses = [lost(known, chosen, number) for number in range(SETS)]
    return sum(losses) / SETS, chosen == row["policy"], chosen in known


def lost(known: dict[str, list[float]], chosen: str, number: int) -> float:
    """Return what ``chosen`` loses in one set of deals against the best action of the other set.

    An action that was not worth playing out loses as much as the worst that was.
    """
    other = 2 * (SETS - 1 - number)
    best = max(known, key=lambda action: _shrunk(*known[action][other : other + 2]))
    gains = {action: values[2 * number] for action, values in known.items()}
    return gains[best] - gains.get(chosen, min(gains.values()))


def _shrunk(gain: float, error: float) -> float:
    """Return the likeliest gain if true ones spread by ``SPREAD``."""
    return gain * SPREAD**2 / (SPREAD**2 + error**2)


def _merged(action: str, values: dict[str, Any]) -> str:
    """Return the name under which an action has a value: a red five may count as a plain one."""
    plain = action.replace("0", "5")
    return action if action in values or plain not in values else plain


def score(names: Sequence[str]) -> None:
    """Print the mean loss of each bot with its 95% interval, and how often it chooses as ``strong`` does."""
    by_key = {row["position"]: row for row in values() if row["values"]}
    known = [one for one in positions() if one.key in by_key]
    with ProcessPoolExecutor() as pool:
        for name in names:
            jobs = [(name, position, by_key[position.key]) for position in known]
            rows = np.array(list(pool.map(_loss, jobs, chunksize=4)), float)
            losses, interval = rows[:, 0], 1.96 * rows[:, 0].std(ddof=1) / math.sqrt(len(rows))
            same, unknown = rows[:, 1].mean(), 1 - rows[:, 2].mean()
            lost = f"{losses.mean():.0f} ± {interval:.0f} points lost per decision"
            print(
                f"{name}: {lost}, {same:.0%} as strong, {unknown:.0%} without a value, {len(rows)} positions"
            )


def main(words: Sequence[str]) -> None:
    """Run the command."""
    command, *rest = words or ("",)
    if command == "choose":
        choose(int(rest[0]) if rest else NUMBER)
    elif command == "value":
        value(int(rest[0]) if rest else NUMBER, int(rest[1]) if rest[1:] else DEALS)
    elif command == "score" and rest:
        score(rest)
    else:
        print(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
