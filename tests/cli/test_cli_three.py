"""What the command line says of a game of three."""

from jantaku.cli.event_words import event_in_words
from jantaku.cli.frames import GameFrames
from jantaku.game import Game
from jantaku.game.events import Called
from jantaku.hand import Meld


def test_a_call_names_the_seat_that_discarded() -> None:
    """The player before is ``across`` among three, and ``left`` among four."""
    chi = Called(2, Meld.parse("chi", "345p", "3p", "across"))
    said = event_in_words(chi, ["Ann", "Bea", "Cho"])
    assert "Bea" in said
    assert "Ann" not in said


def test_a_film_of_three_has_three_names() -> None:
    assert len(GameFrames(Game("standard-3", seed=1)).names) == 3
