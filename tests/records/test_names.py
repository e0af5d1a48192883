"""The players' names stay with a game that is read and written."""

from itertools import product
from pathlib import Path

import pytest

import jantaku
from jantaku.game import Game
from jantaku.records import formats
from support.record_games import game_of

NAMES = ("Mina", "東 太郎", "준호", 'A "B" <c>')


@pytest.mark.parametrize(("first", "second"), list(product(formats.BY_NAME, repeat=2)))
def test_reading_and_writing_keeps_names(first: str, second: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    formats.write(game_of("tenhou", 3, 40), one, first, NAMES)
    game = jantaku.read(one)
    assert game.names == NAMES
    jantaku.write(game, two, second)
    assert formats.read_record(two).names == NAMES


@pytest.mark.parametrize("name", formats.BY_NAME)
def test_other_names_or_none_can_be_given(name: str) -> None:
    content = formats.dumps(game_of("tenhou", 3, 40), name, NAMES).encode()
    game = formats.parse_record(content).game
    assert formats.parse_record(formats.dumps(game, name, list("abcd")).encode()).names == tuple("abcd")
    assert not {*NAMES} & {*formats.parse_record(formats.dumps(game, name, ()).encode()).names}


def test_a_new_game_has_no_names() -> None:
    assert Game("tenhou", seed=1).names == ()
