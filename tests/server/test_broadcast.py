"""The broadcast of an event: nothing before the delay, hands for the key alone, and what its numbers say."""

from contextlib import closing
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

from jantaku.adjudication.analysis import shanten
from jantaku.game.board import Board
from jantaku.game.view import waits_of
from jantaku.hand import Hand
from jantaku.server.events.online.broadcasts import cast_hand, chance_of
from jantaku.server.play.audience import Trail
from jantaku.tiles import format_tiles
from server.clubs import Gathering, Tournament, member
from server.parlour import open_server, quick
from support.playing import played


@pytest.mark.parametrize("rules", ["tenhou", "bgm-2025", "tenhou-3"])
def test_hands_by_their_events_are_those_of_the_game(rules: str) -> None:
    """At each of many moments, tiles, melds, shanten, waits and the copies left are those of the engine."""
    game = played(rules, 3)
    now, board, read = game.anew(), Board(game.rules), 0
    for number, (_, seat, action) in enumerate(game.moves):
        for event in now.events[read:]:
            board.apply(event)
        read = len(now.events)
        if number % 23 == 0:
            for player in now.seats:
                view = now.view(player)
                held = [*view.hand, *([view.drawn] if view.drawn is not None else [])]
                shown = cast_hand(board.record, player, now.rules)
                assert shown.tiles == format_tiles(held)
                assert shown.melds == [format_tiles(meld.tiles) for meld in view.melds[player]]
                assert shown.shanten == shanten(Hand(tuple(sorted(held)), view.melds[player]))
                if len(held) % 3 == 1 and shown.shanten == 0:
                    assert "".join(wait.tile for wait in shown.waits) == "".join(
                        format_tiles([kind]) for kind in waits_of(now.record, player)
                    )
        now.play(seat, action)


def test_a_trail_tells_no_more_than_is_old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("jantaku.server.play.audience.time.monotonic", lambda: now)
    trail, delays = Trail(60), list[int]()
    for at, seq in ((0.0, 1), (1.0, 4), (30.0, 9)):
        now = at
        trail.add(now, seq)
    for at in (30.0, 59.9, 60.0, 61.0, 89.9, 90.0):
        now = at
        delays.append(trail.seen_at_last)
    assert delays == [0, 0, 1, 4, 4, 9]
    assert all(delay <= other for delay, other in pairwise(delays))


def comes(good: int, unseen: int, draws: int) -> float:
    """How often one of the good tiles is among the first draws, over all orders of the unseen tiles."""
    orders = list(permutations(range(unseen)))
    return sum(any(tile < good for tile in order[:draws]) for order in orders) / len(orders)


def test_chances_are_those_of_all_orders() -> None:
    for good, unseen, draws in ((0, 6, 3), (1, 6, 2), (2, 6, 3), (3, 7, 1), (4, 5, 5)):
        assert chance_of(good, unseen, draws) == pytest.approx(comes(good, unseen, draws), abs=0.0006)


@pytest.mark.slow
def test_hands_are_for_the_key_and_after_a_delay_alone(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Tournament(url, 4)) as tournament:
        tournament.post("seating/import", rounds=[[tournament.entries]])
        tournament.post("publish")

        def cast(**query: Any) -> dict[str, Any]:
            broadcast: dict[str, Any] = tournament.recorder.get(f"{tournament.path}/broadcast", **query)
            return broadcast

        opened = tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=0)["opened"]
        assert opened == [1]
        [table] = tournament.referee.get(f"{tournament.path}/tables")["tables"]
        path = f"{tournament.path}/tables/{table['table']['id']}"
        assert cast()["tables"] == []  # nothing has been dealt
        key = tournament.organiser.post(f"{tournament.path}/broadcast/key", hands=True)["key"]
        with closing(tournament.players[0].socket(table["table"]["id"])) as line:
            tournament.referee.post(path, action="start")
            line.asked()
            for query in ({}, {"key": "x"}, {"key": key}):
                [shown] = cast(**query)["tables"]  # at once, and never with hands: the delay is too short
                assert [seat["hand"] for seat in shown["seats"]] == [None] * 4
            assert sum(seat["score"] for seat in shown["seats"]) == 100_000
            assert cast(key=key)["hands"]
            tournament.referee.post(path, action="end", why="w")
        tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=60)
        table = tournament.referee.get(f"{tournament.path}/tables")["tables"][0]
        path = f"{tournament.path}/tables/{table['table']['id']}"
        with closing(tournament.players[0].socket(table["table"]["id"])) as line:
            tournament.referee.post(path, action="start")
            line.asked()
            assert [game for game in cast(key=key)["tables"] if game["id"] == table["table"]["id"]] == []
        tournament.organiser.post(f"{tournament.path}/broadcast/key", hands=False)
        assert not cast(key=key)["hands"]
        assert not cast(key="")["hands"]


@pytest.mark.slow
def test_recorded_tables_are_shown_by_their_points_and_hidden_ones_are_not(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Gathering(url, rules="tenhou")) as gathering:
        body = {"id": "on-paper", "stage": "league", "players": gathering.entries, "label": "7"}
        gathering.referee.post(f"{gathering.path}/games", **body)
        with closing(member(url, "watcher")) as watcher:
            [shown] = watcher.get(f"{gathering.path}/broadcast")["tables"]
            assert (shown["online"], shown["label"], shown["wall_left"]) == (False, "7", None)
            assert [seat["score"] for seat in shown["seats"]] == [25000] * 4
            assert [seat["wind"] for seat in shown["seats"]] == [0, 1, 2, 3]
            gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True})
            assert watcher.get(f"{gathering.path}/broadcast")["tables"] == []
