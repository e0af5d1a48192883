"""Compares plain and compiled code through public functions, in a process that starts uncompiled.

``python -m support.tiers WINS GAMES WINS_FILE``, run in ``tests``, prints how much was compared.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

import jantaku
from jantaku import Game, Hand, Win
from jantaku.adjudication.jsonl import answer
from jantaku.errors import HandError
from jantaku.kernels import _jit
from jantaku.rules import preset_names

PLAIN_MOVES: Final = 120


def worth(win: Win, rules: str) -> tuple[Any, ...]:
    """Return the results of public functions for a win and its hand."""
    hand = win.hand
    held = jantaku.shanten(hand), jantaku.waits(hand), jantaku.effective_tiles(hand)
    drawn = jantaku.best_discards(Hand((*hand.tiles, win.tile), hand.melds))[0]
    try:
        score = jantaku.score(win, rules)
    except HandError as error:
        return *held, drawn, str(error)
    said = jantaku.explain(score, "en").text()
    return *held, drawn, score.to_dict(), jantaku.readings(win), said


class Started:
    """A game of which plain code plays the beginning."""

    def __init__(self, number: int) -> None:
        names = preset_names()
        self.random, self.rules, self.seed = Random(number), names[number % len(names)], number
        self.game = Game(self.rules, seed=number)
        self.moves: list[tuple[int, int]] = []
        self.play(self.random.randrange(PLAIN_MOVES))
        self.state = self.game.state

    def play(self, most: int) -> None:
        """Play random legal actions, preferring wins."""
        game = self.game
        while game.to_act and most:
            seat, most = game.to_act[0], most - 1
            legal = game.legal(seat)
            won = [i for i, action in enumerate(legal) if action.type in ("tsumo", "ron")]
            chosen = won[0] if won else self.random.randrange(len(legal))
            self.moves.append((seat, chosen))
            game.play(seat, legal[chosen])

    def end(self) -> None:
        """Play to the end, and compare with the same game in compiled code only."""
        plain = len(self.moves)
        self.play(-1)
        again = Game(self.rules, seed=self.seed)
        for number, (seat, chosen) in enumerate(self.moves):
            if number == plain:
                assert again.state == self.state, (self.rules, self.seed)
            again.play(seat, again.legal(seat)[chosen])
        assert again.state == self.game.state, (self.rules, self.seed)
        assert [event.to_dict() for event in again.events] == [event.to_dict() for event in self.game.events]


def main(wins: int, games: int, file: Path) -> None:
    """Compare, and print the counts."""
    from jantaku.adjudication.requests import win_from_request

    _jit.Entry.count = lambda *_: None  # type: ignore[method-assign]  # stay uncompiled until ``use_compiled``
    requests = [json.loads(line)["request"] for line in file.read_text("utf-8").splitlines()]
    chosen = [requests[i % len(requests)] for i in range(wins)]
    cases = [(win_from_request(request), request["rules"]) for request in chosen]
    plain = [(worth(*case), answer(request)) for case, request in zip(cases, chosen, strict=True)]
    started = [Started(number) for number in range(games)]
    assert "numba" not in sys.modules
    _jit.use_compiled()
    for case, request, before in zip(cases, chosen, plain, strict=True):
        assert (worth(*case), answer(request)) == before, request
    for game in started:
        game.end()
    sys.stdout.write(json.dumps([len(plain), len(started), sum(len(game.moves) for game in started)]))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
