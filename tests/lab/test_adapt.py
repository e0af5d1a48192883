"""Bots adapted to a ruleset: the search, its file, and experiments with such bots."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.errors import RecordError, RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.adapt.duel import plans_of, results
from jantaku.lab.adapt.evidence import WEIGHTS, Evidence, evidence_of
from jantaku.lab.adapt.outlook import AIMS, HandStarts, Outlook, learn
from jantaku.lab.adapt.progress import SearchSettings, SearchState, StateFile
from jantaku.lab.adapt.search import adapt
from jantaku.lab.experiment.estimates import Estimate
from support.terminal import run

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
pytest.importorskip("polars")

SMALL = SearchSettings(rounds=3, games=6, match_games=6, seed=2)
MATCH = MatchResult(6, Estimate(2.4, 2.3, 2.5), Estimate(100.0, -5.0, 205.0))


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
    once = adapt(rules, SMALL, tmp_path / "once.json", jobs=1)
    assert once.weights != STANDARD_WEIGHTS
    path, left = tmp_path / "again.json", [0]

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
    assert (again, path.read_bytes()) == (once, (tmp_path / "once.json").read_bytes())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.json", "once.json"]


def state_of(rounds: int) -> SearchState:
    outlook = Outlook(np.ones((9, 6)), np.arange(4.0), "score")
    return SearchState(rounds, STANDARD_WEIGHTS, outlook, Evidence.none())


def test_the_state_of_a_search_is_stored_and_read(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "bot.json", load("bgm-2025"), SMALL)
    assert file.read().rounds == 0
    file.write(state_of(2))
    stored = file.read()
    assert (stored.rounds, stored.weights) == (2, STANDARD_WEIGHTS)
    assert stored.outlook is not None
    assert stored.outlook.bonus.tolist() == [0, 1, 2, 3]
    assert [path.name for path in tmp_path.iterdir()] == ["bot.json.search"]


@pytest.mark.parametrize("rules", ["bgm-2025", "tenhou"])
def test_the_state_of_another_search_is_refused(rules: str, tmp_path: Path) -> None:
    """A damaged file is refused too, and it is not overwritten."""
    path = tmp_path / "bot.json"
    StateFile(path, load("bgm-2025"), SMALL).write(state_of(1))
    other = SearchSettings(rounds=5) if rules == "bgm-2025" else SMALL
    with pytest.raises(RequestError) as error:
        StateFile(path, load(rules), other).read()
    assert error.value.code == "adapt_other_search"
    state_file = path.with_name("bot.json.search")
    state_file.write_bytes(state_file.read_bytes()[:100])
    with pytest.raises(RequestError):
        StateFile(path, load("bgm-2025"), SMALL).read()
    assert state_file.stat().st_size == 100


@pytest.mark.parametrize("name", ["rounds", "games", "match_games", "seed"])
def test_settings_out_of_range_are_refused(name: str) -> None:
    with pytest.raises(RequestError) as error:
        SearchSettings(**{name: -1})  # type: ignore[arg-type]
    assert error.value.details["field"] == name


def test_a_bot_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    weights = tuple(weight + 0.25 for weight in STANDARD_WEIGHTS)
    bot = AdaptedBot("bgm-2025", load("bgm-2025"), weights, 100, MATCH)
    bot.write(path)
    assert AdaptedBot.read(path) == bot


def test_a_file_with_other_weights_is_read_by_their_names(tmp_path: Path) -> None:
    """A weight that the file lacks has its value in ``standard``; an unknown weight is ignored."""
    path = tmp_path / "bot.json"
    AdaptedBot("bgm-2025", load("bgm-2025"), tuple(w + 1 for w in STANDARD_WEIGHTS), 100, MATCH).write(path)
    data = json.loads(path.read_bytes())
    del data["weights"][WEIGHT_NAMES[3]]
    data["weights"]["discard.of_old"] = 5.0
    path.write_text(json.dumps(data))
    weights = AdaptedBot.read(path).weights
    assert weights[3] == STANDARD_WEIGHTS[3]
    assert weights[4] == STANDARD_WEIGHTS[4] + 1
    assert len(weights) == len(STANDARD_WEIGHTS)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "unreadable_file"),
        ("{", "adapted_damaged"),
        ("[]", "adapted_damaged"),
        ('{"format": 1}', "adapted_damaged"),
        ('{"format": 99}', "lab_later"),
        ('{"format": 1, "weights": {"riichi.always": "x"}}', "adapted_damaged"),
    ],
)
def test_other_files_are_refused(content: str | None, code: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(RecordError) as error:
        AdaptedBot.read(path)
    assert error.value.code == code


@pytest.mark.slow
@compiled_only
def test_equal_weights_gain_nothing_and_bad_ones_lose() -> None:
    """Against itself, a bot is average; a bot that ignores danger and never declares riichi loses."""
    foolish = dict(zip(WEIGHT_NAMES, STANDARD_WEIGHTS, strict=True))
    for name in foolish:
        if name.startswith(("discard.risk", "discard.ukeire", "discard.further")):
            foolish[name] = 0.0
    foolish["riichi.always"] = -50.0
    plans = plans_of(load("tenhou"), [STANDARD_WEIGHTS, tuple(foolish.values())], 1, 120, 3)
    plain, worse = results(plans, 2)
    assert plain.places.mean() == pytest.approx(2.5, abs=0.4)
    assert worse.places.mean() > plain.places.mean() + 0.3
    assert worse.scores.mean() < plain.scores.mean()


@pytest.mark.slow
@compiled_only
def test_experiments_compare_adapted_bots(tmp_path: Path) -> None:
    """The adapted bot makes every possible call, so its hands differ under the same rules and walls."""
    bold = dict(zip(WEIGHT_NAMES, STANDARD_WEIGHTS, strict=True))
    bold["call.of_chi"] = bold["call.of_pon"] = 9.0
    path = tmp_path / "bot.json"
    AdaptedBot("bgm-2025", load("bgm-2025"), tuple(bold.values()), 100, MATCH).write(path)
    folder, other = str(tmp_path / "run"), tmp_path / "standard.json"
    AdaptedBot("standard", load("standard"), STANDARD_WEIGHTS, 100, MATCH).write(other)
    names = ["--rules", "standard", "--against", "bgm-2025", "--adapted", str(other), "--adapted", str(path)]
    assert run("lab", "run", *names, "--games", "8", "--out", folder).exit_code == 0
    data = json.loads(run("lab", "summary", folder, "--json").stdout)
    plain, adapted = (data["rulesets"][index] for index in (1, 3))
    adapted_names = ["standard-adapted", "bgm-2025-adapted"]
    assert [ruleset["name"] for ruleset in data["rulesets"]] == ["standard", "bgm-2025", *adapted_names]
    assert plain["fingerprint"] == adapted["fingerprint"]
    assert adapted["rates"]["call"][0] > 2 * plain["rates"]["call"][0]
    assert data["paired"][2]["rates"]["call"][0] > 0.3
    first, last = data["rulesets"][2], data["paired"][-1]
    assert [last["against"], last["name"]] == adapted_names
    changed = adapted["rates"]["call"][0] - first["rates"]["call"][0]
    assert last["rates"]["call"][0] == pytest.approx(changed)
    assert run("lab", "report", folder).exit_code == 0
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    titles = re.findall(r"<h3>(.*?) compared with (.*?)</h3>", page)
    assert set(titles) == {("bgm-2025", "standard"), ("bgm-2025 (adapted bots)", "standard (adapted bots)")}


def test_a_bot_adapted_to_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    AdaptedBot("tenhou", load("tenhou"), STANDARD_WEIGHTS, 100, MATCH).write(path)
    refused = run("lab", "run", "--adapted", path, "--out", tmp_path / "run")
    assert refused.exit_code == 2
    assert "tenhou" in refused.stderr
    assert not (tmp_path / "run").exists()


@compiled_only
def test_adapt_reports_the_match(tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    call = ("lab", "adapt", "--rules", "tenhou", "--out", path, "--rounds", "1")
    output = json.loads(run(*call, "--games", "2", "--match", "4", "--json").stdout)
    bot = AdaptedBot.read(path)
    assert output["match"]["games"] == 4
    assert output["match"]["place"] == list(bot.match.place)
    assert output["weights"] == bot.named_weights
    assert run(*call, "--jobs", "0").exit_code == 2
