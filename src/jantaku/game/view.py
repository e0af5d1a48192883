"""What one seat sees of the table, without any hidden information."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from jantaku.game import engine
from jantaku.game.actions import Action, NotatedAction
from jantaku.hand import WIND_NAMES, Hand, Meld, Wind
from jantaku.kernels.engine import state
from jantaku.reading import Reader, Strict, as_in_json
from jantaku.seats import BySeat, Seat
from jantaku.tiles import TILES, NotatedTile, SortedTiles, Tile, format_tiles
from jantaku.win import RIICHI_KINDS, RiichiKind

Furiten = Literal["discard", "riichi", "temporary"]


@dataclass(frozen=True, slots=True)
class RiverTile(Strict):
    """A discard, and whether it was just drawn, declared riichi, or was called."""

    tile: NotatedTile
    drawn: bool
    riichi: bool
    called: bool


@dataclass(frozen=True, slots=True)
class Offered(Strict):
    """The tile a seat is asked about, and its owner."""

    __pydantic_config__ = as_in_json(owner="from")

    tile: NotatedTile
    owner: Seat


@dataclass(frozen=True, repr=False)
class View(Strict):
    """The table as ``seat`` sees it; lists are indexed by seat.

    ``hand`` has the seat's concealed tiles without ``drawn``; ``shown`` the tiles that an open riichi shows;
    ``waits`` the kinds that complete the hand without the drawn tile; ``offered`` the tile it is asked about
    and its owner; ``legal`` its legal actions, ``fouls`` the fouls it can commit; ``dead`` whose hands may no
    longer win; ``kita`` how many norths each seat has set aside.
    """

    seat: Seat
    round: Wind
    number: int
    dealer: Seat
    honba: int
    deposits: int
    scores: BySeat
    indicators: tuple[NotatedTile, ...]
    wall_left: int
    turn: Seat
    hand: SortedTiles
    drawn: NotatedTile | None
    melds: tuple[tuple[Meld, ...], ...]
    rivers: tuple[tuple[RiverTile, ...], ...]
    riichi: tuple[RiichiKind | None, ...]
    shown: tuple[SortedTiles | None, ...]
    waits: SortedTiles
    furiten: Furiten | None
    offered: Offered | None
    legal: tuple[NotatedAction, ...]
    dead: tuple[bool, ...]
    fouls: tuple[NotatedAction, ...]
    kita: BySeat
    wareme: Seat | None

    @property
    def own(self) -> Hand:
        """The seat's whole hand, drawn tile and melds included, as ``best_discards`` and the like take it."""
        drawn = () if self.drawn is None else (self.drawn,)
        return Hand((*self.hand, *drawn), self.melds[self.seat])

    def __repr__(self) -> str:
        drawn = "" if self.drawn is None else f" {format_tiles([self.drawn])}"
        legal = ", ".join(map(str, self.legal)) or "nothing"
        return f"<View of seat {self.seat}: {format_tiles(self.hand)}{drawn}, may {legal}>"

    def _repr_svg_(self) -> str:
        """The table as the seat sees it, as a picture for notebooks."""
        from jantaku.game.picture import view_svg  # noqa: PLC0415  (drawing stands above views)

        return view_svg(self)

    def to_dict(self) -> dict[str, Any]:
        """The view as plain data; what a meld or an action lacks is left out, as in events."""
        data: dict[str, Any] = _READER.write(self, exclude_defaults=True)
        return data


_READER: Final = Reader(View)


def sideways(discards: Sequence[RiverTile]) -> int | None:
    """The tile that is turned sideways for riichi, or the next if that was called (inventory 125, 439)."""
    declared = next((i for i, tile in enumerate(discards) if tile.riichi), len(discards))
    return next((i for i in range(declared, len(discards)) if not discards[i].called), None)


def river(record: engine.Record, seat: int) -> tuple[RiverTile, ...]:
    """A seat's discards in order."""
    number = int(record.discards[seat])
    pairs = zip(record.river[seat].tolist(), record.river_marks[seat].tolist(), strict=True)
    return tuple(
        RiverTile(
            TILES[tile],
            bool(mark & state.TSUMOGIRI),
            bool(mark & state.DECLARATION),
            bool(mark & state.CALLED),
        )
        for tile, mark in list(pairs)[:number]
    )


def riichi_of(record: engine.Record, seat: int) -> RiichiKind | None:
    """The kind of riichi that a seat has declared, if any."""
    declared = int(record.riichi[seat])
    if not declared:
        return None
    return RIICHI_KINDS[declared - 1 + 2 * int(record.open_riichi[seat])]


def waits_of(record: engine.Record, seat: int) -> tuple[Tile, ...]:
    """The kinds a seat waits for, without the tile just drawn; empty right after a call."""
    if record.phase == state.YOUR_TURN and record.turn == seat and record.drawn == state.NO_TILE:
        return ()
    return engine.tiles_in(int(record.waits[seat]))


def furiten_of(record: engine.Record, seat: int) -> Furiten | None:
    """The furiten that bars a tenpai seat from ron, if any."""
    if not waits_of(record, seat):
        return None
    if record.furiten_lasting[seat]:
        return "riichi"
    if int(record.waits[seat]) & int(record.discarded[seat]):
        return "discard"
    return "temporary" if record.furiten_passing[seat] else None


def _offered(record: engine.Record, seat: int) -> Offered | None:
    """The tile the seat is asked about, and its owner. A seat must not learn whether others are asked."""
    if record.phase != state.CLAIMS or seat not in engine.seats_to_act(record):
        return None
    return Offered(TILES[record.claimed_tile], int(record.claimed_from))


def view_of(
    record: engine.Record, seat: int, legal: tuple[Action, ...], fouls: tuple[Action, ...] = ()
) -> View:
    """What ``seat`` sees of the record."""
    match, seats = record.match, engine.seats_of(record)
    return View(
        seat=seat,
        round=WIND_NAMES[engine.round_of(record)],
        number=int(match.number),
        dealer=engine.dealer_of(record),
        honba=int(match.honba),
        deposits=int(match.deposits),
        scores=engine.by_seat(record, match.scores),
        indicators=engine.indicators(record),
        wall_left=engine.wall_left(record),
        turn=int(record.turn),
        hand=tuple(engine.without_drawn(record, seat)),
        drawn=engine.drawn_tile(record, seat),
        melds=tuple(engine.melds_seen(record, other, seat) for other in seats),
        rivers=tuple(river(record, other) for other in seats),
        riichi=tuple(riichi_of(record, other) for other in seats),
        shown=tuple(engine.shown_tiles(record, other) for other in seats),
        waits=waits_of(record, seat),
        furiten=furiten_of(record, seat),
        offered=_offered(record, seat),
        legal=legal,
        dead=tuple(map(bool, engine.by_seat(record, record.dead))),
        fouls=fouls,
        kita=tuple(map(int, engine.by_seat(record, record.kita))),
        wareme=engine.wareme_of(record),
    )
