"""The wins of a hand as ``Score`` objects, and the error that keeps a seat from winning."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from jantaku.adjudication.score import Score, score_records
from jantaku.adjudication.win_records import SITUATION
from jantaku.game.engine import Record, concealed, indicators, melds, ura_indicators
from jantaku.hand import WIND_NAMES, Hand, Source
from jantaku.kernels import win as layout
from jantaku.kernels.bits import YAKU_BITS
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.kernels.engine.winning import write_win
from jantaku.rules import Ruleset, catalogue
from jantaku.seats import sources_of
from jantaku.tiles import TILES, Tile
from jantaku.win import RiichiKind, Win

_YAKU: Final = tuple(catalogue())[:YAKU_BITS]


def wins_of(record: Record, rules: Ruleset) -> Iterator[tuple[Score, int]]:
    """Yield the score and the seat of each win of the hand that has just ended, as the engine settled it."""
    for index, seat in enumerate(record.won_by.tolist()):
        if seat != NO_SEAT:
            packed = record.wins[index]
            tsumo = int(packed.situation) & layout.TSUMO
            tile = TILES[record.drawn if tsumo else record.claimed_tile]
            yield (
                Score(_win(record, seat, tile, packed, rules), rules, record.results[index].tobytes()),
                seat,
            )


def error_of(record: Record, seat: int, tile: Tile, robbing: bool, rules: Ruleset) -> int:
    """Return the error (``kernels.win``) that keeps ``seat`` from winning on ``tile`` now; 0 for none."""
    array = np.zeros(1, layout.WIN)
    write_win(record, seat, tile, robbing, int(record.indicators), array[0])
    return int(score_records(array, rules)[0, layout.ERROR])


def _win(record: Record, seat: int, tile: Tile, packed: Any, rules: Ruleset) -> Win:
    bits = int(packed.situation)
    flags: dict[str, Any] = {name: bool(bits & bit) for name, bit in SITUATION.items()}
    tiles = concealed(record, seat)
    if flags["tsumo"]:
        tiles.remove(tile)
        flags["first_turn"] = flags["first_turn"] and not record.melds[seat]
    riichi, sources = _riichi(bits), sources_of(int(record.match.seats))
    return Win(
        Hand(tuple(tiles), melds(record, seat)),
        tile,
        source=None if flags["tsumo"] else sources[int(packed.source) - 1],
        round=WIND_NAMES[int(packed.round_wind)],
        seat=WIND_NAMES[int(packed.seat)],
        riichi=riichi,
        dora=indicators(record),
        ura=revealed_ura(record, seat, rules),
        honba=int(packed.honba),
        deposits=int(packed.deposits),
        laid=int(packed.laid),
        dealer_streak=int(packed.streak),
        kita=int(packed.kita),
        pao=_liable(packed, sources),
        wareme=WIND_NAMES[int(packed.wareme) - 1] if packed.wareme else None,
        score=int(packed.score),
        discarded=tuple(map(TILES.__getitem__, record.river[seat][: int(record.discards[seat])].tolist())),
        **flags,
    )


def _riichi(bits: int) -> RiichiKind | None:
    if not bits & layout.IN_RIICHI:
        return None
    double = bits & layout.IN_DOUBLE_RIICHI
    if bits & layout.IN_OPEN_RIICHI:
        return "double_open" if double else "open"
    return "double" if double else "riichi"


def _liable(packed: Any, sources: tuple[Source, ...]) -> dict[str, Source]:
    pairs = zip(packed.liable_yaku.tolist(), packed.liable_seat.tolist(), strict=True)
    return {_YAKU[yaku]: sources[seat - 1] for yaku, seat in pairs if yaku < YAKU_BITS}


def revealed_ura(record: Record, seat: int, rules: Ruleset) -> tuple[Tile, ...]:
    """Return the ura indicators revealed by the winner's riichi."""
    if not record.riichi[seat] or not rules.dora.ura:
        return ()
    return ura_indicators(record) if rules.dora.kan_ura else ura_indicators(record)[:1]
