"""The first hand: a guided game for newcomers."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Final

from pydantic import Field

from jantaku import terms
from jantaku.game import Action, Discard, Game, Pass, hide
from jantaku.game.actions import NotatedAction
from jantaku.game.engine import concealed, drawn_tile, without_drawn
from jantaku.game.events import Event, HandDrawn, HandStarted, NotatedEvent, Won
from jantaku.game.fair_walls import SEED_BYTES, live_wall, replacement_tiles, shuffled, tile_set
from jantaku.game.view import furiten_of, waits_of
from jantaku.kernels.engine.wall import dealt_to
from jantaku.rules import load
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.protocol import Hints, Own, RulesRef, SeatInfo, TableInfo, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import RequestLanguage
from jantaku.server.play import seat_views
from jantaku.server.play.hints import hints, wait_rows
from jantaku.server.rules.pages import rules_name
from jantaku.tiles import RED, Tile, parse_tiles
from jantaku.wire import Wire

RULES: Final = "standard"
LEARNER: Final = 0
MAX_MOVES: Final = 100  # more than one hand can have
HAND: Final = "234m67m45p88p34s9s3z"
# Draws of the learner and of the players to the right, across and to the left, by go-around
DRAWS: Final = (
    "4z 2z 9m 1p",
    "9p 8p 1m 9s",  # the learner can pon the second
    "5s 1z 2z 5m",  # the learner can chi the last
    "7z 9m 3z 4z",
    "8m 2z 6p 9s",  # tenpai, and a winning tile
    "3p 1p 1s 7z",  # useful draws for other waits
    "5m 6z 1z 1p",
    "2s 9p 1m 6z",
    "6p 1s 9m 5z",
)
INDICATOR: Final = "3s"
Row = dict[str, Any]


@cache
def wall() -> tuple[Tile, ...]:
    """Build the stacked wall: the learner's hand, the draws, the indicator, and the rest shuffled."""
    rules = load(RULES)
    tiles = tile_set(rules)
    places = [tile for tile in range(13 * len(rules.seats)) if dealt_to(tile, len(rules.seats)) == 0]
    laid = dict(zip(places, parse_tiles(HAND), strict=True))
    draws = parse_tiles("".join(DRAWS).replace(" ", ""))
    laid |= {13 * len(rules.seats) + i: tile for i, tile in enumerate(draws)}
    laid[len(tiles) - 5] = parse_tiles(INDICATOR)[0]
    rest = list(tiles)
    for tile in laid.values():
        rest.remove(tile)
    others = iter(shuffled(rest, bytes(SEED_BYTES), 0))
    return tuple(laid[i] if i in laid else next(others) for i in range(len(tiles)))


def first_hand(moves: Sequence[Action], language: terms.Language) -> Row:
    """Play the learner's ``moves`` up to their next choice and return ``FirstHand`` as data.

    Raises ``IllegalActionError`` for an illegal move, and ``ServerError`` (``not_playing``) for a move after
    the end.
    """
    game = Game(RULES, walls=[wall()] * 2)  # the engine also deals the next hand, which is not sent
    for move in moves:
        _others_play(game)
        if _ended(game):
            raise ServerError("not_playing")
        game.play(LEARNER, move)
    _others_play(game)
    over = _ended(game)
    with terms.using(language), terms.with_pictures():
        return {
            "table": _table(language),
            "events": [hide(event, LEARNER).to_dict() for event in _of_the_hand(game)],
            "own": None if over else seat_views.own(game, LEARNER, None),
            "hints": None if over else {"type": "hints", "id": "", **hints(game, LEARNER, language)},
            "over": over,
            "deposit": game.rules.riichi.deposit,
        }


def _ended(game: Game) -> bool:
    return any(isinstance(event, Won | HandDrawn) for event in game.events)


def _of_the_hand(game: Game) -> list[Event]:
    """Return the events from the deal on, without the next hand."""
    deals = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]
    return game.events[deals[0] : deals[1] if len(deals) > 1 else None]


def _others_play(game: Game) -> None:
    """Play for the others until the learner has a choice or the hand is over."""
    while not _ended(game):
        seat = next((seat for seat in game.to_act if seat != LEARNER), None)
        if seat is None:
            return
        game.play(seat, _gentle(game, seat))


def _gentle(game: Game, seat: int) -> Action:
    """Choose to pass, or to discard a tile on which the learner can win, or else the drawn tile."""
    legal = game.legal(seat)
    if Pass() in legal:
        return Pass()
    wanted = _winning_kinds(game)
    drawn = drawn_tile(game.record, seat)
    given = next((tile for tile in concealed(game.record, seat) if tile % RED in wanted), drawn)
    choices = [action for action in legal if isinstance(action, Discard) and not action.riichi]
    return next((choice for choice in choices if choice.tile == given), choices[-1])


def _winning_kinds(game: Game) -> set[int]:
    """Return the kinds on which the learner can win by ron."""
    record = game.record
    if furiten_of(record, LEARNER) is not None or not waits_of(record, LEARNER):
        return set()
    rows = wait_rows(game, LEARNER, tuple(without_drawn(record, LEARNER)))
    return {parse_tiles(row["tile"])[0] % RED for row in rows if row["ron"] is not None}


@cache
def _table(language: terms.Language) -> Row:
    """Build the ``TableInfo`` of the lesson as data."""
    rules = load(RULES)
    called = rules_name(rules, language)
    names = [terms.text("guide.first.you", language), *terms.table("guide", language)["first"]["others"]]
    reference = RulesRef(
        id=rules.id,
        name=called,
        fingerprint=rules.fingerprint,
        wall=live_wall(rules),
        replacements=replacement_tiles(rules),
        man=rules.tiles.man,
        nukidora=rules.kita.nukidora,
        length=rules.match.length,
        ankan_display=rules.calls.ankan_display,
        return_points=rules.match.return_points,
    )
    shown = TableInfo(
        id="first",
        name=terms.text("guide.learn.first", language),
        status="playing",
        owner="",
        host="",
        rules=reference,
        options=TableOptions(clock=False, private=True, spectators=False, draw_seats=False),
        seats=[
            SeatInfo(name=name, bot="gentle" if seat else None, connected=True)
            for seat, name in enumerate(names)
        ],
        game=1,
    )
    return shown.model_dump(mode="json")


class FirstHandBody(Wire):
    """All moves of the learner so far."""

    moves: Annotated[list[NotatedAction], Field(max_length=MAX_MOVES)]


class FirstHand(Wire):
    """The hand from the deal to the learner's next choice; ``own`` and ``hints`` are ``null`` at its end.

    ``deposit``: points of a riichi deposit.
    """

    table: TableInfo
    events: list[NotatedEvent]
    own: Own | None
    hints: Hints | None
    over: bool
    deposit: int


router = router_of("/api", "hands")


@router.post("/first-hand")
async def play_first_hand(language: RequestLanguage, body: FirstHandBody) -> FirstHand:
    """Play the learner's moves from the deal on, without storing anything."""
    return FirstHand(**await asyncio.to_thread(first_hand, body.moves, language))
