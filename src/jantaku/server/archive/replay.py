"""Replays and reviews of games for the web pages."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, PlainSerializer

from jantaku.adjudication.requests import ManTiles
from jantaku.bots import advice
from jantaku.bots.review import Review
from jantaku.bots.review.safety import Safety, safety, threats
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.actions import Action, NotatedAction
from jantaku.game.events import HandStarted, NotatedEvent
from jantaku.game.fair_walls import live_wall, replacement_tiles
from jantaku.game.view import View, view_of, waits_of
from jantaku.lab.discards import KnownPosition, position_in_game
from jantaku.records.native.hand_log import PlayedHands, unpack_hands
from jantaku.rules import Ruleset
from jantaku.seats import BySeat, Seat
from jantaku.server.edge.bodies import RulesName
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.errors import ServerError
from jantaku.server.rules.pages import own_yaku_names
from jantaku.tiles import format_tiles
from jantaku.visible import clean_if_visible
from jantaku.wire import Wire

MAX_LOG_TEXT: Final = 2_000_000  # characters of a log


class GamePlayer(Wire):
    """The player of one seat.

    ``level``: the level of a bot. ``person``: the person's id, from which their avatar is drawn.
    ``absent``: indices of the hands in which the server played for them.
    """

    name: str
    bot: bool
    level: str | None
    person: str | None = None
    absent: list[int] = Field(default_factory=list)


class GameSummary(Wire):
    """A finished game.

    ``mine``: the requesting person's seat, if they played. ``practice``: a continuation of another game.
    """

    id: str
    table: str
    rules: str
    rules_name: str
    fingerprint: str
    started: str
    ended: str
    players: list[GamePlayer]
    final: BySeat | None
    places: BySeat | None
    hands: int
    mine: Seat | None = None
    practice: bool = False


class GameList(Wire):
    """Finished games, newest first. Pass ``next`` as ``before`` to get the next page."""

    games: list[GameSummary]
    next: str | None


# omits fields with default values, like the events sent by tables
WrittenEvent = Annotated[NotatedEvent, PlainSerializer(lambda event: event.to_dict())]


class ReplayStep(Wire):
    """One action of a replay, which causes the events from ``first`` up to but excluding ``last``."""

    seat: Seat
    action: NotatedAction
    first: int
    last: int


class ReplayHand(Wire):
    """The index of the event that begins a hand. ``chips``: each seat's chips after the hand, if known."""

    event: int
    number: int
    honba: int
    chips: BySeat | None = None


class Replay(Wire):
    """A whole game: all events with open hands, the actions that caused them, and the beginnings of hands.

    ``wall``, ``replacements``, ``man``, ``own_yaku``: as in ``RulesRef``. ``follows_rules``: this engine
    version reproduces the game exactly; if false, the game is displayed as stored.
    """

    game: GameSummary | None
    rules: str
    wall: int
    replacements: int
    man: ManTiles
    own_yaku: OwnYakuNames
    names: list[str]
    events: list[WrittenEvent]
    steps: list[ReplayStep]
    hands: list[ReplayHand]
    follows_rules: bool


class ReplayMoment(Wire):
    """The table before a step as seen from every seat, with waits and the ``standard`` bot's action.

    ``safety``: for each seat, why each kind in its hand is safe or dangerous, opponent by opponent, safest
    first; only against opponents to beware of.
    """

    step: int
    seats: list[View]
    waits: list[str]
    safety: list[list[Safety]]
    choice: NotatedAction | None


class GameReview(Wire):
    """The review of one seat. ``why``: the reasons of each mistake in sentences, by step.

    ``deeper``: a deeper review is being computed; ask again.
    """

    review: Review
    why: dict[int, list[str]]
    deeper: bool


class WhatIfBody(Wire):
    """Continue the game in ``seat`` from just before action ``step``."""

    step: Annotated[int, Field(ge=0, le=100_000)]
    seat: Seat


class WhatIfTable(Wire):
    """The id of the table where the game continues."""

    table: str


class UploadBody(Wire):
    """The text of a log in any format, and its rules if it does not contain them."""

    text: Annotated[str, Field(max_length=MAX_LOG_TEXT)]
    name: Annotated[str, BeforeValidator(clean_if_visible), Field(max_length=100)] = "log"
    rules: RulesName | None = None


class FetchBody(Wire):
    """A link to a log, and its rules if it does not contain them."""

    url: Annotated[str, Field(max_length=500)]
    rules: RulesName | None = None


class UploadSummary(Wire):
    """One of my uploaded logs with the name of its file."""

    id: str
    name: str
    created: str


class UploadList(Wire):
    """My uploaded logs, newest first. Pass ``next`` as ``before`` to get the next page.

    ``hosts``: hosts from which logs may be fetched.
    """

    uploads: list[UploadSummary]
    next: str | None
    hosts: list[str]


class Uploaded(Wire):
    """The id under which the replay of an uploaded log is available, and the players' names in the log."""

    id: str
    names: list[str]


Chips = Sequence[Any]  # after each hand, the chips of each seat

# Measured with tracemalloc on bot games, rounded up
BYTES_OF_GAME: Final = 200_000
BYTES_OF_ACTION: Final = 1_700


def replay(shown: "ReplayGame", summary: GameSummary | None = None) -> Replay:
    """Return the replay of a game, with the names from ``summary`` if it is given."""
    game = shown.game
    hands = PlayedHands(list(game.events), list(game.moves))
    names = [player.name for player in summary.players] if summary else list(shown.names)
    return _replay(game.rules, hands, names, game=summary, chips=shown.chips, follows=game.follows_rules)


def stored_replay(
    rules: Ruleset, logs: Sequence[bytes], moves: Sequence[tuple[int, str]], summary: GameSummary
) -> Replay:
    """Build a replay from stored hands that this engine version has confirmed, without replaying them."""
    return _replay(
        rules, unpack_hands(logs, moves), [player.name for player in summary.players], game=summary
    )


def _replay(
    rules: Ruleset,
    hands: PlayedHands,
    names: list[str],
    *,
    game: GameSummary | None,
    chips: Chips = (),
    follows: bool = True,
) -> Replay:
    each, ends = iter(chips), [*(first for first, _, _ in hands.moves), len(hands.events)][1:]
    return Replay(
        game=game,
        rules=rules.id,
        wall=live_wall(rules),
        replacements=replacement_tiles(rules),
        man=rules.tiles.man,
        own_yaku=own_yaku_names(rules),
        names=names,
        events=hands.events,
        steps=[
            ReplayStep(seat=seat, action=action, first=first, last=last)
            for (first, seat, action), last in zip(hands.moves, ends, strict=True)
        ],
        hands=[
            ReplayHand(event=i, number=event.number, honba=event.honba, chips=next(each, None))
            for i, event in enumerate(hands.events)
            if isinstance(event, HandStarted)
        ],
        follows_rules=follows,
    )


class ReplayGame:
    """A game to step through. It keeps its position, since most requests are for the next step."""

    def __init__(self, game: Game, names: Sequence[str], chips: Chips = ()) -> None:
        self.game = game
        self.chips = chips
        seats = game.rules.match.players
        self.names = (*names, *[""] * seats)[:seats]  # some logs have no names
        self._now = game.restarted()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """The approximate size in bytes of the game and its copy at the current position."""
        return BYTES_OF_GAME + BYTES_OF_ACTION * len(self.game.moves)

    def moment(self, step: int) -> ReplayMoment:
        """Return the table before action ``step``; raises ``no_step``."""
        with self._lock:
            return _moment(self._at(step), step, self.game)

    def position(self, step: int) -> KnownPosition:
        """Return the view of the seat that discards at ``step``; raises ``RequestError`` if none does."""
        with self._lock:
            now = self._at(step)
            return position_in_game(now, int(now.record.turn))

    def _at(self, step: int) -> Game:
        """Return the game before action ``step``; the caller holds the lock."""
        if not 0 <= step <= len(self.game.moves):
            raise ServerError("no_step", step=step, most=len(self.game.moves))
        if len(self._now.moves) > step:
            self._now = self.game.restarted()
        for _, seat, action in self.game.moves[len(self._now.moves) : step]:
            self._now.play(seat, action)
            self._now.events  # noqa: B018  # deriving the events here frees records six times their size
        return self._now


class ReplayCache:
    """Recently viewed games with a total size of up to ``max_bytes``, but always at least the latest one."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._games: OrderedDict[str, ReplayGame] = OrderedDict()
        self._reading = asyncio.Lock()

    async def get(self, key: str, read: Callable[[], Awaitable[ReplayGame]]) -> ReplayGame:
        """Return a game, reading it if it is not cached; one game is read at a time, to bound memory use."""
        if key not in self._games:
            async with self._reading:
                if key not in self._games:
                    game = await read()
                    self._games[key] = game
                    self._evict(key)
                    return game
        self._games.move_to_end(key)
        return self._games[key]

    def forget(self, keys: Iterable[str] | None) -> None:
        """Drop these games, or all games, because their names have changed."""
        for key in list(self._games) if keys is None else keys:
            self._games.pop(key, None)

    def _evict(self, key: str) -> None:
        self._games.move_to_end(key)
        while self.size > self._max_bytes and len(self._games) > 1:
            self._games.popitem(last=False)

    @property
    def size(self) -> int:
        """The approximate size of the cache in bytes."""
        return sum(replay_game.size for replay_game in self._games.values())


def _moment(now: Game, step: int, game: Game) -> ReplayMoment:
    """Return the table as seen from every seat, with the action of the ``standard`` bot."""
    seat = game.moves[step][1] if step < len(game.moves) else None
    views = [_seen(now, seat) for seat in now.seats]
    return ReplayMoment(
        step=step,
        seats=views,
        waits=[format_tiles(waits_of(now.record, seat)) for seat in now.seats],
        safety=[_safety(now, view) for view in views],
        choice=_advice(now, seat),
    )


def _seen(game: Game, seat: int) -> View:
    return view_of(game.record, seat, tuple(game.legal(seat)))


def _safety(game: Game, view: View) -> list[Safety]:
    if game.is_over or not game.follows_rules:
        return []
    return [one for opponent in threats(view) for one in safety(view, game.rules, opponent)]


def _advice(game: Game, seat: int | None) -> Action | None:
    if seat is None or seat not in game.to_act or not game.follows_rules:
        return None
    try:
        return advice(game, seat)
    except JantakuError:
        return None
