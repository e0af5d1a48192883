"""Random games with every foul, checked after every action.

After each action the events must agree with the record, no tile or point may be lost, every format must
write the game and read it back, and compiled and plain code must agree. Each win on its own must score as in
the game, have exactly the custom yaku whose conditions hold, and have an explanation.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from jantaku.adjudication.explain import explain
from jantaku.adjudication.score import Score, score
from jantaku.bots import bot
from jantaku.game import Action, Game
from jantaku.game.actions import decode
from jantaku.game.board import Board
from jantaku.game.engine import by_seat, concealed, indicators, melds
from jantaku.game.events import (
    DoraTurned,
    Event,
    Fouled,
    GameEnded,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    Won,
)
from jantaku.game.fair_walls import tile_set
from jantaku.game.snapshot import Snapshot
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine.state import ADDED, CALLED, CLAIMS, FOLLOWED_KAN, GAME_OVER, SET_ASIDE, YOUR_TURN
from jantaku.records import formats
from jantaku.rules import Ruleset
from jantaku.rules.own import read
from jantaku.rules.own.meaning import is_met
from jantaku.tiles import NORTH, RED, Tile, sort_tiles
from support.own_conditions import results
from support.plain import compare_step, stepped
from support.playing import choose
from support.record_games import comparable_events
from support.scoring import changed, table

SETTLED: Final = ("number", "honba", "deposits")
PLAYER: Final = "standard"
NATIVE: Final = ("jantaku", "compact")  # formats that also store unanswered claims


@dataclass(frozen=True)
class Plan:
    """A wall and the actions to play on it, as seats and action codes of the engine."""

    rules: Ruleset
    wall: list[Tile]
    played: list[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Checks:
    """Shares of the actions after which slow checks run. Ends of hands and fouls are always checked.

    ``steps`` limits the length of a game, since a game with one chombo after another would never end.
    """

    fouls: float = 0.03
    modes: float = 0.02
    formats: float = 0.0005
    steps: int = 700


class RandomGame:
    """One game under one ruleset; ``play`` plays it to its end and returns counts of what occurred."""

    def __init__(self, rules: Ruleset, seed: str, checks: Checks) -> None:
        self.rules, self.checks = rules, checks
        self.chance = Random(seed)
        self.manner = self.chance.choice(("heedless", "careless", "bot"))  # the last two avoid bad moves
        self.game = Game(rules, seed=self.chance.getrandbits(64))
        self.board = Board(rules)
        self.read = 0
        self.offered = False  # whether the announced tile can still be robbed, or has been robbed
        self.seen: Counter[str] = Counter()

    def play(self) -> Counter[str]:
        """Play the game to its end in its style, and check it."""
        self._follow(Snapshot(self.game.state))
        for _ in range(self.checks.steps):
            if self.game.is_over:
                break
            self._act(*self._choice())
        self._write_all()
        self.seen["games"] += 1
        return self.seen

    def play_plan(self, plan: Plan) -> None:
        """Play a plan on its wall and check it."""
        later = shuffled_walls(self.rules, self.chance)
        self.game = Game(self.rules, walls=itertools.chain([plan.wall], later))
        self._follow(Snapshot(self.game.state))
        for seat, code in plan.played:
            self._act(seat, decode(code, self.game.claimed))
        self._write_all()

    def _choice(self) -> tuple[int, Action]:
        game, chance = self.game, self.chance
        if chance.random() < self.checks.fouls:
            able = [(seat, act) for seat in game.seats for act in game.fouls(seat)]
            if able:
                kinds = sorted({type(act).__name__ + getattr(act, "act", "") for _, act in able})
                kind = chance.choice(kinds)
                return chance.choice(
                    [seat for seat in able if type(seat[1]).__name__ + getattr(seat[1], "act", "") == kind]
                )
        seat = chance.choice(game.to_act)
        if self.manner == "bot":
            return seat, bot(PLAYER).choose(game, seat)
        return seat, chance.choice(game.legal(seat)) if self.manner == "heedless" else choose(
            game, seat, chance
        )

    def _act(self, seat: int, action: Action) -> None:
        game, before = self.game, self.game.state
        hands, fouls = len(game.walls), self.seen["fouls"]
        game.play(seat, action)
        code = game.played[-1][1]
        after = Snapshot(stepped(before, seat, code, self.rules, compiled=True).tobytes())
        self._follow(after)
        ended = game.is_over or len(game.walls) > hands
        self.seen["actions"] += 1
        self.seen["hands"] += ended
        notable = ended or self.seen["fouls"] > fouls
        if notable or self.chance.random() < self.checks.modes:
            compare_step(before, seat, code, self.rules)
            self.seen["steps in both modes"] += 1
        self._check_tiles(after)
        self._check_points(after)
        if self.chance.random() < (20 if notable else 1) * self.checks.formats:
            self._write_all()

    def _follow(self, after: Any) -> None:
        """Apply new events; before the next deal they must give ``after``, at the end the current game."""
        compared = False
        for event in self.game.events[self.read :]:
            if isinstance(event, HandStarted) and self.read > 1 and not compared:
                self._compare(after)
                compared = True
            self.board.apply(event)
            self.read += 1
            self.offered = isinstance(event, KanDeclared | KitaDeclared) or (
                self.offered and isinstance(event, DoraTurned | Fouled | Won | PointsMoved | GameEnded)
            )
            self.seen[event.type] += 1
            if isinstance(event, Won):
                self._check_win(event)
            if isinstance(event, Fouled):
                self.seen["fouls"] += 1
                self.seen[f"{event.foul}: {event.cost}"] += 1
        self._compare(Snapshot(self.game.state))

    def _compare(self, record: Any) -> None:
        ours, its = facts(self.board.snapshot()), facts(record)
        if self.offered and record.claimed_how in (ADDED, SET_ASIDE):
            its |= announced(record)
        if record.phase not in (YOUR_TURN, CLAIMS) or record.deciding:  # settled, but not announced
            ours |= {name: its[name] for name in SETTLED}
        assert ours == its, {key: (ours[key], its[key]) for key in ours if ours[key] != its[key]}

    def _check_win(self, event: Won) -> None:
        """Check that the win alone has the same value as in the game."""
        told = event.score
        assert isinstance(told, Score)
        again = score(told.win, self.rules)
        assert again.to_dict() == told.to_dict(), (again.to_dict(), told.to_dict())
        assert explain(told).text()
        for _, own, facts in results([told.win], self.rules):
            for index, yaku in enumerate(self.rules.own_yaku):
                if own >> index & 1:
                    assert is_met(read(yaku.condition), facts), (yaku.id, yaku.condition, told.win)
                    self.seen["custom yaku"] += 1

    def _check_tiles(self, record: Any) -> None:
        """Check that every tile drawn from the wall is in a hand, a meld, a river or set aside."""
        if record.phase not in (YOUR_TURN, CLAIMS) or record.deciding:
            return
        assert tiles_outside(record) == tiles_gone(record)

    def _check_points(self, record: Any) -> None:
        """Check that the sum of points is constant."""
        match, rules = record.match, self.rules
        stick, seats = rules.riichi.deposit, len(rules.seats)
        whole = seats * rules.match.start_points
        on_table = sum(by_seat(record, match.scores)) + int(match.deposits) * stick
        if record.phase != GAME_OVER:
            assert on_table == whole
            assert sum(by_seat(record, match.deposits_of)) == int(match.deposits)
        assert sum(by_seat(record, match.chips)) == 0
        if record.phase == GAME_OVER:
            assert on_table == whole or rules.end.leftover_deposits == "nobody"
            lost = seats * rules.match.return_points + int(np.sum(match.penalties))
            oka = int(np.asarray(rules_oka(rules)))
            final = sum(by_seat(record, match.final)) - sum(by_seat(record, match.yakitori))
            assert final == sum(by_seat(record, match.scores)) - lost + oka
            assert sum(by_seat(record, match.yakitori)) == 0

    def _write_all(self) -> None:
        """Write every format and read it back."""
        for name in formats.BY_NAME:
            text = formats.dumps(self.game, name)
            again = formats.parse_record(text.encode()).game
            wanted = comparable_events(self.game)
            lines = comparable_events(again)
            assert lines == wanted, (name, first_difference(lines, wanted))
            if name in NATIVE:
                assert again.state == self.game.state, name
        self.seen["games written in every format"] += 1


def plans() -> Iterator[Plan]:
    """Yield hands with sequences of rare actions."""
    for row in table("chains.tsv"):
        played = [(int(word[0]), int(word[1:], 16)) for word in row["played"].split()]
        wall = [Tile(ord(letter) - 48) for letter in row["wall"]]
        yield Plan(changed(row["rules"], row["changes"]), wall, played)


def shuffled_walls(rules: Ruleset, chance: Random) -> Iterator[list[Tile]]:
    """Yield shuffled walls endlessly."""
    while True:
        wall = tile_set(rules)
        chance.shuffle(wall)
        yield wall


def rules_oka(rules: Ruleset) -> int:
    """Return the oka of the first place."""
    oka = rules.match.oka
    if oka == "none":
        return 0
    return (
        (rules.match.return_points - rules.match.start_points) * len(rules.seats) if oka == "derived" else oka
    )


def first_difference(one: list[Event], other: list[Event]) -> tuple[int, Any, Any]:
    """Return the first difference between two lists of events."""
    for index, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return index, mine, its
    return min(len(one), len(other)), one[len(other) :][:3], other[len(one) :][:3]


def facts(record: Any) -> dict[str, Any]:
    """Return the facts about a game that both its events and the engine's record show."""
    match = record.match
    seats = range(int(match.seats))
    return {
        "number": int(match.number), "honba": int(match.honba),
        "scores": by_seat(record, match.scores), "deposits": int(match.deposits),
        "indicators": indicators(record),
        "drawn": (int(record.drawn_live), int(record.drawn_rinshan)),
        "hands": [concealed(record, seat) for seat in seats],
        "melds": [melds(record, seat) for seat in seats],
        "kita": [int(record.kita[seat]) for seat in seats],
        "rivers": [river(record, seat) for seat in seats],
        "riichi": [bool(record.riichi[seat]) for seat in seats],
        "open riichi": [bool(record.open_riichi[seat]) for seat in seats],
    }  # fmt: skip


def announced(record: Any) -> dict[str, Any]:
    """Return melds and norths including a tile that can be robbed, which the record does not have yet."""
    seat, tile = int(record.claimed_from), Tile(record.claimed_tile)
    made = [melds(record, other) for other in range(int(record.match.seats))]
    kita = [int(record.kita[other]) for other in range(int(record.match.seats))]
    if record.claimed_how == SET_ASIDE:
        kita[seat] += 1
    else:
        made[seat] = tuple(
            Meld(MeldType.KAKAN, tuple(sort_tiles((*event.tiles, tile))), event.called, event.source)
            if event.type is MeldType.PON and event.first == tile % RED
            else event
            for event in made[seat]
        )
    return {"melds": made, "kita": kita}


def river(record: Any, seat: int) -> list[tuple[int, int]]:
    """Return the tiles of a river with their public marks."""
    marks = (record.river_marks[seat] & ~np.uint8(FOLLOWED_KAN)).tolist()
    return list(zip(record.river[seat].tolist(), marks, strict=True))[: int(record.discards[seat])]


def tiles_outside(record: Any) -> list[int]:
    """Count the tiles of each kind outside the wall in the record."""
    counts = record.hand.astype(np.int64).sum(axis=0)
    for seat in range(int(record.match.seats)):
        for meld in melds(record, seat):
            for tile in meld.tiles:
                counts[tile % RED] += 1
        for index in range(int(record.discards[seat])):
            called = int(record.river_marks[seat, index]) & CALLED
            counts[int(record.river[seat, index]) % RED] += not called
    counts[NORTH] += int(record.kita.sum())
    if record.phase == CLAIMS and record.claimed_how in (ADDED, SET_ASIDE):
        counts[int(record.claimed_tile) % RED] += 1
    listed: list[int] = counts.tolist()
    return listed


def tiles_gone(record: Any) -> list[int]:
    """Count the tiles of each kind drawn from the wall."""
    whole = int(record.tiles)
    gone = [*record.wall[: int(record.drawn_live)], *record.wall[whole - int(record.drawn_rinshan) : whole]]
    listed: list[int] = np.bincount(np.array(gone, np.int64) % RED, minlength=RED).tolist()
    return listed
