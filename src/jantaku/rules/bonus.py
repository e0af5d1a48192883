"""What adds han and is no yaku, by the names that scores and records give it. No yaku has such an id."""

from typing import Final

BONUS: Final = ("dora", "ura_dora", "red_dora", "kita", "kan_han")
