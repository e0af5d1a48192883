"""Finished games and uploaded logs: lists, records and replays."""

import asyncio
import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from fastapi import Depends, Path, Query, Response

from jantaku.kernels.win import MOST_SEATS
from jantaku.records import formats
from jantaku.rules import Ruleset
from jantaku.server.archive import replay_bodies as bodies
from jantaku.server.archive.archive_kit import ArchiveKit, AtArchive
from jantaku.server.archive.fetched_log import fetched
from jantaku.server.archive.kept_log import KeptLog
from jantaku.server.archive.playing_on import WhatIfMoment, open_what_if
from jantaku.server.archive.record_jobs import read_log
from jantaku.server.archive.replay import ReplayGame, kept_replay, replay
from jantaku.server.edge.holdings import Holder
from jantaku.server.edge.protocol import MOST_DELAY_S
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.people.asking import (
    Asking,
    Before,
    Person,
    RequestLanguage,
    Whoever,
    keeping,
    not_twice,
    working,
)
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.storage.absent_hands import ABSENT, absent_in
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.paging import PageEnd
from jantaku.server.storage.replaying import engine_mark, replayed, without_code
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import public_at
from jantaku.terms import Language

router = router_of("/api", "games")
PAGE: Final = 30
BYTES_OF_MOVE: Final = 50  # as stored
FORMATS: Final = "|".join(("own", *formats.BY_NAME))
Id = Annotated[str, Path(max_length=64)]
Step = Annotated[int, Path(ge=0, le=100_000)]
SeatQuery = Annotated[int, Query(ge=0, le=MOST_SEATS - 1)]
_FINGERPRINT: Final = re.compile(r'"fingerprint":\s*"([0-9a-f]{16})"')


def _iso(ms: int | None) -> str:
    return datetime.fromtimestamp((ms or 0) / 1000, UTC).isoformat(timespec="milliseconds")


async def summary(
    kit: ArchiveKit, row: GameRow, language: Language, who: PersonRow | None, practice: frozenset[str]
) -> bodies.GameSummary:
    """A game as a list entry for somebody; ``practice``: the games that were played on from another."""
    result = row.result or {}
    ruleset = await kit.services.rulesets.readable(row.rules, row.fingerprint)
    return bodies.GameSummary.of(
        row,
        table=row.table_id,
        rules_name=rules_name(ruleset and ruleset.rules, language),
        started=_iso(row.started),
        ended=_iso(row.ended),
        players=[
            bodies.GamePlayer(
                name=sitter_name(player, language),
                bot=player.bot is not None,
                level=player.bot,
                person=player.person,
                picture=kit.services.avatars.marks.get(player.person or ""),
                absent=sorted(absent_in(result, seat)),
            )
            for seat, player in enumerate(row.players)
        ],
        final=result.get("final"),
        places=result.get("places"),
        missing=list(ruleset.missing) if ruleset else [],
        mine=next((seat for seat, player in enumerate(row.players) if who and player.person == who.id), None),
        practice=row.id in practice,
    )


async def _is_shown(kit: ArchiveKit, row: GameRow, who: PersonRow | None) -> bool:
    """Whether a game may be seen: one that watchers still see being played is for its players alone."""
    if who is not None and any(player.person == who.id for player in row.players):
        return True
    if now_ms() - (row.ended or 0) >= MOST_DELAY_S * 1000:
        return True
    table = await kit.services.seating.find(row.table_id)
    return table is None or now_ms() >= public_at(row.ended, table.options)


async def _finished_row(kit: ArchiveKit, game_id: str, who: PersonRow | None) -> GameRow:
    """A finished game, whose tiles everyone may see."""
    row = await kit.services.games.find(game_id)
    if row is None or row.status == "playing" or not await _is_shown(kit, row, who):
        raise ServerError("no_game")
    return row


async def _replay_game(kit: ArchiveKit, row: GameRow) -> ReplayGame:
    async def read() -> ReplayGame:
        ruleset = await kit.services.rulesets.shown(row.rules, row.fingerprint)
        moves = await kit.services.games.moves(row.id)
        logs = await kit.services.games.hands(row.id)
        reader = without_code if ruleset.missing else replayed
        game = await asyncio.to_thread(reader, ruleset.rules, row.beginning, moves, logs)
        return await asyncio.to_thread(ReplayGame, game, [player.name for player in row.players])

    return await kit.replay_cache.get(row.id, read)


async def _uploaded(kit: ArchiveKit, upload_id: str) -> ReplayGame:
    upload = await kit.services.uploads.find(upload_id)
    if upload is None:
        raise ServerError("no_game")

    async def read() -> ReplayGame:
        kept = KeptLog.parse(upload[1])
        rules = await kit.services.rulesets.find(kept.house, kept.house) if kept.house else None
        return await asyncio.to_thread(_from_kept, kept, rules)

    return await kit.replay_cache.get(f"upload {upload_id}", read)


def _from_kept(kept: KeptLog, rules: Ruleset | None) -> ReplayGame:
    recorded = kept.recorded(rules)
    return ReplayGame(recorded.game, kept.names, kept.chips)


async def stored_game(
    kit: ArchiveKit, source: Literal["games", "uploads"], game_id: str, who: PersonRow | None, asker: Holder
) -> ReplayGame:
    """A finished or uploaded game to step through."""
    if source == "uploads":
        async with kit.replays.turn(asker):
            return await _uploaded(kit, game_id)
    row = await _finished_row(kit, game_id, who)
    async with kit.replays.turn(asker):
        return await _replay_game(kit, row)


@router.get("/games")
async def games(
    kit: AtArchive, language: RequestLanguage, who: Whoever, before: Before = None, mine: bool = False
) -> bodies.GameList:
    """Finished games, newest first."""
    if mine and who is None:
        raise ServerError("sign_in")
    person = who.id if mine and who is not None else None
    page = await kit.services.games.finished(PageEnd.parse(before), person, PAGE)
    shown = [row for row in page.rows if await _is_shown(kit, row, who)]
    practice = await kit.services.games.practice([row.id for row in shown])
    return bodies.GameList(
        games=[await summary(kit, row, language, who, practice) for row in shown],
        next=str(page.next) if page.next else None,
    )


@router.get("/games/{game_id}")
async def game(kit: AtArchive, language: RequestLanguage, who: Whoever, game_id: Id) -> bodies.GameSummary:
    """One finished game."""
    row = await _finished_row(kit, game_id, who)
    return await summary(kit, row, language, who, await kit.services.games.practice([row.id]))


@router.get("/games/{game_id}/record", response_class=Response)
async def record(
    kit: AtArchive,
    who: Whoever,
    asker: Asking,
    game_id: Id,
    format_: Annotated[str, Query(alias="format", pattern=f"^({FORMATS})$")] = "jantaku",
) -> Response:
    """The record of a game as a file."""
    row = await _finished_row(kit, game_id, who)
    written = formats.BY_NAME["jantaku" if format_ == "own" else format_]
    absent = (row.result or {}).get(ABSENT)
    async with kit.replays.turn(asker):
        replay_game = await _replay_game(kit, row)
        text = await asyncio.to_thread(
            formats.dumps, replay_game.game, written.name, replay_game.names, absent
        )
    headers = {"content-disposition": f'attachment; filename="jantaku-{row.id}{written.suffixes[0]}"'}
    return Response(text, media_type=written.media_type, headers=headers)


@router.get("/games/{game_id}/replay", response_model_exclude_unset=True)
async def game_replay(
    kit: AtArchive, language: RequestLanguage, who: Whoever, asker: Asking, game_id: Id
) -> bodies.Replay:
    """All events of a game."""
    row = await _finished_row(kit, game_id, who)
    shown = await summary(kit, row, language, who, await kit.services.games.practice([row.id]))
    services = kit.services
    async with kit.replays.turn(asker):
        logs = await services.games.hands(row.id)
        whole, known = len(logs) == row.hands, row.engine == engine_mark()
        if whole and known and not shown.missing:
            rules, moves = (
                await services.rulesets.find(row.rules, row.fingerprint),
                await services.games.moves(row.id),
            )
            return await asyncio.to_thread(kept_replay, rules, logs, moves, shown)
        replay_game = await _replay_game(kit, row)
        if whole and not known and replay_game.game.follows_rules:
            await services.games.mark(row.id, engine_mark())
        return await asyncio.to_thread(replay, replay_game, shown)


@router.get("/games/{game_id}/replay/{step}", response_model_exclude_unset=True)
async def game_moment(
    kit: AtArchive, who: Whoever, asker: Asking, game_id: Id, step: Step
) -> bodies.ReplayMoment:
    """One moment of a game from every seat."""
    row = await _finished_row(kit, game_id, who)
    async with kit.replays.turn(asker):
        return await asyncio.to_thread((await _replay_game(kit, row)).moment, step)


@router.get("/games/{game_id}/review", response_model_exclude_unset=True)
async def game_review(
    kit: AtArchive, who: Whoever, asker: Asking, game_id: Id, seat: SeatQuery = 0
) -> bodies.GameReview:
    """The decisions of a seat beside those of ``standard``."""
    row = await _finished_row(kit, game_id, who)
    played_by = row.players[seat].person if seat < len(row.players) else None
    if played_by not in (None, who and who.id) and not await kit.services.accounts.shows_reviews(played_by):
        raise ServerError("review_private")
    async with kit.reviews.turn(asker):
        async with kit.replays.turn(asker):
            replay_game = await _replay_game(kit, row)
        return await asyncio.to_thread(replay_game.review, seat)


@router.post("/games/{game_id}/what-if", dependencies=[Depends(not_twice)])
async def what_if(
    kit: AtArchive, who: Person, holder: Asking, game_id: Id, body: bodies.WhatIfBody
) -> bodies.WhatIfTable:
    """Play on from a moment of a finished game against bots, at a private table that counts nowhere."""
    row = await _finished_row(kit, game_id, who)
    async with kit.replays.turn(holder):
        game = (await _replay_game(kit, row)).game
    moment = WhatIfMoment(game, body.step, body.seat, row.beginning, row.players)
    return await _play_on(kit, who, holder, moment)


async def _play_on(
    kit: ArchiveKit, who: PersonRow, holder: Holder, moment: WhatIfMoment
) -> bodies.WhatIfTable:
    working(kit, who)
    keeping(kit, holder, BYTES_OF_MOVE * moment.step)
    return bodies.WhatIfTable(table=await open_what_if(kit.lobby, who, holder.address, moment))


@router.post("/uploads", dependencies=[Depends(not_twice)])
async def upload(kit: AtArchive, asker: Asking, who: Person, body: bodies.UploadBody) -> bodies.Uploaded:
    """Upload a log. If it was played under rules saved here, the log or ``rules`` names them."""
    return await _kept(kit, asker, who, body)


@router.post("/uploads/fetch", dependencies=[Depends(not_twice)])
async def fetch_upload(kit: AtArchive, asker: Asking, who: Person, body: bodies.FetchBody) -> bodies.Uploaded:
    """Fetch a log by a link, where the owner of the server allows its host."""
    if not all(kit.rates.heavy.take(f"fetch {asker}") for asker in dict.fromkeys(asker)):
        raise ServerError("too_many")
    text, name = await fetched(body.url, kit.services.settings)
    return await _kept(kit, asker, who, bodies.UploadBody(text=text, name=name, rules=body.rules))


async def _kept(kit: ArchiveKit, asker: Holder, who: PersonRow, body: bodies.UploadBody) -> bodies.Uploaded:
    named = body.rules or next(iter(_FINGERPRINT.findall(body.text[:4000])), None)
    rules = None
    if named is not None:
        with suppress(ServerError):
            rules = await kit.services.rulesets.find(named)
    kept = await kit.workers.run(asker, read_log, body.name, body.text, rules)
    limits = kit.services.settings.limits
    keeping(kit, asker, len(kept))
    return bodies.Uploaded(id=await kit.services.uploads.add(body.name, kept, who.id, limits))


@router.get("/uploads")
async def uploads(kit: AtArchive, who: Person, before: Before = None) -> bodies.UploadList:
    """The logs that I have uploaded, newest first."""
    page = await kit.services.uploads.of_person(who.id, PageEnd.parse(before), PAGE)
    rows = [bodies.UploadSummary(id=row.id, name=row.name, created=_iso(row.created)) for row in page.rows]
    hosts = list(kit.services.settings.outside.log_hosts)
    return bodies.UploadList(uploads=rows, next=str(page.next) if page.next else None, hosts=hosts)


@router.get("/uploads/{upload_id}/replay", response_model_exclude_unset=True)
async def upload_replay(kit: AtArchive, asker: Asking, upload_id: Id) -> bodies.Replay:
    """All events of an uploaded game."""
    async with kit.replays.turn(asker):
        return await asyncio.to_thread(replay, await _uploaded(kit, upload_id))


@router.get("/uploads/{upload_id}/replay/{step}", response_model_exclude_unset=True)
async def upload_moment(kit: AtArchive, asker: Asking, upload_id: Id, step: Step) -> bodies.ReplayMoment:
    """One moment of an uploaded game."""
    async with kit.replays.turn(asker):
        return await asyncio.to_thread((await _uploaded(kit, upload_id)).moment, step)


@router.get("/uploads/{upload_id}/review", response_model_exclude_unset=True)
async def upload_review(
    kit: AtArchive, asker: Asking, upload_id: Id, seat: SeatQuery = 0
) -> bodies.GameReview:
    """The decisions of a seat in an uploaded game beside those of ``standard``."""
    async with kit.reviews.turn(asker):
        async with kit.replays.turn(asker):
            replay_game = await _uploaded(kit, upload_id)
        return await asyncio.to_thread(replay_game.review, seat)


@router.post("/uploads/{upload_id}/what-if", dependencies=[Depends(not_twice)])
async def upload_what_if(
    kit: AtArchive, who: Person, holder: Asking, upload_id: Id, body: bodies.WhatIfBody
) -> bodies.WhatIfTable:
    """Play on from a moment of an uploaded game; tiles that its log does not show are dealt at random."""
    async with kit.replays.turn(holder):
        game = (await _uploaded(kit, upload_id)).game
    return await _play_on(kit, who, holder, WhatIfMoment(game, body.step, body.seat))
