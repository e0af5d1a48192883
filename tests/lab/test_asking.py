"""The lab in Python: the answers of the command line, tables, progress, stopping and custom yaku."""

from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from jantaku import lab, load, load_file
from jantaku.errors import RequestError
from jantaku.lab.asking import Settings
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.rows import compared_rows
from jantaku.lab.experiment.summary import as_data, summarise
from support.experiments import BOTS, GAMES

pytestmark = pytest.mark.xdist_group("lab")
polars = pytest.importorskip("polars")

CHANGES = {"yaku.tanyao.open": False, "match.uma": (30, 10, -10, -30)}
OWN = """extends = "standard"
[yaku.any_hand]
name.en = "Any hand"
closed = 1
open = 1
when = "count(honours) >= 0"
"""


def test_an_answer_is_that_of_an_experiment(played: ExperimentFolder) -> None:
    """The JSON and the table contain the same numbers as a stored experiment."""
    rules = load("tenhou")
    pair = {"plain": rules, "closed": rules.with_changes(CHANGES)}
    progress: list[int] = []
    answer = lab.compare(
        pair, games=GAMES, seed=3, bots=BOTS, progress=lambda played: progress.append(played.games), jobs=2
    )
    summary = summarise(played)
    data, stored = answer.to_dict(), as_data(summary)
    assert data["rulesets"][0]["hands"] == stored["rulesets"][0]["hands"]
    assert data["paired"][0]["rates"]["call"] == pytest.approx(stored["paired"][0]["rates"]["call"])
    assert (answer.games, progress[-1]) == (GAMES, 2 * GAMES)
    table, rows = answer.rows("ko"), compared_rows(summary)
    assert table["clear"].to_list() == [row.clear for row in rows]
    lows = [row.change and row.change.low for row in rows]
    assert [low is None for low in table["change_low"]] == [low is None for low in lows]
    assert table["label"][0] == "화료율(1인 기준)"
    assert set(table["name"]) == {"closed"}
    assert answer.findings()


@pytest.mark.slow
def test_ask_accepts_the_settings_of_compare() -> None:
    keywords = [p.name for p in signature(lab.compare).parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert ["games", *Settings.__annotations__] == keywords


def test_a_stopped_question_is_answered_from_the_games_played() -> None:
    settings: Any = {"bots": BOTS, "jobs": 1, "games": 100 * GAMES}
    answer = lab.ask("tenhou", CHANGES, progress=lambda played: played.games > 12 * GAMES, **settings)
    assert 0 < answer.games < answer.wanted == 100 * GAMES
    with pytest.raises(RequestError) as caught:
        lab.ask("tenhou", CHANGES, games=GAMES, bots=BOTS, progress=lambda _: True)
    assert caught.value.code == "lab_nothing_played"


def test_hands_and_games_are_read_with_custom_yaku(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(OWN)
    out = tmp_path / "study"
    lab.compare({"standard": "standard", "club": load_file(file)}, games=4, bots=BOTS, out=out)
    hands, games = lab.hands(out), lab.games(out)
    assert games.group_by("ruleset").len()["len"].to_list() == [4, 4]
    assert games["hands"].sum() == len(hands)
    won = hands.filter(polars.col("won_0"), polars.col("ruleset") == "club")
    assert all("any_hand" in made for made in won["own_yaku_0"])
    assert hands.filter(ruleset="standard")["own_yaku_0"].is_null().all()
    with pytest.raises(RequestError):  # the folder belongs to a different experiment
        lab.compare(["standard"], games=4, bots=BOTS, out=out)


@pytest.mark.parametrize(
    ("changes", "games", "code"),
    [({}, 50, "set_nothing"), ({"yaku.pinfu.closed": 1}, 50, "set_nothing"), (CHANGES, "50", "wrong_type")],
)
def test_a_question_without_a_change_is_refused(changes: dict[str, Any], games: Any, code: str) -> None:
    with pytest.raises(RequestError) as caught:
        lab.ask("standard", changes, games=games)
    assert caught.value.code == code
