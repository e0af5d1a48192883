"""How many play comes from the rules: whole games with three seats, and nothing gets lost.

No ruleset offers three players yet, so the test sets the field of the options past the check.
"""

import io
import json
from collections import Counter
from random import Random

import numpy as np
import pytest
from rich.console import Console

from conftest import scale
from jantaku.adjudication.analysis import best_discards
from jantaku.adjudication.arithmetic import wind_at
from jantaku.adjudication.explain import explain
from jantaku.adjudication.rons_and_nagashi import score_rons
from jantaku.adjudication.score import Score, score
from jantaku.bots import bot
from jantaku.bots.arena import contest, pairing
from jantaku.bots.match import GAMES, HANDS, new_match, play_match
from jantaku.cli.table_view import table_view
from jantaku.club.seating import seat as seat_players
from jantaku.errors import RecordError, RequestError
from jantaku.game import Game
from jantaku.game.engine import concealed, context, melds, others
from jantaku.game.events import EVENTS, GameEnded, HandDrawn, HandStarted, PointsMoved, Won, from_dict, hide
from jantaku.game.fair_walls import live_wall, tile_set
from jantaku.hand import Hand, Meld, Source, Wind
from jantaku.kernels.engine.state import ADDED, CALLED, GAME, YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.lab.kernels.action_space import KITA
from jantaku.lab.kernels.observation import NORTHS, NUMBERS, PLAYERS
from jantaku.lab.simulate import Summary
from jantaku.lab.vector import VectorEnv
from jantaku.records.formats import BY_NAME, dumps, parse_record
from jantaku.records.native.hand_log import as_played, differing_hand, hand_logs
from jantaku.rules import Ruleset, load
from jantaku.rules.options import ClockOptions
from jantaku.server.edge.protocol import FROM_SERVER
from jantaku.server.play import seat_views
from jantaku.server.play.live_game import Clocks, LiveGame
from jantaku.server.settings import NO_PAUSES
from jantaku.tiles import RED
from jantaku.win import Win
from support.playing import choose
from support.three import START, three, three_may_play


def tiles_lying(game: Game) -> list[int]:
    """Every tile wherever it lies: hands, melds, rivers and the wall."""
    record = game.record
    lying = [int(tile) for tile in record.wall[record.drawn_live : record.tiles - record.drawn_rinshan]]
    for seat in game.seats:
        lying += concealed(record, seat)
        lying += [tile for meld in melds(record, seat) for tile in meld.tiles]
        river = zip(record.river[seat].tolist(), record.river_marks[seat].tolist(), strict=True)
        lying += [tile for tile, mark in list(river)[: record.discards[seat]] if not mark & CALLED]
    if record.claimed_how == ADDED and record.phase != YOUR_TURN:  # a kan that may still be robbed
        lying.append(int(record.claimed_tile))
    return lying


def check(game: Game, tiles: Counter[int]) -> None:
    """Every tile lies in one place, every point at one seat or on the table; the fourth seat has nothing."""
    record = game.record
    assert Counter(tiles_lying(game)) == tiles
    if not game.is_over:
        assert sum(game.scores) + 1000 * int(record.match.deposits) == 3 * START
    assert not record.hand[3].any()
    assert record.match.scores[3] == record.discards[3] == record.melds[3] == record.asked[3] == 0
    assert all(seat in game.seats for seat in game.to_act)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["standard", "tenhou", "wrc"])
def test_whole_games_of_three_lose_no_tile_and_no_point(name: str, seed: int) -> None:
    rules = three(name)
    tiles = Counter(map(int, tile_set(rules)))
    rng, game = Random(seed), Game(rules, seed=seed)
    assert sum(tiles.values()) == 136
    while not game.is_over and len(game.played) < scale(10**5):
        seat = rng.choice(game.to_act)
        action = choose(game, seat, rng)
        before = len(game.events)
        game.play(seat, action)
        if not any(isinstance(event, HandStarted) for event in game.events[before:]):
            check(game, tiles)
    if len(game.played) < scale(10**5):
        last = game.events[-1]
        assert isinstance(last, GameEnded)
        assert sorted(last.places) == [1, 2, 3]


def test_events_and_views_of_three_have_three_seats() -> None:
    rng, game = Random(5), Game(three(), seed=5)
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


def test_turns_go_round_three() -> None:
    game = Game(three(), seed=1)
    assert [others(game.record, seat) for seat in game.seats] == [[1, 2], [2, 0], [0, 1]]
    assert [sum(game.record.hand[seat]) for seat in range(4)] == [14, 13, 13, 0]
    dealt = [tile % RED for tile in game.walls[0]]
    for seat in game.seats:
        places = [i for i in range(39) if (i // 4 % 3 if i < 36 else i % 3) == seat]
        drawn = [dealt[39]] if seat == 0 else []
        assert sorted([*(dealt[i] for i in places), *drawn]) == sorted(
            t % RED for t in concealed(game.record, seat)
        )


@pytest.mark.parametrize("name", ["random", "efficient", "standard"])
def test_bots_play_among_three(name: str) -> None:
    game = Game(three(), seed=3)
    players = [bot(name, seat) for seat in game.seats]
    while not game.is_over and len(game.played) < scale(3000):
        seat = game.to_act[0]
        game.play(seat, players[seat].choose(game, seat))
    assert game.is_over or scale(10) < 10


def test_compiled_games_of_three() -> None:
    rules = three()
    match = new_match(rules, (2, 1, 1), seed=4)
    game = np.zeros(1, GAME)[0]
    play_match(game, match, rules_record(rules)[0], context())
    assert match.tally[:, GAMES].tolist() == [1, 1, 1, 0]
    assert match.tally[3].sum() == 0
    assert match.tally[0, HANDS] > 0
    assert sorted(game.match.place.tolist()) == [0, 1, 2, 3]
    assert sum(game.match.scores.tolist()) == 3 * START


def test_a_contest_of_three() -> None:
    outcome = contest(pairing(three(), ("efficient", "random", "efficient"), seed=1), 1)
    assert [int(match.tally[GAMES]) for match in outcome] == [3, 3, 3]
    assert sum(match.rounds[0] for match in outcome) == pytest.approx(6)


def test_a_contest_and_a_simulation_of_three_refuse_four_bots() -> None:
    with pytest.raises(RequestError, match="4 players are named; these rules have 3"):
        pairing(three(), ("efficient",) * 4)
    with pytest.raises(RequestError, match="4 bots are named; name one for all, or 3"):
        ChunkPlan(three(), ("efficient",) * 4, 3)


@pytest.mark.parametrize(("rules", "wall"), [(three(), 83), (load("standard"), 70)])
def test_the_wall_that_is_told_is_the_wall_that_is_drawn_from(rules: Ruleset, wall: int) -> None:
    game = Game(rules, seed=1)
    drawn = int(game.record.drawn_live) - 13 * len(game.seats)
    assert live_wall(rules) == wall == game.view(0).wall_left + drawn


def test_the_simulator_plays_three() -> None:
    plan, summary = ChunkPlan(three(), ("efficient",) * 3, 3), Summary()
    chunk = play_chunk(plan, 0, 3)
    summary.add(chunk)
    assert summary.places[:3, :3].sum() == 9
    assert summary.places.sum() == 9
    assert chunk.seated.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert chunk.games["scores"].sum(axis=1).tolist() == [3 * START] * 3
    assert set((chunk.hands["delta"][:, 3]).tolist()) == {0}


def test_the_vector_environment_plays_three() -> None:
    env, rng = VectorEnv(three(), 8, seed=2), np.random.default_rng(2)
    mask, done = env.reset().mask, 0
    for _ in range(scale(3000)):
        seen = env.step([int(rng.choice(np.flatnonzero(row))) for row in mask])
        assert seen.seat.max() <= 2
        assert not seen.reward[:, 3].any()
        mask, done = seen.mask, done + int(seen.done.sum())
    assert done or scale(10) < 10


def test_the_environment_offers_norths_and_shows_them() -> None:
    env, rng = VectorEnv(load("standard-3"), 8, seed=2), np.random.default_rng(2)
    mask, offered, shown = env.reset().mask, 0, 0
    for _ in range(scale(300)):
        choices = [KITA if row[KITA] else int(rng.choice(np.flatnonzero(row))) for row in mask]
        offered += choices.count(KITA)
        seen = env.step(choices)
        mask, numbers = seen.mask, seen.observation[:, NUMBERS]
        assert (numbers[:, PLAYERS] == 3).all()
        shown = max(
            shown,
            *(sum(number >> 3 * seat & 7 for seat in range(3)) for number in numbers[:, NORTHS].tolist()),
        )
    assert offered > 0
    assert 0 < shown <= 4 or scale(10) < 10


def three_bots(name: str = "standard", seed: int = 3) -> Game:
    """A whole game between three bots."""
    game, players = Game(three(name), seed=seed), [bot("efficient", seat) for seat in range(3)]
    while not game.is_over and len(game.played) < scale(3000):
        seat = game.to_act[0]
        game.play(seat, players[seat].choose(game, seat))
    return game


@pytest.mark.parametrize("form", BY_NAME)
def test_records_of_three_are_written_read_and_replayed(form: str) -> None:
    game = three_bots()
    with three_may_play():
        again = parse_record(dumps(game, form).encode()).game
    assert again.rules == game.rules
    assert again.played == game.played
    secrets = {"commitment": None, "opening": None}  # a log has the walls, but not the seed they came from
    events = [[event.to_dict() | secrets for event in played.events] for played in (again, game)]
    assert events[0] == events[1]
    assert len(again.seats) == len(again.scores) == 3


def test_rules_and_hands_of_a_log_name_the_same_number_of_players() -> None:
    log = dumps(Game("standard", seed=1), "mjai").encode()
    with pytest.raises(RecordError) as caught:
        parse_record(log.replace(b'"jantaku":', b'"other":'), three())
    assert caught.value.code == "record_other_players"


def test_stored_hands_of_three_show_the_game_as_it_was_played() -> None:
    game = three_bots()
    logs = hand_logs(game, ended=True)
    moves = [(seat, str(action)) for _, seat, action in game.moves]
    assert differing_hand(game, logs) is None
    shown = as_played(game.rules, logs, moves)
    assert [event.to_dict() for event in shown.events] == [event.to_dict() for event in game.events]
    assert len(shown.view(2).scores) == 3


def test_a_game_of_three_goes_on_from_a_copy_and_from_its_moves() -> None:
    game = Game(three(), seed=7)
    rng = Random(7)
    for _ in range(40):
        game.play(seat := game.to_act[0], choose(game, seat, rng))
    copies = [game.copy(), Game(three(), seed=7)]
    for _, seat, action in game.moves:
        copies[1].play(seat, action)
    for copy in copies:
        assert [copy.view(seat) for seat in copy.seats] == [game.view(seat) for seat in game.seats]


def test_messages_of_three_are_valid_and_hide_what_they_should() -> None:
    game, rng, now = Game(three(), seed=2), Random(2), 0.0
    live = LiveGame(game, NO_PAUSES, 3.0, people=game.seats)
    clocks = Clocks(ClockOptions(), seats=3)
    for _ in range(scale(100)):
        if game.is_over or live.between:
            break
        seat = game.to_act[0]
        game.play(seat, choose(game, seat, rng))
        now += 10
        live.tell(now)
        for viewer in game.seats:
            text = seat_views.sync(1, live, viewer, seat_views.own_text(live, viewer, clocks, now), "null")
            view = FROM_SERVER.validate_json(text).view
            assert len(view.scores) == len(view.rivers) == len(view.melds) == 3
            assert view.seat == viewer
    start = seat_views.shown_to([event for event in game.events if isinstance(event, HandStarted)][:1], 1)
    assert [hand is None for hand in json.loads(start)[0]["hands"]] == [True, False, True]


def test_payments_and_words_of_a_win_among_three() -> None:
    won = Win.parse("234m567p345678s9p 9p", tsumo=True, seat="south", honba=1)
    explained = explain(score(won, three()))
    paid = score(won, three()).payments
    assert sum(paid.values()) == 0
    assert list(paid) == ["east", "south", "west"]
    assert {row.seat: row.points for row in explained.payments} == paid


def test_a_table_view_of_three_has_three_hands() -> None:
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(table_view(Game(three(), seed=1), 1))
    text = console.export_text()
    assert text.count("25,000") == 3


def test_three_sit_at_the_tables_of_a_seating_plan() -> None:
    plan = seat_players(9, 2, seats=3)
    assert {len(table) for tables in plan.rounds for table in tables} == {3}
    assert plan.repeats == plan.bound == 0
    assert plan.seat_spread <= 1


def test_tiles_that_the_set_lacks_are_never_useful() -> None:
    hand = Hand.parse("19m1367p2468s114z5z")
    all_tiles, few = best_discards(hand), best_discards(hand, man="one_nine")
    assert any(kind in range(1, 8) for row in all_tiles for kind in row.tiles)
    assert not any(kind in range(1, 8) for row in few for kind in row.tiles)
    assert [row.shanten for row in few] == [row.shanten for row in all_tiles]


@pytest.mark.parametrize(("source", "payer"), [("right", "west"), ("left", "east"), ("across", "east")])
def test_the_last_of_three_sits_on_the_left(source: Source, payer: Wind) -> None:
    """Earlier versions called that seat ``across``; what they wrote is still read."""
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
    assert [found_score.win.seat for found_score in rons.scores] == ["south", "west"]
