"""Seasons: opening one, its parts, the ranking of the year, and its best in the final."""

import json
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path

from jantaku.club import template
from jantaku.server.edge.routing import router_of
from jantaku.server.events.results.results_kit import AtResults, ResultsKit
from jantaku.server.events.seasons import season_bodies as bodies
from jantaku.server.events.seasons import season_people as listing
from jantaku.server.events.seasons import season_ranking
from jantaku.server.events.seasons import seasons as logic
from jantaku.server.people.asking import Before, Person, RequestLanguage, Whoever, not_twice
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.rows import PageEnd
from jantaku.server.storage.seasons import SeasonRow
from jantaku.terms import Language

router = router_of("/api/seasons", "seasons")
SeasonId = Annotated[str, Path(max_length=16)]
PlayerId = Annotated[str, Path(max_length=64)]
PAGE = 50


@dataclass(frozen=True)
class SeasonAsked:
    """Who asks something of a season as its organiser, and the season."""

    kit: ResultsKit
    who: PersonRow
    language: Language
    season: SeasonRow

    async def people(self) -> bodies.SeasonPeople:
        """Everybody in its events, as they are now."""
        return await listing.people(self.kit, self.season, self.who, self.language)


async def _asked(kit: AtResults, who: Person, language: RequestLanguage, season: SeasonId) -> SeasonAsked:
    return SeasonAsked(kit, who, language, await kit.services.seasons.find(season))


Asked = Annotated[SeasonAsked, Depends(_asked)]


def _summary(row: SeasonRow) -> bodies.SeasonSummary:
    return bodies.SeasonSummary.of(row, parts=len(row.parts))


async def _info(
    kit: ResultsKit, row: SeasonRow, who: PersonRow | None, language: Language
) -> bodies.SeasonInfo:
    parts = [await logic.part_shown(kit.services, part, who, language) for part in row.parts]
    counting, mine = json.loads(row.counting), logic.organises(row, who)
    return bodies.SeasonInfo.of(row, counting=counting, parts=parts, mine=mine)


@router.get("")
async def seasons(kit: AtResults, who: Whoever, before: Before = None) -> bodies.SeasonList:
    """The seasons that everybody finds, and mine."""
    store = kit.services.seasons
    page = await store.of(None, PageEnd.parse(before), PAGE)
    mine = (await store.of(who.id, None, PAGE)).rows if who is not None else []
    return bodies.SeasonList(
        seasons=list(map(_summary, page.rows)),
        mine=list(map(_summary, mine)),
        next=str(page.next) if page.next else None,
    )


@router.get("/templates")
async def templates() -> bodies.SeasonTemplates:
    """The names of all templates of seasons, and their parts."""
    names = logic.season_templates()
    parts = {
        name: [bodies.TemplatePart(id=part["id"], name=part["name"]) for part in template(name)["parts"]]
        for name in names
    }
    return bodies.SeasonTemplates(templates=list(names), parts=parts)


@router.post("", dependencies=[Depends(not_twice)])
async def create(
    kit: AtResults, language: RequestLanguage, who: Person, body: bodies.CreateSeason
) -> bodies.SeasonInfo:
    """Open a season; I am its organiser."""
    season = await logic.open_season(kit, who, body)
    return await _info(kit, await kit.services.seasons.find(season), who, language)


@router.get("/{season}")
async def one(kit: AtResults, language: RequestLanguage, who: Whoever, season: SeasonId) -> bodies.SeasonInfo:
    """One season."""
    return await _info(kit, await kit.services.seasons.find(season), who, language)


@router.patch("/{season}")
async def change(asked: Asked, body: bodies.SeasonPatch) -> bodies.SeasonInfo:
    """Change a season."""
    await logic.change_season(asked.kit, asked.season, asked.who, body)
    changed = await asked.kit.services.seasons.find(asked.season.id)
    return await _info(asked.kit, changed, asked.who, asked.language)


@router.get("/{season}/ranking")
async def ranking(
    kit: AtResults, language: RequestLanguage, who: Whoever, season: SeasonId
) -> bodies.YearRanking:
    """The ranking of the year, from the last stages of the ranked parts."""
    return await season_ranking.year(kit, await kit.services.seasons.find(season), who, language)


@router.get("/{season}/people")
async def people(asked: Asked) -> bodies.SeasonPeople:
    """Everybody in the season's events, for its organiser."""
    return await asked.people()


@router.post("/{season}/people/{player}/merge")
async def merge(asked: Asked, player: PlayerId, body: bodies.MergePeople) -> bodies.SeasonPeople:
    """Make two people of the season one."""
    await listing.merge(asked.kit, asked.season, asked.who, player, body)
    return await asked.people()


@router.post("/{season}/people/{player}/separate")
async def separate(asked: Asked, player: PlayerId, body: bodies.SeparatePerson) -> bodies.SeasonPeople:
    """Make one entry of a person somebody else; an account stays with the rest."""
    await listing.separate(asked.kit, asked.season, asked.who, player, body)
    return await asked.people()


@router.post("/{season}/finalists")
async def finalists(asked: Asked, body: bodies.FinalistsBody) -> bodies.FinalistsEntered:
    """Enter the best of the year into the event of a part; asking again enters nobody twice."""
    return await season_ranking.enter_finalists(asked.kit, asked.season, asked.who, body.part)
