"""What local yaku see: red tiles, and a discard that follows a kan; in games and in single hands."""

from typing import Any

import pytest

from jantaku import HandError, Ruleset, Win, load_file, score
from jantaku.errors import RequestError
from jantaku.game.wins import wins_of
from jantaku.terms import LANGUAGES
from support.scoring import answer, full
from support.table import Table

CODE = """
from jantaku.kernels.win import KAN_DISCARD
from jantaku.rules.local import yaku


@yaku("kanburi", closed=1, open=1, name={"ja": "槓振り", "ko": "깡버림", "en": "Discard after a kan"})
def kanburi(b):
    return b.flags & KAN_DISCARD != 0


@yaku("all_reds", closed=2, open=2, name={"en": "Three reds"})
def all_reds(b):
    return b.reds == 3


@yaku("red_pin", closed=1, open=1, name={"en": "Red pin"})
def red_pin(b):
    return b.red & 1 << 13 != 0
"""
KAN = "111m456p789s99p24s"
WAITS_5P = "234m678m123s44z46p"


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("local")
    (folder / "own.py").write_text(CODE, "utf-8")
    (folder / "club.toml").write_text('[local]\nfile = "own.py"\n[riichi]\ndouble = false\n')
    return load_file(folder / "club.toml")


def yaku_of(table: Table) -> list[set[str]]:
    """The yaku of each win of the hand, as the scores that the game tells have them."""
    return [set(own.yaku) for own, _ in wins_of(table.game, table.rules)]


# the draws, the rinshan tile, what is played up to the discard, and the yaku of South's ron
GAMES: list[tuple[str, str, tuple[str, ...], set[str]]] = [
    ("1m", "5p", ("E ankan 1m", "E discard 5p", "S ron"), {"kanburi"}),
    ("1m", "0p", ("E ankan 1m", "E discard 0p", "S ron"), {"kanburi", "red_pin", "red_dora"}),
    ("1m 6z 7z 6z 0p", "5z", ("E ankan 1m", "E discard 5z", "S discard 6z", "W discard 7z", "N discard 6z",
                             "E discard 0p", "S ron"), {"red_pin", "red_dora"}),
]  # fmt: skip


@pytest.mark.parametrize(("draws", "rinshan", "plays", "yaku"), GAMES)
def test_a_game_tells_local_yaku_what_they_need(
    rules: Ruleset, draws: str, rinshan: str, plays: tuple[str, ...], yaku: set[str]
) -> None:
    table = Table(rules, {"E": KAN, "S": WAITS_5P}, draws, rinshan=rinshan, indicators="9m9m", ura="9m9m")
    assert yaku_of(table.play(*plays)) == [yaku]


def test_a_discard_before_the_kan_or_much_later_does_not_follow_it(rules: Ruleset) -> None:
    table = Table(rules, {"E": KAN, "S": WAITS_5P}, "1m 6z 7z 6z 5p", rinshan="5z", indicators="9m9m")
    table.play("E ankan 1m", "E discard 5z", "S discard 6z", "W discard 7z", "N discard 6z", "E discard 5p")
    assert "ron" not in table.legal("S")


@pytest.mark.slow
def test_the_red_tiles_of_melds_and_of_the_tile_won_count(rules: Ruleset) -> None:
    """South calls 340m and 055p and rons the red five of sou; two reds lie in melds."""
    table = Table(rules, {"E": "3m5p0s", "S": "40m05p789p46s44z66z"}, "1z 2z 3z 1z 2z", indicators="9m9m")
    table.play("E discard 3m", "S chi 40m", "S discard 6z", "-", "-", "E discard 5p", "S pon 05p")
    table.play("S discard 6z", "-", "-", "E discard 0s", "S ron")
    assert yaku_of(table) == [{"all_reds", "red_pin", "red_dora"}]


SINGLE: list[tuple[dict[str, Any], set[str]]] = [
    ({"hand": WAITS_5P, "win": "5p", "kan_discard": True}, {"kanburi"}),
    ({"hand": WAITS_5P, "win": "0p"}, {"red_pin", "red_dora"}),
    ({"hand": "234m067m340s44z46p", "win": "0p"}, {"all_reds", "red_pin", "red_dora"}),
    ({"hand": "234m067m340s44z46p", "win": "5p", "kan_discard": True}, {"kanburi", "red_dora"}),
    ({"hand": "234m44z46p340s", "win": "0p", "melds": [{"type": "chi", "tiles": "067m"}]},
     {"all_reds", "red_pin", "red_dora"}),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "yaku"), SINGLE)
def test_single_hands_tell_the_same(rules: Ruleset, request_: dict[str, Any], yaku: set[str]) -> None:
    assert set(answer(full(request_), rules)["yaku"]) == yaku


def test_without_what_it_needs_the_yaku_is_not_there(rules: Ruleset) -> None:
    with pytest.raises(HandError, match="no yaku"):
        score(Win.parse(f"{WAITS_5P} 5p"), rules)


@pytest.mark.parametrize("other", [{"tsumo": True}, {"chankan": True}])
def test_a_discard_after_a_kan_is_won_on_by_ron(other: dict[str, bool]) -> None:
    with pytest.raises(RequestError) as caught:
        Win.parse(f"{WAITS_5P} 5p", kan_discard=True, **other)  # type: ignore[arg-type]
    assert caught.value.code == "clash_kan_discard"
    assert all("kan_discard" in caught.value.message(language) for language in LANGUAGES)
