"""Hands that the table plays for somebody who is away are marked, and are not that person's hands."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from jantaku.club import GameResult, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.statistics import RuledGame, person_figures
from jantaku.game.events import HandStarted
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.storage.finished_games import absent_hands, counts_for, is_rated
from server.parlour import Line, Person, hang_up, open_server, quick, simplest
from server.test_server_uploads import game_of

EAST = 'extends = "standard"\n[match]\nlength = "east"\n[end]\ntobi = "off"\n'


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Person]]:
    with (
        open_server(quick(tmp_path, grace_s=0.2)) as url,
        closing(Person(url, "Mina")) as mina,
        closing(Person(url, "Jun")) as jun,
    ):
        yield [mina, jun]


def begun(two: list[Person]) -> tuple[str, list[Line]]:
    rules = two[0].post("/api/rules", toml=EAST)["id"]
    table = two[0].table(bots=2, rules=rules)["id"]
    two[1].post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in two]
    two[0].post(f"/api/tables/{table}/start")
    return table, lines


def play_to_the_end(line: Line) -> None:
    while (own := line.asked()) is not None:
        answer = line.act(simplest(own))
        # The table may play once more for somebody who has just come back
        assert answer["type"] == "ack" or answer["code"] == "late"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["leaves", "loses the connection"])
def test_hands_of_an_absent_player_are_marked_and_count_for_nobody(two: list[Person], way: str) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].until("sync")
    if way == "leaves":
        jun.post(f"/api/tables/{table}/leave")
    lines[1].close()
    play_to_the_end(lines[0])
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    summary = mina.get(f"/api/games/{game}")
    absent = [player["absent"] for player in summary["players"]]
    seats = {player["name"]: seat for seat, player in enumerate(summary["players"])}
    events, hand, drew = mina.get(f"/api/games/{game}/replay")["events"], -1, set()
    for event in events:
        hand += event["type"] == "hand_started"
        if event["type"] == "discarded" and event["seat"] == seats["Jun"]:
            drew.add(hand)
    assert drew <= {*absent[seats["Jun"]]} <= {*range(summary["hands"])}  # a hand may end before one acts
    assert len(drew) >= 3
    assert [absent[seat] for name, seat in seats.items() if name != "Jun"] == [[]] * 3
    assert mina.get("/api/me/numbers")["figures"]["brief"]["games"] == 1
    assert jun.get("/api/me/numbers")["figures"] is None
    record = mina.http.get(f"/api/games/{game}/record").text
    assert json.loads(record.splitlines()[-1])["absent"] == absent
    formats.parse_record(record.encode())
    hang_up(lines[:1])


@pytest.mark.slow
def test_whoever_comes_back_plays_the_later_hands_themselves(two: list[Person]) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].close()
    while sum(event["type"] == "hand_started" for event in lines[0].events()) < 2:
        own = lines[0].asked()
        assert own is not None
        lines[0].act(simplest(own))
    back = jun.socket(table)
    back.until("sync")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play_to_the_end, (lines[0], back)))
    summary = mina.get(f"/api/games/{mina.get(f'/api/tables/{table}')['result']['record']}")
    absent = {player["name"]: player["absent"] for player in summary["players"]}
    assert 0 in absent["Jun"]
    assert summary["hands"] - 1 not in absent["Jun"]
    assert absent["Mina"] == []
    hang_up([lines[0], back])


def test_the_hand_of_an_action_is_the_one_in_which_it_was_taken() -> None:
    """Also its first and its last action, and only the hands of that seat."""
    game = game_of(5000)
    dealt = [index for index, event in enumerate(game.events) if isinstance(event, HandStarted)]
    first = next(number for number, move in enumerate(game.moves) if move[0] > dealt[2])
    hands = absent_hands(game, [(first, 1), (first - 1, 1), (first, 3), (0, 0), (len(game.moves) - 1, 0)])
    assert hands == [[0, len(dealt) - 1], [1, 2], [], [2]]


def test_figures_leave_out_hands_that_others_played() -> None:
    game = game_of(5000)
    played = settle(played_hands(game), game.rules)
    four, count = ("a", "b", "c", "d"), len(played.hands)
    away = (frozenset({0, 2}), frozenset[int](), frozenset[int](), frozenset[int]())
    result = GameResult("1", "", None, four, (30, 10, -10, -30), (1, 2, 3, 4), played, away)
    games = [RuledGame(load("standard"), result)]
    hands = [person_figures(games, letter)[game.rules.fingerprint].hands for letter in "ab"]
    assert [len(hand) for hand in hands] == [count - 2, count]


def test_the_rule_of_games_and_ratings() -> None:
    stored = {"absent": [[0, 1, 2], [1], [], list(range(4))]}
    assert [counts_for(stored, seat, 4) for seat in range(4)] == [False, True, True, False]
    assert not is_rated(stored, 4, 4)
    assert is_rated({"absent": [[0, 1, 2], [], [], []]}, 4, 4)  # leaving does not save from a loss
    assert is_rated(stored | {"there": [0, 1, 2, 3]}, 4, 4)  # not even in the first hand
    assert not is_rated(stored | {"there": [0, 1, 2]}, 4, 4)  # who never came has lost nothing
    for before in (None, {}, {"final": [0]}):  # games of earlier versions
        assert counts_for(before, 3, 8)
        assert is_rated(before, 4, 8)


@pytest.mark.slow
def test_others_open_reviews_only_of_whoever_lets_them(two: list[Person]) -> None:
    mina, jun = two
    table, lines = begun(two)
    lines[1].close()
    jun.post(f"/api/tables/{table}/leave")
    play_to_the_end(lines[0])
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    players = mina.get(f"/api/games/{game}")["players"]
    seat = next(seat for seat, player in enumerate(players) if player["name"] == "Mina")
    path = f"/api/games/{game}/review?seat={seat}"

    def seen() -> list[int]:
        stranger = Person(mina.url)
        return [person.http.get(path).status_code for person in (mina, jun, stranger)]

    assert (seen(), mina.get("/api/me/numbers")["reviews"]) == ([200] * 3, True)
    mina.http.put("/api/me/numbers/shown", json={"on": False, "reviews": False}).raise_for_status()
    assert (seen(), mina.get("/api/me/numbers")["reviews"]) == ([200, 403, 403], False)
    mina.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    assert seen() == [200, 403, 403]
    hang_up(lines[:1])
