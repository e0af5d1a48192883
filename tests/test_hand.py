"""Hands, melds and wins: valid values, and positions of errors in invalid ones."""

import pickle
from typing import Any

import numpy as np
import pytest

from jantaku import Hand, HandError, JantakuError, Meld, NotationError, RequestError, Win
from jantaku.adjudication.jsonl import answer
from jantaku.errors import RulesError, RulesFileError
from jantaku.hand import MeldType
from jantaku.tiles import Tile, parse_tiles
from jantaku.win import MAX_DORA

PON, CHI, ANKAN = (
    Meld.parse("pon", "555z"), Meld.parse("chi", "345p"), Meld.parse("ankan", "9999s")
)  # fmt: skip

GOOD_MELDS = [
    ("chi", "340m", "4m", "left", True), ("chi", "789s", "9s", None, True),
    ("pon", "055p", "0p", "across", True), ("pon", "777z", None, None, True),
    ("ankan", "1111z", None, None, False), ("daiminkan", "0555s", "5s", "right", True),
    ("kakan", "9999m", "9m", "left", True),
]  # fmt: skip
BAD_MELDS = [
    *(("chi", run, None, "no_run") for run in ("135m", "891m", "12m3p", "123z", "9m12p", "333m")),
    ("pon", "556m", None, "not_alike"), ("pon", "5555m", None, "meld_size"),
    ("ankan", "555m", None, "meld_size"), ("kakan", "5556m", None, "not_alike"),
    ("chi", "12m", None, "meld_size"), ("chi", "345m", "6m", "called_not_in_meld"),
    ("chi", "345m", "0m", "called_not_in_meld"), ("pon", "55x", None, "unknown_suit"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "tiles", "called", "source", "is_open"), GOOD_MELDS)
def test_melds(kind: str, tiles: str, called: str, source: Any, is_open: bool) -> None:
    meld = Meld.parse(kind, tiles, called, source)
    assert (meld.type, meld.is_open, meld.source) == (MeldType(kind), is_open, source)
    assert meld.first == min(tile % 34 for tile in meld.tiles)
    assert str(meld).startswith(kind)


@pytest.mark.parametrize(("kind", "tiles", "called", "code"), BAD_MELDS)
def test_no_melds(kind: str, tiles: str, called: str | None, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        Meld.parse(kind, tiles, called)
    assert caught.value.code == code
    assert caught.value.source


def test_unknown_meld() -> None:
    with pytest.raises(RequestError, match="not a type of meld") as caught:
        Meld.parse("kan", "5555m")
    assert caught.value.field == "melds"


SIZES = [
    ("123m456p789s1122z", [], True), ("123m456p789s11222z", [], True), ("123m", [], False),
    ("123456789m123456p", [], False), ("1z", [PON, CHI, ANKAN, Meld.parse("pon", "111m")], True),
    ("11z", [PON, CHI, ANKAN, Meld.parse("pon", "111m")], True), ("123m456p789s1z", [PON], True),
    ("123m456p789s", [PON], False), ("123m456p789s11z", [PON], True), ("", [PON] * 5, False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "melds", "fits"), SIZES)
def test_sizes(text: str, melds: list[Meld], fits: bool) -> None:
    if fits:
        hand = Hand.parse(text, melds)
        assert len(hand.all_tiles) == len(hand.tiles) + sum(len(meld.tiles) for meld in melds)
        return
    with pytest.raises(NotationError) as caught:
        Hand.parse(text, melds)
    assert caught.value.code == ("hand_size_melds" if melds else "hand_size")


COPIES = [
    ("55555m123p456s11z", 4), ("05555m12p456s111z", 4), ("3r3333m12p456s111z", 5),
    ("5z555p5z456s5z111z5z5z", 20),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position"), COPIES)
def test_errors_point_at_a_fifth_copy(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        Hand.parse(text)
    assert (caught.value.code, caught.value.position) == ("fifth_copy", position)


def test_a_fifth_copy_in_a_meld_or_the_winning_tile() -> None:
    with pytest.raises(NotationError, match="5 times"):
        Hand.parse("5z123m456p789s", [Meld.parse("daiminkan", "5555z")])
    with pytest.raises(NotationError, match="5 times"):
        Win(Hand.parse("1111m456p789s567s"), Tile(0))
    with pytest.raises(NotationError, match="9s appears 5 times"):
        Hand.parse("1239s456p555z", [ANKAN])


CLASHES: list[tuple[str, dict[str, Any], tuple[Meld, ...]]] = [
    ("riichi", {"riichi": "riichi"}, (PON,)),
    ("ippatsu", {"ippatsu": True}, ()),
    ("rinshan", {"rinshan": True, "tsumo": True}, ()),
    ("rinshan", {"rinshan": True}, (ANKAN,)),
    ("chankan", {"chankan": True, "tsumo": True}, ()),
    ("first_turn", {"first_turn": True}, (PON,)),
    ("first_turn", {"first_turn": True, "tsumo": True}, (ANKAN,)),
    ("first_turn", {"first_turn": True, "riichi": "double"}, ()),
    ("first_turn", {"first_turn": True, "seat": "east"}, ()),
    ("first_turn", {"first_turn": True, "seat": "south", "source": "right"}, ()),
    ("first_turn", {"first_turn": True, "discarder_riichi": True}, ()),
    ("chankan", {"chankan": True, "first_turn": True}, ()),
    ("chankan", {"chankan": True, "discarder_riichi": True}, ()),
    ("last_tile", {"last_tile": True, "riichi": "double", "ippatsu": True}, ()),
    ("turn", {"riichi": "riichi", "turn": 1}, ()),
    ("turn", {"riichi": "double", "ippatsu": True, "turn": 3}, ()),
    ("turn", {"turn": 1}, (PON,)),
    ("discarded", {"discarded": tuple(parse_tiles("9m9m4s")), "dora": "9m"}, ()),
    ("discarder_riichi", {"discarder_riichi": True, "tsumo": True}, ()),
    ("last_tile", {"last_tile": True, "chankan": True}, ()),
    ("last_tile", {"last_tile": True, "first_turn": True}, ()),
    ("last_tile", {"last_tile": True, "rinshan": True, "tsumo": True}, (ANKAN,)),
    ("riichi_tile", {"riichi_tile": True, "tsumo": True}, ()),
    ("riichi_tile", {"riichi_tile": True, "chankan": True}, ()),
    ("from", {"tsumo": True, "source": "left"}, ()),
    ("ura", {"ura": "1m"}, ()),
    ("dealer_streak", {"dealer_streak": 3}, ()),
    ("honba", {"honba": -1}, ()),
    ("honba", {"honba": 10_001}, ()),
    ("deposits", {"deposits": -1}, ()),
]
CONCEALED = {0: "123m456p678s99m23p", 1: "123m456p99m23p"}


@pytest.mark.parametrize(("field", "situation", "melds"), CLASHES)
def test_contradictory_circumstances_are_refused(
    field: str, situation: dict[str, Any], melds: tuple[Meld, ...]
) -> None:
    with pytest.raises(RequestError) as caught:
        Win.parse(f"{CONCEALED[len(melds)]} 1p", melds, **situation)
    assert (caught.value.field, caught.value.code) == (field, f"clash_{field}")
    assert caught.value.message("ko") != caught.value.message("ja")


@pytest.mark.parametrize("value", ["ron", "no", None, 2])
@pytest.mark.parametrize("field", ["tsumo", "last_tile", "furiten"])
def test_a_circumstance_is_true_or_false(field: str, value: object) -> None:
    """Other values would silently count as true or false."""

    def win(situation: dict[str, Any]) -> Win:
        return Win.parse(f"{CONCEALED[0]} 1p", **situation)

    with pytest.raises(RequestError) as caught:
        win({field: value})
    assert (caught.value.field, caught.value.code) == (field, "wrong_type")
    assert win({field: np.bool_(True)}) == win({field: True})


@pytest.mark.parametrize("field", ["dora", "ura"])
def test_too_many_indicators(field: str) -> None:
    situation: dict[str, Any] = {"riichi": "riichi", field: "1s" * (MAX_DORA + 1)}
    with pytest.raises(RequestError) as caught:
        Win.parse(f"{CONCEALED[0]} 1p", **situation)
    assert (caught.value.field, caught.value.code) == (field, "too_many_indicators")


@pytest.mark.parametrize(
    ("field", "dora", "ura", "kita"),
    [
        ("dora", "9m9m9m", "", 0),
        ("dora", "9m9m", "9m", 0),
        ("ura", "1z2z3z", "9m9m9m", 0),
        ("dora", "5z5z5z5z5z", "", 0),
        ("ura", "1z", "4z", 4),
    ],
)
def test_a_fifth_tile_of_a_kind_as_an_indicator(field: str, dora: str, ura: str, kita: int) -> None:
    with pytest.raises(RequestError) as caught:
        Win.parse(f"{CONCEALED[0]} 1p", dora=dora, ura=ura, riichi="riichi", kita=kita)
    assert (caught.value.field, caught.value.code) == (field, "fifth_indicator")
    assert Win.parse(f"{CONCEALED[0]} 1p", dora="9m9m", riichi="riichi").dora  # two more are in the hand


@pytest.mark.parametrize(("text", "code"), [("", "no_tiles"), ("123m 1p", "win_size_text")])
def test_win_text(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        Win.parse(text)
    assert caught.value.code == code


def test_values_are_comparable_hashable_and_immutable() -> None:
    one, other = (Hand.parse(f"{space}123m456p789s1122z") for space in ("", " "))
    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(AttributeError):
        one.tiles = ()  # type: ignore[misc]
    assert Win.parse("123m456p789s1122z 1z") == Win.parse("123m456p789s1122z1z")
    assert Hand.parse("123m456p789s1122z").is_closed
    assert not Hand.parse("123m456p789s1z", [PON]).is_closed
    assert Hand.parse("123m456p789p1z", [ANKAN]).is_closed
    assert "pon 555z" in str(Hand.parse("123m456p789s1z", [PON]))


ERRORS: list[JantakuError] = [
    NotationError("unknown_tile", source="x", position=0, character="x"),
    RequestError("clash_ura", field="ura"),
    RulesError("out_of_range", path="riichi.deposit", value=-1, low=0, high=1),
    HandError("no_yaku"),
    RulesFileError("rules_file", source="f", problems=[RulesError("return_below_start", path="f")]),
]


@pytest.mark.parametrize("error", ERRORS)
def test_errors_survive_a_process_boundary(error: JantakuError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (copy.code, str(copy), copy.message("ko")) == (
        error.code, str(error), error.message("ko"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "source", "possible"),
    [
        ("standard", "left", True),
        ("standard", "across", False),
        ("standard-3", "across", True),  # East, in a game of three
        ("standard-3", "right", False),
    ],
)
def test_south_may_win_in_the_first_turn_only_from_east(rules: str, source: str, possible: bool) -> None:
    request = {"hand": "19m19p19s123456z1z", "win": "7z", "by": "ron", "seat": "south"}
    reply = answer({**request, "rules": rules, "from": source, "first_turn": True})
    assert reply.get("error", {}).get("field") == (None if possible else "first_turn")


ROBBED: list[tuple[str, str, dict[str, Any], bool]] = [
    ("123m456p678s99m23p", "1p", {}, True),
    ("123m456p678s99m23p", "4p", {}, False),  # 4p is also in the hand
    ("123m456p678s99m23p", "1p", {"dora": "1p"}, False),
    ("123m456p678s99m23p", "1p", {"riichi": "riichi", "dora": "8s", "ura": "1p"}, False),
    ("123m456p678s99m23p", "1p", {"discarded": tuple(parse_tiles("1p"))}, False),
    ("19m19p19s1234567z", "1m", {}, False),  # all thirteen kinds, so one of them is in the hand itself
    ("19m19p19s123456z1z", "7z", {}, True),
    ("19m19p19s123456z1z", "7z", {"first_turn": True}, True),  # a concealed kan
    ("19m19p19s1234567z", "4z", {}, True),  # a north set aside
    ("19m19p19s1234567z", "4z", {"kita": 1}, True),
]


@pytest.mark.parametrize(("hand", "tile", "situation", "possible"), ROBBED)
def test_a_robbed_kan_has_all_four_tiles(
    hand: str, tile: str, situation: dict[str, Any], possible: bool
) -> None:
    given = {"chankan": True, **situation}
    if possible:
        assert Win.parse(f"{hand} {tile}", **given).chankan
        return
    with pytest.raises(RequestError) as caught:
        Win.parse(f"{hand} {tile}", **given)
    assert (caught.value.field, caught.value.code) == ("chankan", "robbed_copy")
