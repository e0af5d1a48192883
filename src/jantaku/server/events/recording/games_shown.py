"""Recorded games as people see them."""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.club.recorded_hands import HandVersion
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import RECORDER, REFEREE, EventRights, hidden
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.recording import recorded_game_bodies as bodies
from jantaku.server.events.recording.game_rights import GameTable, rounds_of, settled, status_of
from jantaku.server.events.recording.signing import confirmed_seats
from jantaku.server.storage.events import PenaltyRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.schema import event_calls, event_penalties
from jantaku.server.storage.services import Services
from jantaku.terms import Language

MOST_CALLS = 500
PRIZES: Final = ("chips", "yakitori", "deducted")  # in the result of a game whose rules have them


async def summaries(
    services: Services, rows: Sequence[RecordedGameRow], rights: EventRights, now: int
) -> list[bodies.RecordedSummary]:
    """Games as a list."""
    within = event_penalties.c.game.in_([row.id for row in rows])
    penalties = await services.desk.penalties(rights.event.id, within) if rows else []
    seated = await rounds_of(services, rights, {row.stage for row in rows})
    return [_summary(row, rights, penalties, now, seated.get(row.id)) for row in rows]


def _summary(
    row: RecordedGameRow,
    rights: EventRights,
    penalties: Sequence[PenaltyRow],
    now: int,
    number: int | None,
) -> bodies.RecordedSummary:
    shown = not hidden(rights, row.players)
    result = row.result if shown and row.result is not None else {}
    return bodies.RecordedSummary.of(
        row,
        round=number,
        at=iso(row.at),
        status=status_of(row, rights.plan, now),
        players=list(row.players),
        **{name: result.get(name) for name in ("scores", "final", "places")},
        **_prizes(row, result),
        hands=(row.result or {}).get("hands", 0),
        penalties=_penalties(row, rights, penalties) if shown else [],
    )


def version_shown(version: HandVersion) -> bodies.RecordedVersion:
    """One entry at a table."""
    return bodies.RecordedVersion.of(version, at=iso(version.at))


async def game_shown(
    services: Services, table: GameTable, language: Language | None = None
) -> bodies.RecordedGameInfo:
    """A game with its hands, as settled, and who has confirmed what."""
    row, confirmed, person = table.row, confirmed_seats(table), table.rights.person
    entries = {entry.id: entry for entry in await services.entries.all(row.event)}
    names = names_of(list(entries.values()), language)
    penalties = await services.desk.penalties(row.event, event_penalties.c.game == row.id)
    result: dict[str, Any] = row.result or {}
    return bodies.RecordedGameInfo.of(
        row,
        game_number=row.number,
        round=(await rounds_of(services, table.rights, {row.stage})).get(row.id),
        at=iso(row.at),
        status=table.status,
        hands=await _hands(services, table),
        seats=[
            bodies.RecordedPlayer(
                entry=entry,
                name=names[entry],
                account=entries[entry].person is not None,
                confirmed=row.status == "confirmed" or seat in confirmed,
                by_me=person is not None and confirmed.get(seat) == person.id,
            )
            for seat, entry in enumerate(row.players)
        ],
        **{name: result[name] for name in ("number", "honba", "deposits", "scores", "final", "places")},
        **_prizes(row, result),
        penalties=_penalties(row, table.rights, penalties),
        one_account=table.status == "over" and len(confirmed) == len(row.players),
        only_points=row.ended_with is not None,
        may_record=table.records and table.status in ("playing", "over"),
        may_decide=table.rights.may(REFEREE),
    )


def _prizes(row: RecordedGameRow, result: dict[str, Any]) -> dict[str, Any]:
    """What the final points contain, if the ``result`` may be seen.

    Results of before do not say what chombo have taken in a game that ended by its points.
    """
    known = {name: result.get(name) for name in PRIZES}
    end = row.ended_with if result else None
    return known if end is None else known | {"deducted": end.deducted}


def _penalties(
    row: RecordedGameRow, rights: EventRights, penalties: Sequence[PenaltyRow]
) -> list[bodies.GamePenalty]:
    """The penalties within the game that stand, with their reasons for those whom they concern."""
    sits = rights.entry is not None and rights.entry.id in row.players
    concerned = sits or rights.may(RECORDER)
    return [
        bodies.GamePenalty.of(
            penalty,
            seat=row.players.index(penalty.entry),
            why=penalty.why if concerned else "",
            at=iso(penalty.at),
        )
        for penalty in penalties
        if penalty.game == row.id and penalty.cancelled is None
    ]


async def _hands(services: Services, table: GameTable) -> list[bodies.RecordedHand]:
    hands, locked = table.hands, table.locked
    game = await settled(hands, table.rules)
    where = (event_calls.c.game == table.row.id, event_calls.c.kind == "dispute")
    disputes = await services.desk.calls(table.row.event, *where, most=MOST_CALLS)
    disputed = {dispute.version for dispute in disputes}
    return [
        bodies.RecordedHand.model_validate(
            {
                **played.to_dict(),
                "version": hand.version,
                "hand": hand.hand,
                "entered": hand.entered,
                "trust": "locked" if i < locked else "proposed",
                "since": iso(hand.since),
                "winners": played.winners,
                "disputed": hand.version in disputed,
            }
        )
        for i, (hand, played) in enumerate(zip(hands, game.hands, strict=True))
    ]
