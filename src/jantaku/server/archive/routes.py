"""Routes of stored games: replays, reviews, uploads and practice games."""

import asyncio
import dataclasses
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, NamedTuple

from fastapi import Depends, Path, Query, Response

from jantaku.bots.policy_judge import STRONG_NAME
from jantaku.bots.review.page import review_page
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.game.fair_walls import new_seed
from jantaku.kernels.win import MAX_SEATS
from jantaku.records import formats
from jantaku.records.script import wall_as_seen
from jantaku.rules import Ruleset
from jantaku.server.archive.logs import StoredLog, fetch_log, read_log
from jantaku.server.archive.replay import (
    FetchBody,
    GameList,
    GamePlayer,
    GameReview,
    GameSummary,
    Replay,
    ReplayGame,
    ReplayMoment,
    UploadBody,
    Uploaded,
    UploadList,
    UploadSummary,
    WhatIfBody,
    WhatIfTable,
    replay,
    stored_replay,
)
from jantaku.server.archive.reviews import Subject, worded
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.protocol import MAX_DELAY_S, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES
from jantaku.server.people.auth_dependencies import (
    Before,
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
    deduplicate,
    limit_storage,
    limit_work,
)
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.pages import rules_name
from jantaku.server.settings import PROGRAM_NAME
from jantaku.server.storage.finished_games import ABSENT, absent_in, engine_mark, replayed
from jantaku.server.storage.games import Beginning, GameRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.reviews import ReviewKey
from jantaku.server.storage.rows import PageEnd
from jantaku.server.storage.saved import RulesetStore
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow, public_at
from jantaku.terms import Language

OPTIONS: Final = TableOptions(clock=False, private=True, spectators=False, draw_seats=False)
MAX_HANDS: Final = 100  # hands whose walls are stored for a game continued from a log


class WhatIfMoment(NamedTuple):
    """The moment of a game before action ``step``, to be continued in ``seat``.

    ``begun`` is the beginning of a game played on this server; ``None`` for a log, whose walls are unknown.
    ``players``: the players of a game on this server, whose bots keep their names.
    """

    game: Game
    step: int
    seat: int
    begun: Beginning | None = None
    players: Sequence[Sitter] = ()


async def open_what_if(lobby: Lobby, who: PersonRow, address: str, moment: WhatIfMoment) -> str:
    """Open a practice table where ``who`` continues a game; return its id.

    Raises ``no_review`` for a game that does not follow its rules, ``no_step``, ``no_seat``,
    ``what_if_long``, and ``too_many_moves`` if the person's practice games have too many moves in total.
    """
    services, (game, step, seat, begun, players_before) = lobby.services, moment
    if not game.follows_rules:
        raise RequestError("no_review", field="game")
    if not 0 <= step < len(game.moves):
        raise ServerError("no_step", step=step, most=len(game.moves) - 1)
    if seat not in game.seats:
        raise ServerError("no_seat", seat=seat)
    if begun is None:
        begun = await asyncio.to_thread(beginning_at, game, step)
    rules = await _rules_id(services.rulesets, game.rules)
    moves = [(by, str(action)) for _, by, action in game.moves[:step]]
    wanted = NewTable("", rules, OPTIONS, stage=PRACTICE, fingerprint=game.rules.fingerprint, moves=step)
    loop = await lobby.add(who, address, wanted)
    loop.table.joined_from[who.id] = address
    async with loop.changing() as table:
        row = table_seats.with_seat(table.row, seat, Sitter(who.name, who.id))
        row = _with_former_bots(row, players_before, services.settings.bot)
        row = table_seats.filled(row, services.settings.bot)
        row = dataclasses.replace(row, status="playing", game=1)
        players = tuple(sitter for sitter in row.sitters if sitter is not None)
        stored = GameRow(
            new_id(),
            row.id,
            1,
            begun.seed,
            row.rules,
            row.fingerprint,
            players,
            started=now_ms(),
            opening=begun.opening,
        )
        await services.games.begin_from(stored, row, moves)
        table.row = row
        await play.resume(table)
    loop.wake()
    return row.id


def _with_former_bots(row: TableRow, players: Sequence[Sitter], policy: str) -> TableRow:
    """Seat bots under their former names; bots that replace people get unused names."""
    had = {player.name for player in players}
    unused = iter([name for name in BOT_NAMES if name not in had])
    for seat, player in enumerate(players):
        if row.sitters[seat] is None:
            was_bot = player.person is None and player.name in BOT_NAMES
            name = player.name if was_bot else next(unused, None)
            row = row if name is None else table_seats.with_seat(row, seat, Sitter(name, bot=policy))
    return row


def beginning_at(game: Game, step: int) -> Beginning:
    """Return the beginning of a log's game: its seed, or the known parts of its walls up to the step's hand.

    Raises ``what_if_long`` for more than ``MAX_HANDS`` hands.
    """
    if game.seed is not None:
        return Beginning(game.seed, standing=game.standing)
    before = game.moves[step][0]
    hands = sum(isinstance(event, HandStarted) for event in game.events[:before])
    if hands > MAX_HANDS:
        raise ServerError("what_if_long", most=MAX_HANDS)
    seed = new_seed()
    walls = (wall_as_seen(game, hand, seed) for hand in range(hands))
    return Beginning(seed, tuple(map(tuple, walls)), game.standing)


async def _rules_id(rulesets: RulesetStore, rules: Ruleset) -> str:
    """Return the id of these rules on this server, saving them if that id refers to different rules here."""
    ruleset = await rulesets.readable(rules.id)
    if ruleset is not None and ruleset.fingerprint == rules.fingerprint:
        return rules.id
    return await rulesets.save(rules)


router = router_of("/api", "games")
PAGE: Final = 30
BYTES_OF_MOVE: Final = 50  # as stored
FORMATS: Final = "|".join(("own", *formats.BY_NAME))
Id = Annotated[str, Path(max_length=64)]
Step = Annotated[int, Path(ge=0, le=100_000)]
SeatQuery = Annotated[int, Query(ge=0, le=MAX_SEATS - 1)]
JudgeQuery = Annotated[str, Query(pattern=f"^{PROGRAM_NAME}$")]
_FINGERPRINT: Final = re.compile(r'"fingerprint":\s*"([0-9a-f]{16})"')


def _iso(ms: int | None) -> str:
    return datetime.fromtimestamp((ms or 0) / 1000, UTC).isoformat(timespec="milliseconds")


async def summary(
    services: InjectedServices,
    row: GameRow,
    language: Language,
    who: PersonRow | None,
    practice: frozenset[str],
) -> GameSummary:
    """Return the summary of a game for ``who``; ``practice``: ids of the practice games."""
    result = row.result or {}
    ruleset = await services.rulesets.readable(row.rules, row.fingerprint)
    return GameSummary.of(
        row,
        table=row.table_id,
        rules_name=rules_name(ruleset, language),
        started=_iso(row.started),
        ended=_iso(row.ended),
        players=[
            GamePlayer(
                name=sitter_name(player, language),
                bot=player.bot is not None,
                level=player.bot,
                person=player.person,
                absent=sorted(absent_in(result, seat)),
            )
            for seat, player in enumerate(row.players)
        ],
        final=result.get("final"),
        places=result.get("places"),
        mine=next((seat for seat, player in enumerate(row.players) if who and player.person == who.id), None),
        practice=row.id in practice,
    )


async def _is_visible(services: InjectedServices, row: GameRow, who: PersonRow | None) -> bool:
    """Whether a person may see a game; while spectators are still behind, only its players may."""
    if who is not None and any(player.person == who.id for player in row.players):
        return True
    if now_ms() - (row.ended or 0) >= MAX_DELAY_S * 1000:
        return True
    table = await services.seating.find(row.table_id)
    return table is None or now_ms() >= public_at(row.ended, table.options)


async def _finished_row(services: InjectedServices, game_id: str, who: PersonRow | None) -> GameRow:
    """Return a finished game that the person may see; raises ``no_game``."""
    row = await services.games.find(game_id)
    if row is None or row.status == "playing" or not await _is_visible(services, row, who):
        raise ServerError("no_game")
    return row


async def _replay_game(services: InjectedServices, row: GameRow) -> ReplayGame:
    async def read() -> ReplayGame:
        rules = await services.rulesets.find(row.rules, row.fingerprint)
        moves = await services.games.moves(row.id)
        logs = await services.games.hands(row.id)
        game = await asyncio.to_thread(replayed, rules, row.beginning, moves, logs)
        return await asyncio.to_thread(ReplayGame, game, [player.name for player in row.players])

    return await services.replay_cache.get(row.id, read)


async def _uploaded(services: InjectedServices, upload_id: str) -> ReplayGame:
    upload = await services.uploads.find(upload_id)
    if upload is None:
        raise ServerError("no_game")

    async def read() -> ReplayGame:
        log = StoredLog.parse(upload[1])
        return await asyncio.to_thread(_from_log, log)

    return await services.replay_cache.get(f"upload {upload_id}", read)


def _from_log(log: StoredLog) -> ReplayGame:
    recorded = log.recorded()
    return ReplayGame(recorded.game, log.names, log.chips)


async def stored_game(
    services: InjectedServices,
    source: Literal["games", "uploads"],
    game_id: str,
    who: PersonRow | None,
    asker: Principal,
) -> ReplayGame:
    """Load a finished or uploaded game to step through; raises ``no_game``."""
    if source == "uploads":
        async with services.replays.turn(asker):
            return await _uploaded(services, game_id)
    row = await _finished_row(services, game_id, who)
    async with services.replays.turn(asker):
        return await _replay_game(services, row)


@router.get("/games")
async def games(
    services: InjectedServices,
    language: RequestLanguage,
    who: OptionalUser,
    before: Before = None,
    mine: bool = False,
) -> GameList:
    """List finished games, newest first."""
    if mine and who is None:
        raise ServerError("sign_in")
    person = who.id if mine and who is not None else None
    page = await services.games.finished(PageEnd.parse(before), person, PAGE)
    shown = [row for row in page.rows if await _is_visible(services, row, who)]
    practice = await services.games.practice([row.id for row in shown])
    return GameList(
        games=[await summary(services, row, language, who, practice) for row in shown],
        next=str(page.next) if page.next else None,
    )


@router.get("/games/{game_id}")
async def game(
    services: InjectedServices, language: RequestLanguage, who: OptionalUser, game_id: Id
) -> GameSummary:
    """Return one finished game."""
    row = await _finished_row(services, game_id, who)
    return await summary(services, row, language, who, await services.games.practice([row.id]))


@router.get("/games/{game_id}/record", response_class=Response)
async def record(
    services: InjectedServices,
    who: OptionalUser,
    asker: Requester,
    game_id: Id,
    format_: Annotated[str, Query(alias="format", pattern=f"^({FORMATS})$")] = "jantaku",
) -> Response:
    """Download the record of a game."""
    row = await _finished_row(services, game_id, who)
    written = formats.BY_NAME["jantaku" if format_ == "own" else format_]
    absent = (row.result or {}).get(ABSENT)
    async with services.replays.turn(asker):
        replay_game = await _replay_game(services, row)
        text = await asyncio.to_thread(
            formats.dumps, replay_game.game, written.name, replay_game.names, absent
        )
    headers = {"content-disposition": f'attachment; filename="jantaku-{row.id}{written.suffixes[0]}"'}
    return Response(text, media_type=written.media_type, headers=headers)


@router.get("/games/{game_id}/replay", response_model_exclude_unset=True)
async def game_replay(
    services: InjectedServices, language: RequestLanguage, who: OptionalUser, asker: Requester, game_id: Id
) -> Replay:
    """Return the replay of a game."""
    row = await _finished_row(services, game_id, who)
    shown = await summary(services, row, language, who, await services.games.practice([row.id]))
    async with services.replays.turn(asker):
        logs = await services.games.hands(row.id)
        whole, known = len(logs) == row.hands, row.engine == engine_mark()
        if whole and known:
            rules, moves = (
                await services.rulesets.find(row.rules, row.fingerprint),
                await services.games.moves(row.id),
            )
            return await asyncio.to_thread(stored_replay, rules, logs, moves, shown)
        replay_game = await _replay_game(services, row)
        if whole and not known and replay_game.game.follows_rules:
            await services.games.mark(row.id, engine_mark())
        return await asyncio.to_thread(replay, replay_game, shown)


@router.get("/games/{game_id}/replay/{step}", response_model_exclude_unset=True)
async def game_moment(
    services: InjectedServices, who: OptionalUser, asker: Requester, game_id: Id, step: Step
) -> ReplayMoment:
    """Return one moment of a game as seen from every seat."""
    row = await _finished_row(services, game_id, who)
    async with services.replays.turn(asker):
        return await asyncio.to_thread((await _replay_game(services, row)).moment, step)


async def review_of_game(
    services: InjectedServices,
    who: OptionalUser,
    asker: Requester,
    game_id: Id,
    seat: SeatQuery = 0,
    judge: JudgeQuery = STRONG_NAME,
) -> Subject:
    """Return the review that a request is about, if the person may see it.

    The operator's programs are judges only for one's own seat. Raises ``review_own`` for another seat,
    ``review_private``, and ``no_program``.
    """
    row = await _finished_row(services, game_id, who)
    if seat >= len(row.players):
        raise ServerError("no_seat", seat=seat)
    player = row.players[seat]
    own = who is not None and player.person == who.id
    if not own and player.bot is None:
        person = None if player.person is None else await services.accounts.find(player.person)
        if person is None or not person.reviews_shown:
            raise ServerError("review_private")
    if judge != STRONG_NAME:
        if not own:
            raise ServerError("review_own")
        services.programs.check(judge, await services.rulesets.find(row.rules, row.fingerprint))
    return review_subject(services, row, seat, asker, judge)


def review_of_upload(
    services: InjectedServices, asker: Requester, upload_id: Id, seat: SeatQuery = 0
) -> Subject:
    """Return the review that a request is about."""

    async def load() -> ReplayGame:
        async with services.replays.turn(asker):
            return await _uploaded(services, upload_id)

    return Subject(ReviewKey("uploads", upload_id, seat, STRONG_NAME), asker, load)


GameSubject = Annotated[Subject, Depends(review_of_game)]
UploadSubject = Annotated[Subject, Depends(review_of_upload)]


@router.get("/games/{game_id}/review", response_model_exclude_unset=True)
async def game_review(
    services: InjectedServices, language: RequestLanguage, subject: GameSubject
) -> GameReview:
    """Return the latest review of a seat; raises ``judge_failed``."""
    return await _answer(services, subject, language)


@router.get("/games/{game_id}/review/file", response_class=Response)
async def game_review_file(
    services: InjectedServices, language: RequestLanguage, subject: GameSubject
) -> Response:
    """Download the latest review of a seat as an HTML file; raises what the review raises."""
    return await _file(services, subject, language)


async def _answer(services: InjectedServices, subject: Subject, language: Language) -> GameReview:
    review, deeper = await services.reviews.latest(subject)
    rules = (await subject.load()).game.rules
    return await asyncio.to_thread(worded, review, rules, language, deeper=deeper)


async def _file(services: InjectedServices, subject: Subject, language: Language) -> Response:
    review, _ = await services.reviews.latest(subject)
    replay_game = await subject.load()
    text = await asyncio.to_thread(review_page, replay_game.game, replay_game.names, [review], language)
    headers = {"content-disposition": f'attachment; filename="jantaku-review-{subject.key.game}.html"'}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


def review_subject(
    services: InjectedServices, row: GameRow, seat: int, holder: Principal, judge: str = STRONG_NAME
) -> Subject:
    """Return what the review of a seat of a finished game needs."""

    async def load() -> ReplayGame:
        async with services.replays.turn(holder):
            return await _replay_game(services, row)

    return Subject(ReviewKey("games", row.id, seat, judge), holder, load, absent_in(row.result, seat))


@router.post("/games/{game_id}/what-if", dependencies=[Depends(deduplicate)])
async def what_if(
    services: InjectedServices, who: Person, holder: Requester, game_id: Id, body: WhatIfBody
) -> WhatIfTable:
    """Continue a finished game from one of its moments, against bots, as a private practice game."""
    row = await _finished_row(services, game_id, who)
    async with services.replays.turn(holder):
        game = (await _replay_game(services, row)).game
    moment = WhatIfMoment(game, body.step, body.seat, row.beginning, row.players)
    return await _play_on(services, who, holder, moment)


async def _play_on(
    services: InjectedServices, who: PersonRow, holder: Principal, moment: WhatIfMoment
) -> WhatIfTable:
    limit_work(services, who)
    limit_storage(services, holder, BYTES_OF_MOVE * moment.step)
    return WhatIfTable(table=await open_what_if(services.lobby, who, holder.address, moment))


@router.post("/uploads", dependencies=[Depends(deduplicate)])
async def upload(services: InjectedServices, asker: Requester, who: Person, body: UploadBody) -> Uploaded:
    """Upload a log. Rules saved on this server are identified by the log or by ``rules``."""
    return await _store_upload(services, asker, who, body)


@router.post("/uploads/fetch", dependencies=[Depends(deduplicate)])
async def fetch_upload(
    services: InjectedServices, asker: Requester, who: Person, body: FetchBody
) -> Uploaded:
    """Fetch a log from a host that the server's settings allow."""
    if not all(services.rates.heavy.take(f"fetch {asker}") for asker in dict.fromkeys(asker)):
        raise ServerError("too_many")
    text, name = await fetch_log(body.url, services.settings)
    return await _store_upload(services, asker, who, UploadBody(text=text, name=name, rules=body.rules))


async def _store_upload(
    services: InjectedServices, asker: Principal, who: PersonRow, body: UploadBody
) -> Uploaded:
    named = body.rules or next(iter(_FINGERPRINT.findall(body.text[:4000])), None)
    rules = None
    if named is not None:
        with suppress(ServerError):
            rules = await services.rulesets.find(named)
    log = await services.workers.run(asker, read_log, body.name, body.text, rules)
    limits = services.settings.limits
    limit_storage(services, asker, len(log))
    id_ = await services.uploads.add(body.name, log, who.id, limits)
    return Uploaded(id=id_, names=list(StoredLog.parse(log).names))


@router.get("/uploads")
async def uploads(services: InjectedServices, who: Person, before: Before = None) -> UploadList:
    """List my uploaded logs, newest first."""
    page = await services.uploads.of_person(who.id, PageEnd.parse(before), PAGE)
    rows = [UploadSummary(id=row.id, name=row.name, created=_iso(row.created)) for row in page.rows]
    hosts = list(services.settings.outside.log_hosts)
    return UploadList(uploads=rows, next=str(page.next) if page.next else None, hosts=hosts)


@router.get("/uploads/{upload_id}/replay", response_model_exclude_unset=True)
async def upload_replay(services: InjectedServices, asker: Requester, upload_id: Id) -> Replay:
    """Return the replay of an uploaded game."""
    async with services.replays.turn(asker):
        return await asyncio.to_thread(replay, await _uploaded(services, upload_id))


@router.get("/uploads/{upload_id}/replay/{step}", response_model_exclude_unset=True)
async def upload_moment(
    services: InjectedServices, asker: Requester, upload_id: Id, step: Step
) -> ReplayMoment:
    """Return one moment of an uploaded game as seen from every seat."""
    async with services.replays.turn(asker):
        return await asyncio.to_thread((await _uploaded(services, upload_id)).moment, step)


@router.get("/uploads/{upload_id}/review", response_model_exclude_unset=True)
async def upload_review(
    services: InjectedServices, language: RequestLanguage, subject: UploadSubject
) -> GameReview:
    """Return the latest review of a seat in an uploaded game."""
    return await _answer(services, subject, language)


@router.get("/uploads/{upload_id}/review/file", response_class=Response)
async def upload_review_file(
    services: InjectedServices, language: RequestLanguage, subject: UploadSubject
) -> Response:
    """Download the latest review of a seat in an uploaded game as an HTML file."""
    return await _file(services, subject, language)


@router.post("/uploads/{upload_id}/what-if", dependencies=[Depends(deduplicate)])
async def upload_what_if(
    services: InjectedServices, who: Person, holder: Requester, upload_id: Id, body: WhatIfBody
) -> WhatIfTable:
    """Continue an uploaded game from one of its moments; tiles unknown to its log are dealt at random."""
    async with services.replays.turn(holder):
        game = (await _uploaded(services, upload_id)).game
    return await _play_on(services, who, holder, WhatIfMoment(game, body.step, body.seat))
