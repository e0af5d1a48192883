"""An open riichi reveals the tiles that form its wait (inventory 149–150)."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from conftest import scale
from jantaku.game.engine import context, shown_tiles
from jantaku.game.view import view_of
from jantaku.kernels.engine.sight import kinds_to_show, waits_shown
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.waits import waits
from jantaku.kernels.win import ANKAN
from jantaku.tiles import format_tiles, parse_tiles
from support.table import Table

RULES = {"riichi.open": True}
PLAIN = {"indicators": "2p2p", "ura": ""}


def shown(hand: str) -> str:
    table = Table(RULES, {"E": hand}, "8p", **PLAIN).play("E open_riichi 8p")
    return format_tiles(shown_tiles(table.game, 0) or ())


@pytest.mark.parametrize(
    ("hand", "seen"),
    [
        ("11123m456p789s11z", "11123m11z"),  # the example in the text of the rule (inventory 150)
        ("11123m456p789s55p", "11123m45556p"),
        ("123m456p789s99p24s", "24789s"),
        ("123m456p789s9p555z", "4569p"),  # the honours are not part of the wait
        ("123m456p789s555z3z", "3z"),
        ("123m456p789s55z33z", "33z55z"),
        ("23m456p789s55z333z", "23m"),
        ("1133m66p2299s44z5z", "5z"),  # seven pairs waiting for an honour
        ("2233m66p2299s44z4m", "22334m66p2299s44z"),  # showing only 22334m would imply a wait for 1m and 4m
        ("19m19p19s1234567z", "19m19p19s1234567z"),
        ("19m19p19s1123456z", "19m19p19s1123456z"),
        ("340m456p789s99p22s", "45699p22789s"),
    ],
)
def test_tiles_shown_by_open_riichi(hand: str, seen: str) -> None:
    assert sorted(parse_tiles(shown(hand))) == sorted(parse_tiles(seen))


def random_tenpai(rng: Random) -> tuple[list[int], list[int], int]:
    """Return a closed tenpai hand: counts of concealed tiles, the kinds of ankans, a mask of the waits."""
    while True:
        kans = rng.sample(range(34), rng.choice((0, 0, 0, 1, 2, 3, 4)))
        left = Counter({kind: 4 for kind in range(34) if kind not in kans})
        counts = _grow(rng, left, 4 - len(kans))
        if counts is None:
            continue
        held = np.array(counts, np.uint8)
        for kind in kans:
            held[kind] += 4
        waited = int(waits(np.array(counts, np.uint8), held, len(kans), shanten_tables()))
        if waited:
            return counts, kans, waited


def _grow(rng: Random, left: Counter[int], sets: int) -> list[int] | None:
    """Return the counts of ``sets`` sets and a pair, or of seven pairs, with one tile missing."""
    groups: list[list[int]] = []
    suits = rng.choice(((0,), (0, 9), (0, 9, 18)))
    if sets == 4 and rng.random() < 0.15:
        groups = [[kind] * 2 for kind in rng.sample([*range(9), *range(27, 34), *range(9, 18)], 7)]
    else:
        for _ in range(sets):
            if rng.random() < 0.6:
                low = rng.choice(suits) + rng.randrange(7)
                groups.append([low, low + 1, low + 2])
            else:
                groups.append([rng.choice([*range(27, 34), *(s + r for s in suits for r in range(9))])] * 3)
        groups.append([rng.choice([*range(27, 34), *(s + r for s in suits for r in range(9))])] * 2)
    tiles = [kind for group in groups for kind in group]
    tiles.remove(rng.choice(tiles))
    counts = [0] * 34
    for kind in tiles:
        counts[kind] += 1
    return None if any(count > left[kind] for kind, count in enumerate(counts)) else counts


@pytest.mark.slow
def test_the_shown_tiles_determine_the_wait() -> None:
    """This assumes that the tiles not shown are sets and perhaps a pair."""
    rng, hidden = Random(3), 0
    for _ in range(scale(3000)):
        counts, kans, wait = random_tenpai(rng)
        game = np.zeros(1, GAME)[0]
        game.hand[0] = counts
        game.waits[0], game.melds[0], game.melds_count = wait, len(kans), 1
        for index, kind in enumerate(kans):
            game.meld[0, index], game.meld_first[0, index] = ANKAN, kind
        kinds = int(kinds_to_show(game, 0, context()))
        seen = np.array([n if kinds >> kind & 1 else 0 for kind, n in enumerate(counts)], np.uint8)
        deduced = int(waits_shown(seen, len(kans), context()))
        assert deduced & ~sum(1 << kind for kind in kans) == wait, (counts, kans)
        hidden += int(seen.sum()) < sum(counts)
    assert hidden > scale(3000) // 4


def test_open_riichi_does_not_show_later_draws() -> None:
    table = Table(RULES, {"E": "123m456p789s99p24s"}, "7z 8m 8m 8m 5s", **PLAIN)
    table.play("E open_riichi 7z", "-", "-", "-")
    assert format_tiles(shown_tiles(table.game, 0) or ()) == "24789s"
    assert view_of(table.game, 1, ()).shown[0] == shown_tiles(table.game, 0)


def test_a_kan_in_open_riichi_reveals_no_more_tiles() -> None:
    hand = {"E": "123m456p777z99p24s"}
    table = Table(RULES, hand, "8m 1p 1p 1p 7z", rinshan="1m", **PLAIN)
    table.play("E open_riichi 8m", "-", "-", "-", "E ankan 7z")
    assert format_tiles(shown_tiles(table.game, 0) or ()) == "24s"


@pytest.mark.parametrize("in_melds", [False, True])
def test_a_wait_for_tiles_of_a_kan_reveals_only_its_suit(in_melds: bool) -> None:
    hand = {"E": "45666m456p789s55z"}
    table = Table({**RULES, "draw.wait_in_melds": in_melds}, hand, "6m", rinshan="9m", **PLAIN)
    table.play("E ankan 6m", "E open_riichi 9m")
    assert format_tiles(shown_tiles(table.game, 0) or ()) == "45m"


def test_an_ordinary_riichi_reveals_nothing() -> None:
    table = Table(RULES, {"E": "123m456p789s99p24s"}, "7z", **PLAIN).play("E riichi 7z")
    assert shown_tiles(table.game, 0) is None
    assert int(table.game.shown[0]) == 0
