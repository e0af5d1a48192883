"""Changes that make a condition on a ruleset false."""

from typing import Any, get_args

from jantaku.rules.check import choices_of, hints
from jantaku.rules.options import SECTIONS

Changes = dict[str, Any]

ALONG: dict[tuple[str, Any], Changes] = {
    ("dora.ura", False): {"dora.kan_ura": False},
    ("dora.kan_dora", False): {"dora.kan_ura": False},
    ("draw.sanchahou", False): {"win.multiple_ron": "all"},
    ("win.multiple_ron", "head_bump"): {"draw.sanchahou": False},
    ("match.players", 4): {"match.uma": (20000, 10000, -10000, -20000)},
    ("deal.renchan", "none"): {"end.agari_yame": "optional", "end.tenpai_yame": "optional"},
}
"""Further changes that an option needs to avoid a contradiction."""
NO_SUCH_WORTH: dict[str, Changes] = {
    "0": {"yaku.pinfu.closed": 1},
    "limit": {"yaku.renhou.closed": False},
    "double_yakuman": {},  # no open yaku has this value in the standard rules
}


def lacking(condition: str) -> Changes:
    """Return changes that make ``condition`` false."""
    changes: Changes = {}
    for alternative in condition.split("|"):
        first = alternative.split("&")[0].strip()
        changes |= _without_yaku(first) if first.startswith("yaku.") else _without(first)
    return changes


def _without_yaku(term: str) -> Changes:
    path, _, wanted = term.removeprefix("yaku.").partition("=")
    name, _, side = path.partition(".")
    if name == "*":
        return NO_SUCH_WORTH[wanted]
    if wanted:
        return {f"yaku.{name}.{side}": 2}
    return {f"yaku.{name}.{way}": False for way in ([side] if side else ["closed", "open"])}


def _without(term: str) -> Changes:
    path, sign, wanted = term.partition("=")
    path, differs = path.removesuffix("!"), path.endswith("!")
    section, name = path.split(".")
    hint = hints(SECTIONS[section])[name]
    if differs:
        value: Any = next(choice for choice in (*choices_of(hint), 0) if str(choice) == wanted)
    elif sign:
        choices = (True, False) if hint is bool else choices_of(hint)
        value = next(choice for choice in choices if str(choice) != wanted)
    else:
        value = False if hint is bool else "off" if "off" in get_args(hint) else {} if name == "red" else []
    return {path: value, **ALONG.get((path, value if not isinstance(value, list | dict) else ""), {})}
