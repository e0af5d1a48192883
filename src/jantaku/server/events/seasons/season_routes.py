"""Routes of seasons: their parts and people, the year's ranking and the finalists."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path

from jantaku.club import template
from jantaku.server.edge.bodies import router_of
from jantaku.server.events.seasons import season_service
from jantaku.server.people.auth_dependencies import (
    Before,
    InjectedServices,
    OptionalUser,
    Person,
    RequestLanguage,
    deduplicate,
)
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.rows import PageEnd
from jantaku.server.storage.seasons import SeasonRow
from jantaku.terms import Language

router = router_of("/api/seasons", "seasons")
SeasonId = Annotated[str, Path(max_length=16)]
PlayerId = Annotated[str, Path(max_length=64)]
PAGE = 50


@dataclass(frozen=True)
class SeasonContext:
    """A signed-in user's request to a season."""

    services: InjectedServices
    user: PersonRow
    language: Language
    season: SeasonRow

    async def people(self) -> season_service.SeasonPeople:
        """Return everyone currently in the season's events."""
        return await season_service.people(self.services, self.season, self.user, self.language)


async def _context(
    services: InjectedServices, user: Person, language: RequestLanguage, season: SeasonId
) -> SeasonContext:
    return SeasonContext(services, user, language, await services.seasons.find(season))


UserSeasonContext = Annotated[SeasonContext, Depends(_context)]


def _summary(row: SeasonRow) -> season_service.SeasonSummary:
    return season_service.SeasonSummary.of(row, parts=len(row.parts))


async def _info(
    services: InjectedServices, row: SeasonRow, user: PersonRow | None, language: Language
) -> season_service.SeasonInfo:
    parts = [await season_service.part_view(services, part, user, language) for part in row.parts]
    return season_service.SeasonInfo.of(row, parts=parts, mine=season_service.organises(row, user))


@router.get("")
async def seasons(
    services: InjectedServices, user: OptionalUser, before: Before = None
) -> season_service.SeasonList:
    """List the public seasons, and the caller's own."""
    store = services.seasons
    page = await store.of(None, PageEnd.parse(before), PAGE)
    mine = (await store.of(user.id, None, PAGE)).rows if user is not None else []
    return season_service.SeasonList(
        seasons=list(map(_summary, page.rows)),
        mine=list(map(_summary, mine)),
        next=str(page.next) if page.next else None,
    )


@router.get("/templates")
async def templates(language: RequestLanguage) -> season_service.SeasonTemplates:
    """List the season templates with their parts."""
    names = season_service.season_templates()
    parts = {
        name: [
            season_service.TemplatePart(id=part["id"], name=part["name"])
            for part in template(name, language)["parts"]
        ]
        for name in names
    }
    return season_service.SeasonTemplates(templates=list(names), parts=parts)


@router.post("", dependencies=[Depends(deduplicate)])
async def create(
    services: InjectedServices, language: RequestLanguage, user: Person, body: season_service.CreateSeason
) -> season_service.SeasonInfo:
    """Create a season organised by the caller."""
    season = await season_service.open_season(services, user, body, language)
    return await _info(services, await services.seasons.find(season), user, language)


@router.get("/{season}")
async def one(
    services: InjectedServices, language: RequestLanguage, user: OptionalUser, season: SeasonId
) -> season_service.SeasonInfo:
    """Return a season."""
    return await _info(services, await services.seasons.find(season), user, language)


@router.patch("/{season}")
async def change(context: UserSeasonContext, body: season_service.SeasonPatch) -> season_service.SeasonInfo:
    """Change a season, for its organiser."""
    await season_service.change_season(context.services, context.season, context.user, body)
    changed = await context.services.seasons.find(context.season.id)
    return await _info(context.services, changed, context.user, context.language)


@router.get("/{season}/ranking")
async def ranking(
    services: InjectedServices, language: RequestLanguage, user: OptionalUser, season: SeasonId
) -> season_service.YearRanking:
    """Return the year's ranking, from the last stages of the ranked parts."""
    return await season_service.year(services, await services.seasons.find(season), user, language)


@router.get("/{season}/people")
async def people(context: UserSeasonContext) -> season_service.SeasonPeople:
    """List everyone in the season's events, for its organiser."""
    return await context.people()


@router.post("/{season}/people/{player}/merge")
async def merge(
    context: UserSeasonContext, player: PlayerId, body: season_service.MergePeople
) -> season_service.SeasonPeople:
    """Merge two people of the season, for its organiser."""
    await season_service.merge(context.services, context.season, context.user, player, body)
    return await context.people()


@router.post("/{season}/people/{player}/separate")
async def separate(
    context: UserSeasonContext, player: PlayerId, body: season_service.SeparatePerson
) -> season_service.SeasonPeople:
    """Make a person's entry in one part a separate person; the other entries keep the account."""
    await season_service.separate_person(context.services, context.season, context.user, player, body)
    return await context.people()


@router.post("/{season}/finalists")
async def finalists(
    context: UserSeasonContext, body: season_service.FinalistsBody
) -> season_service.FinalistsEntered:
    """Register the best of the year for the event of a part; a repeated request adds nobody twice."""
    return await season_service.enter_finalists(context.services, context.season, context.user, body.part)
