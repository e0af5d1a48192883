"""Untrusted records: which rules they can name or contain; reading a record never loads code."""

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku import RecordError
from jantaku.game import Game
from jantaku.records import formats
from support.record_games import with_mark


def named_in_compact(text: str, rules: object) -> str:
    """Return a compact record whose header names other rules."""
    data = zlib.decompress(base64.b85decode(text.strip()))
    size = int.from_bytes(data[:2], "little")
    header = json.loads(data[2 : 2 + size]) | {"rules": rules, "ruleset": rules}
    head = json.dumps(header).encode()
    packed = zlib.compress(len(head).to_bytes(2, "little") + head + data[2 + size :])
    return base64.b85encode(packed).decode()


def named_in_mark(text: str, rules: object) -> str:
    """Return a log in another program's format whose mark names other rules."""
    return with_mark(text, lambda mark: mark.update(rules=rules, ruleset=rules))


def named_in_own(text: str, rules: object) -> str:
    """Return a game file whose header names other rules, without a ruleset."""
    first, rest = text.split("\n", 1)
    return f"{json.dumps(json.loads(first) | {'rules': rules, 'ruleset': rules})}\n{rest}"


NAMED: dict[str, Callable[[str, object], str]] = {
    "compact": named_in_compact,
    "mjai": named_in_mark,
    "tenhou": named_in_mark,
    "mjlog": named_in_mark,
    "jantaku": named_in_own,
}


@pytest.fixture(scope="module")
def played() -> Game:
    game = Game("tenhou", seed=5)
    for _ in range(60):
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    return game


@pytest.mark.parametrize("name", NAMED)
def test_a_record_cannot_name_a_file(played: Game, tmp_path: Path, name: str) -> None:
    (tmp_path / "evil.toml").write_text('extends = "tenhou"\n')
    path = str(tmp_path / "evil.toml")
    for rules in (path, {"extends": path}, {"local": {"file": str(tmp_path / "own.py")}}):
        with pytest.raises(RecordError) as caught:
            formats.parse_record(NAMED[name](formats.dumps(played, name), rules).encode())
        assert caught.value.code in ("record_rules", "record_line")


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("rules", ["no-such-rules", "../tenhou.toml", 5, None, [], "\0", "\ud800"])
def test_a_record_that_names_unknown_rules_is_refused(played: Game, name: str, rules: Any) -> None:
    text = NAMED[name](formats.dumps(played, name), rules)
    if name == "jantaku" and not rules:
        return  # without a ruleset the standard rules apply, which do not match the fingerprint
    with pytest.raises(RecordError):
        formats.parse_record(text.encode())
