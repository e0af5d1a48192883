"""A hand as people enter it at a table: how it ended, who won what, who fouled."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from jantaku.rules.catalogue import LIMIT_BASE

End = Literal["ron", "tsumo", "draw", "abort", "foul"]
Abort = Literal["kyuushu_kyuuhai", "suufuu_renda", "suucha_riichi", "suukansanra", "sanchahou"]

ENDS: Final[tuple[str, ...]] = get_args(End)
ABORTS: Final[tuple[str, ...]] = get_args(Abort)
ENTERED_LIMITS: Final = tuple(LIMIT_BASE)
BONUS: Final = ("red_dora", "ura_dora")
"""The dora that chips are paid for, by their names among the yaku."""


@dataclass(frozen=True, slots=True)
class EnteredLiability:
    """The seats liable for some of a hand's yakuman, in equal shares; the first one pays the honba."""

    seats: tuple[int, ...]
    yakuman: int


@dataclass(frozen=True, slots=True)
class EnteredWin:
    """What a seat won with: ``han`` and ``fu``, or a ``limit``, or a number of ``yakuman``.

    ``feeder`` fed the open kan on whose replacement tile the seat won, where the rules make that seat pay.
    ``chips`` is how many each payer gives, where the rules have chips; ``None`` if nobody said so. ``bonus``
    counts the red and ura dora of a hand whose ``yaku`` are known.
    ``yaku`` names the yaku, and ``open`` says whether the hand was open; both are ``None`` if nobody recorded
    them, and neither moves a point. ``tiles`` are those of the hand, in groups of notation, if anybody did.
    """

    seat: int
    han: int = 0
    fu: int = 0
    limit: str | None = None
    yakuman: int = 0
    pao: EnteredLiability | None = None
    feeder: int | None = None
    yaku: tuple[str, ...] | None = None
    open: bool | None = None
    chips: int | None = None
    bonus: tuple[tuple[str, int], ...] = ()
    tiles: str = ""


@dataclass(frozen=True, slots=True)
class EnteredFoul:
    """A foul of the ruleset and the seat that committed it; ``foul`` is a name of ``[fouls]``."""

    seat: int
    foul: str


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """One hand. Seats are 0–3, East to North of the game's first hand.

    ``riichi`` are the seats that laid a stick. ``riichi_tile`` says that a ron took the tile of the
    discarder's riichi, so that the rules decide about that stick. ``stop`` says whether the dealer of the
    last hand ends the game where that is a choice; without it the dealer does where no hand follows.
    ``calls`` are the seats that called a tile, ``None`` if nobody recorded them. ``wareme`` is the seat at
    whose wall the deal began, where the rules pay double for it.
    """

    end: End
    riichi: tuple[int, ...] = ()
    wins: tuple[EnteredWin, ...] = ()
    discarder: int | None = None
    tenpai: tuple[int, ...] = ()
    nagashi: tuple[int, ...] = ()
    abort: Abort | None = None
    fouls: tuple[EnteredFoul, ...] = ()
    riichi_tile: bool = False
    stop: bool | None = None
    calls: tuple[int, ...] | None = None
    wareme: int | None = None
