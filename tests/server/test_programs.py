"""External mjai programs of the operator: at tables, as judges of reviews, and their list."""

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.bots.mjai import MjaiBot, fallback
from jantaku.cli.programs import read_programs
from jantaku.errors import RequestError
from jantaku.game import Action, Game, Pass
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import CLAIMS
from jantaku.rules import load
from jantaku.server import programs as programs_module
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.programs import Programs
from jantaku.server.settings import Program
from jantaku.terms import LANGUAGES
from server.lobbies import somebody
from server.parlour import SHORT, Person, Serve, code_of

# The first win ends the game
POOR = {"match.length": "east", "match.start_points": 1000, "end.tobi": "zero_or_below"}
FOUR = load("tenhou").with_changes(POOR | {"match.sticks": {"1000": 1}})
THREE = load("tenhou-3").with_changes(POOR | {"match.sticks": {"1000": 1}})
OURS = f"mjai:{sys.executable} -m jantaku mjai strong"
BROKEN = {
    "garbage": "import sys\nfor _ in sys.stdin: print('{', flush=True)",
    "illegal": 'import sys\nfor _ in sys.stdin: print(\'{"type": "hora", "actor": 0}\', flush=True)',
    "crash": "raise SystemExit(3)",
    "silence": "import time\ntime.sleep(60)",
}


def scripted(folder: Path, source: str) -> str:
    """Return the command of a program that first writes its process id to ``pid``."""
    path = folder / "program.py"
    path.write_text(
        f"import os\nopen({str(folder / 'pid')!r}, 'w').write(str(os.getpid()))\n{source}", "utf-8"
    )
    return f"mjai:{sys.executable} {path}"


def runs(folder: Path) -> bool:
    """Return whether the process of a scripted program exists."""
    try:
        os.kill(int((folder / "pid").read_text() or 0), 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return True


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(240):
        while not reached():
            await asyncio.sleep(0.005)


async def table_with(
    lobby: Lobby, *offered: Program, rules: Any = FOUR, people: int = 1, at_once: int = 1, level: str = "one"
) -> GameLoop:
    """Start a game of the program ``level`` with people, of whom a single one is absent."""
    vars(lobby.services)["programs"] = Programs(offered, at_once)
    await lobby.services.rulesets.save(rules)
    options = TableOptions(clock=False, bot=level, draw_seats=False)
    persons = [somebody() for _ in range(people)]
    loop = await lobby.add(persons[0], "", NewTable("", rules.id, options, fingerprint=rules.fingerprint))
    for person in persons:
        loop.table.row = table_seats.joined(loop.table.row, person, None)
    async with loop.changing() as table:
        await play.start(table)
    if people == 1:
        loop.table.away.update(loop.table.seats)
    return loop


@pytest.mark.anyio
@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize("rules", [FOUR, THREE], ids=["four", "three"])
async def test_a_program_plays_to_the_end_and_again_from_the_record(lobby: Lobby, rules: Any) -> None:
    loop = await table_with(lobby, Program("one", OURS), rules=rules)
    sitters = [sitter and sitter.bot for sitter in loop.table.row.sitters]
    assert sitters == [None, "one", *["strong"] * (len(rules.seats) - 2)]  # there was room for one
    assert loop.table.live is not None
    first = loop.table.programs[1]
    loop.wake()
    live = loop.table.live
    await until(lambda: len(live.game.moves) > 12 or not loop.table.playing)
    loop.request_reload()
    await until(lambda: loop.table.programs.get(1) is not first)
    await until(lambda: not loop.table.playing)
    assert loop.table.row.status == "finished"
    assert loop.table.programs == {}
    game, strong = loop.table.live.game, bot("strong", 1)
    again = game.restarted()
    for _, seat, action in game.moves:
        if seat == 1:
            assert strong.choose(again, seat) == action
        again.play(seat, action)


@pytest.mark.anyio
@pytest.mark.parametrize("name", [*BROKEN, "missing"])
async def test_a_broken_program_discards_what_it_draws(
    lobby: Lobby, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "silence":
        monkeypatch.setattr(programs_module, "MjaiBot", partial(MjaiBot, seconds=0.2))
    command = "mjai:/no/such/program" if name == "missing" else scripted(tmp_path, BROKEN[name])
    loop = await table_with(lobby, Program("one", command))
    live = loop.table.live
    assert live is not None
    loop.wake()
    await until(lambda: len(live.game.moves) > 30 or not loop.table.playing)
    again = live.game.restarted()
    for _, seat, action in live.game.moves:
        if seat == 1:
            assert action == fallback(again, seat)
        again.play(seat, action)
    free = name not in ("garbage", "illegal")
    assert lobby.services.programs.room == (1 if free or not loop.table.playing else 0)


@pytest.mark.anyio
@pytest.mark.parametrize("ending", ["end", "stop", "release"])
async def test_a_process_ends_with_the_game_and_with_the_table(
    lobby: Lobby, ending: str, tmp_path: Path
) -> None:
    loop = await table_with(lobby, Program("one", scripted(tmp_path, "input()\ninput()")))
    await until(lambda: runs(tmp_path))
    if ending == "end":
        async with loop.changing() as table:
            await play.finish(table, "aborted")
    elif ending == "stop":
        await loop.stop()
    else:
        loop.release()
    await until(lambda: not runs(tmp_path))
    assert lobby.services.programs.room == 1


@pytest.mark.anyio
async def test_all_processes_end_with_the_server(lobby: Lobby, tmp_path: Path) -> None:
    await table_with(lobby, Program("one", scripted(tmp_path, "input()\ninput()")))
    await until(lambda: runs(tmp_path))
    await lobby.services.programs.close()
    assert not runs(tmp_path)


class Undecided:
    """A program that never decides about calls."""

    name = "one"

    async def choose(self, game: Game) -> Action:
        if game.record.phase == CLAIMS:
            await asyncio.Event().wait()
        return fallback(game, game.to_act[0])

    def close(self) -> None:
        """There is no process."""


@pytest.mark.anyio
async def test_a_call_is_passed_before_others_notice_that_it_was_possible(lobby: Lobby) -> None:
    loop = await table_with(lobby, Program("one", "mjai:cat"), people=2, at_once=2)
    loop.table.end_programs()
    loop.table.programs = {2: Undecided(), 3: Undecided()}  # type: ignore[dict-item]
    live = loop.table.live
    assert live is not None
    loop.wake()
    async with asyncio.timeout(240):
        while len(live.game.moves) < 80 and loop.table.playing:
            async with loop.changing() as table:
                seat = next((seat for seat in live.game.to_act if seat < 2 and live.open), None)
                if seat is not None:
                    await play.apply_action(table, seat, fallback(live.game, seat))
            loop.wake()
            await asyncio.sleep(0.005)
    again, calls = live.game.restarted(), 0
    for _, seat, action in live.game.moves:
        if seat >= 2 and again.record.phase == CLAIMS:
            calls += 1
            assert action == Pass()
        again.play(seat, action)
    assert calls


# Requests --------------------------------------------------------------------------------------------------


def test_only_the_operators_programs_can_be_named(serve: Serve) -> None:
    offered = Program("Fast", OURS), Program("four", OURS, players=4), Program("club", OURS, rules=("club",))
    mina = Person(serve(programs=offered), "Mina")
    assert mina.get("/api/programs", rules="tenhou")["programs"] == ["Fast", "four"]
    assert mina.get("/api/programs", rules="tenhou-3")["programs"] == ["Fast"]
    table = mina.table(options={"bot": "Fast"}, bots=1)
    assert table["seats"][1]["bot"] == "Fast"
    path = f"/api/tables/{table['id']}"
    for name, code in (
        ("four", ""),
        ("club", "no_program"),
        ("fast", "no_program"),
        ("mjai:cat", "bad_request"),
    ):
        answer = mina.send("POST", f"{path}/bots", level=name)
        assert code_of(answer) == code
        answer = mina.send("POST", "/api/tables", options={"bot": name})
        assert code_of(answer) == code
    mina.refused("no_program", "/api/tables", rules="tenhou-3", options={"bot": "four"})
    for name, code in (("club", "no_program"), ("/bin/cat", "bad_request")):
        answer = mina.http.post(f"{path}/start", params={"level": name}, json={})
        assert code_of(answer) == code


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_a_program_reviews_only_ones_own_seat(serve: Serve, tmp_path: Path) -> None:
    offered = Program("ours", OURS), Program("broken", scripted(tmp_path, BROKEN["crash"]))
    mina = Person(serve(programs=offered), "Mina")
    table, line = mina.start(rules=mina.post("/api/rules", toml=SHORT)["id"])
    line.finish()
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    own = mina.get(f"/api/games/{game}")["mine"]
    path = f"/api/games/{game}/review"
    review = mina.get(path, seat=own, judge="ours")["review"]
    assert (review["judge"], review["seat"]) == ("ours", own)
    usual = mina.get(path, seat=own)["review"]
    assert usual["judge"] == "strong"
    assert len(review["decisions"]) == len(usual["decisions"]) > 0
    mina.refused("review_own", f"GET {path}", seat=(own + 1) % 4, judge="ours")
    Person(mina.url, "Jun").refused("review_own", f"GET {path}", seat=own, judge="ours")
    mina.refused("no_program", f"GET {path}", seat=own, judge="other")
    mina.refused("bad_request", f"GET {path}", seat=own, judge="mjai:cat")
    for language in LANGUAGES:
        answer = mina.http.get(
            path, params={"seat": own, "judge": "broken"}, headers={"accept-language": language}
        )
        assert code_of(answer) == "judge_failed"
        assert "broken" in answer.json()["error"]["message"]
        assert str(tmp_path) not in answer.text
    assert len(mina.get(path, seat=own)["review"]["decisions"]) == len(usual["decisions"])


# The operator's list ---------------------------------------------------------------------------------------


def test_the_list_of_programs(tmp_path: Path) -> None:
    path = tmp_path / "programs.toml"
    path.write_text(
        '[Mortal]\ncommand = "mjai:lines:mortal {seat}"\nplayers = 4\nrules = ["tenhou"]\n'
        '[other]\ncommand = "mjai:other"\n',
        "utf-8",
    )
    mortal, other = read_programs(path)
    assert mortal == Program("Mortal", "mjai:lines:mortal {seat}", 4, ("tenhou",))
    assert other == Program("other", "mjai:other")
    assert mortal.suits(load("tenhou"))
    assert not mortal.suits(load("standard"))
    assert other.suits(load("tenhou-3"))
    assert "mortal {seat}" not in repr(mortal)


@pytest.mark.parametrize(
    "text",
    [
        "[a",
        "a = " + "[" * 10_000,
        'a = "mjai:cat"',
        "[a]",
        '[a]\ncommand = "cat"',
        '[a]\ncommand = "mjai:"',
        '[a]\ncommand = "mjai:lines:"',
        '[a]\ncommand = "mjai:\'cat"',
        '[a]\ncommand = "mjai:cat"\nplayers = 5',
        '[a]\ncommand = "mjai:cat"\nrules = [1]',
        '[a]\ncommand = "mjai:cat"\nrule = []',
        '[Strong]\ncommand = "mjai:cat"',
        '["a b"]\ncommand = "mjai:cat"',
    ],
)
def test_an_invalid_list_of_programs_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "programs.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RequestError) as caught:
        read_programs(path)
    assert caught.value.code == "programs_wrong"
    for language in LANGUAGES:
        message = caught.value.message(language)
        assert str(path) in message
        assert "{" not in message


def test_a_missing_list_of_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError):
        read_programs(tmp_path / "none.toml")
