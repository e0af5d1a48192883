"""Why a tile is safe or dangerous against an opponent: genbutsu, suji, no chance, copies left.

Everything follows from what a seat sees: which tiles an opponent cannot win on because of furiten, and which
waits the unseen tiles can still form.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from jantaku import terms
from jantaku.game.view import View
from jantaku.hand import MeldType
from jantaku.reading import Reader, Strict
from jantaku.rules import Ruleset
from jantaku.seats import Seat, after, others, seat_at
from jantaku.tiles import (
    COPIES,
    HONOURS,
    KINDS,
    NORTH,
    RED,
    TILES,
    YAOCHUU,
    NotatedTile,
    SortedTiles,
    counts,
    format_tiles,
    kinds_of,
    next_kind,
)

SafetyCode = Literal[
    "genbutsu",
    "passed",
    "passed_now",
    "no_copies_left",
    "open_safe",
    "kokushi_only",
    "unseen",
    "shonpai",
    "no_chance",
    "suji",
    "suji_no_chance",
    "one_chance",
    "live",
    "open_wait",
]
PossibleWait = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "kokushi"]

CERTAIN: Final[tuple[SafetyCode, ...]] = ("genbutsu", "passed", "passed_now", "no_copies_left", "open_safe")
SAFE: Final[tuple[SafetyCode, ...]] = (
    *CERTAIN,
    *("kokushi_only", "unseen", "no_chance", "suji", "suji_no_chance"),
)
_GROUPS: Final[tuple[tuple[SafetyCode, ...], ...]] = (  # from safe to dangerous
    CERTAIN,
    ("kokushi_only",),
    ("unseen", "shonpai", "no_chance", "suji", "suji_no_chance"),
    ("one_chance", "live"),
    ("open_wait",),
)
THREATENING: Final = {2: 6, 3: 0, 4: 0}
"""From how many discards on an opponent with so many open melds is a threat."""


@dataclass(frozen=True, kw_only=True)
class Safety(Strict):
    """Why ``tile`` (a kind) is or is not safe from ``opponent``; one code holds, the strongest.

    Certain (``CERTAIN``):

    - ``genbutsu``: the opponent discarded it. ``passed``: discarded since its riichi, without a ron.
    - ``passed_now``: discarded since its last turn, without a ron; safe until it draws.
    - ``no_copies_left``: the tiles of any wait for it are all visible.
    - ``open_safe``: its open riichi shows that it cannot win on it; ``open_wait``: that it can.

    Against two-sided waits (ryanmen) alone:

    - ``suji``: the other ends, ``tiles``, are safe. ``no_chance``: all copies of ``tiles`` are visible.
      ``suji_no_chance``: one on either side.
    - ``one_chance``: only one copy of ``tiles`` is unseen, so a two-sided wait is rare.

    Otherwise ``kokushi_only``; for a kind that is in no run, ``unseen`` with the number of copies, or
    ``shonpai`` if none is visible on the table; and ``live`` if nothing speaks for it.

    ``unseen``: copies that the seat does not see. ``waits``: waits for the tile that are still possible, and
    ``ways`` the number of ways in which unseen tiles form them; both are empty for furiten and open riichi.
    ``dora``: whether the kind is a dora.
    """

    tile: NotatedTile
    opponent: Seat
    code: SafetyCode
    tiles: SortedTiles
    unseen: int
    waits: tuple[PossibleWait, ...]
    ways: int
    dora: bool

    @property
    def certain(self) -> bool:
        """Whether the opponent cannot win on the tile now."""
        return self.code in CERTAIN

    @property
    def safe(self) -> bool:
        """Whether a player would call the tile safe: certainly, or from the usual waits."""
        return self.code in SAFE

    @property
    def order(self) -> tuple[int, int]:
        """A key that sorts from safe to dangerous."""
        return next(place for place, codes in enumerate(_GROUPS) if self.code in codes), self.ways

    def label(self, language: terms.Language | None = None) -> str:
        """Return the reason in a few words: ``suji of 4s``."""
        return self._text("label", language)

    def sentence(self, player: str, language: terms.Language | None = None) -> str:
        """Return the reason as a sentence about the opponent, who is called ``player``."""
        waits = ""
        if self.code == "unseen":
            names = (terms.text(f"review.safety.wait.{wait}", language) for wait in self.waits)
            waits = terms.listed(names, language)
        return self._text("sentence", language, player=player, waits=waits)

    def _text(self, part: str, language: terms.Language | None, **values: str) -> str:
        tile, tiles = format_tiles([self.tile]), format_tiles(self.tiles)
        values |= {"tile": tile, "tiles": tiles, "count": str(self.unseen)}
        return terms.with_tiles(f"review.safety.{part}.{self.code}", language, values)


_READER: Final = Reader(Safety)


def plain(one: Safety) -> dict[str, Any]:
    """Return a reason as plain data."""
    data: dict[str, Any] = _READER.write(one)
    return data


def from_plain(data: object) -> Safety:
    """Read the output of ``plain``; raises ``RequestError``."""
    return _READER(data)


def threats(view: View) -> tuple[Seat, ...]:
    """Return the opponents to beware of, in turn order: in riichi, or with several open melds."""
    return tuple(seat for seat in others(view.seat, len(view.scores)) if _threatens(view, seat))


def _threatens(view: View, seat: Seat) -> bool:
    if view.dead[seat]:
        return False
    melds = sum(meld.is_open for meld in view.melds[seat])
    from_discard = THREATENING.get(melds)
    return view.riichi[seat] is not None or (
        from_discard is not None and len(view.rivers[seat]) >= from_discard
    )


def safety(view: View, rules: Ruleset, opponent: Seat) -> tuple[Safety, ...]:
    """Return the reason for each kind in the hand of the view's seat, safest first."""
    drawn = () if view.drawn is None else (view.drawn,)
    held = counts((*view.hand, *drawn))
    table = _Table(view, rules, opponent)
    found = [table.judge(kind, held[kind]) for kind in range(KINDS) if held[kind]]
    return tuple(sorted(found, key=lambda one: one.order))


class _Side(NamedTuple):
    """A two-sided wait: the two tiles that an opponent holds, and its other end."""

    near: int
    far: int
    end: int


class _Table:
    """What a seat knows about the waits of one opponent."""

    def __init__(self, view: View, rules: Ruleset, opponent: Seat) -> None:
        self.opponent = opponent
        self.kinds = frozenset(map(int, kinds_of(rules.tiles.man)))
        self.unseen = _unseen(view, opponent, self.kinds)
        self.river = frozenset(discard.tile % RED for discard in view.rivers[opponent])
        self.passed, self.passed_now = _passed(view, rules, opponent)
        self.safe = self.river | self.passed | self.passed_now
        self.closed = not view.melds[opponent]
        shown = view.shown[opponent]
        self.shown = _shown_waits(shown, len(view.melds[opponent])) if shown is not None else frozenset()
        self.dora = {int(next_kind(indicator, rules.tiles.man)) for indicator in view.indicators}

    def judge(self, kind: int, held: int) -> Safety:
        """Return the reason for a kind of which the seat holds ``held`` tiles."""
        ways = self._ways(kind)
        code, tiles = self._furiten(kind) or self._reason(kind, held, ways)
        waited = code not in (*CERTAIN, "open_wait")
        return Safety(
            tile=TILES[kind],
            opponent=self.opponent,
            code=code,
            tiles=tuple(TILES[tile] for tile in sorted(tiles)),
            unseen=self.unseen[kind],
            waits=tuple(ways) if waited else (),
            ways=sum(ways.values()) if waited else 0,
            dora=kind in self.dora,
        )

    def _furiten(self, kind: int) -> tuple[SafetyCode, Iterable[int]] | None:
        if kind in self.river:
            return "genbutsu", ()
        if kind in self.passed:
            return "passed", ()
        if kind in self.passed_now:
            return "passed_now", ()
        if self.shown:
            furiten = self.shown & self.safe
            return ("open_wait" if kind in self.shown and not furiten else "open_safe"), ()
        return None

    def _reason(
        self, kind: int, held: int, ways: dict[PossibleWait, int]
    ) -> tuple[SafetyCode, Iterable[int]]:
        if not ways:
            return "no_copies_left", ()
        if set(ways) == {"kokushi"}:
            return "kokushi_only", ()
        sides = self._sides(kind)
        if not sides:
            return ("shonpai" if self.unseen[kind] + held == COPIES else "unseen"), ()
        suji = {side.end for side in sides if side.end in self.safe}
        rest = [side for side in sides if side.end not in self.safe]
        walls = [self._with_unseen(side, 0) for side in rest]
        if all(walls):
            code: SafetyCode = "suji_no_chance" if suji and rest else "suji" if suji else "no_chance"
            return code, suji.union(*walls)
        few = [self._with_unseen(side, 1) for side in rest if not self._with_unseen(side, 0)]
        return ("one_chance", set().union(*few)) if all(few) else ("live", ())

    def _with_unseen(self, side: _Side, count: int) -> set[int]:
        return {tile for tile in (side.near, side.far) if self.unseen[tile] == count}

    def _sides(self, kind: int) -> list[_Side]:
        """Return the two-sided waits for the kind that the set of tiles has."""
        steps = (1, -1) if kind < HONOURS else ()
        ends = [_Side(kind + step, kind + 2 * step, kind + 3 * step) for step in steps]
        return [side for side in ends if all(tile // 9 == kind // 9 and tile in self.kinds for tile in side)]

    def _ways(self, kind: int) -> dict[PossibleWait, int]:
        """Return the possible waits for the kind, with the number of ways to form them from unseen tiles."""
        left, unseen = self.unseen[kind], self.unseen
        ways: dict[PossibleWait, int] = {
            "ryanmen": sum(
                unseen[side.near] * unseen[side.far]
                for side in self._sides(kind)
                if side.end not in self.safe
            ),
            "kanchan": self._pairs(kind, -1, 1),
            "penchan": self._pairs(kind, -2, -1) * (kind % 9 == 2)
            + self._pairs(kind, 1, 2) * (kind % 9 == 6),
            "shanpon": left * (left - 1) // 2,
            "tanki": left,
            "kokushi": int(self.closed and self._may_be_kokushi(kind)),
        }
        return {form: number for form, number in ways.items() if number}

    def _pairs(self, kind: int, *steps: int) -> int:
        """Return the number of ways to hold the two tiles at these distances in the same suit."""
        one, other = (kind + step for step in steps)
        if kind >= HONOURS or one // 9 != kind // 9 or other // 9 != kind // 9:
            return 0
        return self.unseen[one] * self.unseen[other]

    def _may_be_kokushi(self, kind: int) -> bool:
        """Return whether unseen tiles include the twelve other yaochuu kinds and a pair."""
        if kind not in YAOCHUU:
            return False
        rest = [self.unseen[other] for other in YAOCHUU if other != kind]
        return all(rest) and (self.unseen[kind] > 0 or max(rest) > 1)


def _unseen(view: View, opponent: Seat, kinds: frozenset[int]) -> list[int]:
    """Return how many copies of each kind may be among the opponent's concealed tiles.

    Tiles that the opponent itself shows by open riichi are not subtracted.
    """
    seats = range(len(view.scores))
    tiles = [*view.hand, *(() if view.drawn is None else (view.drawn,)), *view.indicators]
    for seat in seats:
        tiles += [discard.tile for discard in view.rivers[seat] if not discard.called]
        tiles += [tile for meld in view.melds[seat] for tile in meld.tiles]
        tiles += [TILES[NORTH]] * view.kita[seat]
        if seat not in (view.seat, opponent):
            tiles += view.shown[seat] or ()
    seen = counts(tiles)
    return [max(0, COPIES - seen[kind]) if kind in kinds else 0 for kind in range(KINDS)]


class _Discard(NamedTuple):
    seat: Seat
    kind: int
    riichi: bool


def _passed(view: View, rules: Ruleset, opponent: Seat) -> tuple[frozenset[int], frozenset[int]]:
    """Return the kinds that others discarded since the opponent's riichi, and since its last turn.

    Only those on which furiten bars a ron under the rules. If rivers and melds do not determine the order of
    the discards, only kinds that every possible order contains are returned.
    """
    orders = list(_orders(view))
    if not orders:
        return frozenset(), frozenset()
    in_riichi = view.riichi[opponent] is not None and rules.furiten.riichi_permanent
    lasting = [_since(order, opponent, from_riichi=True) if in_riichi else frozenset() for order in orders]
    # on its own turn it has drawn a tile, which ends temporary furiten
    on_turn = view.turn == opponent
    now = [frozenset() if on_turn else _since(order, opponent, from_riichi=False) for order in orders]
    return frozenset.intersection(*lasting), frozenset.intersection(*now)


def _since(order: Sequence[_Discard], opponent: Seat, *, from_riichi: bool) -> frozenset[int]:
    """Return the kinds discarded after the opponent's riichi, or after its last discard."""
    start = 0
    for place, discard in enumerate(order, 1):
        if discard.seat == opponent and (discard.riichi or not from_riichi):
            start = place
    return frozenset(discard.kind for discard in order[start:])


class _Course(NamedTuple):
    """A beginning of the hand: the seat to discard, its discards, and how many calls each seat has made."""

    turn: Seat
    order: tuple[_Discard, ...]
    calls: tuple[int, ...]


def _orders(view: View) -> Iterator[tuple[_Discard, ...]]:
    """Yield every order of all discards that agrees with the rivers and the melds."""
    seats = len(view.scores)
    total = sum(map(len, view.rivers))
    called = [[meld for meld in melds if meld.type is not MeldType.ANKAN] for melds in view.melds]
    made = tuple(map(len, called))
    courses = [_Course(view.dealer, (), (0,) * seats)]
    while courses:
        turn, order, calls = courses.pop()
        if len(order) == total:
            if calls == made:
                yield order
            continue
        index = sum(discard.seat == turn for discard in order)
        if index == len(view.rivers[turn]):
            continue
        tile = view.rivers[turn][index]
        further = (*order, _Discard(turn, tile.tile % RED, tile.riichi))
        if not tile.called:
            courses.append(_Course(after(turn, seats), further, calls))
            continue
        for other in others(turn, seats):
            meld = called[other][calls[other]] if calls[other] < made[other] else None
            if (
                meld
                and meld.source
                and meld.called == tile.tile
                and seat_at(other, meld.source, seats) == turn
            ):
                counted = tuple(number + (seat == other) for seat, number in enumerate(calls))
                courses.append(_Course(other, further, counted))


def _shown_waits(shown: Iterable[int], melds: int) -> frozenset[int]:
    """Return the waits that the tiles shown by open riichi imply; empty if they imply none.

    The hidden tiles are complete sets, with the pair if the number of shown tiles requires one.
    """
    held = counts(shown)
    number = sum(held)
    waits = set()
    for kind in range(KINDS):
        if held[kind] == COPIES:
            continue
        held[kind] += 1
        whole = number == 13 and not melds and (_is_seven_pairs(held) or _is_kokushi(held))
        if whole or _is_complete(held, pair=number % 3 == 1):
            waits.add(kind)
        held[kind] -= 1
    return frozenset(waits)


def _is_complete(held: list[int], *, pair: bool) -> bool:
    """Return whether the tiles consist of sets, with one ``pair`` or none."""
    kind = next((kind for kind, count in enumerate(held) if count), None)
    if kind is None:
        return not pair
    run = (kind, kind + 1, kind + 2) if kind < HONOURS and kind % 9 < 7 else ()
    parts = [(kind,) * 3, run, *([(kind,) * 2] if pair else [])]
    for part in parts:
        rest = list(held)
        for tile in part:
            rest[tile] -= 1
        if part and min(rest) >= 0 and _is_complete(rest, pair=pair and len(part) == 3):
            return True
    return False


def _is_seven_pairs(held: Sequence[int]) -> bool:
    return sum(count == 2 for count in held) == 7


def _is_kokushi(held: Sequence[int]) -> bool:
    return sum(held) == 14 == sum(held[kind] for kind in YAOCHUU) and all(held[kind] for kind in YAOCHUU)
