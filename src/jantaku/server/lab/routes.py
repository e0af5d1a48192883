"""Routes of the lab: asking questions and polling their answers."""

import asyncio
import importlib.util
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Literal, cast

from fastapi import Path
from pydantic import Field, TypeAdapter

from jantaku import terms
from jantaku.errors import JantakuError, RequestError
from jantaku.game.actions import parse, to_dict
from jantaku.hand import MAX_MELDS, ReadMeld, Wind
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.discards import HandQuestion, SeatPosition, known_position
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.names import Own, own_of
from jantaku.lab.experiment.plan import DECISION_S, Experiment, NamedRules, with_luck
from jantaku.lab.experiment.rows import ComparedRow, Kind, is_game_row, row_label
from jantaku.reading import MAX_TEXT
from jantaku.rules import load
from jantaku.rules.sheet import in_words, label
from jantaku.server.archive.routes import stored_game
from jantaku.server.edge.bodies import Done, Problem, RulesName, router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.lab.questions import LabQuestions, OpenQuestion, Task
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
)
from jantaku.server.rules.bodies import Toml
from jantaku.server.rules.pages import read_rules, rules_name
from jantaku.server.storage.people import PersonRow
from jantaku.server.tasks import reported
from jantaku.terms import Language
from jantaku.tiles import COPIES
from jantaku.wire import Wire

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Games = Annotated[int, Field(ge=2, le=1_000_000)]
Triple = Annotated[
    list[float], Field(min_length=3, max_length=3, description="Estimate, low and high of 95 %")
]
Order = Literal["place", "points", "final", "win", "deal_in"]


class RulesQuestionBody(Wire):
    """A question about how a rules file differs in play from a ruleset; ``games`` are played under each.

    ``luck``: play the same number again with one stronger bot, to see how often it wins.
    """

    toml: Toml
    against: RulesName
    games: Games
    luck: bool = False


class HandQuestionBody(Wire):
    """A question about the best discard. Omitted facts are unknown; docs/lab.md explains the rivers."""

    hand: Text
    melds: Annotated[tuple[ReadMeld, ...], Field(default_factory=tuple, max_length=MAX_MELDS)]
    rules: RulesName = "standard"
    games: Games
    by: Order = "place"
    round: Wind = "east"
    number: Annotated[int, Field(ge=1, le=MAX_SEATS)] = 1
    seat: Wind = "south"
    dora: Text = ""
    honba: Annotated[int, Field(ge=0, le=100)] = 0
    deposits: Annotated[int | None, Field(ge=0, le=100)] = None
    kita: Annotated[int, Field(ge=0, le=COPIES)] = 0
    scores: Annotated[list[int] | None, Field(max_length=MAX_SEATS)] = None
    turn: Annotated[int | None, Field(ge=1, le=24)] = None
    discards: Text = ""
    right: Text = ""
    across: Text = ""
    left: Text = ""


class MomentQuestionBody(Wire):
    """A question about the best discard for the acting seat at ``step`` of a finished or uploaded game."""

    source: Literal["games", "uploads"]
    game: Annotated[str, Field(max_length=64)]
    step: Annotated[int, Field(ge=0, le=100_000)]
    games: Games
    by: Order = "place"


class ChangedOption(Wire):
    """An option in which the rules differ, as text."""

    label: str
    before: str
    after: str


class LabRow(Wire):
    """A quantity before and after the change; ``clear``: the interval of the change excludes zero.

    ``whole``: it describes a whole game, such as its duration, computed with ``decision_s`` of the answer.
    The intervals of all changes hold simultaneously, and at any time while games are played.
    """

    group: str
    label: str
    kind: Kind
    before: Triple | None
    after: Triple | None
    change: Triple | None
    clear: bool
    whole: bool


class RulesAnswer(Wire):
    """Results so far of a question about rules."""

    names: list[str]
    changes: list[ChangedOption]
    findings: Annotated[list[str], Field(description="What the rows say, in sentences")]
    hands: int
    decision_s: float
    rows: list[LabRow]


class ChoiceRow(Wire):
    """A choice in a hand and its estimates (docs/lab.md).

    ``how``: discard, riichi, open, tsumo, ankan, kakan, kita or nine_terminals.
    """

    how: str
    tile: str | None
    win: Triple
    tsumo: Triple
    deal_in: Triple
    draw: Triple
    points: Triple
    place: Triple
    final: Triple
    against_best: dict[str, Triple] | None


class ChoicesAnswer(Wire):
    """Results so far of a question about a hand, best choice first."""

    rules_name: str
    by: Order
    choices: list[ChoiceRow]


class LabQuestion(Wire):
    """A question with its progress and results so far.

    ``ahead``: number of questions before it in the queue. ``stopped``: it was cancelled. ``failed``: see
    ``error``. ``games`` of ``wanted`` have been played.
    """

    id: str
    kind: Literal["rules", "hand"]
    state: Literal["waiting", "working", "done", "stopped", "failed"]
    ahead: int
    games: int
    wanted: int
    error: Problem | None
    rules: RulesAnswer | None
    hand: ChoicesAnswer | None


class LabQuestionRow(Wire):
    """A question in a list."""

    id: str
    kind: Literal["rules", "hand"]
    state: Literal["waiting", "working", "done", "stopped", "failed"]
    names: list[str]


class LabInfo(Wire):
    """Limits on games by kind of question, 0 if not offered; and the caller's questions."""

    rules_games: int
    hand_games: int
    questions: list[LabQuestionRow]


NOT_SHOWN: Final = ("action", "mean_win", "mean_deal_in")


def shown(questions: LabQuestions, question: OpenQuestion, language: Language) -> LabQuestion:
    """Build the response for a question with its results so far."""
    with terms.using(language):
        known, task = question.known, question.task
        failed = question.state == "failed"
        answered = not failed and "games" in known
        return LabQuestion.of(
            question,
            ahead=questions.ahead(question),
            games=known["games"] if answered else 0,
            wanted=task.games,
            error=_problem(known, language) if failed else None,
            rules=_rules(task, known, language) if isinstance(task, Experiment) else None,
            hand=_hand(task, known, language) if isinstance(task, HandQuestion) and answered else None,
        )


def row_of(question: OpenQuestion, language: Language) -> LabQuestionRow:
    """Build the list row of a question."""
    return LabQuestionRow.of(question, names=_names(question.task, language))


def _names(task: Experiment | HandQuestion, language: Language) -> list[str]:
    """Return the names of the rulesets in a question."""
    if isinstance(task, HandQuestion):
        return [rules_name(task.known.rules, language)]
    return [rules_name(task.rulesets[index].rules, language) for index in task.compared()]


def _problem(known: Mapping[str, Any], language: Language) -> Problem:
    """Return the reason why a question failed."""
    code, details = str(known["error"]), dict(known["details"])
    error: JantakuError = ServerError(code)
    if details:
        error = RequestError(code, field=str(details.pop("field", "")), **details)
    message = known.get("said", {}).get(language) or error.message(language)
    return Problem(code=code, message=message, field=str(error.details.get("field", "")))


def _rules(task: Experiment, known: Mapping[str, Any], language: Language) -> RulesAnswer:
    before, after = (task.rulesets[index].rules for index in task.compared())
    changes = [
        ChangedOption(
            label=label(path, rules=after), before=in_words(path, first), after=in_words(path, second)
        )
        for path, (first, second) in before.differences(after).items()
    ]
    own = own_of((before, after))
    rows = [_row(row) for row in known.get("rows", ())]
    return RulesAnswer(
        names=_names(task, language),
        changes=changes,
        findings=findings(rows, before, after),
        hands=known.get("hands", 0),
        decision_s=task.decision_s,
        rows=[_shown_row(row, own) for row in rows],
    )


def _row(values: Sequence[Any]) -> ComparedRow:
    """Convert a row from the worker's JSON."""
    group, name, kind, *estimates, clear = values
    before, after, change = (None if values is None else Estimate(*values) for values in estimates)
    return ComparedRow(group, name, kind, before, after, change, clear)


def _shown_row(row: ComparedRow, own: Own) -> LabRow:
    triples = {name: value and list(value) for name, value in zip(row._fields[3:6], row[3:6], strict=True)}
    named = row_label(row.group, row.name, own)
    return LabRow.of(row, label=named, whole=is_game_row(row.group, row.name), **triples)


def _hand(task: HandQuestion, known: Mapping[str, Any], language: Language) -> ChoicesAnswer:
    rows = [_choice(choice) for choice in known["choices"]]
    return ChoicesAnswer(rules_name=_names(task, language)[0], by=cast("Any", task.by), choices=rows)


def _choice(choice: Mapping[str, Any]) -> ChoiceRow:
    action = to_dict(parse(choice["action"]))
    how = action.get("riichi") or action.get("kind") or action["type"]
    estimates = {name: value for name, value in choice.items() if name not in NOT_SHOWN}
    return ChoiceRow(how=how, tile=action.get("tile"), **estimates)


Body = RulesQuestionBody | HandQuestionBody | MomentQuestionBody
READ: Final[TypeAdapter[Body]] = TypeAdapter(Body)
PLAIN: Final = ("round", "number", "seat", "dora", "honba", "deposits", "kita", "scores", "turn")
RIVERS: Final = ("discards", "right", "across", "left")


async def task_of(
    services: InjectedServices, user: PersonRow, holder: Principal, body: Body, language: Language
) -> Task:
    """Convert a request to a task for the lab; raise ``JantakuError`` for invalid questions."""
    if isinstance(body, RulesQuestionBody):
        return await _rules_task(services, holder, body)
    if isinstance(body, HandQuestionBody):
        return await _hand_task(services, body, language)
    game = await stored_game(services, body.source, body.game, user, holder)
    known = await asyncio.to_thread(game.position, body.step)
    return HandQuestion(known, body.games, by=body.by)


async def _rules_task(services: InjectedServices, holder: Principal, body: RulesQuestionBody) -> Experiment:
    before = await services.rulesets.find(body.against)
    after = load(await services.workers.run(holder, read_rules, body.toml))
    if before.fingerprint == after.fingerprint:
        raise RequestError("set_nothing", field="toml", value=body.against)
    if before.seats != after.seats:
        raise RequestError("lab_players", field="toml", name=after.id, first=before.id)
    named = NamedRules("before", before), NamedRules("after", after)
    decision_s = await services.games.decision_s() or DECISION_S
    played = with_luck(named) if body.luck else named
    return Experiment(played, ("standard",), body.games, decision_s=decision_s)


async def _hand_task(services: InjectedServices, body: HandQuestionBody, language: Language) -> HandQuestion:
    rules = await services.rulesets.find(body.rules)
    with terms.using(language):
        given = body.model_dump(include={*PLAIN, *RIVERS})
        position = SeatPosition.parse(body.hand, body.melds, **given)
    known = await asyncio.to_thread(known_position, position, rules)
    return HandQuestion(known, body.games, by=body.by)


async def take_over(services: InjectedServices) -> None:
    """Take over the questions of the previous leader; open ones restart, answers remain."""
    async with services.lab_inherited.turn:  # concurrent requests wait for all inherited questions
        for key, stored in services.lab_inherited.inherit().items():
            with reported("a lab question cannot be restarted"):
                await _restart(services, key, stored)


async def _restart(services: InjectedServices, key: str, stored: Mapping[str, Any]) -> None:
    holder, body = Principal(*stored["holder"]), READ.validate_python(stored["asked"])
    user = await services.accounts.find(holder.person)
    if user is not None:
        task = await task_of(services, user, holder, body, "en")
        known = {"state": stored["state"], "known": stored["known"]}
        services.lab.begin(OpenQuestion(holder, task, stored["asked"], key, **known))


router = router_of("/api/lab", "lab")
Id = Annotated[str, Path(max_length=64)]


@cache
def _has_polars() -> bool:
    return importlib.util.find_spec("polars") is not None


def _most(services: InjectedServices) -> tuple[int, int]:
    """Return the limits on games of questions about rules and about hands."""
    limits = services.settings.lab
    return (limits.rules_games if _has_polars() else 0), limits.hand_games


def _check(games: int, most: int) -> None:
    """Raise ``lab_off`` if the limit is 0, ``number_range`` if ``games`` exceeds it."""
    if most == 0:
        raise ServerError("lab_off")
    if games > most:
        raise RequestError("number_range", field="games", value=games, low=2, high=most)


@router.get("")
async def info(services: InjectedServices, user: OptionalUser, language: RequestLanguage) -> LabInfo:
    """Return the limits and the caller's questions."""
    rules_games, hand_games = _most(services)
    await take_over(services)
    mine = [] if user is None else services.lab.of(user.id)
    rows = [row_of(question, language) for question in mine]
    return LabInfo(rules_games=rules_games, hand_games=hand_games, questions=rows)


async def _ask(
    services: InjectedServices, user: PersonRow, holder: Principal, body: Body, language: Language
) -> LabQuestion:
    """Start or queue a question."""
    task = await task_of(services, user, holder, body, language)
    return shown(services.lab, services.lab.ask(holder, task, body.model_dump(mode="json")), language)


@router.post("/rules")
async def ask_about_rules(
    services: InjectedServices,
    user: Person,
    holder: Requester,
    language: RequestLanguage,
    body: RulesQuestionBody,
) -> LabQuestion:
    """Ask how a rules file differs in play from a ruleset."""
    _check(body.games, _most(services)[0])
    return await _ask(services, user, holder, body, language)


@router.post("/hand")
async def ask_about_hand(
    services: InjectedServices,
    user: Person,
    holder: Requester,
    language: RequestLanguage,
    body: HandQuestionBody,
) -> LabQuestion:
    """Ask which discard of a hand is best."""
    _check(body.games, _most(services)[1])
    return await _ask(services, user, holder, body, language)


@router.post("/moment")
async def ask_about_moment(
    services: InjectedServices,
    user: Person,
    holder: Requester,
    language: RequestLanguage,
    body: MomentQuestionBody,
) -> LabQuestion:
    """Ask which discard is best for the acting seat at a step of a game."""
    _check(body.games, _most(services)[1])
    return await _ask(services, user, holder, body, language)


@router.get("/questions/{question}")
async def question(
    services: InjectedServices, user: Person, language: RequestLanguage, question: Id
) -> LabQuestion:
    """Return one of the caller's questions."""
    await take_over(services)
    return shown(services.lab, services.lab.find(user.id, question), language)


@router.delete("/questions/{question}")
async def stop(services: InjectedServices, user: Person, question: Id) -> Done:
    """Stop one of the caller's questions; its results so far remain."""
    await services.lab.stop(services.lab.find(user.id, question))
    return Done()
