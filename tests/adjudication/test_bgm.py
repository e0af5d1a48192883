"""The 2025 BGM event rules: every line of the rule sheet that affects a single win."""

import json

import pytest

import jantaku
from support.scoring import agrees, answer, full, summary, table

ROWS = table("bgm.tsv")
BGM = jantaku.load("bgm-2025")


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_bgm_hand(row: dict[str, str]) -> None:
    rules = jantaku.load(row["rules"])
    request = full(json.loads(row["request"]))
    reply = answer(request, rules)
    assert summary(reply) == row["expected"]
    assert row["expected"] == "red_not_in_rules" or agrees(reply, request, rules)


def test_variants_differ_only_in_red_tiles() -> None:
    for name in ("bgm-2025-red7", "bgm-2025-4"):
        assert set(jantaku.load(name).differences(BGM)) == {"tiles.red"}
    assert sum(jantaku.load("bgm-2025-4").tiles.red.values()) == 4
