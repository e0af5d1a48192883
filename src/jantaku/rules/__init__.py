"""Rulesets: options, presets, the yaku catalogue, and how a rules file is read and checked."""

from jantaku.rules.catalogue import YakuEntry, YakuValue, catalogue
from jantaku.rules.rules_files import check_file, load_file
from jantaku.rules.ruleset import Ruleset, load, load_kept, preset_names

__all__ = [
    "Ruleset",
    "YakuEntry",
    "YakuValue",
    "catalogue",
    "check_file",
    "load",
    "load_file",
    "load_kept",
    "preset_names",
]
