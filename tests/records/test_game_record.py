"""Game files: replay gives identical bytes, and errors name the line of a changed file."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.native.compact import compact, expand
from jantaku.records.native.game_file import dumps, loads, read
from jantaku.records.sniff import content_of
from support.playing import played

PRESETS = ("standard", "bgm-2025-4", "tenhou-3")
STEPS = None if COMPILED else 60


@cache
def game_of(preset: str, seed: int) -> Game:
    return played(preset, seed, STEPS)


def same(one: Game, other: Game) -> bool:
    return (one.state, one.events, one.moves) == (other.state, other.events, other.moves)


@pytest.mark.parametrize("preset", PRESETS)
def test_replaying_gives_the_same_bytes(preset: str, tmp_path: Path) -> None:
    game, path = game_of(preset, 1), tmp_path / "game.jsonl"
    path.write_text(dumps(game), "utf-8")
    again = read(path)
    assert same(again, game)
    assert dumps(again) == path.read_text("utf-8")
    assert again.rules == game.rules
    short = expand(compact(game))
    assert same(short, game)


def test_given_walls_are_in_the_file() -> None:
    model = played("tenhou", 6, STEPS)
    game = Game("tenhou", walls=model.walls)
    for _, seat, action in model.moves:
        game.play(seat, action)
    assert game.state == model.state
    assert same(loads(dumps(game)), game)
    assert same(expand(compact(game)), game)
    assert game.events[0].to_dict().get("commitment") is None


def changed(rows: list[Any], code: str) -> int:
    """Change one line so that reading fails with ``code``; return its number."""
    if code == "record_version":
        rows[0]["jantaku"] = 99
        return 1
    if code == "record_rules":
        rows[0]["ruleset"]["riichi"]["deposit"] = 2000
        return 1
    if code == "record_commitment":
        rows[0]["commitment"] = "0" * 64
        return len(rows)
    if code == "record_opening":
        rows[-1]["opening"] = "xyz"
        return len(rows)
    if code == "record_action":
        index = next(i for i, row in enumerate(rows) if isinstance(row, list))
        rows[index][0] = 3
        return index + 1
    index = next(i for i, row in enumerate(rows) if isinstance(row, dict) and row.get("type") == "drew")
    rows[index]["tile"] = "1z" if rows[index]["tile"] != "1z" else "2z"
    return index + 1


@pytest.mark.parametrize(
    "code",
    [
        "record_version",
        "record_rules",
        "record_commitment",
        "record_opening",
        "record_action",
        "record_event",
    ],
)
def test_a_changed_file_is_refused(code: str) -> None:
    rows = [json.loads(line) for line in dumps(played("tenhou", 1, 30)).splitlines()]
    line = changed(rows, code)
    with pytest.raises(RecordError) as caught:
        loads("\n".join(json.dumps(row) for row in rows))
    assert caught.value.code == code
    assert caught.value.details["line"] == line
    assert str(line) in caught.value.message("ko")


@pytest.mark.parametrize("name", ["jantaku", "compact", "mjai", "tenhou", "mjlog"])
def test_an_oversized_record_is_refused_before_replay(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are untrusted, so the cost of reading one is limited, even when it is read as recorded."""
    text = formats.dumps(game_of("tenhou", 1), name).encode()
    acts = len(game_of("tenhou", 1).moves)
    assert formats.parse_record(text).game.moves
    monkeypatch.setattr("jantaku.game.game.MAX_MOVES", 25)

    def played(*_: object) -> None:
        raise AssertionError("the record was played")

    for name_of_play in ("jantaku.game.game.Game.play", "jantaku.records.mjlog.replay.LogTable.deal"):
        monkeypatch.setattr(name_of_play, played)
    for as_recorded in (False, True):
        with pytest.raises(RecordError) as caught:
            formats.read_content(content_of(text), as_recorded=as_recorded)
        assert (caught.value.code, "25" in str(caught.value), acts > 25) == ("record_long", True, True)


def test_a_missing_line_is_reported() -> None:
    lines = dumps(played("tenhou", 1, 30)).splitlines()
    for index in range(1, len(lines) - 1):
        with pytest.raises(RecordError) as caught:
            loads("\n".join(lines[:index] + lines[index + 1 :]))
        assert int(str(caught.value.details["line"])) >= index + 1


@pytest.mark.parametrize("text", ["", "{}", "nonsense", "[]\n[]", '{"jantaku":1}\n{"opening":null}', "3\n4"])
def test_invalid_game_files_are_refused(text: str) -> None:
    with pytest.raises(RecordError):
        loads(text)


@pytest.mark.parametrize("text", ["", "nonsense", "c$~ ~", "0" * 50])
def test_invalid_compact_games_are_refused(text: str) -> None:
    with pytest.raises(RecordError):
        expand(text)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        read(tmp_path / "none.jsonl")
