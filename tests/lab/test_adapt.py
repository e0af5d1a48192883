"""Bots adapted to a ruleset: the search, and experiments and simulations with such bots."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.net_file import PLAIN, TrainedBot, trained_for
from jantaku.bots.weights import WEIGHT_NAMES
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.adapt.duel import MatchResult, play_match
from jantaku.lab.adapt.evidence import WEIGHTS, Evidence, evidence_of
from jantaku.lab.adapt.outlook import AIMS, HandStarts, Outlook, learn
from jantaku.lab.adapt.progress import SearchSettings, SearchState, StateFile
from jantaku.lab.adapt.search import adapt
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules, with_adapted, with_luck
from support.terminal import run

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
pytest.importorskip("polars")

SMALL = SearchSettings(rounds=3, games=6, match_games=6, seed=2)


def changed(bot: TrainedBot, rules: str, **weights: float) -> TrainedBot:
    """Return the bot, named as fitted to ``rules``, with other weights: ``riichi_always`` and so on."""
    new = {name.replace("_", ".", 1): value for name, value in weights.items()}
    values = tuple(new.get(name, value) for name, value in zip(WEIGHT_NAMES, bot.weights, strict=True))
    return replace(bot, weights=values, ruleset=rules, rules=load(rules))


def test_the_step_follows_the_gain() -> None:
    """The simulated gain rises with two weights and falls with a third; everything else is noise."""
    rng = np.random.default_rng(5)
    traces = rng.normal(size=(4_000, 4, WEIGHTS)) * (0.2 + rng.random(WEIGHTS))
    gradient = np.zeros(WEIGHTS)
    gradient[[3, 40, 90]] = (0.5, 0.5, -0.5)
    gains = traces @ gradient + rng.normal(size=(4_000, 4)) * 3.0
    dealer = rng.random((4_000, 4)) < 0.25
    gains[dealer] += 5.0  # a constant for the dealer that does not depend on the decisions
    half = evidence_of(traces[:2_000], gains[:2_000], dealer[:2_000])
    whole = half.joined(evidence_of(traces[2_000:], gains[2_000:], dealer[2_000:]))
    step = whole.step(0.01)
    assert set(np.argsort(-np.abs(step))[:3]) == {3, 40, 90}
    assert np.sign(step[[3, 40, 90]]).tolist() == [1.0, 1.0, -1.0]
    changed = float(step @ whole.products[:WEIGHTS, :WEIGHTS] @ step) / whole.hands
    assert 0.005 < changed < 0.01


def test_noise_alone_hardly_moves_the_weights() -> None:
    rng = np.random.default_rng(6)
    evidence = evidence_of(
        rng.normal(size=(4_000, 4, WEIGHTS)), rng.normal(size=(4_000, 4)), np.zeros((4_000, 4), bool)
    )
    step = evidence.step(0.01)
    assert float(step @ evidence.products[:WEIGHTS, :WEIGHTS] @ step) / evidence.hands < 0.002


def starts(scores: list[list[int]], number: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array(scores, float), np.full(len(scores), number)


def played_starts(seed: int = 3, games: int = 3_000) -> HandStarts:
    """Return games of eight hands with random results; the final points follow from the last scores."""
    rng = np.random.default_rng(seed)
    moves = rng.normal(size=(games, 8, 4)) * 5_000
    moves -= moves.mean(axis=2, keepdims=True)
    scores = 25_000 + np.concatenate([np.zeros((games, 1, 4)), moves.cumsum(axis=1)], axis=1)
    ended = scores[:, -1]
    places = (-ended).argsort(axis=1).argsort(axis=1) + 1
    final = ended - 30_000 + np.array([0, 20_000, 10_000, -10_000, -20_000])[places]
    last = np.zeros((games, 8), bool)
    last[:, -1] = True

    def each(values: np.ndarray) -> np.ndarray:
        return np.repeat(values, 8, axis=0)

    numbers = np.tile(np.arange(8), games)
    return HandStarts(
        scores[:, :8].reshape(-1, 4), numbers, each(places), each(ended), each(final), last.ravel()
    )


def test_the_outlook_values_a_lead() -> None:
    outlook = learn(played_starts(), 8, "place")
    even, lead = [25_000] * 4, [37_000, 21_000, 21_000, 21_000]
    for number in (1, 7):
        level, ahead = outlook.value(*starts([even, lead], number))
        assert level == pytest.approx([-2.5] * 4, abs=0.12)
        assert ahead.sum() == pytest.approx(-10)
        assert ahead[0] > level[0] + 0.5
    early, late = (outlook.value(*starts([lead], number))[0, 0] for number in (1, 7))
    assert late > early + 0.2  # the same lead is safer before the last hand
    assert outlook.places(*starts([even, lead], 3)).sum(axis=2) == pytest.approx(1.0)


@pytest.mark.parametrize("aim", AIMS)
def test_gains_of_all_hands_add_up_to_the_result(aim: str) -> None:
    played = played_starts(games=400)
    outlook = learn(played, 8, aim)
    initial = outlook.value(played.scores[::8], played.number[::8])
    ended = played.final if aim == "score" else -played.places
    total = outlook.gains(played).reshape(400, 8, 4).sum(axis=1)
    assert total == pytest.approx(ended[::8] - initial)
    assert np.abs(initial.mean() - ended.mean()) < (2_000 if aim == "score" else 0.05)


@pytest.mark.slow
@compiled_only
def test_jobs_and_interruptions_do_not_change_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # so few games would show no significant gradient
    monkeypatch.setattr("jantaku.lab.adapt.evidence.NOISE", 0.0)
    rules = load("bgm-2025")
    once, begun = adapt(rules, SMALL, tmp_path / "once.npz", jobs=1), trained_for(rules)
    assert once.weights != begun.weights
    assert all(np.array_equal(*layers) for layers in zip(once.net, begun.net, strict=True))
    assert (once.rules, once.about["games"], once.about["seed"]) == (rules, 18, 2)
    path, left = tmp_path / "again.npz", [0]

    def stop(count: int) -> None:
        left[0] -= count
        if left[0] < 0:
            raise KeyboardInterrupt

    for enough in (5, 13):
        left[0] = enough
        with pytest.raises(KeyboardInterrupt):
            adapt(rules, SMALL, path, 2, stop)
        assert not path.exists()
    again = adapt(rules, SMALL, path, 2)
    assert again.digest == once.digest
    assert path.read_bytes() == (tmp_path / "once.npz").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.npz", "once.npz"]


def state_of(rounds: int) -> SearchState:
    outlook = Outlook(np.ones((9, 6)), np.arange(4.0), "score")
    return SearchState(rounds, PLAIN.weights, outlook, Evidence.none())


def test_the_state_of_a_search_is_stored_and_read(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "bot.npz", load("bgm-2025"), SMALL, PLAIN)
    assert file.read().rounds == 0
    file.write(state_of(2))
    stored = file.read()
    assert (stored.rounds, stored.weights) == (2, PLAIN.weights)
    assert stored.outlook is not None
    assert stored.outlook.bonus.tolist() == [0, 1, 2, 3]
    assert [path.name for path in tmp_path.iterdir()] == ["bot.npz.search"]


@pytest.mark.parametrize("other", ["rules", "settings", "start"])
def test_the_state_of_another_search_is_refused(other: str, tmp_path: Path) -> None:
    """A damaged file is refused too, and it is not overwritten."""
    path = tmp_path / "bot.npz"
    StateFile(path, load("bgm-2025"), SMALL, PLAIN).write(state_of(1))
    rules = load("tenhou" if other == "rules" else "bgm-2025")
    settings = SearchSettings(rounds=5) if other == "settings" else SMALL
    begun = changed(PLAIN, "bgm-2025", riichi_always=0.0) if other == "start" else PLAIN
    with pytest.raises(RequestError) as error:
        StateFile(path, rules, settings, begun).read()
    assert error.value.code == "adapt_other_search"
    state_file = path.with_name("bot.npz.search")
    for size in (100, 0):
        state_file.write_bytes(state_file.read_bytes()[:size])
        with pytest.raises(RequestError):
            StateFile(path, load("bgm-2025"), SMALL, PLAIN).read()
        assert state_file.stat().st_size == size


@pytest.mark.parametrize("name", ["rounds", "games", "match_games", "seed"])
def test_settings_out_of_range_are_refused(name: str) -> None:
    with pytest.raises(RequestError) as error:
        SearchSettings(**{name: -1})  # type: ignore[arg-type]
    assert error.value.details["field"] == name


@pytest.mark.slow
@compiled_only
def test_an_unchanged_bot_gains_nothing_and_a_bad_one_loses() -> None:
    """Against itself, ``strong`` is average; a bot that ignores danger and never declares riichi loses."""
    rules = load("tenhou")
    begun = trained_for(rules)
    dull = (
        name
        for name in WEIGHT_NAMES
        if name.startswith(("discard.risk", "discard.ukeire", "discard.further"))
    )
    foolish = {name.replace(".", "_", 1): 0.0 for name in dull} | {"riichi_always": -50.0}
    same, worse = (play_match(rules, bot, 120, 3, 2) for bot in (begun, changed(begun, "tenhou", **foolish)))
    assert same.place.value == pytest.approx(2.5, abs=0.4)
    assert worse.place.value > same.place.value + 0.3
    assert worse.score.value < same.score.value


@pytest.mark.slow
@compiled_only
def test_experiments_compare_adapted_bots(tmp_path: Path) -> None:
    """The adapted bot makes every possible call, so its hands differ under the same rules and walls."""
    path, other, folder = tmp_path / "bot.npz", tmp_path / "standard.npz", str(tmp_path / "run")
    changed(PLAIN, "bgm-2025", call_of_chi=9.0, call_of_pon=9.0).write(path)
    changed(PLAIN, "standard").write(other)
    names = ["--rules", "standard", "--against", "bgm-2025", "--adapted", str(other), "--adapted", str(path)]
    assert run("lab", "run", *names, "--games", "8", "--out", folder).exit_code == 0
    path.unlink()  # the folder needs no other file
    data = json.loads(run("lab", "summary", folder, "--json").stdout)
    plain, adapted = (data["rulesets"][index] for index in (1, 3))
    adapted_names = ["standard-adapted", "bgm-2025-adapted"]
    assert [ruleset["name"] for ruleset in data["rulesets"]] == ["standard", "bgm-2025", *adapted_names]
    assert plain["fingerprint"] == adapted["fingerprint"]
    assert adapted["rates"]["call"][0] > 2 * plain["rates"]["call"][0]
    assert data["paired"][2]["rates"]["call"][0] > 0.3
    first, last = data["rulesets"][2], data["paired"][-1]
    assert [last["against"], last["name"]] == adapted_names
    difference = adapted["rates"]["call"][0] - first["rates"]["call"][0]
    assert last["rates"]["call"][0] == pytest.approx(difference)
    assert run("lab", "report", folder).exit_code == 0
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    titles = re.findall(r"<h3>(.*?) compared with (.*?)</h3>", page)
    assert set(titles) == {("bgm-2025", "standard"), ("bgm-2025 (adapted bots)", "standard (adapted bots)")}


def test_a_folder_has_the_bots_that_play(tmp_path: Path) -> None:
    """The stored experiment is the one begun; with another bot it is a different one."""
    path = tmp_path / "bot.npz"
    changed(PLAIN, "tenhou", riichi_always=3.0).write(path)
    named = with_luck(with_adapted((NamedRules("tenhou", load("tenhou")),), [path]))
    experiment = Experiment(named, ("standard",), 4)
    begun = ExperimentFolder.begin(tmp_path / "run", experiment)
    stored = ExperimentFolder.read(begun.path).experiment
    assert stored.manifest() == experiment.manifest()
    assert [one.adapted is not None for one in stored.rulesets] == [False, True, False, True]
    assert [stored.companion(index) for index in (0, 1)] == [2, 3]
    changed(PLAIN, "tenhou", riichi_always=4.0).write(path)
    other = with_luck(with_adapted(named[:1], [path]))
    with pytest.raises(RequestError) as error:
        ExperimentFolder.begin(begun.path, replace(experiment, rulesets=other))
    assert error.value.code == "lab_other_run"


@compiled_only
def test_a_bot_file_plays_wherever_bots_are_named(tmp_path: Path) -> None:
    """The bot in the file always calls and never declares riichi."""
    path = tmp_path / "bold.npz"
    bold = changed(PLAIN, "tenhou", call_of_chi=9.0, call_of_pon=9.0, riichi_always=-50.0)
    bold.write(path)
    bots = ("--bots", f"{path},random,random,random", "--games", "4")
    assert run("simulate", *bots, "--out", tmp_path / "hands.parquet").exit_code == 0
    assert run("lab", "run", *bots, "--rules", "tenhou", "--out", tmp_path / "run").exit_code == 0
    path.unlink()
    assert run("lab", "summary", tmp_path / "run").exit_code == 0
    stored = ExperimentFolder.read(tmp_path / "run").experiment.adapted
    assert stored is not None
    assert stored.digest == bold.digest
    import polars as pl

    games = pl.read_parquet(tmp_path / "hands-games.parquet")
    assert games["bot_0"][0] == "adapted"


@pytest.mark.parametrize(
    "files", [("--bots", "{0},{1},random,random"), ("--bots", "{0}", "--adapted", "{1}")]
)
def test_two_bot_files_are_refused(files: tuple[str, ...], tmp_path: Path) -> None:
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for path in paths:
        changed(PLAIN, "standard").write(path)
    options = [option.format(*paths) for option in files]
    refused = run("lab", "run", *options, "--out", tmp_path / "run")
    assert refused.exit_code == 2
    assert files[-2] in refused.stderr
    assert not (tmp_path / "run").exists()


def test_a_bot_adapted_to_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.npz"
    changed(PLAIN, "tenhou").write(path)
    refused = run("lab", "run", "--adapted", path, "--out", tmp_path / "run")
    assert refused.exit_code == 2
    assert "tenhou" in refused.stderr
    assert not (tmp_path / "run").exists()


@compiled_only
def test_adapt_reports_the_match(tmp_path: Path) -> None:
    path = tmp_path / "bot.npz"
    call = ("lab", "adapt", "--rules", "tenhou", "--out", path, "--rounds", "1")
    output = json.loads(run(*call, "--games", "2", "--match", "4", "--json").stdout)
    bot = TrainedBot.read(path)
    assert output["match"]["games"] == 4
    assert output["match"]["place"] == list(MatchResult.of(bot).place)
    assert tuple(output["weights"].values()) == bot.weights
    assert run(*call, "--jobs", "0").exit_code == 2
