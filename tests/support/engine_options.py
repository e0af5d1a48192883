"""The options the engine reads, with the values that tests try."""

from typing import Any

OPTIONS: dict[str, tuple[Any, ...]] = {
    "match.length": ("east", "hanchan"),
    "dora.ankan_reveal": ("at_once", "after_discard"),
    "dora.minkan_reveal": ("before_draw", "before_discard", "after_discard"),
    "dora.delayed_dora_counts_for_ron": (True, False),
    "calls.kuikae": ("forbidden", "suji_allowed", "allowed"),
    "calls.kuitan": (True, False),
    "calls.sakizuke": ("atozuke", "kanzen"),
    "calls.kan_limit_one_player": (True, False),
    "riichi.needs_points": (True, False),
    "riichi.draws_left": (0, 1, 2),
    "riichi.ankan": ("never", "same_waits", "same_structure"),
    "riichi.furiten_allowed": (True, False),
    "riichi.double": (True, False),
    "riichi.ippatsu_broken_by_ankan": (True, False),
    "riichi.open": (True, False),
    "riichi.sticks_to": ("any_winner", "riichi_winner"),
    "riichi.stick_when_declaration_is_ronned": ("kept", "paid"),
    "riichi.deposit": (0, 1000, 2000),
    "furiten.temporary_until": ("own_draw", "own_draw_or_call"),
    "furiten.riichi_permanent": (True, False),
    "win.deposits_to": ("nearest", "split", "own_first"),
    "win.honba_to": ("nearest", "each"),
    "win.kokushi_on_ankan": (True, False),
    "win.two_han_from_honba": (0, 1),
    "score.honba_value": (0, 300, 1500),
    "draw.noten_payment": (0, 1000, 3000),
    "draw.kyuushu_kyuuhai": (True, False),
    "draw.suukansanra": (True, False),
    "draw.suukansanra_at": ("after_discard", "at_once"),
    "draw.dealer_after_abort": ("stays", "passes"),
    "draw.nagashi_mangan": ("off", "as_draw", "as_win"),
    "deal.renchan": ("tenpai", "agari", "none"),
    "end.tobi": ("off", "below_zero"),
    "end.agari_yame": ("off", "optional", "forced"),
    "end.tenpai_yame": ("off", "optional", "forced"),
    "end.extension": ("none", "sudden_death"),
    "end.leftover_deposits": ("first", "nobody", "riichi_owner"),
    "pao.rinshan_after_daiminkan": ("normal", "feeder_pays"),
    "yaku.tsubame_gaeshi.closed": (False, 1),
    "yaku.renhou.closed": (False, "mangan", "yakuman"),
}
MULTIPLE_RON = ("head_bump", "all", "double_triple_draw", "nearest_two", "head_bump_triple_draw")


def without_contradictions(changes: dict[str, Any], multiple_ron: str) -> dict[str, Any]:
    """Random changes, with the options that they depend on."""
    return changes | {
        "win.multiple_ron": multiple_ron,
        "draw.sanchahou": multiple_ron.endswith("triple_draw"),
        "draw.suukansanra": changes["draw.suukansanra"] or not changes["calls.kan_limit_one_player"],
    }
