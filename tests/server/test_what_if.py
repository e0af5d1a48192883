"""Playing on from a moment of a finished game, at a table that counts nowhere."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from server.parlour import Person, open_server, quick, simplest
from server.test_own_numbers import RULES


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, str]]:
    """Somebody who has played a short game against bots to its end, and its record."""
    with open_server(quick(tmp_path_factory.mktemp("what-if"))) as url, closing(Person(url, "Mina")) as mina:
        rules = mina.post("/api/rules", toml=RULES)["id"]
        table = mina.table(bots=3, rules=rules)
        mina.post(f"/api/tables/{table['id']}/start")
        line = mina.socket(table["id"])
        while (own := line.asked()) is not None:
            assert line.act(simplest(own))["type"] == "ack"
        line.close()
        yield mina, mina.get(f"/api/tables/{table['id']}")["result"]["record"]


@pytest.mark.slow
def test_a_game_goes_on_from_a_moment_and_counts_nowhere(played: tuple[Person, str]) -> None:
    mina, game = played
    before = mina.get(f"/api/games/{game}/replay")
    step = next(i for i, one in enumerate(before["steps"]) if i > 8 and one["action"]["type"] == "discard")
    seat = before["steps"][step]["seat"]
    table = mina.post(f"/api/games/{game}/what-if", step=step, seat=seat)["table"]
    info = mina.get(f"/api/tables/{table}")
    assert info["seats"][seat]["person"] == mina.id
    assert (info["status"], info["options"]["private"], info["options"]["clock"]) == ("playing", True, False)
    line = mina.socket(table)
    own = line.asked()
    assert own is not None
    assert before["steps"][step]["action"] in own["legal"]
    while own is not None:
        assert line.act(simplest(own))["type"] == "ack"
        own = line.asked()
    line.close()
    after = mina.get(f"/api/games/{mina.get(f'/api/tables/{table}')['result']['record']}/replay")
    same = [(one["seat"], one["action"]) for one in before["steps"][:step]]
    assert [(one["seat"], one["action"]) for one in after["steps"][:step]] == same
    counted = [line["game"] for line in mina.get("/api/me/numbers")["figures"]["games"]]
    assert counted == [game]


@pytest.mark.slow
def test_only_a_moment_of_a_finished_game_can_be_played_on(played: tuple[Person, str]) -> None:
    mina, game = played
    steps = len(mina.get(f"/api/games/{game}/replay")["steps"])
    for path, body, status in (
        (game, {"step": steps, "seat": 0}, 404),
        (game, {"step": 0, "seat": 4}, 422),
        (game, {"step": -1, "seat": 0}, 422),
        ("nothing", {"step": 0, "seat": 0}, 404),
    ):
        assert mina.http.post(f"/api/games/{path}/what-if", json=body).status_code == status
    with closing(Person(mina.url)) as stranger:
        answer = stranger.http.post(f"/api/games/{game}/what-if", json={"step": 0, "seat": 0})
        assert answer.status_code == 401
