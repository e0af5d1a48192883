"""``jantaku replay``, ``convert`` and ``fair``, and recognising the format of a record."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest

from jantaku import terms
from jantaku.cli.explanation import event_in_words
from jantaku.cli.watch import MOVES, GameFrames
from jantaku.game import Game, hide
from jantaku.game.events import EVENTS
from jantaku.game.fair_walls import tile_set
from jantaku.records import formats
from jantaku.terms import LANGUAGES, Language
from support.record_games import comparable_events, game_of
from support.terminal import run

TINY = Path(__file__).parents[1] / "data" / "east-1.mjai"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Write one game in every writable format."""
    game = game_of("bgm-2025", 3, 60)
    files = {name: tmp_path / f"game{row.suffixes[0]}" for name, row in formats.BY_NAME.items()}
    for path in files.values():
        formats.write(game, path)
    return files


@pytest.mark.parametrize(("source", "to"), [*pairwise([*formats.BY_NAME, *formats.BY_NAME][:6])])
def test_convert(files: dict[str, Path], source: str, to: str, tmp_path: Path) -> None:
    target = tmp_path / "converted.gz"
    result = run("convert", str(files[source]), str(target), "--to", to)
    assert result.exit_code == 0, result.output
    assert comparable_events(formats.read(target)) == comparable_events(formats.read(files[source]))


def test_convert_to_standard_output(files: dict[str, Path]) -> None:
    result = run("convert", str(files["jantaku"]), "-", "--to", "mjai")
    types = [json.loads(line)["type"] for line in result.stdout.splitlines()]
    assert types[:3] == ["start_game", "start_kyoku", "tsumo"]


def test_converted_files_keep_their_names(files: dict[str, Path], tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "out"
    (logs / "deep").mkdir(parents=True)
    (logs / ".hidden").mkdir()
    for name, place in (("mjai", "a.mjson"), ("tenhou", "a.json"), ("mjlog", "deep/b.v2.mjlog"),
                        ("compact", "deep/c"), ("mjai", ".hidden/d.mjson")):  # fmt: skip
        (logs / place).write_bytes(files[name].read_bytes())
    (logs / "e.mjlog.gz").write_bytes(gzip.compress(files["mjlog"].read_bytes()))
    (logs / "deep" / "broken.json").write_text('{"log": [[[', "utf-8")
    result = run("convert", str(logs), str(out), "--to", "mjai")
    assert result.exit_code == 1
    assert str(logs / "deep" / "broken.json") in result.stderr
    assert written(out) == ["a.mjson", "a.mjson.mjson", "deep/b.v2.mjson", "deep/c.mjson", "e.mjson"]
    for path in out.rglob("*.mjson"):
        assert comparable_events(formats.read(path)) == comparable_events(formats.read(files["mjai"]))
    both = run("convert", str(logs), str(files["jantaku"]), str(tmp_path / "both"), "--to", "tenhou")
    assert both.exit_code == 1
    assert {"game.json", "logs/a.json", "logs/deep/c.json"} <= {*written(tmp_path / "both")}


def written(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_existing_files_are_not_overwritten_by_default(files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for arguments in (("mjai", out / "game.json"), ("mjai", f"{out}/", "--to", "tenhou")):
        (out / "game.json").write_text("mine", "utf-8")
        call = ("convert", str(files[str(arguments[0])]), *map(str, arguments[1:]))
        result = run(*call)
        assert result.exit_code > 0
        assert "--overwrite" in result.stderr
        assert (out / "game.json").read_text("utf-8") == "mine"
        assert run(*call, "--overwrite").exit_code == 0
        assert formats.read(out / "game.json").scores


@pytest.mark.parametrize(
    "arguments",
    [
        ("{folder}", "-", "--to", "mjai"),
        ("{game}", "{game}", "-", "--to", "mjai"),
        ("{folder}", "{folder}/out"),
        ("{folder}", "{game}", "--to", "mjai"),
        ("{folder}/empty", "{folder}/out", "--to", "mjai"),
        ("{game}", "{folder}/x", "--to", "majiang"),
        ("{folder}/none", "{folder}/x", "--to", "mjai"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_convert_errors(
    arguments: tuple[str, ...], language: Language, files: dict[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    before = files["jantaku"].read_bytes()
    given = (it.format(folder=tmp_path, game=files["jantaku"]) for it in arguments)
    result = run("convert", *given, language=language)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr
    assert files["jantaku"].read_bytes() == before


def test_convert_needs_a_format(files: dict[str, Path]) -> None:
    result = run("convert", str(files["mjai"]), "game.unknown")
    assert result.exit_code == 2
    assert ", ".join(formats.BY_NAME) in result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_replay_prints_every_step(language: Language) -> None:
    result = run("replay", str(TINY), "--hand", "1", language=language)
    assert result.exit_code == 0, result.output
    with terms.using(language):
        first = formats.read(TINY)
        for event in first.events[1:12]:
            assert event_in_words(event, formats.read_record(TINY).names) in result.output


def test_replay_refuses_a_hand_that_was_not_played() -> None:
    result = run("replay", str(TINY), "--hand", "99")
    assert result.exit_code == 2
    assert "--hand" in result.stderr


def test_replay_for_a_seat_hides_the_others() -> None:
    assert "▒▒" in run("replay", TINY, "--hand", "1", "--seat", "2").output
    assert "▒▒" not in run("replay", TINY, "--hand", "1").output


def test_replay_steps_back_and_forth() -> None:
    film = GameFrames(formats.read(TINY))
    last = len(film.frames) - 1
    assert [frame.hand for frame in film.frames] == sorted(frame.hand for frame in film.frames)
    assert MOVES["n"](film, 0) == film.hand_at(2)
    assert MOVES["p"](film, film.hand_at(2)) == 0
    assert MOVES["p"](film, film.hand_at(2) - 1) == 0
    assert (MOVES["left"](film, 5), MOVES["right"](film, 5), MOVES["end"](film, 0)) == (4, 6, last)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_put_into_words(language: Language) -> None:
    game = game_of("tenhou", 3)
    with terms.using(language):
        for event in game.events:
            said = event_in_words(event, ["A", "B", "C", "D"])
            assert said != event.type
            assert "{" not in said
            assert said.strip() == said


def test_no_text_names_a_hidden_tile() -> None:
    events = [event for event in game_of("tenhou", 5, 60).events if event.type == "drew"]
    hidden = {event_in_words(hide(event, None)) for event in events}
    assert len(events) > 20
    assert len(hidden) <= 8  # four seats, from the wall or after a kan
    assert set(EVENTS) >= {"drew", "won"}


def test_fair(files: dict[str, Path]) -> None:
    result = run("fair", str(files["jantaku"]))
    assert result.exit_code == 0, result.output
    game = game_of("bgm-2025", 3, 60)
    assert str(game.events[0].to_dict()["commitment"]) in result.output


@pytest.mark.parametrize("with_its_commitment", [False, True])
def test_fair_finds_another_seed(files: dict[str, Path], with_its_commitment: bool) -> None:
    """A replaced seed does not match the dealt tiles, even if its commitment was replaced with it."""
    other, text = Game("bgm-2025", seed=99), files["jantaku"].read_text("utf-8")
    if with_its_commitment:
        told, wanted = (
            str(game.events[0].to_dict()["commitment"]) for game in (game_of("bgm-2025", 3, 60), other)
        )
        text = text.replace(told, wanted)
    lines = text.splitlines()
    lines[-1] = json.dumps({"opening": other.seed.hex() if other.seed else ""})
    files["jantaku"].write_text("\n".join(lines), "utf-8")
    result = run("fair", files["jantaku"])
    assert result.exit_code == 1
    assert with_its_commitment or "commitment" in result.output


@pytest.mark.parametrize("name", ["mjai", "tenhou", "compact"])
def test_fair_reports_games_without_a_commitment(files: dict[str, Path], name: str) -> None:
    result = run("fair", str(files[name]))
    assert result.exit_code == 0
    assert "nothing to check" in result.output or "commitment" in result.output


def test_a_log_ending_between_hands_continues_with_an_unwritten_deal() -> None:
    game = formats.read(TINY)
    assert game.walls[-1] == tile_set(game.rules)
    assert formats.dumps(game, "mjai").count("start_kyoku") == 1
    assert GameFrames(game).frames[-1].hand == 1
