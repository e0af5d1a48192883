"""Very unusual games are reported, and ordinary ones are not."""

from typing import Any

import pytest

from jantaku.club.doubts import EnteredGame, doubts_about
from jantaku.club.entered_results import GameEnd
from jantaku.rules import load

RULES = load("bgm-2025")
LEVEL = [30000] * 4
RON = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
DRAW = {"end": "draw", "tenpai": [0]}
YAKUMAN = {"end": "tsumo", "wins": [{"seat": 2, "yakuman": 1}]}


def codes(scores: list[int], hands: Any = (), **known: Any) -> list[str]:
    return [doubt.code for doubt in doubts_about(EnteredGame(scores, hands, **known), RULES)]


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ({"scores": [120000, 0, 0, 0]}, []),
        ({"scores": [120100, -100, 0, 0]}, ["points"]),
        ({"scores": [60100, 60000, 60000, -60100]}, ["points"]),
        ({"hands": [YAKUMAN, RON]}, []),
        ({"hands": [YAKUMAN, RON, YAKUMAN]}, ["yakuman"]),
        ({"hands": [{"end": "tsumo", "wins": [{"seat": 2, "yakuman": 2}]}]}, ["yakuman"]),
        ({"hands": [RON] * 3 + [DRAW] * 9}, []),
        ({"hands": [RON, {**RON, "riichi": [0]}, DRAW, RON, RON]}, ["alike"]),
        ({"hands": [RON, {**RON, "from": 2}, RON, RON, RON]}, []),
        ({"hands": [RON, DRAW], "seconds": 180}, []),
        ({"hands": [RON, DRAW], "seconds": 179}, ["quick"]),
        ({"hands": [DRAW] * 10, "seconds": 299}, ["quick"]),
        ({"hands": [DRAW] * 10, "seconds": 300, "games": 12}, []),
        ({"games": 13}, ["many"]),
        ({"twin": 7}, ["twin"]),
        ({"end": GameEnd((30000, 30000, 30000, 26000))}, []),
        ({"end": GameEnd((30000, 30000, 30000, 25000))}, ["sticks"]),
    ],
)
def test_unusual_games_have_warnings(game: dict[str, Any], wanted: list[str]) -> None:
    assert codes(**{"scores": LEVEL, **game}) == wanted
