"""Sources of han that are not yaku, by their names in scores and records. No yaku may have such an id."""

from typing import Final

BONUS: Final = ("dora", "ura_dora", "red_dora", "kita", "kan_han")
