"""The review of a stored game: who gets it, and that it agrees with the game."""

from contextlib import closing
from pathlib import Path

import pytest

from jantaku.bots import bot
from jantaku.game import Game
from jantaku.records import formats
from server.databases import rows
from server.parlour import Person, open_server, quick


def a_log(moves: int = 60) -> str:
    """The beginning of a game between bots."""
    game, player = Game("standard", seed=3), bot("efficient", 3)
    while len(game.moves) < moves:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return formats.dumps(game, "jantaku")


@pytest.mark.slow
def test_the_review_names_the_steps_of_the_replay(person: Person) -> None:
    sent = person.post("/api/uploads", text=a_log(), name="log")["id"]
    whole = person.get(f"/api/uploads/{sent}/replay")
    for seat in range(4):
        review = person.get(f"/api/uploads/{sent}/review", seat=seat)
        assert review["seat"] == seat
        assert review["decisions"]
        for decision in review["decisions"]:
            step = whole["steps"][decision["step"]]
            assert (step["seat"], step["action"], step["first"]) == (
                seat,
                decision["played"],
                decision["event"],
            )
            assert decision["hand"] < len(whole["hands"])
            assert decision["loss"] is None or decision["loss"] >= 0
        assert len(review["chances"]) == len(whole["hands"])


@pytest.mark.parametrize("seat", [-1, 4, "x"])
@pytest.mark.slow
def test_a_review_of_nobody_is_refused(person: Person, seat: object) -> None:
    sent = person.post("/api/uploads", text=a_log(20), name="log")["id"]
    assert person.http.get(f"/api/uploads/{sent}/review", params={"seat": str(seat)}).status_code == 422


@pytest.mark.parametrize("source", ["games", "uploads"])
def test_there_is_no_review_of_a_game_that_is_not_there(person: Person, source: str) -> None:
    assert person.http.get(f"/api/{source}/nothing/review").status_code == 404


def test_a_game_that_is_being_played_is_not_reviewed(tmp_path: Path) -> None:
    """A review would show the hands of the others."""
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        ((game, status),) = rows(tmp_path, "select id, status from games")
        assert status == "playing"
        assert mina.http.get(f"/api/games/{game}/review").status_code == 404
