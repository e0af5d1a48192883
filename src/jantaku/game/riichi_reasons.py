"""Reasons why a seat may not declare riichi, with any discard or with a particular one."""

from collections.abc import Iterator
from typing import Final

from jantaku.adjudication.analysis import shanten
from jantaku.game.engine import concealed, context, melds, tiles_in, wall_left
from jantaku.game.position import Position
from jantaku.game.win_reasons import Reason, because, own_turn
from jantaku.hand import Hand
from jantaku.kernels.engine.riichi import is_exhausted, waits_after
from jantaku.rules.worths import worths
from jantaku.tiles import RED, Tile, format_tiles

# The same reasons for one discard when another allows riichi
_WITH: Final = {
    "wait_in_hand": "wait_in_hand_with",
    "riichi_furiten": "riichi_furiten_with",
    "exhausted_wait": "exhausted_wait_with",
}


def no_riichi(game: Position, seat: int) -> Reason:
    """Return why the seat may not declare riichi with any discard."""
    return next(_reasons(game, seat))


def _reasons(game: Position, seat: int) -> Iterator[Reason]:
    record, rules = game.record, game.rules.riichi
    if worths(game.rules, "riichi")[0] is False and not rules.without_yaku:
        yield because("riichi_off")
    if record.riichi[seat]:
        yield because("in_riichi")
    if reason := own_turn(game, seat):
        yield reason
    if record.dead[seat]:
        yield because("dead_hand")
    hand = Hand(tuple(concealed(record, seat)), melds(record, seat))
    needed, draws = max(1, len(game.rules.seats) * rules.draws_left), wall_left(record)
    if not hand.is_closed:
        yield because("not_closed")
    if shanten(record.hand[seat], int(record.melds[seat])) > 0:
        yield because("not_tenpai")
    if rules.needs_points and game.scores[seat] < rules.deposit:
        yield because("points", needed=rules.deposit, points=game.scores[seat])
    if draws < needed:
        yield because("few_tiles", needed=needed, left=draws)
    reasons = {_wait_code(game, seat, kind) for kind in {tile % RED for tile in hand.tiles}} - {None}
    codes = ("exhausted_wait", "riichi_furiten", "wait_in_hand")  # the nearest miss first
    yield because(next((code for code in codes if code in reasons), "not_tenpai"))


def _wait_code(game: Position, seat: int, kind: int) -> str | None:
    """Return the code of what rules out riichi after discarding ``kind``, or ``None`` if nothing does."""
    record = game.record.copy()
    waits = int(waits_after(record, seat, kind, context(game.rules.tiles.man)))
    if not waits:
        record.hand[seat, kind] -= 1
        return "wait_in_hand" if shanten(record.hand[seat], int(record.melds[seat])) == 0 else None
    if not game.rules.riichi.furiten_allowed and waits & (int(record.discarded[seat]) | 1 << kind):
        return "riichi_furiten"
    if game.rules.riichi.exhausted_wait != "allowed" and is_exhausted(record, seat, waits):
        return "exhausted_wait"
    return None


def no_riichi_with(game: Position, seat: int, tile: Tile) -> Reason:
    """Return why riichi is impossible with this discard although another discard allows it."""
    code = _wait_code(game, seat, tile % RED)
    notation = format_tiles([tile])
    if code is None:
        return because("breaks_tenpai", tile=notation)
    waits = int(waits_after(game.record.copy(), seat, tile % RED, context(game.rules.tiles.man)))
    return because(_WITH[code], tile=notation, waits=format_tiles(tiles_in(waits)))
