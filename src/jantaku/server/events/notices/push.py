"""Push notifications to browsers: subscriptions, messages and their sender."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from fastapi import Depends
from pydantic import Field
from sqlalchemy import select
from starlette.requests import Request

from jantaku import terms
from jantaku.seats import winds_of
from jantaku.server.edge.bodies import malformed, router_of
from jantaku.server.edge.outgoing import MAX_URL, OutgoingError, checked_url, send
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    COOKIE,
    InjectedServices,
    Person,
    RequestLanguage,
    limit_changes,
    token_of,
)
from jantaku.server.storage.events import AuditRow
from jantaku.server.storage.people import hashed
from jantaku.server.storage.push import (
    TTL_S,
    PushDevice,
    PushKeys,
    application_key,
    check,
    encrypted,
)
from jantaku.server.storage.recorded_games import RecordedSeat
from jantaku.server.storage.services import Services
from jantaku.server.tasks import Background, reported
from jantaku.terms import Language, signed
from jantaku.wire import Wire

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+={0,2}$")]


class PushBody(Wire):
    """The push subscription of this browser, from its ``PushManager``."""

    endpoint: Annotated[str, Field(max_length=MAX_URL)]
    p256dh: Annotated[Key, Field(max_length=120)]
    auth: Annotated[Key, Field(max_length=40)]


class PushInfo(Wire):
    """Whether and in which language this browser gets notifications, and the ``key`` to subscribe with."""

    on: bool
    key: str
    language: Language | None


router = router_of("/api/me/push", "people")


def session_of(request: Request) -> str:
    """Return the session token of this browser."""
    return token_of(request, COOKIE)


Session = Annotated[str, Depends(session_of)]


async def _info(services: InjectedServices, session: str) -> PushInfo:
    # in a thread, as the first call loads a library and would block the event loop
    key = await asyncio.to_thread(application_key, await services.push.keys())
    language = await services.push.language(session)
    return PushInfo(on=language is not None, key=key, language=language)


@router.get("")
async def one(services: InjectedServices, _: Person, session: Session) -> PushInfo:
    """Return whether this browser gets notifications."""
    return await _info(services, session)


@router.put("", dependencies=[Depends(limit_changes)])
async def begin(
    services: InjectedServices, language: RequestLanguage, _: Person, session: Session, body: PushBody
) -> PushInfo:
    """Turn on notifications in this browser, in the language of the request, until the user signs out."""
    device = PushDevice(hashed(session), **body.model_dump(), language=language)
    try:
        checked_url(body.endpoint, services.settings.webhook_hosts)
        await asyncio.to_thread(check, device)
    except OutgoingError as error:
        raise ServerError("bad_request", field="endpoint", reason=malformed("form")) from error
    except ValueError as error:
        raise ServerError("bad_request", field="p256dh", reason=malformed("form")) from error
    await services.push.save(device)
    return await _info(services, session)


@router.delete("", dependencies=[Depends(limit_changes)])
async def end(services: InjectedServices, _: Person, session: Session) -> PushInfo:
    """Turn off notifications in this browser."""
    await services.push.remove(session)
    return await _info(services, session)


ABOUT_GAMES: Final = {"hand": "corrected", "points": "corrected", "game_status": "game_status"}
ABOUT_ENTRIES: Final = ("penalty", "penalty_cancelled")
ABOUT_ROUNDS: Final = {
    "seating_published": "seating",
    "round_start": "start",
    "round_taken_back": "taken_back",
}
ACTIONS: Final = (*ABOUT_ROUNDS, "reseat", *ABOUT_GAMES, *ABOUT_ENTRIES)


class News(NamedTuple):
    """News for the player of an entry: term key and values of the text, and the page to open."""

    entry: str
    term: str
    values: Mapping[str, Any]
    path: str


async def news_of(services: Services, event: str, revision: int) -> list[News]:
    """Return the news about a change for the players concerned, except those who made it."""
    rows = [row for row in await services.event_log.of(event, revision) if row.action in ACTIONS]
    if not rows:
        return []
    if any(row.action == "round_taken_back" for row in rows):  # its news covers its games
        rows = [row for row in rows if row.action != "game_status"]
    entries = {entry.id: entry for entry in await services.entries.all(event)}
    news = [news for row in rows for news in await _of_row(services, event, row)]
    makers = {row.person for row in rows if row.person}
    wanted = (news for news in news if news.entry in entries and entries[news.entry].person not in makers)
    return list({(item.entry, item.term): item for item in wanted}.values())  # only one of each kind


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
    """Return news for players whose table or seat has changed."""
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
    query = select(RecordedSeat.entry).where(RecordedSeat.event == event, RecordedSeat.game == game)
    return await services.store.values(query.order_by(RecordedSeat.seat))


def message_of(news: News, title: str, language: Language) -> str:
    """Format the notification for the service worker: JSON with ``title``, ``body``, ``url`` and ``tag``."""
    values = dict(news.values)
    if "wind" in values:
        values["wind"] = terms.text(f"tiles.winds.{values['wind']}", language)
    if "status" in values:
        values["status"] = terms.text(f"server.news.status.{values['status']}", language)
    body = terms.text(f"server.news.{news.term}", language, **values)
    return json.dumps(
        {"title": title, "body": body, "url": news.path, "tag": f"{news.path} {news.term}"},
        ensure_ascii=False,
    )


LOG = logging.getLogger("jantaku.server")
FAILURE: Final = "sending notifications failed"
MAX_WAITING: Final = 1000  # queued changes and calls; further ones are dropped
QUEUE_OF_DEVICE: Final = 20  # messages for one browser; the oldest is dropped first
AT_ONCE: Final = 64
AT_ONCE_PER_HOST: Final = 8
GONE: Final = (404, 410)


class _Message(NamedTuple):
    """A notification for one browser."""

    keys: PushKeys
    device: PushDevice
    text: str
    ttl_s: int = TTL_S


class PushSender(Background):
    """Sends the notifications of a server; unsent ones are lost when it stops.

    Each browser has its own queue, so a slow push service delays only its own users.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._changes: asyncio.Queue[Callable[[], Awaitable[list[_Message]]]] = asyncio.Queue(MAX_WAITING)
        self._lines: dict[str, deque[_Message]] = {}  # by session, while its messages are being sent
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._sending = asyncio.Semaphore(AT_ONCE)
        services.events.changed.append(self._note)

    def _note(self, event: str, revision: int) -> None:
        with suppress(asyncio.QueueFull):
            self._changes.put_nowait(partial(self._messages, event, revision))

    def notify(self, people: Sequence[str], text: Callable[[Language], str], ttl_s: int = TTL_S) -> None:
        """Notify people who have notifications on; undelivered messages expire after ``ttl_s`` seconds."""
        with suppress(asyncio.QueueFull):
            self._changes.put_nowait(partial(self._to_people, people, text, ttl_s))

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as couriers:
            while True:
                messages = await self._changes.get()
                with reported(FAILURE):
                    for message in await messages():
                        self._post(couriers, message)

    async def _messages(self, event: str, revision: int) -> list[_Message]:
        """Build the notifications for a change."""
        wanted = await self._services.push.devices.exists()
        news = await news_of(self._services, event, revision) if wanted else []
        if not news:
            return []
        people = {entry.id: entry.person for entry in await self._services.entries.all(event) if entry.person}
        devices = await self._services.push.of(
            list({people[news.entry] for news in news if news.entry in people})
        )
        if not devices:
            return []
        keys, name = await self._services.push.keys(), (await self._services.events.find(event)).name
        return [
            _Message(keys, device, message_of(news, name, device.language))
            for news in news
            for device in devices
            if people.get(news.entry) == device.person
        ]

    async def _to_people(
        self, people: Sequence[str], text: Callable[[Language], str], ttl_s: int
    ) -> list[_Message]:
        devices = await self._services.push.of(people)
        keys = await self._services.push.keys() if devices else None
        return [
            _Message(keys, device, text(device.language), ttl_s) for device in devices if keys is not None
        ]

    def _post(self, couriers: asyncio.TaskGroup, message: _Message) -> None:
        session = message.device.session
        line = self._lines.get(session)
        if line is None:
            line = self._lines[session] = deque(maxlen=QUEUE_OF_DEVICE)
            couriers.create_task(self._deliver(session, line))
        line.append(message)

    async def _deliver(self, session: str, line: deque[_Message]) -> None:
        """Send the queued messages of a browser one by one."""
        try:
            while line:
                with reported(FAILURE):
                    await self._send(line.popleft())
        finally:
            del self._lines[session]

    async def _send(self, message: _Message) -> None:
        settings, to = self._services.settings, message.device
        host = self._hosts.setdefault(urlsplit(to.endpoint).netloc, asyncio.Semaphore(AT_ONCE_PER_HOST))
        async with host, self._sending:
            try:
                sender = contact(settings.public_url)
                body, headers = await asyncio.to_thread(
                    encrypted, message.keys, to, message.text, sender, message.ttl_s
                )
                status = await send(to.endpoint, body, headers, settings.webhook_hosts)
            except (OutgoingError, ValueError) as error:  # ValueError: invalid keys
                LOG.info("a notification did not arrive: %s", type(error).__name__)
                return
        if status in GONE:
            await self._services.push.forget(message.device.session)


def contact(public_url: str) -> str:
    """Return the contact address of this server for push services."""
    return f"jantaku@{urlsplit(public_url).hostname or 'localhost'}"
