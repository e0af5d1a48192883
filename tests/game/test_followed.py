"""A game rebuilt from one seat's events gives that seat the same views and contains nothing else."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from conftest import scale
from jantaku.bots import bot
from jantaku.bots.seat_view import SEAT_VIEW, write_seat_view
from jantaku.errors import RequestError
from jantaku.game import FollowedGame, Game, hide
from jantaku.kernels._jit import COMPILED
from jantaku.rules import Ruleset, load
from support.playing import choose

CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "tenhou": ("tenhou", {}),
    "bgm-2025": ("bgm-2025", {}),
    "open riichi": ("standard", {"riichi.open": True, "calls.kuikae": "allowed"}),
    "hidden ankan": ("wrc", {"calls.ankan_display": "all_down"}),
    "furiten at calls": (
        "m-league",
        {"furiten.temporary_until": "own_draw_or_call", "deal.renchan": "agari"},
    ),
    "three": ("tenhou-3", {}),
    "north robbed": ("mahjongsoul-3", {"kita.ron": "yakuman", "kita.breaks_ippatsu": False}),
    "north as usual": ("korea-3", {"kita.ron": "any", "kita.rinshan": False}),
}


def rules_of(name: str) -> Ruleset:
    preset, changes = CHANGES[name]
    return load(preset).with_changes(changes) if changes else load(preset)


def bot_view(game: Game, seat: int) -> bytes:
    views = np.zeros(1, SEAT_VIEW)
    write_seat_view(game.array.copy()[0], seat, views[0])
    return views.tobytes()


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("seed", [1, 2] if COMPILED else [1])
def test_a_followed_game_agrees_with_the_game(name: str, seed: int) -> None:
    rng, game = Random(seed), Game(rules_of(name), seed=seed)
    seats = [FollowedGame(game.rules, seat) for seat in game.seats]
    followed_events = decisions = 0
    while not game.is_over and len(game.played) < scale(1200):
        for followed in seats:
            for event in game.events[followed_events:]:
                followed.follow(hide(event, followed.seat))
        followed_events = len(game.events)
        for seat in game.to_act:
            assert seats[seat].view(seat) == game.view(seat)
            assert seats[seat].legal(seat) == game.legal(seat)
            assert bot_view(seats[seat], seat) == bot_view(game, seat)
            decisions += 1
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    assert decisions > min(60, scale(600))


def test_bots_choose_the_same_in_a_followed_game() -> None:
    game, followed_events = Game("tenhou", seed=4), 0
    players = [(bot("standard", 1), bot("standard", 1), FollowedGame("tenhou", seat)) for seat in game.seats]
    for _ in range(scale(300)):
        for _, _, followed in players:
            for event in game.events[followed_events:]:
                followed.follow(hide(event, followed.seat))
        followed_events = len(game.events)
        seat = game.to_act[0]
        whole, partial, followed = players[seat]
        action = whole.choose(game, seat)
        assert partial.choose(followed, seat) == action
        game.play(seat, action)
        if game.is_over:
            break


def test_a_followed_game_can_be_copied_and_refuses_unknowns() -> None:
    game = Game("tenhou", seed=4)
    followed = FollowedGame("tenhou", 0, [hide(event, 0) for event in game.events], ("A", "B", "C", "D"))
    for other in (followed.copy(), pickle.loads(pickle.dumps(followed))):
        assert other == followed
        assert (other.names, other.view(0)) == (followed.names, followed.view(0))
    assert followed.restarted() != followed
    assert (followed.restarted().to_act, followed.restarted().legal(0), followed.legal(1)) == ([], [], [])
    assert followed.record.hand[1:].sum() == 0
    for refused, field in ((lambda: followed.view(1), "seat"), (lambda: followed.legal(4), "seat")):
        with pytest.raises(RequestError) as error:
            refused()
        assert error.value.details["field"] == field
    with pytest.raises(RequestError):
        followed.play(0, followed.legal(0)[0])
    with pytest.raises(RequestError):
        FollowedGame("tenhou-3", 3)
