"""The report is a single page without other files, in three languages and with correct figures."""

import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from jantaku import load, terms
from jantaku.cli.app import app
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.names import yaku_label
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.play import on_threads, play_missing
from jantaku.lab.experiment.summary import RulesetEstimates, YakuEstimates, summarise
from jantaku.terms import LANGUAGES, Language

pytestmark = [
    pytest.mark.xdist_group("lab"),
    pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code"),
]
pytest.importorskip("polars")
pytest.importorskip("altair")

from jantaku.lab.report import plots  # noqa: E402
from jantaku.lab.report.difficulty import difficulties  # noqa: E402
from jantaku.lab.report.distributions import distributions  # noqa: E402
from jantaku.lab.report.page import report  # noqa: E402

BOTS, GAMES = ("efficient",), 150
NAME = "<b>&club"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ExperimentFolder:
    before = load("tenhou")
    after = before.with_changes({"yaku.tanyao.open": False})
    pair = (NamedRules("tenhou", before), NamedRules(NAME, after))
    folder = ExperimentFolder.begin(tmp_path_factory.mktemp("x") / "y", Experiment(pair, BOTS, GAMES, 3))
    play_missing(folder, on_threads(1))
    return folder


@pytest.fixture(scope="module")
def english(played: ExperimentFolder) -> str:
    return report(played, "en")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_self_contained(played: ExperimentFolder, english: str, language: Language) -> None:
    page = english if language == "en" else report(played, language)
    assert f'<html lang="{language}">' in page
    outside = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#)[^)]*\)|<script|@import', page)
    assert outside == []
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) >= 8
    for picture in pictures:
        ElementTree.fromstring(picture)
    assert NAME not in page
    assert "&lt;b&gt;&amp;club" in page
    assert not re.search(r"\{\w+[:}]", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))


@pytest.mark.slow
def test_every_yaku_with_wins_is_listed(played: ExperimentFolder, english: str) -> None:
    with terms.using("en"):
        for ruleset in summarise(played).rulesets:
            for name, yaku in ruleset.yaku.items():
                assert re.search(
                    rf"<td>{re.escape(yaku_label(name))}</td><td [^>]*><b>{yaku.wins:,}</b>", english
                )


@pytest.mark.slow
def test_distributions_count_every_win_hand_and_seat(played: ExperimentFolder) -> None:
    summary = summarise(played)
    for ruleset, counted in zip(summary.rulesets, distributions(played), strict=True):
        assert counted.wins.sum() == ruleset.wins
        assert counted.turns.sum() == ruleset.hands
        assert counted.scores.sum() == 4 * GAMES
        assert (counted.places.sum(axis=0) == GAMES).all()
        assert (counted.places.sum(axis=1) == GAMES).all()


def estimates_of(han: dict[str, int], rarity: dict[str, float], turn: dict[str, float]) -> RulesetEstimates:
    """Return estimates in which each yaku has the given han, rarity (log2) and turn."""
    rules = load("standard").with_changes({f"yaku.{name}.closed": value for name, value in han.items()})
    estimate = Estimate(1.0, 1.0, 1.0)
    yaku = {
        name: YakuEstimates(
            100, Estimate(2.0 ** -rarity[name], 0, 1), estimate, estimate, Estimate(turn[name], 0, 20)
        )
        for name in han
    }
    means: dict[str, Any] = {"win_turn": Estimate(10.0, 9, 11)}
    return RulesetEstimates(NamedRules("x", rules), 1, 1, {}, means, (), (), yaku)


NAMES = ("pinfu", "tanyao", "iipeikou", "chiitoitsu", "ittsuu", "sanankou", "toitoi", "chanta")


def test_han_that_follow_difficulty_are_in_line() -> None:
    """If each additional han doubles the rarity, every yaku is in line until one of them changes its han."""
    rarity = {name: float(1 + i) for i, name in enumerate(NAMES)}
    turn = {name: 10.0 + (i % 3) / 4 for i, name in enumerate(NAMES)}
    han = {name: 1 + i for i, name in enumerate(NAMES)}
    straight = difficulties(estimates_of(han, rarity, turn))
    assert [yaku.in_line for yaku in straight] == pytest.approx([yaku.han for yaku in straight])
    bent = difficulties(estimates_of(han | {"ittsuu": 1}, rarity, turn))
    assert bent[0].yaku == "ittsuu"
    assert bent[0].in_line > bent[0].han + 1


def test_too_few_yaku_are_not_judged() -> None:
    few = dict.fromkeys(NAMES[:4], 1)
    assert difficulties(estimates_of(few, dict.fromkeys(few, 2.0), dict.fromkeys(few, 10.0))) == []


@pytest.mark.slow
def test_yakuman_dora_and_lucky_yaku_are_not_judged(played: ExperimentFolder) -> None:
    for ruleset in summarise(played).rulesets:
        judged = {row.yaku for row in difficulties(ruleset)}
        assert not judged & {"dora", "red_dora", "ura_dora", "ippatsu", "haitei", "suuankou"}
        assert all(np.isfinite(row.in_line) for row in difficulties(ruleset))


@pytest.mark.slow
def test_the_command_writes_the_page(played: ExperimentFolder, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        app(["--lang", "ja", "lab", "report", str(played.path), "--out", str(tmp_path / "a.html")])
    assert not stopped.value.code
    assert (tmp_path / "a.html").read_text("utf-8") == report(played, "ja")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_the_screen_of_a_phone(
    played: ExperimentFolder, tmp_path: Path, language: Language
) -> None:
    """Nothing has to be scrolled sideways, and labels are still legible."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed")
    (tmp_path / "report.html").write_text(report(played, language), "utf-8")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"file://{tmp_path}/report.html")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        outside = page.evaluate(
            """() => [...document.querySelectorAll('td, td *, p, h1, h2, h3, svg, svg text')]
                .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .map((one) => one.textContent.slice(0, 40))"""
        )
        smallest = page.evaluate(
            """() => Math.min(...[...document.querySelectorAll('svg text')]
                .map((one) => one.getBoundingClientRect().height).filter(Boolean))"""
        )
        named = page.locator(f"td[data-head='{NAME}']").first.bounding_box()
        page.screenshot(path=tmp_path / "phone.png", full_page=True)
        browser.close()
    assert outside == []
    assert smallest > 8
    assert named is not None
    assert named["x"] + named["width"] <= 390


@pytest.mark.parametrize("kind", ["intervals", "in_line"])
def test_long_names_are_not_truncated_in_plots(kind: str) -> None:
    names = [f"A yaku whose author needed many words, the {number}th, 無双の一撃" for number in range(8)]
    clubs = [f"The rules of our club {when} the great change of them all" for when in ("before", "after")]
    figures: dict[str, Any] = {"value": 0.1, "low": 0.05, "high": 0.2, "han": 1, "in_line": 2.0}
    if kind == "intervals":
        rows = [{"name": name, "ruleset": club, **figures} for name in names for club in clubs]
        picture = plots.intervals(rows, "", "%")
    else:
        rows = [{"name": name, **figures} for name in names]
        picture = plots.in_line(rows, "", *clubs)
    shown = re.findall(r"<text([^>]*)>([^<]*)</text>", picture)
    seen = [text for look, text in shown if 'opacity="0"' not in look]
    assert {*names, *clubs} <= set(seen)
    width = float(re.findall(r'<svg[^>]* width="([\d.]+)', picture)[0])
    assert width > 300 + 5 * len(names[0])  # including the space for labels
