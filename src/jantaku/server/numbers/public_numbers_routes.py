"""A person's numbers for others, if that person wishes it; private unless they say so."""

import asyncio
import dataclasses
from typing import Annotated

from fastapi import Path

from jantaku.club.statistics import Figures, person_figures
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.numbers.numbers_bodies import PublicNumbers, ShowNumbers
from jantaku.server.numbers.numbers_kit import ForNumbers
from jantaku.server.numbers.own_games import MOST_GAMES
from jantaku.server.numbers.own_numbers_routes import Fingerprint, rating_of, rulesets_of
from jantaku.server.people.asking import Asking, Person, RequestLanguage, working

router = router_of("/api", "people")


@router.put("/me/numbers/shown", response_model_exclude_none=True)
async def show(kit: ForNumbers, who: Person, body: ShowNumbers) -> ShowNumbers:
    """Show my numbers to everybody who is signed in, or to nobody else again."""
    reviews = {} if body.reviews is None else {"reviews_shown": int(body.reviews)}
    await kit.services.accounts.change(who.id, numbers_shown=int(body.on), **reviews)
    kit.services.links.announce("numbers_shown", [who.id, body.on])
    return body


@router.get("/people/{person_id}/numbers")
async def of_person(
    kit: ForNumbers,
    language: RequestLanguage,
    who: Person,
    asker: Asking,
    person_id: Annotated[str, Path(max_length=16)],
    rules: Fingerprint = None,
) -> PublicNumbers:
    """The numbers of a person who shows them. Whether others exist is not told."""
    working(kit, who)
    person = await kit.services.accounts.find(person_id)
    if person is None or not await kit.services.accounts.shows_numbers(person_id):
        raise ServerError("numbers_private")
    async with kit.figures.turn(asker):
        games = (await kit.own_games.of(person_id, public=True)).games
        figures = await asyncio.to_thread(person_figures, games, person_id)
    wanted = rules if rules is not None and rules in figures else next(iter(figures), "")
    mine = figures.get(wanted)
    return PublicNumbers(
        name=person.name,
        rulesets=list(rulesets_of(games, figures, language)),
        fingerprint=wanted,
        seats=0 if mine is None else len(mine.brief.places),
        figures=None if mine is None else _public(mine),
        rating=None if mine is None else await rating_of(kit, wanted, person_id),
        most=MOST_GAMES,
    )


def _public(figures: Figures) -> Figures:
    """The figures without what belongs to others: opponents, and which games they were."""
    games = tuple(dataclasses.replace(game, game="") for game in figures.games)
    hands = tuple(dataclasses.replace(hand, game="") for hand in figures.hands)
    return dataclasses.replace(figures, opponents=(), games=games, hands=hands)
