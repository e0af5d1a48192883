"""Round trips: events, rules, names and the starting hand survive writing and reading."""

import json
import pickle
from pathlib import Path

import pytest

import jantaku
from jantaku.game import Game, Standing
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import Ruleset, load
from support.majiang_writer import majiang_of
from support.playing import played
from support.record_games import comparable_events, game_of, real_games, without_mark

STEPS = None if COMPILED else 60
PRESETS = (
    "bgm-2025",
    "m-league",
    "wrc",
    "mahjongsoul",
    "bgm-2025-red7",
    "tenhou-3",
    "mahjongsoul-3",
    "korea-3",
)
NAMES = ("Mina", "東 太郎", "준호", 'A "B" & <c>')
OURS = load("bgm-2025").with_changes({
    "riichi.open": True, "riichi.deposit": 500, "tiles.red": {"3m": 1, "3p": 2, "3s": 1},
}, name="ours")  # fmt: skip


def read_back(game: Game, name: str, rules: Ruleset | None = None) -> Game:
    names = NAMES[: len(game.seats)]
    record = formats.parse_record(formats.dumps(game, name, names).encode(), rules)
    assert (record.format, record.names) == (name, names)
    assert comparable_events(record.game) == comparable_events(game)
    assert (record.game.rules, record.game.rules.id) == (game.rules, game.rules.id)
    assert record.game.standing == game.standing
    return record.game


@pytest.mark.parametrize("name", formats.BY_NAME)
@pytest.mark.parametrize("rules", ["tenhou", *(pytest.param(it, marks=pytest.mark.slow) for it in PRESETS)])
def test_a_whole_game(rules: str, name: str) -> None:
    read_back(game_of(rules, 3, STEPS), name)


@pytest.mark.parametrize("name", formats.BY_NAME)
def test_partial_games_and_house_rules(name: str) -> None:
    for steps in (0, 1, 7, 30, 51, 90):
        read_back(game_of("tenhou", 5, steps), name)
    read_back(played(OURS, 3, 40), name)
    standing = Standing(2, 1, 1, (20_000, 30_000, 24_000, 25_000))
    begun = read_back(Game("tenhou", seed=3, standing=standing), name)
    assert begun.restarted().scores == standing.scores
    assert begun == begun.copy() == pickle.loads(pickle.dumps(begun))


@pytest.mark.skipif(not COMPILED, reason="35 whole games")
@pytest.mark.slow
def test_real_games(shared_data: Path) -> None:
    """Each game is written in every format, and as a Tenhou log that is checked move by move."""
    games = real_games(shared_data / "tenhou-logs")
    assert len(games) == 35
    for game in games.values():
        for name in formats.BY_NAME:
            read_back(game, name)
        log = without_mark(formats.dumps(game, "mjlog"))
        assert comparable_events(formats.parse_record(log.encode()).game) == comparable_events(game)


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
@pytest.mark.parametrize("name", [*formats.BY_NAME, "majiang"])
def test_names_survive_conversion_and_can_be_changed(name: str, rules: str, tmp_path: Path) -> None:
    game = game_of(rules, 3, 40)
    names = NAMES[: len(game.seats)]
    if name != "majiang":
        formats.write(game, tmp_path / "one", name, names)
    elif rules == "tenhou":
        (tmp_path / "one").write_text(json.dumps(majiang_of(game, names), ensure_ascii=False), "utf-8")
    else:
        pytest.skip("Majiang has four players")
    game = jantaku.read(tmp_path / "one")
    assert game.names == names
    for other in formats.BY_NAME:
        jantaku.write(game, tmp_path / "two", other)
        again = jantaku.read(tmp_path / "two")
        assert again.names == names
        assert {it.names for it in (again.copy(), again.restarted(), pickle.loads(pickle.dumps(again)))} == {
            names
        }
    if name not in formats.BY_NAME:
        return
    others = tuple("abcd"[: len(names)])
    assert formats.parse_record(formats.dumps(game, name, others).encode()).names == others
    assert not {*names} & {*formats.parse_record(formats.dumps(game, name, ()).encode()).names}
