"""Routes of practice: exercises by seed, the puzzle of the day, and cards from a person's own mistakes."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final

from cachetools import LRUCache
from fastapi import Path, Query
from pydantic import Field

from jantaku import terms
from jantaku.bots.review.words import sentences
from jantaku.game import Action, Discard, Kan, Pon
from jantaku.game.view import View
from jantaku.rules import Ruleset
from jantaku.server.archive.reviews import Completed
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
)
from jantaku.server.storage.cards import CardRow, Felt, Puzzle
from jantaku.server.storage.services import Services
from jantaku.server.study.exercises import MAX_SEED, Choice, Exercise, SeededKind, player, wind_of, words
from jantaku.server.study.positions import describe, discard_numbers, exercise, table_facts, without_answer
from jantaku.tiles import RED, TILES, Tile, format_tiles
from jantaku.wire import Wire

DAY_KIND: Final = "discard"
CACHED: Final = 256
AHEAD: Final = timedelta(days=1)  # a day begins earlier east of Greenwich
_cache = LRUCache[tuple[object, ...], Exercise](CACHED)


class PracticeCounts(Wire):
    """The number of the caller's cards and of those due now, and when the next one is due."""

    cards: int
    due: int
    next: str | None


class CardAnswer(Wire):
    """The index of the chosen action, and whether a right answer was hard or easy."""

    choice: Annotated[int, Field(ge=0, le=100)]
    felt: Felt | None = None


class CardAnswered(Wire):
    """Whether the choice was right, and when the card is due again."""

    right: bool
    due: str


router = router_of("/api/practice", "hands")
RulesQuery = Annotated[str, Query(max_length=64)]


async def _made(
    services: InjectedServices,
    asker: Principal,
    kind: SeededKind,
    seed: int,
    rules: Ruleset,
    language: terms.Language,
) -> Exercise:
    """Return an exercise, from the cache or made in its turn."""
    key = (kind, seed, rules.id, rules.fingerprint, language)
    if key not in _cache:
        async with services.exercises.turn(asker):
            _cache[key] = await asyncio.to_thread(exercise, kind, seed, rules, language)
    return _cache[key]


@router.get("")
async def counts(services: InjectedServices, user: OptionalUser) -> PracticeCounts:
    """Count the caller's cards."""
    if user is None:
        return PracticeCounts(cards=0, due=0, next=None)
    found = await services.cards.counts(user.id)
    at = None if found.next is None else _iso(found.next)
    return PracticeCounts(cards=found.cards, due=found.due, next=at)


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


@router.get("/next")
async def next_card(services: InjectedServices, language: RequestLanguage, user: Person) -> Exercise | None:
    """Return the caller's card that has been due the longest; ``null`` if none is due."""
    card = await services.cards.next(user.id)
    return None if card is None else await _of_card(services, card, language)


async def _of_card(services: InjectedServices, card: CardRow, language: terms.Language) -> Exercise:
    rules = None
    with suppress(ServerError):  # the rules of an upload may not be stored
        rules = await services.rulesets.find(card.puzzle.rules)
    return await asyncio.to_thread(mistake, card.id, card.puzzle, rules, language)


@router.post("/cards/{card}")
async def answer_card(
    services: InjectedServices,
    user: Person,
    card: Annotated[str, Path(max_length=16)],
    body: CardAnswer,
) -> CardAnswered:
    """Schedule a card of the caller after an answer; raises ``no_card``."""
    row = await services.cards.find(user.id, card)
    if row is None:
        raise ServerError("no_card")
    actions = _choices(row.puzzle)
    right = body.choice < len(actions) and actions[body.choice] == _plain(row.puzzle.decision.best)
    return CardAnswered(right=right, due=_iso(await services.cards.answer(row, right, body.felt)))


@router.get("/day")
async def of_the_day(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    day: Annotated[date | None, Query(alias="date")] = None,
    rules: RulesQuery = "standard",
) -> Exercise:
    """Return the puzzle of a day, by default today in UTC; raises ``no_exercise`` for a day to come.

    It is a mistake in a public game, reviewed before that day and shown without names, or else from a game
    between bots.
    """
    today = datetime.now(UTC).date()
    wanted = day or today
    if wanted > today + AHEAD:
        raise ServerError("no_exercise")
    ruleset = await services.rulesets.find(rules)
    seed, start = seed_of(wanted), datetime.combine(wanted, time(), UTC)
    puzzle = await services.cards.public(ruleset.fingerprint, int(1000 * start.timestamp()), seed)
    if puzzle is None:
        made = await _made(services, asker, DAY_KIND, seed, ruleset, language)
    else:
        made = await asyncio.to_thread(mistake, "", puzzle, ruleset, language)
    return made.model_copy(update={"id": wanted.isoformat(), "kind": DAY_KIND, "rules": ruleset.id})


def seed_of(day: date) -> int:
    """Return the seed of the puzzle of a day."""
    return int.from_bytes(hashlib.sha256(day.isoformat().encode()).digest()[:4]) % MAX_SEED


@router.get("/{kind}/{seed}")
async def by_seed(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    kind: SeededKind,
    seed: Annotated[int, Path(ge=0, lt=MAX_SEED)],
    rules: RulesQuery = "standard",
) -> Exercise:
    """Return an exercise; the same kind, seed and rules give the same one."""
    ruleset = await services.rulesets.find(rules)
    return await _made(services, asker, kind, seed, ruleset, language)


# Cards


async def add_cards(services: Services, done: Completed) -> None:
    """Make cards of the mistakes in a complete review of a game, for the player of its seat."""
    key = done.subject.key
    person = await services.games.player(key.game, key.seat) if key.source == "games" else None
    if person is not None and done.review.mistakes:
        puzzles = await asyncio.to_thread(list, puzzles_of(done))
        await services.cards.add(person, puzzles)


def puzzles_of(done: Completed) -> Iterator[Puzzle]:
    """Yield the mistakes of the player in a review, each with what the seat saw before it."""
    key, now, absent = done.subject.key, done.game.restarted(), done.subject.absent
    mistakes = {one.step: one for one in done.review.mistakes if one.hand not in absent}
    for step, (_, seat, action) in enumerate(done.game.moves):
        if step in mistakes:
            yield Puzzle(
                source=key.source,
                game=key.game,
                rules=now.rules.fingerprint,
                view=now.view(key.seat),
                decision=mistakes[step],
            )
        now.play(seat, action)


def mistake(card: str, puzzle: Puzzle, rules: Ruleset | None, language: terms.Language) -> Exercise:
    """Return the exercise of a card; its answer is explained only with ``rules``."""
    with terms.using(language), terms.with_pictures():
        view, actions = puzzle.view, _choices(puzzle)
        numbers = _numbers(view, rules, actions)
        reasons = sentences(puzzle.decision, rules, language) if rules else []
        return Exercise(
            kind="mistake",
            id=card,
            rules=puzzle.rules,
            man=rules.tiles.man if rules else "all",
            question=_question(view),
            facts=table_facts(view),
            view=without_answer(view),
            choices=[_choice(action, view, numbers) for action in actions],
            right=[actions.index(_plain(puzzle.decision.best))],
            why=(*_played_and_cost(puzzle), *reasons),
        )


def _plain(action: Action) -> Action:
    """Return the action without the choice between the drawn tile and an equal one."""
    return Discard(action.tile, riichi=action.riichi) if isinstance(action, Discard) else action


def _choices(puzzle: Puzzle) -> list[Action]:
    """Return the actions to choose from, discards first, with the best one even if it is not among them."""
    legal: Sequence[Action] = (*puzzle.view.legal, puzzle.decision.best, puzzle.decision.played)
    actions = list(dict.fromkeys(map(_plain, legal)))
    return sorted(actions, key=lambda action: not _is_discard(action))


def _is_discard(action: Action) -> bool:
    return isinstance(action, Discard) and action.riichi is None


def _numbers(view: View, rules: Ruleset | None, actions: Sequence[Action]) -> dict[int, str]:
    """Describe the hand after each discard, by kind."""
    if rules is None or not any(isinstance(action, Discard) for action in actions):
        return {}
    return {kind: describe(row) for kind, row in discard_numbers(view, rules).items()}


def _choice(action: Action, view: View, numbers: dict[int, str]) -> Choice:
    why = numbers.get(int(action.tile.kind), "") if isinstance(action, Discard) else ""
    if isinstance(action, Discard) and action.riichi is None:
        return Choice(tile=format_tiles([action.tile]), why=why)
    return Choice(text=_action(action, view), why=why)


def _question(view: View) -> str:
    if view.offered is None:
        return words("ask.mistake")
    source, tile = player(wind_of(view, view.offered.owner)), format_tiles([view.offered.tile])
    return words("ask.call", player=source, tile=tile)


def _played_and_cost(puzzle: Puzzle) -> Iterator[str]:
    """Yield what was played and what it cost."""
    yield words("why.played", action=_action(puzzle.decision.played, puzzle.view))
    if cost := round(puzzle.decision.loss / 100) * 100:
        yield words("why.cost", points=terms.counted(cost))


def _action(action: Action, view: View) -> str:
    """Return an action in words."""
    if isinstance(action, Discard):
        return words("say.riichi" if action.riichi else "say.discard", tile=format_tiles([action.tile]))
    tiles: Sequence[Tile] = getattr(action, "tiles", ())
    if isinstance(action, Kan):
        tiles = (action.tile,)
    elif isinstance(action, Pon) and view.offered is not None:
        kind = view.offered.tile % RED
        tiles = [TILES[kind + RED * (number < action.red)] for number in range(2)]
    name = terms.text(f"web.call.{action.type}")
    return words("say.other", action=name, tiles=format_tiles(tiles)) if tiles else name
