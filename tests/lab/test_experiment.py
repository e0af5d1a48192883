"""Experiments: same results however they are played, what their summary says, and what they refuse."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku import load
from jantaku.cli.app import app
from jantaku.cli.lab import changed
from jantaku.errors import JantakuError, RequestError, RulesError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.folder import MANIFEST, ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules, Portion
from jantaku.lab.experiment.play import Tables, Tell, on_threads, play_missing, play_portion
from jantaku.lab.experiment.summary import FEWEST_WINS, as_data, summarise
from jantaku.lab.experiment.sums import YAKU

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
polars = pytest.importorskip("polars")

BOTS = ("efficient",) if COMPILED else ("random",)
GAMES, PORTION = (60, 8) if COMPILED else (3, 2)


def experiment(**changes: Any) -> Experiment:
    before = load("tenhou")
    after = before.with_changes({"yaku.tanyao.open": False, "match.uma": (30, 10, -10, -30)})
    settings: dict[str, Any] = {"bots": BOTS, "games": GAMES, "seed": 3, "portion": PORTION}
    return Experiment((NamedRules("plain", before), NamedRules("closed", after)), **(settings | changes))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ExperimentFolder:
    folder = ExperimentFolder.begin(tmp_path_factory.mktemp("lab") / "whole", experiment())
    play_missing(folder, on_threads(2))
    return folder


def contents(path: Path) -> dict[str, str]:
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


@compiled_only
def test_threads_and_interruptions_change_no_byte(played: ExperimentFolder, tmp_path: Path) -> None:
    """One thread, interrupted again and again, writes in reverse what two threads wrote at once."""
    folder = ExperimentFolder.begin(tmp_path / "parts", experiment())
    alone = on_threads(1)

    def interrupted(
        plan: Experiment, portions: Iterable[Portion], tell: Tell
    ) -> Iterator[tuple[Portion, Tables]]:
        for count, done in enumerate(alone(plan, reversed(list(portions)), tell)):
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
    """A portion without its second file does not count, and playing goes on with it alone."""
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
    """A file that a failing disk cut short: the summary names it; without it, playing mends the folder."""
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
def test_progress_counts_what_many_threads_play(tmp_path: Path) -> None:
    """Every game and hand is told once, and the last report is the whole."""
    folder = ExperimentFolder.begin(tmp_path / "many", experiment(games=GAMES, portion=2))
    told: list[tuple[int, ...]] = []
    found = play_missing(folder, on_threads(4), told.append)
    assert told[-1] == found
    assert found.games == found.wanted == 2 * GAMES
    assert found.hands == sum(len(of_rows(folder, ruleset)) for ruleset in range(2))


@pytest.mark.parametrize("where", [[], ["--on", "ray"]])
def test_no_jobs_are_refused(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["lab", "run", "--games", "2", "--jobs", "0", "--out", str(tmp_path / "out"), *where]
    assert run(call) == 2
    assert "--jobs" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_both_rulesets_play_the_same_walls(tmp_path: Path) -> None:
    """Under rules that differ only in the uma every hand is the same; so nothing differs, with certainty."""
    before = load("tenhou")
    after = before.with_changes({"match.uma": (30, 10, -10, -30)})
    pair = (NamedRules("a", before), NamedRules("b", after))
    folder = ExperimentFolder.begin(tmp_path / "x", Experiment(pair, BOTS, 4, 1, portion=2))
    play_missing(folder, on_threads(1))
    found = summarise(folder)
    (paired,) = found.paired
    estimates = [*paired.rates.values(), *paired.means.values(), *paired.seat_points]
    estimates += [one for yaku in paired.yaku.values() for one in yaku.values()]
    assert len(estimates) >= (len(YAKU) // 2 if COMPILED else 12)
    assert all(one == pytest.approx((0, 0, 0), abs=1e-9) for one in estimates if one is not None)


def of_rows(folder: ExperimentFolder, ruleset: int) -> list[dict[str, Any]]:
    """All hands of a ruleset as plain rows."""
    files = sorted((folder.path / folder.experiment.rulesets[ruleset].name).glob("hands-*.parquet"))
    return [row for file in files for row in polars.read_parquet(file).to_dicts()]


def test_the_summary_is_what_plain_counting_finds(played: ExperimentFolder) -> None:
    """Every estimate of the JSON, recomputed from the rows by loops."""
    found = as_data(summarise(played))
    assert (found["games"], found["seed"], found["bots"]) == (GAMES, 3, list(BOTS))
    for ruleset, said in enumerate(found["rulesets"]):
        rows = of_rows(played, ruleset)
        assert len({row["game"] for row in rows}) == GAMES
        wins = [(row, seat) for row in rows for seat in range(4) if row[f"won_{seat}"]]
        assert (said["hands"], said["wins"]) == (len(rows), len(wins))
        points = sum(row[f"points_{seat}"] for row, seat in wins)
        tsumo = sum(row["discarder"] is None for row, _ in wins)
        drawn = [row for row in rows if not any(row[f"won_{seat}"] for seat in range(4))]
        fed = sum(row["discarder"] is not None for row in rows if row not in drawn)
        assert said["rates"]["win"][0] == pytest.approx(len(wins) / len(rows) / 4)
        assert said["rates"]["draw"][0] == pytest.approx(len(drawn) / len(rows))
        assert said["rates"]["deal_in"][0] == pytest.approx(fed / len(rows) / 4)
        for name, column in (("riichi", "riichi"), ("call", "calls")):
            count = sum(row[f"{column}_{seat}"] > 0 for row in rows for seat in range(4))
            assert said["rates"][name][0] == pytest.approx(count / len(rows) / 4)
        if wins:
            assert said["rates"]["tsumo"][0] == pytest.approx(tsumo / len(wins))
            assert said["mean_win"][0] == pytest.approx(points / len(wins))
        assert said["hand_turns"][0] == pytest.approx(sum(row["turns"] for row in rows) / len(rows))
        check_yaku(said["yaku"], wins, points)


def check_yaku(said: dict[str, Any], wins: list[tuple[dict[str, Any], int]], points: int) -> None:
    from jantaku.lab.parquet import yaku_names

    counted: dict[str, list[int]] = {name: [] for name in YAKU}
    for row, seat in wins:
        red, ura = row[f"red_dora_{seat}"], row[f"ura_dora_{seat}"]
        sorts = {"dora": row[f"dora_{seat}"] - red - ura, "red_dora": red, "ura_dora": ura}
        made = yaku_names(row[f"yaku_{seat}"]) + [name for name, count in sorts.items() if count]
        for name in made:
            counted[name].append(row[f"points_{seat}"])
    for name, worth in counted.items():
        if name not in said:
            assert not worth
            continue
        assert said[name]["wins"] == len(worth)
        assert said[name]["share"][0] == pytest.approx(len(worth) / len(wins))
        assert said[name]["value_share"][0] == pytest.approx(sum(worth) / points)
        if len(worth) < FEWEST_WINS:
            assert said[name]["points"] is None
        else:
            assert said[name]["points"][0] == pytest.approx(sum(worth) / len(worth))
    if COMPILED:
        assert {"riichi", "tanyao", "dora", "red_dora", "ura_dora"} <= said.keys()


def test_differences_are_those_of_the_estimates(played: ExperimentFolder) -> None:
    """A paired difference is the second estimate less the first, inside its interval."""
    found = as_data(summarise(played))
    first, second = found["rulesets"]
    (paired,) = found["paired"]
    assert (paired["against"], paired["name"]) == ("plain", "closed")
    for name, change in paired["rates"].items():
        if change is not None:
            assert change[0] == pytest.approx(second["rates"][name][0] - first["rates"][name][0])
            assert change[1] <= change[0] <= change[2]
    for name, yaku in paired["yaku"].items():
        if "share" in yaku:
            shares = [one["yaku"][name]["share"][0] for one in (first, second)]
            assert yaku["share"][0] == pytest.approx(shares[1] - shares[0])
    if COMPILED:  # open tanyao is gone: fewer wins with tanyao, clearly
        assert paired["yaku"]["tanyao"]["share"][2] < 0


RNG = np.random.default_rng(7)


@pytest.mark.parametrize("kind", ["share", "mean", "difference"])
def test_intervals_hold_the_truth_as_often_as_they_say(kind: str) -> None:
    """Of 400 small experiments with a known truth, about 95 in 100 intervals contain it."""
    inside = 0
    for _ in range(400):
        moments = Moments(4)
        trials = RNG.integers(8, 13, 200)
        skill = RNG.beta(20, 80, 200)  # a game's own rate: its hands depend on each other
        made = RNG.binomial(trials, skill)
        other = np.minimum(trials, made + RNG.binomial(trials, 0.1))
        moments.add(np.stack([trials, made, trials, other], axis=1).astype(float))
        plain, changed_ = moments.ratio(1, 0), moments.ratio(3, 2)
        assert plain is not None
        assert changed_ is not None
        if kind == "difference":
            truth, estimate = other_rate() - 0.2, moments.difference(changed_, plain)
        else:
            truth, estimate = 0.2, moments.share(plain) if kind == "share" else moments.mean(plain)
        inside += estimate.low <= truth <= estimate.high
    assert 0.91 <= inside / 400 <= 0.99


def other_rate() -> float:
    """The expected share of ``other`` above, by summing over all cases."""
    from math import comb

    rng = np.random.default_rng(1)
    skill = rng.beta(20, 80, 4000)
    total = made = 0.0
    for trials in range(8, 13):
        extra = [comb(trials, k) * 0.1**k * 0.9 ** (trials - k) for k in range(trials + 1)]
        for k in range(trials + 1):
            chance = float(np.mean(comb(trials, k) * skill**k * (1 - skill) ** (trials - k)))
            made += chance * sum(p * min(trials, k + e) for e, p in enumerate(extra))
        total += trials
    return made / total


def test_what_nobody_made_has_an_upper_bound(played: ExperimentFolder) -> None:
    """A share of zero still has an interval: the rule of three, roughly."""
    moments = Moments(2)
    moments.add(np.tile([100.0, 0.0], (10, 1)))
    ratio = moments.ratio(1, 0)
    assert ratio is not None
    estimate = moments.share(ratio)
    assert (estimate.value, estimate.low) == (0, 0)
    assert 0.003 < estimate.high < 0.005
    assert moments.ratio(0, 1) is None


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
def test_another_experiment_does_not_touch_the_folder(
    played: ExperimentFolder, changes: dict[str, Any], code: str
) -> None:
    whole = contents(played.path)
    plain: dict[str, Any] = {"rulesets": played.experiment.rulesets, "bots": BOTS, "games": GAMES, "seed": 3}
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(played.path, Experiment(**(plain | {"portion": PORTION} | changes)))
    assert error.value.code == code
    assert contents(played.path) == whole


def test_code_of_another_version_does_not_mix(
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
def test_refused_experiments(rulesets: tuple[NamedRules, ...], code: str) -> None:
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
def test_damaged_manifests_say_so(text: bytes | None, code: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / MANIFEST).write_bytes(text)
    with pytest.raises(JantakuError) as error:
        ExperimentFolder.read(tmp_path)
    assert error.value.code == code


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(tmp_path, experiment())
    assert error.value.code == "lab_not_empty"
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def run(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as stopped:
        app(arguments)
    return int(str(stopped.value.code or 0))


def test_commands_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``run`` writes the folder, does nothing on a finished one, refuses others; ``summary`` reads it."""
    club = tmp_path / "club.toml"
    club.write_text('extends = "tenhou"\n[yaku]\npinfu = { closed = 0 }\n')
    call = ["lab", "run", "--rules", "tenhou", "--against", str(club), "--games", "3", "--seed", "5"]
    call += ["--bots", "random", "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert run(call) == 0
    whole = contents(tmp_path / "out")
    capsys.readouterr()
    assert run(call) == 0
    assert "already complete" in capsys.readouterr().out
    assert run([*call[:7], "4", *call[8:]]) == 2
    assert "another experiment" in capsys.readouterr().err
    assert contents(tmp_path / "out") == whole
    assert run(["lab", "summary", str(tmp_path / "out"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["rulesets"]] == ["tenhou", "club"]
    assert (
        found["rulesets"][1]["fingerprint"]
        == load("tenhou").with_changes({"yaku.pinfu.closed": 0}).fingerprint
    )
    for language in ("en", "ja", "ko"):
        assert run(["--lang", language, "lab", "summary", str(tmp_path / "out")]) == 0
        assert "club" in capsys.readouterr().out


@compiled_only
def test_ask_answers_with_the_change_in_words(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert run([*call, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    east, south = found["rulesets"][1]["hands"], found["rulesets"][0]["hands"]
    assert east < south
    assert run(call) == 0
    assert "→" in capsys.readouterr().out


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
def test_changes_are_written_as_in_a_rules_file(change: str, path: str, value: object) -> None:
    assert changed(load("tenhou"), [change]).option(path) == value


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("yaku.pinfu.closed", "set_syntax"),
        ("=3", "set_syntax"),
        ("yaku.pinfu.closed=1", "set_nothing"),
    ],
)
def test_changes_that_say_nothing_are_refused(change: str, code: str) -> None:
    with pytest.raises(RequestError) as error:
        changed(load("tenhou"), [change])
    assert error.value.code == code


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(RulesError):
        changed(load("tenhou"), ["yaku.pinfuu.closed=2"])


@compiled_only
def test_a_portion_depends_on_nothing_else() -> None:
    """The portion of games 2 and 3 is the same, whichever experiment they belong to."""
    few, many = experiment(games=4, portion=2), experiment(games=9, portion=2)
    portion = Portion(1, 1, 2, 2)
    assert play_portion(few, portion) == play_portion(many, portion)
