"""Every option that changes the value of a win, with each of its values."""

import json
import re
from pathlib import Path

import pytest

import jantaku
from jantaku.rules import YakuValue, catalogue
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from support.scoring import agrees, answer, changed, full, summary, table

KERNELS = Path(jantaku.__file__).parent / "kernels"
SCORING = ("fu", "hand", "payments", "points", "readings", "score", "value", "yaku/*")
ROWS = table("options.tsv")
REFUSED = {
    "red_not_in_rules",
    "open_riichi_off",
    "chi_off",
    "kan_ends_ippatsu",
    "wareme_off",
}  # refused before anything is counted


def options_read() -> set[str]:
    """The options a win's value depends on, as the scoring kernels and the catalogue name them."""
    text = "".join(path.read_text("utf-8") for name in SCORING for path in KERNELS.glob(f"{name}.py"))
    values = {
        f"{section}.{name}"
        for section, name in re.findall(r"\brules\.(\w+)\.(\w+)", text)
        if section in SECTIONS
    }
    for entry in catalogue().values():
        values |= {gate.partition("=")[0] for gate in (entry.gate, entry.open_gate, entry.han_from)}
    yaku = {f"yaku.{name}" for name in hints(YakuValue)}
    return (values | yaku | {"tiles.red", "pao.yakuman"}) - {""}


def options_changed(row: dict[str, str]) -> set[str]:
    """The options a row changes; those of a yaku without its name."""
    return {re.sub(r"^yaku\.\w+", "yaku", path) for path in json.loads(row["change"])}


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
@pytest.mark.parametrize("side", ["before", "after"])
def test_option_decides_the_value(row: dict[str, str], side: str) -> None:
    rules = changed("standard", row["base"])
    if side == "after":
        rules = rules.with_changes(json.loads(row["change"]))
    request = full(json.loads(row["request"]))
    reply = answer(request, rules)
    assert summary(reply) == row[side]
    assert row[side] in REFUSED or agrees(reply, request, rules)


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_every_row_shows_a_difference(row: dict[str, str]) -> None:
    assert row["before"] != row["after"]
    before, change = changed("standard", row["base"]), json.loads(row["change"])
    assert set(before.with_changes(change).differences(before)) == set(change)


def test_every_option_the_scorer_reads_has_a_row() -> None:
    covered = set().union(*map(options_changed, ROWS))
    assert options_read() - covered == set()


def test_every_choice_of_a_scoring_option_has_a_row() -> None:
    """Of the options with more than two values, a case for each that is not the default."""
    wanted = {
        ("score.limit_yaku", "adds"), ("score.limit_yaku", "caps"),
        ("score.missing_share", "split"), ("score.missing_share", "in_proportion"),
        ("score.missing_share", "plus_1000"),
        ("yaku.only", "tsumo"), ("yaku.only", "man"), ("yaku.only", "hatsu"),
        ("yaku.only", "not_furiten"), ("yaku.only", "none"),
    }  # fmt: skip
    shown = {
        (re.sub(r"^yaku\.\w+", "yaku", path), value)
        for row in ROWS
        for path, value in json.loads(row["change"]).items()
        if isinstance(value, str)
    }
    assert wanted <= shown
