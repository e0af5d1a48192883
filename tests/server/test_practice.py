"""Exercises of every kind, the puzzle of the day, and cards from a person's own mistakes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

import pytest

from jantaku import terms
from jantaku.bots import bot, play
from jantaku.bots.review import ReviewedDecision, reviews
from jantaku.game import Discard, Game
from jantaku.kernels._jit import COMPILED
from jantaku.rules import Ruleset, load
from jantaku.server.archive.reviews import Completed, Subject
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.services import AppServices
from jantaku.server.storage import cards
from jantaku.server.storage.cards import Puzzle
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import DAY_MS, PersonRow
from jantaku.server.storage.reviews import ReviewKey, Source
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.study.exercises import Exercise, SeededKind
from jantaku.server.study.positions import exercise
from jantaku.server.study.practice import mistake, puzzles_of
from jantaku.tiles import RED, counts, parse_tiles
from naive.shanten import shanten
from server.lobbies import somebody
from server.parlour import Person

KINDS: tuple[SeededKind, ...] = get_args(SeededKind)
RULES = ("standard", "tenhou-3", "bgm-2025")
SEEDS = range(6 if COMPILED else 1)
each_rules = pytest.mark.parametrize("rules", [load(name) for name in RULES], ids=RULES)
MINUTE = 60_000


def asked(kind: SeededKind, rules: Ruleset) -> Iterator[Exercise]:
    for seed in SEEDS:
        yield exercise(kind, seed, rules, "en")


def chosen(one: Exercise) -> set[int]:
    """Return the kinds of the right tiles."""
    return {parse_tiles(one.choices[index].tile)[0] % RED for index in one.right}


def naive_waits(tiles: Any, melds: int, rules: Ruleset) -> set[int]:
    """Return the kinds that complete a hand, of which the player does not hold all copies."""
    held = counts(tiles)
    found = set()
    for kind in range(34):
        if held[kind] < 4 and (rules.tiles.man == "all" or kind in (0, 8) or kind > 8):
            more = [count + (kind == other) for other, count in enumerate(held)]
            if shanten(more, melds) == -1:
                found.add(kind)
    return found


@pytest.mark.parametrize("kind", KINDS)
@each_rules
def test_an_exercise_follows_from_its_seed_and_has_texts_in_every_language(
    kind: SeededKind, rules: Ruleset
) -> None:
    for one in asked(kind, rules):
        assert one == exercise(kind, int(one.id), rules, "en")
        assert Exercise.model_validate_json(one.model_dump_json(by_alias=True)) == one
        assert one.right
        assert one.several or len(one.right) == 1
        offered = [(choice.text, choice.tile) for choice in one.choices]
        assert len(set(offered)) == len(offered) > 1
        assert all(bool(text) != bool(tile) for text, tile in offered)
        explained = one.why or one.explanation or all(one.choices[index].why for index in one.right)
        assert explained
        others = [exercise(kind, int(one.id), rules, language) for language in terms.LANGUAGES]
        assert len({other.question for other in others}) == len(others)
        assert all(other.right == one.right for other in others)
        assert all("{" not in other.model_dump_json().replace('{"', "").replace("{}", "") for other in others)


@each_rules
def test_points_han_and_payments_are_those_of_the_explanation(rules: Ruleset) -> None:
    for kind in ("points", "han_fu", "payments"):
        for one in asked(kind, rules):
            assert one.explanation is not None
            right = one.choices[one.right[0]].text
            if kind == "payments":
                moved = {row.seat: row.points for row in one.explanation.payments if row.points}
                assert right == " · ".join(
                    f"{terms.text(f'tiles.winds.{seat}')}\u00a0{terms.signed(points)}"
                    for seat, points in sorted(moved.items(), key=lambda item: "eswn".index(item[0][0]))
                )
            else:
                assert right in one.explanation.title


@each_rules
def test_waits_are_those_of_a_naive_count(rules: Ruleset) -> None:
    for kind in ("waits", "chinitsu"):
        for one in asked(kind, rules):
            assert one.hand is not None
            if one.hand.kita or any(meld.type.endswith("kan") for meld in one.hand.melds):
                continue
            naive = naive_waits(parse_tiles(one.hand.tiles), len(one.hand.melds), rules)
            assert chosen(one) == naive - held_in_melds(one)
            assert len(naive) > 1 + (kind == "chinitsu")


def held_in_melds(one: Exercise) -> set[int]:
    """Return the kinds of which the hand and its melds contain all copies."""
    assert one.hand is not None
    tiles = [*parse_tiles(one.hand.tiles), *(tile for meld in one.hand.melds for tile in meld.tiles)]
    return {kind for kind, count in enumerate(counts(tiles)) if count == 4}


def test_the_value_of_a_win_follows_from_what_is_shown() -> None:
    """Club rules count the riichi declaration that a ron takes, which no exercise shows."""
    rules = load("bgm-2025")
    for seed in (1, 3, 37):  # wins of these bot games have that yaku
        one = exercise("points", seed, rules, "en")
        assert one.explanation is not None
        assert "tsubame_gaeshi" not in [row.id for row in one.explanation.yaku]


@each_rules
def test_only_tiles_that_cannot_deal_in_are_safe(rules: Ruleset) -> None:
    """Every right tile was discarded by the opponent or after its riichi, or no other copy is unseen."""
    for one in asked("safe", rules):
        view = one.view
        assert view is not None
        threats = [seat for seat, riichi in enumerate(view.riichi) if riichi and seat != view.seat]
        rivers = [{tile.tile % RED for tile in river} for river in view.rivers]
        assert any(chosen(one) >= rivers[seat] & held(one) for seat in threats)
        for kind in chosen(one):
            assert any(kind in river for river in rivers) or unseen(one)[kind] == 0
        for index, choice in enumerate(one.choices):
            if index not in one.right:
                assert not all(parse_tiles(choice.tile)[0] % RED in rivers[seat] for seat in threats)


def held(one: Exercise) -> set[int]:
    assert one.view is not None
    return {tile % RED for tile in one.view.own.tiles}


def unseen(one: Exercise) -> list[int]:
    view = one.view
    assert view is not None
    tiles = [*view.own.tiles, *view.indicators]
    tiles += [tile.tile for river in view.rivers for tile in river if not tile.called]
    tiles += [tile for melds in view.melds for meld in melds for tile in meld.tiles]
    return [4 - count for count in counts(tiles)]


@pytest.mark.parametrize("kind", ["can_win", "furiten"])
@each_rules
def test_a_seat_may_win_if_its_hand_is_complete_and_not_furiten(kind: SeededKind, rules: Ruleset) -> None:
    for one in asked(kind, rules):
        view = one.view
        assert view is not None
        assert view.offered is not None
        assert (view.legal, view.waits, view.furiten) == ((), (), None)  # they would give the answer away
        waited = naive_waits(view.hand, len(view.melds[view.seat]), rules)
        complete = view.offered.tile % RED in waited
        barred = bool(waited & {tile.tile % RED for tile in view.rivers[view.seat]})
        answer = one.choices[one.right[0]].text
        says = {text: terms.text(f"practice.say.{text}", "en") for text in ("may", "furiten_discard")}
        if answer == says["may"]:
            assert complete
            assert not barred
            assert one.explanation is not None
            assert not one.explanation.error
        else:
            assert (answer == says["furiten_discard"]) == barred  # no other answer is right as well
            assert complete or not barred
            assert one.why


@each_rules
def test_the_best_discard_is_ahead_by_numbers(rules: Ruleset) -> None:
    for one in asked("discard", rules):
        assert chosen(one) <= held(one)
        assert len(one.choices) == len(held(one))
        assert len(one.why) > 1
        assert all(choice.why for choice in one.choices)


def test_the_outcomes_vary() -> None:
    rules, seeds = load("standard"), range(24 if COMPILED else 2)
    least_of: dict[SeededKind, int] = {"can_win": 4, "furiten": 2}
    for kind, most in least_of.items():
        least = most if COMPILED else 1
        assert len({exercise(kind, seed, rules, "en").right[0] for seed in seeds}) >= least


# Routes


def test_an_exercise_is_public_and_its_link_reproduces_it(url: str) -> None:
    visitor = Person(url)
    one = visitor.get("/api/practice/waits/7", rules="tenhou-3")
    assert one == Person(url, "Mina").get("/api/practice/waits/7", rules="tenhou-3")
    assert one["question"] != visitor.get("/api/practice/waits/7", rules="tenhou-3", lang="ko")["question"]
    for path, query in (
        ("waits/-1", {}),
        (f"waits/{1 << 31}", {}),
        ("waits/x", {}),
        ("nothing/1", {}),
        ("waits/1", {"rules": "no such"}),
        ("waits/1", {"rules": "x" * 65}),
        ("day", {"date": "2999-01-01"}),
        ("day", {"date": "yesterday"}),
    ):
        assert visitor.http.get(f"/api/practice/{path}", params=query).status_code in (400, 404, 422), path


def test_the_puzzle_of_the_day_is_the_same_for_everybody(url: str) -> None:
    today = datetime.now(UTC).date().isoformat()
    mine, theirs = (Person(url, name).get("/api/practice/day") for name in ("Mina", None))
    assert mine == theirs == Person(url).get("/api/practice/day", date=today)
    assert mine["id"] == today
    other = Person(url).get("/api/practice/day", date="2026-01-31")
    assert (other["id"], other["view"] != mine["view"]) == ("2026-01-31", True)


@pytest.mark.parametrize(
    ("private", "shares", "made", "from_the_parlour"),
    [(False, True, 5, True), (True, True, 5, False), (False, False, 5, False), (False, True, 6, False)],
)
async def test_a_puzzle_of_the_day_comes_from_public_games_of_those_who_share_reviews(
    services: AppServices, private: bool, shares: bool, made: int, from_the_parlour: bool
) -> None:
    person = replace(somebody("Mina"), reviews_shown=shares)
    await services.accounts.add(person)
    (puzzle,) = puzzles(1, "g1")
    table = TableRow("t", "", person.id, "standard", puzzle.rules, TableOptions(private=private))
    await services.seating.add(table)
    sitters = (Sitter("Mina", person.id), *(Sitter(name, bot="gentle") for name in "ABC"))
    begun = GameRow("g1", "t", 1, b"", "standard", puzzle.rules, sitters, started=1)
    await services.games.begin(begun, table)
    result = {"final": [0] * 4, "places": [1, 2, 3, 4]}
    over = GameRow("g1", "t", 1, b"", "standard", puzzle.rules, sitters, "finished", 1, 2, 8, result)
    await services.games.end(over, table, [], 0, {})
    await services.cards.add(person.id, [puzzle], made)
    found = await services.cards.public(puzzle.rules, 6, 12345)
    assert (found == puzzle) == from_the_parlour
    assert await services.cards.public("0" * 16, 6, 0) is None
    if from_the_parlour:
        shown = mistake("", puzzle, load("standard"), "en").model_dump_json()
        assert "Mina" not in shown
        assert person.id not in shown


# Cards


def puzzles(count: int, game: str = "g1") -> list[Puzzle]:
    """Return mistakes of seat 0 in a game, each with the second legal discard as the best action."""
    now, player, found = Game("standard", seed=3), bot("efficient", 3), list[Puzzle]()
    while len(found) < count:
        seat = now.to_act[0]
        legal = [action for action in now.legal(seat) if isinstance(action, Discard)]
        if seat == 0 and len(legal) > 2:
            found.append(
                Puzzle(
                    source="games",
                    game=game,
                    rules=now.rules.fingerprint,
                    view=now.view(seat),
                    decision=ReviewedDecision(
                        step=len(now.moves),
                        event=len(now.events),
                        hand=0,
                        kind="discard",
                        played=legal[0],
                        best=legal[1],
                        verdict="mistake",
                    ),
                )
            )
        now.play(seat, player.choose(now, seat))
    return found


async def added(services: AppServices, count: int = 1, now: int = 0) -> PersonRow:
    person = somebody("Mina")
    await services.accounts.add(person)
    assert await services.cards.add(person.id, puzzles(count), now) == count
    return person


async def test_a_mistake_becomes_one_card(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    person = await added(services, 2)
    assert await services.cards.add(person.id, puzzles(3), 5) == 1
    assert await services.cards.counts(person.id, 5) == (3, 3, 0)
    assert await services.cards.counts("nobody", 5) == (0, 0, None)
    monkeypatch.setattr(cards, "MAX_CARDS", 4)
    assert await services.cards.add(person.id, puzzles(3, "g2"), 5) == 1


async def test_cards_return_sooner_after_a_mistake_and_later_each_time(services: AppServices) -> None:
    person = await added(services)
    card = await services.cards.next(person.id, 0)
    assert card is not None
    wrong = await services.cards.answer(card, False, None, 0)
    assert 0 < wrong <= 10 * MINUTE
    assert await services.cards.next(person.id, wrong - 1) is None
    at, gaps = wrong, []
    for _ in range(4):
        card = await services.cards.next(person.id, at)
        assert card is not None
        due = await services.cards.answer(card, True, None, at)
        gaps.append(due - at)
        at = due
    assert gaps == sorted(gaps)
    assert gaps[-1] > 3 * DAY_MS


async def test_a_hard_answer_returns_before_an_easy_one(services: AppServices) -> None:
    person = await added(services, 3)
    waits = []
    for felt in ("hard", None, "easy"):
        card = await services.cards.next(person.id, 0)
        assert card is not None
        waits.append(await services.cards.answer(card, True, felt, 0))
    assert waits == sorted(waits)
    assert waits[-1] > DAY_MS


async def test_a_second_answer_to_the_same_question_changes_nothing(services: AppServices) -> None:
    person = await added(services)
    card = await services.cards.next(person.id, 0)
    assert card is not None
    due = await services.cards.answer(card, True, "easy", 0)
    await services.cards.answer(card, False, None, 0)
    late = await services.cards.find(person.id, card.id)
    assert late is not None
    assert await services.cards.answer(late, False, None, due - 1) == due
    assert (await services.cards.counts(person.id, 0)).next == due


async def test_cards_belong_to_one_person_and_are_erased_with_it(services: AppServices) -> None:
    person = await added(services)
    card = await services.cards.next(person.id)
    assert card is not None
    assert await services.cards.find("other", card.id) is None
    async with services.store.writing() as connection:
        await erase_person(connection, person, person.id, nothing)
    assert await services.cards.find(person.id, card.id) is None
    assert await services.accounts.find(person.id) is None


async def nothing(_: object) -> None:
    pass


async def test_guests_who_cannot_return_lose_their_cards(services: AppServices) -> None:
    person = await added(services)
    await services.cleanup.tidy(person.created + 10 * DAY_MS)
    assert (await services.cards.counts(person.id)).cards == 0


async def test_a_complete_review_of_a_game_makes_cards_for_its_player(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card shows the table before the mistake, in which the played action was legal.

    Mistakes that the table made for an absent player give no card.
    """
    person = somebody("Mina")
    await services.accounts.add(person)
    game = play(Game("tenhou-3", seed=5), "efficient")
    first = next(reviews(game, 1))
    wrong = [one for one in first.decisions if one.verdict != "same"][:2]
    found = tuple(replace(one, verdict="mistake") if one in wrong else one for one in first.decisions)

    async def load() -> Any:
        raise AssertionError

    players = {0: None, 1: person.id}

    async def player(_: str, seat: int) -> str | None:
        return players[seat]

    monkeypatch.setattr(services.games, "player", player)
    nowhere, everywhere = frozenset[int](), frozenset(range(100))
    places: tuple[tuple[Source, int, frozenset[int], int], ...] = (
        *(("uploads", 1, nowhere, 0), ("games", 0, nowhere, 0)),
        *(("games", 1, everywhere, 0), ("games", 1, nowhere, 2)),
    )
    for source, seat, absent, number in places:
        subject = Subject(ReviewKey(source, "g1", seat, "strong"), Principal("x", "y"), load, absent)
        done = Completed(subject, game, replace(first, seat=seat, decisions=found))
        (call,) = services.reviews.completed
        await call(done)
        assert (await services.cards.counts(person.id)).cards == number
    card = await services.cards.next(person.id)
    assert card is not None
    assert card.puzzle.decision in found
    assert card.puzzle.decision.played in card.puzzle.view.legal
    assert card.puzzle.decision.best in card.puzzle.view.legal


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_a_card_asks_for_the_best_action_and_hides_the_legal_ones(language: terms.Language) -> None:
    for puzzle in puzzles(3):
        one = mistake("card", puzzle, load("standard"), language)
        assert isinstance(puzzle.decision.best, Discard)
        assert chosen(one) == {puzzle.decision.best.tile % RED}
        assert {parse_tiles(choice.tile)[0] % RED for choice in one.choices if choice.tile} == held(one)
        assert one.view is not None
        assert one.view.legal == ()
        assert one.why
        assert mistake("card", puzzle, None, language).right == one.right


@pytest.mark.parametrize("name", ["standard", "tenhou-3"])
def test_cards_of_calls_and_kans_name_their_actions(name: str) -> None:
    """The choices of a call differ, and the question names the offered tile."""
    game = play(Game(name, seed=11), "efficient")
    first = next(reviews(game, 1))
    found = tuple(
        replace(one, verdict="mistake") if one.verdict != "same" else one for one in first.decisions
    )
    subject = Subject(ReviewKey("games", "g1", 1, "strong"), Principal("x", "y"), lambda: NotImplemented)
    for puzzle in puzzles_of(Completed(subject, game, replace(first, decisions=found))):
        one = mistake("card", puzzle, game.rules, "ko")
        offered = [(choice.text, choice.tile) for choice in one.choices]
        assert len(set(offered)) == len(offered) > 1
        assert ("⟦" in one.question) == (puzzle.view.offered is not None)


def test_a_person_answers_the_cards_of_their_games(url: str) -> None:
    person = Person(url, "Mina")
    assert person.get("/api/practice") == {"cards": 0, "due": 0, "next": None}
    assert person.get("/api/practice/next") is None
    person.refused("no_card", "/api/practice/cards/x", choice=0)
    assert Person(url).http.get("/api/practice/next").status_code == 401
