"""Action indices, and observations: complete, consistent with views, and without hidden information."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from conftest import SEATS, scale
from game.test_game import ALL
from jantaku.game import Game
from jantaku.game.actions import decode
from jantaku.kernels.engine.actions import DRAWN
from jantaku.kernels.engine.state import CLAIMS
from jantaku.lab.kernels import action_space as space
from jantaku.lab.kernels import observation as seen
from jantaku.tiles import RED, counts
from lab.test_environments import shown_to
from support.hiding import scrambled
from support.playing import choose

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles


def some_games(moves: int) -> Iterator[Game]:
    """Yield every decision of random games under two rulesets."""
    for rules in ("tenhou", ALL):
        rng, game = Random(5), Game(rules, seed=5)
        while not game.is_over and len(game.played) < scale(moves):
            yield game
            seat = rng.choice(game.to_act)
            game.play(seat, choose(game, seat, rng))


# Actions ---------------------------------------------------------------------------------------------------


def test_every_index_is_a_different_action() -> None:
    assert len({space.describe(index) for index in range(space.ACTIONS)}) == space.ACTIONS


def test_actions_and_indices() -> None:
    """An index is converted back to the engine's integer; of two equal tiles, it is the drawn one."""
    for game in some_games(400):
        called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
        for seat in game.to_act:
            codes = np.array(game._engine.legal(seat), np.int16)
            for code in codes.tolist():
                index = int(space.index_of(code))
                assert 0 <= index < space.ACTIONS
                assert space.index_of_action(decode(code, called), called) == index
                found = int(space.code_of(index, codes, len(codes)))
                assert found == code or found == code | DRAWN
            assert space.code_of(space.OPEN + 67, codes, len(codes)) == -1


# Observations ----------------------------------------------------------------------------------------------


def river_of(rows: Any) -> list[dict[str, Any]]:
    marks = zip(*(rows[row].tolist() for row in range(seen.RIVER, seen.MELDED)), strict=True)
    names = ("drawn", "riichi", "called")
    return [
        {"tile": kind - 1 + RED * red} | dict(zip(names, map(bool, rest), strict=True))
        for kind, red, *rest in marks
        if kind
    ]


def test_observations_match_the_view() -> None:
    for game in some_games(300):
        for seat in SEATS:
            view, out = game.view(seat), shown_to(game.record, seat)
            hand = [*view.hand, *([] if view.drawn is None else [view.drawn])]
            assert out[seen.HAND].tolist() == counts(hand)
            assert int(out[seen.HAND_RED].sum()) == sum(tile >= RED for tile in hand)
            assert out[seen.WAITS].tolist() == counts(view.waits)
            assert out[seen.INDICATORS].tolist() == counts(view.indicators)
            drawn = np.zeros(34, int)
            if view.drawn is not None:
                drawn[view.drawn % RED] = 1 + view.drawn // RED
            assert out[seen.DRAWN].tolist() == drawn.tolist()
            numbers = out[seen.NUMBERS]
            furiten = (None, "discard", "temporary", "riichi")[numbers[seen.FURITEN]]
            assert furiten == view.furiten
            assert bool(numbers[seen.OFFERED_BY]) == (view.offered is not None)
            if view.offered:
                tile, source = view.offered.tile, view.offered.owner
                assert out[seen.OFFERED, tile % RED] == 1 + tile // RED
                assert numbers[seen.OFFERED_BY] == (source - seat) % 4
            assert numbers[[seen.HONBA, seen.DEPOSITS, seen.WALL_LEFT, seen.HAND_NUMBER]].tolist() == [
                view.honba, view.deposits, view.wall_left, view.number,
            ]  # fmt: skip
            assert numbers[seen.ASKED] == bool(view.legal)
            dead = [bool(numbers[seen.DEAD] >> relative & 1) for relative in SEATS]
            assert dead == [view.dead[(seat + relative) % 4] for relative in SEATS]
            assert [numbers[seen.NORTHS], numbers[seen.PLAYERS]] == [0, 4]


def test_observations_show_every_seat() -> None:
    for game in some_games(300):
        for seat in SEATS:
            view, out = game.view(seat), shown_to(game.record, seat)
            for relative in SEATS:
                other = (seat + relative) % 4
                rows = out[seen.SEATS + seen.SEAT_ROWS * relative :][: seen.SEAT_ROWS]
                river = view.rivers[other]
                assert rows[seen.DISCARDED].tolist() == counts(tile.tile for tile in river)
                assert river_of(rows) == [
                    {"tile": o.tile, "drawn": o.drawn, "riichi": o.riichi, "called": o.called} for o in river
                ]
                assert rows[seen.MELDED].tolist() == counts(t for m in view.melds[other] for t in m.tiles)
                fives = rows[seen.MELDS, :20].reshape(4, 5).tolist()
                for five, meld in zip(fives, view.melds[other], strict=False):
                    called = 0 if meld.called is None else meld.called + 1
                    assert five[1:3] == [meld.first + 1, called]
                    assert five[4] == sum(tile >= RED for tile in meld.tiles)
                shown = view.shown[other] or ()
                assert rows[seen.SHOWN].tolist() == counts(shown)
                assert int(rows[seen.SHOWN_RED].sum()) == sum(tile >= RED for tile in shown)
                numbers = out[seen.NUMBERS]
                assert numbers[seen.SCORES + relative] == view.scores[other] // seen.HUNDRED
                riichi = bool(numbers[seen.IN_RIICHI + relative])
                assert riichi == (view.riichi[other] is not None)
                assert bool(numbers[seen.IN_OPEN_RIICHI + relative]) == ("open" in (view.riichi[other] or ""))


@pytest.mark.slow
def test_observations_leak_nothing() -> None:
    """Views and observations are the same after all tiles hidden from the seat have been dealt again."""
    rng = Random(8)
    for game in some_games(200):
        for seat in SEATS:
            other = scrambled(game, seat, rng)
            assert other.state != game.state
            assert (shown_to(other.record, seat) == shown_to(game.record, seat)).all()
            assert json.dumps(other.view(seat).to_dict()) == json.dumps(game.view(seat).to_dict())
