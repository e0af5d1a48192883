"""Ratings at rated tables, and personal statistics.

Ratings count only finished games without bots and are separate for each ruleset.
"""

import asyncio
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy import update

from jantaku.club import EventGame, GameResult, Rating, rated_games, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.ratings import latest_ratings
from jantaku.club.statistics import RuledGame, person_figures
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.ranked import table_ratings
from jantaku.server.ranked.table_ratings import TableRatings
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.ratings import RatingStep
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow
from jantaku.server.study.own_games import OwnGames
from server.parlour import Message, Person
from support.playing import played

FOUR = ("ann", "ben", "cho", "dai")
BEGAN = now_ms() - 60_000
RULES, OTHER = "0" * 16, "1" * 16


async def play(
    services: Services, number: int, places: tuple[int, ...], *, rules: str = RULES, rated: bool = True,
    bot: bool = False, stage: str | None = None, status: str = "finished", delay: float = 0,
    at: int | None = None, people: Sequence[str] = FOUR,
) -> None:  # fmt: skip
    """Store a table and its game, which ended ``at`` (by default ``number``) milliseconds after ``BEGAN``."""
    sitters = [Sitter(name, name) for name in people]
    if bot:
        sitters[3] = Sitter("Sora", bot="gentle")
    table = TableRow(
        f"t{number}", "", "ann", "x", rules, TableOptions(rated=rated, spectator_delay_s=delay),
        stage=stage,
    )  # fmt: skip
    await services.seating.add(table)
    row = GameRow(f"game{number}", table.id, 1, b"", "x", rules, tuple(sitters), started=1)
    await services.games.begin(row, table)
    when = BEGAN + (number if at is None else at)
    ended = GameRow(
        row.id, row.table_id, 1, b"", "x", rules, row.players, status, 1, when, 8,
        {"final": [0, 0, 0, 0], "places": list(places)},
    )  # fmt: skip
    await services.games.end(ended, table, [], 0, {})


GAMES = [(1, 2, 3, 4), (1, 2, 4, 3), (2, 1, 3, 4)]


def expected_ratings(games: Sequence[tuple[int, ...]] = GAMES) -> dict[str, Rating]:
    """Return the ratings that the club module computes from these games."""
    results = [
        EventGame(f"game{number}", "", FOUR, GameResult(True, (0,) * 4, (0,) * 4, places))
        for number, places in enumerate(games, 1)
    ]
    return latest_ratings(rated_games(results))


async def known_ratings(ratings: TableRatings, under: str = RULES) -> dict[str, tuple[float, float]]:
    by_person = {person: await ratings.rating(under, person) for person in FOUR}
    return {person: (rating.mu, rating.sigma) for person, rating in by_person.items() if rating is not None}


def figures(ratings: Mapping[str, Rating]) -> dict[str, Any]:
    return {person: pytest.approx((rating.mu, rating.sigma)) for person, rating in ratings.items()}


async def test_ratings_equal_those_of_the_club_module_and_include_newer_games(services: Services) -> None:
    ratings = TableRatings(services)
    assert await known_ratings(ratings) == {}
    for number, places in enumerate(GAMES[:2], 1):
        await play(services, number, places)
    assert (await ratings.of(RULES, "ann")).rank == 1
    await play(services, 3, GAMES[2])
    await play(services, 4, (4, 3, 2, 1), rules=OTHER)
    await play(services, 5, (4, 3, 2, 1), rated=False)
    await play(services, 6, (4, 3, 2, 1), bot=True)
    await play(services, 7, (4, 3, 2, 1), stage=PRACTICE)
    await play(services, 8, (4, 3, 2, 1), status="aborted")
    assert await known_ratings(ratings) == figures(expected_ratings())
    courses = [await ratings.of(RULES, person, 3) for person in expected_ratings()]
    assert [course.rank for course in courses] == [1, 2, 3, 4]
    assert {(course.games, course.people) for course in courses} == {(3, 4)}
    ann = (await ratings.of(RULES, "ann", 9)).steps
    assert [step.place for step in ann] == [1, 1, 2]
    assert ann[-1].sigma < ann[0].sigma
    assert [step.game for step in (await ratings.of(RULES, "ann", 2)).steps] == ["game2", "game3"]
    row = await services.games.find("game2")
    assert row is not None
    before, after = (await ratings.around(RULES, row))["ann"]
    assert (before, after) == (ann[0].rating, ann[1].rating)
    assert (await ratings.of(OTHER, "dai")).rank == 1
    assert await ratings.of("2" * 16, "ann") == ([], 0, None, 0)


@pytest.mark.parametrize("at_once", [2, 200])
async def test_rated_games_of_one_group_are_limited_per_day(
    services: Services, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """The limit applies to each day, whether the games are rated all at once or in batches."""
    monkeypatch.setattr(table_ratings, "AT_ONCE", at_once)
    limit, day = table_ratings.RATED_A_DAY, 86_400_000
    begin = (BEGAN // day - 3) * day - BEGAN
    days = [begin + extra * day + 60_000 * number for extra in (0, 1) for number in range(limit + 3)]
    for number, at in enumerate(days, 1):
        await play(services, number, (1, 2, 3, 4), at=at)
    steps = (await TableRatings(services).of(RULES, "ann", 100)).steps
    counted = [*range(1, limit + 1), *range(limit + 4, 2 * limit + 4)]
    assert [step.game for step in steps] == [f"game{number}" for number in counted]
    beyond = await services.games.find(f"game{limit + 1}")
    assert beyond is not None
    assert await TableRatings(services).around(RULES, beyond) == {}


@pytest.mark.parametrize("at_once", [2, 200])
@pytest.mark.parametrize("fixed", [2, 3])
async def test_changing_only_some_opponents_does_not_evade_the_daily_limit(
    services: Services, monkeypatch: pytest.MonkeyPatch, at_once: int, fixed: int
) -> None:
    """Two or three players meet different opponents each time; games without them still count."""
    monkeypatch.setattr(table_ratings, "AT_ONCE", at_once)
    limit, day = table_ratings.RATED_A_DAY, 86_400_000
    begin = (BEGAN // day - 1) * day - BEGAN
    for number in range(1, limit + 4):
        people = [*FOUR[:fixed], *(f"p{number}{seat}" for seat in range(4 - fixed))]
        await play(services, number, (1, 2, 3, 4), at=begin + 60_000 * number, people=people)
    await play(services, 99, (1, 2, 3, 4), at=begin + 3_600_000, people=("ann", "x", "y", "z"))
    steps = (await TableRatings(services).of(RULES, "ann", 100)).steps
    assert [step.game for step in steps] == [*(f"game{number}" for number in range(1, limit + 1)), "game99"]


async def test_a_starting_server_rates_stored_unrated_games(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_ratings, "AT_ONCE", 2)
    monkeypatch.setattr(table_ratings, "RATED_A_DAY", 100)
    for number, places in enumerate([*GAMES, *GAMES], 1):
        await play(services, number, places)
    ratings = TableRatings(services)
    ratings.start()
    while (
        await services.ratings.until(RULES) is None or len(await services.ratings.last_steps(RULES, FOUR)) < 4
    ):
        await asyncio.sleep(0.01)
    await ratings.stop()
    assert await known_ratings(TableRatings(services)) == figures(expected_ratings([*GAMES, *GAMES]))


async def test_the_first_rating_uses_a_limited_number_of_games(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_ratings, "MAX_BEFORE", 2)
    for number, places in enumerate(GAMES, 1):
        await play(services, number, places)
    assert (await TableRatings(services).of(RULES, "ann", 9)).games == 2


async def test_games_ending_at_the_same_time_count_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_ratings, "AT_ONCE", 2)
    ratings = TableRatings(services)
    for number in (1, 2):
        await play(services, number, GAMES[0], at=7)
        assert (await ratings.of(RULES, "ann", 9)).games == number
    assert (await ratings.of(RULES, "ann", 9)).games == 2


async def nothing(_: object) -> None:
    pass


async def test_an_erased_person_has_no_ratings(services: Services) -> None:
    """Ratings that were being computed when the person was erased are not stored afterwards."""
    ratings = TableRatings(services)
    assert await services.ratings.until(RULES) is None
    await play(services, 1, GAMES[0])
    await play(services, 2, GAMES[0], rules=OTHER)
    assert len(await known_ratings(ratings)) == 4
    before = await services.ratings.until(RULES)
    late = [RatingStep(RULES, "ann", BEGAN, "game1", 1, 26.0, 8.0)]
    async with services.store.writing() as connection:
        await erase_person(connection, PersonRow("ann", "Ann", None, "player", "en"), "ann", nothing)
    assert not await services.ratings.add(RULES, late, before=before, until=BEGAN)
    assert not await services.ratings.add(OTHER, late, before=None, until=BEGAN)
    ratings.forget()
    assert await known_ratings(ratings) == await known_ratings(ratings, OTHER) == {}


async def test_ratings_and_statistics_exclude_games_still_shown_to_delayed_spectators(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the time of import may be too long ago by now
    monkeypatch.setattr(sys.modules[__name__], "BEGAN", now_ms() - 60_000)
    ratings, numbers = TableRatings(services), OwnGames(services)
    rules, over = load("tenhou"), TableOptions(rated=True, spectator_delay_s=0)
    await services.rulesets.save(rules)
    own = rules.fingerprint
    await play(services, 40000, (1, 2, 3, 4), rules=own)
    await play(services, 50000, (1, 2, 3, 4), delay=600, rules=own)
    await play(services, 55000, (1, 2, 3, 4), rules=own)

    async def counts_of_ann() -> list[int]:
        counts = [len((await numbers.of("ann", public=public)).games) for public in (False, True)]
        return [*counts, (await ratings.of(own, "ann")).games]

    assert await counts_of_ann() == [3, 2, 1], "a rating follows from the games before it"
    async with services.store.writing() as connection:
        await connection.execute(update(TableRow).values(options=over))
    assert await counts_of_ann() == [3, 3, 3]


# A person's statistics: from their finished games, computed as in events, and private by default


def result(game: str, players: tuple[str, ...], places: tuple[int, ...]) -> EventGame:
    return EventGame(game, "", players, GameResult(True, (), (30, 10, -10, -30), places))


def test_statistics_are_separate_for_each_ruleset() -> None:
    tenhou, ema = load("tenhou"), load("ema")
    four = ("me", "a", "bot:standard", "bot:standard")
    games = [
        RuledGame(tenhou, result("1", four, (1, 2, 3, 4))),
        RuledGame(ema, result("2", ("", "me", "a", "b"), (1, 2, 3, 4))),
        RuledGame(tenhou, result("3", four, (2, 1, 3, 4))),
        RuledGame(tenhou, result("4", ("a", "b", "c", "d"), (1, 2, 3, 4))),
    ]
    figures = person_figures(games, "me")
    first, second = figures[tenhou.fingerprint], figures[ema.fingerprint]
    assert [[line.game for line in figure.games] for figure in (first, second)] == [["1", "3"], ["2"]]
    assert first.brief.average_place == 1.5
    met = {opponent.opponent: len(opponent.games) for opponent in first.opponents}
    assert met == {"a": 2, "bot:standard": 2}
    # opponents who were erased are left out
    assert {opponent.opponent for opponent in second.opponents} == {"a", "b"}


def test_statistics_exclude_hands_played_for_an_absent_player() -> None:
    game = played("standard", 1)
    hands = settle(played_hands(game), game.rules)
    four, count = ("a", "b", "c", "d"), len(hands.hands)
    away = (frozenset({0, 2}), frozenset[int](), frozenset[int](), frozenset[int]())
    games = [RuledGame(load("standard"), EventGame("1", "", four, hands, absent=away))]
    counted = [person_figures(games, letter)[game.rules.fingerprint].hands for letter in "ab"]
    assert [len(own) for own in counted] == [count - 2, count]


@pytest.mark.slow
def test_statistics_and_their_files_agree_with_the_record(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    numbers, summary = mina.get("/api/me/profile"), mina.get(f"/api/games/{game}")
    assert [ruleset["games"] for ruleset in numbers["rulesets"]] == [1]
    figures = numbers["figures"]
    [line] = figures["games"]
    seat = line["seat"]
    assert (line["game"], line["final"], line["place"]) == (
        game,
        summary["final"][seat],
        summary["places"][seat],
    )
    copy = formats.parse_record(mina.http.get(f"/api/games/{game}/record").content).game
    hands = settle(played_hands(copy), copy.rules)
    assert [hand["delta"] for hand in figures["hands"]] == [hand.deltas[seat] for hand in hands.hands]
    assert numbers["names"] == {"bot:random": "random"}
    whole = mina.get("/api/me/profile/file")
    assert [ruleset["figures"]["games"][0]["game"] for ruleset in whole["rulesets"]] == [game]
    table = mina.send("GET", "/api/me/profile/file", format="csv").text.removeprefix("\ufeff")
    assert [row["Game"] for row in csv.DictReader(io.StringIO(table))] == [game]


@pytest.mark.slow
def test_statistics_are_visible_to_others_only_while_shared(short_game: tuple[Person, str]) -> None:
    """Opponents and the ids of games are never shared."""
    mina, game = short_game
    other, stranger = Person(mina.url, "Jiho"), Person(mina.url)
    for path in ("/api/me/profile", "/api/me/profile/file"):
        stranger.refused("sign_in", f"GET {path}")
    numbers = other.get("/api/me/profile", rules=mina.get("/api/me/profile")["fingerprint"])
    assert (numbers["rulesets"], numbers["figures"], numbers["names"]) == ([], None, {})
    assert other.get("/api/me/profile/file")["rulesets"] == []
    path = f"/api/people/{mina.id}/profile"
    for hidden in (path, "/api/people/nobody/profile"):
        other.refused("profile_private", f"GET {hidden}")
    assert not mina.get("/api/me/profile")["shown"]
    assert mina.put("/api/me/profile/shown", on=True) == {"on": True}
    assert mina.get("/api/me/profile")["shown"]
    numbers = other.get(path)
    assert (numbers["name"], numbers["figures"]["brief"]["games"]) == ("Mina", 1)
    assert numbers["figures"]["brief"] == mina.get("/api/me/profile")["figures"]["brief"]
    assert numbers["figures"]["opponents"] == []
    assert not [secret for secret in (game, "bot:") if secret in json.dumps(numbers)]
    stranger.refused("sign_in", f"GET {path}")
    other.refused("bad_request", "PUT /api/me/profile/shown", on="yes")
    mina.put("/api/me/profile/shown", on=False)
    other.refused("profile_private", f"GET {path}")


def test_a_table_marks_players_who_share_their_statistics(url: str) -> None:
    ann, ben, watcher = (Person(url, name) for name in ("Ann", "Ben", "Wat"))
    ann.put("/api/me/profile/shown", on=True)
    table = ann.table()["id"]
    ben.post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in (ann, ben)]

    def shared(table_: Message) -> list[bool | None]:
        return [seat and seat["shows_profile"] for seat in table_["seats"]]

    assert shared(watcher.get(f"/api/tables/{table}")) == [True, False, None, None]
    ben.put("/api/me/profile/shown", on=True)
    message = lines[0].until("table", lambda message: message["table"]["seats"][1]["shows_profile"])
    assert shared(message["table"]) == [True, True, None, None]
    ann.put("/api/me/profile/shown", on=False)
    message = lines[1].until("table", lambda message: not message["table"]["seats"][0]["shows_profile"])
    assert shared(message["table"]) == [False, True, None, None]
    lines[1].close()
    message = lines[0].until("table", lambda message: not message["table"]["seats"][1]["connected"])
    assert shared(message["table"]) == [False, False, None, None]
