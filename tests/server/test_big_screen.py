"""A big screen shows nothing before the delay and never a hand; when spectators see what."""

import random
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jantaku.server.events.results.counted_results import FRESH_S
from jantaku.server.play.audience import LONGEST_GAP_S, OpenHandsTrail, Trail
from server.clubs import Tournament
from server.parlour import open_server, quick


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


@pytest.mark.parametrize("delay", [0, 2, 60, 600])
def test_open_hands_are_shown_after_their_end_and_in_time(
    monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    """Random hands: no step comes before its hand has ended or before the delay, and all come in order."""
    chance, now, seq = random.Random(delay), 100.0, 0
    monkeypatch.setattr("jantaku.server.play.audience.time.monotonic", lambda: now)
    trail, ends, sent_at = OpenHandsTrail(delay), list[tuple[int, int]](), dict[int, float]()
    seen, first = list[int](), 1
    for _ in range(12):
        for _ in range(chance.randint(1, 30)):
            seq += chance.randint(1, 3)
            trail.add(now, seq)
            sent_at[seq] = now
            trail.move_on(now)
            assert trail.seen < first  # nothing of the hand that is played
            assert trail.behind
            now += chance.choice((0.0, 1.0, 8.0, 500.0))
        trail.end_hand(now)
        trail.move_on(now)
        seen.append(trail.seen)
        ends.append((first, seq))
        first = seq + 1
    while (due := trail.due) is not None:
        now = max(now, due)
        trail.move_on(now)
        seen.append(trail.seen)
        assert now >= sent_at[trail.seen] + delay or sent_at[trail.seen] > ends[-1][0]
    assert seen == sorted(seen)
    assert trail.seen == seq
    assert not trail.behind
    assert LONGEST_GAP_S >= 8


@pytest.mark.slow
def test_a_big_screen_shows_nothing_before_the_delay_and_never_a_hand(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Tournament(url, 4)) as tournament:
        tournament.post("seating/import", rounds=[[tournament.entries]])
        tournament.post("publish")

        def cast() -> dict[str, Any]:
            time.sleep(FRESH_S)
            screen: dict[str, Any] = tournament.recorder.get(f"{tournament.path}/screen")
            return screen

        opened = tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=0)["opened"]
        assert opened == [1]
        [table] = tournament.referee.get(f"{tournament.path}/tables")["tables"]
        path = f"{tournament.path}/tables/{table['table']['id']}"
        assert cast()["tables"] == []  # nothing has been dealt
        with closing(tournament.players[0].socket(table["table"]["id"])) as line:
            tournament.referee.post(path, action="start")
            line.asked()
            [shown] = cast()["tables"]
            assert set(shown) == {"id", "label", "hand_number", "names", "scores"}
            assert sum(shown["scores"]) == 100_000
            tournament.referee.post(path, action="end", why="w")
        tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=60)
        table = tournament.referee.get(f"{tournament.path}/tables")["tables"][0]
        path = f"{tournament.path}/tables/{table['table']['id']}"
        with closing(tournament.players[0].socket(table["table"]["id"])) as line:
            tournament.referee.post(path, action="start")
            line.asked()
            assert [game for game in cast()["tables"] if game["id"] == table["table"]["id"]] == []
