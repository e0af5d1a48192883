"""Reasons why a seat may not call a tile or declare a kan."""

from collections import Counter
from collections.abc import Iterator

from jantaku.game.engine import Record, melds, others, seats_of, wall_left
from jantaku.game.position import Position
from jantaku.game.win_reasons import Offer, Reason, because, own_turn
from jantaku.hand import MeldType
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.engine.wall import MAX_KANS
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.tiles import COPIES, HONOURS, NORTH, RED, Tile, format_tiles


def four_kans(record: Record, rules: Ruleset) -> Reason | None:
    """Return why nobody may declare a kan: the wall is empty or there are four kans; otherwise ``None``."""
    if wall_left(record) == 0:
        return because("last_tile")
    limit_reached = record.kans == MAX_KANS and rules.calls.kan_limit_one_player
    return because("four_kans") if limit_reached else None


def no_call(game: Position, seat: int, call: str) -> Reason:
    """Return why the seat may not call the last discard; ``call`` is ``chi``, ``pon`` or ``daiminkan``."""
    offer = Offer.of(game)
    if offer is None or offer.source == seat or offer.kan:
        return because("no_tile")
    return next(_call_reasons(game, seat, call, offer))


def _call_reasons(game: Position, seat: int, call: str, offer: Offer) -> Iterator[Reason]:
    record, notation = offer.record, format_tiles([offer.tile])
    if record.riichi[seat]:
        yield because("in_riichi")
    if game.record.dead[seat]:
        yield because("dead_hand")
    if wall_left(record) == 0:
        yield because("last_tile")
    if record.kans == MAX_KANS and game.rules.draw.suukansanra and several_kans(record):
        yield because("ends_in_four_kans")
    if call == "chi" and not game.rules.calls.chi:
        yield because("no_chi")
    if missing_tiles := _chi_tiles(offer, seat) if call == "chi" else _same_tiles(offer, seat, call):
        yield missing_tiles
    if call == "daiminkan" and (limit_reached := four_kans(record, game.rules)):
        yield limit_reached
    no_discard_left = call != "daiminkan" and not any(
        _leaves_discard(offer, seat, used, game.rules) for used in _used(offer, seat, call)
    )
    yield because("kuikae_call" if no_discard_left else "passed", tile=notation)


def several_kans(record: Record) -> bool:
    """Return whether there are four kans by more than one player."""
    owners = [
        sum(meld.type not in (MeldType.CHI, MeldType.PON) for meld in melds(record, s))
        for s in seats_of(record)
    ]
    return sum(owners) == MAX_KANS and max(owners) < MAX_KANS


def _used(offer: Offer, seat: int, call: str) -> list[tuple[int, int]]:
    """Return the pairs of kinds in the hand that can complete the set."""
    kind, hand = offer.tile % RED, offer.record.hand[seat].tolist()
    if call == "pon":
        return [(kind, kind)]
    return [(low, high) for low, high in _runs(kind) if hand[low] and hand[high]]


def _leaves_discard(offer: Offer, seat: int, used: tuple[int, int], rules: Ruleset) -> bool:
    """Return whether kuikae leaves a legal discard after the call."""
    kind, left = offer.tile % RED, Counter({k: int(n) for k, n in enumerate(offer.record.hand[seat]) if n})
    left.subtract(used)
    first, is_chi = min(kind, *used), used[0] != used[1]
    barred = int(barred_after(kind, first, is_chi, rules_record(rules)[0]))
    return any(count and not barred >> other & 1 for other, count in left.items())


def _chi_tiles(offer: Offer, seat: int) -> Reason | None:
    kind, hand = offer.tile % RED, offer.record.hand[seat].tolist()
    if seat != others(offer.record, offer.source)[0]:
        return because("chi_left")
    if kind >= HONOURS:
        return because("chi_honour")
    if any(hand[low] and hand[high] for low, high in _runs(kind)):
        return None
    return because("chi_tiles", tile=format_tiles([offer.tile]))


def _runs(kind: int) -> list[tuple[int, int]]:
    """Return the two other kinds of each run that contains ``kind``."""
    starts = range(max(kind - kind % 9, kind - 2), min(kind, kind - kind % 9 + 6) + 1)
    runs = [[first + i for i in range(3) if first + i != kind] for first in starts]
    return [(low, high) for low, high in runs]


def _same_tiles(offer: Offer, seat: int, call: str) -> Reason | None:
    held, needed = int(offer.record.hand[seat, offer.tile % RED]), 2 if call == "pon" else 3
    if held >= needed:
        return None
    return because("same_tiles", tile=format_tiles([offer.tile % RED]), held=held, needed=needed)


def no_own_kan(game: Position, seat: int, call: str, tile: Tile | None = None) -> Reason:
    """Return why the seat may not declare an ankan or kakan of ``tile``, or of any tile."""
    return own_turn(game, seat) or next(_kan_reasons(game, seat, call, tile))


def _kan_reasons(game: Position, seat: int, call: str, tile: Tile | None) -> Iterator[Reason]:
    record, ankan = game.record, game.rules.riichi.ankan
    kinds = _kan_kinds(record, seat, call)
    if tile is not None:
        kinds &= {tile % RED}
    if not kinds:
        yield because(f"{call}_tiles")
    if reason := four_kans(record, game.rules):
        yield reason
    if record.dead[seat]:
        yield because("dead_hand")
    if not record.riichi[seat]:
        yield because("unknown")
    if ankan == "never":
        yield because("riichi_kan_never")
    yield because("riichi_kan_waits" if int(record.drawn) % RED in kinds else "riichi_kan_drawn")


def no_kita(game: Position, seat: int) -> Reason:
    """Return why the seat may not set a north aside."""
    record = game.record
    if not game.rules.kita.nukidora:
        return because("kita_off")
    if reason := own_turn(game, seat):
        return reason
    if not record.hand[seat, NORTH]:
        return because("no_north")
    if wall_left(record) == 0:
        return because("last_tile")
    return because("dead_hand" if record.dead[seat] else "kita_in_riichi")


def _kan_kinds(record: Record, seat: int, call: str) -> set[int]:
    """Return the kinds with which the seat can form an ankan or kakan."""
    hand = record.hand[seat].tolist()
    if call == "ankan":
        return {kind for kind, count in enumerate(hand) if count == COPIES}
    pons = {meld.first for meld in melds(record, seat) if meld.type is MeldType.PON}
    return {kind for kind in pons if hand[kind]}
