"""Bots adapted to a ruleset: the search, its file, and experiments that they play."""

import json
from pathlib import Path

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES
from jantaku.cli.app import app
from jantaku.errors import RecordError, RequestError
from jantaku.kernels._jit import COMPILED
from jantaku.lab.adapt import search
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.adapt.duel import plans_of, results
from jantaku.lab.adapt.search import GROUPS, SearchSettings, adapt
from jantaku.lab.experiment.estimates import Estimate

pytestmark = pytest.mark.xdist_group("lab")
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
pytest.importorskip("cma")
pytest.importorskip("polars")

SMALL = SearchSettings(generations=3, candidates=4, games=4, match_games=6, seed=2)
MATCH = MatchResult(6, Estimate(2.4, 2.3, 2.5), Estimate(100.0, -5.0, 205.0))


def called(call: list[str]) -> int:
    try:
        app(call)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_search_finds_weights_that_score_more() -> None:
    """The score is the distance to known weights here, so that no game is needed."""
    moved = [place for place, name in enumerate(WEIGHT_NAMES) if name in {"call.of_chi", "riichi.always"}]
    target = np.array(STANDARD_WEIGHTS)
    target[moved] += 1.0
    distances = []
    for candidates, judge in search._generations(SearchSettings(generations=60, candidates=24)):
        scores = [-float(((np.array(weights) - target)[moved] ** 2).sum()) for weights in candidates]
        centre = np.array(judge(scores))
        distances.append(float(((centre - target)[moved] ** 2).sum()))
    assert distances[-1] < 0.05 * distances[0]
    fitted = {name for group in GROUPS for name in group}
    others = [place for place, name in enumerate(WEIGHT_NAMES) if name not in fitted]
    assert (centre[others] == np.array(STANDARD_WEIGHTS)[others]).all()


def test_every_weight_that_a_search_moves_exists() -> None:
    assert {name for group in GROUPS for name in group} <= set(WEIGHT_NAMES)


@pytest.mark.slow
@compiled_only
def test_jobs_and_interruptions_do_not_change_the_bot(tmp_path: Path) -> None:
    rules = load("bgm-2025")
    once = adapt(rules, SMALL, tmp_path / "once.json", jobs=1)
    assert once.weights != STANDARD_WEIGHTS
    path, left = tmp_path / "again.json", [0]

    def stop(count: int) -> None:
        left[0] -= count
        if left[0] < 0:
            raise KeyboardInterrupt

    for enough in (5, 30):
        left[0] = enough
        with pytest.raises(KeyboardInterrupt):
            adapt(rules, SMALL, path, 2, stop)
        assert not path.exists()
    again = adapt(rules, SMALL, path, 2)
    assert (again, path.read_bytes()) == (once, (tmp_path / "once.json").read_bytes())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.json", "once.json"]


@pytest.mark.slow
@compiled_only
def test_a_half_written_line_is_played_again(tmp_path: Path) -> None:
    rules, path = load("bgm-2025"), tmp_path / "bot.json"
    whole = adapt(rules, SMALL, tmp_path / "whole.json")
    log = search.SearchLog(path, rules, SMALL)
    with log.path.open("a") as file:
        file.write("[1.0, 2.")
    assert adapt(rules, SMALL, path) == whole


def test_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    search.SearchLog(path, load("bgm-2025"), SMALL)
    for rules, settings in ((load("tenhou"), SMALL), (load("bgm-2025"), SearchSettings(games=5))):
        with pytest.raises(RequestError) as error:
            search.SearchLog(path, rules, settings)
        assert error.value.code == "adapt_other_search"


@pytest.mark.parametrize("name", ["generations", "candidates", "games", "match_games", "seed"])
def test_settings_out_of_range_are_refused(name: str) -> None:
    with pytest.raises(RequestError) as error:
        SearchSettings(**{name: -1})
    assert error.value.details["field"] == name


def test_a_bot_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    weights = tuple(weight + 0.25 for weight in STANDARD_WEIGHTS)
    bot = AdaptedBot("bgm-2025", load("bgm-2025"), weights, 100, MATCH)
    bot.write(path)
    assert AdaptedBot.read(path) == bot


def test_a_file_of_another_time_is_read_by_the_names_of_its_weights(tmp_path: Path) -> None:
    """Weights that the file lacks are those of ``standard``; weights that no longer exist are left out."""
    path = tmp_path / "bot.json"
    AdaptedBot("bgm-2025", load("bgm-2025"), tuple(w + 1 for w in STANDARD_WEIGHTS), 100, MATCH).write(path)
    data = json.loads(path.read_bytes())
    del data["weights"][WEIGHT_NAMES[3]]
    data["weights"]["discard.of_old"] = 5.0
    path.write_text(json.dumps(data))
    found = AdaptedBot.read(path).weights
    assert found[3] == STANDARD_WEIGHTS[3]
    assert found[4] == STANDARD_WEIGHTS[4] + 1
    assert len(found) == len(STANDARD_WEIGHTS)


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
def test_the_same_weights_gain_nothing_and_bad_ones_lose() -> None:
    """Against itself a bot is average; one that has no fear and never declares riichi is not."""
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
def test_experiments_are_played_by_adapted_bots_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adapted bot calls everything, so its hands differ, under the same rules on the same walls."""
    bold = dict(zip(WEIGHT_NAMES, STANDARD_WEIGHTS, strict=True))
    bold["call.of_chi"] = bold["call.of_pon"] = 9.0
    path = tmp_path / "bot.json"
    AdaptedBot("bgm-2025", load("bgm-2025"), tuple(bold.values()), 100, MATCH).write(path)
    folder = str(tmp_path / "run")
    names = ["--rules", "standard", "--against", "bgm-2025", "--adapted", str(path)]
    assert called(["lab", "run", *names, "--games", "8", "--out", folder]) == 0
    capsys.readouterr()
    assert called(["lab", "summary", folder, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    plain, adapted = (found["rulesets"][place] for place in (1, 2))
    assert [one["name"] for one in found["rulesets"]] == ["standard", "bgm-2025", "bgm-2025-adapted"]
    assert plain["fingerprint"] == adapted["fingerprint"]
    assert adapted["rates"]["call"][0] > 2 * plain["rates"]["call"][0]
    assert found["paired"][1]["rates"]["call"][0] > 0.3
    assert called(["lab", "report", folder]) == 0
    assert "bgm-2025-adapted" in (tmp_path / "run" / "report.html").read_text("utf-8")


@compiled_only
def test_a_question_is_answered_for_adapted_bots_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = load("standard")
    AdaptedBot(before.id, before, STANDARD_WEIGHTS, 100, MATCH).write(tmp_path / "bot.json")
    call = ["lab", "ask", "--set", "yaku.pinfu.closed=0", "--games", "4", "--json"]
    assert called([*call, "--adapted", str(tmp_path / "bot.json")]) == 0
    found = json.loads(capsys.readouterr().out)
    first, _, adapted = found["rulesets"]
    assert adapted["name"] == "standard-adapted"
    assert adapted["rates"] == first["rates"]  # the same weights, the same games


def test_a_bot_of_other_rules_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.json"
    AdaptedBot("tenhou", load("tenhou"), STANDARD_WEIGHTS, 100, MATCH).write(path)
    assert called(["lab", "run", "--adapted", str(path), "--out", str(tmp_path / "run")]) == 2
    assert "tenhou" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@compiled_only
def test_adapt_reports_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.json"
    call = ["lab", "adapt", "--rules", "tenhou", "--out", str(path), "--generations", "1"]
    assert called([*call, "--games", "2", "--match", "4", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    bot = AdaptedBot.read(path)
    assert said["match"]["games"] == 4
    assert said["match"]["place"] == list(bot.match.place)
    assert said["weights"] == bot.named_weights
    assert called([*call, "--jobs", "0"]) == 2


def test_a_stored_bot_is_still_read() -> None:
    """The example of the documentation, written by the first version that could adapt bots."""
    bot = AdaptedBot.read(Path(__file__).parents[2] / "docs" / "examples" / "bgm-2025-bot.json")
    assert (bot.ruleset, bot.played, bot.match.games) == ("bgm-2025", 258_048, 8_000)
    assert bot.match.place.high < 2.5
    assert bot.named_weights["riichi.always"] > 0
