"""The lab's answer to "which discard?": consistent deals, known answers, and positions that are refused."""

import dataclasses
import json
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

from jantaku import Game, load
from jantaku.bots.search.kernels.unseen import nearness
from jantaku.cli.app import app
from jantaku.errors import JantakuError, RequestError
from jantaku.game import Standing
from jantaku.game.fair_walls import tile_set
from jantaku.hand import Hand, Meld, Wind
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import GAME
from jantaku.lab.discards import (
    ChoiceEstimates,
    HandAnswer,
    HandQuestion,
    KnownPosition,
    River,
    SeatPosition,
    answers,
    known_position,
    position_in_game,
)
from jantaku.lab.discards.play import DEALS, play_deals
from jantaku.lab.kernels.turns import sources
from jantaku.tiles import RED, Tile, format_tiles, parse_tiles
from support.deals import deals

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")

TENPAI = "23456m234p678s99p 1z"
RIICHI = {"left": "9m 1z 4p riichi 8p 3s", "across": "1z 9p 8s 2p", "right": "9s 2z 7z 1m"}
LAST: dict[str, Any] = {"round": "south", "number": 4}  # the last hand of the game
DEALT = 200 if COMPILED else 3


def position(text: str = TENPAI, rules: str = "tenhou", **more: Any) -> KnownPosition:
    return known_position(SeatPosition.parse(text, **more), rules)


def answer(known: KnownPosition, games: int, **more: Any) -> HandAnswer:
    *_, last = answers(HandQuestion(known, games, **more), jobs=2)
    return last


def choice(answer: HandAnswer, action: str) -> ChoiceEstimates:
    return next(choice for choice in answer.choices if str(choice.action) == action)


def chances(count: int) -> Any:
    return sources(3, DEALS, 0, count)


def tiles_of(record: Any) -> Counter[int]:
    """Count the tiles in the hands, rivers and wall of a record."""
    counts: Counter[int] = Counter()
    for seat in range(4):
        for kind in range(34):
            red = int(record.red[seat, kind])
            counts[kind + RED] += red
            counts[kind] += int(record.hand[seat, kind]) - red
        counts.update(int(tile) for tile in record.river[seat, : record.discards[seat]])
    counts.update(int(tile) for tile in record.wall[record.drawn_live : 136 - record.drawn_rinshan])
    return +counts


@pytest.mark.slow  # compiles the dealing again because it is called from Python
@pytest.mark.parametrize(
    "more", [{}, RIICHI, {"turn": 1}, {"turn": 12, "left": "riichi"}, {"dora": "4s0p", "discards": "1z9m9s"}]
)
def test_every_deal_has_all_tiles_and_keeps_the_open_ones(more: dict[str, Any]) -> None:
    known = position(**more)
    base = np.frombuffer(known.state, GAME)[0]
    for record in deals(known, chances(DEALT)):
        assert tiles_of(record) == Counter(map(int, tile_set(known.rules)))
        assert (record.hand[known.seat] == base.hand[known.seat]).all()
        for seat in range(4):
            given = slice(known.rivers[seat], int(base.discards[seat]))
            assert (record.river[seat, given] == base.river[seat, given]).all()
        for i in range(known.indicators):
            assert record.wall[131 - 2 * i] == base.wall[131 - 2 * i]


@pytest.mark.slow
def test_a_hand_in_riichi_is_tenpai_and_waits_for_no_passed_tile() -> None:
    """Tiles discarded after the riichi are safe: here 2p across, 1m to the right and the seat's own 9m."""
    known = position(**RIICHI, discards="5z 6z 9m 9m")
    left = (known.seat + 3) % 4
    safe = parse_tiles("9m1z4p8p3s") + parse_tiles("2p1m9m")
    seen = set()
    for record in deals(known, chances(DEALT)):
        waits = int(record.waits[left])
        assert waits
        assert not any(waits >> tile % RED & 1 for tile in safe)
        seen.add(waits)
    assert len(seen) > DEALT // 4


def test_an_impossible_hand_in_riichi_is_refused() -> None:
    river = "riichi " + "".join(f"123456789{suit}" for suit in "mps")
    known = position("13579m13579p13s1z 1z", left=river, across="1234567z", right="1z", discards="2z")
    with pytest.raises(RequestError) as caught:
        play_deals(HandQuestion(known, 2), 0, 2)
    assert (caught.value.code, caught.value.field) == ("no_tenpai", "left")


@pytest.mark.slow
@compiled_only
def test_unseen_hands_are_tenpai_as_often_as_in_games() -> None:
    known = position(discards="1z2z3z4z5z6z7z9m1m9s", turn=11)
    seat = (known.seat + 3) % 4
    near = [record.waits[seat] != 0 for record in deals(known, chances(2000))]
    tenpai = nearness()[0, 11, 0] / 1000
    assert abs(np.mean(near) - tenpai) < 4 * (tenpai / 2000) ** 0.5


def last_discard() -> tuple[KnownPosition, int]:
    """Return a position with the last discard of a game, and the number of unseen tiles.

    Each opponent has four melds and a single tile.
    """
    whole = Counter(tile_set(load("wrc")))
    hand = [*parse_tiles("123456789m12p5z7z"), Tile.parse("6z")]
    hidden = parse_tiles("5z5z6z1m1m1m2m2m2m3m3m3m4m4m4m5m5m")
    left = sorted((whole - Counter(hand) - Counter(hidden)).elements(), reverse=True)
    melds, rivers = [], []
    for kinds in ("111222333444s", "555666777888s", "333444555666p"):
        tiles = parse_tiles(kinds)
        melds.append(tuple(Meld.parse("pon", format_tiles(tiles[i : i + 3])) for i in range(0, 12, 3)))
        for tile in tiles:
            left.remove(tile)
    # the first river is the seat's own and gets the honours, so that no opponent is furiten
    for _ in range(4):
        rivers.append(tuple(left[:18]))
        left = left[18:]
    others = tuple(River(river, own) for river, own in zip(rivers[1:], melds, strict=True))
    last: dict[str, Any] = {"round": "south", "number": 4, "discards": rivers[0], "others": others}
    seen = SeatPosition(Hand(tuple(hand)), hand[-1], **last)
    return known_position(seen, "wrc"), len(hidden)


@pytest.mark.slow
@compiled_only
def test_the_last_discard_deals_in_as_often_as_calculated() -> None:
    """Each opponent waits for one of the unseen tiles, and houtei gives every ron a yaku."""
    known, unseen = last_discard()
    assert np.frombuffer(known.state, GAME)[0].drawn_live == 136 - 14
    few = [code for code, action in zip(known.codes, known.choices, strict=True) if str(action)[1] == "z"]
    reply = answer(dataclasses.replace(known, codes=tuple(few)), 1000, by="deal_in")
    for action, copies in (("5z", 2), ("6z", 1), ("7z", 0)):
        exact = 1 - comb(unseen - copies, 3) / comb(unseen, 3)
        estimate = choice(reply, action).deal_in
        assert estimate.low <= exact <= estimate.high, action
    rates = [choice.deal_in.value for choice in reply.choices]
    assert rates == sorted(rates)
    assert choice(reply, "7z").deal_in.value == 0


@pytest.mark.slow
@compiled_only
def test_the_next_draw_is_a_winning_tile_as_often_as_calculated() -> None:
    """Hands of a single tile are always tenpai, so every unseen tile is equally likely in the wall."""
    known, unseen = last_discard()
    drawn = [int(record.wall[record.drawn_live]) for record in deals(known, chances(4000))]
    share = np.mean([tile == Tile.parse("1m") for tile in drawn])
    assert abs(share - 3 / unseen) < 4 * (3 / unseen / 4000) ** 0.5


@pytest.mark.slow
@compiled_only
def test_a_wide_wait_wins_more_than_a_narrow_one() -> None:
    """Without 1z, the hand waits for 1m, 4m and 7m; without 6m, only for 1z, one of which is visible."""
    reply = answer(position(dora="1z", discards="9m9s2z", **LAST), 80, by="win")
    assert str(reply.choices[0].action) in {"1z", "riichi 1z"}
    narrow = choice(reply, "6m")
    assert narrow.against_best is not None
    assert narrow.against_best["win"].high < 0
    assert narrow.win.high < reply.choices[0].win.low


@pytest.mark.slow
@compiled_only
def test_a_safe_tile_deals_in_less_than_a_live_one() -> None:
    """The player in riichi has discarded 9m; 5s may deal in."""
    reply = answer(position("19m1458p2358s1z5z6z 7z", **RIICHI, **LAST), 200, by="deal_in")
    safe, live = choice(reply, "9m"), choice(reply, "5s")
    assert live.deal_in.low > safe.deal_in.high
    assert safe.points.value > live.points.value


def test_a_tsumo_wins_in_every_deal() -> None:
    known = position("234m567p34567s99p 8s", **LAST)
    reply = answer(dataclasses.replace(known, codes=known.codes[:3]), 2, bot="random", by="win")
    won = choice(reply, "tsumo")
    assert (won.win.value, won.tsumo.value, won.deal_in.value) == (1, 1, 0)
    assert reply.choices[0].action == won.action


def test_hidden_tiles_do_not_matter() -> None:
    """A position in notation has the same answer as a game with this position, whatever opponents hold."""
    standing = Standing(7, 0, 0, (25_000,) * 4)  # South 4, the last hand of the game
    game = Game("tenhou", seed=5, standing=standing)
    wall = list(game.walls[0])
    own = {i for i in range(52) if (i // 4 if i < 48 else i) % 4 == 0} | {52, 131}
    hidden = [i for i in range(136) if i not in own]
    turned = list(wall)
    for one, other in zip(hidden, reversed(hidden), strict=True):
        turned[one] = wall[other]
    other_game = Game("tenhou", walls=[turned], standing=standing)
    view = game.view(3)
    assert view.hand == other_game.view(3).hand
    assert game.view(1).hand != other_game.view(1).hand
    notation = f"{format_tiles(view.hand)} {format_tiles([view.drawn or 0])}"
    parsed = position(notation, seat="east", turn=1, dora=format_tiles(view.indicators), **LAST)
    known = position_in_game(game, 3), position_in_game(other_game, 3), parsed
    assert known[0].codes == known[1].codes == known[2].codes
    few = [dataclasses.replace(question, codes=question.codes[:3]) for question in known]
    name = "efficient" if COMPILED else "random"
    dealt = [play_deals(HandQuestion(question, 2, bot=name), 0, 2).tolist() for question in few]
    assert dealt[0] == dealt[1] == dealt[2]


def test_a_position_needs_a_seat_that_is_to_discard() -> None:
    with pytest.raises(RequestError) as caught:
        position_in_game(Game("tenhou", seed=5), 1)
    assert caught.value.code == "no_discard"


@compiled_only
@pytest.mark.slow
def test_answers_do_not_depend_on_threads_or_chunks() -> None:
    """An interim answer covers the deals played until then, and every deal counts once."""
    known = position(**RIICHI, **LAST)
    first, second = (
        [answer.to_dict() for answer in answers(HandQuestion(known, 20, seed=4), jobs=jobs)]
        for jobs in (1, 3)
    )
    assert first == second
    assert [row["games"] for row in first] == [8, 16, 20]
    whole = play_deals(HandQuestion(known, 20, seed=4), 0, 20)
    parts = [play_deals(HandQuestion(known, 20, seed=4), start, 5) for start in range(0, 20, 5)]
    assert (whole == np.concatenate(parts)).all()


def test_the_turn_follows_from_the_rivers() -> None:
    """East has one discard more than South, who has to discard next."""
    record = np.frombuffer(position(across="1z 9p 8s 2p").state, GAME)[0]
    assert record.discards.tolist() == [5, 4, 4, 4]
    record = np.frombuffer(position(turn=3, seat="north").state, GAME)[0]
    assert record.discards.tolist() == [3, 3, 3, 2]
    assert int(record.drawn_live) == 13 * 4 + 11 + 1


REFUSED = [
    ({"text": "123m"}, "hand_size"),
    ({"text": "23456m234p678s99p"}, "hand_to_discard"),
    ({"text": "23456m234p678s99p 8z"}, "unknown_honour"),
    ({"dora": "111112z"}, "too_many_indicators"),
    ({"dora": "9p9p", "right": "9p"}, "tile_missing"),
    ({"scores": [1, 2]}, "wrong_type"),
    ({"number": 5}, "number_range"),
    ({"deposits": 0, **RIICHI}, "number_range"),
    ({"left": "riichi", "turn": 1, "seat": "east"}, "riichi_discard"),
    ({"left": "chi 123s@left riichi 5z"}, "clash_riichi"),
    ({"left": "pon 12s"}, "meld_size"),
    ({"left": "1" * 2000}, "text_too_long"),
    ({"left": "1m" * 40}, "too_many_discards"),
    ({"turn": 24}, "too_many_drawn"),
]


@pytest.mark.parametrize(("given", "code"), REFUSED)
def test_impossible_positions_are_refused(given: dict[str, Any], code: str) -> None:
    with pytest.raises(JantakuError) as caught:
        position(**given)
    assert caught.value.code == code
    for language in ("en", "ja", "ko"):
        assert caught.value.message(language)


@pytest.mark.parametrize("more", [{"games": 1}, {"seed": -1}, {"bot": "nobody"}, {"by": "luck"}])
def test_questions_out_of_range_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        HandQuestion(position(), **more)


def test_the_command_answers_in_json_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["lab", "hand", "234m567p34567s99p", "8s", "--games", "2", "--bots", "random"]
    call += ["--round", "south", "--number", "4", "--lang"]
    with pytest.raises(SystemExit) as ended:
        app([*call, "en", "--json"])
    assert not ended.value.code
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["wanted"], data["seed"], data["by"]) == (2, 2, 0, "place")
    rows = {row["action"]: row for row in data["choices"]}
    assert rows["tsumo"]["win"][0] == 1
    assert all(len(row["place"]) == 3 for row in data["choices"])
    assert [row for row in data["choices"] if row["against_best"] is None] == data["choices"][:1]
    if COMPILED:
        with pytest.raises(SystemExit) as ended:
            app([*call, "ko"])
        assert "쯔모" in capsys.readouterr().out


def test_a_position_has_wareme_only_if_it_names_a_seat() -> None:
    rules = load("standard").with_changes({"score.wareme": "hand"})
    for number in (1, 2):
        cases: tuple[tuple[Wind | None, int | None], ...] = ((None, None), ("east", 0), ("north", 3))
        for wareme, turn in cases:
            parsed = SeatPosition.parse(TENPAI, number=number, wareme=wareme)
            record = np.frombuffer(known_position(parsed, rules).state, GAME)[0]
            wanted = 0 if turn is None else 1 + (number - 1 + turn) % 4
            assert record["wareme"] == wanted
    with pytest.raises(JantakuError) as caught:
        position(wareme="east")
    assert caught.value.code == "wareme_off"
    with pytest.raises(JantakuError) as caught:
        known_position(SeatPosition.parse(TENPAI, wareme="north"), "tenhou-3")
    assert caught.value.code == "seat_not_in_rules"
