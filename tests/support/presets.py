"""The names of the presets for four and for three players."""

from typing import Final

from jantaku.rules import load, preset_names

FOUR: Final = tuple(name for name in preset_names() if load(name).match.players == 4)
THREE: Final = tuple(name for name in preset_names() if load(name).match.players == 3)
