"""Real Tenhou logs: file names, layouts, disconnected players, parts of games, and chips."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku.cli.app import app
from jantaku.game import Event, Game
from jantaku.game.events import HandStarted, Won
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.mjlog.write import dumps_mjlog
from jantaku.records.native.game_file import loads
from jantaku.rules import load
from jantaku.server.archive.logs import StoredLog, read_log
from jantaku.server.archive.replay import ReplayGame, replay
from support.playing import played
from support.record_games import comparable_events, game_of, without_mark

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")
NAMES = ("A", "B", "C", "D")


def plain(seed: int = 3) -> str:
    """Return a game as Tenhou would write it, without Jantaku's mark."""
    text = dumps_mjlog(game_of("tenhou", seed), NAMES)
    return without_mark(text).replace("\n", "")


def from_hand(text: str, hand: int) -> str:
    """Return the log without the hands before ``hand``."""
    start = [match.start() for match in re.finditer("<INIT", text)][hand]
    return text[: text.index("<INIT")] + text[start:]


def events(text: str | bytes) -> list[Event]:
    data = text if isinstance(text, bytes) else text.encode()
    return comparable_events(formats.parse_record(data).game)


LAYOUTS: dict[str, Any] = {
    "one line": lambda text: text.encode(),
    "one tag per line": lambda text: text.replace("><", ">\n  <").encode(),
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "another encoding declared": lambda text: (
        '<?xml version="1.0" encoding="Shift_JIS"?>\n' + text
    ).encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "no root": lambda text: text.replace('<mjloggm ver="2.3">', "").replace("</mjloggm>", "").encode(),
    "spaces before the end of tags": lambda text: text.replace('"/>', '" />').encode(),
    "without TAIKYOKU": lambda text: text.replace('<TAIKYOKU oya="0"/>', "").encode(),
    "with SHUFFLE": lambda text: text.replace("<GO", '<SHUFFLE seed="mt19937ar" ref=""/><GO').encode(),
    "without GO": lambda text: re.sub("<GO[^>]*>", "", text).encode(),
    "unknown attributes": lambda text: text.replace(' lobby="0"', ' lobby="0" csrule="0FE,,30000"').encode(),
    "with chat": lambda text: text.replace("<INIT", '<CHAT text="hi"/><INIT').encode(),
}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["game.xml", "game.mjlog", "game", "game.json"])
def test_a_log_is_detected_by_its_contents(layout: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(LAYOUTS[layout](plain()))
    assert comparable_events(formats.read(path)) == comparable_events(game_of("tenhou", 3))
    result = CliRunner().invoke(app, ["verify", str(path)])
    assert result.exit_code == 0, result.output
    assert "agree" in result.output


def test_players_may_disconnect_and_return() -> None:
    text = plain()
    away = text.replace("<T", '<BYE who="1" /><T', 1).replace("<U", '<UN n1="%42" /><U', 1)
    record = formats.parse_record(away.encode())
    assert comparable_events(record.game) == comparable_events(game_of("tenhou", 3))
    assert record.names == NAMES


@pytest.mark.parametrize("part", [0.2, 0.5, 0.77, 0.99])
@pytest.mark.parametrize("compressed", [False, True])
def test_a_truncated_log_is_read_up_to_the_cut(part: float, compressed: bool) -> None:
    data = gzip.compress(plain().encode()) if compressed else plain().encode()
    happened = events(data[: int(part * len(data))])
    whole = comparable_events(game_of("tenhou", 3))
    alike = [one == other for one, other in zip(happened, whole, strict=False)]
    hands = [i for i, event in enumerate(happened) if isinstance(event, HandStarted)]
    assert len(hands) >= 1
    assert all(alike[: hands[-1]])


@pytest.mark.parametrize("hand", [1, 3, -1])
def test_a_log_may_start_mid_game(hand: int) -> None:
    happened = events(from_hand(plain(), hand))
    whole = comparable_events(game_of("tenhou", 3))
    starts = [i for i, event in enumerate(whole) if isinstance(event, HandStarted)]
    assert happened[1:] == whole[starts[hand] :]


def test_a_log_may_start_within_a_hand() -> None:
    text = plain()
    head, rest = text[: text.index("<INIT")], text[text.index("<T", text.index("<INIT")) :]
    whole = comparable_events(game_of("tenhou", 3))
    second = [i for i, event in enumerate(whole) if isinstance(event, HandStarted)][1]
    assert events(head + rest)[1:] == whole[second:]


def with_chips(text: str) -> str:
    """Add chips to the log: in each hand, seat 1 pays one chip to seat 0."""
    count = 0

    def ended(match: re.Match[str]) -> str:
        nonlocal count
        before, count = count, count + 1
        return f'sc="{match[1]},{before},1,{-before},-1,0,0,0,0"'

    return re.sub(r'sc="([^"]*)"', ended, text)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "word", "differs"), [
    ("en", "Chips", False), ("ja", "祝儀", False), ("ko", "칩", True),
])  # fmt: skip
def test_chips_are_displayed_with_each_result(
    tmp_path: Path, language: str, word: str, differs: bool
) -> None:
    """The terminal displays chips both for a game that follows its rules and for one read as recorded."""
    log = "<INIT".join(with_chips(plain()).split("<INIT")[:4]) + "</mjloggm>"  # the first three hands
    hands, options, file = log.count(" sc="), list[str](), tmp_path / "log.xml"
    if differs:
        log = re.sub(r'(<AGARI [^>]*ten="\d+,)(\d+)', lambda m: f"{m[1]}{int(m[2]) + 100}", log, count=1)
        options = ["--as-recorded"]
    file.write_text(log, "utf-8")
    done = CliRunner().invoke(app, ["--lang", language, "replay", "--all", *options, str(file)])
    assert done.exit_code == 0, done.output
    assert done.output.count(word) == hands
    assert f"+{hands} ·" in " ".join(done.output.split())


@pytest.mark.slow
def test_chips_are_in_the_replay_of_an_upload() -> None:
    log = with_chips(plain())
    chips = formats.parse_record(log.encode()).chips
    stored = StoredLog.parse(read_log("log", log, None))
    replayed = replay(ReplayGame(loads(stored.record), list(stored.names), stored.chips))
    assert [hand.chips and tuple(hand.chips) for hand in replayed.hands] == list(chips)
    assert any(hand.chips for hand in replayed.hands)


def test_chips_are_read() -> None:
    log = with_chips(plain())
    record = formats.parse_record(log.encode())
    assert comparable_events(record.game) == comparable_events(game_of("tenhou", 3))
    ends = sum(isinstance(event, HandStarted) for event in comparable_events(record.game))
    assert len(record.chips) == ends
    assert record.chips[-1] is not None
    assert record.chips[-1][0] == -record.chips[-1][1] == log.count(" sc=")


def wins(game: Game) -> list[dict[str, Any]]:
    """Return every win with its value; the rulesets may differ in options that do not affect wins."""
    return [event.to_dict() for event in comparable_events(game)[1:] if isinstance(event, Won)]


@pytest.mark.slow
@pytest.mark.parametrize("changes", [
    {"match.start_points": 30000, "match.sticks": {"10000": 2, "5000": 1, "1000": 4, "100": 10},
     "match.final_rounding": "none", "match.uma": [15000, 5000, -5000, -15000], "match.tie": "share"},
    {"match.length": "east", "match.uma": [10000, 5000, -5000, -10000]},
    {"match.uma": [30000, 10000, -10000, -30000]},
    {"match.start_points": 1000, "match.return_points": 1000, "match.sticks": {"100": 10},
     "match.uma": [0, 0, 0, 0], "match.final_rounding": "none", "riichi.needs_points": True},
    {"tiles.red": {}, "calls.kuitan": False},
])  # fmt: skip
@pytest.mark.parametrize("format_", ["mjlog", "tenhou"])
def test_the_rules_of_a_private_table_are_inferred_from_its_scores(
    changes: dict[str, Any], format_: str
) -> None:
    """The starting points and uma of a private lobby can only be inferred from the scores."""
    game = played(load("tenhou").with_changes(changes, name="lobby"), 4)
    text = without_mark(formats.dumps(game, format_)).replace('lobby="0"', 'lobby="1"')
    assert "jantaku" not in text
    record = formats.parse_record(text.encode()).game
    assert wins(record) == wins(game)
    assert comparable_events(record)[-1] == comparable_events(game)[-1]
