"""Profiles: statistics, ratings and the cost of mistakes of the caller, and public statistics of others.

The hands of a game are dependent, so the game is the unit of the intervals of costs.
"""

import asyncio
import dataclasses
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Final, Literal, NamedTuple, get_args

from fastapi import Path, Query, Response
from pydantic import Field

from jantaku import terms
from jantaku.bots.policy_judge import STRONG_NAME
from jantaku.bots.review.levels import LevelCost, level_costs
from jantaku.bots.review.model import MistakeKind
from jantaku.club.export import csv_text
from jantaku.club.export.event_tables import ExportSheet
from jantaku.club.statistics import Figures, RuledGame, person_figures
from jantaku.server.archive.routes import review_subject
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    Person,
    Requester,
    RequestLanguage,
    limit_work,
)
from jantaku.server.processes.links import PROFILE_SHOWN
from jantaku.server.rules.pages import own_yaku_names, rules_name
from jantaku.server.storage.finished_games import BOT
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.reviews import GameCosts, OwnReview, Situation
from jantaku.server.study.own_games import MAX_GAMES, newest
from jantaku.terms import Language
from jantaku.wire import Wire

Z: Final = 1.959963984540054  # normal quantile of a 95 % interval
MIN_GAMES: Final = 5  # fewer give no interval
KINDS: Final[tuple[MistakeKind, ...]] = get_args(MistakeKind)
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)


class CostPerHand(Wire):
    """Points lost per hand, with a 95 % interval, which is ``None`` for fewer than five games."""

    cost: float
    low: float | None
    high: float | None


class MistakeCost(Wire):
    """What one kind of mistake costs per hand; the kind is ``None`` for all mistakes together.

    ``earlier`` and ``later``: in the older and the newer half of the games. ``change``: their difference,
    negative if the newer games cost less. All three are ``None`` for fewer than ten games.
    """

    kind: MistakeKind | None
    cost: CostPerHand
    earlier: CostPerHand | None
    later: CostPerHand | None
    change: CostPerHand | None


class SituationCost(Wire):
    """What mistakes in a situation cost, per hand in which it arose; ``hands``: their number.

    ``dealer`` and ``child``: the person's seat. ``early``: up to the sixth discard, ``middle``: up to the
    twelfth, ``late``: later. ``riichi``: against an opponent's riichi.
    """

    situation: Situation
    hands: int
    cost: CostPerHand


class ProfileCosts(Wire):
    """What mistakes cost in the reviewed games under one ruleset.

    ``costs``: of all mistakes together, then of each kind, costliest first. ``levels``: for comparison.
    """

    games: int
    hands: int
    costs: list[MistakeCost]
    situations: list[SituationCost]
    levels: list[LevelCost]


class _Ratio(NamedTuple):
    """Points per hand, its variance, and the number of games."""

    value: float
    variance: float
    games: int

    def per_hand(self) -> CostPerHand:
        """Return the interval, which never begins below 0, as mistakes gain nothing."""
        if self.games < MIN_GAMES:
            return CostPerHand(cost=self.value, low=None, high=None)
        half = quantile(self.games - 1) * math.sqrt(self.variance)
        return CostPerHand(cost=self.value, low=max(0.0, self.value - half), high=self.value + half)


def quantile(freedom: int) -> float:
    """Return Student's quantile of a 95 % interval, by its expansion for at least four degrees of freedom.

    >>> [round(quantile(freedom), 2) for freedom in (4, 10, 100)]
    [2.77, 2.23, 1.98]
    """
    z2 = Z * Z
    first = (z2 + 1) / 4
    second = (5 * z2 * z2 + 16 * z2 + 3) / 96
    third = (3 * z2**3 + 19 * z2**2 + 17 * z2 - 15) / 384
    return Z * (1 + first / freedom + second / freedom**2 + third / freedom**3)


def _ratio(lost: Sequence[float], hands: Sequence[int]) -> _Ratio:
    """Return points per hand of games; the variance is that of a ratio of two sums (the delta method)."""
    games, total = len(lost), sum(hands)
    if total == 0:
        return _Ratio(0.0, 0.0, 0)
    value = sum(lost) / total
    squares = sum((points - value * count) ** 2 for points, count in zip(lost, hands, strict=True))
    variance = squares / total**2 * games / (games - 1) if games > 1 else 0.0
    return _Ratio(value, variance, games)


def profile_costs(games: Sequence[GameCosts], players: int) -> ProfileCosts | None:
    """Return the costs of reviewed games, given from the oldest to the newest; ``None`` without a hand."""
    games = [game for game in games if game.hands]
    if not games:
        return None
    kinds = sorted(KINDS, key=lambda kind: -sum(game.lost.get(kind, 0.0) for game in games))
    found = [kind for kind in kinds if any(game.lost.get(kind) for game in games)]
    return ProfileCosts(
        games=len(games),
        hands=sum(game.hands for game in games),
        costs=[_of_kind(games, kind) for kind in (None, *found)],
        situations=[_of_situation(games, situation) for situation in SITUATIONS],
        levels=list(level_costs(players)),
    )


def _of_kind(games: Sequence[GameCosts], kind: MistakeKind | None) -> MistakeCost:
    lost = [sum(game.lost.values()) if kind is None else game.lost.get(kind, 0.0) for game in games]
    hands, middle = [game.hands for game in games], len(games) // 2
    earlier = later = change = None
    if middle >= MIN_GAMES:
        old, new = _ratio(lost[:middle], hands[:middle]), _ratio(lost[middle:], hands[middle:])
        half = quantile(len(games) - 2) * math.sqrt(old.variance + new.variance)
        value = new.value - old.value
        earlier, later = old.per_hand(), new.per_hand()
        change = CostPerHand(cost=value, low=value - half, high=value + half)
    cost = _ratio(lost, hands).per_hand()
    return MistakeCost(kind=kind, cost=cost, earlier=earlier, later=later, change=change)


def _of_situation(games: Sequence[GameCosts], situation: Situation) -> SituationCost:
    arose = [game for game in games if game.arose.get(situation)]
    lost = [game.lost_in.get(situation, 0.0) for game in arose]
    hands = [game.arose[situation] for game in arose]
    return SituationCost(situation=situation, hands=sum(hands), cost=_ratio(lost, hands).per_hand())


class ProfileRuleset(Wire):
    """A ruleset under which the person has played, and the number of games counted.

    ``own_yaku``: as in ``RulesRef``.
    """

    fingerprint: str
    name: str
    games: int
    own_yaku: OwnYakuNames


class RatingPoint(Wire):
    """A rating after a game: ``mu`` and its standard deviation ``sigma``."""

    at: str
    place: int
    mu: float
    sigma: float


class OwnRating(Wire):
    """A person's OpenSkill rating at rated tables under a ruleset, with its steps in the latest games.

    ``ordinal`` is mu − 3 sigma, which determines ``rank`` among ``people``. Only games among people count.
    """

    mu: float
    sigma: float
    ordinal: float
    rank: int
    people: int
    games: int
    steps: list[RatingPoint]


class ClubEventGames(Wire):
    """Number of games recorded at a club event."""

    name: str
    games: int


class ProfileReviews(Wire):
    """Reviews of the caller's latest online games under one ruleset.

    ``done`` of ``games`` are complete; ``pending`` are being computed, ``progress`` of them together.
    """

    games: int
    done: int
    pending: int
    progress: float


class OwnProfile(Wire):
    """The caller's statistics under one ruleset; ``names`` are those of opponents by the ids in the figures.

    They include games recorded at events under the caller's entries; ``clubs`` lists these events.

    ``rulesets``: all rulesets the caller has played, latest first. ``figures`` is ``None`` without games,
    ``rating`` without rated ones. ``most``: the number of latest games that count. ``shown``: others may see
    the statistics; ``reviews``: others may open the reviews of the caller's games. ``costs`` is ``None``
    without reviewed games.
    """

    rulesets: list[ProfileRuleset]
    fingerprint: str
    seats: int
    figures: Figures | None
    rating: OwnRating | None
    names: dict[str, str]
    clubs: list[ClubEventGames]
    most: int
    shown: bool
    reviews: bool
    reviewed: ProfileReviews
    costs: ProfileCosts | None


class ReviewGames(Wire):
    """How many of the caller's latest games without a review to review, under a ruleset."""

    games: Annotated[int, Field(ge=1, le=20)] = 20
    rules: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class ShowProfile(Wire):
    """Whether others may see the caller's statistics and, if given, whether they may open the reviews."""

    on: bool
    reviews: bool | None = None


class PublicProfile(Wire):
    """A person's public statistics, without opponents and ids of games."""

    name: str
    rulesets: list[ProfileRuleset]
    fingerprint: str
    seats: int
    figures: Figures | None
    rating: OwnRating | None
    most: int


COLUMNS: Final = ("game", "ended", "rules", "seat", "place", "final", "hands", "event")


def games_csv(
    figures: Mapping[str, Figures],
    names: Mapping[str, str],
    events: Mapping[str, str],
    language: Language,
) -> str:
    """Write a CSV row for each game, oldest first; ``names`` are those of rulesets by fingerprint."""
    titles = tuple(terms.text(f"profile.column.{name}", language) for name in COLUMNS)
    lines = [(names[key], line) for key, own in figures.items() for line in own.games]
    rows = tuple(
        (
            line.game,
            line.at or "",
            rules,
            line.seat,
            line.place,
            line.final,
            line.hands,
            events.get(line.game, ""),  # empty for online games
        )
        for rules, line in sorted(lines, key=lambda item: item[1].at or "")
    )
    return csv_text(ExportSheet("games", titles, rows))


router = router_of("/api", "people")
Fingerprint = Annotated[str | None, Query(pattern="^[0-9a-f]{16}$")]


@router.get("/me/profile")
async def mine(
    services: InjectedServices,
    language: RequestLanguage,
    user: Person,
    asker: Requester,
    rules: Fingerprint = None,
) -> OwnProfile:
    """Return the caller's statistics under one ruleset, by default the one played last."""
    async with services.figures.turn(asker):
        return await _mine(services, language, user, rules)


async def _mine(
    services: InjectedServices, language: Language, user: PersonRow, rules: str | None
) -> OwnProfile:
    here, clubs = await services.own_games.of(user.id), await services.club_games.of(user.id)
    games = newest([*here.games, *clubs.games], MAX_GAMES)
    figures = await asyncio.to_thread(person_figures, games, user.id)
    wanted = rules if rules is not None and rules in figures else next(iter(figures), "")
    mine = figures.get(wanted)
    players = 0 if mine is None else len(mine.brief.places)
    reviewed = await _reviewed(services, user.id, here.games, wanted)
    return OwnProfile(
        rulesets=list(rulesets_of(games, figures, language)),
        fingerprint=wanted,
        seats=players,
        figures=mine,
        rating=None if mine is None else await rating_of(services, wanted, user.id),
        names={} if mine is None else _names(mine, clubs.names | here.names),
        clubs=[] if mine is None else _clubs(mine, clubs.events),
        most=MAX_GAMES,
        shown=user.profile_shown,
        reviews=user.reviews_shown,
        reviewed=_progress(services, user.id, reviewed),
        costs=profile_costs([own.costs for own in reviewed if own.costs], players),
    )


async def _reviewed(
    services: InjectedServices, person: str, games: Sequence[RuledGame], fingerprint: str
) -> list[OwnReview]:
    """Return the person's online games under a ruleset with the costs of their reviews, oldest first."""
    ids = [game.result.id for game in games if game.rules.fingerprint == fingerprint]
    found = {own.game: own for own in await services.reviewed.of_person(person, ids, STRONG_NAME)}
    return [found[game] for game in ids if game in found]


def _progress(services: InjectedServices, person: str, reviewed: Sequence[OwnReview]) -> ProfileReviews:
    pending, progress = services.reviews.pending(person)
    done = sum(own.costs is not None for own in reviewed)
    return ProfileReviews(games=len(reviewed), done=done, pending=pending, progress=progress)


@router.post("/me/profile/reviews")
async def review_games(
    services: InjectedServices, user: Person, holder: Requester, body: ReviewGames
) -> ProfileReviews:
    """Review the caller's latest games that have no complete review yet, in the background."""
    limit_work(services, user)
    here = await services.own_games.of(user.id)
    reviewed = await _reviewed(services, user.id, here.games, body.rules)
    wanted = [own for own in reversed(reviewed) if own.costs is None][: body.games]
    subjects = [
        review_subject(services, row, own.seat, holder)
        for own in wanted
        if (row := await services.games.find(own.game)) is not None
    ]
    services.reviews.review_all(user.id, subjects)
    return _progress(services, user.id, reviewed)


async def rating_of(services: InjectedServices, fingerprint: str, person: str) -> OwnRating | None:
    """Return a person's rating under a ruleset; ``None`` without rated games."""
    known = await services.table_ratings.of(fingerprint, person, MAX_GAMES)
    if known.rank is None:
        return None
    now = known.steps[-1].rating
    steps = [RatingPoint.of(step, at=step.at.isoformat()) for step in known.steps]
    return OwnRating.of(now, rank=known.rank, people=known.people, games=known.games, steps=steps)


def rulesets_of(
    games: list[RuledGame], figures: Mapping[str, Figures], language: Language
) -> Iterator[ProfileRuleset]:
    """Yield the rulesets of the figures with their names."""
    rules = {game.rules.fingerprint: game.rules for game in games}
    for name, own in figures.items():
        yield ProfileRuleset(
            fingerprint=name,
            name=rules_name(rules[name], language),
            games=own.brief.games,
            own_yaku=own_yaku_names(rules[name]),
        )


def _clubs(figures: Figures, events: Mapping[str, str]) -> list[ClubEventGames]:
    """Count the games recorded at each event."""
    counts = Counter(events[line.game] for line in figures.games if line.game in events)
    return [ClubEventGames(name=name, games=count) for name, count in counts.items()]


def _names(figures: Figures, known: Mapping[str, str]) -> dict[str, str]:
    """Return the latest names of opponents by id, including bots."""
    bots = {opponent.opponent: opponent.opponent.removeprefix(BOT) for opponent in figures.opponents}
    return {bot: known.get(bot) or bots[bot] for bot in bots}


@router.get("/me/profile/file", response_class=Response)
async def file(
    services: InjectedServices,
    language: RequestLanguage,
    user: Person,
    asker: Requester,
    format_: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Download the caller's statistics: JSON with all figures by ruleset, or CSV with a row for each game."""
    async with services.figures.turn(asker):
        return await _file(services, language, user, format_)


async def _file(services: InjectedServices, language: Language, user: PersonRow, format_: str) -> Response:
    here, clubs = await services.own_games.of(user.id), await services.club_games.of(user.id)
    games = newest([*here.games, *clubs.games], MAX_GAMES)
    figures = await asyncio.to_thread(person_figures, games, user.id)
    names = {game.rules.fingerprint: rules_name(game.rules, language) for game in games}
    if format_ == "json":
        rulesets = [
            {
                "rules": names[key],
                "fingerprint": key,
                "figures": asdict(own),
                "clubs": [played.model_dump() for played in _clubs(own, clubs.events)],
                "rating": rating.model_dump()
                if (rating := await rating_of(services, key, user.id))
                else None,
            }
            for key, own in figures.items()
        ]
        text, kind = json.dumps({"version": 1, "rulesets": rulesets}, ensure_ascii=False), "application/json"
    else:
        text, kind = games_csv(figures, names, clubs.events, language), "text/csv; charset=utf-8"
    headers = {"content-disposition": f'attachment; filename="jantaku-profile.{format_}"'}
    return Response(text, media_type=kind, headers=headers)


@router.put("/me/profile/shown", response_model_exclude_none=True)
async def show(services: InjectedServices, user: Person, body: ShowProfile) -> ShowProfile:
    """Show the caller's statistics to all signed-in users, or hide them."""
    reviews = {} if body.reviews is None else {"reviews_shown": body.reviews}
    await services.accounts.change(user.id, profile_shown=body.on, **reviews)
    services.links.announce(PROFILE_SHOWN, user.id, body.on)
    return body


@router.get("/people/{person_id}/profile")
async def of_person(
    services: InjectedServices,
    language: RequestLanguage,
    user: Person,
    asker: Requester,
    person_id: Annotated[str, Path(max_length=16)],
    rules: Fingerprint = None,
) -> PublicProfile:
    """Return a person's public statistics; hidden and unknown people give the same error."""
    limit_work(services, user)
    person = await services.accounts.find(person_id)
    if person is None or not person.profile_shown:
        raise ServerError("profile_private")
    async with services.figures.turn(asker):
        games = (await services.own_games.of(person_id, public=True)).games
        figures = await asyncio.to_thread(person_figures, games, person_id)
    wanted = rules if rules is not None and rules in figures else next(iter(figures), "")
    mine = figures.get(wanted)
    return PublicProfile(
        name=person.name,
        rulesets=list(rulesets_of(games, figures, language)),
        fingerprint=wanted,
        seats=0 if mine is None else len(mine.brief.places),
        figures=None if mine is None else _public(mine),
        rating=None if mine is None else await rating_of(services, wanted, person_id),
        most=MAX_GAMES,
    )


def _public(figures: Figures) -> Figures:
    """Return the figures without private data of others: opponents and ids of games."""
    games = tuple(dataclasses.replace(game, game="") for game in figures.games)
    hands = tuple(dataclasses.replace(hand, game="") for hand in figures.hands)
    return dataclasses.replace(figures, opponents=(), games=games, hands=hands)
