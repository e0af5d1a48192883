"""Combinations of circumstances of a win are refused if and only if no hand can have them together.

``naive/circumstances.py`` finds the possible circumstances by playing hands out, independently of the checks.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

import jantaku
from jantaku import JantakuError, Meld, Ruleset, Win
from jantaku.adjudication.win_records import check_against_rules
from jantaku.seats import sources_of
from jantaku.win import RiichiKind
from naive.circumstances import BIT, FLAGS, MELDS, SHAPES, Fixed, possible, seat_name

CONCEALED = {
    "none": "123p456p789s99s23s 4s",
    "four_kans": "4s 4s",
    "kokushi": "9m9m19p19s1234567z 1m",
    "north": "123p456p789s111s4z 4z",
}
ONE_MELD = "123p789s99s23s 4s"
MELDS_OF = {
    "none": (),
    "chi": (Meld.parse("chi", "456p"),),
    "pon": (Meld.parse("pon", "555z"),),
    "ankan": (Meld.parse("ankan", "5555z"),),
    "daiminkan": (Meld.parse("daiminkan", "5555z"),),
    "kakan": (Meld.parse("kakan", "5555z"),),
    "four_kans": tuple(Meld.parse("ankan", 4 * text) for text in ("1z", "2z", "3z", "5z")),
}
RIICHI: tuple[RiichiKind | None, ...] = (None, "riichi", "double", "open", "double_open")
TABLES = ("tenhou", "ema-2025", "mahjongsoul-3")
VARIED: dict[str, dict[str, Any]] = {
    "closed kans end nothing": {
        "riichi": {"ippatsu_broken_by_ankan": False, "double_broken_by_ankan": False, "open": True}
    },
    "no kans in riichi": {"riichi": {"ankan": "never", "draws_left": 2}},
    "norths end nothing": {
        "extends": "tenhou-3",
        "kita": {"chankan": True, "breaks_ippatsu": False, "breaks_first_turn": False},
        "riichi": {"ankan": "never"},
    },
}


@cache
def rules_of(name: str) -> Ruleset:
    """Return a preset, or the standard rules with some options changed."""
    return jantaku.load({"extends": "standard", **VARIED[name]} if name in VARIED else name)


def texts(fixed: Fixed) -> tuple[str, tuple[Meld, ...]]:
    if fixed.meld != "none":
        return CONCEALED.get(fixed.meld, ONE_MELD), MELDS_OF[fixed.meld]
    return CONCEALED["none" if fixed.shape == "plain" else fixed.shape], ()


def stated(fixed: Fixed, mask: int, seats: int) -> Win:
    """Return a win with these circumstances."""
    text, melds = texts(fixed)
    flags: dict[str, Any] = {name: True for name, bit in BIT.items() if mask & bit and name != "two_dora"}
    source = sources_of(seats)[fixed.turns - 1] if fixed.turns else None
    return Win.parse(
        text,
        melds,
        tsumo=fixed.turns == 0,
        source=source,
        seat=seat_name(fixed.seat),
        riichi=fixed.riichi,
        kita=int(fixed.kita),
        dora="6z6z" if mask & BIT["two_dora"] else "6z",
        **flags,
    )


def holds(found: int, mask: int) -> bool:
    """Return whether the flags ``found`` include ``mask``.

    With a riichi tile, ``discarder_riichi`` counts only if the mask has ``riichi_tile`` too.
    """
    declaring = found & BIT["riichi_tile"] and not mask & BIT["riichi_tile"]
    return found & mask == mask and not (declaring and mask & BIT["discarder_riichi"])


def refusal(fixed: Fixed, mask: int, rules: Ruleset) -> JantakuError | None:
    try:
        check_against_rules(stated(fixed, mask, rules.match.players), rules)
    except JantakuError as error:
        return error
    return None


def every_fixed(rules: Ruleset) -> Iterator[Fixed]:
    seats = rules.match.players
    hands = [(meld, "plain") for meld in MELDS if meld != "chi" or rules.calls.chi]
    hands += [("none", shape) for shape in SHAPES[1:] if shape != "north" or rules.kita.nukidora]
    for seat, turns, riichi, (meld, shape), kita in product(
        range(seats), (0, None, *range(1, seats)), RIICHI, hands, (False, True)
    ):
        if rules.kita.nukidora or not kita:
            yield Fixed(seat, turns, riichi, meld, shape, kita)


def disagreements(rules: Ruleset, masks: list[int]) -> list[tuple[str, Fixed, list[str]]]:
    """Return the circumstances on which the checks and the oracle disagree."""
    reached, wrong = possible(rules), []
    for fixed in every_fixed(rules):
        for mask in masks:
            ron = fixed.turns != 0
            if ron and mask & BIT["furiten"]:
                continue  # ``score`` always refuses a ron in furiten
            is_possible = any(holds(found, mask) for found in reached.get(fixed, ()))
            error = refusal(fixed, mask, rules)
            if is_possible == (error is not None):
                wrong.append(
                    (
                        "impossible" if error is None else error.code,
                        fixed,
                        [name for name in FLAGS if mask & BIT[name]],
                    )
                )
    return wrong


PAIRS = [0, *BIT.values(), *(one | other for one, other in combinations(BIT.values(), 2))]


SLOWER = [pytest.param(name, marks=pytest.mark.slow) for name in (*TABLES[1:], *VARIED)]


@pytest.mark.parametrize("name", [TABLES[0], *SLOWER])
def test_every_pair(name: str) -> None:
    assert disagreements(rules_of(name), PAIRS) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["standard", "m-league", "tenhou-3", *TABLES, *VARIED])
def test_every_set(name: str) -> None:
    assert disagreements(rules_of(name), list(range(1 << len(FLAGS)))) == []
