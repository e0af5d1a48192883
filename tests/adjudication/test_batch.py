"""Batches give the same results as single hands; errors name the wrong array."""

from random import Random
from typing import Any

import numpy as np
import pytest

from conftest import random_counts, scale
from jantaku import (
    Hand,
    HandError,
    Meld,
    RequestError,
    Win,
    best_discards,
    effective_tiles,
    score,
    shanten,
    waits,
)
from jantaku.adjudication import batch
from jantaku.hand import WIND_NAMES
from jantaku.kernels import win as layout
from jantaku.tiles import KINDS, Tile

PON = Meld.parse("pon", "777z")
WINS = [
    Win.parse("234m567p345678s9p 9p", tsumo=True),
    Win.parse("234m567p345678s9p 9p"),
    Win.parse("234m567p345678s9p 8p"),
    Win.parse("19m19p19s1234567z 1z", tsumo=True, seat="east"),
    Win.parse("345m40677p67s 8s", [Meld.parse("chi", "340m")], seat="north", dora="4s", honba=2),
    Win.parse("22334455667m77s 7m", riichi="riichi", ura="3m", furiten=True),
    Win.parse("111222333m44p99s 9s", tsumo=True, round="south"),
]


def hands(drawn: bool, seed: int) -> tuple[list[Hand], batch.Bytes, batch.Bytes, batch.Bytes]:
    rng = Random(seed)
    hands: list[Hand] = []
    for _ in range(scale(300)):
        melds = rng.choice((0, 0, 1))
        concealed = random_counts(rng, melds, drawn)
        if melds and concealed[33] > 1:
            continue
        tiles = tuple(Tile(kind) for kind in range(KINDS) for _ in range(concealed[kind]))
        hands.append(Hand(tiles, (PON,) * melds))
    counts = np.array([[list(h.tiles).count(Tile(k)) for k in range(KINDS)] for h in hands], np.uint8)
    held = np.array([[list(h.all_tiles).count(Tile(k)) for k in range(KINDS)] for h in hands], np.uint8)
    return hands, counts, np.array([len(h.melds) for h in hands], np.uint8), held


@pytest.mark.parametrize("drawn", [False, True])
def test_shanten(drawn: bool) -> None:
    wins, counts, melds, _ = hands(drawn, 1)
    result = batch.shanten(counts, melds)
    assert result.dtype == np.int8
    assert result.shape == (len(wins),)
    assert result.tolist() == [shanten(hand) for hand in wins]


def test_waits_and_effective() -> None:
    wins, counts, melds, held = hands(False, 2)
    waited, effective = batch.waits(counts, melds, held), batch.effective(counts, melds, held)
    assert waited.dtype == effective.dtype == np.bool_
    for i, hand in enumerate(wins):
        assert set(np.flatnonzero(waited[i])) == {wait.tile for wait in waits(hand)}
        assert set(np.flatnonzero(effective[i])) == set(effective_tiles(hand, in_melds=True))


def test_discards() -> None:
    """Arrays do not list the tiles of melds, so shanten assumes that ``draw.wait_in_melds`` is on."""
    wins, counts, melds, held = hands(True, 3)
    after, effective = batch.discards(counts, melds, held)
    assert after.dtype == np.int8
    assert effective.shape == (len(wins), KINDS, KINDS)
    assert (after[counts == 0] == 99).all()
    for i, hand in enumerate(wins):
        for discard in best_discards(hand, in_melds=True):
            assert after[i, discard.tile] == discard.shanten
            assert set(np.flatnonzero(effective[i, discard.tile])) == set(discard.tiles)


def test_melds_and_held_are_optional() -> None:
    hand = Hand.parse("23456s222333z44m")
    counts = np.array([[list(hand.tiles).count(Tile(k)) for k in range(KINDS)]] * 2, np.uint8)
    assert batch.shanten(counts).tolist() == [0, 0]
    assert [np.flatnonzero(row).tolist() for row in batch.waits(counts)] == [[18, 21, 24]] * 2
    assert batch.waits(np.asfortranarray(counts)).sum() == 6
    assert batch.shanten(counts[:0]).shape == (0,)


@pytest.mark.parametrize("rules", ["standard", "tenhou"])
def test_score(rules: str) -> None:
    result = batch.score(batch.win_records(WINS), rules)
    for i, win in enumerate(WINS):
        try:
            value = score(win, rules)
        except HandError:
            assert result.error[i] != layout.NO_ERROR
            assert result.points[i] == 0
            assert not result.payments[i].any()
            continue
        assert result.error[i] == layout.NO_ERROR
        assert result.points[i] == value.points
        paid = dict(zip(WIND_NAMES, result.payments[i].tolist(), strict=True))
        assert {seat: paid[seat] for seat in value.payments} == value.payments
        assert (result.han[i] or None, result.fu[i] or None) == (value.han, value.fu)
        assert result.yakuman[i] == value.yakuman
        assert layout.LIMITS[result.limit[i]] == value.limit
        assert int(result.yaku[i]).bit_count() == len(value.counted())


def test_errors_are_codes() -> None:
    result = batch.score(batch.win_records(WINS))
    assert result.error[:4].tolist() == [
        layout.NO_ERROR, layout.NO_YAKU, layout.NOT_COMPLETE, layout.NO_ERROR]  # fmt: skip
    assert result.error[5] == layout.FURITEN
    assert batch.score(batch.win_records([])).points.shape == (0,)


THIRTEEN = np.zeros((1, KINDS), np.uint8)
THIRTEEN[0, :13] = 1
FIVE = np.zeros((1, KINDS), np.uint8)
FIVE[0, :4] = 5, 4, 4, 0


@pytest.mark.parametrize(
    ("hands", "melds", "held", "field"),
    [
        ([[0] * KINDS], None, None, "hands"),
        (THIRTEEN.astype(np.int64), None, None, "hands"),
        (THIRTEEN[0], None, None, "hands"),
        (THIRTEEN[:, :33], None, None, "hands"),
        (FIVE, None, None, "hands"),
        (THIRTEEN + 1, None, None, "hands"),
        (THIRTEEN, np.ones(1, np.uint8), None, "hands"),
        (THIRTEEN, np.zeros(2, np.uint8), None, "melds"),
        (THIRTEEN, np.full(1, 5, np.uint8), None, "melds"),
        (THIRTEEN, None, np.zeros((2, KINDS), np.uint8), "held"),
        (THIRTEEN, None, FIVE, "held"),
    ],
)
def test_bad_hands(hands: Any, melds: Any, held: Any, field: str) -> None:
    for function in (batch.waits, batch.effective):
        with pytest.raises(RequestError) as caught:
            function(hands, melds, held)
        assert (caught.value.code, caught.value.field) == ("bad_array", field)


def test_batch_discards_need_fourteen_tiles() -> None:
    with pytest.raises(RequestError) as caught:
        batch.discards(THIRTEEN)
    assert caught.value.field == "hands"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("win_kind", 34),
        ("win_kind", 33),
        ("seat", 4),
        ("round_wind", 9),
        ("source", 4),
        ("dora", 34),
        ("liable_yaku", 60),
        ("meld", 6),
        ("meld", [0, 1, 0, 0]),
        ("meld_first", 34),
        ("hand", 5),
    ],
)
def test_bad_records(field: str, value: object) -> None:
    records = batch.win_records(WINS[:1]).copy()
    records[field] = value
    with pytest.raises(RequestError) as caught:
        batch.score(records)
    assert caught.value.code == "bad_array"
    assert caught.value.field in (f"records.{field}", "hands")


def test_records_of_a_wrong_type_are_refused() -> None:
    wrong: list[Any] = [[], np.zeros(3), np.zeros((1, 1), layout.WIN)]
    for records in wrong:
        with pytest.raises(RequestError) as caught:
            batch.score(records)
        assert caught.value.field == "records"
