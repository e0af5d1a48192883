"""Experiments: results that can be reproduced, and folders and plans that are refused."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku import load
from jantaku.errors import JantakuError, RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import MANIFEST, Experiment, NamedRules, Portion
from jantaku.lab.experiment.play import ChunkProgress, Tables, on_threads, play_missing, play_portion
from jantaku.lab.experiment.summary import summarise
from jantaku.rules.typed_changes import changed
from support.experiments import BOTS, GAMES, PORTION, experiment, of_rows
from support.terminal import run

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
pytest.importorskip("polars")


def contents(path: Path) -> dict[str, str]:
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


@pytest.mark.slow
@compiled_only
def test_threads_and_interruptions_change_no_byte(played: ExperimentFolder, tmp_path: Path) -> None:
    """One thread, interrupted repeatedly and playing portions in reverse order, writes the same files."""
    folder = ExperimentFolder.begin(tmp_path / "parts", experiment())
    alone = on_threads(1)

    def interrupted(
        plan: Experiment, portions: Iterable[Portion], progress: ChunkProgress
    ) -> Iterator[tuple[Portion, Tables]]:
        for count, done in enumerate(alone(plan, reversed(list(portions)), progress)):
            if count == 2:
                raise KeyboardInterrupt
            yield done

    for _ in range(100):
        try:
            play_missing(ExperimentFolder.begin(folder.path, experiment()), interrupted)
            break
        except KeyboardInterrupt:
            continue
    assert not folder.missing()
    assert contents(folder.path) == contents(played.path)


@compiled_only
def test_a_half_written_portion_is_played_again(played: ExperimentFolder, tmp_path: Path) -> None:
    """A portion whose second file does not exist counts as missing, and only that portion is played again."""
    folder = ExperimentFolder.begin(tmp_path / "torn", experiment(games=2 * PORTION))
    play_missing(folder, on_threads(1))
    whole = contents(folder.path)
    lost = Portion(1, 1, PORTION, PORTION) if COMPILED else Portion(1, 0, 0, PORTION)
    folder.file(lost, "games").unlink()
    assert folder.missing() == [lost]
    again = play_missing(folder, on_threads(1))
    assert again.games == again.wanted == lost.size
    assert contents(folder.path) == whole


@compiled_only
def test_a_damaged_portion_is_named_and_played_again(tmp_path: Path) -> None:
    """The summary names the truncated file; after it is deleted, playing completes the folder."""
    folder = ExperimentFolder.begin(tmp_path / "cut", experiment(games=PORTION))
    play_missing(folder, on_threads(1))
    whole = contents(folder.path)
    cut = folder.file(Portion(0, 0, 0, PORTION), "hands")
    cut.write_bytes(cut.read_bytes()[:50])
    with pytest.raises(JantakuError, match=cut.name) as error:
        summarise(folder)
    assert error.value.code == "lab_damaged_portion"
    cut.unlink()
    play_missing(folder, on_threads(1))
    assert contents(folder.path) == whole


@compiled_only
def test_progress_counts_the_games_of_all_threads(tmp_path: Path) -> None:
    """Every game and every hand is reported once, and the last report has the totals."""
    folder = ExperimentFolder.begin(tmp_path / "many", experiment(games=GAMES, portion=2))
    progress: list[tuple[int, ...]] = []
    played = play_missing(folder, on_threads(4), progress.append)
    assert progress[-1] == played
    assert played.games == played.wanted == 2 * GAMES
    assert played.hands == sum(len(of_rows(folder, ruleset)) for ruleset in range(2))


@pytest.mark.parametrize("where", [[], ["--on", "ray"]])
def test_zero_jobs_are_refused(where: list[str], tmp_path: Path) -> None:
    refused = run("lab", "run", "--games", "2", "--jobs", "0", "--out", tmp_path / "out", *where)
    assert refused.exit_code == 2
    assert "--jobs" in refused.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"games": GAMES + 1}, "lab_other_run"),
        ({"seed": 4}, "lab_other_run"),
        ({"own_draws": False}, "lab_other_run"),
        ({"bots": ("random", "random", "random", "random")}, "lab_other_run"),
        ({"rulesets": (NamedRules("plain", load("tenhou")),)}, "lab_other_run"),
    ],
)
def test_a_different_experiment_does_not_change_the_folder(
    played: ExperimentFolder, changes: dict[str, Any], code: str
) -> None:
    whole = contents(played.path)
    plain: dict[str, Any] = {"rulesets": played.experiment.rulesets, "bots": BOTS, "games": GAMES, "seed": 3}
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(played.path, Experiment(**(plain | {"portion": PORTION} | changes)))
    assert error.value.code == code
    assert contents(played.path) == whole


def test_a_folder_of_another_code_version_is_refused(
    played: ExperimentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.lab.experiment.plan.source_hash", lambda _: "0" * 16)
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(played.path, experiment())
    assert error.value.code == "lab_other_version"


@pytest.mark.parametrize(
    ("rulesets", "code"),
    [
        ((), "number_range"),
        ((NamedRules("a", load()), NamedRules("a", load("tenhou"))), "lab_name"),
        ((NamedRules("../a", load()),), "lab_name"),
        ((NamedRules(".a", load()),), "lab_name"),
    ],
)
def test_invalid_experiments_are_refused(rulesets: tuple[NamedRules, ...], code: str) -> None:
    with pytest.raises(RequestError) as error:
        Experiment(rulesets, BOTS, 10)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"{", "lab_damaged"),
        (b"[]", "lab_damaged"),
        (b'{"format": 2}', "lab_later"),
        (b'{"format": 1, "rulesets": 3}', "lab_damaged"),
        (
            b'{"format": 1, "rulesets": [], "bots": [], "games": 3, "seed": 0, "portion": 1}',
            "lab_damaged",
        ),
        (None, "lab_none"),
    ],
)
def test_damaged_manifests_are_refused(text: bytes | None, code: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / MANIFEST).write_bytes(text)
    with pytest.raises(JantakuError) as error:
        ExperimentFolder.read(tmp_path)
    assert error.value.code == code


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(tmp_path, experiment())
    assert error.value.code == "lab_not_empty"
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_run_and_summary_commands(tmp_path: Path) -> None:
    """``run`` writes the folder, leaves a finished one as it is and refuses others; ``summary`` reads it."""
    club, out = tmp_path / "club.toml", tmp_path / "out"
    club.write_text('extends = "tenhou"\n[yaku]\npinfu = { closed = 0 }\n')
    rules = ("--rules", "tenhou", "--against", club)
    call = ("lab", "run", *rules, "--seed", "5", "--bots", "random", "--out", out, "--jobs", "1", "--games")
    assert run(*call, "3").exit_code == 0
    whole = contents(out)
    again, other = run(*call, "3"), run(*call, "4")
    assert (again.exit_code, other.exit_code) == (0, 2)
    assert "already complete" in again.stdout
    assert "a different experiment" in other.stderr
    assert contents(out) == whole
    data = json.loads(run("lab", "summary", out, "--json").stdout)
    assert [ruleset["name"] for ruleset in data["rulesets"]] == ["tenhou", "club"]
    changed_to = load("tenhou").with_changes({"yaku.pinfu.closed": 0})
    assert data["rulesets"][1]["fingerprint"] == changed_to.fingerprint
    for language in ("en", "ja", "ko"):
        assert "club" in run("lab", "summary", out, language=language).stdout


@compiled_only
def test_ask_names_the_change() -> None:
    call = [
        "lab",
        "ask",
        "--rules",
        "tenhou",
        "--set",
        "match.length=east",
        "--games",
        "4",
        "--bots",
        "random",
    ]
    data = json.loads(run(*call, "--json").stdout)
    east, south = data["rulesets"][1]["hands"], data["rulesets"][0]["hands"]
    assert east < south
    assert "→" in run(*call).stdout


@pytest.mark.parametrize(
    ("change", "path", "value"),
    [
        ("yaku.pinfu.closed=0", "yaku.pinfu.closed", 0),
        ("yaku.tanyao.open = false", "yaku.tanyao.open", False),
        ("match.length=east", "match.length", "east"),
        ('match.length="east"', "match.length", "east"),
        ("match.uma=[40, 10, -10, -40]", "match.uma", (40, 10, -10, -40)),
    ],
)
def test_changes_use_the_syntax_of_rules_files(change: str, path: str, value: object) -> None:
    assert changed(load("tenhou"), [change]).option(path) == value


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("yaku.pinfu.closed", "set_syntax"),
        ("=3", "set_syntax"),
        ("yaku.pinfu.closed=1", "set_nothing"),
    ],
)
def test_malformed_or_empty_changes_are_refused(change: str, code: str) -> None:
    with pytest.raises(RequestError) as error:
        changed(load("tenhou"), [change])
    assert error.value.code == code


@compiled_only
def test_a_portion_does_not_depend_on_the_other_games() -> None:
    """The portion with games 2 and 3 is the same in a longer experiment."""
    few, many = experiment(games=4, portion=2), experiment(games=9, portion=2)
    portion = Portion(1, 1, 2, 2)
    assert play_portion(few, portion) == play_portion(many, portion)
