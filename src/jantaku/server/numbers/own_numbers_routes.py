"""A person's own numbers from their finished games here and at clubs, for that person alone."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import Query, Response

from jantaku.club.statistics import Figures, RuledGame, person_figures
from jantaku.server.edge.routing import router_of
from jantaku.server.numbers import numbers_bodies as bodies
from jantaku.server.numbers.club_games import newest
from jantaku.server.numbers.numbers_kit import ForNumbers, NumbersKit
from jantaku.server.numbers.own_games import MOST_GAMES
from jantaku.server.numbers.own_games_csv import games_csv
from jantaku.server.people.asking import Asking, Person, RequestLanguage
from jantaku.server.rules.rules_names import own_yaku_names, rules_name
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.tallies import BOT
from jantaku.terms import Language

router = router_of("/api/me/numbers", "people")
Fingerprint = Annotated[str | None, Query(pattern="^[0-9a-f]{16}$")]


@router.get("")
async def mine(
    kit: ForNumbers, language: RequestLanguage, who: Person, asker: Asking, rules: Fingerprint = None
) -> bodies.OwnNumbers:
    """My figures under one ruleset, by default the one I played last."""
    async with kit.figures.turn(asker):
        return await _mine(kit, language, who, rules)


async def _mine(kit: NumbersKit, language: Language, who: PersonRow, rules: str | None) -> bodies.OwnNumbers:
    here, clubs = await kit.own_games.of(who.id), await kit.club_games.of(who.id)
    games = newest([*here.games, *clubs.games], MOST_GAMES)
    figures = await asyncio.to_thread(person_figures, games, who.id)
    wanted = rules if rules is not None and rules in figures else next(iter(figures), "")
    mine = figures.get(wanted)
    return bodies.OwnNumbers(
        rulesets=list(rulesets_of(games, figures, language)),
        fingerprint=wanted,
        seats=0 if mine is None else len(mine.brief.places),
        figures=mine,
        rating=None if mine is None else await rating_of(kit, wanted, who.id),
        names={} if mine is None else _names(mine, clubs.names | here.names),
        clubs=[] if mine is None else _clubs(mine, clubs.events),
        most=MOST_GAMES,
        shown=await kit.services.accounts.shows_numbers(who.id),
        reviews=await kit.services.accounts.shows_reviews(who.id),
    )


async def rating_of(kit: NumbersKit, fingerprint: str, person: str) -> bodies.OwnRating | None:
    """My rating under a ruleset; ``None`` without a rated game among people."""
    known = await kit.table_ratings.of(fingerprint, person, MOST_GAMES)
    if known.rank is None:
        return None
    now = known.steps[-1].rating
    steps = [bodies.RatingPoint.of(step, at=step.at.isoformat()) for step in known.steps]
    return bodies.OwnRating.of(now, rank=known.rank, people=known.people, games=known.games, steps=steps)


def rulesets_of(
    games: list[RuledGame], figures: Mapping[str, Figures], language: Language
) -> Iterator[bodies.NumbersRuleset]:
    """The rulesets of the figures with their names."""
    rules = {game.rules.fingerprint: game.rules for game in games}
    for name, own in figures.items():
        yield bodies.NumbersRuleset(
            fingerprint=name,
            name=rules_name(rules[name], language),
            games=own.brief.games,
            own_yaku=own_yaku_names(rules[name]),
        )


def _clubs(figures: Figures, events: Mapping[str, dict[str, str]]) -> list[bodies.ClubEventGames]:
    """How many of the games were recorded at which event."""
    names = [events[line.game] for line in figures.games if line.game in events]
    counts = Counter(json.dumps(name, sort_keys=True) for name in names)
    return [bodies.ClubEventGames(name=json.loads(name), games=count) for name, count in counts.items()]


def _names(figures: Figures, known: Mapping[str, str]) -> dict[str, str]:
    """The names by which opponents played last with me, and those of bots."""
    bots = {opponent.opponent: opponent.opponent.removeprefix(BOT) for opponent in figures.opponents}
    return {bot: known.get(bot) or bots[bot] for bot in bots}


@router.get("/file", response_class=Response)
async def file(
    kit: ForNumbers,
    language: RequestLanguage,
    who: Person,
    asker: Asking,
    format_: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Response:
    """My numbers as a file: JSON with all figures by ruleset, or CSV with a row for each game."""
    async with kit.figures.turn(asker):
        return await _file(kit, language, who, format_)


async def _file(kit: NumbersKit, language: Language, who: PersonRow, format_: str) -> Response:
    here, clubs = await kit.own_games.of(who.id), await kit.club_games.of(who.id)
    games = newest([*here.games, *clubs.games], MOST_GAMES)
    figures = await asyncio.to_thread(person_figures, games, who.id)
    names = {game.rules.fingerprint: rules_name(game.rules, language) for game in games}
    if format_ == "json":
        rulesets = [
            {
                "rules": names[key],
                "fingerprint": key,
                "figures": asdict(own),
                "clubs": [played.model_dump() for played in _clubs(own, clubs.events)],
                "rating": rating.model_dump() if (rating := await rating_of(kit, key, who.id)) else None,
            }
            for key, own in figures.items()
        ]
        text, kind = json.dumps({"version": 1, "rulesets": rulesets}, ensure_ascii=False), "application/json"
    else:
        text, kind = games_csv(figures, names, clubs.events, language), "text/csv; charset=utf-8"
    headers = {"content-disposition": f'attachment; filename="jantaku-numbers.{format_}"'}
    return Response(text, media_type=kind, headers=headers)
