"""Exercises about moments of a game: what to discard, which tiles are safe, and whether a seat may win."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from jantaku import terms
from jantaku.adjudication.analysis import DiscardChoice, best_discards
from jantaku.adjudication.explain import explain
from jantaku.adjudication.explanation import Explanation
from jantaku.adjudication.score import Score
from jantaku.bots import bot, danger
from jantaku.bots.chance import new_source
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STRONG
from jantaku.bots.review.safety import safety
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.game import Action, Discard, Game, Pass, Ron
from jantaku.game.actions import decode
from jantaku.game.engine import context, wall_left
from jantaku.game.events import Won
from jantaku.game.view import Offered, View, waits_of
from jantaku.game.why import reason
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.seats import others
from jantaku.server.study import exercises
from jantaku.server.study.exercises import (
    MAX_PASSED,
    Choice,
    Exercise,
    Maker,
    SeededKind,
    chance,
    found,
    games,
    player,
    sticks,
    tile_choices,
    wind_of,
    winds,
    words,
)
from jantaku.tiles import HONOURS, NORTH, TILES, Tile, format_tiles

OFTEN: Final = ("may", "furiten_discard")
OUTCOMES: Final = ("may", "not_complete", "no_yaku", "furiten_discard")
NEAR: Final = 3  # tiles this near a wait may seem to complete the hand


def table_facts(view: View) -> list[str]:
    """Return the round, the seat's wind and the sticks."""
    return [winds(view.round, wind_of(view, view.seat)), *sticks(view.honba, view.deposits)]


def without_answer(view: View) -> View:
    """Return the view without what would give the answer away."""
    return replace(view, legal=(), fouls=(), waits=(), furiten=None)


# May the seat win on a discard?


class _Case(NamedTuple):
    """A discard of ``source`` that ``seat`` may win on, or the code of the reason why not."""

    game: Game
    seat: int
    source: int
    tile: Tile
    left: int
    code: str


def _discarded(rules: Ruleset, seed: int) -> Iterator[_Case]:
    """Yield the discards of bot games that complete or nearly complete a hand; the game is at this moment."""
    for game in games(rules, seed):
        chooser = bot("efficient", seed)
        while not game.is_over:
            source, hand, left = game.to_act[0], len(game.walls), wall_left(game.record)
            action = chooser.choose(game, source)
            game.play(source, action)
            if not isinstance(action, Discard) or game.is_over or len(game.walls) != hand:
                continue
            for seat in others(source, len(game.seats)):
                if _is_near(game, seat, action.tile.kind):
                    code = reason(game, seat, "ron").code
                    if game.view(seat).furiten and not code.startswith("furiten"):
                        continue  # two answers would be right
                    yield _Case(game, seat, source, action.tile, left, code)


def _is_near(game: Game, seat: int, kind: int) -> bool:
    waited = waits_of(game.record, seat)
    return any(
        int(wait) == kind
        or (max(wait, kind) < HONOURS and wait // 9 == kind // 9 and abs(wait - kind) <= NEAR)
        for wait in waited
    )


def _ron(kind: SeededKind, outcomes: tuple[str, ...]) -> Maker:
    """Return the maker of exercises with these outcomes, each about equally often if games have them."""

    def make(rules: Ruleset, seed: int) -> Exercise:
        wanted = chance(seed).choice(outcomes)
        other = None
        for case in _discarded(rules, seed):
            if case.code == wanted:
                return _asked(case, kind, outcomes, seed)
            if other is None and case.code in outcomes:
                other = _asked(case, kind, outcomes, seed)
        return found([other] if other else [])

    return make


def _asked(case: _Case, kind: SeededKind, outcomes: tuple[str, ...], seed: int) -> Exercise:
    game, seat, source, tile, left, code = case
    whole = game.view(seat)
    view = replace(
        without_answer(whole), drawn=None, turn=source, wall_left=left, offered=Offered(TILES[tile], source)
    )
    waited = format_tiles(waits_of(game.record, seat))
    why = [] if code == "may" else [reason(game, seat, "ron").text(), words("why.waits", tiles=waited)]
    return Exercise(
        kind=kind,
        id=str(seed),
        rules=game.rules.id,
        man=game.rules.tiles.man,
        question=words("ask.ron", player=player(wind_of(view, source)), tile=format_tiles([tile])),
        facts=table_facts(view),
        view=view,
        choices=[Choice(text=words(f"say.{outcome}")) for outcome in outcomes],
        right=[outcomes.index(code)],
        why=tuple(why),
        explanation=_worth(game, seat) if code == "may" else None,
    )


def _worth(game: Game, seat: int) -> Explanation | None:
    """Explain the ron that ``seat`` may call now."""
    played = game.copy()
    claims: list[tuple[int, Action]] = [(other, Pass()) for other in played.to_act if other != seat]
    events = [event for other, action in [*claims, (seat, Ron())] for event in played.play(other, action)]
    scores = [event.score for event in events if isinstance(event, Won) and isinstance(event.score, Score)]
    return explain(scores[0], terms.current()) if scores else None


# Which tiles are safe against a riichi?

LIVE: Final = 3  # least number of kinds that are not safe


def safe_tiles(rules: Ruleset, seed: int) -> Exercise:
    """Ask which tiles of the hand an opponent in riichi certainly cannot win on."""
    return found(_under_riichi(rules, seed))


def _under_riichi(rules: Ruleset, seed: int) -> Iterator[Exercise]:
    passed = chance(seed).randrange(MAX_PASSED)
    for game, seat in _discards(rules, seed):
        view = game.view(seat)
        opponent = next((other for other in others(seat, len(game.seats)) if view.riichi[other]), None)
        if opponent is None:
            continue
        rows = sorted(safety(view, rules, opponent), key=lambda row: row.tile)
        certain = [i for i, row in enumerate(rows) if row.certain]
        if (
            not certain
            or len(rows) - len(certain) < 3
            or not any(row.safe and not row.certain for row in rows)
        ):
            continue
        if passed:
            passed -= 1
            continue
        called = player(wind_of(view, opponent))
        why = {int(row.tile): row.sentence(called) for row in rows}
        yield Exercise(
            kind="safe",
            id=str(seed),
            rules=rules.id,
            man=rules.tiles.man,
            question=words("ask.safe", player=called),
            facts=table_facts(view),
            view=without_answer(view),
            choices=tile_choices(why),
            several=True,
            right=certain,
        )


def _discards(rules: Ruleset, seed: int, level: str = "standard") -> Iterator[tuple[Game, int]]:
    """Yield bot games before decisions in which a seat not in riichi chooses among many discards."""
    for game in games(rules, seed):
        chooser = bot(level, seed)
        while not game.is_over:
            seat = game.to_act[0]
            kinds = {action.tile.kind for action in game.legal(seat) if isinstance(action, Discard)}
            if len(kinds) > 6 and not game.record.riichi[seat]:
                yield game, seat
            game.play(seat, chooser.choose(game, seat))


# What to discard


MARGIN: Final = 8.0  # on the scale of the bot's weights; three in ten decisions have it
EARLY: Final = 3  # first discards, which are rarely a question
MORE_TILES: Final = 2
LESS_RISK: Final = 100.0  # points
SHOWN_RISK: Final = 30.0  # points


def what_to_discard(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the discard of the bot ``strong`` where it is clearly ahead for reasons that can be told."""
    return found(_clear(rules, seed))


def _clear(rules: Ruleset, seed: int) -> Iterator[Exercise]:
    work = new_bot_workspace(new_source(0), rules)
    passed = chance(seed).randrange(MAX_PASSED)
    for game, seat in _discards(rules, seed, "strong"):
        if game.record.discards[seat] < EARLY:
            continue
        ranked = _ranked(game, seat, work)
        if len(ranked) < 2 or ranked[0][0] - ranked[1][0] < MARGIN:
            continue
        best, second = ranked[0][1], ranked[1][1]
        numbers = discard_numbers(game.view(seat), rules)
        risks = {int(kind): cost for kind, cost in danger(game, seat).items()}
        why = _compared(numbers, risks, best, second)
        lowest = min(row.shanten for row in numbers.values())
        if not why or sum(row.shanten == lowest for row in numbers.values()) < 2:
            continue
        if len({tile for tile in game.view(seat).own.tiles if tile.kind == best}) > 1:
            continue  # only one of a red tile and a plain one is right
        if passed:
            passed -= 1
            continue
        view, kinds = game.view(seat), sorted(numbers)
        described = {kind: describe(numbers[kind], risks.get(kind, 0.0)) for kind in kinds}
        pair = {"tile": format_tiles([Tile(best)]), "other": terms.tile_text(format_tiles([Tile(second)]))}
        yield Exercise(
            kind="discard",
            id=str(seed),
            rules=rules.id,
            man=rules.tiles.man,
            question=words("ask.discard"),
            facts=table_facts(view),
            view=without_answer(view),
            choices=tile_choices(described),
            right=[kinds.index(best)],
            why=(words("why.bot", bot=terms.text("web.bot.name.strong"), **pair), *why),
        )


def _ranked(game: Game, seat: int, work: BotWorkspace) -> list[tuple[float, int]]:
    """Return the weight and kind of each discard, highest first; empty if the bot does something else."""
    room = context(game.rules.tiles.man)
    code = DECISION.call(game.array, seat, STRONG, rules_record(game.rules), room, work)
    best = decode(int(code), game.claimed)
    legal = {action.tile.kind for action in game.legal(seat) if isinstance(action, Discard)}
    ranked = sorted(((float(work.utility[kind]), int(kind)) for kind in legal), reverse=True)
    return ranked if isinstance(best, Discard) and ranked[0][1] == best.tile.kind else []


def discard_numbers(view: View, rules: Ruleset) -> dict[int, DiscardChoice]:
    """Return the shanten and the improving tiles after each discard, by kind."""
    known = [*view.indicators]
    for seat in range(len(view.scores)):
        known += [discard.tile for discard in view.rivers[seat] if not discard.called]
        if seat != view.seat:
            known += [tile for meld in view.melds[seat] for tile in meld.tiles]
            known += [TILES[NORTH]] * view.kita[seat] + [*(view.shown[seat] or ())]
    rows = best_discards(view.own, known, rules.tiles.man, view.kita[view.seat], rules.draw.wait_in_melds)
    return {int(row.tile): row for row in rows}


def _compared(
    numbers: dict[int, DiscardChoice], risks: dict[int, float], best: int, second: int
) -> list[str]:
    """Say by which numbers the best discard is ahead of the second; empty if by none."""
    one, other = numbers[best], numbers[second]
    tiles = {"tile": format_tiles([one.tile]), "other": terms.tile_text(format_tiles([other.tile]))}
    sentences = []
    if one.shanten < other.shanten:
        sentences.append(words("why.nearer", **tiles))
    elif one.shanten == other.shanten and one.copies - other.copies >= MORE_TILES:
        sentences.append(words("why.more", count=one.copies - other.copies, **tiles))
    saved = risks.get(second, 0.0) - risks.get(best, 0.0)
    if saved >= LESS_RISK:
        sentences.append(words("why.safer", points=terms.counted(round(saved / 10) * 10), **tiles))
    return sentences


def describe(row: DiscardChoice, risk: float = 0.0) -> str:
    """Describe the hand after a discard, and its ``risk`` in points."""
    if row.shanten:
        shanten = words("why.shanten", count=row.shanten)
        text = words("why.after", shanten=shanten, count=row.copies)
    else:
        text = words("why.tenpai", count=row.copies)
    more = words("why.danger", points=terms.counted(round(risk / 10) * 10)) if risk >= SHOWN_RISK else ""
    return terms.paragraph([text, more])


ALL: Final[dict[str, Maker]] = {
    **exercises.MAKERS,
    "discard": what_to_discard,
    "safe": safe_tiles,
    "can_win": _ron("can_win", OUTCOMES),
    "furiten": _ron("furiten", OFTEN),
}


def exercise(kind: SeededKind, seed: int, rules: Ruleset, language: terms.Language) -> Exercise:
    """Return the exercise of a kind with a seed; raises ``no_exercise`` if these rules have none."""
    with terms.using(language), terms.with_pictures():
        return ALL[kind](rules, seed)
