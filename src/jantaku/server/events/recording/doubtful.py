"""Games that a referee should look at: they wait for a second account, or hardly ever happen.

A reason to look is stored as a call without a person, so that it is cleared and kept as every call is.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select

from jantaku import terms
from jantaku.club.doubts import LONG_DAY_H, Doubt, EnteredGame, doubts_about, gist
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import REFEREE, EventRights, changing
from jantaku.server.events.recording.desk_bodies import DoubtfulGame, HeldUpGame
from jantaku.server.events.recording.game_rights import rounds_of
from jantaku.server.storage.events import DOUBT, Change, ask_to_look, close_calls
from jantaku.server.storage.finished_games import PlayedGame
from jantaku.server.storage.people import DAY_MS
from jantaku.server.storage.recorded_games import RecordedGameRow, games_of, versions_by_game
from jantaku.server.storage.schema import event_calls, hand_versions, recorded_games, recorded_seats
from jantaku.server.storage.services import Services
from jantaku.terms import Language

ALONE: Final = Doubt("alone", {})
MOST_COMPARED: Final = 50  # games whose hands are compared with those of another
MOST_LISTED: Final = 500
HOUR_MS: Final = 3_600_000


async def note_doubts(
    change: Change, game: RecordedGameRow, rules: Ruleset, versions: Sequence[HandVersion], *, alone: bool
) -> None:
    """Ask a referee to look at a game that is over, if there is a reason; once for the same reasons."""
    entered = await _entered(change, game, versions)
    await ask_to_look(change, game.id, [*[ALONE] * alone, *doubts_about(entered, rules)])


async def _entered(change: Change, game: RecordedGameRow, versions: Sequence[HandVersion]) -> EnteredGame:
    """What is known of a game; its pace says nothing if those who run the event have entered it.

    Of games at tables here it is that of the game itself.
    """
    scores, hands = (game.result or {})["scores"], [hand.hand for hand in live_hands(versions)]
    at_once = game.replay is None and all(version.seat is None for version in versions)
    if game.at is None or at_once or not versions:
        return EnteredGame(scores, hands, game.ended_with)
    return EnteredGame(
        scores,
        hands,
        game.ended_with,
        seconds=max(0, versions[-1].at - game.at) // 1000,
        games=await _games_of_one(change, game),
        twin=await _twin(change, game, hands),
    )


async def _games_of_one(change: Change, game: RecordedGameRow) -> int:
    """How many games the player with the most of them has begun within a long day."""
    seats, games = recorded_seats.c, recorded_games.c
    query = (
        select(func.count())
        .join(recorded_games, (games.event == seats.event) & (games.id == seats.game))
        .where(seats.event == change.event.id, seats.entry.in_(game.players))
        .where(games.status != "cancelled", games.at > change.at - LONG_DAY_H * HOUR_MS)
        .group_by(seats.entry)
    )
    return max((await change.connection.execute(query)).scalars(), default=0)


async def _twin(change: Change, game: RecordedGameRow, hands: Sequence[Mapping[str, Any]]) -> int | None:
    """The number of a game that the same person began on the same day, if all its hands are the same."""
    columns = recorded_games.c
    others = await games_of(
        change.connection,
        change.event.id,
        *(columns.person == game.person, columns.id != game.id, columns.at > change.at - DAY_MS),
        most=MOST_COMPARED,
    )
    within = hand_versions.c.game.in_([other.id for other in others])
    entered = await versions_by_game(change.connection, change.event.id, within)
    wanted = [gist(hand) for hand in hands]
    for other in others:
        if [gist(hand.hand) for hand in live_hands(entered.get(other.id, ()))] == wanted:
            return other.number
    return None


async def doubtful_games(services: Services, rights: EventRights, language: Language) -> list[DoubtfulGame]:
    """The games that a referee should look at, with the reasons in words; the oldest first."""
    rows = await services.desk.calls(rights.event.id, event_calls.c.kind == DOUBT, most=MOST_LISTED)
    games = {
        game.id: game
        for game in await services.recorded.named(rights.event.id, [str(row.game) for row in rows])
    }
    rounds = await rounds_of(services, rights, {game.stage for game in games.values()})
    return [
        DoubtfulGame(
            number=row.number,
            game=game.id,
            game_number=game.number,
            stage=game.stage,
            round=rounds.get(game.id),
            label=game.label,
            players=list(game.players),
            reasons=[
                terms.text(f"desk.doubt.{code}", language, **values) for code, values in json.loads(row.why)
            ],
            at=iso(row.at),
        )
        for row in rows
        if (game := games.get(row.game or "")) is not None
    ]


def held_up_games(games: Iterable[tuple[PlayedGame, Exception]], language: Language) -> list[HeldUpGame]:
    """Games that cannot be recorded now, with the reasons in words."""
    return [
        HeldUpGame(
            replay=played.game.id,
            stage=played.stage,
            names=[player.name for player in played.game.players],
            reason=(error if isinstance(error, JantakuError) else ServerError("internal")).message(language),
            at=iso(played.game.ended),
        )
        for played, error in games
    ]


async def clear(services: Services, rights: EventRights, number: int, why: str) -> None:
    """A referee has looked at a game; nothing happens if another referee was faster."""
    async with changing(services, rights) as change:
        rights.demand(REFEREE)
        same = (event_calls.c.kind == DOUBT) & (event_calls.c.number == number)
        closed = await close_calls(change, why.strip(), same)
        if closed:
            codes = [code for code, _ in json.loads(closed[0].why)]
            change.note("cleared", game=closed[0].game, before={"reasons": codes}, why=why)
