"""A won hand as an immutable value: everything its value depends on, checked when it is made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, cast, final, get_args

from jantaku.errors import NotationError, Phrases, RequestError, expect, no_choice
from jantaku.frozen import Frozen, unfrozen
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType, Source, Wind
from jantaku.tally import (
    FIFTH,
    ONE,
    REDS_AT,
    TO_FIFTH,
    check_copies,
    said,
)
from jantaku.tiles import (
    COPIES,
    HONOURS,
    KINDS,
    NORTH,
    RED,
    Tile,
    format_tiles,
    parse_tiles,
)

RiichiKind = Literal["riichi", "double", "open", "double_open"]
RIICHI_KINDS: tuple[RiichiKind, ...] = get_args(RiichiKind)
_DOUBLE: Final = ("double", "double_open")
_DISCARDED_AFTER: Final = (MeldType.CHI, MeldType.PON, MeldType.KAKAN)  # calls without a replacement tile
MOST_KANS: Final = 4
MOST_DORA = 5
MOST_STICKS = 10_000


def check_situation(situation: Mapping[str, object]) -> None:
    """Raise ``RequestError`` for a field that no win has, or whose value is not of its kind."""
    for name, value in situation.items():
        known = _WORDS.get(name)
        if known is not None:
            if value not in known:
                raise no_choice(name, value, filter(None, known))
        elif name not in _FIELDS:
            raise RequestError("unknown_field", field=name, known=Phrases((*_WORDS, *_FIELDS)))
        elif name in _COUNTS:
            expect(value, int, name)
        elif name in _SWITCHES and value not in (True, False):  # numbers and NumPy's truth values, too
            expect(value, bool, name)


_WORDS: Final[Mapping[str, tuple[str | None, ...]]] = {
    "seat": WIND_NAMES,
    "round": WIND_NAMES,
    "source": (None, *SOURCES),
    "riichi": (None, *RIICHI_KINDS),
    "wareme": (None, *WIND_NAMES),
}
_COUNTS: Final = ("honba", "deposits", "laid", "dealer_streak", "kita")

# What few wins have. A win keeps them in one tuple, and one that has none keeps NOTHING_RARE.
RARE: Final = (
    "ippatsu", "last_tile", "rinshan", "chankan", "first_turn", "riichi_tile", "kan_discard", "furiten",
    "discarder_riichi", "final_hand",
)  # fmt: skip
UNSAID: Final = ("turn", "score", "discarded")
"""What a win of a game tells and a single hand need not; kept in one tuple, which most hands share."""
NOTHING_SAID: Final = (None,) * len(UNSAID)
_SWITCHES: Final = ("tsumo", *RARE)
_FIELDS: Final = ("tsumo", "pao", *_COUNTS, *RARE, *UNSAID)
NOTHING_RARE: Final = (False,) * len(RARE)
_CHANKAN: Final = RARE.index("chankan")
_DISCARDER: Final = RARE.index("discarder_riichi") - RARE.index("kan_discard") - 1


class _KeptByWin(Frozen):
    """What a win keeps beside its fields."""

    __slots__ = ("_all_reds", "_rare", "_reds", "_said")
    _rare: tuple[bool, ...]  # in the order of RARE
    _said: tuple[int | None, int | None, tuple[Tile, ...] | None]  # in the order of UNSAID
    _reds: int  # red tiles, counted as in REDS_COUNTED
    _all_reds: int  # with those of the indicators


@final
@dataclass(frozen=True, init=False)
class Win(_KeptByWin):
    """A complete hand and how it was won: everything its value depends on.

    ``hand`` is without the winning ``tile``. ``source`` is the discarder of a ron, seen from the winner; of
    three players the next one is ``right`` and the last one ``left``. With ``kan_discard`` the tile was
    discarded after the replacement tile of a kan. ``pao`` names for a yaku id who is liable,
    ``dealer_streak`` counts the dealer's wins in a row with this one, ``laid`` those of the ``deposits`` that
    were laid in this very hand, ``kita`` the norths set aside, ``wareme`` the seat at whose wall the deal
    began. ``turn`` is 1 + the number of the winner's discards, ``score`` the winner's points before the win,
    ``discarded`` the winner's discards, which give the turn if nobody says it; only own yaku ask for them.

    ``RequestError`` names the field where two statements exclude each other.
    """

    # Those in RARE and UNSAID are no slots, but properties
    __slots__ = (
        "dealer_streak", "deposits", "dora", "hand", "honba", "kita", "laid", "pao", "riichi", "round",
        "seat", "source", "tile", "tsumo", "ura", "wareme",
    )  # fmt: skip

    hand: Hand
    tile: Tile
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
    dora: tuple[Tile, ...]
    ura: tuple[Tile, ...]
    honba: int
    deposits: int
    laid: int
    dealer_streak: int
    kita: int
    pao: Mapping[str, Source]
    wareme: Wind | None
    turn: int | None
    score: int | None
    discarded: tuple[Tile, ...] | None

    def __new__(  # noqa: PLR0913 — one for each field
        cls,
        hand: Hand,
        tile: Tile,
        *,
        tsumo: bool = False,
        source: Source | None = None,
        round: Wind = "east",  # noqa: A002 — the field's name
        seat: Wind = "south",
        riichi: RiichiKind | None = None,
        ippatsu: bool = False, last_tile: bool = False, rinshan: bool = False, chankan: bool = False,
        first_turn: bool = False, riichi_tile: bool = False, kan_discard: bool = False,
        discarder_riichi: bool = False, furiten: bool = False, final_hand: bool = False,
        dora: tuple[Tile, ...] = (),
        ura: tuple[Tile, ...] = (),
        honba: int = 0,
        deposits: int = 0,
        laid: int = 0,
        dealer_streak: int = 0,
        kita: int = 0,
        pao: Mapping[str, Source] | None = None,
        wareme: Wind | None = None,
        turn: int | None = None,
        score: int | None = None,
        discarded: tuple[Tile, ...] | None = None,
    ) -> Self:  # fmt: skip
        """Raise ``NotationError`` for wrong tiles and ``RequestError`` for a contradiction."""
        if type(hand) is not Hand:
            expect(hand, Hand, "hand")  # type: ignore[unreachable]
        self = _new(_UnfrozenWin)
        self.hand, self.tile, self.tsumo = hand, tile, tsumo  # no tuple is made for three at a time
        self.source, self.round, self.seat = source, round, seat
        self.riichi, self.dora, self.ura = riichi, dora, ura
        self.honba, self.deposits, self.laid = honba, deposits, laid
        self.dealer_streak, self.kita, self.pao = dealer_streak, kita, {} if pao is None else pao
        self.wareme = wareme
        self._rare = (
            (ippatsu, last_tile, rinshan, chankan, first_turn, riichi_tile,
             kan_discard, furiten, discarder_riichi, final_hand)
            if ippatsu or last_tile or rinshan or chankan or first_turn or riichi_tile
            or kan_discard or furiten or discarder_riichi or final_hand
            else NOTHING_RARE
        )  # fmt: skip
        self._said = NOTHING_SAID
        if turn is not None or score is not None or discarded is not None:
            self._said = said(turn, score, discarded, hand._held + ONE[tile], self.first_turn)
        self._check(hand._held + ONE[tile])
        self.__class__ = cls
        return cast("Self", self)

    def _check(self, held: int) -> None:
        """Check number and copies of the tiles, and that the circumstances fit together."""
        hand, melds, dora, ura = self.hand, self.hand.melds, self.dora, self.ura
        wanted = 13 - 3 * len(melds)
        if len(hand.tiles) != wanted:
            raise NotationError("win_size", source=hand.source, count=len(hand.tiles), wanted=wanted)
        shown = held
        for tile in dora:
            shown += ONE[tile]
        for tile in ura:
            shown += ONE[tile]
        self._reds, self._all_reds = held >> REDS_AT, shown >> REDS_AT
        if self.kita:
            shown += self.kita * ONE[NORTH]
        fifth = shown + TO_FIFTH & FIFTH
        rare = self._rare is not NOTHING_RARE
        if fifth and held + TO_FIFTH & FIFTH:
            source = f"{hand.source} {format_tiles([self.tile])}" if hand.source else ""
            check_copies((*hand.all_tiles, self.tile), source)
        clash = (
            "riichi" if melds and self.riichi is not None and not hand.is_closed
            else found if rare and (found := self._rare_clash())
            else "from" if self.source is not None and self.tsumo
            else "ura" if ura and self.riichi is None
            else "dealer_streak" if self.dealer_streak > 0 and self.seat != "east"
            else "honba" if not 0 <= self.honba <= MOST_STICKS
            else "deposits" if not 0 <= self.deposits <= MOST_STICKS
            else "laid" if not 0 <= self.laid <= self.deposits
            else "pao" if self.pao and hand.is_closed
            else "kita" if self.kita and not 0 < self.kita <= COPIES - (held >> 8 * NORTH & 0xFF)
            else found if self._said is not NOTHING_SAID and (found := self._said_clash(shown))
            else ""
        )  # fmt: skip
        if clash:
            raise RequestError(f"clash_{clash}", field=clash)
        if len(dora) > MOST_DORA or len(ura) > MOST_DORA:
            name = "ura" if len(ura) > MOST_DORA else "dora"
            raise RequestError("too_many_indicators", field=name, most=MOST_DORA)
        if ura and len(ura) > len(dora) > 0:
            raise RequestError("ura_beyond_dora", field="ura", most=len(dora))
        if fifth:
            raise self._fifth_indicator()
        if rare and self._rare[_CHANKAN] and self.tile % RED != NORTH:  # a north may be set aside alone
            self.check_robbed()

    def check_robbed(self) -> None:
        """Raise ``RequestError`` if the win shows another tile of the kan that is robbed."""
        kind = self.tile % RED
        shown = (*self.hand.all_tiles, *self.dora, *self.ura, *(self.discarded or ()))
        if any(tile % RED == kind for tile in shown) or (kind == NORTH and self.kita):
            raise RequestError("robbed_copy", field="chankan", tile=format_tiles([kind]))

    def counted_as(self, kind: int) -> Self:
        """The same win with its tile counted as one of another kind, though there may be no fifth one."""
        made = _new(_UnfrozenWin)
        for name in (*_FIELDS_KEPT, "_rare", "_said", "_reds", "_all_reds"):
            setattr(made, name, getattr(self, name))
        made.tile = Tile(kind)
        made.__class__ = type(self)
        return cast("Self", made)

    def _fifth_indicator(self) -> RequestError:
        """The error for an indicator that would be the fifth tile of its kind."""
        seen = [tile % RED for tile in (*self.hand.all_tiles, self.tile, *self.dora, *self.ura)]
        kind = max(range(KINDS), key=lambda kind: seen.count(kind) + self.kita * (kind == NORTH))
        field = "dora" if any(tile % RED == kind for tile in self.dora) else "ura"
        return RequestError("fifth_indicator", field=field, tile=format_tiles([kind]))

    def __hash__(self) -> int:
        return hash((self.hand, self.tile, self.tsumo, self.riichi, self.dora, self.ura, self.honba))

    def __repr__(self) -> str:
        how = "tsumo" if self.tsumo else f"ron from {self.source}" if self.source else "ron"
        return f"<Win {self.hand} on {format_tiles([self.tile])}, {how}>"

    def _rare_clash(self) -> str:
        """The first circumstance of those in RARE that contradicts another one; empty if there is none."""
        hand, drawn = self.hand, self.tsumo
        kita = self.tile % RED == NORTH
        ippatsu, last_tile, rinshan, chankan, first_turn, riichi_tile, kan_discard, *more = self._rare
        return (
            "ippatsu" if ippatsu and self.riichi is None
            else "rinshan" if rinshan and not (drawn and (self.kita or hand.has_kan))
            else "chankan" if chankan and (drawn or (not kita and self._no_kan_to_rob()))
            else "first_turn" if first_turn and self._after_first_turn()
            else "last_tile" if last_tile and (rinshan or chankan or first_turn)
            else "last_tile" if last_tile and ippatsu and self.riichi in _DOUBLE
            else "riichi_tile" if riichi_tile and (drawn or chankan)
            else "kan_discard" if kan_discard and (drawn or chankan)
            else "discarder_riichi" if more[_DISCARDER] and drawn
            else ""
        )  # fmt: skip

    def _no_kan_to_rob(self) -> bool:
        """Whether nobody can have made a kan: all four are the winner's, or an added one comes too early.

        In riichi and before the first discard a kan is concealed, and only kokushi robs it.
        """
        hand = self.hand
        if len(hand.melds) == MOST_KANS and all(len(meld.tiles) == COPIES for meld in hand.melds):
            return True
        concealed = self.first_turn or self.discarder_riichi
        return concealed and not all(map(_is_yaochuu, (*hand.all_tiles, self.tile)))

    def _after_first_turn(self) -> bool:
        """Whether something says that the winner's first turn is over, or that others have had two."""
        ron, east = not self.tsumo, self.seat == "east"  # the dealer's own discard comes first of all
        from_later = ron and self.seat == "south" and self.source == "right"
        second = self.discarder_riichi and not self.riichi_tile
        return bool(self.hand.melds) or self.riichi is not None or (ron and east) or from_later or second

    def _said_clash(self, shown: int) -> str:
        """Whether turn or discards contradict the calls, the riichi or the tiles ``shown``."""
        turn, _, discarded = self._said
        called = sum(meld.type in _DISCARDED_AFTER for meld in self.hand.melds)
        least = max(called, int(self.riichi is not None)) + 1
        sudden = self.ippatsu and self.riichi in _DOUBLE
        if turn is not None and (turn < least or (sudden and turn > least)):
            return "turn"
        for tile in discarded or ():
            shown += ONE[tile % RED]
        return "discarded" if discarded and shown + TO_FIFTH & FIFTH else ""

    @classmethod
    def parse(
        cls,
        text: str,
        melds: Iterable[Meld] = (),
        *,
        dora: str = "",
        ura: str = "",
        **situation: Any,
    ) -> Self:
        """Read ``"345m40677p67s 8s"``: the concealed tiles and, last, the winning tile.

        ``dora`` and ``ura`` are indicators in notation; ``situation`` takes the other fields by name.
        """
        expect(text, str, "text")
        expect(dora, str, "dora")
        expect(ura, str, "ura")
        check_situation(situation)
        tiles = parse_tiles(text)
        if not tiles:
            raise NotationError("no_tiles", source=text)
        melds = tuple(melds)
        written = text.rsplit(maxsplit=1)
        source = written[0] if len(written) == 2 else ""
        if len(tiles) != 14 - 3 * len(melds):
            wanted = 14 - 3 * len(melds)
            raise NotationError("win_size_text", source=text, count=len(tiles), wanted=wanted)
        hand = Hand(tuple(tiles[:-1]), melds, source)
        turned, below = tuple(parse_tiles(dora)), tuple(parse_tiles(ura))
        return cls(hand, tiles[-1], dora=turned, ura=below, **situation)


def _is_yaochuu(tile: Tile) -> bool:
    return tile % RED >= HONOURS or tile % RED % 9 in (0, 8)


def _rare_field(index: int) -> property:
    """A field that is read from the tuple."""
    return property(lambda win: win._rare[index])


def _said_field(index: int) -> property:
    """A field that few wins have, read from its tuple."""
    return property(lambda win: win._said[index])


for _place, _name in enumerate(RARE):
    setattr(Win, _name, _rare_field(_place))
for _place, _name in enumerate(UNSAID):
    setattr(Win, _name, _said_field(_place))
_FIELDS_KEPT: Final = Win.__slots__

_UnfrozenWin = unfrozen(Win)
_new: Final = object.__new__
