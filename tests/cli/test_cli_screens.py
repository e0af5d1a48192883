"""What the terminal shows while playing: the table, the hand, the hints."""

from typing import Any

import pytest

from conftest import scale
from jantaku import terms
from jantaku.bots import bot
from jantaku.cli.hand_drawing import ascii_tiles
from jantaku.cli.play.hints import hints, seen
from jantaku.cli.play.prompt import Prompt
from jantaku.cli.play.screen import Scene, keys_line, table_screen
from jantaku.cli.play.session import seat_names
from jantaku.cli.table_view import table_view
from jantaku.game import Game
from jantaku.game.engine import concealed, melds
from jantaku.rules import load
from jantaku.seats import seat_wind
from jantaku.terms import LANGUAGES, Language
from jantaku.tiles import counts, format_tiles
from support.terminal import HEIGHT, WIDTH, pressed, written


def screen_of(prompt: Prompt, game: Game, *, height: int = HEIGHT, **scene: Any) -> str:
    names = seat_names([True, *[False] * (len(game.scores) - 1)])
    drawn = Scene(0, names, prompt, height=height, keys=keys_line(prompt), **scene)
    return written(table_screen(game, drawn), height=height)


@pytest.mark.parametrize("rules", ["bgm-2025", "standard-3"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_fits_a_small_terminal(language: terms.Language, rules: str) -> None:
    with terms.using(language):
        game = Game(rules, seed=4)
        prompt = Prompt.of(game.view(0))
        lines = screen_of(prompt, game, log=["  a", "  b"]).splitlines()
    assert len(lines) == HEIGHT
    assert max(cells(line) for line in lines) <= WIDTH
    assert "Enter" in lines[-1]
    assert "▲▲" in "".join(lines)


def cells(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line.rstrip())


@pytest.mark.parametrize(("rules", "across"), [("standard", 1), ("standard-3", 0)])
def test_players_sit_where_they_play(rules: str, across: int) -> None:
    """The next player at the right, the last one at the left, and nothing is drawn for nobody."""
    game = Game(rules, seed=4)
    with terms.using("en"):
        lines = written(
            table_view(game, 0, ["Me", "Next", *["Across"] * across, "Last"], own=False)
        ).splitlines()
    rivers = lines[: lines.index("", 2)]
    beside = next(line for line in rivers if "Next" in line)
    assert beside.index("Last") < WIDTH // 3 < 2 * WIDTH // 3 < beside.index("Next")
    me = next(i for i, line in enumerate(rivers) if "Me" in line)
    assert me > rivers.index(beside)
    assert sum("Across" in line for line in rivers) == across
    assert rivers[2].strip()  # no empty lines above


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_line_says_who_has_wareme(language: Language) -> None:
    rules = load("standard").with_changes({"score.wareme": "hand"})
    with terms.using(language):
        plain, asked = (
            written(table_view(Game(ruleset, seed=5), 0)).splitlines() for ruleset in ("standard", rules)
        )
        broken = Game(rules, seed=5).view(0).wareme
        assert broken is not None
        wind = terms.text(f"drawn_table.wind_letter.{seat_wind(broken, 0, 4)}")
        said = terms.text("drawn_table.wareme", wind=wind)
    assert asked[0].rstrip() == f"{plain[0].rstrip()}  {said}"
    assert cells(asked[0]) <= WIDTH


def test_the_cursor_is_under_the_tile() -> None:
    game = Game("bgm-2025", seed=4)
    prompt = Prompt.of(game.view(0))
    for keys in ((), ("home",), ("home", "right", "right")):
        at = pressed(prompt, *keys)
        lines = screen_of(at, game).splitlines()
        row = next(i for i, line in enumerate(lines) if "▲" in line)
        assert cells(lines[row][: lines[row].index("▲")] + ".") == 2 + 3 * at.cursor + 2 * (at.cursor == 13)


def test_other_hands_stay_hidden() -> None:
    """The same screen for two games that differ only in what the player cannot see."""
    game = Game("tenhou", seed=4)
    walls = [list(game.walls[0])]
    mine = set(range(4)) | set(range(16, 20)) | set(range(32, 36)) | {48, 52, 131}
    rest = [place for place in range(136) if place not in mine]
    tiles = [walls[0][place] for place in rest]
    for index, tile in zip(rest, reversed(tiles), strict=True):
        walls[0][index] = tile
    other = Game("tenhou", walls=walls)
    shown = [screen_of(Prompt.of(g.view(0)), g) for g in (game, other)]
    assert shown[0] == shown[1]
    assert concealed(game.record, 1) != concealed(other.record, 1)


def test_plain_tiles_need_no_kanji() -> None:
    game = Game("bgm-2025", seed=4)
    prompt = Prompt.of(game.view(0))
    with ascii_tiles():
        text = screen_of(prompt, game)
    assert not set(text) & set("萬筒索東南西北發中▒")
    assert format_tiles([prompt.tiles[0]]) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_name_the_best_discard(language: terms.Language) -> None:
    with terms.using(language):
        game = Game("tenhou", seed=6)
        prompt = Prompt.of(game.view(0))
        said = [line.plain for line in hints(game, prompt)]
    assert len(said) >= 3
    assert terms.table("play", language)["hint"]["bot"] in said[0]


def test_hints_weigh_danger_and_claims() -> None:
    """Against a riichi some discards cost more than others; a claim shows the distance of the hand."""
    game = Game("bgm-2025", seed=1)
    players = [bot("efficient", seed=other) for other in range(4)]
    asked: set[str] = set()
    for _ in range(scale(600)):
        if game.is_over:
            break
        seat = game.to_act[0]
        view = game.view(seat)
        prompt = Prompt.of(view)
        if prompt.is_claim or any(view.riichi):
            said = " ".join(line.plain for line in hints(game, prompt))
            asked.add("claim" if prompt.is_claim else "danger" if "danger" in said else "safe")
            assert terms.text("play.hint.bot", "en") in said
        game.play(seat, players[seat].choose(game, seat))
    assert asked == {"claim", "danger", "safe"} or scale(10) < 10


def test_seen_tiles_are_each_counted_once() -> None:
    """Open tiles, the own hand and the own melds never add up to five tiles of a kind."""
    game = Game("bgm-2025", seed=9)
    players = [bot("efficient", seed=other) for other in range(4)]
    for _ in range(scale(300)):
        seat = game.to_act[0]
        view = game.view(seat)
        own = [tile for meld in melds(game.record, seat) for tile in meld.tiles]
        known = counts([*concealed(game.record, seat), *own, *seen(view)])
        assert max(known) <= 4
        game.play(seat, players[seat].choose(game, seat))
        if game.is_over:
            break
    assert game.moves
