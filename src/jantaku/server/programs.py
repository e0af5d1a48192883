"""External mjai programs (``bots.mjai``) that the operator offers as bots at tables and as judges.

A program at a table has a process of its own, which starts with the game, or from its record when the table
is loaded, and a thread that waits for its answers beside the event loop. It gets only what its seat sees.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Final, Protocol

from jantaku.bots.judge import Judgement
from jantaku.bots.levels import LEVELS
from jantaku.bots.mjai import MJAI, SEAT, MjaiBot, ProgramJudge, fallback
from jantaku.errors import RequestError, phrase
from jantaku.game import Action, Game
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.settings import Program

LOG: Final = logging.getLogger("jantaku.server")
REVIEW_S: Final = 300.0  # for all decisions of a review


class Running(Protocol):
    """A program with a process to end."""

    def close(self) -> None:
        """End the process. May be called by any thread, and repeatedly."""
        ...


class SeatProgram:
    """A program in one seat of one game. Its only thread asks for one decision after another."""

    def __init__(self, program: Program, seat: int) -> None:
        self.name, self._seat = program.name, seat
        self._command = program.command.removeprefix(MJAI).replace(SEAT, str(seat))
        self._thread = ThreadPoolExecutor(1, "program")
        self._lock = threading.Lock()  # of the start and the end
        self._bot: MjaiBot | None = None
        self._over = False
        self._faults = 0
        self._thread.submit(self._started)  # many programs load a network before they read anything

    @property
    def active(self) -> bool:
        """Whether the process runs or will start."""
        return not self._over and (self._bot is None or self._bot.active)

    async def choose(self, game: Game) -> Action:
        """Return the program's action, or ``fallback`` if it has none in time. ``game`` must not change.

        A cancelled decision still gets its answer before the next one begins.
        """
        try:
            return await asyncio.wrap_future(self._thread.submit(self._choose, game))
        except Exception as error:
            if not self._over:
                LOG.error("program %s failed: %s", self.name, error, exc_info=error)
            return fallback(game, self._seat)

    def _choose(self, game: Game) -> Action:
        bot = self._started()
        if bot is None:
            return fallback(game, self._seat)
        action = bot.choose(game, self._seat)
        if len(bot.faults) > self._faults and not self._over:
            if not self._faults or not bot.active:  # not every illegal action
                LOG.warning("program %s in seat %s: %s", self.name, self._seat, bot.faults[-1])
            self._faults = len(bot.faults)
        return action

    def _started(self) -> MjaiBot | None:
        """Start the process unless it runs; ``None`` if it is over."""
        with self._lock:
            if self._bot is None and not self._over:
                try:
                    self._bot = MjaiBot(self._command)
                except RequestError as error:
                    LOG.error("program %s: %s", self.name, error)
                    self._over = True
            return None if self._over else self._bot

    def close(self) -> None:
        """End the process. A decision that waits for it ends with ``fallback``."""
        with self._lock:
            self._over = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._bot is not None:
            self._bot.close()


class ReviewProgram:
    """A program that judges one review, for up to ``REVIEW_S``."""

    def __init__(self, program: Program) -> None:
        self._judge = ProgramJudge(program.command.removeprefix(MJAI), name=program.name)
        self.name, self._ends = program.name, time.monotonic() + REVIEW_S

    def judge(self, game: Game, seat: int) -> Judgement | None:
        """Return the program's ratings; raises ``RequestError`` (``judge_failed``)."""
        try:
            if time.monotonic() < self._ends:
                return self._judge.judge(game, seat)
        except RequestError as error:
            LOG.warning("program %s as judge: %s", self.name, error.__cause__ or error)
            raise
        details = {"name": self.name, "seat": seat, "hand": len(game.walls)}
        raise RequestError(
            "judge_failed", field="judge", reason=phrase("errors.causes.program_late"), **details
        )

    def close(self) -> None:
        """End the process; there are no further judgements."""
        self._ends = 0.0
        with suppress(RuntimeError):  # the review's own thread is ending it
            self._judge.close()


class Programs:
    """The programs that a server offers, and those that it runs: up to ``at_once`` at tables."""

    def __init__(self, offered: Iterable[Program], at_once: int) -> None:
        self._offered = {program.name: program for program in offered}
        self._at_once = at_once
        self._running: set[Running] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._offered

    def suiting(self, rules: Ruleset) -> list[str]:
        """Return the names of the programs that can play under these rules."""
        return [name for name, program in self._offered.items() if program.suits(rules)]

    def check(self, name: str, rules: Ruleset) -> None:
        """Raise ``no_program`` unless there is such a program for these rules."""
        if name not in self.suiting(rules):
            raise ServerError("no_program", name=name)

    def check_bot(self, name: str | None, rules: Ruleset) -> None:
        """Raise ``no_program`` unless this is ``None``, a level, or a program for these rules."""
        if name is not None and name not in LEVELS:
            self.check(name, rules)

    @property
    def room(self) -> int:
        """How many more programs can play at tables."""
        at_tables = (one for one in list(self._running) if isinstance(one, SeatProgram) and one.active)
        return max(0, self._at_once - sum(1 for _ in at_tables))

    def seat(self, name: str, seat: int) -> SeatProgram | None:
        """Start a program for a seat of a game; ``None`` if there is no room."""
        if not self.room:
            return None
        self._running.add(program := SeatProgram(self._offered[name], seat))
        return program

    @contextmanager
    def judging(self, name: str) -> Iterator[ReviewProgram]:
        """Yield a program as judge of one review; its process ends with the context."""
        self._running.add(program := ReviewProgram(self._offered[name]))
        try:
            yield program
        finally:
            self._running.discard(program)
            program.close()

    def end(self, *programs: Running) -> None:
        """End programs in a thread of their own, since it takes a moment."""
        self._running.difference_update(programs)
        for program in programs:
            threading.Thread(target=program.close, name="program-end").start()

    async def close(self) -> None:
        """End all programs and wait for it."""
        programs, self._running = self._running, set()
        await asyncio.gather(*(asyncio.to_thread(program.close) for program in programs))
