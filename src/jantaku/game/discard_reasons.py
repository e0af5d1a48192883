"""Reasons why a seat may not discard a tile."""

from collections.abc import Iterator

from jantaku.game.actions import Discard
from jantaku.game.engine import concealed
from jantaku.game.position import Position
from jantaku.game.riichi_reasons import no_riichi, no_riichi_with
from jantaku.game.win_reasons import Reason, because
from jantaku.kernels.engine.kita import must_keep_norths
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.tiles import NORTH, RED, format_tiles


def no_discard(game: Position, seat: int, action: Discard) -> Reason:
    """Return why the seat may not discard this tile."""
    return next(_discard_reasons(game, seat, action))


def _discard_reasons(game: Position, seat: int, action: Discard) -> Iterator[Reason]:
    record, tile = game.record, action.tile
    notation = format_tiles([tile])
    if record.phase != YOUR_TURN or record.turn != seat:
        yield because("not_your_turn")
    if tile not in concealed(record, seat):
        yield because("not_held", tile=notation)
    if action.riichi == "open" and not game.rules.riichi.open:
        yield because("no_open_riichi")
    if action.riichi and any(isinstance(other, Discard) and other.riichi for other in game.legal(seat)):
        yield no_riichi_with(game, seat, tile)
    if action.riichi:
        yield no_riichi(game, seat)
    if int(tile) == NORTH and must_keep_norths(record, seat, rules_record(game.rules)[0]):
        yield because("north_kept")
    if record.riichi[seat]:
        yield because("discard_in_riichi")
    if int(record.barred) >> tile % RED & 1:
        yield because("kuikae", tile=notation)
    yield because("not_drawn" if action.drawn else "only_drawn", tile=notation)
