"""Wins packed into records for compiled code."""

import dataclasses
import itertools
import pickle
from inspect import signature
from typing import Any

import numpy as np
import pytest

import jantaku
from jantaku.adjudication.win_records import SITUATION, packed, win_records
from jantaku.hand import Meld
from jantaku.kernels import win as layout
from jantaku.win import RARE

QUAD = Meld.parse("ankan", "1111z")
# The fields that a win needs for a flag to be possible
NEEDED: dict[str, dict[str, Any]] = {
    "ippatsu": {"riichi": "riichi"},
    "rinshan": {"tsumo": True, "melds": [QUAD]},
}


def won(melds: Any = None, **situation: Any) -> jantaku.Win:
    tiles = "234m567p67s99p 8s" if melds else "111z234m567p67s99p 8s"
    return jantaku.Win.parse(tiles, melds or [], **situation)


@pytest.mark.parametrize("name", SITUATION)
def test_a_flag_is_stored_and_sets_its_own_bit(name: str) -> None:
    needed = NEEDED.get(name, {})
    without, made = won(**needed), won(**needed, **{name: True})
    for other in SITUATION:
        assert getattr(made, other) is (other == name or getattr(without, other))
    assert made != without
    bits = win_records([without, made])["situation"].tolist()
    assert bits[1] - bits[0] == SITUATION[name]
    assert pickle.loads(pickle.dumps(made)) == made


def test_every_flag_has_its_own_bit() -> None:
    assert set(RARE) < set(SITUATION)
    for one, other in itertools.combinations(SITUATION.values(), 2):
        assert one & other == 0


def test_a_packed_win_equals_its_record() -> None:
    chi, pon = Meld.parse("chi", "340m", "4m", "left"), Meld.parse("pon", "999s", "9s", "right")
    win = jantaku.Win.parse(
        "67p555z44p 8p",
        [chi, pon],
        source="left",
        seat="east",
        round="south",
        dora="1m 0p",
        honba=2,
        deposits=3,
        laid=1,
        dealer_streak=4,
        pao={"daisangen": "right"},
    )
    record = win_records([win])[0]
    assert record["hand"].tolist() == [0] * 12 + [2, 0, 1, 1, 1] + [0] * 14 + [3, 0, 0]
    assert record["meld"].tolist() == [layout.CHI, layout.PON, layout.NO_MELD, layout.NO_MELD]
    assert record["meld_first"].tolist()[:2] == [2, 26]
    assert [record[name] for name in ("win_kind", "seat", "round_wind", "source", "red")] == [16, 0, 1, 3, 1]
    assert record["dora"].tolist() == [0, 13, *[layout.NO_TILE] * 3]
    assert record["ura"].tolist() == [layout.NO_TILE] * 5
    assert [record[name] for name in ("honba", "deposits", "laid", "streak")] == [2, 3, 1, 4]
    assert record["liable_seat"].tolist() == [1, layout.NOBODY, layout.NOBODY]
    assert packed(win) == record.tobytes()
    assert win_records([]).shape == (0,)


def test_an_empty_pao_equals_none() -> None:
    without, empty = won(), won(pao={})
    assert without.pao is None
    assert empty.pao is None
    assert without == empty
    assert packed(without) == packed(empty)


@pytest.mark.parametrize("more", [(True,), ("riichi",), (None, True), (False, None, "east")])
def test_circumstances_of_a_win_are_keyword_only(more: tuple[Any, ...]) -> None:
    win = won()
    with pytest.raises(TypeError, match="keyword-only"):
        jantaku.Win(win.hand, win.tile, *more)
    assert jantaku.Win(win.hand, win.tile, tsumo=True).tsumo
    by_name = [it.name for it in signature(jantaku.Win).parameters.values() if it.kind is it.KEYWORD_ONLY]
    assert by_name == [field.name for field in dataclasses.fields(win) if field.init][2:]


@pytest.mark.parametrize("ura", ["", "1p", "1p2p3p4p9p"])
def test_ura_indicators_may_be_given_without_dora(ura: str) -> None:
    assert won(riichi="riichi", ura=ura).ura == tuple(jantaku.parse_tiles(ura))


def test_records_are_new_each_time() -> None:
    win = won()
    first = win_records([win])
    first["honba"] = 5
    assert np.array_equal(win_records([win])["honba"], [0])
