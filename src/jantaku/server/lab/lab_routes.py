"""The lab: ask what a change of rules does or which discard is best, look at what is known, and stop it."""

import asyncio
import importlib.util
from functools import cache
from typing import Annotated

from fastapi import Path

from jantaku import terms
from jantaku.adjudication.requests import melds_from_request
from jantaku.errors import RequestError
from jantaku.fields import Fields
from jantaku.lab.discards import HandQuestion, SeatPosition, known_position
from jantaku.lab.experiment.plan import DECISION_S, Experiment, NamedRules, with_luck
from jantaku.rules import load
from jantaku.server.archive.game_routes import stored_game
from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.lab import lab_bodies as bodies
from jantaku.server.lab.lab_kit import AtLab, LabKit
from jantaku.server.lab.questions_shown import row_of, shown
from jantaku.server.people.asking import Asking, Person, RequestLanguage, Whoever
from jantaku.server.rules.rules_jobs import read_rules

router = router_of("/api/lab", "lab")
Id = Annotated[str, Path(max_length=64)]
PLAIN = ("round", "number", "seat", "dora", "honba", "deposits", "kita", "scores", "turn")
RIVERS = ("discards", "right", "across", "left")


@cache
def _has_polars() -> bool:
    return importlib.util.find_spec("polars") is not None


def _most(kit: LabKit) -> tuple[int, int]:
    """The most games of a question about rules and about a hand."""
    limits = kit.services.settings.lab
    return (limits.rules_games if _has_polars() else 0), limits.hand_games


def _check(games: int, most: int) -> None:
    """Raise ``lab_off`` or ``number_range`` if so many games are too many."""
    if most == 0:
        raise ServerError("lab_off")
    if games > most:
        raise RequestError("number_range", field="games", value=games, low=2, high=most)


@router.get("")
async def info(kit: AtLab, who: Whoever, language: RequestLanguage) -> bodies.LabInfo:
    """What this server allows, and my questions."""
    rules_games, hand_games = _most(kit)
    mine = [] if who is None else kit.questions.of(who.id)
    rows = [row_of(question, language) for question in mine]
    return bodies.LabInfo(rules_games=rules_games, hand_games=hand_games, questions=rows)


@router.post("/rules")
async def ask_about_rules(
    kit: AtLab, _: Person, holder: Asking, language: RequestLanguage, body: bodies.RulesQuestionBody
) -> bodies.LabQuestion:
    """Ask what a rules file changes against a ruleset."""
    _check(body.games, _most(kit)[0])
    before = await kit.services.rulesets.find(body.against)
    after = load(await kit.workers.run(holder, read_rules, body.toml))
    if before.fingerprint == after.fingerprint:
        raise RequestError("set_nothing", field="toml", value=body.against)
    if before.seats != after.seats:
        raise RequestError("lab_players", field="toml", name=after.id, first=before.id)
    named = NamedRules("before", before), NamedRules("after", after)
    decision_s = await kit.services.games.decision_s() or DECISION_S
    played = with_luck(named) if body.luck else named
    task = Experiment(played, ("standard",), body.games, decision_s=decision_s)
    return shown(kit.questions, kit.questions.ask(holder, task), language)


@router.post("/hand")
async def ask_about_hand(
    kit: AtLab, _: Person, holder: Asking, language: RequestLanguage, body: bodies.HandQuestionBody
) -> bodies.LabQuestion:
    """Ask which discard of a hand is best."""
    _check(body.games, _most(kit)[1])
    rules = await kit.services.rulesets.find(body.rules)
    laid = body.model_dump(include={"melds"}, by_alias=True, exclude_none=True)
    with terms.using(language):
        melds = melds_from_request(Fields(laid, ("melds",)))
        given = body.model_dump(include={*PLAIN, *RIVERS})
        position = SeatPosition.parse(body.hand, melds, **given)
    known = await asyncio.to_thread(known_position, position, rules)
    task = HandQuestion(known, body.games, by=body.by)
    return shown(kit.questions, kit.questions.ask(holder, task), language)


@router.post("/moment")
async def ask_about_moment(
    kit: AtLab, who: Person, holder: Asking, language: RequestLanguage, body: bodies.MomentQuestionBody
) -> bodies.LabQuestion:
    """Ask which discard is best at a moment of a game, for the seat that acts."""
    _check(body.games, _most(kit)[1])
    game = await stored_game(kit, body.source, body.game, who, holder)
    known = await asyncio.to_thread(game.position, body.step)
    task = HandQuestion(known, body.games, by=body.by)
    return shown(kit.questions, kit.questions.ask(holder, task), language)


@router.get("/questions/{question}")
async def question(kit: AtLab, who: Person, language: RequestLanguage, question: Id) -> bodies.LabQuestion:
    """One of my questions."""
    return shown(kit.questions, kit.questions.find(who.id, question), language)


@router.delete("/questions/{question}")
async def stop(kit: AtLab, who: Person, question: Id) -> Done:
    """Stop working on a question of mine; what is known so far stays."""
    await kit.questions.stop(kit.questions.find(who.id, question))
    return Done()
