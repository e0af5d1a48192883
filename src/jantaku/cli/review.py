"""``jantaku review``: compare the decisions of a recorded game with those of a judge."""

import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jantaku.cli.command import RULES, AsJson, MaybeNumber
from jantaku.cli.console import add_row, out, rules_named, table, words
from jantaku.errors import JantakuError, RequestError, wrong_choice
from jantaku.seats import hand_name
from jantaku.terms import counted, signed

if TYPE_CHECKING:
    from jantaku.bots.judge import Judge
    from jantaku.bots.review import ReviewedDecision
    from jantaku.game import Game

JUDGES = ("standard", "mjai:COMMAND", "mjai:lines:COMMAND")


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    judge: Annotated[str, typer.Option(metavar="JUDGE")] = "standard",
    seat: MaybeNumber = None,
    rules: Annotated[str | None, RULES] = None,
    as_json: AsJson = False,
) -> int:
    """Print the decisions that differ from the judge's, and the agreement of each seat."""
    from jantaku.bots.review import decisions
    from jantaku.records.formats import read_record

    record = read_record(file, rules_named(rules) if rules else None)
    game = record.game
    if seat is not None and seat not in game.seats:
        raise RequestError("number_range", field="--seat", value=seat, low=0, high=game.seats[-1])
    reviewed: list[ReviewedDecision] = []
    failure: JantakuError | None = None
    with ExitStack() as stack:
        rating = _judge_named(judge, stack)
        try:
            reviewed.extend(decisions(game, rating, None if seat is None else {seat}))
        except JantakuError as error:  # the decisions so far are printed first
            failure = error
    if as_json:
        plain = {"judge": judge, "decisions": [_plain(decision) for decision in reviewed]}
        out().print_json(json.dumps(plain | {"error": failure and failure.message()}))
    else:
        _print(game, record.names, reviewed)
    if failure is not None:
        raise failure
    return 0


def _judge_named(name: str, stack: ExitStack) -> "Judge":
    """Return the judge with that name; the stack closes it. Raises ``RequestError`` for an unknown name."""
    from jantaku.bots.mjai import MJAI, ProgramJudge
    from jantaku.bots.standard_judge import StandardJudge

    if name == "standard":
        return StandardJudge()
    if not name.startswith(MJAI):
        raise wrong_choice("--judge", name, JUDGES)
    return stack.enter_context(ProgramJudge(name.removeprefix(MJAI)))


def _plain(decision: "ReviewedDecision") -> dict[str, Any]:
    return asdict(decision) | {"played": str(decision.played), "best": str(decision.best)}


def _print(game: "Game", names: tuple[str, ...], reviewed: "list[ReviewedDecision]") -> None:
    from jantaku.game.events import HandStarted

    hands = [
        hand_name(event.number, event.honba, len(game.seats))
        for event in game.events
        if isinstance(event, HandStarted)
    ]
    titles = [words(f"review.{name}") for name in ("hand", "seat", "played", "best", "loss")]
    rows = table(*titles, right=(1, 4))
    for decision in reviewed:
        if not decision.same:
            chosen = str(decision.played), str(decision.best)
            add_row(rows, hands[decision.hand], str(decision.seat), *chosen, _loss(decision))
    out().print(rows)
    for seat in sorted({decision.seat for decision in reviewed}):
        own = [decision for decision in reviewed if decision.seat == seat]
        same = sum(decision.same for decision in own)
        name = names[seat] if seat < len(names) else str(seat)
        out().print(words("review.same", name=name, same=same, count=len(own)), markup=False)
    out().print(words("review.units" if _in_points(reviewed) else "review.own_scale"), style="dim")


def _in_points(reviewed: "list[ReviewedDecision]") -> bool:
    return all(decision.unit == "points" for decision in reviewed)


def _loss(decision: "ReviewedDecision") -> str:
    if decision.loss is None:
        return "–"
    return counted(round(decision.loss)) if decision.unit == "points" else signed(decision.loss, 2)
