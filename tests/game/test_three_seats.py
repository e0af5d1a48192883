"""Games of three players: events, turns, walls and payments."""

from random import Random

import numpy as np
import pytest

from conftest import scale
from jantaku.adjudication.analysis import best_discards
from jantaku.adjudication.arithmetic import wind_at
from jantaku.adjudication.rons_and_nagashi import score_rons
from jantaku.adjudication.score import Score, score
from jantaku.bots.arena import pairing
from jantaku.club.seating import seat as seat_players
from jantaku.errors import RecordError, RequestError
from jantaku.game import Game
from jantaku.game.engine import concealed, others
from jantaku.game.events import EVENTS, HandDrawn, HandStarted, PointsMoved, Won, from_dict, hide
from jantaku.game.fair_walls import live_wall
from jantaku.hand import Hand, Meld, Source, Wind
from jantaku.lab.chunks import ChunkPlan
from jantaku.lab.kernels.action_space import KITA
from jantaku.lab.kernels.observation import NORTHS, NUMBERS, PLAYERS
from jantaku.lab.vector import VectorEnv
from jantaku.records.formats import dumps, parse_record
from jantaku.rules import Ruleset, load
from jantaku.tiles import RED
from jantaku.win import Win
from support.playing import choose

THREE = load("standard-3")


def test_events_and_views_of_three_have_three_seats() -> None:
    rng, game = Random(5), Game(THREE, seed=5)
    while not game.is_over and len(game.played) < scale(2000):
        seat = game.to_act[0]
        game.play(seat, choose(game, seat, rng))
        view = game.view(seat)
        for part in (view.scores, view.melds, view.rivers, view.riichi, view.shown, view.dead):
            assert len(part) == 3
    for event in game.events:
        assert from_dict(event.to_dict()).to_dict() == event.to_dict()
        assert hide(event, 2).type in EVENTS
        if isinstance(event, HandStarted):
            assert (len(event.hands), len(event.scores)) == (3, 3)
            assert event.dealer == event.number % 3
        elif isinstance(event, PointsMoved):
            assert sum(event.deltas) in (0, *(1000 * sticks for sticks in range(1, 9)))
        elif isinstance(event, HandDrawn):
            assert len(event.hands) == 3
        elif isinstance(event, Won):
            assert isinstance(event.score, Score)
            assert list(event.score.payments) == ["east", "south", "west"]
    assert sum(isinstance(event, HandStarted) for event in game.events) == len(game.walls)


def test_turns_and_deal_of_three_seats() -> None:
    game = Game(THREE, seed=1)
    assert [others(game.record, seat) for seat in game.seats] == [[1, 2], [2, 0], [0, 1]]
    assert [sum(game.record.hand[seat]) for seat in range(4)] == [14, 13, 13, 0]
    dealt = [tile % RED for tile in game.walls[0]]
    for seat in game.seats:
        places = [i for i in range(39) if (i // 4 % 3 if i < 36 else i % 3) == seat]
        drawn = [dealt[39]] if seat == 0 else []
        assert sorted([*(dealt[i] for i in places), *drawn]) == sorted(
            t % RED for t in concealed(game.record, seat)
        )


def test_contests_and_simulations_of_three_refuse_four_bots() -> None:
    with pytest.raises(RequestError, match="4 players are named; these rules need 3"):
        pairing(THREE, ("efficient",) * 4)
    with pytest.raises(RequestError, match="there are 4 bots; name one for all seats, or 3"):
        ChunkPlan(THREE, ("efficient",) * 4, 3)


@pytest.mark.parametrize(("rules", "wall"), [(THREE, 55), (load("standard"), 70)])
def test_the_live_wall_matches_the_engine(rules: Ruleset, wall: int) -> None:
    game = Game(rules, seed=1)
    drawn = int(game.record.drawn_live) - 13 * len(game.seats)
    assert live_wall(rules) == wall == game.view(0).wall_left + drawn


def test_the_environment_offers_and_observes_norths() -> None:
    env, rng = VectorEnv(load("standard-3"), 8, seed=2), np.random.default_rng(2)
    mask, offered, observed = env.reset().mask, 0, 0
    for _ in range(scale(300)):
        choices = [KITA if row[KITA] else int(rng.choice(np.flatnonzero(row))) for row in mask]
        offered += choices.count(KITA)
        seen = env.step(choices)
        mask, numbers = seen.mask, seen.observation[:, NUMBERS]
        assert (numbers[:, PLAYERS] == 3).all()
        observed = max(
            observed,
            *(sum(number >> 3 * seat & 7 for seat in range(3)) for number in numbers[:, NORTHS].tolist()),
        )
    assert offered > 0
    assert 0 < observed <= 4 or scale(10) < 10


def test_rules_with_another_number_of_players_than_the_log_are_refused() -> None:
    log = dumps(Game("standard", seed=1), "mjai").encode()
    with pytest.raises(RecordError) as caught:
        parse_record(log.replace(b'"jantaku":', b'"other":'), THREE)
    assert caught.value.code == "record_other_players"


def test_a_seating_plan_may_have_tables_of_three() -> None:
    plan = seat_players(9, 2, seats=3)
    assert {len(table) for tables in plan.rounds for table in tables} == {3}
    assert plan.repeats == plan.bound == 0
    assert plan.seat_spread <= 1


def test_tiles_missing_from_the_set_are_never_effective() -> None:
    hand = Hand.parse("19m1367p2468s114z5z")
    all_tiles, few = best_discards(hand), best_discards(hand, man="one_nine")
    assert any(kind in range(1, 8) for row in all_tiles for kind in row.tiles)
    assert not any(kind in range(1, 8) for row in few for kind in row.tiles)
    assert [row.shanten for row in few] == [row.shanten for row in all_tiles]


@pytest.mark.parametrize(("source", "payer"), [("right", "west"), ("left", "east"), ("across", "east")])
def test_the_last_of_three_sits_on_the_left(source: Source, payer: Wind) -> None:
    """``across`` is accepted as another name for that seat."""
    won = score(Win.parse("234567p22s45678s 3s", source=source), "standard-3")
    assert {wind: points for wind, points in won.payments.items() if points} == {"south": 2000, payer: -2000}
    assert payer == wind_at(won, source)
    melds = [Meld.parse("pon", tiles) for tiles in ("555z", "666z", "777z")]
    liable = Win.parse("234p2z 2z", melds, tsumo=True, pao={"daisangen": source})
    paid = score(liable, "standard-3").payments
    assert [wind for wind, points in paid.items() if points < 0] == [payer]


def test_two_rons_of_three_come_from_one_discarder() -> None:
    win = Win.parse("234567p22s45678s 3s", source="left", seat="south")
    other = Win.parse("234567p22s45678s 3s", source="right", seat="west")
    rons = score_rons([win, other], "standard-3")
    assert [value.win.seat for value in rons.scores] == ["south", "west"]
