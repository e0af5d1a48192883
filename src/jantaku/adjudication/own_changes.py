"""Small changes to a win (a tile, a pair or a circumstance), to find hands that just miss a custom yaku."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from jantaku import terms
from jantaku.adjudication.win_records import SITUATION
from jantaku.errors import JantakuError
from jantaku.hand import WIND_NAMES, Hand, Meld, MeldType
from jantaku.rules import Ruleset
from jantaku.seats import winds_of
from jantaku.terms import Language
from jantaku.tiles import EAST, KINDS, MAN_KINDS, RED, Tile, format_tiles, tile_name
from jantaku.win import Win

_FIELDS: Final = ("seat", "round", "riichi", "dora", "ura", "honba", "dealer_streak", "kita", "tsumo",
    "turn", "score", "discarded",
)  # fmt: skip
_FLAGS: Final = tuple(name for name in SITUATION if name != "tsumo")
_NUMBERS: Final = {"honba": "honba", "dealer_streak": "streak", "kita": "kita"}


class HandChange(NamedTuple):
    """A change to a win: its kind, its size (1 for one tile or circumstance), the old and the new value."""

    kind: str
    distance: int
    before: str
    after: str

    def text(self, language: Language | None = None) -> str:
        """Return the change as text."""
        if self.kind in ("tile", "pair", "won_on", "seat", "round"):
            tiles = {"before": _tile(self.before, language), "after": _tile(self.after, language)}
            return terms.text(f"own.change.{self.kind}", language, **tiles)
        if self.kind in ("other", "kan"):
            return terms.text(f"own.change.{self.kind}", language)
        if self.after:
            return terms.text(f"own.word.{self.after}", language)
        return terms.text(
            "own.change.without", language, what=terms.text(f"own.word.{self.before}", language)
        )


def _tile(notation: str, language: Language | None) -> str:
    return terms.tile_text(notation, tile_name(Tile.parse(notation), language))


def changed_wins(win: Win, rules: Ruleset) -> Iterator[tuple[Win, HandChange]]:
    """Yield every small change that keeps the number of tiles; most do not leave a complete hand."""
    yield from _other_tiles(win, rules)
    yield from _other_winning_tiles(win)
    yield from _other_circumstances(win, rules)


def _other_tiles(win: Win, rules: Ruleset) -> Iterator[tuple[Win, HandChange]]:
    tiles = [*win.hand.tiles, win.tile]
    held = [tile % RED for tile in (*tiles, *(tile for meld in win.hand.melds for tile in meld.tiles))]
    inside = [tile % RED for tile in tiles]
    offered = [kind for kind in range(KINDS) if kind >= 9 or kind in MAN_KINDS[rules.tiles.man]]
    for before in sorted(set(inside)):
        many = 2 if inside.count(before) == 2 else 1
        for after in offered:
            for count in range(1, many + 1):
                if after == before or held.count(after) + count > 4:
                    continue
                kind = "tile" if count == 1 else "pair"
                change = HandChange(kind, count, format_tiles([before]), format_tiles([after]))
                yield from _valid(win, change, tiles=_replaced(tiles, before, after, count))


def _replaced(tiles: list[Tile], before: int, after: int, count: int) -> list[Tile]:
    """Replace ``count`` tiles of one kind with another; the winning tile comes last and is replaced last."""
    changed = list(tiles)
    places = [i for i, tile in enumerate(tiles) if tile % RED == before][:count]
    for i in places:
        changed[i] = Tile(after)
    return changed


def _other_winning_tiles(win: Win) -> Iterator[tuple[Win, HandChange]]:
    tiles = [*win.hand.tiles, win.tile]
    for tile in sorted(set(tiles) - {win.tile}):
        rest = list(tiles)
        rest.remove(tile)
        change = HandChange("won_on", 1, format_tiles([win.tile]), format_tiles([tile]))
        yield from _valid(win, change, tiles=[*rest, tile])


def _other_circumstances(win: Win, rules: Ruleset) -> Iterator[tuple[Win, HandChange]]:
    """Yield the win with one circumstance changed, such as ron for tsumo, riichi, the seat or a call."""
    yield from _valid(win, HandChange("by", 1, "", "ron" if win.tsumo else "tsumo"), tsumo=not win.tsumo)
    if win.riichi is not None:
        yield from _valid(win, HandChange("riichi", 1, "riichi", ""), riichi=None, ura=(), ippatsu=False)
    elif win.hand.is_closed:
        yield from _valid(win, HandChange("riichi", 1, "", "riichi"), riichi="riichi")
    for flag in _FLAGS:
        if getattr(win, flag):
            yield from _valid(win, HandChange(flag, 1, flag, ""), **{flag: False})
    for name, winds in (("seat", winds_of(len(rules.seats))), ("round", WIND_NAMES[:2])):
        for wind in winds:
            if wind != getattr(win, name):
                tiles = [_wind(getattr(win, name)), _wind(wind)]
                yield from _valid(win, HandChange(name, 1, *tiles), **{name: wind})
    if win.dora:
        yield from _valid(win, HandChange("dora", 1, "dora", ""), dora=(), ura=())
    for name, word in _NUMBERS.items():
        if getattr(win, name):
            yield from _valid(win, HandChange(name, 1, word, ""), **{name: 0})
    yield from _without_kan(win)
    yield from _calls(win, rules)


def _without_kan(win: Win) -> Iterator[tuple[Win, HandChange]]:
    """Yield the win with one kan as a triplet."""
    for meld in win.hand.melds:
        if len(meld.tiles) == 4:
            others = tuple(other for other in win.hand.melds if other is not meld)
            three = meld.tiles[:3]
            if meld.is_open:
                yield from _valid(
                    win, HandChange("kan", 1, "", ""), melds=(*others, Meld(MeldType.PON, three))
                )
            else:
                tiles = [*win.hand.tiles, *three, win.tile]
                yield from _valid(win, HandChange("kan", 1, "", ""), tiles=tiles, melds=others)


def _wind(name: str) -> str:
    return format_tiles([EAST + WIND_NAMES.index(name)])


def _calls(win: Win, rules: Ruleset) -> Iterator[tuple[Win, HandChange]]:
    """Yield the win with one set called or, if any were called, with no calls."""
    called = [meld for meld in win.hand.melds if meld.type in (MeldType.CHI, MeldType.PON)]
    if called:
        tiles = [*win.hand.tiles, *(tile for meld in called for tile in meld.tiles), win.tile]
        rest = tuple(meld for meld in win.hand.melds if meld not in called)
        yield from _valid(win, HandChange("call", 1, "", "closed"), tiles=tiles, melds=rest)
        return
    tiles = list(win.hand.tiles)
    for first in sorted({tile % RED for tile in tiles}):
        run = [first, first + 1, first + 2] if first < 27 and first % 9 < 7 and rules.calls.chi else []
        for kind, shape in ((MeldType.PON, [first] * 3), (MeldType.CHI, run)):
            rest_of_hand = _without(tiles, shape)
            if shape and rest_of_hand is not None:
                meld = Meld(kind, tuple(map(Tile, shape)))
                change = HandChange("call", 1, "", "open")
                yield from _valid(win, change, tiles=[*rest_of_hand, win.tile], melds=(*win.hand.melds, meld))


def _without(tiles: list[Tile], shape: list[int]) -> list[Tile] | None:
    rest = list(tiles)
    for kind in shape:
        if Tile(kind) not in rest:
            return None
        rest.remove(Tile(kind))
    return rest


def _valid(win: Win, change: HandChange, **changes: Any) -> Iterator[tuple[Win, HandChange]]:
    """Yield the changed win if it is valid."""
    tiles = changes.pop("tiles", [*win.hand.tiles, win.tile])
    melds = changes.pop("melds", win.hand.melds)
    situation = {name: getattr(win, name) for name in (*_FIELDS, *_FLAGS)} | changes
    try:
        yield Win(Hand(tuple(sorted(tiles[:-1])), tuple(melds)), tiles[-1], **situation), change
    except JantakuError:
        return
