"""Who works next in the lab: nobody keeps it for themselves, however many questions they ask."""

import asyncio
from typing import Any

import pytest

from jantaku.server.edge import fair_work
from jantaku.server.edge.fair_work import Turn, Turns
from jantaku.server.edge.holdings import Holder
from jantaku.server.errors import ServerError
from jantaku.server.lab import questions
from jantaku.server.lab.questions import LabQuestions, OpenQuestion
from jantaku.server.limits import LabLimits

pytestmark = pytest.mark.anyio


class Lab(LabQuestions):
    """Questions whose work is a number of pieces; ``order`` tells whose piece was done when."""

    def __init__(self, limits: LabLimits, pieces: int = 1) -> None:
        super().__init__(limits)
        self.order: list[str] = []
        self._pieces = pieces

    async def _work(self, question: OpenQuestion) -> None:
        for _ in range(self._pieces):
            await question.turn.on.wait()
            self.order.append(question.holder.person)
            await asyncio.sleep(0)
            self._turns.rest(question.turn)


def ask(lab: LabQuestions, person: str, address: str) -> OpenQuestion:
    return lab.ask(Holder(person, address), Any, {})  # type: ignore[arg-type]  # no process works on it


async def ended(lab: LabQuestions, *asked: OpenQuestion) -> None:
    running = [task.running for task in asked if task.running is not None]
    await asyncio.wait_for(asyncio.gather(*running), 30)


async def test_ten_guests_at_one_address_leave_room_for_others() -> None:
    lab = LabQuestions(LabLimits())
    taken, refused = [], []
    for number in range(10):
        for _ in range(3):
            try:
                taken.append(ask(lab, f"guest {number}", "192.0.2.1"))
            except ServerError as error:
                refused.append(error.code)
    assert len(taken) == LabLimits().of_address
    assert set(refused) == {"lab_busy_yours", "lab_busy_there"}
    other = ask(lab, "other", "198.51.100.7")
    assert lab.ahead(other) <= 1, "only the one that is worked on"
    await lab.close()


async def test_addresses_and_people_take_turns() -> None:
    lab = Lab(LabLimits(of_one=9, of_address=9))
    asked = (
        [ask(lab, "a", "X") for _ in range(3)]
        + [ask(lab, "b", "X")]
        + [ask(lab, "c", "Y"), ask(lab, "c", "Y")]
    )
    await ended(lab, *asked)
    assert lab.order == ["a", "c", "b", "c", "a", "a"]


async def test_a_long_question_rests_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_work, "TURN_S", 0.0)
    lab = Lab(LabLimits(), pieces=3)
    asked = [ask(lab, "a", "X"), ask(lab, "b", "Y")]
    await ended(lab, *asked)
    assert lab.order == ["a", "b"] * 3


async def test_nobody_rests_while_nobody_waits() -> None:
    line, turn = Turns(1), Turn(Holder("a", "X"))
    line.join(turn)
    assert not line.rest(turn)
    assert turn.on.is_set()


async def test_a_question_that_waits_and_that_nobody_looks_at_leaves_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "LEASH_S", {"hand": 0.1, "rules": 0.1})
    lab = Lab(LabLimits(of_one=2), pieces=10**9)
    first, second = ask(lab, "a", "X"), ask(lab, "a", "X")
    async with asyncio.timeout(30):
        while not second.ended:
            first.looked += 0.01
            await asyncio.sleep(0.01)
    ask(lab, "a", "X")  # there is room again
    await lab.close()
