"""Random rulesets: a preset with some of the options changed that the value of a win depends on."""

from collections.abc import Sequence
from random import Random
from typing import Any

from jantaku.errors import RulesError
from jantaku.rules import Ruleset, catalogue, load
from support.presets import FOUR

REDS: tuple[dict[str, int], ...] = (
    {}, {"5m": 1, "5p": 1, "5s": 1}, {"5m": 1, "5p": 2, "5s": 1}, {"3m": 1, "3p": 2, "3s": 1},
    {"7m": 2, "9p": 4, "1s": 1},
)  # fmt: skip
CHOICES: dict[str, tuple[Any, ...]] = {
    "tiles.red": REDS,
    "dora.kan_dora": (True, False),
    "dora.ura": (True, False),
    "dora.kan_ura": (True, False),
    "calls.kuitan": (True, False),
    "calls.sakizuke": ("atozuke", "kanzen"),
    "riichi.deposit": (0, 500, 1000),
    "riichi.double": (True, False),
    "riichi.ippatsu": (True, False),
    "riichi.sticks_to": ("any_winner", "riichi_winner"),
    "riichi.open": (True, True, False),
    "riichi.open_han": (1, 2, 3, 5, 13),
    "riichi.open_deal_in": ("normal", "yakuman"),
    "win.two_han_from_honba": (0, 1, 3, 5),
    "score.one_han_20_fu": (True, False),
    "score.zero_han_win": ("none", "counted"),
    "score.double_wind_pair_fu": (2, 4),
    "score.rinshan_tsumo_fu": (True, False),
    "score.kiriage_mangan": (True, False),
    "score.kazoe": ("yakuman", "sanbaiman", "multiples"),
    "score.multiple_yakuman": (True, False),
    "score.limit_yaku": ("at_least", "adds", "caps"),
    "score.tenhou_wait": ("drawn", "best"),
    "score.honba_value": (0, 100, 300, 1000, 1500),
    "win.suukantsu_by_kan": (True, False),
    "deal.paarenchan": ("off", "from_eighth", "every_eighth"),
    "pao.yakuman": (
        (), ("daisangen", "daisuushii"), ("daisangen", "daisuushii", "suukantsu"),
        ("daisangen", "daisuushii", "suukantsu", "suurenkou"), ("suukantsu",),
    ),
    "pao.tsumo": ("all", "equal_shares"),
    "pao.ron": ("half", "equal_shares"),
    "pao.scope": ("that_yakuman_only", "whole_hand"),
    "pao.honba": ("discarder", "liable"),
    "pao.rinshan_after_daiminkan": ("normal", "feeder_pays"),
    "score.fixed_fu": (0, 0, 20, 30),
    "score.wareme": ("off", "hand", "hand_and_honba"),
    "score.kan_han": (0, 1, 2),
    "score.aotenjou": (False, False, True),
    "riichi.shiro_pocchi": ("off", "ippatsu", "always", "always"),
}  # fmt: skip
OF_THREE: dict[str, tuple[Any, ...]] = {
    "tiles.red": ({}, {"5p": 1, "5s": 1}, {"5p": 2, "3s": 1}, {"1m": 1, "9m": 2}),
    "kita.nukidora": (True, False),
    "kita.han": (0, 1, 2),
    "score.missing_share": ("lost", "split", "in_proportion", "plus_1000"),
}
WORTHS = (
    False, 0, 1, 2, 3, 5, 8, 13, "mangan", "haneman", "baiman", "sanbaiman", "yakuman",
    "double_yakuman",
)  # fmt: skip
CONDITIONS = ("none", "none", "tsumo", "man", "pin", "hatsu", "not_furiten")
FORMS = {name for e in catalogue().values() if e.form_of for name in (e.id, e.form_of)}
YAKU = tuple(name for name in catalogue() if name != "nagashi_mangan")


def random_rules(seed: int, presets: Sequence[str] = FOUR) -> Ruleset:
    """A preset with up to half of its scoring options changed and up to ten yaku revalued."""
    rng = Random(seed)
    choices = CHOICES if presets is FOUR else CHOICES | OF_THREE
    while True:
        changes = {path: rng.choice(values) for path, values in choices.items() if rng.random() < 0.4}
        for name in rng.sample(YAKU, rng.choice((0, 0, 2, 5, 10))):
            changes |= _revalued(rng, name)
        try:
            return load(rng.choice(presets)).with_changes(changes, name=f"random-{seed}")
        except RulesError:  # the changes contradict each other
            continue


def _revalued(rng: Random, name: str) -> dict[str, Any]:
    """New settings for one yaku; one that makes hands complete stays a yaku."""
    worth = rng.choice(WORTHS)
    changes: dict[str, Any] = {f"yaku.{name}.closed": worth}
    changes[f"yaku.{name}.open"] = rng.choice((worth, worth, rng.choice(WORTHS)))
    if rng.random() < 0.2:
        changes[f"yaku.{name}.only"] = rng.choice(CONDITIONS)
    if rng.random() < 0.2:
        changes[f"yaku.{name}.minimum"] = rng.random() < 0.5
    if name not in FORMS and rng.random() < 0.2:
        changes[f"yaku.{name}.replaces"] = tuple(rng.sample(YAKU, 2))
    return changes
