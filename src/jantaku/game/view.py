"""The table as one seat sees it, without hidden information."""

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
    """A discard, and whether it was the tile just drawn, declared riichi or was called."""

    tile: NotatedTile
    drawn: bool
    riichi: bool
    called: bool


@dataclass(frozen=True, slots=True)
class Offered(Strict):
    """A tile that a seat may claim, and the seat it comes from."""

    __pydantic_config__ = as_in_json(owner="from")

    tile: NotatedTile
    owner: Seat


@dataclass(frozen=True, repr=False)
class View(Strict):
    """The table as ``seat`` sees it.

    About the seat: ``hand`` are its concealed tiles without the ``drawn`` one, ``waits`` the kinds that
    complete the hand without the drawn tile, ``furiten`` the furiten that bars it from ron, ``offered`` the
    tile it may claim, ``legal`` its legal actions and ``fouls`` the fouls it can commit.

    Indexed by seat: ``scores`` in points, ``melds``, ``rivers`` (discards in order), ``riichi`` (the kind
    declared), ``shown`` (tiles revealed by open riichi), ``dead`` (may not win this hand because of a foul)
    and ``kita`` (norths set aside).

    ``round`` is the wind of the round, ``number`` counts hands from 0 for East 1, ``deposits`` riichi sticks.
    ``indicators`` are the visible dora indicators, ``wall_left`` is the number of tiles in the live wall,
    ``turn`` the seat to play, and ``wareme`` the seat whose wall was broken, if the rules use it.
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
        """The seat's whole hand with drawn tile and melds, for ``best_discards`` and similar functions."""
        drawn = () if self.drawn is None else (self.drawn,)
        return Hand((*self.hand, *drawn), self.melds[self.seat])

    def __repr__(self) -> str:
        drawn = "" if self.drawn is None else f" {format_tiles([self.drawn])}"
        legal = ", ".join(map(str, self.legal)) or "nothing"
        return f"<View of seat {self.seat}: {format_tiles(self.hand)}{drawn}, may {legal}>"

    def _repr_svg_(self) -> str:
        """Return the table as the seat sees it as a picture for notebooks."""
        from jantaku.game.picture import view_svg  # noqa: PLC0415  (it imports this module)

        return view_svg(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the view as plain data; fields of melds and actions with default values are omitted."""
        data: dict[str, Any] = _READER.write(self, exclude_defaults=True)
        return data


_READER: Final = Reader(View)


def sideways(discards: Sequence[RiverTile]) -> int | None:
    """Return the index of the discard turned sideways for riichi; ``None`` without riichi.

    If the riichi discard was called, the next discard is turned (inventory 125, 439).
    """
    declared = next((i for i, tile in enumerate(discards) if tile.riichi), len(discards))
    return next((i for i in range(declared, len(discards)) if not discards[i].called), None)


def river(record: engine.Record, seat: int) -> tuple[RiverTile, ...]:
    """Return a seat's discards in order."""
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
    """Return the kind of riichi a seat has declared, or ``None``."""
    declared = int(record.riichi[seat])
    if not declared:
        return None
    return RIICHI_KINDS[declared - 1 + 2 * int(record.open_riichi[seat])]


def waits_of(record: engine.Record, seat: int) -> tuple[Tile, ...]:
    """Return the kinds a seat waits for without the tile just drawn; empty right after a call."""
    if record.phase == state.YOUR_TURN and record.turn == seat and record.drawn == state.NO_TILE:
        return ()
    return engine.tiles_in(int(record.waits[seat]))


def furiten_of(record: engine.Record, seat: int) -> Furiten | None:
    """Return the furiten that bars a tenpai seat from ron, or ``None``."""
    if not waits_of(record, seat):
        return None
    if record.furiten_lasting[seat]:
        return "riichi"
    if int(record.waits[seat]) & int(record.discarded[seat]):
        return "discard"
    return "temporary" if record.furiten_passing[seat] else None


def _offered(record: engine.Record, seat: int) -> Offered | None:
    """Return the tile the seat may claim. A seat must not learn whether other seats may claim it."""
    if record.phase != state.CLAIMS or seat not in engine.seats_to_act(record):
        return None
    return Offered(TILES[record.claimed_tile], int(record.claimed_from))


def view_of(
    record: engine.Record, seat: int, legal: tuple[Action, ...], fouls: tuple[Action, ...] = ()
) -> View:
    """Return what ``seat`` sees of the record."""
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
        melds=tuple(engine.visible_melds(record, other, seat) for other in seats),
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
