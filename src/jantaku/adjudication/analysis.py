"""Analysis of incomplete hands: shanten, waits, effective tiles, best discards, furiten and kans in riichi.

Functions that require 13 or 14 tiles count a meld as three. ``seen`` lists tiles visible elsewhere (rivers,
other players' melds, indicators): they reduce the number of copies left but do not change the shanten.

A hand is tenpai if it has a wait. A kind of which the player holds all four copies (in the hand, among the
``kita`` norths set aside or in melds) is never a wait. With ``in_melds`` (the option ``draw.wait_in_melds``)
copies in melds do not count.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import overload

import numpy as np

from jantaku.adjudication.attainable import Attainable, attainable
from jantaku.adjudication.masks import kinds_in
from jantaku.adjudication.reading_view import ReadingView, SetView, WaitForm, reading_view
from jantaku.adjudication.readings import Reading, readings
from jantaku.adjudication.wait_forms import check_table, forms_of, require_tiles, wait_form, wait_mask
from jantaku.adjudication.win_records import Counts, cached_counts, concealed_counts, held_counts
from jantaku.errors import RequestError, expect
from jantaku.fields import choice
from jantaku.hand import Hand
from jantaku.kernels import boundary
from jantaku.kernels import shanten as shanten_kernels
from jantaku.kernels import waits as waits_kernels
from jantaku.kernels._jit import Direct
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine.context import new_context
from jantaku.kernels.engine.riichi_kan import keeps_riichi
from jantaku.kernels.lookup import Tables, shanten_tables
from jantaku.kernels.rules import choice as number_of
from jantaku.tally import check_copies
from jantaku.tiles import (
    COPIES,
    KINDS,
    NORTH,
    RED,
    TILES,
    Tile,
    TileLike,
    TilesLike,
    as_tile,
    as_tiles,
    counts,
    format_tiles,
    kinds_of,
)

__all__ = [
    "DiscardChoice",
    "Reading",
    "ReadingView",
    "SetView",
    "Shanten",
    "Wait",
    "best_discards",
    "effective_tiles",
    "is_exhausted",
    "is_furiten",
    "reading_view",
    "readings",
    "riichi_ankan_allowed",
    "shanten",
    "shanten_forms",
    "wait_form",
    "waits",
]

_BYTE = np.dtype(np.uint8)
_BAD = "bad_array"
_NO_MELDS = 0  # the usual case, recognised by identity to skip the slower checks
_LIMITING_NORTHS = 2  # one north set aside still leaves enough for a triplet
RIICHI_ANKAN = ("never", "same_waits", "same_structure")

_ARRAY = np.ndarray
_OF_HAND = Direct(boundary.shanten_packed, lambda: (np.zeros(KINDS + 1, np.uint8), shanten_tables()))
_OF_COUNTS = Direct(boundary.shanten_of, lambda: (np.zeros(2 * KINDS, np.uint8)[::2], 0, shanten_tables()))
_tables: Tables | None = None  # a global, because a cached function would make each call 20% slower


def _load_tables() -> Tables:
    global _tables  # noqa: PLW0603
    _tables = shanten_tables()
    return _tables


@dataclass(frozen=True, slots=True)
class Shanten:
    """Shanten by form, −1 for a complete hand; ``shanten`` is the lowest.

    ``chiitoitsu`` and ``kokushi`` are ``None`` if melds or norths set aside rule them out.
    """

    shanten: int
    standard: int
    chiitoitsu: int | None
    kokushi: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Wait:
    """A kind that completes the hand, the number of copies left (0–4) and the wait forms of all readings."""

    tile: Tile
    left: int
    forms: tuple[WaitForm, ...]

    def __repr__(self) -> str:
        return f"<Wait {format_tiles([self.tile])}, {self.left} left, {' '.join(self.forms)}>"


@dataclass(frozen=True, slots=True, repr=False)
class DiscardChoice:
    """A possible discard and the hand it leaves.

    ``shanten`` is the shanten after the discard, ``tiles`` maps each kind that lowers it further to the
    copies left, and ``copies`` is their sum.
    """

    tile: Tile
    shanten: int
    tiles: dict[Tile, int]
    copies: int

    def __repr__(self) -> str:
        tile, wanted = format_tiles([self.tile]), format_tiles(self.tiles)
        return f"<DiscardChoice {tile}, shanten {self.shanten}, {self.copies} of {wanted}>"


@overload
def shanten(hand: Hand, /) -> int: ...
@overload
def shanten(hand: Counts, melds: int = 0, /) -> int: ...
def shanten(hand: Hand | Counts, melds: int = 0, /) -> int:
    """Return how many tiles a hand is from tenpai: 0 for tenpai, −1 for a complete hand.

    ``hand`` is either a ``Hand`` of 13 or 14 tiles or an array ``uint8[34]`` with the counts (0–4) of the
    concealed tiles, in which case ``melds`` is the number of melds (0–4). ``shanten_forms`` also considers
    norths set aside and the rules. Raises ``RequestError`` (``bad_array``) for an array of another shape or
    type; the counts themselves are not checked.

    >>> shanten(Hand.parse("1458m389p34679s14z"))
    4
    """
    tables = _load_tables() if _tables is None else _tables
    if type(hand) is Hand:
        if hand.melds:
            return shanten_forms(hand).shanten
        cached = hand._counts
        if cached is None:
            cached = cached_counts(hand)
        return _OF_HAND.call(cached, tables)  # type: ignore[no-any-return]
    if type(hand) is not _ARRAY or hand.dtype is not _BYTE or hand.ndim != 1 or len(hand) != KINDS:
        given = type(hand).__name__
        if given == "str":
            expect(hand, Hand, "hand")
        if isinstance(hand, np.ndarray):
            given = f"{hand.dtype}{list(hand.shape)}"
        raise RequestError(_BAD, field="hand", wanted="uint8[34]", found=given)
    if melds is not _NO_MELDS and (type(melds) is not int or not 0 <= melds <= 4):
        raise RequestError(_BAD, field="melds", wanted="0-4", found=melds)
    return _OF_COUNTS.call(hand, melds, tables)  # type: ignore[no-any-return]


def shanten_forms(hand: Hand, man: str = "all", kita: int = 0, in_melds: bool = False) -> Shanten:
    """Return the shanten of a hand of 13 or 14 tiles for each form.

    ``man`` is the option ``tiles.man`` (which man tiles are in the set), ``kita`` the number of norths set
    aside, ``in_melds`` the option ``draw.wait_in_melds``. Raises ``NotationError`` (``fifth_copy``) for more
    than four norths.

    >>> shanten_forms(Hand.parse("1458m389p34679s14z"))
    Shanten(shanten=4, standard=4, chiitoitsu=6, kokushi=8)
    """
    expect(hand, Hand, "hand")
    check_table(man, kita, in_melds)
    if kita:
        check_copies((*hand.all_tiles, *[NORTH] * kita))
    if limits := _limits(hand, man, kita, in_melds):
        forms = attainable(concealed_counts(hand).tolist(), limits, len(hand.melds))
        return Shanten(_lowest(forms), forms.standard, _or_none(forms.chiitoitsu), _or_none(forms.kokushi))
    out = np.empty(4, np.int64)
    melds = len(hand.melds)
    shanten_kernels.shanten_forms(concealed_counts(hand), melds, shanten_tables(man), out)
    lowest, standard, chiitoitsu, kokushi = out.tolist()
    return Shanten(lowest, standard, None if melds else chiitoitsu, None if melds else kokushi)


def is_exhausted(hand: Hand, man: str = "all") -> bool:
    """Return whether a hand of 13 tiles has the shape of a tenpai hand.

    If it does but has no ``waits``, the player holds every tile it waits for. Raises ``NotationError``
    (``thirteen_tiles_wanted``).
    """
    require_tiles(hand, drawn=False)
    check_table(man)
    return not shanten_kernels.shanten(concealed_counts(hand), len(hand.melds), shanten_tables(man))


def _limits(hand: Hand, man: str, kita: int, in_melds: bool) -> list[int] | None:
    """Return how many tiles of each kind can be concealed; ``None`` if the lookup tables suffice."""
    if kita < _LIMITING_NORTHS and (in_melds or not hand.melds):
        return None
    kinds = set(kinds_of(man))
    limits = [COPIES * (kind in kinds) for kind in range(KINDS)]
    for meld in () if in_melds else hand.melds:
        for tile in meld.tiles:
            limits[tile % RED] -= 1
    limits[NORTH] -= kita
    return limits


def _lowest(forms: Attainable) -> int:
    return min(forms.standard, forms.chiitoitsu, forms.kokushi)


def _or_none(distance: int) -> int | None:
    return None if distance == shanten_kernels.NEVER else distance


def _left(hand: Hand, seen: TilesLike, kita: int) -> list[int]:
    """Return the copies left of each kind: those not in the hand, in ``seen`` or set aside as norths."""
    known = (*hand.all_tiles, *as_tiles(seen, "seen"), *[NORTH] * kita)
    check_copies(known)
    return [COPIES - count for count in counts(known)]


def waits(
    hand: Hand, seen: TilesLike = (), man: str = "all", kita: int = 0, in_melds: bool = False
) -> list[Wait]:
    """Return the kinds that complete a hand of 13 tiles, lowest first; an empty list if it is not tenpai.

    A kind is not a wait if the player holds all four copies, in the hand, in melds or among the ``kita``
    norths set aside. It is a wait with 0 left if ``seen`` contains the other copies or, with ``in_melds``
    (the option ``draw.wait_in_melds``), the player's own melds do. ``man`` is the option ``tiles.man``.
    Raises ``NotationError`` (``thirteen_tiles_wanted``, ``fifth_copy``).

    >>> [(wait.tile, wait.left, *wait.forms) for wait in waits(Hand.parse("1123m111222333z"))]
    [(1m, 2, 'ryanmen', 'tanki'), (4m, 4, 'ryanmen')]
    """
    mask = wait_mask(hand, man, kita, in_melds)
    left, forms = _left(hand, seen, kita), forms_of(hand, mask)
    return [Wait(kind, left[kind], forms) for kind, forms in forms.items()]


def effective_tiles(
    hand: Hand, seen: TilesLike = (), man: str = "all", kita: int = 0, in_melds: bool = False
) -> dict[Tile, int]:
    """Return the kinds that lower the shanten of a hand of 13 tiles, with the number of copies left.

    Kinds with no copies left are omitted. Parameters and errors are the same as for ``waits``.

    >>> effective_tiles(Hand.parse("123456m12367p11z"))
    {5p: 4, 8p: 4}
    """
    require_tiles(hand, drawn=False)
    check_table(man, kita, in_melds)
    left = _left(hand, seen, kita)
    concealed, melds = concealed_counts(hand), len(hand.melds)
    if limits := _limits(hand, man, kita, in_melds):
        return _copies(attainable(concealed.tolist(), limits, melds).lower, left)
    mask = waits_kernels.effective(concealed, _reachable(hand, kita, in_melds), melds, shanten_tables(man))
    return _copies(kinds_in(int(mask)), left)


def _reachable(hand: Hand, kita: int, in_melds: bool) -> Counts:
    """Count the tiles that cannot be drawn again: a kind with four copies here has none left to draw."""
    held = concealed_counts(hand) if in_melds else held_counts(hand)
    held[NORTH] += kita
    return held


def _copies(kinds: Iterable[int], left: list[int]) -> dict[Tile, int]:
    return {TILES[kind]: left[kind] for kind in kinds if left[kind]}


def best_discards(
    hand: Hand, seen: TilesLike = (), man: str = "all", kita: int = 0, in_melds: bool = False
) -> list[DiscardChoice]:
    """Return every discard from a hand of 14 tiles, best first: lowest shanten, then most copies left.

    The other parameters are the same as for ``waits``. Raises ``NotationError`` (``fourteen_tiles_wanted``,
    ``fifth_copy``).

    >>> best_discards(Hand.parse("123456m123679p11z"))[0]
    <DiscardChoice 9p, shanten 0, 8 of 58p>
    """
    require_tiles(hand, drawn=True)
    check_table(man, kita, in_melds)
    left = _left(hand, seen, kita)
    concealed, melds = concealed_counts(hand), len(hand.melds)
    limits = _limits(hand, man, kita, in_melds)
    out = np.empty((KINDS, 2), np.int64)
    if not limits:
        tables = shanten_tables(man)
        waits_kernels.discards(concealed, _reachable(hand, kita, in_melds), melds, tables, out)
    choices = []
    for kind in sorted({tile.kind for tile in hand.tiles}):
        if limits:
            rest = concealed.tolist()
            rest[kind] -= 1
            forms = attainable(rest, limits, melds)
            after, kinds = _lowest(forms), forms.lower
        else:
            after, mask = out[kind].tolist()
            kinds = kinds_in(mask)
        tiles = _copies(kinds, left)
        choices.append(DiscardChoice(kind, after, tiles, sum(tiles.values())))
    return sorted(choices, key=lambda discard: (discard.shanten, -discard.copies))


def is_furiten(hand: Hand, discards: TilesLike, passed: TilesLike = ()) -> bool:
    """Return whether furiten bars a hand of 13 tiles from winning by ron.

    ``discards`` are all of the player's discards, including called ones; ``passed`` are the other players'
    tiles that the player has passed up since the last draw, or since declaring riichi. Raises
    ``NotationError`` (``thirteen_tiles_wanted``).

    >>> is_furiten(Hand.parse("333m23p567s11166z"), "1p")
    True
    """
    waited = wait_mask(hand)
    missed = as_tiles(discards, "discards") + as_tiles(passed, "passed")
    return any(waited >> tile % RED & 1 for tile in missed)


def riichi_ankan_allowed(
    hand: Hand, drawn: TileLike, rule: str = "same_structure", kita: int = 0, in_melds: bool = False
) -> bool:
    """Return whether a player in riichi may declare an ankan with the ``drawn`` tile.

    ``hand`` has 13 tiles (a meld counts as three); it must be tenpai and hold three concealed tiles of the
    drawn kind. ``rule`` is a value of ``riichi.ankan``: ``same_waits`` requires the same waits after the kan;
    ``same_structure`` also requires that the three form a triplet in every reading of every wait (inventory
    130–132). ``kita`` (norths set aside) and ``in_melds`` (``draw.wait_in_melds``) affect which kinds are
    waits. Raises ``NotationError`` (``thirteen_tiles_wanted``), and ``RequestError`` (``wrong_choice``) for
    an unknown ``rule``.

    >>> hand = Hand.parse("11122333s11133z")
    >>> [riichi_ankan_allowed(hand, "1s", rule) for rule in ("never", "same_waits", "same_structure")]
    [False, True, False]
    """
    rule = choice(rule, "rule", RIICHI_ANKAN)
    before = wait_mask(hand, kita=kita, in_melds=in_melds)
    kind, concealed = as_tile(drawn, "drawn") % RED, concealed_counts(hand)
    concealed[kind] += 1
    if not before or concealed[kind] != COPIES:
        return False
    context = new_context(shanten_tables(), cut_tables())
    context.held[:] = concealed if in_melds else held_counts(hand)
    context.held[kind] = 0 if in_melds else COPIES  # after the kan the four tiles are in a meld
    context.held[NORTH] += kita
    number = number_of("riichi.ankan", rule)
    return bool(keeps_riichi(concealed, len(hand.melds), kind, before, number, context))
