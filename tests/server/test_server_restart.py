"""A restart in the middle of a game: the last step is told anew, with its pause, and nothing is lost."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jantaku.game import Game
from jantaku.server.pauses import Pauses
from jantaku.server.play.audience import Trail
from jantaku.server.play.live_game import last_step
from server.parlour import Line, Message, Person, open_server, quick, simplest
from support.playing import played

CLAIMS = Pauses(claim=(1.5, 1.5), hesitation=0, bot=(0, 0), result=600, result_among_bots=600, deal=0)
LONG = replace(CLAIMS, claim=(60, 60))  # before a restart, so that nothing happens while the server stops
RESULTS = replace(CLAIMS, claim=(0, 0))


def to_the_claim(line: Line) -> None:
    """Discard: the next draw is not told yet."""
    own = line.asked()
    assert own is not None
    line.act(simplest(own))


def to_the_result(line: Line) -> None:
    """Play until the result of the first hand is shown."""
    while not any(message["type"] == "pause" for message in line.seen):
        if line.own is not None and line.own["ask"] is not None:
            line.act(simplest(line.own))
        else:
            line.next()


@contextmanager
def before_and_after(
    data: Path, pauses: Pauses, play: Callable[[Line], object], before: Pauses | None = None
) -> Iterator[tuple[Line, Line]]:
    """A player's socket before a restart and after it, which says what it has seen."""
    settings = quick(data, pauses=pauses)
    with open_server(quick(data, pauses=before or pauses)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(options={"clock": True})["id"]
        line = mina.socket(table)
        mina.post(f"/api/tables/{table}/start")
        play(line)
        line.close()
        cookies = dict(mina.http.cookies)
    with open_server(settings) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookies)
        with closing(mina.socket(table, game=line.game, last=line.seq)) as again:
            yield line, again


@pytest.mark.slow
def test_the_next_draw_is_told_after_the_pause(tmp_path: Path) -> None:
    """No draw comes at once after a restart, or it would show that nobody could call."""
    with before_and_after(tmp_path, CLAIMS, to_the_claim, LONG) as (line, again):
        first = again.next()
        assert (first["type"], first["seq"], first["events"]) == ("update", line.seq, [])
        assert first["own"] is None
        following = again.until("update")
        assert [event["type"] for event in following["events"]] in (["drew"], ["called"], ["won"])
        assert following["seq"] == line.seq + 1
        drawn = again.until("update", lambda message: own_draw(message) is not None)
        event = own_draw(drawn)
        assert event is not None
        assert event["tile"] == drawn["own"]["drawn"]


def own_draw(message: Message) -> Message | None:
    """The draw of seat 0 in a message."""
    return next(
        (event for event in message["events"] if event["type"] == "drew" and event["seat"] == 0), None
    )


@pytest.mark.slow
def test_the_result_of_a_hand_is_shown_again(tmp_path: Path) -> None:
    with before_and_after(tmp_path, RESULTS, to_the_result) as (line, again):
        shown = again.until("pause")
        assert 0 < shown["ms"] <= 600_000
        assert again.seq == line.seq
        assert not any(
            event["type"] == "hand_started" for event in again.events() if event not in line.events()
        )
        again.send(type="ready", id="read")
        dealt = again.until(
            "update", lambda message: any(e["type"] == "hand_started" for e in message["events"])
        )
        assert [event["type"] for event in dealt["events"]] == ["hand_started", "drew"]
        assert dealt["seq"] == line.seq + 2


@pytest.mark.slow
def test_the_clock_of_an_open_question_is_told_at_once(tmp_path: Path) -> None:
    with before_and_after(tmp_path, CLAIMS, lambda line: line.until("sync")) as (line, again):
        question = again.next()
        assert question["seq"] == line.seq
        if question["own"] is not None and question["own"]["ask"] is not None:
            assert question["own"]["left_ms"] > 0
        assert question["clock"]["turn_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_the_last_step_begins_with_an_action_on_turn(seed: int) -> None:
    """At every point of a game, the earlier game and the moves together are the game."""
    whole = played("standard", seed=seed)
    for stop in range(0, len(whole.moves), 7):
        game = Game("standard", seed=seed)
        for _, seat, action in whole.moves[:stop]:
            game.play(seat, action)
        earlier, moves = last_step(game)
        assert len(moves) <= 4
        assert not moves or moves[0][1] == earlier.record.turn
        for _, seat, action in moves:
            earlier.play(seat, action)
        assert [event.to_dict() for event in earlier.events] == [event.to_dict() for event in game.events]
        assert earlier.to_act == game.to_act


def test_a_watcher_is_told_nothing_twice() -> None:
    trail = Trail(0)
    for seq in (5, 7, 6, 7, 8):
        trail.add(1.0, seq)
    seen = []
    while trail.due is not None:
        trail.move_on(1.0)
        seen.append(trail.seen)
    assert seen == [8]
    trail.add(2.0, 7)
    assert not trail.move_on(3.0)
    assert trail.seen == 8
