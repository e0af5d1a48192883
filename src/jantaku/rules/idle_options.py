"""Dependencies between options: ``without_effect`` finds settings of a ruleset that have no effect.

``NEEDS`` has the conditions (see ``gates``) under which options that depend on others have an effect.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku.errors import RulesError
from jantaku.rules.catalogue import YakuEntry, YakuValue, catalogue
from jantaku.rules.fingerprints import same
from jantaku.rules.gates import gate_open, value_at
from jantaku.rules.options import SECTIONS

_FOUR = "match.players=4"
_ABORTS = f"draw.kyuushu_kyuuhai | draw.suufuu_renda & {_FOUR} | draw.suucha_riichi | draw.suukansanra"
_SEVERAL_RON = "win.multiple_ron=all | win.multiple_ron=nearest_two | win.multiple_ron=double_triple_draw"
_LATE = "dora.ankan_reveal=after_discard | dora.minkan_reveal=after_discard"
_CHIPS = "chips.value!=0"
_LIMITS = "score.aotenjou=False"
_RIICHI = "yaku.riichi | riichi.without_yaku"
_PINFU_AT_1_HAN = " | ".join(
    f"yaku.pinfu.closed={pinfu} & yaku.menzen_tsumo.closed={tsumo}"
    for pinfu, tsumo in ((0, 0), (0, 1), (0, False), (1, 0), (1, False))
)

NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "match.yakitori_to": ("match.yakitori!=0",),
    "chips.ippatsu": (_CHIPS, "riichi.ippatsu", "yaku.ippatsu"),
    "chips.red": (_CHIPS, "tiles.red"),
    "chips.red_open": (_CHIPS, "chips.red!=0", "tiles.red"),
    "chips.ura": (_CHIPS, "dora.ura", _RIICHI),
    "chips.yakuman_ron": (_CHIPS, _LIMITS),
    "chips.yakuman_tsumo": (_CHIPS, _LIMITS),
    "chips.tobi": (_CHIPS, "end.tobi!=off"),
    "chips.tobi_to": (_CHIPS, "end.tobi!=off", "chips.tobi!=0"),
    "chips.first": (_CHIPS,),
    "kita.han": ("kita.nukidora",),
    "kita.discard": ("kita.nukidora",),
    "kita.ron": ("kita.nukidora",),
    "kita.chankan": ("kita.nukidora", "kita.ron!=never"),
    "kita.rinshan": ("kita.nukidora",),
    "kita.breaks_ippatsu": ("kita.nukidora", "riichi.ippatsu", "yaku.ippatsu"),
    "kita.breaks_first_turn": ("kita.nukidora",),
    "score.missing_share": ("match.players!=4",),
    "deal.paarenchan": ("deal.renchan!=none",),
    "dora.kan_ura": ("dora.ura", "dora.kan_dora", _RIICHI),
    "score.one_han_20_fu": ("score.fixed_fu=0", _PINFU_AT_1_HAN),
    "score.double_wind_pair_fu": ("score.fixed_fu=0",),
    "score.kiriage_mangan": ("score.fixed_fu=30 | score.fixed_fu=0", _LIMITS),
    "score.kazoe": (_LIMITS,),
    "score.multiple_yakuman": (_LIMITS,),
    "score.rinshan_tsumo_fu": ("score.fixed_fu=0",),
    "score.zero_han_win": ("yaku.*=0",),
    "score.limit_yaku": ("yaku.*=limit",),
    "dora.ankan_reveal": ("dora.kan_dora",),
    "dora.minkan_reveal": ("dora.kan_dora",),
    "dora.delayed_dora_counts_for_ron": ("dora.kan_dora", _LATE),
    "riichi.needs_points": ("riichi.deposit!=0 | end.tobi=off", _RIICHI),
    "riichi.without_yaku": ("yaku.riichi.closed=False",),
    "riichi.short_wall": ("riichi.draws_left!=0", _RIICHI),
    "riichi.double_broken_by_ankan": ("riichi.double", "yaku.double_riichi"),
    "riichi.ippatsu_broken_by_ankan": ("riichi.ippatsu", "yaku.ippatsu"),
    "riichi.open_han": ("riichi.open", "yaku.open_riichi"),
    "riichi.open_deal_in": ("riichi.open", "yaku.open_riichi"),
    "riichi.sticks_to": ("riichi.deposit!=0",),
    "riichi.stick_when_declaration_is_ronned": ("riichi.deposit!=0", _RIICHI),
    "win.deposits_to": (_SEVERAL_RON, "riichi.deposit!=0"),
    "win.honba_to": (_SEVERAL_RON, "score.honba_value!=0"),
    "draw.suukansanra_at": ("draw.suukansanra",),
    "draw.suucha_riichi_noten": ("draw.suucha_riichi", _RIICHI),
    "draw.dealer_after_abort": (_ABORTS,),
    "draw.suufuu_renda": (_FOUR,),
    "draw.sanchahou": (_FOUR,),
    "draw.dealer_after_triple_ron": ("draw.sanchahou", _FOUR),
    "draw.honba_after_abort": (f"{_ABORTS} | draw.sanchahou & {_FOUR}",),
    "draw.nagashi_needs_closed": ("draw.nagashi_mangan", "yaku.nagashi_mangan"),
    "end.agari_yame": ("deal.renchan!=none",),
    "end.tenpai_yame": ("deal.renchan=tenpai",),
    "end.dealer_stop_points": ("end.agari_yame!=off | end.tenpai_yame!=off",),
    "end.extension_target": ("end.extension!=none",),
    "end.leftover_deposits": ("riichi.deposit!=0",),
    "pao.tsumo": ("pao.yakuman",),
    "pao.ron": ("pao.yakuman",),
    "pao.scope": ("pao.yakuman", _LIMITS, "score.multiple_yakuman | yaku.*.open=double_yakuman"),
    "pao.honba": ("pao.yakuman", "score.honba_value!=0"),
    "fouls.chombo_points": ("fouls.chombo!=mangan",),
    "fouls.exhausted_riichi": ("riichi.exhausted_wait=foul", _RIICHI),
    "fouls.genbutsu_kuikae": ("calls.kuikae!=allowed",),
    "fouls.suji_kuikae": ("calls.kuikae=forbidden", "calls.chi"),
    "fouls.late_riichi": ("riichi.draws_left!=0", _RIICHI),
    "riichi.deposit": (f"{_RIICHI} | fouls.mode=penalise",),
    "dora.ura": (_RIICHI,),
    "riichi.draws_left": (_RIICHI,),
    "riichi.ankan": (_RIICHI,),
    "riichi.exhausted_wait": (_RIICHI,),
    "riichi.furiten_allowed": (_RIICHI,),
    "riichi.double": ("yaku.riichi",),
    "riichi.ippatsu": ("yaku.riichi",),
    "riichi.open": (_RIICHI,),
    "riichi.shiro_pocchi": (_RIICHI,),
    "furiten.riichi_permanent": (_RIICHI,),
    "draw.suucha_riichi": (_RIICHI,),
    "fouls.false_win_in_riichi": (_RIICHI,),
    "fouls.noten_riichi": (_RIICHI,),
    "fouls.riichi_withdrawn": (_RIICHI,),
    "fouls.illegal_riichi_ankan": (_RIICHI,),
}
"""The conditions, by option, that must all hold for the option to have an effect."""

SWITCHES: Final[dict[str, str]] = {
    "calls.kuitan": "yaku.tanyao.open",
    "deal.paarenchan": "yaku.paarenchan",
    "draw.nagashi_mangan": "yaku.nagashi_mangan",
    "kita.chankan": "yaku.chankan",
    "kita.rinshan": "yaku.rinshan_kaihou | score.rinshan_tsumo_fu=False",
    "riichi.double": "yaku.double_riichi",
    "riichi.ippatsu": "yaku.ippatsu",
    "win.suukantsu_by_kan": "yaku.suukantsu",
}
"""Options that enable a yaku, and the condition without which they are as good as off."""

ONLY_ON: Final = frozenset(
    {"deal.paarenchan", "dora.kan_ura", "draw.sanchahou", "draw.suufuu_renda", *SWITCHES}
)
"""Options that may be turned off without a warning if their conditions do not hold."""

CLOSED_ONLY: Final = frozenset(
    {
        "riichi", "double_riichi", "open_riichi", "double_open_riichi", "open_riichi_deal_in", "ippatsu",
        "menzen_tsumo", "chiitoitsu", "shiisan_puutaa", "renhou", "tenhou", "chiihou", "kokushi_musou",
        "kokushi_juusanmen", "chuuren_poutou", "junsei_chuuren", "suuankou", "suuankou_tanki", "shousharin",
        "daisharin", "daichisei",
    }
)  # fmt: skip
"""Yaku that are impossible with an open meld, whatever their value."""


def without_effect(
    rules: Any, given: Mapping[str, Any] | None = None, parent: Any = None
) -> Iterator[RulesError]:
    """Yield a warning for each option or yaku setting that differs from its default but has no effect.

    ``given`` has the options that a rules file sets, by path, and ``parent`` the rules that it extends. With
    them, only changes made by the file are reported.
    """
    for path in {**NEEDS, **SWITCHES}:
        needs = (*NEEDS.get(path, ()), *((SWITCHES[path],) if path in SWITCHES else ()))
        value = value_at(rules, path)
        if given is None:
            changed = value != _default(path)
        else:
            changed = path in given and not (same(given[path], value) and same(value, value_at(parent, path)))
        if path in ONLY_ON and (given or {}).get(path, value) in (False, "off"):
            continue
        for need in needs if changed else ():
            if not gate_open(need, rules):
                yield RulesError("no_effect", path=path, needs=_as_text(need))
    for entry in catalogue().values():
        for problem in _idle_settings(entry, rules.yaku[entry.id], rules):
            if given is None or problem.path in given:
                yield problem


def _default(path: str) -> Any:
    section, name = path.split(".")
    return getattr(SECTIONS[section](), name)


def _idle_settings(entry: YakuEntry, value: YakuValue, rules: Any) -> Iterator[RulesError]:
    usual, path = entry.value, f"yaku.{entry.id}"
    changed = (value.closed, value.open) != (usual.closed, usual.open)
    counts = value.closed is not False or value.open is not False
    if changed and counts and not gate_open(entry.gate, rules):
        yield RulesError("no_effect", path=f"{path}.closed", needs=_as_text(entry.gate))
    if value.open not in (usual.open, False) and not gate_open(entry.open_gate, rules):
        yield RulesError("no_effect", path=f"{path}.open", needs=_as_text(entry.open_gate))
    if entry.han_from and type(value.closed) is int:
        han = value_at(rules, entry.han_from) + entry.han_plus
        if value.closed not in (usual.closed, han):
            yield RulesError("han_from_option", path=f"{path}.closed", option=entry.han_from)
    if entry.id in CLOSED_ONLY and value.open is not False:
        yield RulesError("never_open", path=f"{path}.open")
    off = (value.closed, value.open) == (False, False)
    for name in ("replaces", "minimum", "only") if off and entry.id != "nagashi_mangan" else ():
        if getattr(value, name) != getattr(usual, name):
            yield RulesError("no_effect", path=f"{path}.{name}", needs=f"{path}.closed")
    if entry.id == "nagashi_mangan":
        for name in ("open", "replaces", "minimum", "only"):
            if getattr(value, name) != getattr(usual, name):
                yield RulesError("nagashi_setting", path=f"{path}.{name}")


def _as_text(condition: str) -> str:
    """Return a condition in the notation of rules files."""
    words = condition.replace(" | ", " / ").replace("=", " = ").replace("! = ", " ≠ ")
    return words.replace("= False", "= false")
