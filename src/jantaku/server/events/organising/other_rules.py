"""Changing the rules of a running event: preview, and settling its games again."""

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from jantaku import terms
from jantaku.club.entered_results import GameEnd, check_end, ended_game
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.club.settlement import GameResult, settle
from jantaku.errors import JantakuError, RequestError
from jantaku.rules import Ruleset, preset_names
from jantaku.seats import BySeat
from jantaku.server.edge.bodies import Problem, RulesName, router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EventRights, changing
from jantaku.server.events.common.event_bodies import EventInfo, Reason, event_info, names_of
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.organising.event_jobs import resettle
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, RequestLanguage, limit_work
from jantaku.server.rules.pages import rules_name
from jantaku.server.storage.base import BATCH_ROWS
from jantaku.server.storage.events import Change, EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow, change_game, games_of
from jantaku.terms import Language
from jantaku.wire import Wire


class OtherRules(Wire):
    """The rules to preview."""

    rules: RulesName


class GameUnderRules(Wire):
    """A game whose points would change, or that cannot be settled under the rules (``problem``)."""

    game: str
    number: int
    stage: str
    label: str
    players: list[str]
    counts: bool
    before: BySeat | None
    after: BySeat | None
    problem: Problem | None


class RulesPreview(Wire):
    """Effects of other rules: final points of the games that change, or current points of unfinished ones.

    ``used``: games, penalties or seatings exist under the current rules. ``seen`` identifies the state
    of games and rules and is required to change the rules. ``unchanged`` is the number of other games.
    """

    rules_name: str
    used: bool
    seen: str
    games: list[GameUnderRules]
    unchanged: int


class ChangeRules(Wire):
    """The new rules of an event, with ``seen`` of their preview."""

    rules: RulesName
    seen: Annotated[str, Field(max_length=64)]
    why: Reason


class GameToSettle(NamedTuple):
    """A game as entered: its hands, or its end; ``counts`` if it is confirmed."""

    id: str
    hands: Sequence[Mapping[str, Any]]
    ended_with: GameEnd | None
    counts: bool


class Resettled(NamedTuple):
    """The result of a game under other rules, or the problem that prevents one."""

    id: str
    result: GameResult | None
    problem: JantakuError | None


def settle_again(game: GameToSettle, rules: Ruleset) -> Resettled:
    """Settle a game under other rules; ``rules_not_over`` if a confirmed game is unfinished under them."""
    try:
        if game.ended_with is not None:
            check_end(game.ended_with, rules)
            result = ended_game(game.ended_with, rules).result
        else:
            result = settle(game.hands, rules).result
    except JantakuError as error:
        return Resettled(game.id, None, error)
    if game.counts and result.final is None:
        return Resettled(game.id, None, ServerError("rules_not_over"))
    return Resettled(game.id, result, None)


class _Comparison(NamedTuple):
    """The games of an event, settled under other ``rules``."""

    rules: Ruleset
    games: Sequence[RecordedGameRow]
    results: dict[str, Resettled]
    seen: str

    @property
    def unsettled_games(self) -> list[RecordedGameRow]:
        """Games that cannot be settled. Cancelled games are ignored."""
        return [game for game in self.games if game.status != "cancelled" and self.results[game.id].problem]


def _seen(games: Sequence[RecordedGameRow], before: str, after: str) -> str:
    """Hash the state of games and rules."""
    parts = [before, after, *(f"{game.id} {game.revision} {game.status}" for game in games)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


async def _compare(
    services: InjectedServices, rights: EventRights, asker: Principal, name: str
) -> _Comparison:
    event = rights.event
    rules, now = (
        await services.rulesets.find(name),
        await services.rulesets.find(event.rules, event.fingerprint),
    )
    games = await services.recorded.all(event.id)
    used = games or await services.rounds.seated(event.id)
    if used and rules.match.players != now.match.players:
        raise ServerError("rules_seats", field="rules", seats=now.match.players)
    versions = await services.recorded.versions(event.id, [game.id for game in games])
    wanted = await asyncio.to_thread(
        _to_settle, games, versions
    )  # thousands of games would block the event loop
    results: list[Resettled] = await services.workers.run(asker, resettle, wanted, rules) if wanted else []
    seen = _seen(games, event.fingerprint, rules.fingerprint)
    return _Comparison(rules, games, {game.id: game for game in results}, seen)


def _to_settle(
    games: Sequence[RecordedGameRow], versions: Mapping[str, Iterable[HandVersion]]
) -> list[GameToSettle]:
    return [
        GameToSettle(
            game.id,
            [hand.hand for hand in live_hands(versions[game.id])],
            game.ended_with,
            game.status == "confirmed",
        )
        for game in games
    ]


async def preview_rules(
    services: InjectedServices, rights: EventRights, asker: Principal, name: str, language: Language
) -> RulesPreview:
    """Compare the results of all games with those under other rules."""
    comparison = await _compare(services, rights, asker, name)
    entries = names_of(await services.entries.all(rights.event.id), language)
    shown = list[GameUnderRules]()
    for count, row in enumerate(comparison.games[::-1], 1):
        shown.append(_game_under_rules(row, comparison.results[row.id], entries, language))
        if count % BATCH_ROWS == 0:
            await asyncio.sleep(0)  # let other requests run
    changed = [game for game in shown if game.problem is not None or game.before != game.after]
    used = comparison.games or await services.rounds.seated(rights.event.id)
    return RulesPreview(
        rules_name=rules_name(comparison.rules, language),
        used=bool(used) or bool(await services.desk.penalties(rights.event.id)),
        seen=comparison.seen,
        games=changed,
        unchanged=len(shown) - len(changed),
    )


def _game_under_rules(
    row: RecordedGameRow, new: Resettled, entries: Mapping[str, str], language: Language
) -> GameUnderRules:
    problem = None
    if new.problem is not None:
        if isinstance(new.problem, RequestError):  # name the players in the message
            new.problem.names = [entries.get(player, player) for player in row.players]
        hand = new.problem.details.get("hand")
        problem = Problem(
            code=new.problem.code,
            message=new.problem.message(language),
            hand=hand if isinstance(hand, int) else None,
        )
    return GameUnderRules.of(
        row,
        game=row.id,
        players=list(row.players),
        counts=row.status == "confirmed",
        before=_points(row.result),
        after=_points(new.result),
        problem=problem,
    )


def _points(result: GameResult | None) -> list[int] | None:
    """Return the final points of a game, or the current ones if it is unfinished."""
    return None if result is None else list(result.final or result.scores)


async def change_rules(
    services: InjectedServices, rights: EventRights, asker: Principal, body: ChangeRules
) -> None:
    """Change the rules of an event and settle all its games again.

    Raises ``event_moved_on`` if games or rules have changed since the preview, ``rules_unfit`` if a game
    cannot be settled. The change log keeps the previous rules and points.
    """
    comparison = await _compare(services, rights, asker, body.rules)
    if comparison.unsettled_games:
        raise ServerError("rules_unfit", field="rules", count=len(comparison.unsettled_games))
    before = await _noted(services, rights.event.rules, rights.event.fingerprint)
    async with changing(services, rights) as change:
        games = await games_of(change.connection, change.event.id)
        seen = _seen(games, change.event.fingerprint, comparison.rules.fingerprint)
        if body.seen != seen:
            raise ServerError("event_moved_on")
        values = {"rules": comparison.rules.id, "fingerprint": comparison.rules.fingerprint}
        await change.set(EventRow, **values)
        count = 0
        for row in games:
            count += await _settle(change, row, comparison.results[row.id], body.why)
        change.note(
            "rules",
            before=before,
            after={**values, "name": rules_name(comparison.rules, terms.current()), "games": count},
            why=body.why,
        )
        change.results_change = True
    await services.rulesets.save(comparison.rules)


async def _settle(change: Change, row: RecordedGameRow, new: Resettled, why: str) -> bool:
    """Store a game's new result; return whether its points changed."""
    if new.result is None or new.result == row.result:
        return False
    await change_game(change, row, result=new.result)
    if _points(row.result) == _points(new.result):
        return False
    before, after = ({"points": _points(result)} for result in (row.result, new.result))
    change.note("resettled", game=row.id, before=before, after=after, why=why)
    return True


async def _noted(services: InjectedServices, name: str, fingerprint: str) -> dict[str, Any]:
    """Describe rules for the change log: in full, unless they are a preset."""
    rules = await services.rulesets.find(name, fingerprint)
    tree = {} if name in preset_names() else {"tree": rules.to_dict(whole=False)}
    return {"rules": name, "fingerprint": fingerprint, "name": rules_name(rules, terms.current()), **tree}


router = router_of("/api/events/{event}/rules", "events")


@router.post("/preview")
async def preview(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    body: OtherRules,
) -> RulesPreview:
    """Preview the effects of other rules on every game, without storing anything, for organisers."""
    rights = await context.rights(ORGANISER)
    limit_work(services, context.user)
    return await preview_rules(services, rights, asker, body.rules, language)


@router.post("")
async def change(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    body: ChangeRules,
) -> EventInfo:
    """Change the rules and settle all games again, for organisers."""
    rights = await context.rights(ORGANISER)
    await change_rules(services, rights, asker, body)
    return await event_info(context.services, await context.rights(), language)
