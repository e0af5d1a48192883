"""Whole games through the API: events, legal actions, views and reasons."""

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from conftest import SEATS, scale
from jantaku import terms, waits
from jantaku.errors import IllegalActionError, NotationError, RequestError
from jantaku.game import Action, Chi, Discard, Game, Kan, Pass, Pon, Ron, Tsumo, hide
from jantaku.game import actions as acts
from jantaku.game import events as event_types
from jantaku.game.actions import from_dict, parse, to_dict
from jantaku.game.engine import concealed
from jantaku.game.why import ACTION_NAMES, reason, why
from jantaku.hand import Hand, Meld
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load
from jantaku.tiles import RED, Tile, sort_tiles
from support.hiding import scrambled
from support.playing import choose, played

PRESETS = ("standard", "bgm-2025-4", "wrc")
STEPS = None if COMPILED else 80
ALL = load("standard").with_changes({"riichi.open": True, "win.multiple_ron": "all", "draw.sanchahou": False})


@cache
def game_of(preset: str, seed: int) -> Game:
    return played(preset, seed, STEPS)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_end_of_a_game(preset: str) -> None:
    game = game_of(preset, 1)
    if not game.is_over:
        pytest.skip("uncompiled games are cut short")
    last = game.events[-1]
    assert isinstance(last, event_types.GameEnded)
    assert sorted(last.places) == [1, 2, 3, 4]
    assert game.scores[last.places.index(1)] == max(game.scores)
    assert last.opening == (1).to_bytes(32, "big").hex()
    assert game.to_act == []
    with pytest.raises(IllegalActionError, match="not this seat's turn"):
        game.play(0, Pass())


@pytest.mark.parametrize("preset", PRESETS)
def test_events_and_actions_round_trip_through_json(preset: str) -> None:
    game = game_of(preset, 1)
    for event in game.events:
        plain = json.loads(json.dumps(event.to_dict()))
        assert event_types.from_dict(plain).to_dict() == event.to_dict()
    for _, _, action in game.moves:
        assert from_dict(json.loads(json.dumps(to_dict(action)))) == action
        assert parse(str(action)) == action


def test_legal_actions_round_trip_through_integers() -> None:
    rng, game = Random(5), Game("bgm-2025-4", seed=5)
    for _ in range(scale(600)):
        if game.is_over:
            break
        for seat in game.to_act:
            legal = game.legal(seat)
            assert len(set(legal)) == len(legal)
            for action in legal:
                assert acts.decode(game._code(seat, action), game.claimed) == action
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))


def test_seeds_reproduce_games() -> None:
    game, two = played("tenhou", 9, scale(200)), played("tenhou", 9, scale(200))
    assert game.state == two.state
    assert game.events == two.events
    assert Game(seed=1).walls != Game(seed=2).walls
    assert Game().walls != Game().walls


WRONG: tuple[Action, ...] = (
    Pass(), Tsumo(), Ron(), Pon(), Pon(2), Chi((Tile(0), Tile(1))), Chi((Tile(30), Tile(31))),
    Kan("ankan", Tile(0)), Kan("kakan", Tile(60)), Kan("daiminkan", Tile(33)), Discard(Tile(60)),
    Discard(Tile(5), True, "riichi"), Discard(Tile(5), False, "open"), acts.NineTerminals(),
)  # fmt: skip


def test_a_refused_action_changes_nothing() -> None:
    rng, game = Random(1), Game(seed=1)
    for _ in range(scale(150)):
        before, events = game.state, list(game.events)
        for seat in SEATS:
            for action in WRONG:
                if action not in game.legal(seat):
                    with pytest.raises(IllegalActionError) as caught:
                        game.play(seat, action)
                    assert list(caught.value.legal) == game.legal(seat)
        assert (game.state, game.events) == (before, events)
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_seats_are_checked(seat: int) -> None:
    with pytest.raises(RequestError):
        Game(seed=1).play(seat, Pass())


LEAKS = [pytest.param(name, marks=pytest.mark.slow) for name in ("tenhou", "bgm-2025-4")]


@pytest.mark.parametrize("preset", ["all", *LEAKS])
def test_views_leak_nothing(preset: str) -> None:
    """A view stays the same, byte for byte, if everything hidden from the seat is reshuffled."""
    rng = Random(8)
    game = Game(ALL if preset == "all" else preset, seed=8)
    while not game.is_over and len(game.played) < scale(250):
        for seat in SEATS:
            mine = json.dumps(game.view(seat).to_dict())
            assert json.dumps(scrambled(game, seat, rng).view(seat).to_dict()) == mine
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))


@pytest.mark.parametrize("preset", PRESETS)
def test_hide_removes_hidden_tiles(preset: str) -> None:
    """A seat's events contain a tile only if the seat holds it or it is visible to all."""
    for seat in (*SEATS, None):
        for event in game_of(preset, 1).events:
            seen = hide(event, seat)
            if isinstance(event, event_types.Drew):
                assert seen == (
                    event if event.seat == seat else event_types.Drew(event.seat, None, event.rinshan)
                )
            elif isinstance(seen, event_types.HandStarted):
                assert [i for i, hand in enumerate(seen.hands) if hand is not None] == (
                    [] if seat is None else [seat]
                )
            else:
                assert seen == event


@pytest.mark.slow
def test_only_tenpai_hands_are_revealed_at_a_draw() -> None:
    for seed in range(scale(6)):
        for event in game_of("standard", seed).events:
            if isinstance(event, event_types.HandDrawn) and event.kind == "exhausted":
                assert tuple(s for s in SEATS if event.hands[s] is not None) == event.tenpai


def test_revealed_hands_list_their_waits() -> None:
    """The waits are recomputed from the tiles and melds in the events."""
    compared = 0
    for seed in range(scale(6)):
        melds: list[list[Meld]] = [[] for _ in SEATS]
        for event in game_of("standard", seed).events:
            if isinstance(event, event_types.HandStarted):
                melds = [[] for _ in SEATS]
            elif isinstance(event, event_types.Called | event_types.KanDeclared):
                new = event.meld  # a kakan replaces the pon it extends
                others = [
                    meld
                    for meld in melds[event.seat]
                    if meld.type != "pon" or meld.tiles[0] % RED != new.tiles[0] % RED
                ]
                melds[event.seat] = [*others, new]
            elif isinstance(event, event_types.HandDrawn) and event.kind == "exhausted":
                for seat in SEATS:
                    hand, stated = event.hands[seat], event.waits[seat]
                    if hand is None:
                        assert stated is None
                        continue
                    own = tuple(melds[seat])
                    held = Counter(tile % RED for tile in [*hand, *(t for meld in own for t in meld.tiles)])
                    tiles = [Tile(wait.tile) for wait in waits(Hand(hand, own)) if held[wait.tile] < 4]
                    assert list(stated or ()) == tiles
                    compared += 1
    assert compared > 0 or not COMPILED


def test_view_of_a_seat() -> None:
    game = Game(seed=1)
    view = game.view(0)
    assert sort_tiles([*view.hand, view.drawn or Tile(0)]) == concealed(game.record, 0)
    assert view.legal == tuple(game.legal(0))
    assert game.view(1).drawn is None
    assert game.view(1).legal == ()
    assert view.wall_left == 69


def test_there_is_always_a_reason() -> None:
    """Illegal actions are explained in every language; legal ones are reported as legal."""
    rng, game = Random(2), Game("bgm-2025-4", seed=2)
    attempts: tuple[Any, ...] = (*ACTION_NAMES, *WRONG)
    seen = set()
    for _ in range(scale(120)):
        for seat in SEATS:
            legal = game.legal(seat)
            for attempt in attempts:
                refusal = reason(game, seat, attempt)
                possible = named(attempt, legal) if isinstance(attempt, str) else attempt in legal
                assert (refusal.code == "may") == possible
                assert refusal.code in seen or is_translated(game, seat, attempt)
                seen.add(refusal.code)
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    assert {"not_complete", "not_your_turn", "no_tile", "not_tenpai"} <= seen


def is_translated(game: Game, seat: int, attempt: Any) -> bool:
    texts = [why(game, seat, attempt, language) for language in terms.LANGUAGES]
    return len(set(texts)) == len(texts) and "{" not in "".join(texts)


def named(attempt: str, legal: list[Action]) -> bool:
    for action in legal:
        kan = isinstance(action, Kan) and attempt == action.kind
        riichi = isinstance(action, Discard) and action.riichi and attempt == "riichi"
        if attempt == action.type or kan or riichi:
            return True
    return False


@pytest.mark.parametrize(
    ("text", "error"),
    [("chi 3m", RequestError), ("5x", NotationError), ("pon q", NotationError), ("", NotationError)],
)
def test_malformed_actions_are_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse(text)
