"""The summary of an experiment: estimates equal plain counts, and intervals have the stated coverage."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku import load
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.live import summaries
from jantaku.lab.experiment.plan import Experiment, NamedRules, Portion, with_luck
from jantaku.lab.experiment.play import ChunkProgress, Tables, on_threads, play_missing
from jantaku.lab.experiment.summary import MIN_WINS, as_data, summarise
from jantaku.lab.experiment.sums import YAKU
from support.experiments import BOTS, GAMES, experiment, of_rows

pytestmark = pytest.mark.xdist_group("lab")
pytest.importorskip("polars")


def test_both_rulesets_play_the_same_walls(tmp_path: Path) -> None:
    """If only the uma differs, all hands are the same, so every other difference is exactly zero."""
    before = load("tenhou")
    after = before.with_changes({"match.uma": (30, 10, -10, -30)})
    pair = (NamedRules("a", before), NamedRules("b", after))
    folder = ExperimentFolder.begin(tmp_path / "x", Experiment(pair, BOTS, 4, 1, portion=2))
    play_missing(folder, on_threads(1))
    summary = summarise(folder)
    (paired,) = summary.paired
    assert paired.means.pop("final_spread") is not None
    places = [point.value for point in paired.place_points if point is not None and point.error == 0]
    assert len(places) == 4
    assert places == [-place for place in reversed(places)] != [0] * 4
    estimates = [*paired.rates.values(), *paired.means.values(), *paired.seat_points]
    estimates += [estimate for yaku in paired.yaku.values() for estimate in yaku.values()]
    assert len(estimates) >= (len(YAKU) // 2 if COMPILED else 12)
    assert all(
        estimate.interval() == pytest.approx((0, 0, 0), abs=1e-9)
        for estimate in estimates
        if estimate is not None
    )


def test_the_summary_matches_plain_counting(played: ExperimentFolder) -> None:
    """Hands, wins and yaku are counted again from the rows; ``test_brute_force`` covers the rates."""
    data = as_data(summarise(played))
    assert (data["games"], data["seed"], data["bots"]) == (GAMES, 3, list(BOTS))
    for ruleset, reported in enumerate(data["rulesets"]):
        rows = of_rows(played, ruleset)
        assert len({row["game"] for row in rows}) == GAMES
        wins = [(row, seat) for row in rows for seat in range(4) if row[f"won_{seat}"]]
        assert (reported["hands"], reported["wins"]) == (len(rows), len(wins))
        points = sum(row[f"points_{seat}"] for row, seat in wins)
        check_yaku(reported["yaku"], wins, points)


def check_yaku(reported: dict[str, Any], wins: list[tuple[dict[str, Any], int]], points: int) -> None:
    from jantaku.adjudication.batch import yaku_ids

    counted: dict[str, list[int]] = {name: [] for name in YAKU}
    for row, seat in wins:
        red, ura = row[f"red_dora_{seat}"], row[f"ura_dora_{seat}"]
        sorts = {"dora": row[f"dora_{seat}"] - red - ura, "red_dora": red, "ura_dora": ura}
        made = yaku_ids(row[f"yaku_{seat}"]) + [name for name, count in sorts.items() if count]
        for name in made:
            counted[name].append(row[f"points_{seat}"])
    for name, worth in counted.items():
        if name not in reported:
            assert not worth
            continue
        assert reported[name]["wins"] == len(worth)
        assert reported[name]["share"][0] == pytest.approx(len(worth) / len(wins))
        assert reported[name]["value_share"][0] == pytest.approx(sum(worth) / points)
        if len(worth) < MIN_WINS:
            assert reported[name]["points"] is None
        else:
            assert reported[name]["points"][0] == pytest.approx(sum(worth) / len(worth))
    if COMPILED:
        assert {"riichi", "tanyao", "dora", "red_dora", "ura_dora"} <= reported.keys()


def test_figures_of_whole_games_match_plain_counting(tmp_path: Path) -> None:
    """Durations, final points and how often the stronger bot wins are counted again from the rows."""
    import polars

    named = with_luck([NamedRules("tenhou", load("tenhou"))])
    plan = replace(experiment(), rulesets=named, games=max(2, GAMES // 3), decision_s=6.0)
    folder = ExperimentFolder.begin(tmp_path / "x", plan)
    play_missing(folder, on_threads(1))
    (reported,) = as_data(summarise(folder))["rulesets"]
    counted: dict[str, list[float]] = {}

    def count(**values: float) -> None:
        for name, value in values.items():
            counted.setdefault(name, []).append(value)

    games, lucky = (
        [
            row
            for file in sorted((folder.path / name).glob("games-*"))
            for row in polars.read_parquet(file).to_dicts()
        ]
        for name in ("tenhou", "tenhou-luck")
    )
    for game in games:
        finals = [game[f"final_{seat}"] for seat in range(4)]
        count(minutes=game["decisions"] / 10, average_final=sum(finals) / 4, final_spread=np.std(finals))
    for game in lucky:
        count(better=next(game[f"bot_{seat}"] for seat in range(4) if game[f"place_{seat}"] == 1) == "strong")
    rates = reported["rates"] | reported
    for name, values in counted.items():
        assert rates[name][0] == pytest.approx(np.mean(values), abs=1e-9), name


def test_paired_differences_equal_the_differences_of_estimates(played: ExperimentFolder) -> None:
    """A paired difference is the second estimate minus the first, and it lies inside its own interval."""
    data = as_data(summarise(played))
    first, second = data["rulesets"]
    (paired,) = data["paired"]
    assert (paired["against"], paired["name"]) == ("plain", "closed")
    for name, change in paired["rates"].items():
        if change is not None:
            assert change[0] == pytest.approx(second["rates"][name][0] - first["rates"][name][0])
            assert change[1] <= change[0] <= change[2]
    for name, yaku in paired["yaku"].items():
        if "share" in yaku:
            shares = [summary["yaku"][name]["share"][0] for summary in (first, second)]
            assert yaku["share"][0] == pytest.approx(shares[1] - shares[0])
    if COMPILED:  # without open tanyao, there are clearly fewer wins with tanyao
        assert paired["yaku"]["tanyao"]["share"][2] < 0


RNG = np.random.default_rng(7)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["share", "mean", "difference"])
def test_intervals_have_the_stated_coverage(kind: str) -> None:
    """In 400 small experiments, about 95% of the intervals contain the true value, which is known."""
    inside = 0
    for _ in range(400):
        moments = Moments(4)
        trials = RNG.integers(8, 13, 200)
        skill = RNG.beta(20, 80, 200)  # each game has a rate of its own, so its hands are not independent
        made = RNG.binomial(trials, skill)
        other = np.minimum(trials, made + RNG.binomial(trials, 0.1))
        moments.add(np.stack([trials, made, trials, other], axis=1).astype(float))
        plain, changed_ = moments.ratio(1, 0), moments.ratio(3, 2)
        assert plain is not None
        assert changed_ is not None
        if kind == "difference":
            truth, estimate = other_rate() - 0.2, moments.difference(changed_, plain).interval()
        else:
            truth, estimate = 0.2, moments.share(plain) if kind == "share" else moments.mean(plain)
        inside += estimate.low <= truth <= estimate.high
    assert 0.91 <= inside / 400 <= 0.99


def other_rate() -> float:
    """Return the expected share of ``other`` in the test of intervals, over all cases."""
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


def test_a_count_of_zero_has_an_upper_bound(played: ExperimentFolder) -> None:
    """If the share is zero, there is still an interval, of about the size given by the rule of three."""
    moments = Moments(2)
    moments.add(np.tile([100.0, 0.0], (10, 1)))
    ratio = moments.ratio(1, 0)
    assert ratio is not None
    estimate = moments.share(ratio)
    assert (estimate.value, estimate.low) == (0, 0)
    assert 0.003 < estimate.high < 0.005
    assert moments.ratio(0, 1) is None


def test_interim_summaries_do_not_depend_on_the_order_of_portions() -> None:
    """A cluster finishes portions in any order, but games are counted in the order of their numbers."""

    def backwards(
        experiment: Experiment, portions: Iterable[Portion], progress: ChunkProgress
    ) -> Iterator[tuple[Portion, Tables]]:
        return on_threads(1)(experiment, reversed(list(portions)), progress)

    plan = replace(experiment(), games=12)
    forward = list(summaries(plan, step=4))
    late = list(summaries(plan, backwards, step=4))
    assert [summary.games for summary in forward] == [summary.games for summary in late] == [4, 8, 12]
    assert [as_data(summary) for summary in forward] == [as_data(summary) for summary in late]
