"""What the page of limits claims in words: each claim has a test, here or elsewhere."""

import re
from pathlib import Path
from typing import Final, get_args

import pytest

from jantaku import load, preset_names
from jantaku.club import settle
from jantaku.errors import RulesError
from jantaku.rules.check import hints
from jantaku.rules.options import MatchOptions
from support.pages import text_of

TESTS: Final = Path(__file__).parents[1]
CLAIMS: Final = {
    "Three or four players": "docs/test_limits_claims.py::test_three_or_four_play",
    "Chips and yakitori": "docs/test_limits_claims.py::test_no_preset_has_chips_or_yakitori",
    "Liability (pao)": "docs/test_limits_claims.py::test_nobody_is_liable_for_chips",
    "mjai, tenhou.net/6": "game/test_random_games.py::test_every_format_writes_and_reads_after_every_action",
    "Yaku of your own": "docs/test_limits_claims.py::test_data_bring_conditions_and_no_code",
    "One process": "server/test_server_exclusive.py::test_a_second_server_is_refused",
    "Two cores": "",  # measured
    "[A table]": "docs/test_limits_page.py::test_the_page_states_every_limit",
    "Browsers keep pages": "browser/test_recorder_offline.py::test_the_page_opens_without_a_network",
    "An account with the commentator's": "server/test_server_rights.py::test_only_commentators_see_all_hands",
    "A simulated game": "lab/test_simulate.py::test_threads_change_nothing",
    "[How strong the bots": "",  # measured
    "The compiled code of a wheel": "kernels/test_compiled.py::test_a_wheel_brings_all_compiled_code",
}
"""How each claim begins, and the test that shows it."""


def test_each_claim_has_a_test() -> None:
    said = re.findall(r"^- (.+)$", text_of("docs/limits.md"), re.MULTILINE)
    assert [next((start for start in CLAIMS if claim.startswith(start)), claim) for claim in said] == list(
        CLAIMS
    )


@pytest.mark.parametrize("test", [test for test in CLAIMS.values() if test])
def test_the_test_of_a_claim_exists(test: str) -> None:
    path, _, name = test.partition("::")
    assert f"def {name}(" in (TESTS / path).read_text("utf-8")


def test_three_or_four_play() -> None:
    assert get_args(hints(MatchOptions)["players"]) == (3, 4)


@pytest.mark.parametrize("name", preset_names())
def test_no_preset_has_chips_or_yakitori(name: str) -> None:
    rules = load(name)
    assert (rules.chips.value, rules.match.yakitori) == (0, 0)


def test_nobody_is_liable_for_chips() -> None:
    rules = load("standard").with_changes({"chips.value": 2000, "match.length": "east", "end.tobi": "off"})
    win = {"seat": 1, "yakuman": 1, "yaku": ["daisangen"]}
    plain, liable = (
        settle([{"end": "tsumo", "wins": [win | more]}], rules)
        for more in ({}, {"pao": {"yakuman": 1, "seats": [3]}})
    )
    assert plain.hands[0].chips == liable.hands[0].chips == (-5, 15, -5, -5)
    assert plain.hands[0].deltas != liable.hands[0].deltas


def test_data_bring_conditions_and_no_code() -> None:
    assert load({"yaku": {"mine": {"closed": 1, "when": "tsumo"}}}).local[0].condition == "tsumo"
    with pytest.raises(RulesError) as caught:
        load({"local": {"file": "club.py"}})
    assert caught.value.code == "local_from_data"
