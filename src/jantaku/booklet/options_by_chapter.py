"""The assignment of options to chapters of the booklet.

A new option appears automatically in the chapter of its section, unless ``KAN`` moves it.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from jantaku.rules.options import SECTIONS

KAN: Final = (
    "dora.kan_dora",
    "dora.ankan_reveal",
    "dora.minkan_reveal",
    "dora.delayed_dora_counts_for_ron",
    "dora.kan_ura",
    "calls.ankan_display",
    "calls.kan_limit_one_player",
    "draw.suukansanra",
    "draw.suukansanra_at",
    "riichi.ankan",
    "riichi.double_broken_by_ankan",
    "riichi.ippatsu_broken_by_ankan",
    "score.rinshan_tsumo_fu",
    "win.kokushi_on_ankan",
    "win.suukantsu_by_kan",
    "pao.rinshan_after_daiminkan",
)
"""The options about kan, which belong to several sections of the rules file."""

SECTIONS_OF: Final[dict[str, tuple[str, ...]]] = {
    "calls": ("calls",),
    "riichi": ("riichi", "furiten"),
    "kan": (),
    "dora": ("tiles", "dora", "kita"),
    "wins": ("win", "pao"),
    "draws": ("draw", "deal"),
    "fouls": ("fouls",),
    "points": ("score",),
    "final": ("match", "end", "chips"),
    "event": ("event", "clock"),
}
"""The sections of the rules file in each chapter."""

GLANCE: Final = (
    "match.players",
    "match.length",
    "match.start_points",
    "match.return_points",
    "match.uma",
    "match.floating_uma",
    "match.oka",
    "match.yakitori",
    "chips.value",
    "tiles.red",
    "kita.nukidora",
    "calls.kuitan",
    "calls.sakizuke",
    "calls.kuikae",
    "riichi.ippatsu",
    "dora.ura",
    "dora.kan_dora",
    "riichi.open",
    "win.multiple_ron",
    "win.two_han_from_honba",
    "deal.renchan",
    "draw.nagashi_mangan",
    "score.kiriage_mangan",
    "score.kazoe",
    "end.tobi",
    "end.top_points",
    "end.extension",
)
"""The options that players ask about first."""

FIXED: Final[dict[str, dict[str, str]]] = {
    "riichi": {"open_shown": "yaku.riichi & riichi.open | riichi.without_yaku & riichi.open"},
    "kan": {"closed_kan": ""},
    "draws": {"empty_wall": ""},
    "fouls": {"ron_stands": ""},
}
"""Notes on fixed rules that players ask about, by chapter, with the condition on the ruleset for each."""

LIABLE: Final = "pao.yakuman | pao.rinshan_after_daiminkan=feeder_pays"
ADDED: Final[dict[str, str]] = {
    "match.uma": "final.uma!=0",
    "match.oka": "final.oka!=0",
    "chips.value": "chips.value!=0",
    "match.yakitori": "match.yakitori!=0",
}
"""Options that change the points at the end of the game, with the condition for each."""
NOTHING_ADDED: Final = tuple(condition.replace("!=0", "=0") for condition in ADDED.values())

STEPS: Final[dict[str, str]] = {
    "seats": "",
    "deal": "",
    "turn": "",
    "aim": "",
    "yaku": "",
    "calls": "calls.chi",
    "pon": "calls.chi=False",
    "kan": "",
    "riichi": "yaku.riichi & riichi.deposit!=0 | riichi.without_yaku & riichi.deposit!=0",
    "free_riichi": "yaku.riichi & riichi.deposit=0 | riichi.without_yaku & riichi.deposit=0",
    "win": LIABLE,
    "plain_win": "pao.yakuman=() & pao.rinshan_after_daiminkan=normal",
    "furiten": "",
    "kita": "kita.nukidora",
    "draw": "draw.noten_payment!=0",
    "dealer": "deal.renchan!=none & score.honba_value!=0",
    "plain_dealer": "deal.renchan!=none & score.honba_value=0",
    "passing_dealer": "deal.renchan=none & score.honba_value!=0",
    "plain_passing_dealer": "deal.renchan=none & score.honba_value=0",
    "end": " | ".join(ADDED.values()),
    "plain_end": " & ".join(NOTHING_ADDED),
}
"""The steps of "how to play", with the condition on the rules for each."""


def paths_of(chapter: str) -> Iterator[str]:
    """Yield the options of a chapter in order."""
    if chapter == "kan":
        yield from KAN
    for section in SECTIONS_OF[chapter]:
        for item in fields(SECTIONS[section]):
            path = f"{section}.{item.name}"
            if path not in KAN:
                yield path
