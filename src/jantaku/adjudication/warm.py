"""Compiling everything once, so that the first real call is fast; and clearing out old caches."""

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from jantaku.adjudication import analysis
from jantaku.adjudication.records import win_record
from jantaku.adjudication.score import score, score_records
from jantaku.hand import Hand, Win
from jantaku.kernels._jit import cache_dir
from jantaku.kernels.tables import shanten_tables

OLD_DAYS: Final = 30
_DAY_S: Final = 86_400
_OURS = re.compile(r"kernels-[0-9a-f]{16}")

_TENPAI = Hand.parse("234m567p345678s9p")
_WIN = Win.parse("234m567p345678s9p 9p", tsumo=True)


def _score() -> object:
    return score(_WIN)


def _score_many() -> object:
    return score_records(np.concatenate([win_record(_WIN)] * 2))


def _discards() -> object:
    return analysis.best_discards(Hand.parse("234m567p345678s9p1z"))


def _readings() -> object:
    return analysis.wait_form(_TENPAI), analysis.readings(_WIN)


# What is compiled by each call, later ones building on earlier ones; the words for a step are
# ``cli.warm.KEY``.
STEPS: Final[tuple[tuple[str, Callable[[], object]], ...]] = (
    ("tables", shanten_tables),
    ("shanten", lambda: (analysis.shanten(_TENPAI), analysis.shanten_forms(_TENPAI))),
    ("waits", lambda: (analysis.waits(_TENPAI), analysis.effective_tiles(_TENPAI))),
    ("discards", _discards),
    ("score", _score),
    ("batch", _score_many),
    ("readings", _readings),
)


def old_caches(days: float = OLD_DAYS) -> list[Path]:
    """Cache folders of other versions that nobody has written to for so long."""
    current, limit = cache_dir(), time.time() - days * _DAY_S
    found = (path for path in current.parent.glob("kernels-*") if _OURS.fullmatch(path.name))
    return sorted(p for p in found if p != current and p.is_dir() and p.stat().st_mtime < limit)


def prune(days: float = OLD_DAYS) -> int:
    """Remove those folders; how many there were."""
    found = old_caches(days)
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return len(found)
