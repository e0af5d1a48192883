"""The value of custom yaku, and options that change it."""

from typing import Any

import pytest

from jantaku import load
from support.scoring import answer, full, summary

WHEN = "run(n, x) and run(n + 2, x) and run(n + 4, x) and run(n + 6, x)"
CLOSED = full({"hand": "12334556778m99p", "win": "9m"})
OPEN = full({"hand": "34556778m99p", "win": "9m", "melds": [{"type": "chi", "tiles": "123m"}]})
COUNTED: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], str]] = [
    (CLOSED, {}, {}, "3 han 30 fu 3900 pinfu=1 kinmonkyou=2 | 0 3900 0 -3900"),
    (OPEN, {}, {}, "1 han 30 fu 1000 kinmonkyou=1 | 0 1000 0 -1000"),
    (OPEN, {"open": False}, {}, "no_yaku"),
    (OPEN, {"minimum": False}, {}, "no_yaku"),
    (CLOSED, {"closed": 0}, {}, "1 han 30 fu 1000 pinfu=1 kinmonkyou=0 | 0 1000 0 -1000"),
    (CLOSED, {"replaces": ["pinfu"]}, {}, "2 han 30 fu 2000 kinmonkyou=2 | 0 2000 0 -2000"),
    (CLOSED, {"closed": "yakuman"}, {}, "1 yakuman 32000 kinmonkyou=13 | 0 32000 0 -32000"),
    (CLOSED, {"closed": "double_yakuman"}, {}, "2 yakuman 64000 kinmonkyou=26 | 0 64000 0 -64000"),
    (CLOSED, {"closed": "mangan"}, {}, "5 han 30 fu mangan 8000 kinmonkyou=5 | 0 8000 0 -8000"),
    (OPEN, {"open": "baiman"}, {}, "8 han 30 fu baiman 16000 kinmonkyou=8 | 0 16000 0 -16000"),
    (CLOSED, {"closed": "mangan"}, {"score.limit_yaku": "adds"},
     "6 han 30 fu haneman 12000 pinfu=1 kinmonkyou=5 | 0 12000 0 -12000"),
    (CLOSED, {"closed": "haneman"}, {"score.limit_yaku": "caps"},
     "6 han 30 fu haneman 12000 kinmonkyou=6 | 0 12000 0 -12000"),
    (OPEN, {"open": "mangan", "minimum": False}, {}, "no_yaku"),
    (CLOSED, {"only": "tsumo"}, {}, "1 han 30 fu 1000 pinfu=1 | 0 1000 0 -1000"),
    (OPEN, {"only": "hatsu"}, {}, "no_yaku"),
    (OPEN, {"only": "pin"}, {}, "no_yaku"),
    (CLOSED, {"closed": "double_yakuman"}, {"score.multiple_yakuman": False},
     "2 yakuman 64000 kinmonkyou=26 | 0 64000 0 -64000"),
    (CLOSED, {}, {"yaku.pinfu.replaces": ["kinmonkyou"]}, "1 han 30 fu 1000 pinfu=1 | 0 1000 0 -1000"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "settings", "changes", "expected"), COUNTED)
def test_a_custom_yaku_counts_by_its_settings(
    request_: dict[str, Any], settings: dict[str, Any], changes: dict[str, Any], expected: str
) -> None:
    own = {"closed": 2, "open": 1, "when": WHEN}
    rules = load({"extends": "standard", "yaku": {"kinmonkyou": own}})
    given = {f"yaku.kinmonkyou.{name}": value for name, value in settings.items()}
    assert summary(answer(request_, rules.with_changes({**given, **changes}))) == expected
