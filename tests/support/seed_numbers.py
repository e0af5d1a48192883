"""The numbers stated in the rule texts, each as a condition that must be true."""

from collections.abc import Callable
from itertools import pairwise, product

import jantaku
from jantaku.adjudication.rons_and_nagashi import score_nagashi
from jantaku.hand import WIND_NAMES
from jantaku.tiles import COPIES, KINDS
from support.scoring import answer, full

STANDARD, BGM = jantaku.load("standard"), jantaku.load("bgm-2025")


def mangan_tsumo(dealer: bool) -> dict[str, int]:
    paid = score_nagashi("east" if dealer else "west")
    return {seat: paid[seat] for seat in WIND_NAMES}


def chuuren_shapes() -> set[tuple[int, ...]]:
    """Return the 13-tile hands that one tile completes to chuuren, as counts."""
    base = [3, 1, 1, 1, 1, 1, 1, 1, 3]
    shapes = set()
    for more, less in product(range(9), repeat=2):
        held = [count + (i == more) - (i == less) for i, count in enumerate(base)]
        if held[less] >= 0:
            text = "".join(str(i + 1) * count for i, count in enumerate(held))
            request = full({"hand": f"{text}m", "win": f"{less + 1}m"})
            if max(held) <= COPIES and held[less] < COPIES:
                assert "chuuren_poutou" in answer(request, STANDARD)["yaku"]
                shapes.add(tuple(held))
    return shapes


def noten_row(tenpai: int, total: int) -> tuple[int, int]:
    return (total // tenpai, total // (4 - tenpai)) if 0 < tenpai < 4 else (0, 0)


PINFU_5 = {"hand": "123m123p1123344s", "win": "2s"}
NUMBERS: dict[str, Callable[[], object]] = {
    "004-score-5200": lambda: [
        answer(full(PINFU_5 | {"seat": seat}), STANDARD)["points"] for seat in ("south", "east")
    ] == [5200, 7700],
    "004-score-2000": lambda: [
        answer(
            full(PINFU_5 | {"seat": seat}), STANDARD.with_changes({"calls.sakizuke": "kanzen"})
        )["points"]
        for seat in ("south", "east")
    ] == [2000, 2900],
    "004-nagashi": lambda: (
        [mangan_tsumo(dealer=True)[seat] for seat in WIND_NAMES] == [12000, -4000, -4000, -4000]
        and [mangan_tsumo(dealer=False)[s] for s in WIND_NAMES] == [-4000, -2000, 8000, -2000]
    ),
    "004-chuuren-73": lambda: len(chuuren_shapes()) == 73,
    "000-chombo": lambda: (
        STANDARD.fouls.chombo == "mangan"  # the same amounts, paid by the offender
        and mangan_tsumo(dealer=False)["west"] == 4000 + 2000 + 2000
        and mangan_tsumo(dealer=True)["east"] == 3 * 4000
    ),
    "000-noten": lambda: [noten_row(k, STANDARD.draw.noten_payment) for k in range(5)]
    == [(0, 0), (3000, 1000), (1500, 1500), (1000, 3000), (0, 0)],
    "000-oka": lambda: STANDARD.match.oka == "derived"
    and (STANDARD.match.return_points - STANDARD.match.start_points) * 4 == 20000,
    "000-uma-10-30": lambda: min(
        higher - lower for higher, lower in pairwise(jantaku.load("m-league").match.uma)
    ) == 20000,
    "000-sticks": lambda: sum(int(k) * n for k, n in STANDARD.match.sticks.items()) == 25000,
    "002-wall": lambda: KINDS * COPIES - 14 - 4 * 13 == 70,
    "002-uma": lambda: tuple(BGM.match.uma) == (20000, 10000, -10000, -20000),
    "002-reds": lambda: [  # "total 4", but the list adds up to 3 (inventory d1): both are presets
        sum(jantaku.load(name).tiles.red.values())
        for name in ("bgm-2025", "bgm-2025-red7", "bgm-2025-4")
    ] == [3, 3, 4],
}  # fmt: skip
