"""The 2025 BGM event rules: every line of the sheet that a single win can show."""

import json
import re

import pytest

import jantaku
from jantaku.rules import catalogue
from support.scoring import agrees, answer, full, summary, table

ROWS = table("bgm.tsv")
STANDARD, BGM = jantaku.load("standard"), jantaku.load("bgm-2025")


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_bgm_hand(row: dict[str, str]) -> None:
    rules = jantaku.load(row["rules"])
    request = full(json.loads(row["request"]))
    reply = answer(request, rules)
    assert summary(reply) == row["expected"]
    assert row["expected"] == "red_not_in_rules" or agrees(reply, request, rules)


def shown() -> set[tuple[str, bool]]:
    """The yaku that a row scores, and whether its hand is closed."""
    names = set()
    for row in ROWS:
        melds = json.loads(row["request"]).get("melds", [])
        closed = all(meld["type"] == "ankan" for meld in melds)
        names |= {(name, closed) for name in re.findall(r"(\w+)=", row["expected"])}
    return names


def test_every_adjusted_yaku_is_shown_closed_and_open() -> None:
    changed = [name for name in BGM.yaku if BGM.yaku[name] != STANDARD.yaku[name]]
    wanted = set()
    for name in changed:
        sides = ((True, BGM.yaku[name].closed), (False, BGM.yaku[name].open))
        wanted |= {(name, side) for side, worth in sides if worth is not False}
    assert len(changed) == 18
    assert wanted <= shown()


def test_every_double_yakuman_is_shown() -> None:
    doubles = {
        entry.form_of or name
        for name, entry in catalogue().items()
        if "double_yakuman" in (BGM.yaku[name].closed, BGM.yaku[name].open)
    }
    assert doubles == {"kokushi_musou", "chuuren_poutou", "suuankou", "suukantsu"}
    text = " ".join(row["expected"] for row in ROWS)
    assert all(f"{name}=26" in text for name in doubles)
    assert "tsuuiisou=13 daichisei=13" in text


def test_every_liable_yakuman_is_shown() -> None:
    named = {name for row in ROWS for name in json.loads(row["request"]).get("pao", {})}
    assert named >= set(BGM.pao.yakuman)
    assert set(BGM.pao.yakuman) == {"daisangen", "daisuushii", "suukantsu", "suurenkou"}


def test_variants_differ_only_in_the_red_tiles() -> None:
    for name in ("bgm-2025-red7", "bgm-2025-4"):
        assert set(jantaku.load(name).differences(BGM)) == {"tiles.red"}
    assert sum(jantaku.load("bgm-2025-4").tiles.red.values()) == 4
