"""Signs of unfair play in the online games of an event, and the log of appeals."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from statistics import quantiles
from typing import Final, NamedTuple

from jantaku.bounded import Newest
from jantaku.club.fairness import LEVEL, AgreedPlay, agreement_signs, pair_signs
from jantaku.club.fairness_facts import GameFacts, facts_of, pairs_of
from jantaku.errors import JantakuError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import REFEREE, EventRights, changing
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.online.fairness_bodies import (
    AppealInfo,
    Fairness,
    NewAppeal,
    PlayerOfFairness,
)
from jantaku.server.limits import APPEALS_OF_EVENT
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.event_schema import event_calls, recorded_games
from jantaku.server.storage.events import ANY
from jantaku.server.storage.penalties_and_calls import CallRow, add_call
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.replaying import replayed
from jantaku.server.storage.services import Services
from jantaku.terms import Language

APPEAL: Final = "fairness"  # the kind of these rows among the calls; nobody closes them
MOST_GAMES: Final = 300  # the newest ones; each takes about a tenth of a second, once
KEPT: Final = 2000
LEAST_TURNS: Final = 20  # before times are shown
_known: Final = Newest[str, GameFacts](KEPT)
_looking: Final = asyncio.Lock()  # one event at a time


class LookedAt(NamedTuple):
    """A game that counts, what it tells, and the milliseconds of each seat's turns."""

    row: RecordedGameRow
    facts: GameFacts
    times: Sequence[tuple[int, int]]


async def fairness(services: Services, rights: EventRights, language: Language) -> Fairness:
    """The signs of all online games that count, for a referee."""
    rights.demand(REFEREE)
    event = rights.event.id
    where = (recorded_games.c.status == "confirmed", recorded_games.c.replay.is_not(None))
    rows = await services.recorded.all(event, *where)
    async with _looking:
        played = [game for row in rows[:MOST_GAMES] if (game := await _played(services, row)) is not None]
    names = names_of(await services.entries.all(event), language)
    return Fairness(
        games=len(played),
        left_out=len(rows) - len(played),
        level=LEVEL,
        pairs=pair_signs(pairs_of((row.players, facts) for row, facts, _ in played)),
        players=_players(played),
        names=names,
        appeals=await _appeals(services, event),
    )


async def _played(services: Services, row: RecordedGameRow) -> LookedAt | None:
    """What a game tells; ``None`` if it cannot be replayed."""
    replay = row.replay or ""
    try:
        times = await services.games.decision_times(replay)
        if replay not in _known:
            game = await services.games.find(replay)
            if game is None:
                return None
            rules = await services.rulesets.find(game.rules, game.fingerprint)
            moves, logs = await services.games.moves(replay), await services.games.hands(replay)
            played = await asyncio.to_thread(replayed, rules, game.beginning, moves, logs)
            _known[replay] = await asyncio.to_thread(facts_of, played)
        return LookedAt(row, _known[replay], times)
    except ServerError as error:
        if error.code == "storage_lost":
            raise
        return None
    except JantakuError:
        return None


def _players(played: list[LookedAt]) -> list[PlayerOfFairness]:
    decisions, same = Counter[str](), Counter[str]()
    places, turns = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for row, facts, times in played:
        for seat, took in times:
            turns[row.players[seat]].append(took)
        for seat, player in enumerate(row.players):
            decisions[player] += facts.decisions[seat]
            same[player] += facts.same[seat]
            places[player].append((row.result or {})["places"][seat])
    signs = agreement_signs(
        [
            AgreedPlay(player, decisions[player], same[player], sum(taken) / len(taken))
            for player, taken in places.items()
        ]
    )
    return [
        PlayerOfFairness.model_validate({**asdict(sign), "seconds": _quartiles(turns[sign.player])})
        for sign in signs
    ]


def _quartiles(times: Sequence[int]) -> tuple[float, ...] | None:
    """The quartiles of times in milliseconds, in seconds; ``None`` of too few."""
    if len(times) < LEAST_TURNS:
        return None
    return tuple(round(cut / 1000, 1) for cut in quantiles(times, n=4))


async def _appeals(services: Services, event: str) -> list[AppealInfo]:
    rows = await services.desk.calls(event, event_calls.c.kind == APPEAL, most=APPEALS_OF_EVENT)
    return [
        AppealInfo(number=row.number, entry=row.label, name=row.name, text=row.why, at=iso(row.at) or "")
        for row in rows
    ]


async def appeal(services: Services, rights: EventRights, body: NewAppeal) -> None:
    """Add to the log of appeals; nothing in it can be changed."""
    rights.demand(REFEREE)
    async with changing(services, rights, ANY, settles=False) as change:
        await entry_of(change, body.entry)
        if await change.count(event_calls.c.number, event_calls.c.kind == APPEAL) >= APPEALS_OF_EVENT:
            raise ServerError("too_many_calls", most=APPEALS_OF_EVENT)
        number = await change.next_number(event_calls.c.number)
        person, text = change.who, body.text.strip()
        about = (number, APPEAL, None, None, body.entry, person.id, person.name, text)
        await add_call(change, CallRow(*about, at=change.at, closed=None, answer=""))
