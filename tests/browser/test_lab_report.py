"""The report of an experiment on a phone and on paper."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from browser.parlour import Guest, slow_in_a_browser
from jantaku import load
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules, with_luck
from jantaku.lab.experiment.play import on_threads, play_missing
from jantaku.terms import LANGUAGES

pytestmark = slow_in_a_browser
pytest.importorskip("polars")
pytest.importorskip("altair")

from jantaku.lab.report.page import report  # noqa: E402

PAGES, PHONE = 4, 390


def test_a_report_fits_a_phone_and_four_pages(guest: Callable[..., Guest], tmp_path: Path) -> None:
    rules = [NamedRules(name, load(name)) for name in ("standard", "bgm-2025", "tenhou")]
    plan = Experiment(with_luck(rules), ("standard",), 100, 5)
    folder = ExperimentFolder.begin(tmp_path / "study", plan)
    play_missing(folder, on_threads(1))
    player = guest()
    player.page.set_viewport_size({"width": PHONE, "height": 844})
    for language in LANGUAGES:
        file = tmp_path / f"{language}.html"
        file.write_text(report(folder, language), "utf-8")
        player.page.goto(file.as_uri())
        assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE
        printed = player.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= PAGES
