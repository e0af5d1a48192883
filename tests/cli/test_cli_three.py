"""Three-player games in the command line."""

import pytest

from jantaku.cli.explanation import event_in_words
from jantaku.cli.watch import GameFrames
from jantaku.game import Game
from jantaku.game.events import Called
from jantaku.hand import Meld
from support.terminal import run


def test_a_call_names_the_discarder() -> None:
    """The previous player sits on the left, with three players as with four."""
    chi = Called(2, Meld.parse("chi", "345p", "3p", "left"))
    said = event_in_words(chi, ["Ann", "Bea", "Cho"])
    assert "Bea" in said
    assert "Ann" not in said


def test_a_three_player_replay_has_three_names() -> None:
    assert len(GameFrames(Game("standard-3", seed=1)).names) == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [("shanten 19m1367p2468s114z5z", 0), ("shanten 234m1367p2468s114z", 2), ("waits 234567p22s45678s", 0)],
)
def test_analyses_consider_only_tiles_of_the_rules(words: str, code: int) -> None:
    plain, three = run(*words.split()), run(*words.split(), "--rules", "standard-3")
    assert (plain.exit_code, three.exit_code) == (0, code)
    assert ("123789m" in plain.stdout) == (words.startswith("shanten 19m"))
    assert "123789m" not in three.stdout


@pytest.mark.parametrize(
    ("option", "named"),
    [("--left 1z --across 2p", "across"), ("--seat north", "match.players"), ("--number 4", "number")],
)
def test_the_lab_refuses_seats_missing_in_three_player_games(option: str, named: str) -> None:
    hand = "lab hand 19m1367p2468s114z5z --rules standard-3 --games 2"
    result = run(*hand.split(), *option.split())
    assert result.exit_code == 2
    assert named in result.stderr


@pytest.mark.parametrize("yaku", ["iipeikou", "ittsu"])
def test_a_yaku_is_shown_with_a_hand_that_the_rules_allow(yaku: str) -> None:
    result = run("yaku", yaku, "--rules", "standard-3")
    assert "Example under “Standard, three players”" in result.stdout
