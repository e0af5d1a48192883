"""Every flag of a command takes effect or is refused, including ``--rules`` with each format."""

import json
from pathlib import Path

import pytest

from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats, mjlog
from jantaku.records.mjlog.verify import verify
from jantaku.rules import load
from support.record_games import comparable_events, game_of, without_mark
from support.terminal import run

FOREIGN = ("mjai", "tenhou", "mjlog")  # formats whose logs may lack Jantaku's mark
CASES = [  # all use the same reader; "convert" keeps the results stated in a record without the mark
    *(("convert", name, True) for name in formats.BY_NAME),
    *((command, name, False) for command in ("replay", "verify", "fair") for name in ("mjlog", "mjai")),
]
OTHER: dict[str, object] = {"score.honba_value": 600, "draw.noten_payment": 6000}
whole = pytest.mark.skipif(not COMPILED, reason="whole games")


def _game() -> Game:
    """Return a game in which honba and noten payments matter."""
    return game_of("tenhou", 3)


def _record(folder: Path, name: str, *, marked: bool) -> Path:
    """Write the game in a format, with or without the description of its rules."""
    text = formats.dumps(_game(), name)
    path = folder / f"{name}-{marked}"
    path.write_text(text if marked else without_mark(text), "utf-8")
    return path


@whole
@pytest.mark.parametrize(("command", "name", "marked"), CASES)
def test_rules_that_did_not_make_a_record_are_refused(
    command: str, name: str, marked: bool, tmp_path: Path
) -> None:
    more = {"convert": ("-", "--to", "mjai"), "replay": ("--hand", "1")}.get(command, ())
    other = tmp_path / "other.toml"
    other.write_text(
        'extends = "tenhou"\n[score]\nhonba_value = 600\n[draw]\nnoten_payment = 6000\n', "utf-8"
    )
    arguments = (command, str(_record(tmp_path, name, marked=marked)), *more)
    assert run(*arguments, "--rules", "tenhou").exit_code == 0
    assert run(*arguments, "--rules", str(other)).exit_code in (1, 2)
    assert run(*arguments, "--rules", "no-such-rules").exit_code == 2


def _events(game: Game) -> list[object]:
    """Return the events without the name of the ruleset in each score."""
    return [event.to_dict() for event in comparable_events(game)[1:]]


@whole
@pytest.mark.parametrize("name", FOREIGN)
def test_a_record_without_rules_uses_the_given_ones(name: str, tmp_path: Path) -> None:
    """Options that the record does not reveal come from the given rules."""
    rules = load("tenhou").with_changes({"end.top_points": 60_000})
    path = _record(tmp_path, name, marked=False)
    read = formats.parse_record(path.read_bytes(), rules)
    assert read.game.rules == rules
    assert _events(read.game) == _events(_game())
    assert formats.read(path).rules.id == "tenhou"


@whole
def test_library_functions_for_tenhou_logs_take_rules(tmp_path: Path) -> None:
    path = _record(tmp_path, "mjlog", marked=False)
    other = load("tenhou").with_changes(OTHER)
    assert mjlog.read(path, other).rules == other
    assert not verify(mjlog.read(path, other)).agrees
    assert verify(mjlog.read(path)).agrees


USELESS = """
score --jsonl :: --tsumo
score --jsonl :: --riichi
score --jsonl :: --json
score --jsonl :: --brief
score --jsonl :: --dora 1m
score --jsonl :: --honba 1
score --jsonl :: --chi 123m
score 234m567p345678s9p9p --tsumo --brief :: --json
shanten --jsonl :: --seen 1m
shanten --jsonl :: --kita 1
shanten --jsonl :: --pon 111z
rules sheet tenhou :: --paper phone
rules sheet tenhou --format md :: --fonts .
rules sheet tenhou --format md :: --logo logo.png
rules sheet --all folder :: --out x.html
"""


@pytest.mark.parametrize("case", USELESS.split("\n")[1:-1])
def test_a_flag_without_effect_is_refused(case: str) -> None:
    call, flag = case.split(" :: ")
    result = run(*call.split(), *flag.split())
    assert result.exit_code == 2
    assert flag.split()[0] in result.stderr
    assert "no effect" in result.stderr


@pytest.mark.parametrize(("rules", "standard"), [("standard", 4), ("tenhou-3", 5)])
def test_shanten_requests_count_only_tiles_of_the_rules(rules: str, standard: int, tmp_path: Path) -> None:
    """Three-player rules have no 2m to wait for between 1m and 3m."""
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps({"hand": "13m1199p119s12345z"}), "utf-8")
    answer = json.loads(run("shanten", str(file), "--jsonl", "--rules", rules).output)
    assert answer["standard"] == standard
    assert run("shanten", str(file), "--jsonl", "--rules", "no-such-rules").exit_code == 2


EVENT = {
    "jantaku_event": 1, "name": "Cup", "players": [{"id": name, "name": name} for name in "abcd"],
    "stages": [{"id": "one"}],
    "games": [{"id": "g", "stage": "one", "players": list("abcd"), "scores": [40000, 30000, 20000, 10000]}],
}  # fmt: skip


@pytest.mark.parametrize("command", ["standings", "statistics", "ratings"])
def test_rules_are_refused_if_the_event_names_others(command: str, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT), "utf-8")
    assert run("event", command, str(file), "--rules", "m-league").exit_code == 0
    file.write_text(json.dumps({**EVENT, "rules": "tenhou"}), "utf-8")
    assert run("event", command, str(file)).exit_code == 0
    assert run("event", command, str(file), "--rules", "tenhou").exit_code == 0
    result = run("event", command, str(file), "--rules", "m-league")
    assert result.exit_code == 2
    assert "--rules" in result.stderr


def test_rules_are_refused_if_every_game_names_others(tmp_path: Path) -> None:
    named, plain = tmp_path / "named.json", tmp_path / "plain.json"
    plain.write_text(json.dumps({"hands": [{"end": "draw", "tenpai": [0]}]}), "utf-8")
    named.write_text(json.dumps({"rules": "tenhou", "hands": [{"end": "draw", "tenpai": [0]}]}), "utf-8")
    assert run("settle", str(named)).exit_code == 0
    assert run("settle", str(named), "--rules", "m-league").exit_code == 2
    assert run("settle", str(named), str(plain), "--rules", "m-league").exit_code == 0
