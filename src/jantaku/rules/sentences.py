"""Descriptions of options and yaku, in general or under one ruleset.

The term tables have three parts for an option: ``about`` is true for every value, ``hint`` is for authors of
rules, and ``more`` has sentences that apply under some rules only. For a yaku these are ``definition``,
``varies`` and ``more``.
"""

from collections.abc import Mapping
from typing import Any, Final

from jantaku import terms
from jantaku.rules.gates import gate_open
from jantaku.rules.ruleset import Ruleset
from jantaku.terms import Language

_KITA: Final = "kita.nukidora"
_NAGASHI: Final = "yaku.nagashi_mangan & draw.nagashi_mangan"

OF_OPTIONS: Final[dict[str, dict[str, str]]] = {
    "match.tie": {"shared": "match.tie=share"},
    "match.final_rounding": {"rounded": "match.final_rounding!=none"},
    "match.yakitori": {
        "nagashi_wins": f"match.yakitori!=0 & {_NAGASHI}=as_win",
        "nagashi_draws": f"match.yakitori!=0 & {_NAGASHI}=as_draw",
    },
    "match.yakitori_to": {"first": "match.yakitori_to=first"},
    "chips.yakuman_ron": {"kazoe": "score.kazoe!=sanbaiman"},
    "tiles.man": {"missing": "tiles.man!=all"},
    "tiles.red": {"dora": "tiles.red"},
    "tiles.dead_wall": {"kan": "kita.nukidora=False", "kita": _KITA},
    "dora.minkan_reveal": {"another": "dora.minkan_reveal=after_discard"},
    "calls.kuikae": {"suji": "calls.chi"},
    "calls.sakizuke": {"kanzen": "calls.sakizuke=kanzen"},
    "calls.kan_limit_one_player": {"fifth": "calls.kan_limit_one_player=False"},
    "kita.nukidora": {"details": _KITA},
    "riichi.ankan": {"structure": "riichi.ankan=same_structure"},
    "riichi.furiten_allowed": {"tsumo": "riichi.furiten_allowed"},
    "riichi.stick_when_declaration_is_ronned": {"no_riichi": "riichi.stick_when_declaration_is_ronned=kept"},
    "riichi.sticks_to": {"final_hand": "riichi.sticks_to=riichi_winner"},
    "win.multiple_ron": {
        "head_bump": "win.multiple_ron=head_bump | win.multiple_ron=head_bump_triple_draw",
        "nearest_two": "win.multiple_ron=nearest_two & match.players=4",
    },
    "win.deposits_to": {"nearest": "win.deposits_to=nearest", "own_first": "win.deposits_to=own_first"},
    "win.honba_to": {"nearest": "win.honba_to=nearest"},
    "score.one_han_20_fu": {"raised": "score.one_han_20_fu=False"},
    "score.multiple_yakuman": {"highest": "score.multiple_yakuman=False"},
    "score.limit_yaku": {"added": "score.limit_yaku=adds"},
    "score.missing_share": {"proportion": "score.missing_share=in_proportion"},
    "draw.suukansanra_at": {"discard": "draw.suukansanra_at=after_discard"},
    "draw.nagashi_mangan": {
        "as_win": f"{_NAGASHI}=as_win",
        "deal": f"{_NAGASHI}=as_win & deal.renchan!=none",
    },
    "end.extension": {"sudden_death": "end.extension=sudden_death"},
    "pao.tsumo": {"shares": "pao.tsumo=equal_shares"},
    "pao.ron": {"shares": "pao.ron=equal_shares"},
    "fouls.chombo": {"deducted": "fouls.chombo=deduct"},
    "fouls.chombo_points": {"flat": "fouls.chombo=flat"},
    "clock.claim_window_s": {"chi": "calls.chi"},
}
"""Conditions of the sentences in ``more``, by option."""

OF_YAKU: Final[dict[str, dict[str, str]]] = {
    "double_riichi": {
        "ankan": "riichi.double_broken_by_ankan",
        "ankan_allowed": "riichi.double_broken_by_ankan=False",
    },
    "ippatsu": {
        "ankan": "riichi.ippatsu_broken_by_ankan",
        "ankan_allowed": "riichi.ippatsu_broken_by_ankan=False",
        "kita": f"{_KITA} & kita.breaks_ippatsu",
        "kita_allowed": f"{_KITA} & kita.breaks_ippatsu=False",
    },
    "rinshan_kaihou": {"kita": f"{_KITA} & kita.rinshan"},
    "chankan": {
        "kokushi": "win.kokushi_on_ankan",
        "kita": f"{_KITA} & kita.chankan & kita.ron!=never",
    },
    "round_wind": {"both": "yaku.seat_wind"},
    "seat_wind": {"both": "yaku.round_wind"},
    "sanankou": {"open": "yaku.sanankou.open"},
    "sankantsu": {"open": "yaku.sankantsu.open"},
    "suukantsu": {
        "open": "yaku.suukantsu.open",
        "pair": "win.suukantsu_by_kan=False",
        "by_kan": "win.suukantsu_by_kan",
    },
    "paarenchan": {
        "further": "deal.paarenchan=from_eighth",
        "eighths": "deal.paarenchan=every_eighth",
    },
}
"""Conditions of the sentences in ``more``, by yaku."""


def about_option(path: str, language: Language | None = None, rules: Ruleset | None = None) -> str:
    """Describe an option in general or, for a ruleset, with the sentences that apply under it."""
    section, name = path.split(".")
    words = terms.table("options", language or terms.current())[section][name]
    return _joined(words, ("about", "hint"), OF_OPTIONS.get(path, {}), language, rules)


def define_yaku(yaku: str, language: Language | None = None, rules: Ruleset | None = None) -> str:
    """Define a built-in yaku in general or, for a ruleset, with the sentences that apply under it."""
    words = terms.table("yaku", language or terms.current())[yaku]
    return _joined(words, ("definition", "varies"), OF_YAKU.get(yaku, {}), language, rules)


def _joined(
    words: Mapping[str, Any],
    parts: tuple[str, str],
    more: Mapping[str, str],
    language: Language | None,
    rules: Ruleset | None,
) -> str:
    always, without_rules = parts
    sentences = [words[always]]
    if rules is None:
        sentences.append(words.get(without_rules, ""))
    else:
        sentences += [words["more"][key] for key, condition in more.items() if gate_open(condition, rules)]
    return terms.paragraph(sentences, language)
