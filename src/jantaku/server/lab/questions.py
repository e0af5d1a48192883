"""Lab questions: their queue, their worker processes, and handing them over to a new leader."""

import asyncio
import json
import pickle
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from jantaku.lab.discards import HandQuestion
from jantaku.lab.experiment.plan import Experiment
from jantaku.server.edge.limits import Principal, Quota
from jantaku.server.edge.work import Turn, Turns
from jantaku.server.errors import ServerError
from jantaku.server.lab.worker import PAUSE, RESUME
from jantaku.server.settings import LabLimits
from jantaku.server.storage.lease import POLL_S, LeaderState, Values
from jantaku.server.storage.services import Services
from jantaku.server.tasks import LOG, Background, end, reported

State = Literal["waiting", "working", "done", "stopped", "failed"]
Task = Experiment | HandQuestion
KEPT: Final = 200  # finished questions
KEPT_S: Final = 86_400
LONGEST_LINE: Final = 1 << 20  # bytes
# A question stops if nobody polls it for this long; questions about rules take minutes, and phones may sleep
POLL_TIMEOUT_S: Final = {"hand": 20.0, "rules": 180.0}
LOOK_S: Final = 0.5  # interval to check whose turn it is
REFUSED: Final = {"one": "lab_busy_yours", "address": "lab_busy_there", "all": "lab_busy"}
ID_BYTES: Final = 12


@dataclass(eq=False)
class OpenQuestion:
    """A question of ``holder``; ``asked`` is its request body, ``known`` the last line from its worker."""

    holder: Principal
    task: Task
    asked: Mapping[str, Any] = field(default_factory=dict)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(ID_BYTES))
    state: State = "waiting"
    known: dict[str, Any] = field(default_factory=dict)
    looked: float = field(default_factory=time.monotonic)
    running: asyncio.Task[None] | None = None
    turn: Turn = field(init=False)

    def __post_init__(self) -> None:
        """Create its turn."""
        self.turn = Turn(self.holder)

    @property
    def kind(self) -> Literal["rules", "hand"]:
        """The kind of question."""
        return "hand" if isinstance(self.task, HandQuestion) else "rules"

    @property
    def ended(self) -> bool:
        """Whether it has finished, stopped or failed."""
        return self.state not in ("waiting", "working")


class LabQuestions:
    """All questions of a server."""

    def __init__(self, limits: LabLimits) -> None:
        self._limits = limits
        self._share = Quota(limits.of_one, max(limits.of_one, limits.of_address), limits.waiting)
        self._turns = Turns(limits.at_once)
        self._all: OrderedDict[str, OpenQuestion] = OrderedDict()

    def ask(self, holder: Principal, task: Task, asked: Mapping[str, Any]) -> OpenQuestion:
        """Start or queue a question; raise ``lab_busy…`` if too many are waiting."""
        self._forget()
        passed = self._share.exceeded(
            holder, ((question.holder, 1) for question in self._all.values() if not question.ended)
        )
        if passed is not None:
            raise ServerError(REFUSED[passed])
        question = OpenQuestion(holder, task, asked)
        self.begin(question)
        return question

    def begin(self, question: OpenQuestion) -> None:
        """Add a question, and start or queue it unless it has ended."""
        self._all[question.id] = question
        if not question.ended:
            self._turns.join(question.turn)
            question.running = asyncio.create_task(self._run(question))

    @property
    def all(self) -> Mapping[str, OpenQuestion]:
        """All stored questions by id."""
        return self._all

    def find(self, person: str, id_: str) -> OpenQuestion:
        """Return a question of the person; raise ``no_question`` for any other."""
        question = self._all.get(id_)
        if question is None or question.holder.person != person:
            raise ServerError("no_question")
        question.looked = time.monotonic()
        return question

    def of(self, person: str) -> list[OpenQuestion]:
        """Return the stored questions of a person, latest first."""
        return [question for question in reversed(self._all.values()) if question.holder.person == person]

    def ahead(self, question: OpenQuestion) -> int:
        """Return the number of questions ahead in the queue."""
        return self._turns.ahead(question.turn)

    async def stop(self, question: OpenQuestion) -> None:
        """Stop a question; its intermediate results remain."""
        if question.running is not None and not question.ended:
            await end(question.running)
            self._turns.leave(question.turn)
            if not question.ended:  # cancelled before it started
                question.state = "stopped"

    async def close(self) -> None:
        """Stop all questions."""
        for question in list(self._all.values()):
            with suppress(Exception):
                await self.stop(question)

    def _forget(self) -> None:
        """Delete old answers."""
        ended = [question for question in self._all.values() if question.ended]
        for index, question in enumerate(ended):
            if len(ended) - index > KEPT or time.monotonic() - question.looked > KEPT_S:
                del self._all[question.id]

    async def _run(self, question: OpenQuestion) -> None:
        watch = asyncio.create_task(self._stop_unwatched(question))
        try:
            await question.turn.on.wait()
            question.state = "working"
            await self._work(question)
            question.state = "failed" if "error" in question.known else "done"
        except asyncio.CancelledError:
            question.state = "stopped"
            raise
        except Exception:
            LOG.exception("a question to the lab failed")
            question.state, question.known = "failed", {"error": "lab_failed", "details": {}}
        finally:
            watch.cancel()
            self._turns.leave(question.turn)

    async def _stop_unwatched(self, question: OpenQuestion) -> None:
        """Stop a question that nobody polls."""
        timeout_s = POLL_TIMEOUT_S[question.kind]
        while True:
            await asyncio.sleep(timeout_s / 4)
            if time.monotonic() - question.looked > timeout_s and question.running is not None:
                question.running.cancel()

    async def _work(self, question: OpenQuestion) -> None:
        """Run a worker process for a question; it pauses while others have a turn."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "jantaku.server.lab.worker", str(self._limits.cpu_s)),
            *filter(None, [self._limits.ray]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        resting = asyncio.create_task(self._rest(question, process.stdin))
        try:
            process.stdin.write(pickle.dumps(question.task))
            async for line in process.stdout:
                question.known = json.loads(line)
            if await process.wait() != 0:
                LOG.warning("the lab's process ended with %s", process.returncode)
                question.known = {"error": "lab_failed", "details": {}}
        finally:
            resting.cancel()
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    async def _rest(self, question: OpenQuestion, worker: asyncio.StreamWriter) -> None:
        """Pause the worker while others have a turn."""
        while True:
            await asyncio.sleep(LOOK_S)
            if self._turns.rest(question.turn):
                worker.write(PAUSE)
                question.state = "waiting"
                await question.turn.on.wait()
                question.state = "working"
                worker.write(RESUME)


FAILURE: Final = "reading the lab questions of another process failed"


class InheritedQuestions(Background):
    """Questions of the previous leader, to take over when this process becomes the leader."""

    def __init__(self, services: Services, questions: LabQuestions) -> None:
        self.questions = questions
        self.turn = asyncio.Lock()
        self._lease = services.lease
        self._inheritance = LeaderState(
            *(services.lease, services.links, "lab_questions"),
            lambda: {key: _state_mark(question) for key, question in questions.all.items()},
            lambda key: _to_json(questions.all[key]),
        )

    def inherit(self) -> Values:
        """Return the previous leader's questions by id, once; none if this process is not the leader."""
        return self._inheritance.inherit() if self._lease.is_leader else {}

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            with reported(FAILURE):
                await self._inheritance.poll()


def _state_mark(question: OpenQuestion) -> str:
    """Return a string that changes when a question ends; progress is ignored, as open questions restart."""
    return question.state if question.ended else "open"


def _to_json(question: OpenQuestion) -> dict[str, Any]:
    ended = question.ended
    return {
        "holder": question.holder,
        "asked": question.asked,
        "state": question.state if ended else "waiting",
        "known": question.known if ended else {},
    }
