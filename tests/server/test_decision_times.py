"""The times that people take on their turns: stored for people alone, in milliseconds, for no call."""

from jantaku.game import Game
from jantaku.rules.options import ClockOptions
from jantaku.server.play.clock import Clocks


def test_a_turn_is_timed_and_a_call_is_not() -> None:
    game, clocks = Game("tenhou", seed=1), Clocks(ClockOptions())
    clocks.ask(game, 10.0)
    (seat,) = game.to_act
    assert clocks.took(seat, 12.3456) == 2346
    assert clocks.took((seat + 1) % 4, 12.0) is None
    clocks.calling = True
    assert clocks.took(seat, 12.0) is None
