"""Waits and their forms, effective tiles, discards, furiten and ankan in riichi."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from conftest import random_counts, scale
from jantaku import (
    Hand,
    Meld,
    NotationError,
    RequestError,
    best_discards,
    effective_tiles,
    is_furiten,
    parse_tiles,
    waits,
)
from jantaku.adjudication.analysis import riichi_ankan_allowed, shanten, wait_form
from jantaku.tiles import KINDS, Tile, counts, format_tiles
from naive import shanten as naive

# Hand, melds, name of the waits, kinds with their wait forms (inventory 208–216)
FORMS: list[tuple[str, list[str], str, dict[str, str]]] = [
    ("56m111z222z333z44z", [], "ryanmen", {"4m": "ryanmen", "7m": "ryanmen"}),
    ("88p11z222z333z444z", [], "shanpon", {"8p": "shanpon", "1z": "shanpon"}),
    ("46p111z222z333z44z", [], "kanchan", {"5p": "kanchan"}),
    ("12s111z222z333z44z", [], "penchan", {"3s": "penchan"}),
    ("89m111z222z333z44z", [], "penchan", {"7m": "penchan"}),
    ("5s111z222z333z444z", [], "tanki", {"5s": "tanki"}),
    ("23456s222z333z44z", [], "3_sided", dict.fromkeys(("1s", "4s", "7s"), "ryanmen")),
    ("1234s222z333z444z", [], "nobetan", {"1s": "tanki", "4s": "tanki"}),
    ("2345678p222z333z", [], "3_sided", dict.fromkeys(("2p", "5p", "8p"), "tanki")),
    ("1112m222z333z444z", [], "two_sided_mixed", {"2m": "tanki", "3m": "penchan"}),
    ("1113m222z333z444z", [], "two_sided_mixed", {"2m": "kanchan", "3m": "tanki"}),
    ("1123m222z333z444z", [], "two_sided_mixed", {"1m": "ryanmen tanki", "4m": "ryanmen"}),
    ("2223m222z333z444z", [], "3_sided", {"1m": "ryanmen", "3m": "tanki", "4m": "ryanmen"}),
    ("56m222z44z", ["7777m", "333z"], "ryanmen", {"4m": "ryanmen"}),
    ("88p11z222z", ["789p", "789p"], "shanpon", {"1z": "shanpon"}),
    ("1123m222z", ["4444m", "333z"], "one_sided_mixed", {"1m": "ryanmen tanki"}),
    ("11122233344z55z", [], "shanpon", {"4z": "shanpon", "5z": "shanpon"}),
    ("5s", ["1111m", "2222p", "3333s", "4444z"], "tanki", {"5s": "tanki"}),
    ("1122m3344p5566s7z", [], "tanki", {"7z": "tanki"}),
    ("19m19p19s1234566z", [], "tanki", {"7z": "tanki"}),
    ("19m19p19s1234567z", [], "thirteen_sided", dict.fromkeys(
        ("1m", "9m", "1p", "9p", "1s", "9s", *(f"{n}z" for n in range(1, 8))), "tanki")),
    ("1112345678999s", [], "nine_sided", {
        "1s": "ryanmen shanpon", "2s": "tanki", "3s": "ryanmen penchan", "4s": "ryanmen",
        "5s": "tanki", "6s": "ryanmen", "7s": "ryanmen penchan", "8s": "tanki",
        "9s": "ryanmen shanpon"}),
    ("147m258p369s1234z", [], "", {}),
    ("1111m444p777p123s", [], "", {}),
]  # fmt: skip


def melds_of(texts: list[str]) -> list[Meld]:
    kinds = {1: "pon", 3: "chi"}
    return [Meld.parse("ankan" if len(t) == 5 else kinds[len(set(t[:3]))], t) for t in texts]


@pytest.mark.parametrize(("tiles", "melds", "name", "expected"), FORMS)
def test_wait_forms(tiles: str, melds: list[str], name: str, expected: dict[str, str]) -> None:
    hand = Hand.parse(tiles, melds_of(melds))
    by_tile = {format_tiles([wait.tile]): " ".join(wait.forms) for wait in waits(hand)}
    assert by_tile == expected
    assert wait_form(hand) == name


def test_chuuren_has_73_tenpai_shapes() -> None:
    pure = counts(parse_tiles("1112345678999s"))
    shapes: set[tuple[int, ...]] = set()
    for added in range(18, 27):
        for removed in range(18, 27):
            shape = pure.copy()
            shape[added] += 1
            shape[removed] -= 1
            shapes.add(tuple(shape))
    assert len(shapes) == 73
    nine_sided = 0
    for shape_of in shapes:
        hand = Hand(tuple(Tile(kind) for kind in range(KINDS) for _ in range(shape_of[kind])))
        assert waits(hand)
        nine_sided += wait_form(hand) == "nine_sided"
    assert nine_sided == 1


def test_seen_tiles_reduce_the_copies_left() -> None:
    hand = Hand.parse("56m111z222z333z44z")
    seen = parse_tiles("4444m0s7m")
    assert [(wait.left, wait.forms) for wait in waits(hand, seen)] == [
        (0, ("ryanmen",)),
        (3, ("ryanmen",)),
    ]
    assert effective_tiles(hand, seen) == {Tile(6): 3}
    assert best_discards(Hand.parse("56m111z222z333z445z"), seen)[0].copies == 3
    with pytest.raises(NotationError) as caught:
        waits(hand, parse_tiles("44444m"))
    assert caught.value.code == "fifth_copy"


@pytest.mark.slow
def test_effective_tiles_lower_the_naive_shanten() -> None:
    rng = Random(5)
    for _ in range(scale(200)):
        melds = rng.choice((0, 0, 1, 2))
        called = melds_of(["111z", "222z"][:melds])
        concealed = random_counts(rng, melds)
        if any(concealed[27 + i] > 1 for i in range(melds)):
            continue
        hand = hand_of(concealed, called)
        held = counts(hand.all_tiles)
        now = naive.shanten(concealed, melds)
        expected = {}
        for kind in range(KINDS):
            more = [count + (i == kind) for i, count in enumerate(concealed)]
            if held[kind] < 4 and naive.shanten(more, melds) < now:
                expected[Tile(kind)] = 4 - held[kind]
        assert effective_tiles(hand) == expected
        assert {wait.tile: wait.left for wait in waits(hand)} == (expected if now == 0 else {})


def hand_of(concealed: list[int], melds: list[Meld]) -> Hand:
    return Hand(tuple(Tile(kind) for kind in range(KINDS) for _ in range(concealed[kind])), tuple(melds))


@pytest.mark.slow
def test_best_discards_agree_with_the_naive_shanten() -> None:
    rng = Random(6)
    for _ in range(scale(50)):
        concealed = random_counts(rng, drawn=True)
        choices = best_discards(hand_of(concealed, []))
        assert sorted(choice.tile for choice in choices) == [k for k in range(KINDS) if concealed[k]]
        order = [(choice.shanten, -choice.copies) for choice in choices]
        assert order == sorted(order)
        for choice in choices:
            rest = [count - (i == choice.tile) for i, count in enumerate(concealed)]
            assert choice.shanten == naive.shanten(rest, 0)
            drawn = effective_tiles(hand_of(rest, []))
            left = {kind: 4 - concealed[kind] for kind in drawn}  # the discarded copy cannot be drawn
            assert choice.tiles == {kind: copies for kind, copies in left.items() if copies}
            assert choice.copies == sum(choice.tiles.values())


def test_a_red_five_and_a_plain_five_are_one_discard() -> None:
    choices = best_discards(Hand.parse("123456m12305p11z4s"))
    assert [choice.tile for choice in choices].count(Tile(13)) == 1


@pytest.mark.parametrize(
    ("discards", "passed", "expected"),
    [("", "", False), ("1p", "", True), ("4p", "", True), ("2p3p5p", "", False), ("", "4p", True)],
)
def test_furiten(discards: str, passed: str, expected: bool) -> None:
    hand = Hand.parse("333m23p567s11166z")
    assert is_furiten(hand, parse_tiles(discards), parse_tiles(passed)) is expected


def test_discarding_a_red_five_causes_furiten() -> None:
    assert is_furiten(Hand.parse("67m44p789s444555z"), parse_tiles("0m"))
    assert not is_furiten(Hand.parse("147m258p369s1234z"), parse_tiles("1m0m"))


@pytest.mark.parametrize("function", [waits, wait_form, effective_tiles])
def test_waits_need_thirteen_tiles(function: Callable[[Hand], object]) -> None:
    with pytest.raises(NotationError) as caught:
        function(Hand.parse("123456789m12344p"))
    assert caught.value.code == "thirteen_tiles_wanted"
    assert (caught.value.details["count"], caught.value.details["wanted"]) == (14, 13)


def test_discards_need_fourteen_tiles() -> None:
    with pytest.raises(NotationError) as caught:
        best_discards(Hand.parse("123456789m1234p"))
    assert caught.value.code == "fourteen_tiles_wanted"


@pytest.mark.parametrize(
    ("tiles", "drawn", "same_waits", "same_structure"),
    [
        ("12367m222p22456s", "2p", True, True),
        ("11122333s11133z", "1s", True, False),
        ("11122333s11133z", "3s", True, False),
        ("11122333s11133z", "1z", True, True),
        ("1112m222333444z", "1m", False, False),  # the wait on 3 would be lost
        ("2223m222333444z", "2m", False, False),
        ("12367m222p22456s", "2s", False, False),  # only a pair of them
        ("147m258p369s1113z", "1z", False, False),  # not tenpai
        ("5556m222333444z", "5m", False, False),
        ("34555m222333z44z", "5m", False, False),  # 34 + 555, or 345 + 55
        ("0556m222333444z", "5m", False, False),
    ],
)
def test_ankan_in_riichi(tiles: str, drawn: str, same_waits: bool, same_structure: bool) -> None:
    hand, tile = Hand.parse(tiles), Tile.parse(drawn)
    assert not riichi_ankan_allowed(hand, tile, "never")
    assert riichi_ankan_allowed(hand, tile, "same_waits") is same_waits
    assert riichi_ankan_allowed(hand, tile, "same_structure") is same_structure


def test_an_unknown_ankan_rule_is_refused() -> None:
    with pytest.raises(RequestError) as caught:
        riichi_ankan_allowed(Hand.parse("12367m222p22456s"), Tile.parse("2p"), "always")
    assert caught.value.code == "wrong_choice"


@pytest.mark.parametrize("function", [shanten, waits, best_discards, effective_tiles])
def test_text_instead_of_a_hand_is_refused(function: Callable[[Any], object]) -> None:
    with pytest.raises(RequestError) as caught:
        function("1458m389p34679s14z")
    assert caught.value.code == "not_parsed"


def test_results_have_a_repr_in_notation() -> None:
    assert repr(waits(Hand.parse("23456m234p34588s"))[1]) == "<Wait 4m, 3 left, ryanmen>"
    best = best_discards(Hand.parse("23456m234p34588s1z"))[0]
    assert repr(best) == "<DiscardChoice 1z, shanten 0, 11 of 147m>"
