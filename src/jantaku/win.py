"""A winning hand and its circumstances as an immutable value, validated on construction."""

from collections.abc import Hashable, Iterable, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypedDict, Unpack, final, get_args

from jantaku.errors import JantakuError, NotationError, Phrases, RequestError, expect, wrong_choice
from jantaku.fields import whole
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType, Source, Wind, as_melds
from jantaku.tally import (
    FIFTH,
    ONE,
    ONE_OF,
    REDS_AT,
    TO_FIFTH,
    check_copies,
    one_of,
    turn_of,
)
from jantaku.tiles import (
    COPIES,
    HONOURS,
    KINDS,
    NORTH,
    RED,
    TILES,
    Tile,
    TileLike,
    TilesLike,
    as_tile,
    as_tiles,
    format_tiles,
    parse_tiles,
)

if TYPE_CHECKING:
    from dataclasses import KW_ONLY, dataclass, field
else:
    from jantaku.frozen import KW_ONLY, dataclass, field

RiichiKind = Literal["riichi", "double", "open", "double_open"]
RIICHI_KINDS: tuple[RiichiKind, ...] = get_args(RiichiKind)
_DOUBLE: Final = ("double", "double_open")
# Calls followed by a discard without a replacement draw
_DISCARDED_AFTER: Final = (MeldType.CHI, MeldType.PON, MeldType.KAKAN)
MAX_KANS: Final = 4
MAX_DORA = 5
MAX_STICKS = 10_000


_WORDS: Final[Mapping[str, tuple[str | None, ...]]] = {
    "seat": WIND_NAMES,
    "round": WIND_NAMES,
    "source": (None, *SOURCES),
    "riichi": (None, *RIICHI_KINDS),
    "wareme": (None, *WIND_NAMES),
}
COUNTS: Final = ("honba", "deposits", "laid", "dealer_streak", "kita")

RARE: Final = (
    "ippatsu", "last_tile", "rinshan", "chankan", "first_turn", "riichi_tile", "kan_discard", "furiten",
    "discarder_riichi", "final_hand",
)  # fmt: skip
"""Circumstances that few wins have; each is a bool."""
_SWITCHES: Final = ("tsumo", *RARE)
# As sets, for fast membership tests
_WINDS: Final = frozenset(WIND_NAMES)
_SOURCES: Final = frozenset(SOURCES)
_RIICHI: Final = frozenset(RIICHI_KINDS)
_SWITCH: Final = frozenset((True, False))
_IPPATSU: Final = {False: 0, True: 1 << len(RARE) - 1}
_NO_TILES: Final[tuple[Tile, ...]] = ()


class _Bits(dict[tuple[bool, ...], int]):
    """Cache from tuples of bools to bit masks, in which the last bool is the lowest bit."""

    def __missing__(self, flags: tuple[bool, ...]) -> int:
        if not _SWITCH.issuperset(flags):
            raise KeyError(flags)
        bits = self[flags] = sum(1 << place for place, value in enumerate(reversed(flags)) if value)
        return bits


_RARE_BITS: Final = _Bits()


class _Indicators(dict[tuple[Tile, ...], tuple[tuple[Tile, ...], int]]):
    """Cache from indicators to a checked copy and their tally; most wins share few sets of indicators."""

    def __missing__(self, tiles: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], int]:
        if type(tiles) is not tuple or any(type(tile) is not Tile for tile in tiles):
            raise KeyError(tiles)
        entry = tiles, sum(map(one_of, tiles))
        if len(tiles) <= MAX_DORA:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[tiles] = entry
        return entry


_INDICATORS: Final = _Indicators()
_CACHE_SIZE: Final = 4096


class Circumstances(TypedDict, total=False):
    """Keyword arguments of ``Win``: how the hand was won."""

    tsumo: bool
    source: Source | None
    round: Wind
    seat: Wind
    riichi: RiichiKind | None
    ippatsu: bool
    last_tile: bool
    rinshan: bool
    chankan: bool
    first_turn: bool
    riichi_tile: bool
    kan_discard: bool
    discarder_riichi: bool
    furiten: bool
    final_hand: bool
    dora: TilesLike
    ura: TilesLike
    honba: int
    deposits: int
    laid: int
    dealer_streak: int
    kita: int
    pao: Mapping[str, Source] | None
    wareme: Wind | None
    turn: int | None
    score: int | None
    discarded: TilesLike | None


@final
@dataclass(frozen=True, slots=True)
class Win:
    """A winning hand and the circumstances of the win: everything that decides its value.

    ``hand`` excludes the winning ``tile``. ``seat`` is the winner's wind and ``round`` that of the round.
    ``source`` is the discarder of a ron as seen by the winner, ``None`` if unknown; with three players, the
    next one is ``right`` and the last one ``left``. ``kan_discard`` means that the tile was discarded after a
    replacement draw. ``honba`` and ``deposits`` are the counters and riichi sticks on the table, ``laid`` the
    deposits placed in this hand, ``kita`` the norths set aside. ``dealer_streak`` counts the dealer's
    consecutive wins including this one. ``pao`` maps yaku ids to the liable player. ``wareme`` is the wind of
    the seat at whose wall the deal began.

    Only custom yaku use the last three: ``turn`` is 1 plus the number of the winner's discards, ``score`` the
    winner's points before the win, and ``discarded`` the winner's discards, from which ``turn`` is derived if
    it is omitted.

    Raises ``NotationError`` for impossible tiles and ``RequestError``, which names the field, for a wrong
    value or a contradiction between fields.
    """

    hand: Hand
    tile: Tile
    _: KW_ONLY
    tsumo: bool = False
    source: Source | None = None
    round: Wind = "east"
    seat: Wind = "south"
    riichi: RiichiKind | None = None
    ippatsu: bool = False
    last_tile: bool = False
    rinshan: bool = False
    chankan: bool = False
    first_turn: bool = False
    riichi_tile: bool = False
    kan_discard: bool = False
    discarder_riichi: bool = False
    furiten: bool = False
    final_hand: bool = False
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    honba: int = 0
    deposits: int = 0
    laid: int = 0
    dealer_streak: int = 0
    kita: int = 0
    pao: Mapping[str, Source] | None = None
    wareme: Wind | None = None
    turn: int | None = None
    score: int | None = None
    discarded: tuple[Tile, ...] | None = None
    _rare: int = field(init=False, compare=False, repr=False)  # a bit for each of RARE, the last one lowest
    _reds: int = field(init=False, compare=False, repr=False)  # counts of red tiles, as in the tally
    _shown: int = field(init=False, compare=False, repr=False)  # tally of the hand and the indicators

    if TYPE_CHECKING:

        def __init__(self, hand: Hand, tile: TileLike, **circumstances: Unpack[Circumstances]) -> None: ...

    def __post_init__(self) -> None:  # noqa: C901, PLR0912 — function calls would take longer than the checks
        """Check the fields; a fast path for the usual types, then ``_coerce`` for all others."""
        this: Any = self
        try:
            hand, tile, dora, ura = self.hand, self.tile, self.dora, self.ura
            riichi, source, tsumo = self.riichi, self.source, self.tsumo
            few = self.laid | self.dealer_streak | self.kita
            sticks = self.honba | self.deposits | few
            if (
                type(hand) is not Hand
                or type(tile) is not Tile
                or self.seat not in _WINDS
                or self.round not in _WINDS
                or (source is not None and source not in _SOURCES)
                or (riichi is not None and riichi not in _RIICHI)
                or (tsumo is not False and tsumo is not True)
                or (sticks and (sticks.__class__ is not int or self.honba is True or self.deposits is True))
            ):
                raise TypeError
            if len(hand.tiles) + 3 * len(hand.melds) != 13:
                wanted = 13 - 3 * len(hand.melds)
                raise NotationError("win_size", source=hand.source, count=len(hand.tiles), wanted=wanted)
            held = shown = hand._held + ONE_OF[tile]
            if dora is not _NO_TILES:
                this.dora, turned = _INDICATORS[dora]
                shown += turned
            if ura is not _NO_TILES:
                this.ura, turned = _INDICATORS[ura]
                shown += turned
            this._shown, this._reds = shown, held >> REDS_AT
            if self.kita:
                shown += self.kita * ONE[NORTH]
            fifth = shown + TO_FIFTH & FIFTH
            if fifth and held + TO_FIFTH & FIFTH:
                check_copies((*hand.all_tiles, tile), f"{hand.source} {tile}" if hand.source else "")
            this._rare = rare = (
                _RARE_BITS[
                    self.ippatsu, self.last_tile, self.rinshan, self.chankan, self.first_turn,
                    self.riichi_tile, self.kan_discard, self.furiten, self.discarder_riichi, self.final_hand
                ]
                if self.last_tile or self.rinshan or self.chankan or self.first_turn or self.riichi_tile
                or self.kan_discard or self.furiten or self.discarder_riichi or self.final_hand
                else _IPPATSU[self.ippatsu]  # ippatsu alone is the most frequent case
            )  # fmt: skip
            has_extras = self.turn is not None or self.score is not None or self.discarded is not None
            if has_extras:
                self._check_extras(held)
            if self.pao is not None or self.wareme is not None:
                self._check_pao_and_wareme()
            clash = (
                "riichi" if riichi is not None and hand.melds and not hand.is_closed
                else found if rare and (found := self._rare_clash())
                else "from" if source is not None and tsumo
                else "ura" if ura and riichi is None
                else "dealer_streak" if self.dealer_streak > 0 and self.seat != "east"
                else found if sticks and (few or not 0 < sticks <= MAX_STICKS)
                    and (found := self._sticks_clash(held))
                else "pao" if self.pao is not None and hand.is_closed
                else self._turn_clash(shown) if has_extras
                else ""
            )  # fmt: skip
            if clash:
                raise RequestError(f"clash_{clash}", field=clash)
            if len(dora) > MAX_DORA or len(ura) > len(dora):
                self._check_indicators()
            if fifth:
                raise self._fifth_indicator()
            if self.chankan and tile % RED != NORTH:  # a robbed north may be a single tile set aside
                self.check_robbed()
        except JantakuError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError):  # an unusual type
            self._coerce()
            self.__post_init__()

    def _coerce(self) -> None:
        """Convert the fields to their types; raise ``RequestError`` for a value that cannot be converted."""
        this: Any = self
        expect(self.hand, Hand, "hand")
        this.tile = as_tile(self.tile, "tile")
        for name in ("dora", "ura", "discarded"):
            if name != "discarded" or self.discarded is not None:
                setattr(this, name, as_tiles(getattr(self, name), name))
        for name in (*COUNTS, "turn", "score"):
            if name in COUNTS or getattr(self, name) is not None:
                setattr(this, name, whole(getattr(self, name), name))
        for name, known in _WORDS.items():
            value = getattr(self, name)
            if not isinstance(value, str | None) or value not in known:
                raise wrong_choice(name, value, filter(None, known))
        for name in _SWITCHES:
            setattr(this, name, _truth(getattr(self, name), name))
        if self.pao is not None:
            expect(self.pao, Mapping, "pao")

    def _check_extras(self, held: int) -> None:
        """Check the fields that only custom yaku use, and derive the turn from the discards."""
        this: Any = self
        for name in ("turn", "score"):
            if type(getattr(self, name)) not in (int, NoneType):
                raise TypeError
        if self.discarded is not None:
            this.discarded = as_tiles(self.discarded, "discarded")
        this.turn = turn_of(self.turn, self.score, self.discarded, held, self.first_turn)

    def _check_pao_and_wareme(self) -> None:
        """Check ``pao`` and ``wareme``."""
        this: Any = self
        if self.wareme not in (None, *WIND_NAMES):
            raise TypeError
        for yaku, liable in () if self.pao is None else self.pao.items():
            if not isinstance(yaku, str) or liable not in SOURCES:
                raise RequestError("bad_pao", field="pao", yaku=yaku)
        this.pao = self.pao or None

    def _sticks_clash(self, held: int) -> str:
        """Return the name of an impossible count, or an empty string; ``held`` is the tally of the hand."""
        for count in (self.laid, self.dealer_streak, self.kita):
            if type(count) is not int:
                raise TypeError
        if not 0 <= self.dealer_streak <= MAX_STICKS:
            bounds = {"low": 0, "high": MAX_STICKS}
            raise RequestError("number_range", field="dealer_streak", value=self.dealer_streak, **bounds)
        return (
            "honba" if not 0 <= self.honba <= MAX_STICKS
            else "deposits" if not 0 <= self.deposits <= MAX_STICKS
            else "laid" if not 0 <= self.laid <= self.deposits
            else "kita" if self.kita and not 0 < self.kita <= COPIES - (held >> 8 * NORTH & 0xFF)
            else ""
        )  # fmt: skip

    def _check_indicators(self) -> None:
        """Raise ``RequestError`` for too many indicators; ura without dora are allowed."""
        if len(self.dora) > MAX_DORA or len(self.ura) > MAX_DORA:
            name = "ura" if len(self.ura) > MAX_DORA else "dora"
            raise RequestError("too_many_indicators", field=name, most=MAX_DORA)
        if self.dora:
            raise RequestError("ura_beyond_dora", field="ura", most=len(self.dora))

    def check_robbed(self) -> None:
        """Raise ``RequestError`` if another tile of the robbed kan is visible in the win."""
        kind = self.tile % RED
        visible = (*self.hand.all_tiles, *self.dora, *self.ura, *(self.discarded or ()))
        if any(tile % RED == kind for tile in visible) or (kind == NORTH and self.kita):
            raise RequestError("robbed_copy", field="chankan", tile=format_tiles([kind]))

    def counted_as(self, kind: int) -> Self:
        """Return the win with its tile replaced by one of another kind, without checking for a fifth copy."""
        from copy import copy  # noqa: PLC0415 — few wins need it

        win = copy(self)
        object.__setattr__(win, "tile", TILES[kind])
        return win

    def _fifth_indicator(self) -> RequestError:
        """Return the error for an indicator that is the fifth tile of its kind."""
        seen = [tile % RED for tile in (*self.hand.all_tiles, self.tile, *self.dora, *self.ura)]
        kind = max(range(KINDS), key=lambda kind: seen.count(kind) + self.kita * (kind == NORTH))
        field = "dora" if any(tile % RED == kind for tile in self.dora) else "ura"
        return RequestError("fifth_indicator", field=field, tile=format_tiles([kind]))

    def __hash__(self) -> int:
        return hash((self.hand, self.tile, self.tsumo, self.riichi, self.dora, self.ura, self.honba))

    def __repr__(self) -> str:
        how = "tsumo" if self.tsumo else f"ron from {self.source}" if self.source else "ron"
        return f"<Win {self.hand} on {self.tile}, {how}>"

    def _repr_svg_(self) -> str:
        """Draw the hand for notebooks, with the winning tile apart."""
        from jantaku.svg import hand_svg  # noqa: PLC0415  (a layer above this one)

        return hand_svg(self.hand, self.tile)

    def _rare_clash(self) -> str:
        """Return the first circumstance of RARE that contradicts another field; empty if none does."""
        drawn, kita = self.tsumo, self.tile % RED == NORTH
        return (
            "ippatsu" if self.ippatsu and self.riichi is None
            else "rinshan" if self.rinshan and not (drawn and (self.kita or self.hand.has_kan))
            else "chankan" if self.chankan and (drawn or (not kita and self._no_kan_to_rob()))
            else "first_turn" if self.first_turn and self._after_first_turn()
            else "last_tile" if self.last_tile and (self.rinshan or self.chankan or self.first_turn)
            else "last_tile" if self.last_tile and self.ippatsu and self.riichi in _DOUBLE
            else "riichi_tile" if self.riichi_tile and (drawn or self.chankan)
            else "kan_discard" if self.kan_discard and (drawn or self.chankan)
            else "discarder_riichi" if self.discarder_riichi and drawn
            else ""
        )  # fmt: skip

    def _no_kan_to_rob(self) -> bool:
        """Return whether no kan can have been robbed.

        In the first turn, or if the other player is in riichi, a kan is concealed: only kokushi may rob it.
        """
        concealed = self.first_turn or self.discarder_riichi
        return concealed and not all(map(_is_yaochuu, (*self.hand.all_tiles, self.tile)))

    def _after_first_turn(self) -> bool:
        """Return whether a field implies that the first go-around is over for the winner or the discarder."""
        ron, east = not self.tsumo, self.seat == "east"  # the dealer discards first
        from_later = ron and self.seat == "south" and self.source == "right"
        second = self.discarder_riichi and not self.riichi_tile
        return bool(self.hand.melds) or self.riichi is not None or (ron and east) or from_later or second

    def _turn_clash(self, shown: int) -> str:
        """Return ``turn`` or ``discarded`` if it contradicts calls, riichi or the tally ``shown``."""
        turn, discarded = self.turn, self.discarded
        called = sum(meld.type in _DISCARDED_AFTER for meld in self.hand.melds)
        least = max(called, int(self.riichi is not None)) + 1
        sudden = self.ippatsu and self.riichi in _DOUBLE
        if turn is not None and (turn < least or (sudden and turn > least)):
            return "turn"
        for tile in discarded or ():
            shown += ONE[tile % RED]
        return "discarded" if discarded and shown + TO_FIFTH & FIFTH else ""

    @classmethod
    def parse(cls, text: str, melds: Iterable[Meld] = (), **circumstances: Unpack[Circumstances]) -> Self:
        """Read ``"345m40677p67s 8s"``: the concealed tiles, then the winning tile.

        ``circumstances`` are the other fields of ``Win``. Raises like ``Win``; a ``NotationError`` gives the
        position of the mistake.
        """
        expect(text, str, "text")
        for name, value in circumstances.items():
            if name not in Circumstances.__annotations__:
                raise RequestError("unknown_field", field=name, known=Phrases(Circumstances.__annotations__))
            if name in _SWITCHES:
                _truth(value, name)
        tiles = parse_tiles(text)
        if not tiles:
            raise NotationError("no_tiles", source=text)
        melds = as_melds(melds)
        written = text.rsplit(maxsplit=1)
        source = written[0] if len(written) == 2 else ""
        if len(tiles) != 14 - 3 * len(melds):
            wanted = 14 - 3 * len(melds)
            raise NotationError("win_size_text", source=text, count=len(tiles), wanted=wanted)
        return cls(Hand(tuple(tiles[:-1]), melds, source), tiles[-1], **circumstances)


def _truth(value: object, name: str) -> bool:
    """Return the bool of a circumstance given as a bool, 0, 1 or a NumPy bool."""
    if not isinstance(value, Hashable) or value not in _SWITCH:
        expect(value, bool, name)
    return bool(value)


def _is_yaochuu(tile: Tile) -> bool:
    return tile % RED >= HONOURS or tile % RED % 9 in (0, 8)
