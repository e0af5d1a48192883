"""Convert actions to mjai messages and back."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game import Game, actions
from jantaku.game.engine import concealed, melds
from jantaku.hand import MeldType
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.records.mjai.write import KITA, REASONS, Message, tiles_of
from jantaku.tiles import NORTH, RED, Tile, from_mjai, sort_tiles
from jantaku.tiles import to_mjai as tile_name

CLAIMS: Final = ("chi", "pon", "daiminkan")
KITA_NAMES: Final = (KITA, "kita")  # programs use one or the other


def action_from_mjai(
    message: Mapping[str, Any], game: Game, seat: int, riichi: actions.Riichi | None = None
) -> actions.Action:
    """Return the action in a message with which ``seat`` answers.

    mjai declares riichi in a separate message: pass ``riichi`` with the ``dahai`` after it. Raises
    ``RecordError`` for a message that is not an action; ``Game.play`` checks whether the action is legal.
    """
    try:
        if message["type"] == "none" and actions.PlayOn() in game.legal(seat):
            return actions.PlayOn()
        return read_action(message, own_turn=game.record.phase == YOUR_TURN, riichi=riichi)
    except (JantakuError, LookupError, OverflowError, TypeError, ValueError) as error:
        raise RecordError("mjai_action", seat=seat, message=dict(message), reason=cause(error)) from error


def read_action(
    message: Mapping[str, Any], *, own_turn: bool, riichi: actions.Riichi | None = None
) -> actions.Action:
    """Return the action in a message; raise ``LookupError``, ``TypeError`` or ``ValueError`` without one."""
    kind = message["type"]
    if kind == "dahai":
        return actions.Discard(from_mjai(message["pai"]), bool(message.get("tsumogiri")), riichi)
    if kind == "hora":
        return actions.Tsumo() if own_turn else actions.Ron()
    if kind not in _READERS:
        raise ValueError(kind)
    return _READERS[kind](message)


def _chi(message: Mapping[str, Any]) -> actions.Action:
    low, high = sort_tiles(map(from_mjai, message["consumed"]))
    return actions.Chi((low, high))


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], actions.Action]]] = {
    "chi": _chi,
    "pon": lambda message: actions.Pon(sum(from_mjai(name) >= RED for name in message["consumed"])),
    "daiminkan": lambda message: actions.Kan("daiminkan", from_mjai(message["pai"])),
    "kakan": lambda message: actions.Kan("kakan", from_mjai(message["pai"])),
    "ankan": lambda message: actions.Kan("ankan", Tile(from_mjai(message["consumed"][0]) % RED)),
    "ryukyoku": lambda _: actions.NineTerminals(),
    **dict.fromkeys(KITA_NAMES, lambda _: actions.Kita()),
    "none": lambda _: actions.Pass(),
}


def action_to_mjai(action: actions.Action, game: Game, seat: int) -> list[Message]:
    """Return the messages for a legal action of ``seat``: two for a riichi, ``none`` for a pass.

    Raises ``RecordError`` for actions that mjai cannot express: fouls, and a dealer's choice to end the game.
    """
    if isinstance(action, actions.Discard):
        return _discard(action, seat)
    if isinstance(action, actions.Pass | actions.PlayOn):
        return [{"type": "none"}]
    if isinstance(action, actions.Foul | actions.EndGame):
        raise RecordError("mjai_no_words", action=str(action))
    if isinstance(action, actions.NineTerminals):
        return [{"type": "ryukyoku", "actor": seat, "reason": REASONS["kyuushu_kyuuhai"]}]
    return [_own_turn(action, game, seat) or _claim(action, game, seat)]


def _discard(action: actions.Discard, seat: int) -> list[Message]:
    pai, drawn = tile_name(action.tile), action.drawn
    message: Message = {"type": "dahai", "actor": seat, "pai": pai, "tsumogiri": drawn}
    if action.riichi is None:
        return [message]
    opened = {"open": True} if action.riichi == "open" else {}
    return [{"type": "reach", "actor": seat, **opened}, message]


def _own_turn(action: actions.Action, game: Game, seat: int) -> Message | None:
    """Return the message for a tsumo, ankan, kakan or north set aside; ``None`` for a claim."""
    record = game.record
    match action:
        case actions.Tsumo():
            return {"type": "hora", "actor": seat, "target": seat, "pai": tile_name(int(record.drawn))}
        case actions.Kan("ankan", tile):
            own = [held for held in concealed(record, seat) if held % RED == tile % RED]
            return {"type": "ankan", "actor": seat, "consumed": tiles_of(own)}
        case actions.Kan("kakan", tile):
            rows = (meld for meld in melds(record, seat) if meld.type is MeldType.PON)
            pon = next((row.tiles for row in rows if row.first == tile % RED), ())
            return {"type": "kakan", "actor": seat, "pai": tile_name(tile), "consumed": tiles_of(pon)}
        case actions.Kita():
            return {"type": KITA, "actor": seat, "pai": tile_name(NORTH)}
        case _:
            return None


def _claim(action: actions.Action, game: Game, seat: int) -> Message:
    record = game.record
    target, pai = int(record.claimed_from), tile_name(int(record.claimed_tile))
    base: Message = {"actor": seat, "target": target, "pai": pai}
    if isinstance(action, actions.Ron):
        return {"type": "hora", **base}
    if isinstance(action, actions.Chi):
        return {"type": "chi", **base, "consumed": tiles_of(action.tiles)}
    kind = "pon" if isinstance(action, actions.Pon) else "daiminkan"
    return {"type": kind, **base, "consumed": _claimed_with(action, game, seat)}


def _claimed_with(action: actions.Action, game: Game, seat: int) -> list[str]:
    """Return the tiles of the hand used for a pon or an open kan."""
    kind = int(game.record.claimed_tile) % RED
    own = [tile for tile in concealed(game.record, seat) if tile % RED == kind]
    if not isinstance(action, actions.Pon):
        return tiles_of(own)
    reds = [tile for tile in own if tile >= RED][: action.red]
    return tiles_of(reds + [tile for tile in own if tile < RED][: 2 - len(reds)])
