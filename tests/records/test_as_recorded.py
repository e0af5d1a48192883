"""Games that break their rules can be watched and converted as recorded; the difference is reported."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conftest import SEATS
from jantaku.cli.app import app
from jantaku.cli.watch import GameFrames
from jantaku.errors import IllegalActionError, RecordError
from jantaku.game import Game, Pass
from jantaku.game.engine import concealed, melds
from jantaku.game.events import DoraTurned, GameEnded, HandStarted, Won
from jantaku.game.recorded import RecordedGame
from jantaku.game.view import river
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.as_recorded import recorded_game
from jantaku.records.sniff import content_of
from support.record_games import comparable_events, game_of, without_mark

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")
FORMATS = ("tenhou", "mjlog", "mjai")


def recorded(text: str) -> RecordedGame:
    """Return the game as recorded, whether or not it differs from the rules."""
    content = content_of(text.encode())
    format_ = formats.format_in(content)
    assert format_ is not None
    assert format_.read_logged is not None
    return recorded_game(format_.read_logged(content, None))


def visible_tiles(game: Game) -> list[Any]:
    """Return the hand, melds and river of each seat."""
    record = game.record
    return [(concealed(record, seat), melds(record, seat), river(record, seat)) for seat in SEATS]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.slow
def test_an_agreeing_game_reads_the_same_either_way(format_: str, seed: int) -> None:
    """Reading the game as recorded gives the same events and the same table as the engine."""
    game = game_of("tenhou", seed)
    as_recorded = recorded(formats.dumps(game, format_))
    sides = (game, as_recorded)
    turned = [sum(isinstance(event, DoraTurned) for event in comparable_events(side)) for side in sides]
    assert turned[0] == turned[1]
    ours, theirs = (  # a record need not state when indicators were turned
        [event for event in comparable_events(side) if not isinstance(event, DoraTurned)] for side in sides
    )
    for one, other in zip(ours, theirs, strict=True):
        if one.type not in ("won", "hand_drawn", "game_ended"):
            assert one == other
    if format_ != "mjai":
        for one, other in zip(ours, theirs, strict=True):
            if isinstance(one, Won) and isinstance(other, Won):
                same = ("points", "payments")
                assert {name: getattr(one.score, name) for name in same} == {
                    name: getattr(other.score, name) for name in same
                }
                assert (one.tile, one.hand, one.ura) == (other.tile, other.hand, other.ura)
    replayed, engine, index = as_recorded.restarted(), game.restarted(), 0
    for _, seat, action in game.moves:
        if index < len(as_recorded.moves) and (seat, action) == as_recorded.moves[index][1:]:
            assert visible_tiles(replayed) == visible_tiles(engine)
            replayed.play(seat, action)
            index += 1
        engine.play(seat, action)
    assert index == len(as_recorded.moves)


def doubled_payments(text: str) -> str:
    """Double the payments of a hand, so that the points of later hands do not add up."""
    data = json.loads(without_mark(text))
    hand = next(hand for hand in data["log"] if hand[16][0] == "和了")
    hand[16][1] = [delta * 2 for delta in hand[16][1]]
    return json.dumps(data)


def with_an_unknown_yaku(text: str) -> str:
    data = json.loads(without_mark(text))
    hand = next(hand for hand in data["log"] if hand[16][0] == "和了")
    hand[16][2].append("十二落抬(1飜)")
    return json.dumps(data)


def other_scores(text: str) -> str:
    data = json.loads(without_mark(text))
    for hand in data["log"][2:]:
        hand[1] = [score + 100 for score in hand[1]]
    return json.dumps(data)


def with_a_wrong_final_result(text: str) -> str:
    data = json.loads(without_mark(text))
    data["sc"][1] += 1.7
    return json.dumps(data)


@pytest.mark.parametrize("change", [with_an_unknown_yaku, with_a_wrong_final_result])
@pytest.mark.slow
def test_a_differing_game_is_converted_as_recorded(change: Callable[[str], str], tmp_path: Path) -> None:
    text = change(formats.dumps(game_of("tenhou", 3), "tenhou"))
    source, target = tmp_path / "a.json", tmp_path / "b.json"
    source.write_text(text)
    with pytest.raises(RecordError, match="disagree"):
        formats.read(source)
    result = CliRunner().invoke(app, ["convert", str(source), str(target)])
    assert result.exit_code == 0, result.output
    before, after = json.loads(text), json.loads(target.read_text())
    for one, other in zip(before["log"], after["log"], strict=True):
        assert one[:4] == other[:4]
        assert one[4:16] == other[4:16] or [sorted(map(str, part)) for part in one[4:16:3]]
        assert one[16][1] == other[16][1]
    assert before["sc"][:8:2] == after["sc"][:8:2]
    assert before["sc"][1:8:2] == pytest.approx(after["sc"][1:8:2])
    refused = CliRunner().invoke(app, ["convert", str(source), str(tmp_path / "c.jsonl")])
    assert refused.exit_code == 2
    assert "disagree" in refused.stderr


@pytest.mark.parametrize("change", [doubled_payments, other_scores])
@pytest.mark.slow
def test_points_that_do_not_add_up_are_refused(change: Callable[[str], str], tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text(change(formats.dumps(game_of("tenhou", 3), "tenhou")))
    result = CliRunner().invoke(app, ["convert", str(source), str(tmp_path / "b.mjai")])
    assert result.exit_code == 2
    assert re.search(r"Hand \d+, round: .*after the previous hands", result.stderr), result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_a_differing_game_is_replayed_to_its_end(format_: str, tmp_path: Path) -> None:
    written = formats.dumps(game_of("tenhou", 3), format_)
    text = without_mark(written) if format_ == "mjlog" else written
    changed = {
        "tenhou": lambda: doubled_payments(written),
        "mjlog": lambda: re.sub(r'ten="(\d+),\d+,', r'ten="\1,123400,', text, count=1),
        "mjai": lambda: text.replace('"deltas":[', '"deltas":[7,', 1).replace(",0]", "]", 1),
    }[format_]()
    source = tmp_path / "game"
    source.write_text(changed)
    with pytest.raises(RecordError):
        formats.read(source)
    record = formats.read_record(source, as_recorded=True)
    assert record.difference is not None
    film = GameFrames(record.game, record.names)
    hands = sum(isinstance(event, HandStarted) for event in record.game.events)
    assert (
        film.frames[-1].hand
        == hands
        == sum(isinstance(e, HandStarted) for e in comparable_events(game_of("tenhou", 3)))
    )
    shown = CliRunner().invoke(app, ["replay", str(source), "--all", "--as-recorded"])
    assert shown.exit_code == 0, shown.output


def test_an_as_recorded_game_cannot_be_written_as_a_rules_game() -> None:
    game = recorded(formats.dumps(game_of("tenhou", 3), "tenhou"))
    assert not game.follows_rules
    assert isinstance(game.events[-1], GameEnded)
    start = game.restarted()
    seat = start.to_act[0]
    with pytest.raises(IllegalActionError):
        start.play((seat + 1) % 4, Pass())
    for name in ("jantaku", "compact"):
        with pytest.raises(RecordError) as caught:
            formats.dumps(game, name)
        assert caught.value.code == "record_as_recorded"
