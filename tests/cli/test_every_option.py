"""Every option of every command changes what the command says, writes or refuses; ``CASES`` has each."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from jantaku.cli import serve
from jantaku.cli.app import app
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from support.record_games import game_of

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")
HAND = "score '234m567p345678s9p 9p'"
WAITS, SHANTEN = "waits 1234567m234p567s", "shanten 1234567m234p567s5z"
BEST = "lab hand 1234567m234p567s5z --games 2 --bots random --json"
PLANS = "event seat --players 8 --rounds 2"
# A command without the option, and the option that makes a difference
CASES: Final = f"""
score :: --lang ko
 :: --version
{HAND} --ron :: --tsumo
{HAND} --tsumo :: --ron
score '99m11s 1s' --pon 555z --pon 666z --pon 777z --ron --pao daisangen=left :: --from right
{HAND} --ron :: --riichi
{HAND} --ron :: --double-riichi
{HAND} --ron :: --open-riichi
{HAND} --ron --riichi :: --ippatsu
{HAND} --ron :: --last-tile
{HAND} --tsumo :: --rinshan
{HAND} --ron :: --chankan
{HAND} --tsumo :: --first-turn
{HAND} --ron --rules local.toml :: --riichi-tile
{HAND} --ron --rules local.toml :: --kan-discard
{HAND} --ron --rules local.toml :: --discarder-riichi
{HAND} --ron :: --furiten
{HAND} --ron --riichi --rules local.toml :: --final-hand
score '22z234m567p34567s 8s' --ron :: --round south
{HAND} --ron --riichi :: --seat east
{HAND} --ron --riichi :: --dora 1m
{HAND} --ron --riichi :: --ura 1m
{HAND} --ron --riichi :: --honba 2
{HAND} --ron --riichi :: --deposits 1
{HAND} --ron :: --laid 4
{HAND} --ron --seat east --riichi --rules local.toml :: --dealer-streak 8
score '234p567p345678s9p 9p' --ron --rules tenhou-3 :: --kita 2
{HAND} --ron --riichi --rules local.toml --from left :: --wareme south
score '99m11s 1s' --pon 555z --pon 666z --pon 777z --ron --from left :: --pao daisangen=right
score '567p345678s9p 9p' --ron :: --chi 234m
score '567p345678s9p 9p' --ron :: --pon 111m
score '567p345678s9p 9p' --ron :: --ankan 1111m
score '567p345678s9p 9p' --ron :: --daiminkan 1111m
score '567p345678s9p 9p' --ron :: --kakan 1111m
{HAND} --ron :: --rules mahjongsoul
{HAND} --ron :: --json
{HAND} --ron :: --brief
score wins.jsonl :: --jsonl
waits 4567m234p567s :: --chi 123m
waits 4567m234p567s :: --pon 111z
waits 4567m234p567s :: --ankan 1111z
waits 4567m234p567s :: --daiminkan 1111z
waits 4567m234p567s :: --kakan 1111z
{WAITS} :: --seen 1m
waits 1199p1199s1177z4z --rules tenhou-3 :: --kita 2
{WAITS} :: --rules tenhou-3
shanten 4567m234p567s5z :: --chi 123m
shanten 4567m234p567s5z :: --pon 111z
shanten 4567m234p567s5z :: --ankan 1111z
shanten 4567m234p567s5z :: --daiminkan 1111z
shanten 4567m234p567s5z :: --kakan 1111z
{SHANTEN} :: --seen 1m
shanten 1199p1199s4477z12s --rules tenhou-3 :: --kita 2
shanten 13m1199p119s12345z :: --rules tenhou-3
shanten hands.jsonl :: --jsonl
yaku pinfu :: --rules mahjongsoul
verify wins.jsonl wrong.jsonl :: --rules tenhou-3
verify wrong.jsonl :: --show 0
watch --seed 1 --bots random :: --rules tenhou-3
watch --seed 1 --bots random :: --seed 2
watch --seed 1 --bots random :: --bots efficient
watch --seed 1 --bots random :: --speed 1
watch --seed 1 --bots random :: --record new.jsonl
watch --seed 1 --bots random :: --ascii
replay game.jsonl :: --hand 2
replay game.jsonl :: --seat 1
replay log.mjai :: --rules other.toml
replay refused.mjai :: --as-recorded
convert log.mjai - --to tenhou :: --rules other.toml
convert refused.mjai - --to tenhou :: --as-recorded
convert log.mjai new.jsonl :: --to mjai
fair game.jsonl :: --rules other.toml
arena random efficient random random --games 4 :: --games 8
arena random efficient random random --games 4 :: --rules tenhou-3
arena random efficient random random --games 4 :: --seed 1
arena random efficient random random --games 4 :: --save saved
arena random efficient random random --games 4 :: --json
simulate --games 4 --bots random :: --games 5
simulate --games 4 --bots random :: --rules tenhou-3
simulate --games 4 --bots random :: --bots efficient
simulate --games 4 --bots random :: --seed 1
simulate --games 4 --bots random :: --out new.parquet
settle hands.json :: --rules tenhou-3
settle game.json :: --jsonl
serve :: --host ::1
serve :: --port 8123
serve :: --data folder
serve :: --database sqlite:///x
serve :: --public-url https://p.example
serve :: --allow-host p.example
serve :: --rules other.toml
serve :: --admin-link
serve :: --lab-games 1
serve :: --lab-deals 1
serve :: --lab-at-once 3
serve :: --lab-of-one 3
serve :: --lab-ray ray
serve :: --daily off
serve --metrics-port 9100 :: --metrics-host ::1
serve :: --metrics-port 9100
serve :: --standby
serve :: --role gateway
serve :: --nats nats://127.0.0.1
serve --nats nats://127.0.0.1 :: --nats-ca file
serve :: --log-json
backup new :: --data nothing
backup new --data nothing :: --database sqlite:///no/folder/x
upgrade --data nothing :: --database sqlite:////no/folder/x
upgrade :: --data nothing
demo wins.jsonl :: --walls log.mjai
rules sheet tenhou --format md :: --format html
rules sheet tenhou --format md :: --out new.md
rules sheet tenhou --format md :: --club Mina
rules sheet tenhou --format md :: --date 2026
rules sheet tenhou --format html :: --logo logo.png
rules sheet tenhou --format pdf :: --paper a5
rules sheet tenhou --format pdf :: --fonts nothing
rules sheet tenhou --format md :: --one-page mahjongsoul
rules sheet --format md :: --all booklets
rules show tenhou :: --all
lab adapt --out new --games 2 --rounds 1 --match 2 :: --rules none
lab adapt --games 2 --rounds 1 --match 2 :: --out /no/folder
lab adapt --out new --games 2 --match 2 :: --rounds -1
lab adapt --out new --rounds 1 --match 2 :: --games -1
lab adapt --out new --games 2 --rounds 1 :: --match -1
lab adapt --out new --games 2 --rounds 1 --match 2 :: --aim nothing
lab run --games 4 --bots random :: --out new
lab run --out new --games 4 --bots random :: --rules tenhou
lab run --out new --games 4 --bots random :: --against tenhou
lab run --out new --games 4 --bots random :: --games 6
lab run --out new --games 4 --bots random :: --seed 1
lab run --out new --games 4 --bots random :: --bots efficient
lab run --out new --games 4 --bots random :: --on nowhere
lab run --out new --games 4 --bots random :: --adapted nothing
lab run --out new --games 4 --bots random :: --draws wall
lab run --out new --games 4 --bots random :: --luck
lab summary experiment --json :: --seconds 2
lab summary experiment :: --json
lab report experiment :: --out new.html
lab report experiment :: --seconds 2
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --rules tenhou-3
lab ask --games 4 --bots random --json :: --set score.kiriage_mangan=true
lab ask --bots random --set score.kiriage_mangan=true --json --games 4 :: --games 6
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --seed 1
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --bots efficient
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --on nowhere
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --adapted nothing
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --luck
lab ask --games 4 --bots random --set score.kiriage_mangan=true --json :: --seconds 2
lab ask --games 4 --bots random --set score.kiriage_mangan=true :: --all
lab ask --games 4 --bots random --set score.kiriage_mangan=true :: --json
lab hand 4567m234p567s5z --games 2 --bots random --json :: --chi 123m
lab hand 4567m234p567s5z --games 2 --bots random --json :: --pon 111z
lab hand 4567m234p567s5z --games 2 --bots random --json :: --ankan 1111z
lab hand 4567m234p567s5z --games 2 --bots random --json :: --daiminkan 1111z
lab hand 4567m234p567s5z --games 2 --bots random --json :: --kakan 1111z
{BEST} :: --round nothing
{BEST} :: --number 2
{BEST} :: --seat east
{BEST} :: --dora 1p
{BEST} :: --honba 2
{BEST} :: --deposits 2
{BEST} :: --kita 1
{BEST} :: --wareme east
{BEST} :: --scores 10000,20000,30000,40000
{BEST} :: --turn 9
{BEST} :: --discards 1z
{BEST} :: --right 1z
{BEST} :: --across 1z
{BEST} :: --left 1z
{BEST} :: --rules tenhou
{BEST} :: --games 4
{BEST} :: --seed 1
{BEST} :: --bots efficient
{BEST} :: --by deal_in
lab hand 1234567m234p567s5z --games 2 --bots random :: --json
event statistics event.json :: --player a
event statistics event.json :: --rules m-league
event statistics event.json :: --json
event ratings event.json :: --rules tenhou-3
event ratings event.json :: --json
event export event.json new.csv :: --table games
event export event.json new.xlsx :: --table games
event export event.json new.json :: --table games
event export event.json new.html :: --table games
event export event.json new.csv :: --rules m-league
event report event.json new.md :: --day 2026-11-27
event report event.json new.md :: --rules m-league
event import event.json log.mjai :: --to new.json
event import event.json log.mjai --to new.json :: --stage one
event import event.json log.mjai --to new.json :: --player nobody=a
event import event.json log.mjai --to new.json :: --rules other.toml
event reseat plan.json :: --played 1
event reseat plan.json --played 1 :: --out 1
event reseat plan.json --played 1 --out 2 :: --substitute 1
event reseat plan.json --played 1 --out 1 --substitute 2 :: --seed 1
event reseat plan.json --played 1 :: --json
event standings event.json :: --rules m-league
event standings event.json :: --json
event season season.json :: --rules m-league
event season season.json :: --json
event season named.json :: --rules m-league
event seat --rounds 2 :: --players 8
event seat --players 8 :: --rounds 2
{PLANS} :: --teams teams.csv
{PLANS} :: --apart pairs.csv
{PLANS} :: --seats 2
{PLANS} :: --seed 1
{PLANS} :: --json
event next event.json :: --stage two
event next event.json --seed 1 :: --by interval
event next event.json :: --out a
event next event.json :: --seed 3
event next event.json :: --rules tenhou-3
event next event.json :: --json
"""
# What changes no result by its nature: how many threads work, and what is seen at a terminal alone


def split(case: str) -> tuple[list[str], list[str]]:
    """The command without the option, and the option."""
    base, _, option = case.partition("::")
    return shlex.split(base), shlex.split(option)


LINES: Final = [line for line in CASES.splitlines() if line]
SLOW: Final = (
    "lab ",
    "demo",
    "arena",
    "simulate",
    "watch",
    "replay",
    "convert",
    "verify",
    "rules sheet",
    "event seat",
)


PLAYERS: Final = [{"id": name, "name": f"P{seat}"} for seat, name in enumerate("abcdefgh")]


def event(**more: Any) -> dict[str, Any]:
    """An event of two days and two stages."""
    games = [
        {"id": f"g{number}", "stage": "one", "players": list(players), "at": f"2026-11-2{number}T10:00:00Z"}
        | ({"scores": [40000, 30000, 20000, 10000]} if number != 8 else {"hands": HANDS})
        for number, players in ((6, "abcd"), (7, "efgh"), (8, "aceg"))
    ]
    stages = [{"id": "two"}, {"id": "one"}]
    return {
        "jantaku_event": 1,
        "name": "Cup",
        "players": PLAYERS,
        "stages": stages,
        "games": games,
    } | more


HANDS: Final = [{"end": "draw", "tenpai": [0]}]
LOCAL: Final = """extends = "standard"
[yaku.tsubame_gaeshi]
closed = 1
[yaku.paarenchan]
closed = "yakuman"
[score]
wareme = "hand"
[yaku.of_kan_discard]
name = { en = "kan_discard" }
when = "kan_discard"
closed = 2
[yaku.of_discarder_riichi]
name = { en = "discarder_riichi" }
when = "discarder_riichi"
closed = 2
[yaku.of_final_hand]
name = { en = "final_hand" }
when = "final_hand"
closed = 2
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    folder = tmp_path_factory.mktemp("files")
    game = game_of("tenhou", 3)
    formats.write(game, str(folder / "game.jsonl"), "jantaku", None)
    head, rest = formats.dumps(game, "mjai").split("\n", 1)
    names = [f"P{seat}" for seat in range(4)]
    log = json.dumps({"type": "start_game", "names": names}) + "\n" + rest
    (folder / "log.mjai").write_text(log, "utf-8")
    wrong = re.sub(r'"deltas":\[[^\]]*\]', '"deltas":[1,0,0,-1]', log, count=1)
    (folder / "refused.mjai").write_text(wrong, "utf-8")
    assert head
    row = {"request": {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}, "expect": {"points": 1}}
    hands = {"hands": HANDS}
    plan = {
        "rounds": [[["1", "2", "3", "4"], ["5", "6", "7", "8"]], [["1", "5", "2", "6"], ["3", "7", "4", "8"]]]
    }
    season = {"jantaku_season": 1, "parts": [{"id": "a", "event": event()}]}
    named = {"jantaku_season": 1, "parts": [{"id": "a", "event": event(rules="tenhou")}]}
    texts: dict[str, Any] = {
        "wins.jsonl": row["request"], "wrong.jsonl": row, "hands.jsonl": {"hand": "13p1199p119s12345z"},
        "hands.json": hands, "game.json": {"rules": "tenhou", **hands}, "event.json": event(),
        "plan.json": plan, "season.json": season, "named.json": named,
    }  # fmt: skip
    for name, data in texts.items():
        (folder / name).write_text(json.dumps(data) + "\n", "utf-8")
    (folder / "teams.csv").write_text("1,A\n2,A\n3,A\n4,A\n", "utf-8")
    (folder / "pairs.csv").write_text("1,2\n3,4\n", "utf-8")
    (folder / "other.toml").write_text('extends = "tenhou"\n[score]\nhonba_value = 600\n', "utf-8")
    (folder / "local.toml").write_text(LOCAL, "utf-8")
    return folder


def outcome(folder: Path, arguments: list[str]) -> tuple[object, ...]:
    """What a command answers, prints and writes, without the time it took."""
    environment = {"JANTAKU_LANG": "en", "COLUMNS": "200", "NO_COLOR": "1"}
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = CliRunner().invoke(app, arguments, env=environment)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    said = re.sub(r'[\d.,]+ (s\b|games/s|hands/s|games a second)|"seconds": [\d.]+|speed.*', "", done.output)
    written = sorted(
        (path.relative_to(folder), path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and before.get(path) != path.read_bytes()
    )
    return done.exit_code, said, written


@pytest.mark.parametrize(
    "case", [pytest.param(line, marks=pytest.mark.slow if line.startswith(SLOW) else ()) for line in LINES]
)
def test_an_option_changes_what_comes_out(
    case: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, option = split(case)
    results = []
    opened: list[object] = []
    monkeypatch.setattr(serve, "_open", lambda *args, **more: opened.append((vars(args[0]), args[1:], more)))
    monkeypatch.setattr(serve, "begin_log", lambda *_, as_json: opened.append(as_json))
    monkeypatch.setattr("jantaku.server.run.listen", _Listening)
    for number, arguments in enumerate((base, [*base, *option])):
        folder = tmp_path / str(number)
        shutil.copytree(files, folder)
        monkeypatch.chdir(folder)
        if "experiment" in base:
            outcome(folder, shlex.split("lab run --out experiment --games 4 --bots random"))
        opened.clear()
        result = outcome(folder, arguments)
        results.append((*result, repr(opened)))
    assert results[0] != results[1]


class _Listening:
    """A socket that listens nowhere; its address is part of what is opened."""

    def __init__(self, *arguments: object, **more: object) -> None:
        self.arguments = (arguments, more)

    def __repr__(self) -> str:
        return repr(self.arguments)

    def __enter__(self) -> "_Listening":
        return self

    def __exit__(self, *_: object) -> None:
        pass
