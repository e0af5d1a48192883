"""What the help for people from other sites says of the server: waiting for answers, clocks, ratings."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jantaku.game import Game, Pass
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.rules import load
from jantaku.server.pauses import Pauses
from jantaku.server.play.live_game import LiveGame
from jantaku.server.ranked import queue
from server.parlour import Person, hang_up, open_server, quick, seated
from server.test_absences import play_to_the_end
from server.test_ranked import begun, member, refused
from server.test_server_course import walk

FOREVER = 1e9
NAMES = ("Mina", "Jun", "Kaito", "Seo", "Ada")
# The first payment of points ends the game
SHORT = (
    'extends = "standard"\n[match]\nlength = "east"\nstart_points = 1000\nsticks = { 1000 = 1 }\n'
    '[draw]\nnoten_payment = 9000\n[end]\ntobi = "zero_or_below"\n'
)


@pytest.fixture
def five(tmp_path: Path) -> Iterator[list[Person]]:
    with open_server(quick(tmp_path)) as url:
        members = [member(url, name) for name in NAMES]
        yield members
        for person in members:
            person.close()


@pytest.mark.parametrize("even", [False, True])
def test_the_game_waits_for_whoever_can_call(even: bool) -> None:
    live = LiveGame(Game("standard", 3), Pauses(), 3.0, even)
    chance, now, asked = random.Random(3), 0.0, 0
    for _ in range(400):
        if live.game.is_over or live.between:
            break
        if live.game.record.phase == YOUR_TURN:
            walk(live, chance)
        now += FOREVER
        live.tell(now)
        while live.game.record.phase != YOUR_TURN and not live.game.is_over:
            seat, before = live.game.to_act[0], live.sent
            assert Pass() in live.game.legal(seat)
            assert live.open_to(seat)
            assert live.tell(now + FOREVER) == []
            asked += 1
            live.game.play(seat, Pass())
            now += 2 * FOREVER
            assert bool(live.tell(now)) == (live.game.record.phase == YOUR_TURN or live.between)
            assert live.sent >= before
    assert asked > 3


def test_the_comparison_of_rules_names_the_seconds_where_they_differ(person: Person) -> None:
    clock = load("standard").clock
    for option in ("turn_s", "bank_s", "claim_window_s"):
        other = f'extends = "standard"\n[clock]\n{option} = {getattr(clock, option) + 1}\n'
        rules = person.post("/api/rules", toml=other)["id"]
        rows = person.get("/api/rules/standard/diff", **{"with": rules})["rows"]
        assert [row["path"] for row in rows] == [f"clock.{option}"]


@pytest.mark.slow
def test_a_rated_table_gives_a_rating_that_others_see_only_where_numbers_are_shown(
    five: list[Person],
) -> None:
    mina, ada = five[0], five[4]
    rules = mina.post("/api/rules", toml=SHORT)["id"]
    _, lines = seated(five[:4], rules=rules, options={"rated": True})
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play_to_the_end, lines))
    hang_up(lines)
    own = mina.get("/api/me/numbers")["rating"]
    assert own["games"] == 1
    address = f"/api/people/{mina.id}/numbers"
    assert refused(ada, "GET", address) == "numbers_private"
    assert ada.get(f"/api/people/{mina.id}/card")["steps"] == [None, None]
    mina.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    assert ada.get(address)["rating"] == own


@pytest.mark.slow
def test_a_ranked_game_gives_a_grade_for_its_number_of_players_which_others_see(
    five: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = queue.RATED.model_copy(update={"spectator_delay_s": 0})  # else watchers learn it first
    monkeypatch.setattr(queue, "RATED", at_once)
    four, ada = five[:4], five[4]
    table, lines = begun(four)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play_to_the_end, lines))
    hang_up(lines)
    record = four[0].get(f"/api/tables/{table}")["result"]["record"]
    people = {row["person"] for row in four[0].get(f"/api/tables/{table}")["seats"]}
    after = {seat["after"] for seat in four[0].get(f"/api/ranked/games/{record}")["seats"]}
    cards = [ada.get(f"/api/people/{person}/card")["steps"] for person in people]
    assert {step for step, _ in cards} == after
    assert {step for _, step in cards} == {None}  # with three they have not played
    own = [four[0].get("/api/ranked")["steps"][at] for at in (0, 1)]
    assert [row["players"] for row in own] == [4, 3]
    assert [row["step"] for row in own] == [ada.get(f"/api/people/{four[0].id}/card")["steps"][0], 0]
