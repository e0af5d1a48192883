"""The contents of a Tenhou log: hands, each with its steps in order.

Tiles are Tenhou's numbers 0–135, four copies per kind (``tiles.from_tenhou``), because only they distinguish
copies. Seats are in turn order; seat 0 is the first dealer. Scores are in points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from jantaku.errors import RecordError
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import han_of
from jantaku.tiles import COPIES, KINDS, RED, TILES, Tile, from_tenhou

BySeat = tuple[int, ...]  # a number for each seat
NAGASHI: Final = "nm"
KINDS_OF_DRAW: Final = {  # by Tenhou's names; ``chombo`` is Jantaku's extension
    "": "exhausted",
    NAGASHI: "exhausted",
    "yao9": "kyuushu_kyuuhai",
    "kaze4": "suufuu_renda",
    "reach4": "suucha_riichi",
    "kan4": "suukansanra",
    "ron3": "sanchahou",
    "chombo": "voided",
}

# The yaku of each Tenhou number; the winds appear four times, East to North
TENHOU_YAKU: Final = (
    *("menzen_tsumo", "riichi", "ippatsu", "chankan", "rinshan_kaihou", "haitei", "houtei"),
    *("pinfu", "tanyao", "iipeikou"),
    *("seat_wind",) * len(WIND_NAMES),
    *("round_wind",) * len(WIND_NAMES),
    *("yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun", "double_riichi", "chiitoitsu", "chanta"),
    *("ittsuu", "sanshoku_doujun", "sanshoku_doukou", "sankantsu", "toitoi", "sanankou"),
    *("shousangen", "honroutou", "ryanpeikou", "junchan", "honitsu", "chinitsu", "renhou"),
    *("tenhou", "chiihou", "daisangen", "suuankou", "suuankou_tanki", "tsuuiisou", "ryuuiisou"),
    *("chinroutou", "chuuren_poutou", "junsei_chuuren", "kokushi_musou", "kokushi_juusanmen"),
    *("daisuushii", "shousuushii", "suukantsu", "dora", "ura_dora", "red_dora"),
)


@lru_cache(maxsize=16)
def red_counts(rules: Ruleset) -> tuple[int, ...]:
    """Return how many tiles of each kind are red."""
    counts = {int(Tile.parse(name)): count for name, count in rules.tiles.red.items()}
    return tuple(counts.get(kind, 0) for kind in range(KINDS))


@dataclass(frozen=True, slots=True)
class LogDraw:
    """A tile drawn from the live wall, or from the dead wall after a kan."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class LogDiscard:
    """A discarded tile."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class LogRiichi:
    """A riichi declaration; the next discard is its tile."""

    seat: int
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class LogRiichiAccepted:
    """A riichi whose tile was not won on, with its stick paid; ``scores`` if the log states them."""

    seat: int
    scores: BySeat | None


@dataclass(frozen=True, slots=True)
class Call:
    """A chi, pon or kan of ``seat``.

    ``tiles`` are all tiles of the meld. ``called`` is the tile called from the seat ``source``, or the tile
    added by a kakan; for an ankan it is ``None``, and ``source`` is the seat itself.
    """

    seat: int
    kind: MeldType
    tiles: tuple[int, ...]
    called: int | None
    source: int


@dataclass(frozen=True, slots=True)
class LogKita:
    """A north set aside as a dora; its replacement is drawn as after a kan."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class LogDoraTurned:
    """Another dora indicator is turned."""

    tile: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The effect of a win or draw on the scores.

    ``final`` is the result at the end of the game: scores, and points with uma and oka. ``chips`` are each
    seat's chips afterwards, at tables with chips.
    """

    honba: int
    deposits: int
    before: BySeat
    change: BySeat
    final: tuple[BySeat, BySeat] | None
    chips: BySeat | None = None


@dataclass(frozen=True, slots=True)
class LogWon:
    """A win; ``source`` is the discarder, or ``seat`` itself for a tsumo.

    ``hand`` contains the concealed tiles and the winning tile, ``yaku`` pairs of Tenhou's number and han,
    ``yakuman`` only numbers. ``limit`` is 0 below mangan and 5 for a yakuman; ``liable`` is the seat liable
    under pao.
    """

    seat: int
    source: int
    hand: tuple[int, ...]
    melds: tuple[Call, ...]
    tile: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    fu: int
    points: int
    limit: int
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    liable: int | None
    settlement: Settlement
    local: tuple[tuple[str, int], ...] = ()  # yaku without a Tenhou number, in Jantaku's logs

    @property
    def yaku_by_id(self) -> dict[str, int]:
        """The yaku and their han as in ``Score.yaku``: by id, 13 for each yakuman."""
        numbers = [*self.yaku, *((number, han_of("yakuman")) for number in self.yakuman)]
        return {_yaku_id(number): han for number, han in numbers if han} | dict(self.local)


def _yaku_id(number: int) -> str:
    return TENHOU_YAKU[number] if 0 <= number < len(TENHOU_YAKU) else str(number)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand without a win.

    ``kind`` is one of ``KINDS_OF_DRAW``. ``shown`` has the concealed tiles of seats that revealed their hand.
    """

    kind: str
    shown: tuple[tuple[int, ...] | None, ...]
    settlement: Settlement


Step = LogDraw | LogDiscard | LogRiichi | LogRiichiAccepted | Call | LogKita | LogDoraTurned | LogWon | Drawn


@dataclass(frozen=True, slots=True)
class LogHand:
    """One hand: ``number`` counts from East 1, ``dealt`` are thirteen tiles per seat."""

    number: int
    honba: int
    deposits: int
    scores: BySeat
    dealer: int
    dora: int
    dealt: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """A game; ``flags`` is Tenhou's table type. ``path`` is the file it was read from.

    ``is_private``: it was played in a lobby that may have its own rules.
    """

    flags: int
    names: tuple[str, ...]
    hands: tuple[LogHand, ...]
    path: str = ""
    is_private: bool = False
    rules: Ruleset | None = None  # from the mark, or passed for a log without one
    mark: Mapping[str, Any] = field(default_factory=dict)  # Jantaku's
    cut: RecordError | None = None  # the position at which a log stops within a tag

    @property
    def wins(self) -> tuple[LogWon, ...]:
        """All wins of the game, in order."""
        return tuple(step for hand in self.hands for step in hand.steps if isinstance(step, LogWon))

    @property
    def final(self) -> tuple[BySeat, BySeat] | None:
        """The final scores, and the points with uma and oka; ``None`` if the log does not state them."""
        steps = self.hands[-1].steps if self.hands else ()
        return steps[-1].settlement.final if steps and isinstance(steps[-1], LogWon | Drawn) else None

    @property
    def chips(self) -> tuple[BySeat | None, ...]:
        """Each seat's chips after each hand; empty for a table without chips."""
        chips = tuple(
            next(
                (step.settlement.chips for step in reversed(hand.steps) if isinstance(step, LogWon | Drawn)),
                None,
            )
            for hand in self.hands
        )
        return chips if any(chips) else ()

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.names)

    @property
    def red_fives(self) -> bool:
        """Whether the game has red fives."""
        return not self.flags & 0x02

    @property
    def kuitan(self) -> bool:
        """Whether tanyao counts in an open hand."""
        return not self.flags & 0x04

    @property
    def hanchan(self) -> bool:
        """Whether the game has a South round."""
        return bool(self.flags & 0x08)

    def tile(self, number: int) -> Tile:
        """Return the tile with Tenhou's number in this game; the first copies of a kind are its red ones."""
        if self.rules is None:
            return from_tenhou(number, self.red_fives)
        kind, copy = divmod(number, COPIES)
        return TILES[kind + RED * (copy < red_counts(self.rules)[kind])]
