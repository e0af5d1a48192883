"""``jantaku review``: the mistakes in a recorded game, what they cost, and why."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jantaku.cli.command import RULES, AsJson, MaybeNumber
from jantaku.cli.console import heading, indented, out, progress, rules_named, words
from jantaku.errors import JantakuError, RequestError, wrong_choice
from jantaku.seats import hand_name
from jantaku.terms import counted, signed, text

if TYPE_CHECKING:
    from jantaku.bots.judge import Judge
    from jantaku.bots.review import Review
    from jantaku.game import Game

STRONG = "strong"
JUDGES = (STRONG, "mjai:COMMAND", "mjai:lines:COMMAND")


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    judge: Annotated[str, typer.Option(metavar="JUDGE")] = STRONG,
    seat: MaybeNumber = None,
    rules: Annotated[str | None, RULES] = None,
    as_json: AsJson = False,
) -> int:
    """Print the mistakes of each seat, what they cost, and why."""
    from jantaku.records.formats import read_record

    record = read_record(file, rules_named(rules) if rules else None)
    game = record.game
    if seat is not None and seat not in game.seats:
        raise RequestError("number_range", field="--seat", value=seat, low=0, high=game.seats[-1])
    found: list[Review] = []
    failure: JantakuError | None = None
    with ExitStack() as stack:
        by = _judge_named(judge, stack)
        try:
            found.extend(_deepest(game, number, by) for number in ([*game.seats] if seat is None else [seat]))
        except JantakuError as error:  # the seats so far are printed first
            failure = error
    if as_json:
        _print_json(found, failure)
    else:
        for one in found:
            _print(game, record.names, one)
    if failure is not None:
        raise failure
    return 0


def _judge_named(name: str, stack: ExitStack) -> "Judge":
    """Return the judge with that name; the stack closes it. Raises ``RequestError`` for an unknown name."""
    from jantaku.bots.mjai import MJAI, ProgramJudge
    from jantaku.bots.policy_judge import PolicyJudge

    if name == STRONG:
        return PolicyJudge()
    if not name.startswith(MJAI):
        raise wrong_choice("--judge", name, JUDGES)
    return stack.enter_context(ProgramJudge(name.removeprefix(MJAI)))


def _deepest(game: "Game", seat: int, judge: "Judge") -> "Review":
    """Return the final review of a seat, with a progress bar."""
    from jantaku.bots.review import reviews

    with progress() as bar:
        task = bar.add_task(words("review.working", seat=seat), total=1.0)
        for latest in reviews(game, seat, judge):
            bar.update(task, completed=latest.progress)
    return latest


def _print_json(found: "list[Review]", failure: JantakuError | None) -> None:
    from jantaku.bots.review.model import to_dict

    plain: dict[str, Any] = {"reviews": [to_dict(one) for one in found]}
    out().print_json(json.dumps(plain | {"error": failure and failure.message()}))


def _print(game: "Game", names: tuple[str, ...], review: "Review") -> None:
    from jantaku.bots.review.words import sentences
    from jantaku.game.events import HandStarted

    hands = [
        hand_name(event.number, event.honba, len(game.seats))
        for event in game.events
        if isinstance(event, HandStarted)
    ]
    name = names[review.seat] if review.seat < len(names) else str(review.seat)
    out().print(heading(words("review.title", name=name, mistakes=len(review.mistakes))))
    if review.luck is not None and review.result is not None:
        numbers = {"result": review.result, "cost": -review.cost, "luck": review.luck}
        shown = {key: signed(round(value)) for key, value in numbers.items()}
        out().print(words("review.sum", **shown), markup=False)
    for one in review.mistakes:
        assert one.compared is not None
        kind = text(f"review.kinds.{one.mistake}")
        loss, low, high = (counted(round(value)) for value in (one.loss, one.compared.low, one.compared.high))
        chosen = {"played": str(one.played), "best": str(one.best)}
        line = words(
            "review.mistake", hand=hands[one.hand], kind=kind, loss=loss, low=low, high=high, **chosen
        )
        out().print(line, markup=False)
        for sentence in sentences(one, game.rules):
            out().print(indented(sentence))
