"""Python bots: error messages name the file and what is missing from it."""

import sys
from pathlib import Path

import pytest

from jantaku import Game, Hand, shanten
from jantaku.bots.python_bots import python_bot
from jantaku.errors import RequestError

CODE = """
import jantaku


class Good:
    def choose(self, game, seat):
        best = jantaku.best_discards(game.view(seat).own)[0].tile
        return next(one for one in game.legal(seat) if one.type == "discard" and one.tile == best)


class Bad:
    def choose(self, game, seat):
        return jantaku.best_discards(game.view(seat).hand)
"""


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "bot_of_mine.py").write_text(CODE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bot_of_mine", raising=False)
    return "bot_of_mine:{}"


def test_the_players_hand_in_a_view_can_be_analysed(names: str) -> None:
    game = Game("tenhou", seed=1)
    before = shanten(game.view(0).own)
    game.play(0, python_bot(names.format("Good"))().choose(game, 0))
    assert game.view(0).own == Hand(game.view(0).hand)
    assert shanten(game.view(0).own) == before


def test_an_error_of_a_bot_is_reported_with_its_file(names: str) -> None:
    game = Game("tenhou", seed=1)
    with pytest.raises(RequestError) as caught:
        python_bot(names.format("Bad"))().choose(game, 0)
    assert (caught.value.code, caught.value.details["value"]) == ("python_bot_failed", "bot_of_mine:Bad")
    assert "bot_of_mine.py" in caught.value.message("en")


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("bot_of_mine:Best", "bot_of_mine.Best"),
        ("bot_of_mine:", "bot_of_mine."),
        ("bot_of_mine:jantaku", "jantaku.choose(game, seat)"),
        ("no_such_module:Best", "no_such_module"),
        (":Best", "?"),
    ],
)
def test_missing_parts_of_a_bot_are_named(names: str, name: str, missing: str) -> None:
    with pytest.raises(RequestError) as caught:
        python_bot(name)
    assert caught.value.code == "no_python_bot"
    assert missing in str(caught.value.details["reason"])
