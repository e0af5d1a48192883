"""What riichi and kans bring in points: ``python -m bench.riichi_gain``.

At tenpai positions from games between bots, the lab plays on twice after the discard that ``standard``
chooses: in riichi and silently. The program prints what riichi brings by the weight that ``standard`` gives
it: the weight says too little to be told as points (docs/bots.md). With the word ``kan`` it plays on after
each concealed or added kan that ``standard`` may declare, and after its best discard.
"""

import dataclasses
import sys
from collections.abc import Iterator

import numpy as np

from jantaku.bots import bot
from jantaku.bots.chance import new_source
from jantaku.bots.player import decision
from jantaku.bots.policies import STANDARD
from jantaku.bots.riichi import COUNT, GOOD, TILE
from jantaku.bots.weights import RIICHI_AT
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.game import Discard, Game
from jantaku.game.engine import context
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.lab.discards import HandQuestion, answers, position_in_game
from jantaku.rules import load
from jantaku.tiles import RED

POSITIONS, DEALS, SEED = 60, 200, 1
MOST_TILES, GOOD_WAIT = 8, 5  # as ``bots.riichi`` counts the tiles of a wait
KANS = (codes.ANKAN, codes.KAKAN)


def main() -> None:
    """Print the gains by weight and the rate, or those of kans."""
    kans = "kan" in sys.argv[1:]
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), POSITIONS)
    rows = np.array(list(_rows(count, kans=kans)))
    weight, points = rows[:, 0], rows[:, 1]
    if kans:
        for said, here in (("declared", weight > 0), ("left", weight <= 0)):
            if here.any():
                gain, off = points[here].mean(), _off(points[here])
                print(f"{said}: {here.sum()} kans gain {gain:.0f} ± {off:.0f} points")
        return
    for low, high in ((-99, -2), (-2, -1), (-1, 0), (0, 1), (1, 2), (2, 4), (4, 99)):
        here = (low < weight) & (weight <= high)
        if here.any():
            print(f"{low} to {high}: {here.sum()}, gain {points[here].mean():.0f} ± {_off(points[here]):.0f}")
    rate, r = (weight * points).sum() / (weight * weight).sum(), np.corrcoef(weight, points)[0, 1]
    print(f"rate {rate:.0f} points, r {r:.2f}, {len(rows)} positions")


def _off(points: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    return float(1.96 * points.std(ddof=1) / len(points) ** 0.5) if len(points) > 1 else float("nan")


def _rows(count: int, *, kans: bool) -> Iterator[tuple[float, float]]:
    player, number, riichis = bot("standard", SEED), 0, 0
    work = new_bot_workspace(new_source(SEED), load("tenhou"))
    while riichis < count:
        game = Game("tenhou", seed=SEED + number)
        number += 1
        while not game.is_over and riichis < count:
            seat = game.to_act[0]
            if game.record.phase == YOUR_TURN and not game.record.riichi[seat]:
                asked = (_kan if kans else _riichi)(game, seat, work)
                if asked is not None:
                    yield asked
                    riichis += 1
            game.play(seat, player.choose(game, seat))


def _chosen(game: Game, seat: int, work: BotWorkspace) -> int:
    return int(decision()(game.array, seat, STANDARD, rules_record(game.rules), context(), work))


def _riichi(game: Game, seat: int, work: BotWorkspace) -> tuple[float, float] | None:
    """The weight of riichi and what it gains, if the seat may declare it with the discard it chooses."""
    if not any(isinstance(action, Discard) and action.riichi for action in game.legal(seat)):
        return None
    chosen = _chosen(game, seat, work)
    if chosen >> 8 not in (codes.DISCARD, codes.RIICHI) or work.choices[_kind(chosen), 0]:
        return None
    tiles = work.features[0, TILE]
    if not 1 <= tiles <= MOST_TILES or work.features[0, GOOD] != (tiles >= GOOD_WAIT):
        return None  # no tile is left to win on, so the row does not describe a riichi
    weight = float((work.weights[0, RIICHI_AT : RIICHI_AT + COUNT] * work.features[0, :COUNT]).sum())
    known = position_in_game(game, seat)
    two = {code >> 8: code for code in known.codes if _kind(code) == _kind(chosen)}
    if codes.RIICHI not in two or codes.DISCARD not in two:
        return None
    return weight, _gain(known, two[codes.RIICHI], two[codes.DISCARD])


def _kan(game: Game, seat: int, work: BotWorkspace) -> tuple[float, float] | None:
    """Whether ``standard`` declares the kan (1) or not (0), and what it gains against its best discard."""
    known = position_in_game(game, seat)
    kans = [code for code in known.codes if code >> 8 in KANS]
    if not kans:
        return None
    chosen = _chosen(game, seat, work)
    if chosen >> 8 not in (*KANS, codes.DISCARD):
        return None
    legal = [code for code in known.codes if code >> 8 == codes.DISCARD]
    best = max(legal, key=lambda code: work.utility[_kind(code)])
    kan = chosen if chosen in kans else kans[0]
    return float(chosen >> 8 in KANS), _gain(known, kan, best)


def _gain(known, one: int, other: int) -> float:  # type: ignore[no-untyped-def]
    *_, answer = answers(HandQuestion(dataclasses.replace(known, codes=(one, other)), DEALS, by="points"))
    points = {str(choice.action): choice.points.value for choice in answer.choices}
    first, second = (str(choice) for choice in dataclasses.replace(known, codes=(one, other)).choices)
    return float(points[first] - points[second])


def _kind(code: int) -> int:
    return int((codes.value_of(code) & ~codes.DRAWN) % RED)


if __name__ == "__main__":
    main()
