"""Penalties, and the queue of calls for a referee."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from jantaku.club.doubts import Doubt
from jantaku.server.errors import ServerError
from jantaku.server.storage.event_schema import event_calls, event_penalties
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import OverStore


class PenaltyRow(NamedTuple):
    """Points for an entry in a stage, or within one of its games; ``cancelled`` is when."""

    number: int
    stage: str
    entry: str
    game: str | None
    points: int
    why: str
    person: str | None
    at: int
    cancelled: int | None


class CallRow(NamedTuple):
    """A call for a referee, or a dispute about the hand of a ``version``; open until ``closed``."""

    number: int
    kind: str
    game: str | None
    version: str | None
    label: str
    person: str | None
    name: str
    why: str
    at: int
    closed: int | None
    answer: str


CALLS: Final = ("call", "dispute")  # what people have called a referee for
DOUBT: Final = "doubt"  # what the server asks a referee to look at: ``why`` is JSON
PENALTY = tuple(event_penalties.c[name] for name in PenaltyRow._fields)
CALL = tuple(event_calls.c[name] for name in CallRow._fields)


class EventDesk(OverStore):
    """Reads penalties and calls."""

    async def penalties(self, event: str, *where: Any) -> list[PenaltyRow]:
        """The penalties of an event, cancelled ones too, in the order in which they were given."""
        query = select(*PENALTY).where(event_penalties.c.event == event, *where)
        rows = await self._store.rows(query.order_by(event_penalties.c.number))
        return [PenaltyRow(*row) for row in rows]

    async def every_call(self, event: str, most: int) -> list[CallRow]:
        """All calls of an event, closed ones and doubts too, in the order in which they came."""
        query = select(*CALL).where(event_calls.c.event == event).order_by(event_calls.c.number)
        return [CallRow(*row) for row in await self._store.rows(query.limit(most))]

    async def calls(self, event: str, *where: Any, most: int) -> list[CallRow]:
        """The open calls, the oldest first."""
        query = select(*CALL).where(event_calls.c.event == event, event_calls.c.closed.is_(None), *where)
        rows = await self._store.rows(query.order_by(event_calls.c.number).limit(most))
        return [CallRow(*row) for row in rows]


async def add_penalty(change: Change, row: PenaltyRow) -> None:
    """Store a new penalty."""
    await change.add(event_penalties, [row._asdict()])
    change.results_change = True


async def cancel_penalty(change: Change, number: int) -> PenaltyRow:
    """Cancel a penalty and return it as it was; raises ``no_penalty`` if there is none to cancel."""
    mine = event_penalties.c.number == number
    rows = await change.rows(select(*PENALTY).where(change.of(event_penalties), mine))
    if not rows or rows[0].cancelled is not None:
        raise ServerError("no_penalty")
    await change.set(event_penalties, mine, cancelled=change.at)
    change.results_change = True
    return PenaltyRow(*rows[0])


async def penalised(change: Change, games: Sequence[str]) -> set[str]:
    """Those of these games within which a penalty is in force."""
    given = event_penalties.c.game.in_(games) & event_penalties.c.cancelled.is_(None)
    rows = await change.rows(select(event_penalties.c.game).where(change.of(event_penalties), given))
    return {row.game for row in rows}


async def add_call(change: Change, row: CallRow) -> None:
    """Store a new call."""
    await change.add(event_calls, [row._asdict()])


async def close_calls(change: Change, answer: str, *where: Any) -> list[CallRow]:
    """Close the open calls for which all of ``where`` is true; returns them."""
    mine = (event_calls.c.closed.is_(None), *where)
    rows = await change.rows(select(*CALL).where(change.of(event_calls), *mine))
    await change.set(event_calls, *mine, closed=change.at, answer=answer)
    return [CallRow(*row) for row in rows]


async def ask_to_look(change: Change, game: str, reasons: Sequence[Doubt]) -> None:
    """Put a game and the reasons to look at it on the referees' list, instead of others that were there.

    What a referee has cleared does not come again for the same reasons.
    """
    why = _why(reasons)
    same = (event_calls.c.kind == DOUBT) & (event_calls.c.game == game)
    if await change.count(event_calls.c.number, same, event_calls.c.why == why):
        return
    await close_calls(change, "", same)
    if not reasons:
        return
    number = await change.next_number(event_calls.c.number)
    about = (game, None, "", None, "", why)
    await add_call(change, CallRow(number, DOUBT, *about, at=change.at, closed=None, answer=""))


async def ask_to_look_at_all(change: Change, doubts: Iterable[tuple[str, Sequence[Doubt]]]) -> None:
    """Put new games and the reasons to look at each on the referees' list."""
    first = await change.next_number(event_calls.c.number)
    rows = (
        CallRow(number, DOUBT, game, None, "", None, "", _why(reasons), at=change.at, closed=None, answer="")
        for number, (game, reasons) in enumerate(doubts, first)
    )
    await change.add(event_calls, (row._asdict() for row in rows))


def _why(reasons: Sequence[Doubt]) -> str:
    return json.dumps([[code, dict(values)] for code, values in reasons])


async def settle_doubts(change: Change, game: str) -> None:
    """A referee has decided about a game: nobody needs to look any more."""
    await close_calls(change, "", event_calls.c.kind == DOUBT, event_calls.c.game == game)
