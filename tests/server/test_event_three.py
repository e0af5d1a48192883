"""Events under rules for three: what is sent for another number of seats is refused, and says so."""

from typing import Any

import pytest

from server.clubs import Gathering, Table, refused

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scores", [[40000, 40000, 25000, 0], [40000, 65000]])
def test_points_for_another_number_of_seats_say_how_many_are_wanted(url: str, scores: list[int]) -> None:
    gathering = Gathering(url, rules="standard-3")
    table = Table(gathering, f"three-{len(scores)}", players=gathering.entries[:3])
    sent: dict[str, Any] = {"scores": scores, "why": "paper"}
    assert refused(gathering.referee, "POST", f"{table.path}/points", **sent) == (400, "wrong_count")
    gathering.close()


def test_a_game_is_started_by_as_many_as_the_rules_have(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    start: dict[str, Any] = {"id": "four-at-three", "stage": "league", "players": gathering.entries}
    path, player = f"{gathering.path}/games", gathering.players[0]
    assert refused(player, "POST", path, **start) == (400, "wrong_count")
    twice: dict[str, Any] = {**start, "players": [*gathering.entries[:2], gathering.entries[0]]}
    assert refused(player, "POST", path, **twice) == (400, "twice_at_table")
    gathering.close()
