"""The events of a game are the same no matter when they are read."""

import copy
import pickle
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from jantaku.game import Game
from jantaku.game.events import Event
from jantaku.game.step_events import Step
from jantaku.rules import preset_names


def answers(game: Game, seed: int, steps: int) -> Iterator[Sequence[Event]]:
    """Play random legal actions and yield what ``play`` returns."""
    rng = Random(seed)
    while not game.is_over and len(game.played) < steps:
        seat = rng.choice(game.to_act)
        yield game.play(seat, rng.choice(game.legal(seat)))


def play_on(game: Game, seed: int, steps: int) -> None:
    """Play without reading any event."""
    for _ in answers(game, seed, steps):
        pass


def played(game: Game, seed: int, steps: int, *, read: bool) -> list[list[Event]]:
    """Return the events of each action, read at once (``read``) or at the end."""
    replies = answers(game, seed, steps)
    return [list(answer) for answer in (replies if read else list(replies))]


@pytest.mark.parametrize("preset", preset_names())
def test_events_read_late_are_the_same(preset: str) -> None:
    at_once, late = Game(preset, seed=5), Game(preset, seed=5)
    assert played(at_once, 5, 300, read=True) == played(late, 5, 300, read=False)
    assert at_once.events == late.events
    assert at_once.moves == late.moves
    assert len(late.moves) == len(late.played)


def test_play_returns_a_sequence_of_events() -> None:
    game = Game("tenhou", seed=1)
    before = len(game.events)
    answer = game.play(0, game.legal(0)[0])
    assert answer == game.events[before:]
    assert answer == list(answer)
    assert (len(answer), answer[0], answer[:1]) == (len(list(answer)), game.events[before], [answer[0]])
    assert answer != []
    assert repr(answer) == repr(list(answer))


def test_returned_events_do_not_change_as_the_game_goes_on() -> None:
    game = Game("tenhou", seed=2)
    first = game.play(0, game.legal(0)[0])
    play_on(game, 2, 40)
    end = game.moves[1][0]
    assert list(first) == game.events[game.moves[0][0] : end]


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_includes_unread_events(twin: Callable[[Game], Game]) -> None:
    unread, read = Game("tenhou", seed=3), Game("tenhou", seed=3)
    play_on(unread, 3, 50)
    played(read, 3, 50, read=True)
    again = twin(unread)
    again.play(seat := again.to_act[0], again.legal(seat)[0])
    assert again.events[: len(read.events)] == read.events == unread.events
    assert len(again.moves) == len(unread.moves) + 1 == 51


def test_an_error_while_creating_events_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game, read = Game("tenhou", seed=4), Game("tenhou", seed=4)
    played(read, 4, 20, read=True)
    play_on(game, 4, 20)
    whole, calls = Step.events, []

    def failing(step: Step) -> list[Event]:
        calls.append(step)
        if len(calls) == 10:
            raise RuntimeError("a bug")
        return whole(step)

    monkeypatch.setattr(Step, "events", failing)
    with pytest.raises(RuntimeError, match="a bug"):
        len(game.events)
    assert (game.events, game.moves) == (read.events, read.moves)
