"""Why a seat may not call a tile or declare a kan."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jantaku.game.reasons import Offer, Reason, because, own_turn
from jantaku.game.table import Record, concealed, melds, wall_left
from jantaku.hand import MeldType
from jantaku.kernels.table.wall import MOST_KANS
from jantaku.rules import Ruleset
from jantaku.tiles import COPIES, HONOURS, RED, Tile, format_tiles

if TYPE_CHECKING:
    from jantaku.game.game import Game


def four_kans(record: Record, rules: Ruleset) -> Reason | None:
    """Why no kan is left: no tile to draw, or four kans."""
    if wall_left(record) == 0:
        return because("last_tile")
    full = record.drawn_rinshan == MOST_KANS and rules.calls.kan_limit_one_player
    return because("four_kans") if full else None


def no_call(game: "Game", seat: int, call: str) -> Reason:
    """Why the seat may not take the last discard into a chi, pon or daiminkan."""
    offer = Offer.of(game)
    if offer is None or offer.source == seat or offer.kan:
        return because("no_tile")
    return next(_call_reasons(game, seat, call, offer))


def _call_reasons(game: "Game", seat: int, call: str, offer: Offer) -> Iterator[Reason]:
    record, said = offer.record, format_tiles([offer.tile])
    if record.riichi[seat]:
        yield because("in_riichi")
    if wall_left(record) == 0:
        yield because("last_tile")
    if lacking := _chi_tiles(offer, seat) if call == "chi" else _same_tiles(offer, seat, call):
        yield lacking
    if call == "daiminkan" and (full := four_kans(record, game.rules)):
        yield full
    short = len(concealed(record, seat)) <= 4  # with more tiles something is always left to discard
    barring = call != "daiminkan" and game.rules.calls.kuikae != "allowed"
    yield because("kuikae_call" if short and barring else "passed", tile=said)


def _chi_tiles(offer: Offer, seat: int) -> Reason | None:
    kind, hand = offer.tile % RED, offer.record.hand[seat].tolist()
    if seat != (offer.source + 1) % 4:
        return because("chi_left")
    if kind >= HONOURS:
        return because("chi_honour")
    starts = range(max(kind - kind % 9, kind - 2), min(kind, kind - kind % 9 + 6) + 1)
    runs = ([first + i for i in range(3) if first + i != kind] for first in starts)
    if any(hand[low] and hand[high] for low, high in runs):
        return None
    return because("chi_tiles", tile=format_tiles([offer.tile]))


def _same_tiles(offer: Offer, seat: int, call: str) -> Reason | None:
    held, needed = int(offer.record.hand[seat, offer.tile % RED]), 2 if call == "pon" else 3
    if held >= needed:
        return None
    return because("same_tiles", tile=format_tiles([offer.tile % RED]), held=held, needed=needed)


def no_own_kan(game: "Game", seat: int, call: str, tile: Tile | None = None) -> Reason:
    """Why the seat may not declare a concealed or added kan, of ``tile`` or at all."""
    return own_turn(game, seat) or next(_kan_reasons(game, seat, call, tile))


def _kan_reasons(game: "Game", seat: int, call: str, tile: Tile | None) -> Iterator[Reason]:
    record, ankan = game.record, game.rules.riichi.ankan
    kinds = _kan_kinds(record, seat, call)
    if tile is not None:
        kinds &= {tile % RED}
    if not kinds:
        yield because(f"{call}_tiles")
    if reason := four_kans(record, game.rules):
        yield reason
    if not record.riichi[seat]:
        yield because("unknown")
    if ankan == "never":
        yield because("riichi_kan_never")
    yield because("riichi_kan_waits" if int(record.drawn) % RED in kinds else "riichi_kan_drawn")


def _kan_kinds(record: Record, seat: int, call: str) -> set[int]:
    """Give the kinds whose tiles would do for an ankan or kakan."""
    hand = record.hand[seat].tolist()
    if call == "ankan":
        return {kind for kind, count in enumerate(hand) if count == COPIES}
    pons = {meld.first for meld in melds(record, seat) if meld.type is MeldType.PON}
    return {kind for kind in pons if hand[kind]}
