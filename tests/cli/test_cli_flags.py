"""Every flag that a command takes is used or refused: ``--rules`` with each format, and all others."""

import json
import re
from pathlib import Path

import pytest

from cli.test_cli import run
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.mjlog.read import read_log
from jantaku.records.mjlog.verify import verify
from jantaku.rules import load
from support.record_games import events_told, game_of, without_mark

COMMANDS = {
    "convert": ("convert", "{file}", "-", "--to", "mjai"),
    "replay": ("replay", "{file}", "--all"),
    "verify": ("verify", "{file}"),
    "fair": ("fair", "{file}"),
}
FOREIGN = ("mjai", "tenhou", "mjlog")  # formats whose logs may have no mark of ours
OTHER: dict[str, object] = {"score.honba_value": 600, "draw.noten_payment": 6000}
whole = pytest.mark.skipif(not COMPILED, reason="whole games")


def _game() -> Game:
    """A game in which honba and the payment for no tenpai matter."""
    return game_of("tenhou", 3)


def _record(folder: Path, name: str, game: Game, *, marked: bool) -> Path:
    """The game in a format, with or without the description of its rules."""
    text = formats.dumps(game, name)
    text = text if marked else without_mark(text)
    path = folder / f"{name}-{marked}"
    path.write_text(text, "utf-8")
    return path


def _rules(folder: Path, changes: dict[str, object]) -> str:
    path = folder / "other.toml"
    tables: dict[str, list[str]] = {}
    for key, value in changes.items():
        part, option = key.split(".")
        tables.setdefault(part, []).append(f"{option} = {json.dumps(value)}")
    body = "\n".join(f"[{part}]\n" + "\n".join(lines) for part, lines in tables.items())
    path.write_text(f'extends = "tenhou"\n{body}\n', "utf-8")
    return str(path)


@whole
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", formats.BY_NAME)
@pytest.mark.parametrize("command", COMMANDS)
def test_rules_that_did_not_make_a_record_are_refused(
    command: str, name: str, marked: bool, tmp_path: Path
) -> None:
    if not marked and name not in FOREIGN:
        pytest.skip("has its rules always")
    file = str(_record(tmp_path, name, _game(), marked=marked))
    arguments = [part.format(file=file) for part in COMMANDS[command]]
    assert run(*arguments).exit_code == 0
    assert run(*arguments, "--rules", "tenhou").exit_code == 0
    other = run(*arguments, "--rules", _rules(tmp_path, OTHER))
    assert other.exit_code in (1, 2)
    assert other.stderr or "600" in other.output or "log" in other.output or "differ" in other.output
    assert run(*arguments, "--rules", "no-such-rules").exit_code == 2


def _told(game: Game) -> list[object]:
    """What happened, without the rules that scores name."""
    return [event.to_dict() for event in events_told(game)[1:]]


@whole
@pytest.mark.parametrize("name", FOREIGN)
def test_a_record_without_a_mark_is_played_by_the_rules_that_are_passed(name: str, tmp_path: Path) -> None:
    """What no record shows, an option that the game never came to, is that of the rules."""
    rules = load("tenhou").with_changes({"end.top_points": 60_000})
    content = _record(tmp_path, name, _game(), marked=False).read_bytes()
    read = formats.parse_record(content, rules)
    assert read.game.rules == rules
    assert _told(read.game) == _told(_game())
    assert formats.read(_record(tmp_path, name, _game(), marked=False)).rules.id == "tenhou"


@whole
@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("preset", ["m-league", "wrc", "tenhou-3"])
def test_a_record_of_other_rules_is_read_by_them_alone(name: str, preset: str, tmp_path: Path) -> None:
    game = game_of(preset, 6)
    data = _record(tmp_path, name, game, marked=False).read_bytes()
    read = formats.parse_record(data, game.rules)
    assert read.game.rules == game.rules
    assert events_told(read.game) == events_told(game)


@whole
def test_a_tenhou_log_of_another_number_of_players_is_refused(tmp_path: Path) -> None:
    file = str(_record(tmp_path, "mjlog", _game(), marked=False))
    assert run("convert", file, "-", "--to", "mjai", "--rules", "tenhou-3").exit_code == 2


@whole
def test_library_functions_for_tenhou_logs_take_rules(tmp_path: Path) -> None:
    path = _record(tmp_path, "mjlog", _game(), marked=False)
    other = load("tenhou").with_changes(OTHER)
    assert read_log(path, other).rules == other
    assert not verify(read_log(path, other)).agrees
    assert verify(read_log(path)).agrees


def test_a_file_of_requests_is_checked_by_the_rules_that_are_passed(tmp_path: Path) -> None:
    row = {
        "request": {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo", "honba": 1},
        "expect": {"points": 1100},
    }
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    outcomes = {run("verify", str(file), *extra).output for extra in ([], ["--rules", "standard"])}
    assert len({re.sub(r"[\d.]+ s", "", text) for text in outcomes}) == 1
    assert run("verify", str(file), "--rules", "no-such-rules").exit_code == 2


HAND = "234m567p345678s9p 9p"
USELESS = {  # the flag, and what makes it useless
    ("score", "--jsonl", "--tsumo"): "--tsumo",
    ("score", "--jsonl", "--riichi"): "--riichi",
    ("score", "--jsonl", "--json"): "--json",
    ("score", "--jsonl", "--brief"): "--brief",
    ("score", "--jsonl", "--dora", "1m"): "--dora",
    ("score", "--jsonl", "--honba", "1"): "--honba",
    ("score", "--jsonl", "--chi", "123m"): "--chi",
    ("score", HAND, "--tsumo", "--json", "--brief"): "--json",
    ("shanten", "--jsonl", "--seen", "1m"): "--seen",
    ("shanten", "--jsonl", "--kita", "1"): "--kita",
    ("shanten", "--jsonl", "--pon", "111z"): "--pon",
    ("rules", "sheet", "tenhou", "--paper", "phone"): "--paper",
    ("rules", "sheet", "tenhou", "--format", "md", "--fonts", "."): "--fonts",
    ("rules", "sheet", "tenhou", "--format", "md", "--logo", "logo.png"): "--logo",
    ("rules", "sheet", "--all", "folder", "--out", "x.html"): "--out",
}


@pytest.mark.parametrize("arguments", USELESS, ids=" ".join)
def test_a_flag_without_effect_is_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert USELESS[arguments] in result.stderr
    assert "no effect" in result.stderr


@pytest.mark.parametrize(("rules", "standard"), [("standard", 4), ("tenhou-3", 5)])
def test_shanten_of_requests_counts_the_tiles_of_the_rules(rules: str, standard: int, tmp_path: Path) -> None:
    """Three players have no 2 of man for 1 and 3."""
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps({"hand": "13m1199p119s12345z"}), "utf-8")
    answer = json.loads(run("shanten", str(file), "--jsonl", "--rules", rules).output)
    assert answer["standard"] == standard
    assert run("shanten", str(file), "--jsonl", "--rules", "no-such-rules").exit_code == 2


EVENT = {
    "jantaku_event": 1,
    "name": "Cup",
    "players": [{"id": name, "name": name} for name in "abcd"],
    "stages": [{"id": "one"}],
    "games": [{"id": "g", "stage": "one", "players": list("abcd"), "scores": [40000, 30000, 20000, 10000]}],
}


@pytest.mark.parametrize("command", ["standings", "statistics", "ratings"])
def test_rules_beside_those_that_an_event_names_are_refused(command: str, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT), "utf-8")
    assert run("event", command, str(file), "--rules", "m-league").exit_code == 0
    file.write_text(json.dumps({**EVENT, "rules": "tenhou"}), "utf-8")
    assert run("event", command, str(file)).exit_code == 0
    assert run("event", command, str(file), "--rules", "tenhou").exit_code == 0
    result = run("event", command, str(file), "--rules", "m-league")
    assert result.exit_code == 2
    assert "--rules" in result.stderr


def test_rules_beside_those_that_every_game_names_are_refused(tmp_path: Path) -> None:
    named, plain = tmp_path / "named.json", tmp_path / "plain.json"
    plain.write_text(json.dumps({"hands": [{"end": "draw", "tenpai": [0]}]}), "utf-8")
    named.write_text(json.dumps({"rules": "tenhou", "hands": [{"end": "draw", "tenpai": [0]}]}), "utf-8")
    assert run("settle", str(named)).exit_code == 0
    assert run("settle", str(named), "--rules", "m-league").exit_code == 2
    assert run("settle", str(named), str(plain), "--rules", "m-league").exit_code == 0
