"""The game on the wire: actions, events and views as they stand in messages.

These models only describe what ``jantaku.game`` writes (``to_dict`` of actions, events and views), so that
clients get types for it; a test plays games and checks every message against them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Seat = Annotated[int, Field(ge=0, le=3)]
TileText = Annotated[str, Field(description="One tile in notation: 5m, 0p, 3rs, 7z.", max_length=3)]
TilesText = Annotated[str, Field(description="Tiles in notation: 123m406p11z.", max_length=64)]
Riichi = Literal["riichi", "open"]
RiichiKind = Literal["riichi", "double", "open", "double_open"]
Four = Annotated[list[int], Field(min_length=4, max_length=4)]


class Wire(BaseModel):
    """Base of all wire models; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, populate_by_name=True)


class PassAction(Wire):
    """Pass on the offered tile."""

    type: Literal["pass"]


class DiscardAction(Wire):
    """Discard; ``drawn`` is the tile just drawn."""

    type: Literal["discard"]
    tile: TileText
    drawn: bool = False
    riichi: Riichi | None = None


class TsumoAction(Wire):
    """Win on the drawn tile."""

    type: Literal["tsumo"]


class RonAction(Wire):
    """Win on another's tile."""

    type: Literal["ron"]


class ChiAction(Wire):
    """Call a run with two tiles of the hand."""

    type: Literal["chi"]
    tiles: TilesText


class PonAction(Wire):
    """Call a triplet with ``red`` red tiles of the hand."""

    type: Literal["pon"]
    red: Annotated[int, Field(ge=0, le=2)] = 0


class KanAction(Wire):
    """Declare a quad."""

    type: Literal["kan"]
    kind: Literal["daiminkan", "ankan", "kakan"]
    tile: TileText


class NineTerminalsAction(Wire):
    """End the hand on nine kinds of terminals and honours."""

    type: Literal["nine_terminals"]


class EndGameAction(Wire):
    """End the game as the dealer who leads after the last hand."""

    type: Literal["end_game"]


class PlayOnAction(Wire):
    """Play another hand as that dealer."""

    type: Literal["play_on"]


class FoulAction(Wire):
    """Do what the rules forbid and penalise; found in ``fouls``, never in ``legal``."""

    type: Literal["foul"]
    act: Literal["win_shown", "win_called", "wrong_meld", "call_slip"]


GameAction = Annotated[
    PassAction
    | DiscardAction
    | TsumoAction
    | RonAction
    | ChiAction
    | PonAction
    | KanAction
    | NineTerminalsAction
    | EndGameAction
    | PlayOnAction
    | FoulAction,
    Field(discriminator="type"),
]


class MeldWire(Wire):
    """A meld; ``from`` is the side it was called from, relative to its owner."""

    type: Literal["chi", "pon", "ankan", "daiminkan", "kakan"]
    tiles: TilesText
    called: TileText | None = None
    from_: Annotated[Literal["right", "across", "left"] | None, Field(alias="from")] = None


Hands = Annotated[list[TilesText | None], Field(min_length=4, max_length=4)]


class GameStartedEvent(Wire):
    """The game begins; ``commitment`` is the SHA-256 of the seed, which is revealed at the end."""

    type: Literal["game_started"]
    rules: str
    fingerprint: str
    seats: int = 4
    commitment: str | None = None


class HandStartedEvent(Wire):
    """A hand is dealt; ``hands`` are ``null`` where hidden."""

    type: Literal["hand_started"]
    number: int
    honba: int
    deposits: int
    dealer: Seat
    scores: Four
    indicator: TileText
    hands: Hands


class DrewEvent(Wire):
    """A seat draws; no ``tile`` if it is hidden."""

    type: Literal["drew"]
    seat: Seat
    tile: TileText | None = None
    rinshan: bool = False


class DiscardedEvent(Wire):
    """A seat discards; an open riichi shows the tiles of its wait."""

    type: Literal["discarded"]
    seat: Seat
    tile: TileText
    drawn: bool = False
    riichi: Riichi | None = None
    shown: TilesText | None = None


class RiichiAcceptedEvent(Wire):
    """The riichi tile has passed; the deposit in points."""

    type: Literal["riichi_accepted"]
    seat: Seat
    deposit: int


class CalledEvent(Wire):
    """A seat calls the last discard."""

    type: Literal["called"]
    seat: Seat
    meld: MeldWire


class KanDeclaredEvent(Wire):
    """An ankan, or a kakan, which may be robbed; another seat's face-down ankan shows no tiles."""

    type: Literal["kan_declared"]
    seat: Seat
    tile: TileText | None
    meld: MeldWire
    face_down: bool = False


class DoraTurnedEvent(Wire):
    """A new dora indicator."""

    type: Literal["dora_turned"]
    indicator: TileText


class FouledEvent(Wire):
    """A seat has committed a foul: its option in ``fouls``, and the cost."""

    type: Literal["fouled"]
    seat: Seat
    foul: str
    cost: str


class WonEvent(Wire):
    """A win; a tsumo has no ``source``. ``score`` is as in ``POST /api/score``."""

    type: Literal["won"]
    seat: Seat
    tile: TileText
    hand: TilesText
    score: dict[str, Any]
    source: Seat | None = None
    ura: TilesText = ""
    kans: TilesText = ""


class HandDrawnEvent(Wire):
    """A hand without a win: ``hands`` that are shown, their ``waits``, their ``kans`` that lay face down."""

    type: Literal["hand_drawn"]
    kind: Literal[
        "exhausted",
        "kyuushu_kyuuhai",
        "suufuu_renda",
        "suucha_riichi",
        "suukansanra",
        "sanchahou",
        "voided",
    ]
    tenpai: list[Seat] = []
    nagashi: list[Seat] = []
    hands: Hands = [None, None, None, None]
    waits: Hands = [None, None, None, None]
    kans: Hands = [None, None, None, None]


class PointsMovedEvent(Wire):
    """Points change hands."""

    type: Literal["points_moved"]
    deltas: Four
    scores: Four
    reason: Literal["hand", "leftover_deposits", "returned_deposits"] = "hand"


class GameEndedEvent(Wire):
    """Final points with uma and oka, places from 1, the seed in hexadecimal."""

    type: Literal["game_ended"]
    final: Four
    places: Four
    opening: str | None = None


GameEvent = Annotated[
    GameStartedEvent
    | HandStartedEvent
    | DrewEvent
    | DiscardedEvent
    | RiichiAcceptedEvent
    | CalledEvent
    | KanDeclaredEvent
    | DoraTurnedEvent
    | FouledEvent
    | WonEvent
    | HandDrawnEvent
    | PointsMovedEvent
    | GameEndedEvent,
    Field(discriminator="type"),
]


class RiverTileWire(Wire):
    """A discard and its marks."""

    tile: TileText
    drawn: bool
    riichi: bool
    called: bool


class Offered(Wire):
    """The tile a seat is asked about, and its owner."""

    tile: TileText
    from_: Annotated[Seat, Field(alias="from")]


Furiten = Literal["discard", "riichi", "temporary"]


class SeatView(Wire):
    """What a seat sees (``jantaku.game.View``); lists of four are indexed by seat."""

    seat: Seat
    round: Literal["east", "south", "west", "north"]
    number: int
    dealer: Seat
    honba: int
    deposits: int
    scores: Four
    indicators: list[TileText]
    wall_left: int
    turn: Seat
    hand: TilesText
    drawn: TileText | None
    melds: list[list[MeldWire]]
    rivers: list[list[RiverTileWire]]
    riichi: list[RiichiKind | None]
    shown: list[TilesText | None]
    waits: TilesText
    furiten: Furiten | None
    offered: Offered | None
    legal: list[GameAction]
    fouls: list[GameAction]
    dead: list[bool]
