"""The lab: ask what a change of rules does or which discard is best, look at what is known, and stop it."""

import importlib.util
from functools import cache
from typing import Annotated

from fastapi import Path

from jantaku.errors import RequestError
from jantaku.server.edge.holdings import Holder
from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.lab import lab_bodies as bodies
from jantaku.server.lab.lab_kit import AtLab, LabKit
from jantaku.server.lab.question_tasks import Body, take_over, task_of
from jantaku.server.lab.questions_shown import row_of, shown
from jantaku.server.people.asking import Asking, Person, RequestLanguage, Whoever
from jantaku.server.storage.accounts import PersonRow
from jantaku.terms import Language

router = router_of("/api/lab", "lab")
Id = Annotated[str, Path(max_length=64)]


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
    await take_over(kit)
    mine = [] if who is None else kit.questions.of(who.id)
    rows = [row_of(question, language) for question in mine]
    return bodies.LabInfo(rules_games=rules_games, hand_games=hand_games, questions=rows)


async def _ask(
    kit: LabKit, who: PersonRow, holder: Holder, body: Body, language: Language
) -> bodies.LabQuestion:
    """Begin a question, or let it wait."""
    task = await task_of(kit, who, holder, body, language)
    return shown(kit.questions, kit.questions.ask(holder, task, body.model_dump(mode="json")), language)


@router.post("/rules")
async def ask_about_rules(
    kit: AtLab, who: Person, holder: Asking, language: RequestLanguage, body: bodies.RulesQuestionBody
) -> bodies.LabQuestion:
    """Ask what a rules file changes against a ruleset."""
    _check(body.games, _most(kit)[0])
    return await _ask(kit, who, holder, body, language)


@router.post("/hand")
async def ask_about_hand(
    kit: AtLab, who: Person, holder: Asking, language: RequestLanguage, body: bodies.HandQuestionBody
) -> bodies.LabQuestion:
    """Ask which discard of a hand is best."""
    _check(body.games, _most(kit)[1])
    return await _ask(kit, who, holder, body, language)


@router.post("/moment")
async def ask_about_moment(
    kit: AtLab, who: Person, holder: Asking, language: RequestLanguage, body: bodies.MomentQuestionBody
) -> bodies.LabQuestion:
    """Ask which discard is best at a moment of a game, for the seat that acts."""
    _check(body.games, _most(kit)[1])
    return await _ask(kit, who, holder, body, language)


@router.get("/questions/{question}")
async def question(kit: AtLab, who: Person, language: RequestLanguage, question: Id) -> bodies.LabQuestion:
    """One of my questions."""
    await take_over(kit)
    return shown(kit.questions, kit.questions.find(who.id, question), language)


@router.delete("/questions/{question}")
async def stop(kit: AtLab, who: Person, question: Id) -> Done:
    """Stop working on a question of mine; what is known so far stays."""
    await kit.questions.stop(kit.questions.find(who.id, question))
    return Done()
