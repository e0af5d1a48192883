"""Conversion preserves the recorded game and refuses impossible games."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.game import Event, Game
from jantaku.game.events import DoraTurned
from jantaku.game.recorded import RecordedGame
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from support.record_games import comparable_events, game_of

MJAI = Path(__file__).parents[1] / "data" / "east-1.mjai"
WITH_RESULTS = ("mjlog", "tenhou", "mjai")
games = pytest.mark.skipif(not COMPILED, reason="whole games")


def converted(text: str, target: str, folder: Path) -> tuple[Game, str]:
    source = folder / "record"
    source.write_text(text, "utf-8")
    record = formats.read_to_convert(source, target)
    return record.game, formats.dumps(record.game, target, record.names)


def without_indicators(game: Game) -> list[Event]:
    """Return the events without indicators; tenhou.net/6 does not state when they are turned."""
    return [event for event in comparable_events(game) if not isinstance(event, DoraTurned)]


@games
@pytest.mark.slow
@pytest.mark.parametrize("target", [row.name for row in formats.FORMATS if row.write])
@pytest.mark.parametrize("source", WITH_RESULTS)
@pytest.mark.parametrize(("rules", "steps"), [("tenhou", None), ("tenhou-3", None), ("m-league", 150)])
def test_converted_records_agree_with_the_rules(
    rules: str, steps: int | None, source: str, target: str, tmp_path: Path
) -> None:
    """Replaying a converted record gives the same game as the original."""
    text = formats.dumps(game_of(rules, 3, steps), source)
    _, written = converted(text, target, tmp_path)
    again, wanted = (formats.parse_record(data.encode()).game for data in (written, text))
    assert without_indicators(again) == without_indicators(wanted)
    assert again.scores == wanted.scores


@pytest.mark.parametrize(
    ("draw", "shown"),
    [
        ("九種九牌", [0]),
        ("四家立直", [0, 1, 2, 3]),
        ("四風連打", []),
        ("四槓散了", []),
        ("全員聴牌", [0, 1, 2, 3]),
        ("全員不聴", []),
    ],
)
def test_draws_keep_their_kind(draw: str, shown: list[int], tmp_path: Path) -> None:
    _, text = converted(MJAI.read_text("utf-8"), "tenhou", tmp_path)
    data = json.loads(text)
    hand = data["log"][0]
    hand[5:16:3] = hand[5][:1], [], [], []
    hand[6:16:3] = [[]] * 4 if draw == "九種九牌" else [[60], [], [], []]
    hand[16] = [draw, [0, 0, 0, 0]]
    for target in WITH_RESULTS:
        game, written = converted(json.dumps(data), target, tmp_path)
        assert isinstance(game, RecordedGame)
        (end,) = (event for event in game.events if event.type == "hand_drawn")
        assert [seat for seat, tiles in enumerate(end.hands) if tiles] == shown
        again, _ = converted(written, "mjai", tmp_path)
        assert next(event for event in again.events if event.type == "hand_drawn").kind == end.kind


def changed(kind: str, change: Callable[[dict[str, Any]], object], nth: int = 0) -> str:
    """Return the log with one message of the given type changed."""
    rows = [json.loads(line) for line in MJAI.read_text("utf-8").splitlines()]
    change([row for row in rows if row["type"] == kind][nth])
    return "\n".join(map(json.dumps, rows))


def without_line(kind: str) -> str:
    lines = MJAI.read_text("utf-8").splitlines()
    lines.remove(next(line for line in lines if f'"{kind}"' in line))
    return "\n".join(lines)


IMPOSSIBLE = {
    "a discard that is not held": (
        changed("dahai", lambda row: row.update(pai="9p")),
        4,
        "does not hold 9p",
    ),
    "a discard before the draw": (without_line("tsumo"), 3, "another seat's turn"),
    "two draws": (
        changed("dahai", lambda row: row.update(type="tsumo", actor=1), 2),
        8,
        "another seat's turn",
    ),
    "tiles of a call that are not held": (
        changed("pon", lambda row: row.update(actor=0)),
        19,
        "does not hold 66z",
    ),
    "a chi that is not a run": (
        changed("chi", lambda row: row.update(consumed=["3s", "5sr"])),
        5,
        "not a run",
    ),
    "a call of another tile": (changed("chi", lambda row: row.update(pai="5s")), 5, "5s from seat 0 cannot"),
    "a call from another seat": (changed("pon", lambda row: row.update(target=2)), 19, "from seat 2 cannot"),
    "a win from another seat": (changed("hora", lambda row: row.update(target=3)), 31, "from seat 3 cannot"),
    "a fifth copy": (
        changed("start_kyoku", lambda row: row["tehais"].__setitem__(3, ["E"] * 13)),
        2,
        "no more 1z",
    ),
    "a red five too many": (changed("tsumo", lambda row: row.update(pai="5pr"), -1), 29, "no more 0p"),
    "a kan without its tiles": (
        changed("dahai", lambda row: row.update(type="ankan", consumed=["E"] * 4)),
        4,
        "does not hold 1111z",
    ),
    "a kan without its pon": (
        changed("dahai", lambda row: row.update(type="kakan", consumed=["2s"] * 3)),
        4,
        "no pon of 2s",
    ),
    "a turn after the end": (
        changed("end_kyoku", lambda row: row.update(type="tsumo", actor=3, pai="9p")),
        32,
        "after its end",
    ),
    "half a line": (MJAI.read_text("utf-8")[:-8], 32, "Line 32"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_play_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, line, reason = IMPOSSIBLE[name]
    with pytest.raises(RecordError, match=re.escape(reason)) as caught:
        converted(text, "mjai", tmp_path)
    assert caught.value.details["line"] == line


@pytest.mark.parametrize(("source", "place"), [("tenhou", "Hand 1, discards 2"), ("mjlog", "hand 1: ")])
def test_errors_name_positions_of_the_source_format(source: str, place: str, tmp_path: Path) -> None:
    _, text = converted(MJAI.read_text("utf-8"), source, tmp_path)
    wrong = (
        re.sub("<D[0-9]+/>", "<D100/>", text, count=1)
        if source == "mjlog"
        else text.replace(",41,18]", ",41,29]")
    )
    assert wrong != text
    with pytest.raises(RecordError, match="does not hold") as caught:
        converted(wrong, "mjai", tmp_path)
    assert place in caught.value.message("en")


def test_a_tenhou_log_that_stops_within_a_tag_is_not_converted(tmp_path: Path) -> None:
    """Other commands read such a log up to the cut; a log that stops between two tags is converted."""
    _, text = converted(MJAI.read_text("utf-8"), "mjlog", tmp_path)
    cut = text[: text.index("<AGARI") + 20]
    assert formats.parse_record(cut.encode()).game.events
    with pytest.raises(RecordError, match="is not valid XML at line 2"):
        converted(cut, "mjai", tmp_path)
    game, _ = converted(text[: text.index("<AGARI")], "mjai", tmp_path)
    assert game.events[-1].type == "discarded"


def test_omitted_fields_are_derived_from_the_rules(tmp_path: Path) -> None:
    for text in (
        changed("hora", lambda row: row.pop("deltas")),
        changed("start_kyoku", lambda row: row.pop("scores")),
    ):
        game, written = converted(text, "mjai", tmp_path)
        assert game.follows_rules
        assert written == converted(MJAI.read_text("utf-8"), "mjai", tmp_path)[1]


def test_points_of_other_rules_are_preserved(tmp_path: Path) -> None:
    """A win under other rules keeps its points in every format, though mjai cannot name its yaku."""
    text = changed("hora", lambda row: row.update(deltas=[0, 2300, -2300, 0]))
    for target in WITH_RESULTS:
        game, written = converted(text, target, tmp_path)
        assert game.scores == (25000, 27300, 22700, 25000)
        assert converted(written, "mjai", tmp_path)[0].scores == game.scores
    with pytest.raises(RecordError, match="disagree"):
        converted(text, "compact", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("source", WITH_RESULTS)
def test_no_compiler_is_imported(source: str, tmp_path: Path) -> None:
    """The compiler is not imported, however many records are converted."""
    _, text = converted(MJAI.read_text("utf-8"), source, tmp_path)
    for number in range(60):
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / f"{number}.log").write_text(text, "utf-8")
    (tmp_path / "numba.py").write_text("raise AssertionError('imported')", "utf-8")
    path = os.pathsep.join((str(tmp_path), *filter(None, sys.path)))
    for target in ("mjai",) if source == "mjai" else ("tenhou",):
        command = [sys.executable, "-m", "jantaku", "convert", "logs", target, "--to", target]
        environment = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0"}
        subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env=environment)
        assert len(list((tmp_path / target).iterdir())) == 60
