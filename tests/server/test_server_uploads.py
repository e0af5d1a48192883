"""Limits on uploads: length of a game, stored bytes, and memory of replays."""

import base64
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from jantaku.errors import RecordError
from jantaku.game import Game, Pass
from jantaku.game import game as engine
from jantaku.game.actions import Discard
from jantaku.records import most_moves as needed
from jantaku.records.native.compact import compact, expand
from jantaku.records.native.game_file import dumps
from jantaku.rules import load
from jantaku.server.archive import logs
from jantaku.server.archive.logs import KeptLog, read_log
from jantaku.server.archive.replay import ReplayCache, ReplayGame
from jantaku.server.errors import ServerError
from server.databases import rows
from server.parlour import LOOSE, Person, open_server, quick


def game_of(actions: int, seed: int = 1) -> Game:
    """A game in which everybody passes, cut off after so many actions."""
    game = Game(load("standard"), seed)
    while len(game.moves) < actions and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
        game.play(seat, Pass() if Pass() in legal else (plain or legal)[-1])
    return game


@pytest.fixture
def mina(tmp_path: Path) -> Iterator[Person]:
    limits = replace(LOOSE, kept_bytes_of_one=12_000)
    with open_server(quick(tmp_path, limits=limits)) as url, closing(Person(url, "Mina")) as person:
        yield person


def test_an_endless_log_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    log = dumps(game_of(60))
    monkeypatch.setattr(engine, "MOST_MOVES", 59)
    with pytest.raises(RecordError) as error:
        read_log("log", log, None)
    assert error.value.code == "record_long"
    monkeypatch.setattr(engine, "MOST_MOVES", 60)
    monkeypatch.setattr(needed, "MOST_MOVES", 60)
    kept = KeptLog.parse(read_log("log", log, None))
    assert kept.record == log
    assert len(kept.text) < len(log) / 3
    monkeypatch.setattr(logs, "MOST_RECORD", len(log) - 1)
    with pytest.raises(ServerError) as refused:
        read_log("log", log, None)
    assert refused.value.code == "log_too_large"


def test_a_long_game_stays_well_under_the_limit() -> None:
    game = game_of(engine.MOST_MOVES)
    assert game.is_over
    assert 4 * len(game.moves) < engine.MOST_MOVES
    assert 4 * len(dumps(game)) < logs.MOST_RECORD


@pytest.mark.slow
def test_uploads_of_one_person_are_limited_in_bytes(mina: Person, tmp_path: Path) -> None:
    log = dumps(game_of(150))
    codes = [mina.http.post("/api/uploads", json={"text": log}).status_code for _ in range(6)]
    fit = codes.count(200)
    assert 0 < fit < 6
    assert codes == [200] * fit + [429] * (6 - fit)
    ((stored,),) = rows(tmp_path, "SELECT sum(length(text)) FROM uploads")
    assert stored <= 12_000


def test_a_compressed_game_is_unpacked_only_up_to_a_limit() -> None:
    """A text of four kilobytes that would be as long as the limit a thousand times."""
    whole = zlib.decompress(base64.b85decode(compact(game_of(40))))
    bomb = base64.b85encode(zlib.compress(whole + bytes(4 << 20), 9)).decode()
    assert len(bomb) < 10_000
    with pytest.raises(RecordError):
        expand(bomb)


@pytest.mark.anyio
async def test_cached_replays_are_limited_in_bytes() -> None:
    """The replay viewed last stays, however large; concurrent requests load a game once."""
    game, read = game_of(50), 0
    replay_game = ReplayGame(game, [])
    replay_cache = ReplayCache(3 * replay_game.size)

    async def anew() -> ReplayGame:
        nonlocal read
        read += 1
        return ReplayGame(game, [])

    for number in range(10):
        await replay_cache.get(f"game {number}", anew)
        assert replay_cache.size <= 3 * replay_game.size
    assert read == 10
    await replay_cache.get("game 9", anew)
    assert read == 10
    await replay_cache.get("game 0", anew)
    assert read == 11
    small = ReplayCache(1)
    assert await small.get("game", anew) is await small.get("game", anew)
