"""A question as its person sees it, in the person's language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from jantaku import terms
from jantaku.errors import JantakuError, RequestError
from jantaku.game.notation import parse, to_dict
from jantaku.lab.discards import HandQuestion
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.names import Local, local_of
from jantaku.lab.experiment.plan import Experiment
from jantaku.lab.experiment.rows import ComparedRow, is_whole, row_label
from jantaku.rules.sheet import in_words, label
from jantaku.server.edge.shared_bodies import Problem
from jantaku.server.errors import ServerError
from jantaku.server.lab import lab_bodies as bodies
from jantaku.server.lab.questions import LabQuestions, OpenQuestion
from jantaku.server.rules.rules_names import rules_name
from jantaku.terms import Language

NOT_SHOWN: Final = ("action", "mean_win", "mean_deal_in")


def shown(questions: LabQuestions, question: OpenQuestion, language: Language) -> bodies.LabQuestion:
    """The question with what is known so far."""
    with terms.using(language):
        known, task = question.known, question.task
        failed = question.state == "failed"
        answered = not failed and "games" in known
        return bodies.LabQuestion.of(
            question,
            ahead=questions.ahead(question),
            games=known["games"] if answered else 0,
            wanted=task.games,
            error=_problem(known, language) if failed else None,
            rules=_rules(task, known, language) if isinstance(task, Experiment) else None,
            hand=_hand(task, known, language) if isinstance(task, HandQuestion) and answered else None,
        )


def row_of(question: OpenQuestion, language: Language) -> bodies.LabQuestionRow:
    """The question in a list."""
    return bodies.LabQuestionRow.of(question, names=_names(question.task, language))


def _names(task: Experiment | HandQuestion, language: Language) -> list[str]:
    """The names of the rulesets that a question is about."""
    if isinstance(task, HandQuestion):
        return [rules_name(task.known.rules, language)]
    return [rules_name(task.rulesets[index].rules, language) for index in task.compared()]


def _problem(known: Mapping[str, Any], language: Language) -> Problem:
    """Why a question has failed, in words."""
    code, details = str(known["error"]), dict(known["details"])
    error: JantakuError = ServerError(code)
    if details:
        error = RequestError(code, field=str(details.pop("field", "")), **details)
    said = known.get("said", {}).get(language) or error.message(language)
    return Problem(code=code, message=said, field=str(error.details.get("field", "")))


def _rules(task: Experiment, known: Mapping[str, Any], language: Language) -> bodies.RulesAnswer:
    before, after = (task.rulesets[index].rules for index in task.compared())
    changes = [
        bodies.ChangedOption(
            label=label(path, rules=after), before=in_words(path, first), after=in_words(path, second)
        )
        for path, (first, second) in before.differences(after).items()
    ]
    local = local_of((before, after))
    rows = [_row(row) for row in known.get("rows", ())]
    return bodies.RulesAnswer(
        names=_names(task, language),
        changes=changes,
        findings=findings(rows, before, after),
        hands=known.get("hands", 0),
        decision_s=task.decision_s,
        rows=[_shown_row(row, local) for row in rows],
    )


def _row(values: Sequence[Any]) -> ComparedRow:
    """A row as the worker's line has it."""
    group, name, kind, *estimates, clear = values
    before, after, change = (None if values is None else Estimate(*values) for values in estimates)
    return ComparedRow(group, name, kind, before, after, change, clear)


def _shown_row(row: ComparedRow, local: Local) -> bodies.LabRow:
    triples = {name: value and list(value) for name, value in zip(row._fields[3:6], row[3:6], strict=True)}
    named = row_label(row.group, row.name, local)
    return bodies.LabRow.of(row, label=named, whole=is_whole(row.group, row.name), **triples)


def _hand(task: HandQuestion, known: Mapping[str, Any], language: Language) -> bodies.ChoicesAnswer:
    rows = [_choice(choice) for choice in known["choices"]]
    return bodies.ChoicesAnswer(rules_name=_names(task, language)[0], by=cast("Any", task.by), choices=rows)


def _choice(choice: Mapping[str, Any]) -> bodies.ChoiceRow:
    action = to_dict(parse(choice["action"]))
    how = action.get("riichi") or action.get("kind") or action["type"]
    estimates = {name: value for name, value in choice.items() if name not in NOT_SHOWN}
    return bodies.ChoiceRow(how=how, tile=action.get("tile"), **estimates)
