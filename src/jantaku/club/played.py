"""A game of the engine or of a log as people would enter it at a table, with the yaku of its wins."""

import hashlib
import json
from typing import Any, Final

from jantaku.adjudication.score import Score
from jantaku.club.hands import BONUS, ENTERED_LIMITS
from jantaku.game import Game
from jantaku.game.events import (
    Called,
    Discarded,
    Drew,
    Event,
    Fouled,
    GameEnded,
    HandDrawn,
    HandStarted,
    KanDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
)
from jantaku.hand import MeldType
from jantaku.rules.catalogue import han_of
from jantaku.rules.options import FOUL_DEPOSIT
from jantaku.seats import seat_at
from jantaku.tiles import format_tiles

YAKUMAN_HAN: Final = han_of("yakuman")


def played_hands(game: Game) -> list[dict[str, Any]]:
    """The finished hands of a game in the JSON of ``docs/club.md``; each win has its ``yaku``.

    ``settle`` makes the same points of them under the same rules, as far as a log tells all that decides.
    """
    hands: list[dict[str, Any]] = []
    hand: _Hand | None = None
    for event in game.events:
        if isinstance(event, HandStarted | GameEnded):
            if hand is not None and hand.found:
                hands.append(hand.found)
            hand = _Hand()
        elif hand is not None:
            hand.read(event)
    if hand is not None and hand.found:
        hands.append(hand.found)
    return hands


def end_of(game: Game) -> GameEnded | None:
    """How a game ended; ``None`` if it is not over."""
    return next((one for one in reversed(game.events) if isinstance(one, GameEnded)), None)


def points_of(game: Game) -> tuple[int, ...]:
    """The points of each seat as they stand at the end of a game or log."""
    return points_after_hands(game)[-1]


def points_after_hands(game: Game) -> list[tuple[int, ...]]:
    """The points as they stand after each hand, after the last one as at the end of the game or log.

    Riichi sticks that nobody has won are off, also where a hand moves no points and has no event for them.
    """
    found: list[tuple[int, ...]] = []
    now = [game.rules.match.start_points] * len(game.seats)
    started = False
    for event in game.events:
        if isinstance(event, HandStarted):
            found += [event.scores] if started else []
            started, now = True, list(event.scores)
        elif isinstance(event, RiichiAccepted):
            now[event.seat] -= event.deposit
        elif isinstance(event, Fouled):
            now[event.seat] -= FOUL_DEPOSIT * (event.cost == "deposit_1000")
        elif isinstance(event, PointsMoved):
            now = list(event.scores)
    return [*found, tuple(now)]


class _Hand:
    """Collects one hand; ``found`` is empty until it has ended."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.riichi: list[int] = []
        self.calls: set[int] = set()
        self.fouls: list[dict[str, Any]] = []
        self.discarder: int | None = None  # of the tile on the table
        self.declared = False  # whether that tile declares riichi
        self.drawer: int | None = None
        self.feeder: int | None = None  # who fed the open kan that the drawn tile follows

    def read(self, event: Event) -> None:
        if isinstance(event, Discarded):
            self.discarder, self.declared, self.feeder = event.seat, event.riichi is not None, None
            if event.riichi is not None:
                self.riichi.append(event.seat)
        elif isinstance(event, Drew):
            self.discarder, self.declared, self.drawer = None, False, event.seat
        elif isinstance(event, KanDeclared):
            self.discarder, self.declared = None, False
        elif isinstance(event, Called):
            self.calls.add(event.seat)
            if event.meld.type is MeldType.DAIMINKAN:
                self.feeder = self.discarder
            self.discarder, self.declared = None, False
        elif isinstance(event, Fouled):
            self.fouls.append({"seat": event.seat, "foul": event.foul})
        elif isinstance(event, Won):
            self._win(event)
        elif isinstance(event, HandDrawn):
            self._draw(event)

    def _ended(self, end: str, **more: Any) -> dict[str, Any]:
        fouls = {"fouls": self.fouls} if self.fouls else {}
        seats = {"riichi": sorted(set(self.riichi)), "calls": sorted(self.calls)}
        return {"end": end, **seats, **more, **fouls}

    def _win(self, event: Won) -> None:
        if not self.found:
            by = {"end": "tsumo"} if event.source is None else {"end": "ron", "from": event.source}
            self.found = self._ended(**by, wins=[])
            if self.declared and event.source == self.discarder:
                self.found["riichi_tile"] = True
        self.found["wins"].append(_worth(event, self.feeder))

    def _draw(self, event: HandDrawn) -> None:
        if event.kind == "exhausted":
            tenpai, nagashi = list(event.tenpai), list(event.nagashi)
            self.found = self._ended("draw", tenpai=tenpai, nagashi=nagashi)
        elif event.kind == "voided":
            self.found = self._ended("foul")
        else:
            self.found = self._ended("abort", kind=event.kind)
            if event.kind == "kyuushu_kyuuhai" and self.drawer is not None:
                self.found["seat"] = self.drawer
            if event.kind == "sanchahou" and self.discarder is not None:
                self.found["from"] = self.discarder
                self.found |= {"riichi_tile": True} if self.declared else {}


def _worth(event: Won, feeder: int | None) -> dict[str, Any]:
    """What a seat won with: yakuman, han and fu, or a limit, if the log tells no more."""
    score = event.score
    found: dict[str, Any] = {"seat": event.seat}
    if score.yakuman:
        found["yakuman"] = score.yakuman
    elif score.han is not None and score.fu is not None:
        found |= {"han": score.han, "fu": score.fu}
    elif score.limit in ENTERED_LIMITS:
        found["limit"] = score.limit
    else:
        found["yakuman"] = 1
    if isinstance(score, Score):
        found |= _liable(score, event.seat, feeder)
    bonus = {name: score.yaku[name] for name in BONUS if name in score.yaku}
    return {**found, "yaku": list(score.yaku), **({"bonus": bonus} if bonus else {})}


def _liable(score: Score, seat: int, feeder: int | None) -> dict[str, Any]:
    """Who pays for a win beside the discarder: the liable seats, and who fed an open kan."""
    seats = score.rules.match.players
    pao = score.win.pao
    found: dict[str, Any] = {}
    counted = [name for _, name, _ in score.counted() if name in pao]
    if score.yakuman and counted and score.rules.pao.yakuman:
        count = sum(score.worth(name) for name in counted) // YAKUMAN_HAN
        liable = list(dict.fromkeys(seat_at(seat, pao[name], seats) for name in counted))
        found["pao"] = {"seats": liable, "yakuman": min(count, score.yakuman)}
    pays = score.rules.pao.rinshan_after_daiminkan == "feeder_pays"
    if pays and feeder is not None and score.win.rinshan and score.win.tsumo:
        found["feeder"] = feeder
    return found


def game_digest(game: Game) -> str:
    """What tells a game from every other: a hash of all deals and discards, the same for each format."""
    said: list[object] = []
    for event in game.events:
        if isinstance(event, HandStarted):
            hands = [format_tiles(sorted(hand or ())) for hand in event.hands]
            said.append([event.number, event.honba, list(event.scores), hands])
        elif isinstance(event, Discarded):
            said.append([event.seat, format_tiles([event.tile])])
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
