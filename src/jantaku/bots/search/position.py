"""A position as one seat knows it: a record of the engine in which only the tiles it sees matter."""

import dataclasses
from dataclasses import dataclass

from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.actions import Action, Discard, decode, encode
from jantaku.kernels.engine.state import CLAIMS
from jantaku.rules import Ruleset
from jantaku.tiles import RED


@dataclass(frozen=True)
class KnownPosition:
    """A record in which only the tiles visible to ``seat`` matter, and the choices of that seat.

    ``state`` are the bytes of a ``GAME``, ``codes`` the choices as the engine's integers and ``claimed`` the
    tile on offer, 0 if there is none. The first ``rivers[seat]`` discards of a seat are unknown; those of
    ``seat`` itself contain no kind of the mask ``own``. ``safe[seat]`` is a mask of kinds that the seat
    cannot be waiting for, in addition to those the record rules out. The first ``indicators`` dora indicators
    are known.
    """

    rules: Ruleset
    state: bytes
    seat: int
    codes: tuple[int, ...]
    rivers: tuple[int, ...] = (0, 0, 0, 0)
    safe: tuple[int, ...] = (0, 0, 0, 0)
    own: int = 0
    indicators: int = 1
    claimed: int = 0

    @property
    def choices(self) -> tuple[Action, ...]:
        """Choices of the seat; the drawn tile and an equal tile in the hand are one choice."""
        return tuple(choice_of(code, self.claimed) for code in self.codes)


def choice_of(code: int, claimed: int = 0) -> Action:
    """Return the action of an engine's integer, without the difference between drawn and held tiles."""
    action = decode(code, claimed)
    return dataclasses.replace(action, drawn=False) if isinstance(action, Discard) else action


def position_to_act(game: Game, seat: int) -> KnownPosition:
    """Return the position of a seat to act, with all its legal actions.

    Raises ``RequestError`` if it need not act.
    """
    claimed, record = game.claimed, game.record
    reds = int(record.red[seat, claimed % RED]) if record.phase == CLAIMS else 0
    codes = tuple(encode(action, claimed, reds) for action in game.legal(seat))
    if not codes:
        raise RequestError("bot_not_asked", field="seat", seat=seat)
    indicators = int(record.indicators)
    return KnownPosition(game.rules, game.state, seat, codes, indicators=indicators, claimed=claimed)
