"""Reasons why a seat may not win or end the hand: the first obstacle, as a code and its details."""

from dataclasses import dataclass, field
from typing import Any

from jantaku import terms
from jantaku.adjudication.score import ERROR_CODES
from jantaku.game.actions import Discard, Kan, Kita
from jantaku.game.engine import Record, context, tiles_in
from jantaku.game.position import Position
from jantaku.game.view import furiten_of
from jantaku.game.wins import error_of
from jantaku.kernels.engine.kita import may_rob_north
from jantaku.kernels.engine.state import NO_TILE, YOUR_TURN
from jantaku.kernels.engine.winning import waits_for_kokushi
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.tiles import NORTH, RED, TILES, YAOCHUU, Tile, format_tiles


@dataclass(frozen=True)
class Reason:
    """A key of ``terms/game.toml`` under ``why`` and the values of its placeholders."""

    code: str
    details: dict[str, Any] = field(default_factory=dict)

    def text(self, language: terms.Language | None = None) -> str:
        """Return the reason as text."""
        return terms.with_tiles(f"game.why.{self.code}", language, self.details)


def because(code: str, **details: Any) -> Reason:
    """Create a reason."""
    return Reason(code, details)


@dataclass(frozen=True)
class Offer:
    """A tile that other seats may claim.

    ``record`` is the record before the action, ``source`` the seat that acted, and ``kan`` the kind of kan or
    ``kita``, ``None`` for a discard.
    """

    record: Record
    tile: Tile
    source: int
    kan: str | None

    @classmethod
    def of(cls, game: Position) -> "Offer | None":
        """Return the last tile of this hand that other seats could claim, or ``None``."""
        if game.offer is None:
            return None
        before, action = game.offer
        if not isinstance(action, Discard | Kan | Kita):
            return None
        record = before.copy()
        record.declaring = int(isinstance(action, Discard) and action.riichi is not None)
        tile = NORTH if isinstance(action, Kita) else action.tile
        kind = action.kind if isinstance(action, Kan) else Kita.type if isinstance(action, Kita) else None
        return cls(record, TILES[tile], int(before.turn), kind)


def _value_reason(record: Record, seat: int, tile: Tile, robbing: bool, rules: Ruleset) -> Reason | None:
    """Return what a complete hand lacks to win on ``tile``, or ``None``."""
    error = error_of(record, seat, tile, robbing, rules)
    return because(ERROR_CODES[error], tile=format_tiles([tile])) if error else None


def furiten_reason(record: Record, seat: int) -> Reason | None:
    """Return the furiten that bars the seat, or ``None``."""
    furiten = furiten_of(record, seat)
    if furiten == "discard":
        both = tiles_in(int(record.waits[seat]) & int(record.discarded[seat]))
        return because("furiten_discard", tiles=format_tiles(both))
    return because(f"furiten_{furiten}") if furiten else None


def barred_reason(game: Position, seat: int) -> Reason | None:
    """Return the foul that keeps the seat from winning this hand, or ``None``."""
    if game.record.dead[seat]:
        return because("dead_hand")
    return because("illegal_kan") if game.record.illegal_kan[seat] else None


def _no_ankan_ron(offer: Offer, seat: int, complete: bool, rules: Ruleset) -> Reason | None:
    """Return why the seat may not rob an ankan, without revealing the tiles of a face-down one."""
    hidden = bool(offer.record.face_down)
    if not complete and not hidden:
        return None
    if not rules.win.kokushi_on_ankan:
        return because("ankan_not_robbed")
    kokushi = complete and waits_for_kokushi(offer.record, seat)
    return None if kokushi else because("ankan_by_kokushi")


def _no_kita_ron(offer: Offer, seat: int, rules: Ruleset) -> Reason | None:
    """Return why a seat that waits for north may not win on one being set aside."""
    if rules.kita.ron == "never":
        return because("kita_not_robbed")
    allowed = may_rob_north(offer.record, seat, rules_record(rules)[0], context(rules.tiles.man))
    return None if allowed else because(f"kita_by_{rules.kita.ron}")


def no_ron(game: Position, seat: int) -> Reason:
    """Return why the seat may not win on the last discard or kan."""
    offer = Offer.of(game)
    if offer is None or offer.source == seat:
        return because("no_tile")
    record, tile = offer.record, offer.tile
    if reason := barred_reason(game, seat):
        return reason
    complete = bool(int(record.waits[seat]) >> tile % RED & 1)
    if offer.kan == "ankan" and (reason := _no_ankan_ron(offer, seat, complete, game.rules)):
        return reason
    if not complete:
        return because("not_complete", tile=format_tiles([tile]))
    if offer.kan == Kita.type and (reason := _no_kita_ron(offer, seat, game.rules)):
        return reason
    robbing = offer.kan is not None and (offer.kan != Kita.type or game.rules.kita.chankan)
    lacking = _value_reason(record, seat, tile, robbing, game.rules)
    return lacking or furiten_reason(record, seat) or because("passed", tile=format_tiles([tile]))


def own_turn(game: Position, seat: int) -> Reason | None:
    """Return why the seat may not take actions that require its own turn and a drawn tile, or ``None``."""
    record = game.record
    if record.phase != YOUR_TURN or record.turn != seat:
        return because("not_your_turn")
    return because("after_call") if record.drawn == NO_TILE else None


def no_tsumo(game: Position, seat: int) -> Reason:
    """Return why the seat may not win on the tile it has drawn."""
    record = game.record
    if reason := own_turn(game, seat):
        return reason
    if reason := barred_reason(game, seat):
        return reason
    tile = TILES[record.drawn]
    return _value_reason(record, seat, tile, False, game.rules) or because("unknown")


def no_nine_terminals(game: Position, seat: int) -> Reason:
    """Return why the seat may not end the hand with nine kinds of terminals and honours."""
    record = game.record
    if not game.rules.draw.kyuushu_kyuuhai:
        return because("nine_off")
    if not record.untouched or record.discards[seat]:
        return because("nine_late")
    if reason := own_turn(game, seat):
        return reason
    return because("nine_kinds", kinds=sum(1 for kind in YAOCHUU if record.hand[seat, kind]))


def no_foul(game: Position, _seat: int) -> Reason:
    """Return why the seat cannot commit a foul."""
    return because("fouls_prevented" if game.rules.fouls.mode == "prevent" else "no_foul")
