"""Every option of every command changes its output, its files or its errors; ``CASES`` covers all of them."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from jantaku.cli import serve
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from support.record_games import game_of
from support.terminal import run

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")
HAND = "score '234m567p345678s9p 9p'"
WAITS, SHANTEN = "waits 1234567m234p567s", "shanten 1234567m234p567s5z"
BEST = "lab hand 1234567m234p567s5z --games 2 --bots random --json"
PLANS = "event seat --players 16 --rounds 2"
RON, DRAGONS = f"{HAND} --ron", "score '99m11s 1s' --pon 555z --pon 666z --pon 777z --ron"
WATCH, SIMULATE = "watch --seed 1 --bots random", "simulate --games 4 --bots random"
ARENA, SHEET = "arena random efficient random random --games 4", "rules sheet tenhou --format md"
ADAPT, RUN = "lab adapt --out new --games 2 --rounds 1 --match 2", "lab run --out new --games 4 --bots random"
ASK = "lab ask --games 4 --bots random --set score.kiriage_mangan=true"
EXPORT, IMPORT = "event export event.json new", "event import event.json log.mjai"
RESEAT = "event reseat plan.json --played 1"
MELDS = "--chi 123m", "--pon 111z", "--ankan 1111z", "--daiminkan 1111z", "--kakan 1111z"
FOR_MELDS = (
    "score '456m567p678s9p 9p' --ron", "waits 4567m234p567s", "shanten 4567m234p567s5z",
    "lab hand 4567m234p567s5z --games 2 --bots random --json",
)  # fmt: skip
# A command without the option, and the option that changes its outcome
CASES: Final = f"""
score :: --lang ko
 :: --version
{RON} :: --tsumo
{HAND} --tsumo :: --ron
{DRAGONS} --pao daisangen=left :: --from right
{RON} :: --riichi
{RON} :: --double-riichi
{RON} :: --open-riichi
{RON} --riichi :: --ippatsu
{RON} :: --last-tile
{HAND} --tsumo :: --rinshan
{RON} :: --chankan
{HAND} --tsumo :: --first-turn
{RON} --rules local.toml :: --riichi-tile
{RON} --rules local.toml :: --kan-discard
{RON} --rules local.toml :: --discarder-riichi
{RON} :: --furiten
{RON} --riichi --rules local.toml :: --final-hand
score '22z234m567p34567s 8s' --ron :: --round south
{RON} --riichi :: --seat east
{RON} --riichi :: --dora 1m
{RON} --riichi :: --ura 1m
{RON} --riichi :: --honba 2
{RON} --riichi :: --deposits 1
{RON} :: --laid 4
{RON} --seat east --riichi --rules local.toml :: --dealer-streak 8
score '234p567p345678s9p 9p' --ron --rules tenhou-3 :: --kita 2
{RON} --riichi --rules local.toml --from left :: --wareme south
{DRAGONS} --from left :: --pao daisangen=right
{RON} :: --rules mahjongsoul
{RON} :: --json
{RON} :: --brief
score wins.jsonl :: --jsonl
{WAITS} :: --seen 1m
waits 1199p1199s1177z4z --rules tenhou-3 :: --kita 2
{WAITS} :: --rules tenhou-3
{SHANTEN} :: --seen 1m
shanten 1199p1199s4477z12s --rules tenhou-3 :: --kita 2
shanten 13m1199p119s12345z :: --rules tenhou-3
shanten hands.jsonl :: --jsonl
yaku pinfu :: --rules mahjongsoul
verify wins.jsonl wrong.jsonl :: --rules tenhou-3
verify wrong.jsonl :: --show 0
{WATCH} :: --rules tenhou-3
{WATCH} :: --seed 2
{WATCH} :: --bots efficient
{WATCH} :: --speed 1
{WATCH} :: --record new.jsonl
{WATCH} :: --ascii
replay begun.jsonl :: --hand 2
replay begun.jsonl :: --seat 1
replay log.mjai :: --rules other.toml
replay refused.mjai :: --as-recorded
convert log.mjai - --to tenhou :: --rules other.toml
convert log.mjai new.jsonl :: --to mjai
convert log.mjai game.jsonl :: --overwrite
fair game.jsonl :: --rules other.toml
{ARENA} :: --games 8
{ARENA} :: --rules tenhou-3
{ARENA} :: --seed 1
{ARENA} :: --save saved
{ARENA} :: --json
{SIMULATE} :: --games 5
{SIMULATE} :: --rules tenhou-3
{SIMULATE} :: --bots efficient
{SIMULATE} :: --seed 1
{SIMULATE} :: --out new.parquet
settle hands.json :: --rules tenhou-3
settle game.json :: --jsonl
serve :: --host ::1
serve :: --port 8123
serve :: --data folder
serve :: --database sqlite:///x
serve :: --public-url https://p.example
serve :: --allow-host p.example
serve :: --rules other.toml
serve :: --programs programs.toml
serve --programs programs.toml :: --programs-at-once 2
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
{SHEET} :: --format html
{SHEET} :: --out new.md
{SHEET} :: --club Mina
{SHEET} :: --date 2026
rules sheet tenhou --format html :: --logo logo.png
rules sheet tenhou --format pdf :: --paper a5
rules sheet tenhou --format pdf :: --fonts nothing
{SHEET} :: --one-page mahjongsoul
{SHEET} :: --all booklets
rules show tenhou :: --all
{ADAPT} :: --rules none
lab adapt --games 2 --rounds 1 --match 2 :: --out /no/folder
{ADAPT} :: --rounds -1
{ADAPT} :: --games -1
{ADAPT} :: --match -1
{ADAPT} :: --aim nothing
lab run --games 4 --bots random :: --out new
{RUN} :: --rules tenhou
{RUN} :: --against tenhou
{RUN} :: --games 6
{RUN} :: --seed 1
{RUN} :: --bots efficient
{RUN} :: --on nowhere
{RUN} :: --adapted nothing
{RUN} :: --draws wall
{RUN} :: --luck
lab summary experiment --json :: --seconds 2
lab summary experiment :: --json
lab report experiment :: --out new.html
lab report experiment :: --seconds 2
{ASK} --json :: --rules tenhou-3
lab ask --games 4 --bots random --json :: --set score.kiriage_mangan=true
lab ask --bots random --set score.kiriage_mangan=true --json --games 4 :: --games 6
{ASK} --json :: --seed 1
{ASK} --json :: --bots efficient
{ASK} --json :: --on nowhere
{ASK} --json :: --adapted nothing
{ASK} --json :: --luck
{ASK} --json :: --seconds 2
{ASK} :: --all
{ASK} :: --json
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
{EXPORT}.csv :: --table games
{EXPORT}.xlsx :: --table games
{EXPORT}.json :: --table games
{EXPORT}.html :: --table games
{EXPORT}.csv :: --rules m-league
event report event.json new.md :: --day 2026-11-27
event report event.json new.md :: --rules m-league
{IMPORT} :: --to new.json
{IMPORT} --to new.json :: --stage one
{IMPORT} --to new.json :: --player nobody=a
{IMPORT} --to new.json :: --rules other.toml
event reseat plan.json :: --played 1
{RESEAT} :: --out 1
{RESEAT} --out 2 :: --substitute 1
{RESEAT} --out 1 --substitute 2 :: --seed 1
{RESEAT} :: --json
event standings event.json :: --rules m-league
event standings event.json :: --json
event season season.json :: --rules m-league
event season season.json :: --json
event season named.json :: --rules m-league
event seat --rounds 2 :: --players 16
event seat --players 16 :: --rounds 2
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


LINES: Final = [
    *CASES.splitlines()[1:],
    *(f"{command} :: {meld}" for command in FOR_MELDS for meld in MELDS),
]
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
        "jantaku_event": 1, "name": "Cup", "players": PLAYERS, "stages": stages, "games": games, **more,
    }  # fmt: skip


HANDS: Final = [{"end": "draw", "tenpai": [0]}]
LOCAL: Final = """extends = "standard"
[yaku.tsubame_gaeshi]
closed = 1
[yaku.paarenchan]
closed = "yakuman"
[score]
wareme = "hand"
""" + "".join(
    f'[yaku.of_{fact}]\nname = {{ en = "{fact}" }}\nwhen = "{fact}"\nclosed = 2\n'
    for fact in ("kan_discard", "discarder_riichi", "final_hand")
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the files that the commands read."""
    folder = tmp_path_factory.mktemp("files")
    game = game_of("tenhou", 3)
    formats.write(game, str(folder / "game.jsonl"), "jantaku", None)
    formats.write(game_of("tenhou", 3, 150), str(folder / "begun.jsonl"), "jantaku", None)
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
    (folder / "programs.toml").write_text('[a]\ncommand = "mjai:a"\n', "utf-8")
    return folder


def outcome(folder: Path, arguments: list[str]) -> tuple[object, ...]:
    """Return the exit code, output and files of a command, without durations."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = run(*arguments)
    timing = r'[\d.,]+ (s\b|games/s|hands/s|games per second)|"seconds": [\d.]+|speed.*'
    said = re.sub(timing, "", done.output)
    written = sorted(
        (path.relative_to(folder), path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and before.get(path) != path.read_bytes()
    )
    return done.exit_code, said, written


@pytest.mark.parametrize(
    "case", [pytest.param(line, marks=pytest.mark.slow if line.startswith(SLOW) else ()) for line in LINES]
)
def test_an_option_changes_the_outcome(
    case: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, option = map(shlex.split, case.split(" :: "))
    results = []
    opened: list[object] = []

    @contextmanager
    def listen(*args: object, **more: object) -> Iterator[None]:
        opened.append((args, more))
        yield

    monkeypatch.setattr(serve, "_open", lambda *args, **more: opened.append((vars(args[0]), args[1:], more)))
    monkeypatch.setattr("jantaku.server.run.configure_logging", lambda *_, as_json: opened.append(as_json))
    monkeypatch.setattr("jantaku.server.run.listen", listen)
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
