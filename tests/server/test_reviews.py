"""Reviews in the background: how they deepen, what is stored, and who may see them."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from jantaku.bots.policy_judge import STRONG_NAME
from jantaku.bots.review import Comparison, Outcome, Review, ReviewedDecision
from jantaku.game import Game
from jantaku.game.events import Discarded, HandStarted
from jantaku.kernels._jit import COMPILED
from jantaku.server.archive import reviews as background
from jantaku.server.archive import routes
from jantaku.server.archive.replay import ReplayGame
from jantaku.server.archive.reviews import Completed, Reviews, Subject, game_costs
from jantaku.server.edge.limits import Principal, Quota
from jantaku.server.errors import ServerError
from jantaku.server.services import AppServices
from jantaku.server.storage.cleanup import Retention
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.people import DAY_MS, PersonRow
from jantaku.server.storage.reviews import GameCosts, ReviewKey, ReviewRow, Situation
from jantaku.server.storage.saved import UploadRow
from jantaku.server.storage.store import now_ms
from server.parlour import Person
from server.test_profile import play
from support.playing import played

pytestmark = pytest.mark.anyio
ME = Principal("me", "192.0.2.1")
EMPTY = Review(
    seat=0,
    judge=STRONG_NAME,
    progress=0.0,
    decisions=(),
    chances=(),
    result=None,
    expected=0.0,
)
COSTS = GameCosts(hands=8, lost={"riichi": 400.0}, lost_in={"dealer": 400.0}, arose={"dealer": 2})


class Steps:
    """Replaces the computation: each step of a review waits until the test allows it."""

    def __init__(self, *progress: float | Exception) -> None:
        self.progress, self.begun = progress, 0
        self.allowed = threading.Semaphore(0)

    def __call__(self, _game: Game, seat: int, _judge: object = None) -> Iterator[Review]:
        self.begun += 1
        yield replace(EMPTY, seat=seat)
        for value in self.progress:
            self.allowed.acquire()
            if isinstance(value, Exception):
                raise value
            yield replace(EMPTY, seat=seat, progress=value)

    def allow(self, count: int = 1) -> None:
        self.allowed.release(count)


Compute = Callable[..., Steps]


@pytest.fixture
def compute(monkeypatch: pytest.MonkeyPatch) -> Iterator[Compute]:
    all_steps: list[Steps] = []

    def steps(*progress: float | Exception) -> Steps:
        all_steps.append(made := Steps(*progress))
        monkeypatch.setattr(background, "reviews", made)
        return made

    monkeypatch.setattr(background, "COMPILED", True)
    monkeypatch.setattr(background, "SAVE_S", 0.0)
    yield steps
    for each in all_steps:
        each.allow(100)


async def upload(services: AppServices, person: str = "me") -> str:
    return await services.uploads.add("log", "{}", person, services.settings.limits)


def subject(game: str, seat: int = 0, holder: Principal = ME) -> Subject:
    async def load() -> ReplayGame:
        return ReplayGame(Game("standard", seed=5), [])

    return Subject(ReviewKey("uploads", game, seat, STRONG_NAME), holder, load)


async def until(check: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not check():
            await asyncio.sleep(0.01)


async def progress_of(reviews: Reviews, what: Subject) -> tuple[float, bool]:
    review, deeper = await reviews.latest(what)
    return review.progress, deeper


async def test_the_first_review_comes_at_once_and_deepens_without_being_asked_for(
    services: AppServices, compute: Compute
) -> None:
    steps, what, complete = compute(0.4, 1.0), subject(await upload(services)), list[Completed]()

    async def collect(one: Completed) -> None:
        complete.append(one)

    services.reviews.completed.append(collect)
    assert await progress_of(services.reviews, what) == (0.0, True)
    steps.allow(2)
    await until(lambda: complete)
    assert await progress_of(services.reviews, what) == (1.0, False)
    assert (steps.begun, [one.subject.key for one in complete]) == (1, [what.key])
    [row] = await services.store.all(select(ReviewRow))
    assert (row.progress, row.costs) == (1.0, GameCosts(hands=1, lost={}, lost_in={}, arose={}))
    assert await progress_of(Reviews(services.reviewed, services.programs, Quota(1)), what) == (1.0, False)
    assert steps.begun == 1, "a complete review is not computed again"


async def test_many_requests_share_one_computation(services: AppServices, compute: Compute) -> None:
    steps, what = compute(0.5), subject(await upload(services))
    asked = [progress_of(services.reviews, what) for _ in range(20)]
    assert set(await asyncio.gather(*asked)) == {(0.0, True)}
    assert steps.begun == 1


async def test_after_a_restart_the_stored_review_stays_until_the_new_one_is_as_deep(
    services: AppServices, compute: Compute
) -> None:
    steps, what = compute(0.5, 1.0), subject(await upload(services))
    await services.reviews.latest(what)
    steps.allow()
    async with asyncio.timeout(20):
        while await services.store.value(select(ReviewRow.progress)) != 0.5:
            await asyncio.sleep(0.01)
    await services.reviews.close()
    again, restarted = compute(0.2, 0.5, 0.7, 1.0), Reviews(services.reviewed, services.programs, Quota(9))
    seen = []
    for _ in range(4):
        seen.append(await progress_of(restarted, what))
        again.allow()
        await asyncio.sleep(0.1)
    assert seen == [(0.5, True), (0.5, True), (0.5, True), (0.7, True)]
    await until(lambda: not restarted._jobs)
    assert await progress_of(restarted, what) == (1.0, False)
    await restarted.close()


async def test_another_version_reviews_again_but_its_costs_replace_the_old_ones_only_at_the_end(
    services: AppServices, compute: Compute
) -> None:
    what = subject(await upload(services))
    await services.reviewed.save(what.key, replace(EMPTY, progress=1.0), COSTS)
    await services.store.write(update(ReviewRow).values(mark="old"))
    compute(1.0)
    assert await progress_of(services.reviews, what) == (0.0, True)
    [row] = await services.store.all(select(ReviewRow))
    assert (row.progress, row.costs) == (0.0, COSTS)


async def test_a_failed_step_leaves_the_last_review_and_is_not_repeated(
    services: AppServices, compute: Compute
) -> None:
    steps, what = compute(0.5, ValueError("broken")), subject(await upload(services))
    assert await progress_of(services.reviews, what) == (0.0, True)
    steps.allow(2)
    await until(lambda: not services.reviews._jobs)
    assert await progress_of(services.reviews, what) == (0.5, False)
    assert steps.begun == 1


async def test_the_first_review_raises_its_error(services: AppServices, compute: Compute) -> None:
    compute()
    with pytest.raises(ServerError, match="seat"):
        await services.reviews.latest(subject(await upload(services), seat=7))


async def test_without_compiled_code_there_is_only_the_first_review(
    services: AppServices, compute: Compute, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, what = compute(1.0), subject(await upload(services))
    monkeypatch.setattr(background, "COMPILED", False)
    assert [await progress_of(services.reviews, what) for _ in range(3)] == [(0.0, False)] * 3
    assert steps.begun == 1


async def test_reviews_of_a_person_are_bounded_and_leave_room_for_others(
    services: AppServices, compute: Compute, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for too many gets the first ones; they deepen once there is room."""
    monkeypatch.setattr(background, "DEEP", Quota(of_one=2))
    reviews, game = Reviews(services.reviewed, services.programs, Quota(100)), await upload(services)
    steps = compute(1.0)
    for seat in range(4):
        assert await progress_of(reviews, subject(game, seat)) == (0.0, True)
    await until(lambda: len(reviews._jobs) == 2)
    steps.allow(4)
    await until(lambda: not reviews._jobs)
    stored = await services.store.all(select(ReviewRow))
    assert sorted(row.progress for row in stored) == [0.0, 0.0, 1.0, 1.0]
    other = subject(game, 3, Principal("other", "192.0.2.2"))
    assert await progress_of(reviews, other) == (0.0, True)
    await reviews.close()


async def test_games_of_a_profile_are_reviewed_one_after_another(
    services: AppServices, compute: Compute
) -> None:
    game = await upload(services)
    steps, subjects = compute(0.5, 1.0), [subject(game, seat) for seat in range(3)]
    services.reviews.review_all("me", subjects)
    services.reviews.review_all("me", subjects)  # a second request changes nothing
    steps.allow(3)
    async with asyncio.timeout(20):
        while services.reviews.pending("me") != (2, 0.5):
            await asyncio.sleep(0.01)
    assert steps.begun == 2
    steps.allow(9)
    await until(lambda: services.reviews.pending("me") == (0, 1.0))
    assert [row.progress for row in await services.store.all(select(ReviewRow))] == [1.0] * 3


async def test_reviews_go_with_their_upload_and_with_their_player(services: AppServices) -> None:
    key = ReviewKey("uploads", await upload(services), 0, STRONG_NAME)
    await services.reviewed.save(key, EMPTY)
    await services.store.write(update(UploadRow).values(created=1))
    await services.retention.save({"uploads": 7})
    await Retention(services.store).clean(now_ms() + DAY_MS)
    assert await services.reviewed.find(key) is None
    await services.reviewed.save(key, EMPTY)
    assert await services.reviewed.find(key) is None, "a running review does not outlive its upload"
    await play(services, 1, (1, 2, 3, 4))
    other = ReviewKey("uploads", await upload(services, "ann"), 0, STRONG_NAME)
    for one in (other, *(ReviewKey("games", "game1", seat, STRONG_NAME) for seat in range(4))):
        await services.reviewed.save(one, EMPTY)

    async def nothing(_: object) -> None:
        pass

    async with services.store.writing() as connection:
        await erase_person(connection, PersonRow("ann", "Ann", None, "player", "en"), "ann", nothing)
    rows = await services.store.all(select(ReviewRow))
    assert sorted((row.source, row.seat) for row in rows) == [("games", 1), ("games", 2), ("games", 3)]
    await services.store.write(delete(ReviewRow))


def mistake(game: Game, step: int, event: int, hand: int) -> ReviewedDecision:
    """Return a decision as if it were a mistake that costs 300 points."""
    outcome = Outcome(
        win=0, mean_win=0, deal_in=0, mean_deal_in=0, draw=0, points=0, final=0, places=(0.25,) * 4
    )
    compared = Comparison(deals=9, loss=300.0, low=1, high=2, played=outcome, best=outcome)
    action = game.moves[step][2]
    return ReviewedDecision(
        step=step, event=event, hand=hand, kind="discard", played=action, best=action,
        verdict="mistake", compared=compared, mistake="efficiency",
    )  # fmt: skip


def test_costs_are_counted_by_kind_and_situation() -> None:
    """A mistake counts in the situation before it; hands played by the table do not count."""
    game = played("standard", 3)
    dealt = {i: event.dealer for i, event in enumerate(game.events) if isinstance(event, HandStarted)}
    second, dealer = list(dealt)[1], next(iter(dealt.values())) == 0
    tiles = [(i, event) for i, event in enumerate(game.events[:second]) if isinstance(event, Discarded)]
    late, _ = tiles[-1]
    discards = sum(event.seat == 0 for i, event in tiles if i < late)
    threat = any(event.riichi is not None and event.seat != 0 for i, event in tiles if i < late)
    moments = [(tiles[0][0], 0), (late, 0), (second + 1, 1)]
    decisions = [mistake(game, step, event, hand) for step, (event, hand) in enumerate(moments)]
    costs = game_costs(game, replace(EMPTY, decisions=tuple(decisions)), frozenset({1}))
    assert (costs.hands, costs.lost) == (len(dealt) - 1, {"efficiency": 600.0})
    situations: list[Situation] = ["dealer" if dealer else "child", "early", "no_riichi"]
    later: list[Situation] = [
        situations[0],
        "early" if discards < 6 else "middle" if discards < 12 else "late",
        "riichi" if threat else "no_riichi",
    ]
    lost_in = Counter(situations) + Counter(later)
    assert costs.lost_in == {situation: 300.0 * count for situation, count in lost_in.items()}
    assert costs.arose == dict.fromkeys(lost_in, 1)


# Who may see which review


EVERYBODY = ("ann", "ben", "stranger", "")
SEEN_BY = {
    "ann, who shares": EVERYBODY,
    "ben, who hides": ("ben",),
    "cho, who is gone": (),
    "a bot": EVERYBODY,
}


@pytest.mark.parametrize("viewer", EVERYBODY)
@pytest.mark.parametrize("seat", range(4), ids=SEEN_BY)
async def test_hidden_and_unknown_players_reviews_are_refused_alike(
    services: AppServices, viewer: str, seat: int
) -> None:
    await play(services, 1, (1, 2, 3, 4), bot=True)
    for name in ("ann", "ben"):
        await services.accounts.add(PersonRow(name, name, name, "player", "en", reviews_shown=name == "ann"))
    who = PersonRow(viewer, viewer, viewer, "player", "en") if viewer else None
    asked = routes.review_of_game(services, who, ME, "game1", seat)
    if viewer in [*SEEN_BY.values()][seat]:
        assert (await asked).key == ReviewKey("games", "game1", seat, "strong")
    else:
        with pytest.raises(ServerError) as refused:
            await asked
        assert refused.value.code == "review_private"


def seats_of(game: tuple[Person, str]) -> tuple[int, int]:
    """Return the seats of the player and of a bot."""
    own = game[0].get(f"/api/games/{game[1]}")["mine"]
    return own, (own + 1) % 4


@pytest.mark.parametrize("shown", [True, False], ids=["shared", "private"])
@pytest.mark.parametrize("seat", ["player's", "bot's"])
@pytest.mark.parametrize("viewer", ["player", "other person", "signed out"])
def test_a_players_reviews_are_for_others_only_if_shared(
    short_game: tuple[Person, str], shown: bool, seat: str, viewer: str
) -> None:
    mina, game = short_game
    mina.put("/api/me/profile/shown", on=False, reviews=shown)
    own, bots = seats_of(short_game)
    asking = {"player": mina, "other person": Person(mina.url, "Jun"), "signed out": Person(mina.url)}[viewer]
    answer = asking.send("GET", f"/api/games/{game}/review", seat=own if seat == "player's" else bots)
    file = asking.send("GET", f"/api/games/{game}/review/file", seat=own if seat == "player's" else bots)
    if shown or seat == "bot's" or viewer == "player":
        assert (answer.status_code, file.status_code) == (200, 200)
        assert file.text.startswith("<!doctype html>")
        assert "attachment" in file.headers["content-disposition"]
    else:
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "review_private")
        assert (file.status_code, file.json()) == (403, answer.json())
    mina.put("/api/me/profile/shown", on=False, reviews=True)


# The costs of complete reviews in the profile


def test_the_profile_reviews_own_games_and_keeps_their_costs_private(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    before = mina.get("/api/me/profile")
    games = len(before["figures"]["games"])
    assert (before["reviewed"]["games"], before["reviewed"]["pending"]) == (games, 0)
    begun = mina.post("/api/me/profile/reviews", rules=before["fingerprint"], games=1)
    missing = games - before["reviewed"]["done"]  # other tests may have reviewed the game
    assert (begun["games"], begun["pending"]) == (games, min(1, missing))
    own = mina.get(f"/api/games/{game}")["mine"]
    while mina.get("/api/me/profile")["reviewed"]["pending"]:
        time.sleep(0.2)
    if not COMPILED:
        return
    assert not mina.get(f"/api/games/{game}/review", seat=own)["deeper"]
    after = mina.get("/api/me/profile")
    review = mina.get(f"/api/games/{game}/review", seat=own)["review"]
    assert (after["reviewed"]["done"], after["costs"]["games"]) == (1, 1)
    hands = after["costs"]["hands"]
    assert after["costs"]["costs"][0]["cost"]["cost"] == pytest.approx(review["cost"] / hands)
    mina.put("/api/me/profile/shown", on=True)
    assert "costs" not in Person(mina.url, "Jun").get(f"/api/people/{mina.id}/profile")
    mina.put("/api/me/profile/shown", on=False)
