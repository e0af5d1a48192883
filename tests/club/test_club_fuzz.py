"""Fuzzing: every recorded game gets an answer, and every invalid event gets an error with a message."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku.club import event_from, season_standings, standings
from jantaku.club.jsonl import settle_answer
from jantaku.errors import JantakuError
from jantaku.terms import LANGUAGES

GAME: dict[str, Any] = {
    "id": 1,
    "rules": "bgm-2025",
    "hands": [
        {"riichi": [0, 2], "end": "ron", "from": 1,
         "wins": [{"seat": 0, "han": 3, "fu": 40}, {"seat": 2, "limit": "mangan"}]},
        {"end": "tsumo", "stop": False,
         "wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [1], "yakuman": 1}}]},
        {"riichi": [3], "end": "draw", "tenpai": [0, 3], "nagashi": [1]},
        {"end": "abort", "kind": "sanchahou", "from": 1},
        {"end": "foul", "fouls": [{"seat": 1, "foul": "furiten_ron"}]},
    ],
    "penalties": [{"seat": 3, "points": -5000, "why": "late"}],
}  # fmt: skip
EVENT: dict[str, Any] = {
    "jantaku_event": 1,
    "name": "대회",
    "rules": {"extends": "standard", "match": {"tie": "share"}},
    "players": [{"id": name, "name": name, "team": "x"} for name in "ABCDE"],
    "stages": [
        {"id": "s", "kind": "open", "counts": {"best": 2}, "min_games": 1, "max_games": 3},
        {"id": "f", "kind": "rounds", "from": "s", "cut": 2, "carry": 0.5, "counts": "all"},
    ],
    "games": [
        {"id": "g1", "stage": "s", "at": "2025-06-01T14:00:00+09:00", "players": list("ABCD"),
         "hands": GAME["hands"]},
        {"id": "g2", "stage": "f", "players": list("BCDE"), "scores": [25000, 25000, 30000, 20000]},
    ],
    "penalties": [{"stage": "s", "player": "A", "points": -1, "why": "…"}],
    "tie_breaks": ["average_place", "head_to_head"],
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, -1, 4, 10**30, 0.5, float("nan"), "", "x", "ron", "\ud800", "x" * 5000, [], [[]], [None],
    {}, {"a": 1},
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values inside a JSON value."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(inner for key, value in items for inner in places(value, (*path, key)))]


def mutated(data: Any, rng: Random) -> Any:
    """Return a copy of the value in which one to three parts are replaced, removed or duplicated."""
    changed = deepcopy(data)
    for _ in range(rng.randint(1, 3)):
        path = rng.choice(places(changed)[1:])
        at = changed
        for key in path[:-1]:
            at = at[key]
        how = rng.random()
        if how < 0.2 and isinstance(at, dict):
            del at[path[-1]]
        elif how < 0.3 and isinstance(at, list):
            at.append(deepcopy(at[path[-1]]))
        else:
            at[path[-1]] = deepcopy(rng.choice(ODD))
    return changed


def test_any_game_is_answered() -> None:
    rng, refused = Random(5), 0
    for _ in range(scale(3000)):
        answer = settle_answer(mutated(GAME, rng))
        json.dumps(answer)
        if "error" in answer:
            refused += 1
            assert answer["error"]["code"]
            assert answer["error"]["message"]
        else:
            assert len(answer["scores"]) == 4
    assert refused > 0


@pytest.mark.parametrize("data", ODD, ids=repr)
def test_other_values_get_an_error(data: Any) -> None:
    assert "error" in settle_answer(data)


def event_error(data: dict[str, Any]) -> JantakuError | None:
    """Compute an event, alone and as part of a season; return the error if the event is refused."""
    season = {"jantaku_season": 1, "cut": 2, "parts": [{"id": "x", "event": data}]}
    try:
        json.dumps(standings(event_from(data)).to_dict())
        json.dumps(season_standings(season).to_dict())
    except JantakuError as error:
        return error
    return None


def test_any_event_is_computed_or_refused() -> None:
    rng = Random(6)
    errors = [error for _ in range(scale(1500)) if (error := event_error(mutated(EVENT, rng)))]
    assert errors
    assert all(error.message(language) for error in errors for language in LANGUAGES)
