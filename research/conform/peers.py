"""The evaluators of RiichiEnv and of PyPI's ``mahjong``, called with our cases."""

from functools import cache
from typing import Any, Final

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld
from riichienv import _riichienv as core

from jantaku.records.mjlog.log import TENHOU_YAKU
from jantaku.records.mjlog.wins import ROUND_WIND, SEAT_WIND
from research.conform.cases import Case, Worth
from research.conform.wins import payments

WINDS: Final = (core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North)
EAST: Final = 27
FIRST_DORA: Final = TENHOU_YAKU.index("dora")
_MELDS: Final = {
    "chi": riichienv.MeldType.Chi, "pon": riichienv.MeldType.Pon, "ankan": riichienv.MeldType.Ankan,
    "daiminkan": riichienv.MeldType.Daiminkan, "kakan": riichienv.MeldType.Kakan,
}  # fmt: skip


@cache
def tenhou_names(numbers: tuple[int, ...]) -> frozenset[str]:
    """Return the yaku with these Tenhou numbers, without dora."""
    return frozenset(
        "seat_wind" if SEAT_WIND <= number < ROUND_WIND else TENHOU_YAKU[number]
        for number in numbers
        if number < FIRST_DORA
    )


@cache
def _numbers_of_riichienv() -> dict[int, int]:
    return {yaku.id: yaku.tenhou_id for yaku in riichienv._riichienv.get_all_yaku()}


def by_riichienv(case: Case, players: int) -> Worth | None:
    """Score a win with RiichiEnv's evaluator for three or four players."""
    tiles, melds, win = case.numbers()
    made = [
        riichienv.Meld(_MELDS[call], sorted(numbers), call != "ankan", 1)
        for (call, _), numbers in zip(case.melds, melds, strict=True)
    ]
    conditions = core.Conditions(
        tsumo=case.tsumo, riichi=case.riichi > 0, double_riichi=case.riichi > 1, ippatsu=case.ippatsu,
        haitei=case.last_tile and case.tsumo, houtei=case.last_tile and not case.tsumo,
        rinshan=case.rinshan, chankan=case.chankan, tsumo_first_turn=case.first_turn and case.tsumo,
        player_wind=WINDS[case.seat], round_wind=WINDS[case.round_wind], riichi_sticks=0,
        honba=case.honba, kita_count=case.kita, is_sanma=players == 3, num_players=players,
    )  # fmt: skip
    evaluator: Any = core.HandEvaluator3P if players == 3 else core.HandEvaluator
    dora, ura = [4 * kind for kind in case.dora], [4 * kind for kind in case.ura]
    value = evaluator(tiles, made).calc(win, dora, ura, conditions)
    if not value.is_win:
        return None
    known = _numbers_of_riichienv()
    yaku = tenhou_names(tuple(sorted(known[number] for number in value.yaku)))
    paid = payments(case, players, value.tsumo_agari_oya, value.tsumo_agari_ko, value.ron_agari)
    yakuman = value.han // 13 if value.yakuman else 0
    return Worth(value.han, value.fu, yakuman, yaku, paid)


@cache
def _options(players: int, double: bool) -> OptionalRules:
    return OptionalRules(
        has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=double,
        limit_to_sextuple_yakuman=False, is_three_player=players == 3,
    )  # fmt: skip


def by_mahjong(case: Case, players: int, *, double: bool) -> Worth | None:
    """Score a win with ``mahjong``, with or without double yakuman."""
    tiles, melds, win = case.numbers()
    made = [
        Meld("kan" if len(numbers) == 4 else call, numbers, call != "ankan")
        for (call, _), numbers in zip(case.melds, melds, strict=True)
    ]
    config = HandConfig(
        is_tsumo=case.tsumo, is_riichi=case.riichi == 1, is_daburu_riichi=case.riichi > 1,
        is_ippatsu=case.ippatsu, is_rinshan=case.rinshan, is_chankan=case.chankan,
        is_haitei=case.last_tile and case.tsumo, is_houtei=case.last_tile and not case.tsumo,
        is_tenhou=case.first_turn and case.seat == 0, is_chiihou=case.first_turn and case.seat != 0,
        player_wind=EAST + case.seat, round_wind=EAST + case.round_wind, tsumi_number=case.honba,
        num_nuki_dora=case.kita, options=_options(players, double),
    )  # fmt: skip
    value = HandCalculator.estimate_hand_value(
        [*tiles, *(tile for numbers in melds for tile in numbers)], win, made,
        [4 * kind for kind in case.dora], config, ura_dora_indicators=[4 * kind for kind in case.ura],
    )  # fmt: skip
    if value.error:
        return None
    cost: Any = value.cost
    main, child = (cost[name] + cost[f"{name}_bonus"] for name in ("main", "additional"))
    numbers = tuple(sorted(YAKU_ID_TO_TENHOU_ID[yaku.yaku_id] for yaku in value.yaku or ()))
    paid = payments(case, players, main, child, main)
    opened = any(call != "ankan" for call, _ in case.melds)
    worths = (yaku.han_open if opened else yaku.han_closed for yaku in value.yaku or () if yaku.is_yakuman)
    yakuman = sum((han or 0) // 13 for han in worths)
    return Worth(value.han or 0, value.fu or 0, yakuman, tenhou_names(numbers), paid)
