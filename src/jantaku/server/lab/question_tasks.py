"""What the lab is to work out, for each kind of question."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from jantaku import terms
from jantaku.adjudication.requests import melds_from_request
from jantaku.errors import RequestError
from jantaku.fields import Fields
from jantaku.lab.discards import HandQuestion, SeatPosition, known_position
from jantaku.lab.experiment.plan import DECISION_S, Experiment, NamedRules, with_luck
from jantaku.rules import load
from jantaku.server.archive.game_routes import stored_game
from jantaku.server.edge.holdings import Holder
from jantaku.server.lab import lab_bodies as bodies
from jantaku.server.lab.lab_kit import LabKit
from jantaku.server.lab.questions import OpenQuestion, Task
from jantaku.server.rules.rules_jobs import read_rules
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.tasks import reported
from jantaku.terms import Language

Body = bodies.RulesQuestionBody | bodies.HandQuestionBody | bodies.MomentQuestionBody
READ: Final[TypeAdapter[Body]] = TypeAdapter(Body)
PLAIN: Final = ("round", "number", "seat", "dora", "honba", "deposits", "kita", "scores", "turn")
RIVERS: Final = ("discards", "right", "across", "left")


async def task_of(kit: LabKit, who: PersonRow, holder: Holder, body: Body, language: Language) -> Task:
    """What is to be worked out. Raises what is wrong with the question."""
    if isinstance(body, bodies.RulesQuestionBody):
        return await _of_rules(kit, holder, body)
    if isinstance(body, bodies.HandQuestionBody):
        return await _of_hand(kit, body, language)
    game = await stored_game(kit, body.source, body.game, who, holder)
    known = await asyncio.to_thread(game.position, body.step)
    return HandQuestion(known, body.games, by=body.by)


async def _of_rules(kit: LabKit, holder: Holder, body: bodies.RulesQuestionBody) -> Experiment:
    before = await kit.services.rulesets.find(body.against)
    after = load(await kit.workers.run(holder, read_rules, body.toml))
    if before.fingerprint == after.fingerprint:
        raise RequestError("set_nothing", field="toml", value=body.against)
    if before.seats != after.seats:
        raise RequestError("lab_players", field="toml", name=after.id, first=before.id)
    named = NamedRules("before", before), NamedRules("after", after)
    decision_s = await kit.services.games.decision_s() or DECISION_S
    played = with_luck(named) if body.luck else named
    return Experiment(played, ("standard",), body.games, decision_s=decision_s)


async def _of_hand(kit: LabKit, body: bodies.HandQuestionBody, language: Language) -> HandQuestion:
    rules = await kit.services.rulesets.find(body.rules)
    laid = body.model_dump(include={"melds"}, by_alias=True, exclude_none=True)
    with terms.using(language):
        melds = melds_from_request(Fields(laid, ("melds",)))
        given = body.model_dump(include={*PLAIN, *RIVERS})
        position = SeatPosition.parse(body.hand, melds, **given)
    known = await asyncio.to_thread(known_position, position, rules)
    return HandQuestion(known, body.games, by=body.by)


async def take_over(kit: LabKit) -> None:
    """Go on with what the steward before worked on: open questions begin anew, answers stay."""
    async with kit.inherited.turn:  # whoever asks meanwhile finds all of them
        for key, said in kit.inherited.take().items():
            with reported("a question to the lab cannot begin anew"):
                await _begin_anew(kit, key, said)


async def _begin_anew(kit: LabKit, key: str, said: Mapping[str, Any]) -> None:
    holder, body = Holder(*said["holder"]), READ.validate_python(said["asked"])
    who = await kit.services.accounts.find(holder.person)
    if who is not None:
        task = await task_of(kit, who, holder, body, "en")
        known = {"state": said["state"], "known": said["known"]}
        kit.questions.begin(OpenQuestion(holder, task, said["asked"], key, **known))
