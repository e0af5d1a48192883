"""Compiling everything once, so that the first real call is fast; and clearing out old caches."""

import contextlib
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from jantaku.adjudication import analysis, batch
from jantaku.adjudication.explain import explain, explain_failure
from jantaku.adjudication.score import score
from jantaku.adjudication.several import score_nagashi
from jantaku.errors import HandError
from jantaku.hand import Hand, Win
from jantaku.kernels._jit import COMPILED, PARTS, cache_dir
from jantaku.kernels.lookup import shanten_tables
from jantaku.tiles import Tile, counts

OLD_DAYS: Final = 30
_DAY_S: Final = 86_400
_OURS = re.compile(rf"({'|'.join(PARTS)})-[0-9a-f]{{16}}")

_TENPAI = Hand.parse("234m567p345678s9p")
_DRAWN = Hand.parse("234m567p345678s9p1z")
_WIN = Win.parse("234m567p345678s9p 9p", tsumo=True)
_REFUSED = (Win.parse("234m567p345678s9p 9p"), Win.parse("234m567p345678s9p 1p"))


def _explain() -> None:
    explain(score(_WIN))
    for win in _REFUSED:
        try:
            score(win)
        except HandError as error:
            explain_failure(win, "standard", error)


def _many_hands() -> None:
    """The functions over arrays, for one hand each."""
    tenpai, drawn = (np.array([counts(hand.tiles)], np.uint8) for hand in (_TENPAI, _DRAWN))
    batch.shanten(tenpai)
    batch.waits(tenpai)
    batch.effective(tenpai)
    batch.discards(drawn)
    batch.score(batch.win_records([_WIN]))


def _waits() -> None:
    analysis.waits(_TENPAI)
    analysis.wait_form(_TENPAI)
    analysis.effective_tiles(_TENPAI)
    analysis.is_furiten(_TENPAI, [Tile(0)])
    analysis.riichi_ankan_allowed(Hand.parse("234m567p3488s111z"), Tile(27))


# What is compiled by each call, later ones building on earlier ones; the words for a step are
# ``cli.warm.KEY``.
STEPS: Final[tuple[tuple[str, Callable[[], object]], ...]] = (
    ("tables", shanten_tables),
    ("shanten", lambda: (analysis.shanten(_TENPAI), analysis.shanten_forms(_TENPAI))),
    ("waits", _waits),
    ("discards", lambda: analysis.best_discards(_DRAWN)),
    ("score", lambda: (score(_WIN), score_nagashi("east"))),
    ("readings", lambda: analysis.readings(_WIN)),
    ("explain", _explain),
    ("batch", _many_hands),
)


def _mark() -> Path:
    """The file that says that everything, up to the bots, has been compiled."""
    return cache_dir("bots") / "complete"


def is_compiled() -> bool:
    """Whether all compiled code is there to be loaded, or none is wanted."""
    return not COMPILED or _mark().is_file()


def note_compiled() -> None:
    """Remember that everything is compiled; nothing happens where the cache cannot be written."""
    with contextlib.suppress(OSError):
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()


def old_caches(days: float = OLD_DAYS) -> list[Path]:
    """Cache folders of other versions that nobody has written to for so long."""
    current, limit = {cache_dir(part) for part in PARTS}, time.time() - days * _DAY_S
    found = (path for path in cache_dir().parent.iterdir() if _OURS.fullmatch(path.name))
    return sorted(p for p in found if p not in current and p.is_dir() and p.stat().st_mtime < limit)


def prune(days: float = OLD_DAYS) -> int:
    """Remove those folders; how many there were."""
    found = old_caches(days)
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return len(found)
