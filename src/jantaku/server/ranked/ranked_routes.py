"""Ranked play: wait for a table, say that one is there, and the steps one has reached."""

from typing import Annotated

from fastapi import Depends, Path

from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.people.asking import Person, RequestLanguage, Visiting, changing_mind
from jantaku.server.ranked.ladder import step_of
from jantaku.server.ranked.queue_entries import Entry
from jantaku.server.ranked.ranked_bodies import GameSteps, RankedPage, RemindBody, SeatStep, WaitBody
from jantaku.server.ranked.ranked_kit import AtSteward, ForRanked
from jantaku.server.ranked.ranked_page import page_for, part_of

router = router_of("/api/ranked", "ranked")


@router.get("")
async def look(kit: AtSteward, language: RequestLanguage, who: Person, hidden: bool = False) -> RankedPage:
    """Who waits, how I wait, and my steps; whoever waits asks for this all the time.

    ``hidden``: the page is behind others, so I need longer to come.
    """
    kit.queue.seen(who.id, hidden=hidden)
    return await page_for(kit, who, language)


@router.put("", dependencies=[Depends(changing_mind)])
async def wait(kit: AtSteward, language: RequestLanguage, who: Visiting, body: WaitBody) -> RankedPage:
    """Wait for a table, or change what I wait for; accounts only, since guests can be made at will."""
    if who.person.guest:
        raise ServerError("account_needed")
    lines = frozenset(line.line for line in body.lines)
    await kit.queue.join(
        Entry(
            who,
            language,
            lines,
            bots_after_s=body.bots_after_s,
            away=body.away,
            daily=body.daily and kit.queue.hour.next is not None,
        )
    )
    return await page_for(kit, who.person, language)


@router.delete("", dependencies=[Depends(changing_mind)])
async def leave(kit: AtSteward, language: RequestLanguage, who: Person) -> RankedPage:
    """Wait no more."""
    kit.queue.leave(who.id)
    return await page_for(kit, who, language)


@router.post("/here", dependencies=[Depends(changing_mind)])
async def here(kit: AtSteward, language: RequestLanguage, who: Person) -> RankedPage:
    """I am there, for the table that is ready."""
    kit.queue.here(who.id)
    return await page_for(kit, who, language)


@router.put("/reminder", dependencies=[Depends(changing_mind)])
async def remind(kit: ForRanked, who: Person, body: RemindBody) -> RemindBody:
    """Notify me before the daily table, or do not."""
    await kit.services.accounts.change(who.id, reminded=int(body.on))
    return body


@router.get("/games/{game_id}")
async def of_game(kit: ForRanked, who: Person, game_id: Annotated[str, Path(max_length=16)]) -> GameSteps:
    """What a ranked game did to the steps of its players, for one of them."""
    row = await kit.services.games.find(game_id)
    if row is None or all(player.person != who.id for player in row.players):
        raise ServerError("no_game")
    table = await kit.services.seating.find(row.table_id)
    if row.status != "finished" or table is None or not table.ranked:
        raise ServerError("no_game")
    ratings = await kit.queue.ratings.around(len(row.players), row)
    changes = [ratings.get(player.person or "") for player in row.players]
    return GameSteps(
        seats=[
            change
            and SeatStep(
                before=step_of(change[0]),
                after=step_of(change[1]),
                part_before=part_of(change[0]),
                part_after=part_of(change[1]),
            )
            for change in changes
        ]
    )
