"""Options that change the value of a win: the score before and after a change."""

import json

import pytest

from support.scoring import agrees, answer, changed, full, summary, table

ROWS = table("options.tsv")
REFUSED = {
    "red_not_in_rules",
    "open_riichi_off",
    "chi_off",
    "kan_ends_ippatsu",
    "wareme_off",
}  # errors raised before scoring


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
@pytest.mark.parametrize("side", ["before", "after"])
def test_an_option_changes_the_value(row: dict[str, str], side: str) -> None:
    rules = changed("standard", row["base"])
    if side == "after":
        rules = rules.with_changes(json.loads(row["change"]))
    request = full(json.loads(row["request"]))
    reply = answer(request, rules)
    assert summary(reply) == row[side]
    assert row[side] in REFUSED or agrees(reply, request, rules)
