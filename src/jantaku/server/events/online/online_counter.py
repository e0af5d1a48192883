"""Records finished online games of an event.

Each finished game is decided exactly once: its outcome and the recorded game are stored in one transaction.
If the server crashes between the end of a game and that transaction, the next start finds the game. A game
is decided only after delayed spectators have seen its end, so that standings do not reveal it early.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any, Final, NamedTuple

from jantaku.club import settle
from jantaku.club.as_entered import end_of, game_digest, played_hands, points_of
from jantaku.club.entered_results import GameEnd, ended_game
from jantaku.club.settlement import GameResult
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import instant_ms
from jantaku.server.events.recording.recorded_game import note_doubts
from jantaku.server.events.recording.starting_games import admitted_to
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.settings import GAMES_OF_EVENT
from jantaku.server.storage.entries import EntryRow, entries_of
from jantaku.server.storage.event_plan import StagePlan
from jantaku.server.storage.events import ANY, SERVER, Change, EventRow
from jantaku.server.storage.finished_games import (
    COUNTED,
    START,
    OutcomeRow,
    PlayedGame,
    Position,
    decide_game,
    replayed,
)
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.recorded_games import (
    ONLINE,
    RecordedGameRow,
    add_games,
    add_versions,
    initial_versions,
)
from jantaku.server.storage.rounds import SeatedTable, rows_in, save_rounds
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Sitter
from jantaku.server.tasks import Background, Backoffs

LOG = logging.getLogger("jantaku.server")
AT_ONCE: Final = 20
RETRY_S: Final = 2.0


class Refusal(NamedTuple):
    """Why a game does not count; ``seat`` is that of the player responsible, if any."""

    why: str
    seat: int | None = None


class PlayedContent(NamedTuple):
    """A game as recorded for an event: its hands, or only its final points."""

    hands: Sequence[Mapping[str, Any]]
    ended_with: GameEnd | None
    result: GameResult
    digest: str
    rules: Ruleset


class OnlineCounter(Background):
    """Decides finished games in the background, oldest first."""

    def __init__(self, services: Services, standings: StandingsCache) -> None:
        self._services, self._standings = services, standings
        self._backoffs, self._faults = Backoffs(RETRY_S), Backoffs(RETRY_S)
        self._held_up: dict[str, PlayedGame] = {}  # games whose decision failed, by id
        self._next_public: float = inf  # when the next game becomes public, in ms
        self._news = asyncio.Event()
        self._news.set()  # look for games finished before a restart
        services.games.on_ended.append(self.wake)

    def wake(self) -> None:
        """Check for finished games without waiting."""
        self._news.set()

    async def _run(self) -> None:
        while True:
            self._news.clear()
            wait_s = await self._pass()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._news.wait()

    async def _pass(self) -> float | None:
        """Decide all pending games; return the seconds until the next attempt, ``None`` to wait for news."""
        try:
            await self.decide_all()
        except ServerError:
            return RETRY_S  # the database is unavailable; the store has logged it
        except Exception as error:
            self._faults.failed("of events", "deciding games", error)
            return self._faults.wait_s
        self._faults.keep(())
        wait_s = min(self._backoffs.wait_s or inf, max(0.0, self._next_public - now_ms()) / 1000)
        return None if wait_s == inf else wait_s

    async def decide_all(self) -> None:
        """Decide every undecided public game; failed ones are retried later."""
        after: Position | None = START
        self._next_public = inf
        seen: dict[str, PlayedGame] = {}
        while after is not None:
            played, after = await self._services.online.undecided(after, AT_ONCE)
            for game in played:
                seen[game.game.id] = game
                if game.public_at > now_ms():
                    self._next_public = min(self._next_public, game.public_at)
                elif not self._backoffs.rests(game.game.id):
                    await self._try(game)
        self._backoffs.keep(seen)
        self._held_up = {key: seen[key] for key in self._backoffs.known}

    def held_up(self, event: str) -> list[tuple[PlayedGame, Exception]]:
        """Return the games of an event whose decision failed, with the errors."""
        known = self._backoffs.known
        return [
            (game, known[key].error)
            for key, game in self._held_up.items()
            if game.event == event and key in known
        ]

    async def _try(self, played: PlayedGame) -> None:
        try:
            await self._decide(played)
        except Exception as error:
            if isinstance(error, ServerError) and error.code == "storage_lost":
                raise
            self._backoffs.failed(played.game.id, "deciding the game", error)
        else:
            self._backoffs.worked(played.game.id)

    async def _decide(self, played: PlayedGame) -> None:
        services, game = self._services, played.game
        event = await services.events.find(played.event)
        content, why = None, Refusal("unfinished") if game.status != "finished" else None
        if why is None and game.fingerprint != event.fingerprint:
            why = Refusal("rules")
        if why is None:
            content = await self._read(game)
            why = Refusal("unreadable") if content is None else None
        admitted = await admitted_to(event, played.stage, self._standings)
        async with services.events.changing(event.id, SERVER, ANY) as change:
            refusal = why or await _refusal(change, played, content)
            players = refusal if isinstance(refusal, Refusal) else _admitted(refusal, admitted)
            await _store(change, played, players, content)

    async def _read(self, game: GameRow) -> PlayedContent | None:
        """Return the content of a game, ``None`` if unreadable; after ``ServerError`` a retry may help."""
        services = self._services
        try:
            rules = await services.rulesets.find(game.rules, game.fingerprint)
            moves, logs = await services.games.moves(game.id), await services.games.hands(game.id)
            replay = await asyncio.to_thread(replayed, rules, game.beginning, moves, logs)
            return await asyncio.to_thread(content_of, replay, rules)
        except ServerError:
            raise
        except Exception:  # a broken game must not block the others
            LOG.exception("game %s cannot be read for its event", game.id)
            return None


def content_of(game: Game, rules: Ruleset) -> PlayedContent | None:
    """Return the content to record of a finished game under an event's rules; ``None`` if it is not over.

    If settling the hands yields different points from those of the game, only the points are recorded.
    """
    ended = end_of(game)
    if ended is None:
        return None
    hands, final, places = played_hands(game), tuple(ended.final), tuple(ended.places)
    digest = game_digest(game)
    with suppress(JantakuError):
        result = settle(hands, rules).result
        if (result.final, result.places) == (final, places):
            return PlayedContent(hands, None, result, digest, rules)
    LOG.error("settling the hands of a game gives other points; only its points are recorded")
    paid = None if ended.yakitori is None else [seat for seat, got in enumerate(ended.yakitori) if got < 0]
    end = GameEnd(points_of(game), ended.chips, None if paid is None else tuple(paid))
    result = replace(ended_game(end, rules).result, final=final, places=places)
    return PlayedContent([], end, result, digest, rules)


async def _refusal(change: Change, played: PlayedGame, content: PlayedContent | None) -> Refusal | list[str]:
    """Return why a game does not count in the event at present, or else the entries by seat."""
    event, game = change.event, played.game
    if event.status != "open":
        return Refusal("event_over")
    if event.fingerprint != game.fingerprint:
        return Refusal("rules")
    why = _outside(event.plan.stage(played.stage), game)
    if why:
        return Refusal(why)
    if await change.count(RecordedGameRow.id) >= GAMES_OF_EVENT:
        return Refusal("too_many_recorded")
    digest = content.digest if content else ""
    same = (RecordedGameRow.digest == digest) | (RecordedGameRow.id == recorded_id(game.id))
    if await change.count(RecordedGameRow.id, same):
        return Refusal("known")
    return await _seated(change, played)


async def _seated(change: Change, played: PlayedGame) -> Refusal | list[str]:
    """Return the entries by seat, or a refusal if they differ from the seating of the round."""
    entries = await entries_at(change, played.game)
    if played.round is None or isinstance(entries, Refusal):
        return entries
    table = await table_of_round(change, played.stage, played.round)
    if table is None or table.game is not None:
        return Refusal("round_known")
    return entries if set(entries) == set(table.players) else Refusal("other_seats")


async def table_of_round(change: Change, stage: str, of_round: tuple[int, int]) -> SeatedTable | None:
    """Return a table of a round in progress; ``None`` if there is no such table."""
    rows = {row.number: row for row in (await rows_in(change, stage)).rounds}
    number, table = of_round
    row = rows.get(number)
    return row.tables[table - 1] if row and not row.is_open and table <= len(row.tables) else None


def _outside(stage: StagePlan | None, game: GameRow) -> str:
    """Return why a game does not belong to a stage; empty if played between its opening and closing."""
    if stage is None:
        return "no_stage"
    opens, closes = instant_ms(stage.opens), instant_ms(stage.closes)
    early = opens is not None and game.started < opens
    late = closes is not None and (game.ended or 0) >= closes
    return "stage_closed" if early or late else ""


async def entries_at(change: Change, game: GameRow) -> Refusal | list[str]:
    """Return the entries of a game's players by seat, or a refusal if one is not playing in the event."""
    rows = await entries_of(change.connection, change.event.id)
    return seated_entries(game.players, playing_entries(rows))


def playing_entries(rows: Sequence[EntryRow]) -> dict[str, str]:
    """Return the ids of playing entries by person."""
    return {row.person: row.id for row in rows if row.person and row.status == "playing"}


def seated_entries(sitters: Sequence[Sitter | None], playing: Mapping[str, str]) -> Refusal | list[str]:
    """Return the entries of seated players, skipping free seats, or a refusal if a player has no entry."""
    entries = []
    for seat, sitter in enumerate(sitters):
        if sitter is None:
            continue
        if sitter.bot is not None or sitter.person is None:
            return Refusal("bots", seat)
        if sitter.person not in playing:
            return Refusal("strangers", seat)
        entries.append(playing[sitter.person])
    return entries


def _admitted(players: list[str], admitted: set[str] | None) -> Refusal | list[str]:
    for seat, player in enumerate(players):
        if admitted is not None and player not in admitted:
            return Refusal("not_admitted", seat)
    return players


async def _store(
    change: Change, played: PlayedGame, players: Refusal | list[str], content: PlayedContent | None
) -> None:
    """Store the outcome of a game, and the recorded game if it counts."""
    game, event = played.game, change.event
    if isinstance(players, Refusal) or content is None:
        why = players if isinstance(players, Refusal) else Refusal("unreadable")
        await decide_game(change, OutcomeRow(game.id, event.id, played.stage, why.why, why.seat, change.at))
        change.note("online", after={"game": game.id, "counts": False, "reason": why.why})
        return
    await decide_game(change, OutcomeRow(game.id, event.id, played.stage, COUNTED, None, change.at))
    row = replace(await _recorded(change, event, played, content), players=tuple(players))
    versions = initial_versions(content.hands, None, game.ended or change.at)
    await add_games(change, [row])
    if played.round is not None:
        await _seat(change, played.stage, played.round, row.id)
    await add_versions(change, [(row.id, version) for version in versions])
    await note_doubts(change, row, content.rules, versions, alone=False)
    change.note("online", game=row.id, after={"game": game.id, "counts": True, "players": players})
    change.results_change = True


async def _seat(change: Change, stage: str, of_round: tuple[int, int], game: str) -> None:
    """Assign a recorded game to a table of a round."""
    row = (await rows_in(change, stage)).round(of_round[0])
    seated = list(row.tables)
    seated[of_round[1] - 1] = seated[of_round[1] - 1]._replace(game=game)
    await save_rounds(change, [replace(row, tables=tuple(seated))])


def recorded_id(game: str) -> str:
    """Return the id of the game recorded from an online game."""
    return f"{ONLINE}{game}"


async def _recorded(
    change: Change, event: EventRow, played: PlayedGame, content: PlayedContent
) -> RecordedGameRow:
    game, count = played.game, len(content.hands)
    number = await change.next_number(RecordedGameRow.number)
    head = initial_versions(content.hands, None, 0)[-1].id if content.hands else ""
    return RecordedGameRow(
        event=event.id,
        id=recorded_id(game.id),
        number=number,
        stage=played.stage,
        label="" if played.round is None else str(played.round[1]),
        at=game.started,
        person=None,
        status="confirmed",
        head=head,
        revision=count,
        ended_with=content.ended_with,
        result=content.result,
        digest=content.digest,
        replay=game.id,
    )
