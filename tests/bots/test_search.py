"""Search: it sees only what its seat sees, repeats itself, and prefers what is plainly better."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from jantaku import preset_names
from jantaku.bots import bot
from jantaku.bots.match import by_seat
from jantaku.bots.place_chances import chances, expected_result, hands_left
from jantaku.bots.policies import STANDARD, STRONG
from jantaku.bots.search import SearchBot, Settings, position_to_act, search
from jantaku.bots.search.candidates import candidates
from jantaku.bots.search.kernels.past import recall
from jantaku.bots.search.search import deal_sources
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game import Game, Standing
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import CALLED, CLAIMS, GAME, YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import ANKAN, NO_MELD
from jantaku.rules import load
from jantaku.tiles import RED
from support.deals import deals, hidden_tiles
from support.hiding import scrambled

compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
pytestmark = pytest.mark.xdist_group("search")
FEW = Settings(deals=4, hands=2)


def moments(rules: str, seed: int, count: int, least: int = 3) -> list[tuple[Game, int]]:
    """Return copies of a game between bots at random decisions with several legal actions."""
    game, player, chance = Game(rules, seed=seed), bot("standard", seed), Random(seed)
    found: list[tuple[Game, int]] = []
    while len(found) < count and not game.is_over:
        seat = game.to_act[-1]
        if len(game.legal(seat)) >= least and chance.random() < 0.1:
            found.append((game.copy(), seat))
        game.play(seat, player.choose(game, seat))
    return found


def seen_by(game: Game, seat: int, settings: Settings = FEW) -> Any:
    """Return the result of a search without the time it took."""
    return replace(search(position_to_act(game, seat), settings), seconds=0.0)


# Visible information -------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("rules", ["tenhou", "bgm-2025"])
def test_a_search_does_not_depend_on_hidden_tiles(rules: str) -> None:
    chance, compared = Random(3), 0
    for game, seat in moments(rules, 3, 12):
        changed = scrambled(game, seat, chance)
        compared += changed.state != game.state
        assert seen_by(game, seat) == seen_by(changed, seat)
    assert compared


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("rules", ["tenhou", "bgm-2025", "tenhou-3"])
def test_deals_keep_what_is_visible_and_use_every_tile_once(rules: str) -> None:
    sources = deal_sources(5, 0, 3).deals
    for game, seat in moments(rules, 4, 40):
        before, whole = game.record, Counter(map(int, tile_set(game.rules)))
        for record in deals(position_to_act(game, seat), sources, hands=3):
            assert (record.hand[seat] == before.hand[seat]).all()
            assert (record.river == before.river).all()
            assert record.hand.sum(axis=1).tolist() == before.hand.sum(axis=1).tolist()
            counts = Counter({30: int(record.kita.sum())})
            for other in game.seats:
                reds = record.red[other]
                for kind in range(34):
                    counts[kind + RED] += int(reds[kind])
                    counts[kind] += int(record.hand[other, kind]) - int(reds[kind])
                river = range(int(record.discards[other]))
                lying = [i for i in river if not record.river_marks[other, i] & CALLED]
                counts.update(int(record.river[other, i]) for i in lying)
                for meld in game.view(other).melds[other]:
                    counts.update(map(int, meld.tiles))
            end = int(record.tiles) - int(record.drawn_rinshan)
            counts.update(record.wall[record.drawn_live : end].tolist())
            pending = record.phase == CLAIMS and record.claimed_how in (1, 3)
            counts.update([int(record.claimed_tile)] * int(pending))
            assert +counts == whole


def called(melds: Any) -> list[int]:
    """Count the called melds of each seat; the time of a concealed kan is unknown."""
    counts: list[int] = ((melds != NO_MELD) & (melds != ANKAN)).sum(axis=1).tolist()
    return counts


def test_recent_discards_are_recalled_as_they_were_seen() -> None:
    """The view before a discard has the rivers, melds and riichi of that moment, and the discarded tile."""
    checked = 0
    for game, seat in moments("tenhou", 6, 15 if COMPILED else 4):
        unseen = hidden_tiles(position_to_act(game, seat), hands=2)
        recall(game.record, seat, unseen.past, by_seat([STANDARD] * 4))
        past, now = unseen.past, game.restarted()
        views: dict[tuple[int, int], Any] = {}  # by hand, seat and number of discards
        for _, mover, action in game.moves:
            if now.record.phase == YOUR_TURN and len(now.walls) == len(game.walls):
                views[mover, int(now.record.discards[mover])] = now.record.copy()
            now.play(mover, action)
        for other in set(game.seats) - {seat}:
            for i in range(int(past.found[other])):
                view = past.views[other * (len(past.views) // 4) + i]
                then = views[other, int(view.discards[0])]
                turned = [(other + turn) % 4 for turn in range(4)]
                assert view.discards.tolist() == then.discards[turned].tolist()
                assert called(view.meld) == called(then.meld[turned])
                assert [bool(x) for x in view.riichi] == [bool(x) for x in then.riichi[turned]]
                assert view.discarded.tolist() == then.discarded[turned].tolist()
                checked += 1
    assert checked > 10


# Values --------------------------------------------------------------------------------------------------


def test_a_finished_game_has_its_final_result_and_an_open_one_what_the_chances_say() -> None:
    game = Game("tenhou", seed=2)
    match, row = game.record.match.copy(), np.zeros(4)
    rules = rules_record(game.rules)[0]
    match.scores[:] = (40_000, 30_000, 20_000, 10_000)
    shares = chances((40_000, 30_000, 20_000, 10_000), hands_left(0, game.rules))
    for seat in range(4):
        place, final = expected_result(match, seat, rules, row)
        assert place == pytest.approx(sum((i + 1) * share for i, share in enumerate(shares[seat])))
        uma = sum(share * int(rules.uma[i]) for i, share in enumerate(shares[seat]))
        oka = int(rules.oka) * shares[seat][0]
        assert final == pytest.approx(int(match.scores[seat]) - game.rules.match.return_points + uma + oka)
    match.over, match.final[2], match.place[:] = 1, -4200, (1, 2, 3, 4)
    assert expected_result(match, 2, rules, row) == (3.0, -4200.0)


def test_the_results_of_all_seats_add_up() -> None:
    match, row = Game("tenhou", seed=2).record.match.copy(), np.zeros(4)
    match.scores[:], match.deposits, match.number = (50_000, 29_000, 19_000, 0), 2, 6
    results = [expected_result(match, seat, rules_record(load("tenhou"))[0], row) for seat in range(4)]
    assert sum(place for place, _ in results) == pytest.approx(10)
    assert sum(final for _, final in results) == pytest.approx(0, abs=1e-6)


@compiled_only
def test_a_win_is_taken() -> None:
    game, player = Game("tenhou", seed=11), bot("standard", 1)
    while not any(action.type in ("tsumo", "ron") for action in game.legal(game.to_act[0])):
        game.play(game.to_act[0], player.choose(game, game.to_act[0]))
    seat = game.to_act[0]
    result = search(position_to_act(game, seat), Settings(deals=20))
    assert result.chosen.type in ("tsumo", "ron")
    won = next(value for value in result.values if value.action == result.chosen)
    assert (won.win, won.deal_in) == (1.0, 0.0)
    assert won.gain_error == pytest.approx(0, abs=1e-6)


# Settings and bots ---------------------------------------------------------------------------------------


@compiled_only
def test_more_deals_only_add_to_fewer() -> None:
    first, longer = deal_sources(3, 0, 4), deal_sources(3, 0, 10)
    later = deal_sources(3, 4, 6)
    for few, many, rest in zip(first, longer, later, strict=True):
        assert (np.concatenate([few, rest]) == many).all()


@compiled_only
@pytest.mark.parametrize("rules", preset_names())
def test_the_bot_plays_every_preset(rules: str) -> None:
    player = SearchBot(Settings(deals=1, hands=1, policy=0))  # with random rollouts, which are the fastest
    for game, seat in moments(rules, 2, 4, least=2):
        assert player.choose(game, seat) in game.legal(seat)


def test_candidates_begin_with_the_policy_and_are_legal_without_equal_ones() -> None:
    for game, seat in moments("tenhou", 9, 20, least=2):
        known = position_to_act(game, seat)
        work = new_bot_workspace(np.ones(2, np.int64), game.rules)
        found = candidates(known, STRONG, np.frombuffer(known.state, GAME).copy(), work)
        assert found[0] in known.codes
        assert set(found) <= set(known.codes)
        assert len(found) == len(set(found))
        fewer = candidates(known, STRONG, np.frombuffer(known.state, GAME).copy(), work, 1.0)
        assert fewer[0] == found[0]
        assert set(fewer) <= set(found)


@compiled_only
def test_a_bot_repeats_itself() -> None:
    for game, seat in moments("tenhou", 12, 3):
        chosen = [SearchBot(replace(FEW, seed=4)).choose(game, seat) for _ in range(2)]
        assert chosen[0] == chosen[1]


@compiled_only
def test_threads_can_search_at_the_same_time() -> None:
    known = [position_to_act(game, seat) for game, seat in moments("tenhou", 13, 6)]
    alone = [replace(search(one, FEW), seconds=0.0) for one in known]
    with ThreadPoolExecutor(3) as pool:
        together = [replace(result, seconds=0.0) for result in pool.map(search, known, [FEW] * len(known))]
    assert alone == together


@compiled_only
def test_a_budget_in_milliseconds_is_kept_roughly_and_one_is_needed() -> None:
    (game, seat), *_ = moments("tenhou", 12, 1)
    assert search(position_to_act(game, seat), Settings(budget_ms=1)).deals >= 8
    for wrong in ({}, {"deals": 0}, {"deals": 3, "budget_ms": 5.0}, {"deals": 3, "policy": 9}):
        with pytest.raises(RequestError):
            Settings(**wrong)


def test_a_riichi_that_no_hand_explains_leaves_the_policy_its_choice() -> None:
    game = Game("tenhou", seed=5, standing=Standing(0, 0, 0, (25_000,) * 4))
    game._engine.record.riichi[1] = 1
    game._engine.record.discarded[1] = (1 << 34) - 1
    game._refresh()
    result = search(position_to_act(game, 0), FEW)
    assert (result.values, result.chosen) == ((), result.policy)
