"""Finished hands are stored as played, so no later engine loses or changes a game."""

import json
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jantaku.errors import IllegalActionError
from jantaku.game import Game
from jantaku.records.native.hand_log import as_played, differing_hand, hand_logs
from jantaku.rules import load
from jantaku.server.archive.replay import GamePlayer, GameSummary, ReplayGame, kept_replay, replay
from jantaku.server.storage.finished_games import engine_mark, replayed
from jantaku.server.storage.games import Beginning
from server.databases import rows
from server.parlour import Message, Person, open_server, quick, simplest
from support.playing import played

OTHER_SEED = b"another wall".ljust(32, b".")


def test_stored_hands_hold_the_whole_game() -> None:
    game = played("standard", seed=5)
    logs = hand_logs(game)
    assert len(logs) == sum(event.type == "hand_started" for event in game.events)
    assert differing_hand(game, logs) is None
    record = as_played(game.rules, logs, [(seat, str(action)) for _, seat, action in game.moves])
    assert [event.to_dict() for event in record.events] == [event.to_dict() for event in game.events]
    assert record.moves == game.moves


def test_only_finished_hands_are_stored_during_a_game() -> None:
    game = Game("standard", seed=5)
    assert hand_logs(game) == []
    assert len(hand_logs(game, ended=True)) == 1


def test_a_different_game_differs_in_its_first_hand() -> None:
    assert differing_hand(played("standard", seed=6), hand_logs(played("standard", seed=5))) == 0


def test_a_game_that_stops_short_differs() -> None:
    whole = played("standard", seed=5)
    logs = hand_logs(whole)
    assert len(logs) > 1
    assert differing_hand(Game("standard", seed=5), logs) == 0
    short = Game("standard", seed=5)
    second = whole.moves[next(i for i, (before, _, _) in enumerate(whole.moves) if before > 150)][0]
    for before, seat, action in whole.moves:
        if before < second:
            short.play(seat, action)
    assert differing_hand(short, logs) is not None


@contextmanager
def a_hand_played(data: Path, hands: int = 1) -> Iterator[tuple[Message, dict[str, str]]]:
    """A table with three bots whose first hands are over; the table and the cookies of its owner."""
    with open_server(quick(data)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table()
        line = mina.socket(table["id"])
        mina.post(f"/api/tables/{table['id']}/start")
        while sum(event["type"] == "hand_started" for event in line.events()) <= hands:
            own = line.asked()
            assert own is not None
            line.act(simplest(own))
        line.close()
        yield table, dict(mina.http.cookies)


@pytest.mark.slow
def test_each_hand_is_stored_when_it_ends(tmp_path: Path) -> None:
    with a_hand_played(tmp_path, hands=2) as (table, _):
        numbers = [number for (number,) in rows(tmp_path, "select number from hands order by number")]
        assert numbers[:2] == [0, 1]
    assert table


@pytest.mark.slow
@pytest.mark.parametrize("change", ["seed", "rows"])
def test_a_game_that_now_replays_differently_is_shown_as_it_was(tmp_path: Path, change: str) -> None:
    """A different seed simulates a different engine: the actions are illegal or lead elsewhere."""
    with a_hand_played(tmp_path) as (table, cookies):
        pass
    (game,) = rows(tmp_path, "select id from games")[0]
    if change == "seed":
        rows(tmp_path, "update games set seed = ?", OTHER_SEED)
    else:
        other = hand_logs(played("standard", seed=5))[0]
        rows(tmp_path, "update hands set log = ? where number = 0", other)
    with open_server(quick(tmp_path)) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookies)
        assert mina.get(f"/api/tables/{table['id']}")["stopped"] is True
        assert mina.http.delete(f"/api/tables/{table['id']}").status_code == 200
        shown_game = mina.get(f"/api/games/{game}/replay")
        assert shown_game["follows_rules"] is False
        logs = rows(tmp_path, "select log from hands order by number")
        assert shown_game["events"] == [
            event for (log,) in logs for event in json.loads(zlib.decompress(log))["events"]
        ]
        last = mina.http.get(f"/api/games/{game}/replay/{len(shown_game['steps'])}")
        assert last.status_code == 200


def test_a_replay_opens_as_it_is_stored() -> None:
    """Nothing is played again where the engine is known to play the game so; the page is the same."""
    game = played("tenhou", seed=5)
    shown = GameSummary.model_construct(
        players=[GamePlayer(name=letter, bot=False, level=None) for letter in "abcd"]
    )
    moves = [(seat, str(action)) for _, seat, action in game.moves]
    kept = kept_replay(game.rules, hand_logs(game, ended=True), moves, shown)
    whole = replay(ReplayGame(game, list("abcd")), shown)
    assert kept.model_dump(exclude={"game"}) == whole.model_dump(exclude={"game"})


@pytest.mark.slow
def test_a_replay_is_played_again_once_by_another_engine(tmp_path: Path) -> None:
    """Its mark is noted when the game ends, and by the first version that plays the game the same."""
    with a_hand_played(tmp_path) as (table, cookies):
        pass
    with open_server(quick(tmp_path)) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookies)
        with closing(mina.socket(table["id"])) as line:
            line.ask(type="abort", agree=True)
        assert mina.get(f"/api/tables/{table['id']}")["status"] == "aborted"
        [(game, mark)] = rows(tmp_path, "select id, engine from games")
        assert mark == engine_mark()
        first = mina.get(f"/api/games/{game}/replay")
        assert first["follows_rules"] is True
        for other in ("another engine", None):
            rows(tmp_path, "update games set engine = ?", other)
            assert mina.get(f"/api/games/{game}/replay") == first
            assert rows(tmp_path, "select engine from games") == [(mark,)]


def test_illegal_actions_without_stored_hands_are_an_error() -> None:
    with pytest.raises(IllegalActionError):
        replayed(load("standard"), Beginning(OTHER_SEED), [(3, "tsumo")])
