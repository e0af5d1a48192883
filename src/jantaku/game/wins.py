"""The wins of a hand as the engine's ``Score``, and why a seat may not win."""

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
    """The wins of the hand that has just ended, as the engine settled them, with their seats."""
    for index, seat in enumerate(record.won_by.tolist()):
        if seat != NO_SEAT:
            written = record.wins[index]
            tsumo = int(written.situation) & layout.TSUMO
            tile = TILES[record.drawn if tsumo else record.claimed_tile]
            yield (
                Score(_win(record, seat, tile, written, rules), rules, record.results[index].tobytes()),
                seat,
            )


def error_of(record: Record, seat: int, tile: Tile, robbing: bool, rules: Ruleset) -> int:
    """The error (``kernels.win``) that keeps ``seat`` from winning on ``tile`` now, 0 if there is none."""
    array = np.zeros(1, layout.WIN)
    write_win(record, seat, tile, robbing, int(record.indicators), array[0])
    return int(score_records(array, rules)[0, layout.ERROR])


def _win(record: Record, seat: int, tile: Tile, written: Any, rules: Ruleset) -> Win:
    bits = int(written.situation)
    flags: dict[str, Any] = {name: bool(bits & bit) for name, bit in SITUATION.items()}
    tiles = concealed(record, seat)
    if flags["tsumo"]:
        tiles.remove(tile)
        flags["first_turn"] = flags["first_turn"] and not record.melds[seat]
    riichi, sources = _riichi(bits), sources_of(int(record.match.seats))
    return Win(
        Hand(tuple(tiles), melds(record, seat)),
        tile,
        source=None if flags["tsumo"] else sources[int(written.source) - 1],
        round=WIND_NAMES[int(written.round_wind)],
        seat=WIND_NAMES[int(written.seat)],
        riichi=riichi,
        dora=indicators(record),
        ura=shown_ura(record, seat, rules),
        honba=int(written.honba),
        deposits=int(written.deposits),
        laid=int(written.laid),
        dealer_streak=int(written.streak),
        kita=int(written.kita),
        pao=_liable(written, sources),
        wareme=WIND_NAMES[int(written.wareme) - 1] if written.wareme else None,
        score=int(written.score),
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


def _liable(written: Any, sources: tuple[Source, ...]) -> dict[str, Source]:
    pairs = zip(written.liable_yaku.tolist(), written.liable_seat.tolist(), strict=True)
    return {_YAKU[yaku]: sources[seat - 1] for yaku, seat in pairs if yaku < YAKU_BITS}


def shown_ura(record: Record, seat: int, rules: Ruleset) -> tuple[Tile, ...]:
    """The ura indicators that the winner's riichi reveals."""
    if not record.riichi[seat] or not rules.dora.ura:
        return ()
    return ura_indicators(record) if rules.dora.kan_ura else ura_indicators(record)[:1]
