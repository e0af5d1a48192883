"""Figures and reviews are worked out by turns: whoever asks without end holds up nobody else."""

import asyncio
from contextlib import suppress

import pytest

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.errors import ServerError

pytestmark = pytest.mark.anyio
SHARE = Quota(of_one=4, of_address=16, of_all=128)


async def test_six_hundred_questions_of_one_person_hold_up_another_for_one_piece() -> None:
    work, done, refused = FairWork(SHARE), list[str](), list[str]()
    working = 0

    async def ask(person: str, address: str) -> None:
        nonlocal working
        try:
            async with work.turn(Holder(person, address)):
                working += 1
                assert working == 1
                await asyncio.sleep(0)
                working -= 1
                done.append(person)
        except ServerError as error:
            refused.append(error.code)

    greedy = [asyncio.create_task(ask("greedy", "X")) for _ in range(600)]
    await asyncio.sleep(0)
    await asyncio.gather(ask("other", "Y"), *greedy)
    assert done.index("other") <= 2
    assert (done.count("greedy"), refused) == (4, ["busy"] * 596)


async def test_many_people_of_one_address_leave_others_their_turn() -> None:
    work, done = FairWork(SHARE), list[str]()

    async def ask(person: str, address: str) -> None:
        with suppress(ServerError):
            async with work.turn(Holder(person, address)):
                await asyncio.sleep(0)
                done.append(address)

    crowd = [asyncio.create_task(ask(f"guest {number}", "X")) for number in range(100)]
    await asyncio.sleep(0)
    await asyncio.gather(*crowd, *(ask(f"other {number}", "Y") for number in range(3)))
    assert done[:8].count("Y") == 3
    assert done.count("X") == 16


async def test_whoever_goes_away_leaves_the_line() -> None:
    work = FairWork(SHARE)

    async def ask(person: str) -> str:
        async with work.turn(Holder(person, person)):
            await asyncio.sleep(0.01)
        return person

    first, gone, last = (asyncio.create_task(ask(name)) for name in "abc")
    await asyncio.sleep(0)
    gone.cancel()
    assert tuple(await asyncio.gather(first, last)) == ("a", "c")
