"""Order of events after a kan: the indicator before or after the replacement tile."""

from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku.game import Game, Kan
from jantaku.game.actions import Kita
from jantaku.game.events import Called, Discarded, DoraTurned, Drew, Event, KanDeclared, KitaDeclared
from jantaku.hand import MeldType
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load
from support.playing import choose

# Events after an open kan: those before the next discard or kan, and those after it
ORDER: dict[str, tuple[list[str], list[str]]] = {
    "before_draw": (["dora_turned", "drew"], []),
    "before_discard": (["drew", "dora_turned"], []),
    "after_discard": (["drew"], ["dora_turned"]),
}


def with_kans(rules: dict[str, Any], seed: int) -> Game:
    """Return a game in which every possible kan is declared."""
    name = "standard-3" if seed % 2 else "standard"
    rng, game = Random(seed), Game(load(name).with_changes(rules), seed=seed)
    while not game.is_over and len(game.played) < scale(900):
        seat = rng.choice(game.to_act)
        kans = [action for action in game.legal(seat) if isinstance(action, Kan | Kita)]
        game.play(seat, rng.choice(kans) if kans else choose(game, seat, rng))
    return game


def is_open_kan(event: Event) -> bool:
    open_kans = (MeldType.DAIMINKAN, MeldType.KAKAN)
    return isinstance(event, Called | KanDeclared) and event.meld.type in open_kans


@pytest.mark.parametrize("reveal", ORDER)
def test_the_indicator_of_an_open_kan_is_turned_as_the_rules_require(reveal: str) -> None:
    claims = 0
    for seed in range(4):
        events = with_kans({"dora.minkan_reveal": reveal}, seed).events
        for index, event in enumerate(events):
            if not is_open_kan(event) or not isinstance(events[index + 1], Drew | DoraTurned):
                continue  # the kan was robbed, or the hand has ended
            at_once, later = ORDER[reveal]
            after = events[index + 1 :]
            assert [event.type for event in after[: len(at_once)]] == at_once
            rest = after[len(at_once) :]
            ends = next(
                (
                    i
                    for i, event in enumerate(rest)
                    if isinstance(event, Discarded | KanDeclared | KitaDeclared)
                ),
                None,
            )
            if later and ends is not None and isinstance(rest[ends], Discarded) and len(rest) > ends + 1:
                following = next(event for event in rest[ends + 1 :] if event.type != "riichi_accepted")
                assert following.type in (*later, "won", "called")
            claims += 1
    assert claims > 5 or not COMPILED


@pytest.mark.parametrize("reveal", ["before_draw", "before_discard"])
def test_the_indicator_is_visible_before_the_player_acts_after_a_kan(reveal: str) -> None:
    rng, game, seen = (
        Random(3),
        Game(load("standard").with_changes({"dora.minkan_reveal": reveal}), seed=2),
        0,
    )
    while not game.is_over and len(game.played) < scale(1500):
        seat = rng.choice(game.to_act)
        kans = [action for action in game.legal(seat) if isinstance(action, Kan)]
        before, action = (
            len(game.view(seat).indicators),
            rng.choice(kans) if kans else choose(game, seat, rng),
        )
        game.play(seat, action)
        if isinstance(action, Kan) and game.to_act == [seat] and not game.record.deciding:
            assert len(game.view(seat).indicators) == before + 1
            seen += 1
    assert seen > 1 or not COMPILED
