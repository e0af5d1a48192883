"""What the steward works on in the lab, as the process knows it that will take its place."""

import asyncio
from typing import Any, Final

from jantaku.server.lab.questions import LabQuestions, OpenQuestion
from jantaku.server.storage.inheritance import LOOKS_S, Inheritance, Values
from jantaku.server.storage.services import Services
from jantaku.server.tasks import Background, reported

FAILURE: Final = "the questions to the lab of another process cannot be learned"


class InheritedQuestions(Background):
    """Questions of the steward: ``take`` them when this process is the steward, one request at a time."""

    def __init__(self, services: Services, questions: LabQuestions) -> None:
        self.questions = questions
        self.turn = asyncio.Lock()
        self._lease = services.lease
        self._inheritance = Inheritance(
            *(services.lease, services.links, "lab_questions"),
            lambda: {key: _mark(question) for key, question in questions.all.items()},
            lambda key: _said(questions.all[key]),
        )

    def take(self) -> Values:
        """The questions of the steward before, by their ids, once."""
        return self._inheritance.take() if self._lease.serves_all else {}

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_S)
            with reported(FAILURE):
                await self._inheritance.look()


def _mark(question: OpenQuestion) -> str:
    """How far an open question has come does not matter: it begins anew."""
    return question.state if question.ended else "open"


def _said(question: OpenQuestion) -> dict[str, Any]:
    ended = question.ended
    return {
        "holder": question.holder,
        "asked": question.asked,
        "state": question.state if ended else "waiting",
        "known": question.known if ended else {},
    }
