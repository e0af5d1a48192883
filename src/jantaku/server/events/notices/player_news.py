"""What players are told of a change in their event, each of what concerns them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from jantaku import terms
from jantaku.seats import winds_of
from jantaku.server.storage.events import AuditRow
from jantaku.server.storage.schema import recorded_seats
from jantaku.server.storage.services import Services
from jantaku.terms import Language, signed

ABOUT_GAMES: Final = {"hand": "corrected", "points": "corrected", "game_status": "game_status"}
ABOUT_ENTRIES: Final = ("penalty", "penalty_cancelled")
ABOUT_ROUNDS: Final = {
    "seating_published": "seating",
    "round_start": "start",
    "round_taken_back": "taken_back",
}
ACTIONS: Final = (*ABOUT_ROUNDS, "reseat", *ABOUT_GAMES, *ABOUT_ENTRIES)


class News(NamedTuple):
    """For the player of an entry: the term of the text, what fills it, and the page that it opens."""

    entry: str
    term: str
    values: Mapping[str, Any]
    path: str


async def news_of(services: Services, event: str, revision: int) -> list[News]:
    """Whom a change concerns and what they are told. Whoever made the change is not told of it."""
    rows = [row for row in await services.event_log.of(event, revision) if row.action in ACTIONS]
    if not rows:
        return []
    if any(row.action == "round_taken_back" for row in rows):  # that says it of its games, too
        rows = [row for row in rows if row.action != "game_status"]
    entries = {entry.id: entry for entry in await services.entries.all(event)}
    news = [news for row in rows for news in await _of_row(services, event, row)]
    makers = {row.person for row in rows if row.person}
    wanted = (news for news in news if news.entry in entries and entries[news.entry].person not in makers)
    return list({(item.entry, item.term): item for item in wanted}.values())  # one of each kind is enough


async def _of_row(services: Services, event: str, row: AuditRow) -> list[News]:
    if row.action in ABOUT_ROUNDS:
        return await _of_round(services, event, row)
    if row.action == "reseat":
        return _of_other_seats(event, row)
    if row.action in ABOUT_ENTRIES:
        return _of_penalty(event, row)
    if row.game is None or (row.action == "hand" and row.before is None):
        return []
    values = {"status": row.after} if row.action == "game_status" else {}
    path = f"/events/{event}/games/{row.game}"
    return [
        News(entry, ABOUT_GAMES[row.action], values, path)
        for entry in await _players(services, event, row.game)
    ]


async def _of_round(services: Services, event: str, row: AuditRow) -> list[News]:
    rounds = (await services.rounds.of(event, row.after["stage"])).rounds
    round_ = next((round_ for round_ in rounds if round_.number == row.after["round"]), None)
    if round_ is None:
        return []
    term = ABOUT_ROUNDS[row.action]
    seated = _seats(round_.seating, row.after["round"], f"/events/{event}/rounds", term)
    byes = [News(entry, "bye", {"round": round_.number}, f"/events/{event}/rounds") for entry in round_.byes]
    return seated + (byes if term == "seating" else [])


def _seats(tables: Sequence[Sequence[str]], number: int, path: str, term: str) -> list[News]:
    return [
        News(entry, term, {"round": number, "table": table, "wind": wind}, path)
        for table, players in enumerate(tables, 1)
        for entry, wind in zip(players, winds_of(len(players)), strict=True)
    ]


def _of_other_seats(event: str, row: AuditRow) -> list[News]:
    """Those whose table or seat has changed."""
    number, path = row.before["round"], f"/events/{event}/rounds"
    before, now = (_seats(row["tables"], number, path, "reseat") for row in (row.before, row.after))
    return [seat for seat in now if seat not in before]


def _of_penalty(event: str, row: AuditRow) -> list[News]:
    if row.entry is None:
        return []
    points = (row.after or row.before or {}).get("points", 0)
    path = f"/events/{event}/players/{row.entry}"
    return [News(row.entry, row.action, {"points": signed(points), "why": row.why}, path)]


async def _players(services: Services, event: str, game: str) -> list[str]:
    seats = recorded_seats.c
    query = select(seats.entry).where(seats.event == event, seats.game == game)
    return await services.store.values(query)


def message_of(news: News, name: Mapping[str, str], language: Language) -> str:
    """The notification as the browser gets it: JSON with ``title``, ``body``, ``url`` and ``tag``."""
    values = dict(news.values)
    if "wind" in values:
        values["wind"] = terms.text(f"tiles.winds.{values['wind']}", language)
    if "status" in values:
        values["status"] = terms.text(f"server.news.status.{values['status']}", language)
    body = terms.text(f"server.news.{news.term}", language, **values)
    title = name.get(language) or next(iter(name.values()), "Jantaku")
    return json.dumps(
        {"title": title, "body": body, "url": news.path, "tag": f"{news.path} {news.term}"},
        ensure_ascii=False,
    )
