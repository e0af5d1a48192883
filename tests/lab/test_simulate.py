"""Simulations: the games do not depend on the number of threads, and every hand has a row."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import SEATS
from jantaku import terms
from jantaku.adjudication.batch import yaku_ids
from jantaku.bots.chance import shuffle
from jantaku.bots.player import bot
from jantaku.cli.command import INTERRUPTED
from jantaku.cli.simulate import simulate as command
from jantaku.errors import RecordError, RequestError
from jantaku.game import Game
from jantaku.game import events as event_types
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.claims import next_seat
from jantaku.lab import chunks
from jantaku.lab import parquet as tables
from jantaku.lab.chunks import ChunkPlan, play_chunk, played_chunks, players_at
from jantaku.lab.kernels.turns import WALLS, sources
from jantaku.lab.parquet import ParquetWriter, games_table, hands_table
from jantaku.lab.simulate import Summary, simulate
from jantaku.rules import Ruleset, load

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles

polars = pytest.importorskip("polars")

EAST = load("tenhou").with_changes({"match.length": "east"})
FOUR = ("standard", "efficient", "random", "efficient") if COMPILED else ("random",) * 4
FEW = 6 if COMPILED else 2


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 2 if COMPILED else 1)


def walls_of(rules: Ruleset, seed: int, game: int) -> Iterator[list[int]]:
    source, tiles = sources(seed, WALLS, game, 1)[0], np.array(tile_set(rules), np.uint8)
    wall = np.empty_like(tiles)
    while True:
        shuffle(tiles, source, wall)
        yield wall.tolist()


def test_parquet_rows_match_the_game() -> None:
    """The wins, draws, points and counts of every hand are those of the same game replayed move by move."""
    if not COMPILED:
        pytest.skip("bots take too long uncompiled")
    rules = load("bgm-2025")
    chunk = play_chunk(ChunkPlan(rules, ("efficient",) * 4, 3, seed=4), 0, 3)
    rows = hands_table(chunk).to_dicts()
    player = bot("efficient", 0)
    for number in range(3):
        game = Game(rules, walls=walls_of(rules, 4, number))
        while not game.is_over:
            seat = int(next_seat(game.record))
            game.play(seat, player.choose(game, seat))
        hands = list(by_hand(game.events))
        mine = [row for row in rows if row["game"] == number]
        assert len(mine) == len(hands) == chunk.games["hands"][number]
        for row, hand in zip(mine, hands, strict=True):
            compare(row, hand)
        assert chunk.games["scores"][number].tolist() == list(game.scores)
        assert chunk.games["final"][number].tolist() == game.record.match.final.tolist()
        assert chunk.games["decisions"][number] == len(game.played)


def by_hand(events: list[event_types.Event]) -> Iterator[list[event_types.Event]]:
    starts = [index for index, event in enumerate(events) if isinstance(event, event_types.HandStarted)]
    yield from (events[a:b] for a, b in zip(starts, [*starts[1:], len(events)], strict=True))


def compare(row: dict[str, Any], events: list[event_types.Event]) -> None:
    start = events[0]
    assert isinstance(start, event_types.HandStarted)
    assert [row[name] for name in ("number", "honba", "deposits", "dealer")] == [
        start.number, start.honba, start.deposits, start.dealer,
    ]  # fmt: skip
    assert [row[f"score_{seat}"] for seat in SEATS] == list(start.scores)
    wins = {event.seat: event for event in events if isinstance(event, event_types.Won)}
    drawn = [event for event in events if isinstance(event, event_types.HandDrawn)]
    assert row["ended"] == (drawn[0].kind if drawn else "won")
    discards = [event.seat for event in events if isinstance(event, event_types.Discarded)]
    assert row["discards"] == len(discards)
    assert row["turns"] == max((discards.count(seat) for seat in SEATS), default=0)
    deltas = next(
        (e.deltas for e in events if isinstance(e, event_types.PointsMoved) and e.reason == "hand"), None
    )
    assert [row[f"delta_{seat}"] for seat in SEATS] == list(deltas or (0, 0, 0, 0))
    calls = [event.seat for event in events if isinstance(event, event_types.Called)]
    riichi = [event.seat for event in events if isinstance(event, event_types.Discarded) and event.riichi]
    for seat in SEATS:
        assert row[f"calls_{seat}"] == calls.count(seat)
        assert (row[f"riichi_{seat}"] > 0) == (seat in riichi)
        assert row[f"won_{seat}"] == (seat in wins)
        assert row[f"tenpai_{seat}"] == bool(drawn and seat in drawn[0].tenpai)
        worth = [row[f"{name}_{seat}"] for name in ("han", "fu", "points")]
        if seat in wins:
            score = wins[seat].score
            assert worth == [score.han or 0, score.fu or 0, score.points]
            own = [name for name in score.yaku if not name.endswith("dora")]
            assert sorted(yaku_ids(row[f"yaku_{seat}"])) == sorted(own)
            assert row["discarder"] == wins[seat].source
        else:
            assert worth == [0, 0, 0]


def test_the_result_does_not_depend_on_threads(tmp_path: Path) -> None:
    plan = ChunkPlan(EAST, FOUR, FEW, seed=1)
    progress: list[int] = []
    simulated = simulate(plan, 1, tmp_path / "one.parquet", lambda now: progress.append(now.games))
    several = simulate(plan, 3, tmp_path / "three.parquet")
    assert progress == list(range(chunks.CHUNK, FEW + 1, chunks.CHUNK))
    assert simulated.complete
    for name in ("{}.parquet", "{}-games.parquet"):
        assert polars.read_parquet(tmp_path / name.format("one")).equals(
            polars.read_parquet(tmp_path / name.format("three"))
        )
    assert vars(simulated).keys() == vars(several).keys()
    assert all(np.array_equal(mine, vars(several)[name]) for name, mine in vars(simulated).items())
    assert len(list(tmp_path.iterdir())) == 4


def test_a_game_is_the_same_in_any_chunk() -> None:
    """A game depends only on the seed and on its number."""
    plan = ChunkPlan(EAST, FOUR, 3)
    whole, part = play_chunk(plan, 0, 3), play_chunk(plan, 2, 1)
    other = play_chunk(ChunkPlan(EAST, FOUR, 1, seed=1), 0, 1)
    last, names = whole.hands[whole.hands["game"] == 2], list(whole.hands.dtype.names or ())[1:]
    assert [last[name].tolist() for name in names] == [part.hands[name].tolist() for name in names]
    assert whole.games[0].tobytes() != other.games[0].tobytes()


def test_the_hand_buffer_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = ChunkPlan(EAST, FOUR, 2)
    enough = play_chunk(plan, 0, 2)
    monkeypatch.setattr(chunks, "_HANDS_PER_GAME", 3)
    tight = play_chunk(plan, 0, 2)
    assert tight.hands.tobytes() == enough.hands.tobytes()


def test_players_change_seats() -> None:
    assert players_at(np.array([0, 1, 2, 7]), SEATS).tolist() == [
        [0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0],
    ]  # fmt: skip


def test_the_summary_matches_the_parquet_rows() -> None:
    plan, summary = ChunkPlan(EAST, FOUR, FEW, seed=2), Summary()
    with played_chunks(plan, 2) as record:
        parts = list(record)
    for chunk in parts:
        summary.add(chunk)
    hands = polars.concat([hands_table(chunk) for chunk in parts])
    games = polars.concat([games_table(chunk, plan) for chunk in parts])
    assert (summary.games, summary.hands) == (len(games), len(hands))
    assert summary.places.sum(axis=1).tolist() == summary.places.sum(axis=0).tolist() == [FEW] * 4
    for player in SEATS:
        final = riichi = wins = deal_ins = 0
        for game in games.to_dicts():
            seat = next(seat for seat in SEATS if game[f"player_{seat}"] == player)
            assert game[f"bot_{seat}"] == plan.bots[player]
            final += game[f"final_{seat}"]
            own = hands.filter(polars.col("game") == game["game"])
            wins += own[f"won_{seat}"].sum()
            riichi += (own[f"riichi_{seat}"] > 0).sum()
            deal_ins += ((own["discarder"] == seat) & (own["ended"] == "won")).sum()
        counted = (summary.final, summary.wins, summary.riichi, summary.deal_ins)
        assert [int(player_counts[player]) for player_counts in counted] == [final, wins, riichi, deal_ins]
    assert summary.draws == hands.filter(polars.col("ended") != "won").height


# Interruptions and errors ----------------------------------------------------------------------------------


def interrupt(summary: Summary) -> None:
    if summary.games >= 2:
        raise KeyboardInterrupt


def test_an_interrupted_run_keeps_its_games(tmp_path: Path) -> None:
    plan = ChunkPlan(EAST, FOUR, FEW + 2)
    done = simulate(plan, 2, tmp_path / "part.parquet", interrupt)
    assert not done.complete
    assert done.games == 2
    whole = play_chunk(plan, 0, 2)
    assert polars.read_parquet(tmp_path / "part.parquet").equals(hands_table(whole))
    assert len(list(tmp_path.iterdir())) == 2


def test_parts_become_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file written in parts is the same; an existing file is kept until the new one is complete."""
    monkeypatch.setattr(tables, "_PART_ROWS", 1)
    plan = ChunkPlan(EAST, FOUR, FEW)
    out = tmp_path / "hands.parquet"
    out.write_text("old")
    writer = ParquetWriter(out, plan)
    with played_chunks(plan, 1) as game:
        for chunk in game:
            writer.add(chunk)
    assert out.read_text() == "old"
    writer.finish()
    assert polars.read_parquet(out).equals(hands_table(play_chunk(plan, 0, FEW)))


def test_an_unwritable_output_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        simulate(ChunkPlan(EAST, FOUR, 1), 1, tmp_path / "nowhere" / "x.parquet")
    assert caught.value.code == "unwritable_file"


def test_without_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(RequestError, match=r"jantaku\[lab\]"):
        ParquetWriter(tmp_path / "x.parquet", ChunkPlan(EAST, FOUR, 1))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: ChunkPlan(EAST, ("nobody",) * 4, 1), "bots"),
        (lambda: ChunkPlan(EAST, ("random",) * 3, 1), "bots"),
        (lambda: ChunkPlan(EAST, FOUR, 0), "games"),
        (lambda: ChunkPlan(EAST, FOUR, 1, -1), "seed"),
        (lambda: simulate(ChunkPlan(EAST, FOUR, 1), 0), "jobs"),
    ],
)
def test_impossible_plans_are_refused(make: Any, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        make()
    assert caught.value.field == field


# The command -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_command(
    language: terms.Language,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rules = tmp_path / "east.toml"
    rules.write_text('extends = "tenhou"\n[match]\nlength = "east"\n', "utf-8")
    file = tmp_path / "hands.parquet"
    with terms.using(language):
        code = command(
            games=2 if COMPILED else 1, rules=str(rules), bots=",".join(FOUR), seed=3, jobs=1, file=file
        )
    output = capsys.readouterr().out
    assert code == 0
    rows = polars.read_parquet(file).height
    assert f"{rows:,}" in output
    for player, name in enumerate(FOUR):
        assert f"{player} {name}" in output


def test_the_command_interrupted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Summary, "add", lambda *_: interrupt(Summary(games=2)))
    code = command(games=4, rules="tenhou", bots="random", jobs=1)
    assert code == INTERRUPTED
    assert "0 of 4" in capsys.readouterr().err
