"""Saved games, watching bots, and the demo."""

from pathlib import Path

import pytest

from conftest import scale
from jantaku import terms
from jantaku.cli.bot_games import bot_names
from jantaku.errors import RequestError
from jantaku.game.fair_walls import new_seed, tile_set
from jantaku.records import mjlog
from jantaku.records.mjlog.wall import walls_from
from jantaku.records.mjlog.write import dumps_mjlog
from jantaku.records.native import game_file
from jantaku.rules import load
from jantaku.terms import LANGUAGES
from jantaku.tiles import RED, parse_tiles, sort_tiles
from support.playing import played
from support.terminal import run


def test_names_of_bots() -> None:
    assert bot_names("random", 3) == ["random"] * 3
    for wrong in ("nobody", "random,random"):
        with pytest.raises(RequestError):
            bot_names(wrong, 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_watch_prints_its_checks_and_counts(language: terms.Language, tmp_path: Path) -> None:
    rules = tmp_path / "short.toml"
    rules.write_text('extends = "bgm-2025"\n[match]\nlength = "east"\n', "utf-8")
    record = tmp_path / "game.jsonl"
    kind = "standard" if scale(10) == 10 else "random"
    result = run(
        *("watch", "--rules", rules, "--seed", "7", "--bots", kind, "--record", record), language=language
    )
    assert result.exit_code == 0, result.output
    game = game_file.read(record)
    assert game.is_over
    words = terms.table("play", language)
    for text in (words["scores"]["final_title"], words["watch"]["fair"], words["bot"].format(number=4)):
        assert text in result.stdout
    drawn = sum(1 for line in result.stdout.splitlines() if line.startswith(words["bot"].split("{")[0]))
    assert drawn >= sum(1 for event in game.events if event.type == "discarded")
    again = run("watch", "--record", str(record))
    assert again.exit_code == 2
    assert "game.jsonl" in again.stderr


def test_walls_of_a_real_game_use_the_tiles_of_the_ruleset(shared_data: Path) -> None:
    """The red tiles of the ruleset replace those of the log."""
    log = mjlog.read(shared_data / "tenhou-logs" / "2010081709gm-00a9-0000-fe3371ad.mjlog")
    for name, reds in (("bgm-2025", "3rm3rp3rs"), ("tenhou", "0m0p0s")):
        wall = next(walls_from(log, load(name), new_seed(1)))
        assert sort_tiles(tile for tile in wall if tile >= RED) == parse_tiles(reds)
    rules = load("bgm-2025")
    walls = walls_from(log, rules, new_seed(1))
    for hand in log.hands:
        wall = next(walls)
        assert sort_tiles(wall) == tile_set(rules)
        dealt = [tile // 4 for tile in hand.dealt[hand.dealer]]
        assert [tile % RED for tile in wall[0:4]] == dealt[0:4]
        assert wall[131] % RED == hand.dora // 4
    assert sort_tiles(next(walls)) == tile_set(rules)


def test_the_demo_needs_no_file() -> None:
    """The demo uses the included sample and a seeded bot game."""
    result = run("demo")
    assert result.exit_code == 0, result.output
    assert "sample-wins.jsonl" in result.stdout
    assert "seed committed to" in result.stdout


def test_the_demo_plays_on_the_walls_of_a_log(tmp_path: Path) -> None:
    """The log is a bot game in Tenhou's format."""
    log = tmp_path / "game.mjlog"
    log.write_text(dumps_mjlog(played("tenhou", 3)), "utf-8")
    result = run("demo", "--walls", str(log))
    assert result.exit_code == 0, result.output
    assert "game.mjlog" in result.stdout


def test_the_error_names_a_broken_log(tmp_path: Path) -> None:
    (tmp_path / "broken.mjlog").write_text("<", "utf-8")
    result = run("demo", "--walls", str(tmp_path / "broken.mjlog"))
    assert result.exit_code == 2
    assert "broken.mjlog" in result.stderr
