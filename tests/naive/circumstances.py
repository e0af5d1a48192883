"""Finds circumstances of a win that can occur together, by exploring every course of a hand without tiles.

A hand is explored from the dealer's first draw, once for each winner and each opponent who may deal in. Tiles
are ignored, except that melds, kans, riichi and norths must be possible. The wall is endless until it is set
to ``last`` tiles, once the winner has discarded and there was a call.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from jantaku.hand import WIND_NAMES, Wind
from jantaku.rules import Ruleset
from jantaku.win import RiichiKind

FLAGS = (
    "ippatsu", "last_tile", "rinshan", "chankan", "first_turn", "riichi_tile", "kan_discard",
    "discarder_riichi", "furiten", "two_dora",
)  # fmt: skip
BIT = {name: 1 << place for place, name in enumerate(FLAGS)}
MELDS = ("none", "chi", "pon", "ankan", "daiminkan", "kakan", "four_kans")
CLOSED = ("none", "ankan", "four_kans")
KANS = ("ankan", "daiminkan", "kakan", "four_kans")
SHAPES = ("plain", "kokushi", "north")
RIICHI: dict[str | None, tuple[RiichiKind | None, ...]] = {
    None: (None,),
    "riichi": ("riichi", "open"),
    "double": ("double", "double_open"),
}


class Fixed(NamedTuple):
    """The other properties of a win; ``turns`` to the discarder are 0 for a tsumo, ``None`` if not stated."""

    seat: int
    turns: int | None
    riichi: RiichiKind | None
    meld: str
    shape: str
    kita: bool


class State(NamedTuple):
    """A moment before a discard."""

    turn: int = 0
    drawn: str = "wall"  # "wall", "kan", "north" or "call"
    calls: int = 0  # 0: none, 1: closed kans only, 2: more
    discarded: bool = False
    riichi: RiichiKind | None = None
    ippatsu: bool = False
    meld: str = "none"
    kita: bool = False
    other: str = "closed"  # the opponent: "closed", "open", "riichi"
    kans: bool = False  # whether a player other than the winner has made a kan
    left: int | None = None  # tiles left in the wall, None while it is endless


def possible(rules: Ruleset) -> dict[Fixed, set[int]]:
    """Return the sets of flags, as masks, with which each win occurs; their subsets are possible too."""
    found: dict[Fixed, set[int]] = {}
    seats = rules.match.players
    for winner in range(seats):
        for turns in range(1, seats):
            for fixed, mask in _Hands(rules, winner, (winner + turns) % seats).wins():
                for riichi, stated in product(RIICHI[fixed.riichi], {fixed.turns, fixed.turns and None}):
                    if rules.riichi.open or riichi in (None, "riichi", "double"):
                        found.setdefault(fixed._replace(riichi=riichi, turns=stated), set()).add(mask)
    return found


class _Hands:
    """All hands in which ``winner`` may win from ``opponent`` or by tsumo."""

    def __init__(self, rules: Ruleset, winner: int, opponent: int) -> None:
        self.rules, self.winner, self.opponent = rules, winner, opponent
        self.seats = rules.match.players
        self.last = self.seats * (rules.riichi.draws_left + 1) + 1
        self.found: set[tuple[Fixed, int]] = set()

    def wins(self) -> set[tuple[Fixed, int]]:
        seen, waiting = {State()}, [State()]
        while waiting:
            for state in self._after(waiting.pop()):
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return self.found

    def _after(self, now: State) -> Iterator[State]:
        own, with_draw = now.turn == self.winner, now.drawn != "call"
        if own and with_draw:
            self._tsumo(now)
        if with_draw and now.left != 0:
            yield from self._kans(now)
            if self.rules.kita.nukidora:
                yield self._north(now)
        if with_draw and now.discarded and now.calls and now.left is None:
            yield now._replace(left=self.last, ippatsu=False)
        yield from self._discards(now)

    # Wins ----------------------------------------------------------------------------------------------

    def _note(self, now: State, turns: int, flags: dict[str, bool], shapes: tuple[str, ...]) -> None:
        flags["ippatsu"] = now.ippatsu
        flags["first_turn"] = not now.calls and not now.discarded
        flags["two_dora"] = now.kans or now.meld in KANS
        mask = sum(BIT[name] for name, there in flags.items() if there)
        for shape in shapes:
            if shape == "plain" or now.meld == "none":
                self.found.add((Fixed(self.winner, turns, now.riichi, now.meld, shape, now.kita), mask))

    def _tsumo(self, now: State) -> None:
        rinshan = now.drawn == "kan" or (now.drawn == "north" and self.rules.kita.rinshan)
        last = now.left == 0 and now.drawn == "wall"
        flags = {"rinshan": rinshan, "last_tile": last, "furiten": now.discarded}
        self._note(now, 0, flags, SHAPES)

    def _ron(self, now: State, flags: dict[str, bool], shapes: tuple[str, ...]) -> None:
        self._note(now, (self.opponent - self.winner) % self.seats, flags, shapes)

    # Actions of the player on turn -----------------------------------------------------------------------

    def _kans(self, now: State) -> Iterator[State]:
        rules, seat = self.rules, now.turn
        own, opponent = seat == self.winner, seat == self.opponent
        if now.meld == "four_kans" or (own and now.meld == "ankan" and now.kans):
            return
        in_riichi = (own and now.riichi) or (opponent and now.other == "riichi")
        closed_meld = {"none": "ankan", "ankan": "four_kans"}.get(now.meld)
        if not (in_riichi and rules.riichi.ankan == "never") and (closed_meld or not own):
            if opponent and rules.win.kokushi_on_ankan:
                self._ron(now, {"chankan": True, "discarder_riichi": now.other == "riichi"}, ("kokushi",))
            ippatsu = now.ippatsu and not rules.riichi.ippatsu_broken_by_ankan
            yield self._replaced(now, "kan", calls=max(now.calls, 1), ippatsu=ippatsu, closed=closed_meld)
        if own and now.meld != "pon":
            return
        if opponent and now.other != "open":
            return
        if now.calls == 2:
            if opponent and now.meld != "four_kans":
                self._ron(now, {"chankan": True}, ("plain", "kokushi"))
            yield self._replaced(now, "kan", calls=2, ippatsu=False, closed="kakan")

    def _north(self, now: State) -> State:
        kita, own = self.rules.kita, now.turn == self.winner
        if now.turn == self.opponent and kita.ron not in ("never", "kokushi"):
            self._ron(now, {"chankan": kita.chankan, "discarder_riichi": now.other == "riichi"}, ("north",))
        moved = now._replace(drawn="north", kita=now.kita or own, left=now.left and now.left - 1)
        if kita.breaks_first_turn:
            moved = moved._replace(calls=2)
        return moved._replace(ippatsu=moved.ippatsu and not kita.breaks_ippatsu)

    def _replaced(
        self, now: State, drawn: str, *, calls: int, ippatsu: bool, closed: str | None = None
    ) -> State:
        own = now.turn == self.winner
        return now._replace(
            drawn=drawn,
            calls=calls,
            ippatsu=ippatsu,
            meld=closed if own and closed else now.meld,
            kans=now.kans or not own,
            left=now.left and now.left - 1,
        )

    def _may_declare(self, now: State) -> bool:
        rules = self.rules
        if rules.riichi.short_wall == "foul" and rules.fouls.mode == "penalise":
            return now.drawn != "call"
        required = max(1, self.seats * rules.riichi.draws_left)
        return now.drawn != "call" and (now.left is None or now.left >= required)

    def _discards(self, now: State) -> Iterator[State]:
        if now.turn == self.winner:
            yield from self._claims(now._replace(discarded=True, ippatsu=False), declaring=False)
            if now.riichi is None and now.meld in CLOSED and self._may_declare(now):
                unbroken = now.calls == 0 or (now.calls == 1 and not self.rules.riichi.double_broken_by_ankan)
                kinds: tuple[RiichiKind, ...] = (
                    ("double", "riichi") if unbroken and not now.discarded else ("riichi",)
                )
                for kind in kinds:
                    after = now._replace(discarded=True, riichi=kind, ippatsu=True)
                    yield from self._claims(after, declaring=False)
            return
        yield from self._claims(now, declaring=False)
        if now.turn == self.opponent and now.other == "closed" and self._may_declare(now):
            yield from self._claims(now, declaring=True)

    def _claims(self, now: State, *, declaring: bool) -> Iterator[State]:
        """Yield what may follow the discard of the player on turn."""
        seat, rules = now.turn, self.rules
        if seat == self.opponent:
            flags = {
                "riichi_tile": declaring,
                "discarder_riichi": declaring or now.other == "riichi",
                "kan_discard": now.drawn == "kan" or (now.drawn == "north" and rules.kita.rinshan),
                "last_tile": now.left == 0,
            }
            self._ron(now, flags, SHAPES)
        if declaring:
            now = now._replace(other="riichi")
        if now.left == 0:
            return
        for caller in range(self.seats):
            if caller != seat:
                yield from self._calls(now._replace(turn=caller), seat)
        left = None if now.left is None else now.left - 1
        yield now._replace(turn=(seat + 1) % self.seats, drawn="wall", left=left)

    def _calls(self, now: State, source: int) -> Iterator[State]:
        called = now._replace(drawn="call", calls=2, ippatsu=False)
        if now.turn != self.winner:
            if now.turn == self.opponent:
                if now.other == "riichi":
                    return
                called = called._replace(other="open")
            yield called
            if now.meld != "four_kans":
                yield self._replaced(called, "kan", calls=2, ippatsu=False)
        elif now.riichi is None and now.meld == "none":
            yield called._replace(meld="pon")
            yield self._replaced(called, "kan", calls=2, ippatsu=False, closed="daiminkan")
            if self.rules.calls.chi and (source + 1) % self.seats == now.turn:
                yield called._replace(meld="chi")


def seat_name(seat: int) -> Wind:
    """Return the wind of a seat, counted from the dealer."""
    return WIND_NAMES[seat]
