"""Which news of an event webhooks are told: the kind of each, and what is in it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.event_schema import recorded_games
from jantaku.server.storage.round_schema import event_rounds
from jantaku.server.storage.webhooks import queue, webhooks_of

NEWS: Final = {
    "seating_published": "seating",
    "reseat": "seating",
    "round_start": "start",
    "round_end": "standings",
    "round_taken_back": "start",
    "log": "result",
    "hand": "correction",
    "game_status": "correction",
    "penalty": "penalty",
    "penalty_cancelled": "penalty",
    "call": "call",
    "dispute": "call",
}  # what is told of the actions in the log that are always of one kind
TOLD: Final = (
    "seating",
    "start",
    "penalty",
    "call",
    "standings",
)  # with their content; results may be hidden
OVER: Final = ("confirmed", "cancelled")


async def queue_news(
    connection: AsyncConnection, event: str, revision: int, notes: Sequence[Mapping[str, Any]]
) -> None:
    """Queue what webhooks are told of these notes of the log, in the transaction that writes them."""
    if any(
        note["action"] == "round_taken_back" for note in notes
    ):  # its games were empty: nothing is corrected
        notes = [note for note in notes if note["action"] != "game_status"]
    news = [(kind, note) for note in notes if (kind := _kind(note)) is not None]
    webhooks = await webhooks_of(connection, event) if news else []
    if not webhooks:
        return
    messages = [(kind, _body(event, revision, kind, note)) for kind, note in news]
    for kind, note in news:
        over = await _round_over(connection, event, note["game"]) if kind == "result" else None
        if over:
            messages.append(("standings", _body(event, revision, "standings", note) | {"after": over}))
    for webhook in webhooks:
        await queue(connection, webhook, [(kind, body) for kind, body in messages if kind in webhook.kinds])


def _kind(note: Mapping[str, Any]) -> str | None:
    """The kind of news that a note is, if it is any."""
    before, after = (json.loads(note[name]) if note[name] else {} for name in ("before", "after"))
    match note["action"]:
        case "hand" if not note["before"]:  # it corrects nothing
            return None
        case "points":
            return "correction" if before["status"] == "confirmed" else "result"
        case "confirm":
            return "result" if after["confirmed"] else None
        case "online":
            return "result" if after["counts"] else None
        case "game":
            return "result" if after.get("scores") else None
    return NEWS.get(note["action"])


def _body(event: str, revision: int, kind: str, note: Mapping[str, Any]) -> dict[str, Any]:
    after = json.loads(note["after"]) if note["after"] and kind in TOLD else None
    names = ("action", "game", "entry", "why")
    return {"event": event, "revision": revision, **{name: note[name] for name in names}, "after": after}


async def _round_over(connection: AsyncConnection, event: str, game: str) -> dict[str, Any] | None:
    """The round of a game if it was the last one in it, with its stage."""
    games, rounds = recorded_games.c, event_rounds.c
    stage = select(games.stage).where(games.event == event, games.id == game).scalar_subquery()
    running = (rounds.event == event) & (rounds.stage == stage) & (rounds.state == "running")
    for row in await connection.execute(select(rounds.stage, rounds.number, rounds.tables).where(running)):
        played = [table[1] for table in json.loads(row.tables)]
        if game not in played:
            continue
        over = select(func.count()).where(
            games.event == event, games.id.in_([game for game in played if game]), games.status.in_(OVER)
        )
        if (await connection.execute(over)).scalar_one() == len(played):
            return {"stage": row.stage, "round": row.number}
    return None
