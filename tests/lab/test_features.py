"""Planes and integers for networks can both be decoded into the original observation."""

import doctest
import re
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from conftest import scale
from docs.pages import text_of
from game.test_game import ALL
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.lab import features
from jantaku.lab.features import FIELDS, PLANES, compact, observe, one_hot
from jantaku.lab.kernels import observation as seen
from jantaku.lab.vector import VectorEnv
from lab.test_environments import any_of, shown_to
from support.playing import choose

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles

NUMBER: Final = re.compile(r"_\d")
SEATS: Final = ("own", "right", "across", "left")
MELDS: Final = ("chi", "pon", "ankan", "daiminkan", "kakan")
RULES: Final = ("tenhou", ALL, "standard-3")
NUMBERS: Final = (
    ("seat", seen.OWN_SEAT, 4), ("round", seen.ROUND_WIND, 4), ("wind", seen.SEAT_WIND, 4),
    ("turn", seen.TURN, 4), ("offered_by", seen.OFFERED_BY, 4), ("offered_how", seen.OFFERED_HOW, 4),
    ("furiten", seen.FURITEN, 4),
    ("players", seen.PLAYERS, 5), ("asked", seen.ASKED, 2), ("untouched", seen.UNTOUCHED, 2),
    ("deciding", seen.DECIDING, 2),
)  # fmt: skip
SCALED: Final = (
    ("hands", seen.HAND_NUMBER, 16), ("honba", seen.HONBA, 16), ("deposits", seen.DEPOSITS, 16),
    ("wall_left", seen.WALL_LEFT, 128),
)  # fmt: skip


def observations(rules: Any) -> Any:
    """Return the observations of all seats during a random game: ``[n, 47, 34]``."""
    rng, game, found = Random(5), Game(rules, seed=5), []
    while not game.is_over and len(game.played) < scale(600):
        found += [shown_to(game.record, seat) for seat in game.seats]
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    return np.array(found)


def fill_counts(rows: Any) -> None:
    """Fill in the rows of counts, which can be computed from other rows."""
    for r in range(4):
        own = rows[seen.SEATS + seen.SEAT_ROWS * r :][: seen.SEAT_ROWS]
        for kind in own[seen.RIVER]:
            own[seen.DISCARDED, kind - 1] += kind > 0
        for kind, first, *_ in own[seen.MELDS, :20].reshape(4, 5):
            if kind == 1:
                own[seen.MELDED, first - 1 : first + 2] += 1
            elif first:
                own[seen.MELDED, first - 1] += 3 + (kind > 2)
    rows[seen.NUMBERS, seen.INDICATORS_TURNED] = rows[seen.INDICATORS].sum()


def counted(by: Any, name: str) -> Any:
    return sum(by[f"{name}_{count}"] for count in range(1, 5))


def of_planes(planes: Any) -> Any:
    """Decode planes into an observation, using the names of the planes."""
    by, rows = dict(zip((plane.name for plane in PLANES), planes, strict=True)), np.zeros((47, 34), int)
    for name, row in (("hand", seen.HAND), ("hand_red", seen.HAND_RED), ("indicators", seen.INDICATORS)):
        rows[row] = counted(by, name)
    for name, row in (("drawn", seen.DRAWN), ("offered", seen.OFFERED)):
        rows[row] = by[name] + by[f"{name}_red"]
    rows[seen.WAITS] = by["waits"]
    numbers = rows[seen.NUMBERS]
    for name, column, size in NUMBERS:
        numbers[column] = sum(n * by[f"{name}_{n}"][0] for n in range(size) if f"{name}_{n}" in by)
    for name, column, size in SCALED:
        numbers[column] = by[name][0] * size
    for r, seat_name in enumerate(SEATS):
        numbers[seen.SCORES + r] = by[f"{seat_name}_points"][33] * 1024
        numbers[seen.IN_RIICHI + r] = by[f"{seat_name}_riichi"][1] + 2 * by[f"{seat_name}_double_riichi"][1]
        numbers[seen.IN_OPEN_RIICHI + r] = by[f"{seat_name}_open_riichi"][2]
        numbers[seen.IPPATSU + r] = by[f"{seat_name}_ippatsu"][3]
        numbers[seen.DEAD] += int(by[f"{seat_name}_dead"][4]) << r
        numbers[seen.NORTHS] += int(counted(by, f"{seat_name}_kita")[5]) << 3 * r
        own = rows[seen.SEATS + seen.SEAT_ROWS * r :][: seen.SEAT_ROWS]
        own[seen.SHOWN], own[seen.SHOWN_RED] = (
            counted(by, f"{seat_name}_shown"),
            counted(by, f"{seat_name}_shown_red"),
        )
        for copy in range(1, 5):
            put_discards(by, f"{seat_name}_discard_{copy}", own)
        for meld in range(4):
            put_meld(by, f"{seat_name}_meld_{meld + 1}", own[seen.MELDS, 5 * meld : 5 * meld + 5])
    fill_counts(rows)
    return rows


def put_discards(by: Any, at: str, own: Any) -> None:
    for kind in np.flatnonzero(by[at]):
        marks = [by[f"{at}_{mark}"][kind] for mark in ("red", "drawn", "riichi", "called")]
        own[seen.RIVER : seen.MELDED, int(by[f"{at}_order"][kind] * 32) - 1] = kind + 1, *marks


def put_meld(by: Any, at: str, five: Any) -> None:
    for number, name in enumerate(MELDS, 1):
        if by[f"{at}_{name}"].any():
            five[:2] = number, 1 + by[f"{at}_{name}"].argmax()
    five[0] += 3 * by[f"{at}_hidden"][0]
    if by[f"{at}_called"].any():
        five[2] = 1 + by[f"{at}_called"].argmax() + 34 * by[f"{at}_called_red"].any()
    five[3] = sum(n * by[f"{at}_from_{n}"][0] for n in (1, 2, 3))
    five[4] = by[f"{at}_red"][0] * 4


def of_integers(integers: Any) -> Any:
    """Decode integers into an observation, using the names of the fields."""
    by, rows = {name: field.of(integers) for name, field in FIELDS.items()}, np.zeros((47, 34), int)

    def put(tiles: Any, row: Any, red: Any) -> None:
        for tile in tiles[tiles > 0] - 1:
            row[tile % 34] += 1
            red[tile % 34] += tile >= 34

    put(by["hand"], rows[seen.HAND], rows[seen.HAND_RED])
    put(by["drawn"][None], rows[seen.DRAWN], rows[seen.DRAWN])
    put(by["offered"][None], rows[seen.OFFERED], rows[seen.OFFERED])
    put(by["waits"], rows[seen.WAITS], np.zeros(34))
    put(by["indicators"], rows[seen.INDICATORS], np.zeros(34))
    numbers = rows[seen.NUMBERS]
    for name, column, _ in (*NUMBERS, *SCALED):
        numbers[column] = by[name]
    for r in range(4):
        for name, column in (
            ("points", seen.SCORES), ("riichi", seen.IN_RIICHI), ("open_riichi", seen.IN_OPEN_RIICHI),
            ("ippatsu", seen.IPPATSU),
        ):  # fmt: skip
            numbers[column + r] = by[name][r]
        numbers[seen.DEAD] += int(by["dead"][r]) << r
        numbers[seen.NORTHS] += int(by["kita"][r]) << 3 * r
        own = rows[seen.SEATS + seen.SEAT_ROWS * r :][: seen.SEAT_ROWS]
        put(by["shown"][r], own[seen.SHOWN], own[seen.SHOWN_RED])
        for place, tile in enumerate(by["river"][r]):
            how = int(by["river_how"][r, place])
            listed = 0 if tile == 0 else 1 + (tile - 1) % 34
            own[seen.RIVER : seen.MELDED, place] = listed, tile > 34, how & 1, how >> 1 & 1, how >> 2
        names = ("meld_type", "meld_first", "meld_called", "meld_from", "meld_red")
        own[seen.MELDS, :20] = np.stack([by[name][r] for name in names], axis=-1).reshape(20)
    fill_counts(rows)
    return rows


@pytest.mark.parametrize("rules", RULES, ids=("tenhou", "all", "three"))
def test_planes_and_integers_contain_the_whole_observation(rules: Any) -> None:
    found = observations(rules)
    for planes, integers, wanted in zip(one_hot(found), compact(found), found, strict=True):
        assert (of_planes(planes) == wanted).all()
        assert (of_integers(integers) == wanted).all()


def test_indices_fit_their_embeddings_and_planes_have_unique_names() -> None:
    found = np.concatenate([observations(rules) for rules in RULES])
    assert len({plane.name for plane in PLANES}) == len(PLANES) == one_hot(found[:1]).shape[1]
    for field in FIELDS.values():
        part = field.of(compact(found))
        assert field.size is None or (0 <= part.min() <= part.max() < field.size), field
    planes = one_hot(found)
    assert 0 <= planes.min() <= planes.max() <= 1


def test_three_players_leave_the_seat_to_the_left_empty() -> None:
    found = observations("standard-3")
    left = [number for number, plane in enumerate(PLANES) if plane.name.startswith("left_")]
    assert not one_hot(found)[:, left].any()
    assert one_hot(found)[:, [number - len(left) for number in left]].any()


def test_a_batch_is_encoded_like_single_observations() -> None:
    env, rng = VectorEnv("tenhou", 4, seed=3), np.random.default_rng(3)
    now: Any = env.reset()
    for _ in range(scale(40)):
        now = env.step(any_of(now.mask, rng))
    for encode in (one_hot, compact):
        many = encode(now.observation)
        assert (many == np.array([encode(one) for one in now.observation])).all()
        assert (encode(now.observation.reshape(2, 2, 47, 34)).reshape(many.shape) == many).all()
        assert encode(now.observation[:0]).shape == (0, *many.shape[1:])


def test_a_seat_of_a_game_is_observed_as_in_the_environment() -> None:
    game = Game("tenhou", seed=7)
    assert (observe(game, 1) == shown_to(game.record, 1)).all()


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: observe(Game("tenhou"), 4), "seat"),
        (lambda: observe(Game("standard-3"), 3), "seat"),
        (lambda: observe(np.zeros(3), 0), "game"),  # type: ignore[arg-type]
        (lambda: one_hot(np.zeros((34, 47), np.int16)), "observation"),
        (lambda: one_hot([]), "observation"),  # type: ignore[arg-type]
        (lambda: compact(np.zeros((47, 34))), "observation"),  # type: ignore[arg-type]
        (lambda: compact("observation"), "observation"),  # type: ignore[arg-type]
    ],
)
def test_invalid_arguments_are_refused(call: Any, field: str) -> None:
    with pytest.raises(RequestError) as refused:
        call()
    assert refused.value.field == field


def test_the_doctests_pass() -> None:
    assert doctest.testmod(features).failed == 0


def test_the_page_names_every_plane_and_every_field() -> None:
    """The names are compared without the seat and without the numbers of copies, melds and values."""
    named = {NUMBER.sub("", name) for name in re.findall(r"`([a-z_0-9]+)`", text_of("docs/environments.md"))}
    names = [plane.name.removeprefix("own_") for plane in PLANES if not plane.name.startswith(SEATS[1:])]
    assert [name for name in (*names, *FIELDS) if NUMBER.sub("", name) not in named] == []
