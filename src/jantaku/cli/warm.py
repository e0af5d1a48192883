"""``jantaku warm``: compile all kernels, and clear caches of other versions.

Two processes, each running ``python -m jantaku.cli.warm GROUP``, compile concurrently for the baseline
processor, so that the files can be shipped in a wheel. ``STEPS`` calls every compiled function.
"""

import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jantaku.cli.console import out, progress, words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OLD_DAYS: Final = 30
_DAY_S: Final = 86_400


def _tables() -> None:
    from jantaku.kernels.cuts import cut_tables
    from jantaku.kernels.lookup import shanten_tables
    from jantaku.tiles import MAN_KINDS

    for man in MAN_KINDS:
        shanten_tables(man)
    cut_tables()


def _hands() -> None:
    """Compile shanten, waits and discards for one hand and for many."""
    from jantaku.adjudication import analysis, batch
    from jantaku.hand import Hand
    from jantaku.tiles import Tile, counts

    tenpai, drawn = Hand.parse("234m567p345678s9p"), Hand.parse("234m567p345678s9p1z")
    arrays = [_array(counts(hand.tiles)) for hand in (tenpai, drawn)]
    for hand in (tenpai, arrays[0][0]):
        analysis.shanten(hand)
    analysis.shanten_forms(tenpai)
    analysis.waits(tenpai)
    analysis.wait_form(tenpai)
    analysis.effective_tiles(tenpai)
    analysis.is_furiten(tenpai, [Tile(0)])
    analysis.riichi_ankan_allowed(Hand.parse("234m567p3488s111z"), Tile(27))
    analysis.best_discards(drawn)
    batch.shanten(arrays[0])
    batch.waits(arrays[0])
    batch.effective(arrays[0])
    batch.discards(arrays[1])


def _array(counts: object) -> "npt.NDArray[np.uint8]":
    import numpy as np

    return np.array([counts], np.uint8)


def _score() -> None:
    """Compile scores, readings and explanations for one win and for many."""
    from jantaku.adjudication import analysis, batch
    from jantaku.adjudication.explain import explain, explain_failure
    from jantaku.adjudication.rons_and_nagashi import score_nagashi
    from jantaku.adjudication.score import score
    from jantaku.errors import HandError
    from jantaku.win import Win

    won = Win.parse("234m567p345678s9p 9p", tsumo=True)
    explain(score(won))
    score_nagashi("east")
    analysis.readings(won)
    batch.score(batch.win_records([won]))
    for win in (Win.parse("234m567p345678s9p 9p"), Win.parse("234m567p345678s9p 1p")):
        try:
            score(win)
        except HandError as error:
            explain_failure(win, "standard", error)


def _game() -> None:
    """Compile the engine with one turn of a game, and the reasons why a seat may not declare or win."""
    from jantaku.game import Game
    from jantaku.game.engine import context
    from jantaku.kernels.engine.kita import may_rob_north
    from jantaku.kernels.engine.riichi import waits_after
    from jantaku.kernels.rules import rules_record

    game = Game(seed=1)
    may_rob_north(game.record.copy(), 0, rules_record(game.rules)[0], context())
    waits_after(game.record.copy(), 0, int(game.record.hand[0].argmax()), context())
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[0])
    game.view(seat)


def _bots() -> None:
    """Compile the decisions of bots and a whole game between bots.

    Neither this nor the following steps use a ``Game``, which would compile the engine a second time.
    """
    from jantaku.bots.arena import contest, pairing
    from jantaku.bots.player import DECISION
    from jantaku.bots.policy_judge import DESCRIBE_DISCARDS
    from jantaku.rules import load

    for decision in (DECISION, DESCRIBE_DISCARDS):
        decision.load()
    rules = load("standard")
    contest(pairing(rules, ("random",) * len(rules.seats)), 1)


def _lab() -> None:
    """Compile environments, dangers, simulation, bulk random play, and searches of a position."""
    import numpy as np

    from jantaku.bots.player import risks
    from jantaku.bots.policies import RANDOM
    from jantaku.bots.search import Settings, search
    from jantaku.game.engine import context
    from jantaku.game.fair_walls import tile_set
    from jantaku.lab.chunks import ChunkPlan, play_chunk
    from jantaku.lab.discards import HandQuestion, SeatPosition, known_position
    from jantaku.lab.discards.play import play_deals
    from jantaku.lab.kernels.observation import COLUMNS, ROWS, encode
    from jantaku.lab.kernels.randoms import play_at_random
    from jantaku.lab.kernels.turns import CHOICES, new_batch, sources
    from jantaku.lab.vector import VectorEnv
    from jantaku.rules import load

    for opponents in ("random", None):
        env = VectorEnv(games=1, opponents=opponents)
        env.step(env.reset().mask.argmax(axis=1))
    encode(env.records[0], 0, np.empty((ROWS, COLUMNS), np.int16))
    risks(env.records[0], 0, env.rules)
    rules = load("standard")
    play_chunk(ChunkPlan(rules, ("random",) * len(rules.seats), 1), 0, 1)
    batch = new_batch(rules, np.array(tile_set(rules), np.uint8), 1, 0, 1)
    play_at_random(batch, sources(1, CHOICES, 0, 1), 1, context(), np.zeros(4, np.int64))
    position = known_position(SeatPosition.parse("234m567p34567s99p 8s"), rules)
    play_deals(HandQuestion(position, bot="random"), 0, 1)
    search(position, Settings(deals=1, policy=RANDOM))


def _club() -> None:
    """Compile seating plans, the settlement of hands, and final results."""
    from jantaku.club import seat, settle
    from jantaku.club.entered_results import GameEnd, ended_games
    from jantaku.rules import load

    seat(8, 2)
    settle([{"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}])
    ended_games([GameEnd((40_000, 30_000, 20_000, 10_000))], load("standard"))


Steps = tuple[tuple[str, Callable[[], None]], ...]
# Steps of each process; the text of a step is ``warm.KEY``
STEPS: Final[dict[str, Steps]] = {
    "engine": (("tables", _tables), ("hands", _hands), ("score", _score), ("game", _game)),
    "players": (("tables", _tables), ("bots", _bots), ("lab", _lab), ("club", _club)),
}


def _compile(group: str) -> None:
    """Compile one group in this process, printing each finished step."""
    from jantaku.kernels._jit import use_compiled

    use_compiled()
    for name, step in STEPS[group]:
        step()
        print(name, flush=True)  # noqa: T201 — read by the parent process


def compile_all() -> None:
    """Compile missing kernels with a progress bar; do nothing if kernels run as plain Python."""
    from jantaku.kernels._cache import baseline_environment, is_complete, note_complete
    from jantaku.kernels._jit import COMPILED

    if is_complete() or not COMPILED:
        return
    environment = {**os.environ, **baseline_environment()}
    done: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    with progress() as shown:
        task = shown.add_task(words("warm.loading"), total=sum(map(len, STEPS.values())))
        processes = [
            subprocess.Popen(  # noqa: S603 — runs this module
                [sys.executable, "-m", __name__, group], stdout=subprocess.PIPE, text=True, env=environment
            )
            for group in STEPS
        ]
        try:
            for process in processes:
                threading.Thread(target=_report, args=(process, done), daemon=True).start()
            running = len(processes)
            while running:
                name = done.get()
                if name is None:
                    running -= 1
                else:
                    shown.update(task, advance=1, description=words(f"warm.{name}"))
        finally:
            for process in processes:
                process.terminate()
                process.wait()
    if any(process.returncode for process in processes):
        message = "compiling failed"
        raise RuntimeError(message)
    note_complete()


def _report(process: "subprocess.Popen[str]", done: "queue.SimpleQueue[str | None]") -> None:
    """Queue the finished steps of a process, and ``None`` at its end."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            done.put(line.strip())
    process.wait()
    done.put(None)


def prune(days: float = OLD_DAYS) -> int:
    """Remove compiled code of other versions not changed for ``days`` days; return the number of folders."""
    from jantaku.kernels._cache import other_versions

    limit = time.time() - days * _DAY_S
    folders = [path for path in other_versions() if path.stat().st_mtime < limit]
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)
    return len(folders)


def warm() -> int:
    """Compile all missing kernels, then clear old caches of other versions."""
    started = time.perf_counter()
    compile_all()
    from jantaku.kernels._cache import cache_dir

    out().print(words("warm.done", seconds=time.perf_counter() - started), style="bold green")
    out().print(str(cache_dir()), style="dim", soft_wrap=True)
    if count := prune():
        out().print(words("warm.pruned", count=count), style="dim")
    return 0


if __name__ == "__main__":
    from jantaku.kernels._cache import ANNOUNCED

    ANNOUNCED.add("warm")
    _compile(sys.argv[1])
