"""Requests in the JSON-lines format for the compiled scorer, and tables of test cases."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jantaku.adjudication.requests import WinRequest, win_from_request
from jantaku.adjudication.score import score
from jantaku.errors import HandError, RulesError
from jantaku.rules import Ruleset, load
from naive.adjudicate import answers

DATA = Path(__file__).parents[1] / "data"
SEATS = ("east", "south", "west", "north")
WIN_FIELDS = tuple(field.alias or name for name, field in WinRequest.model_fields.items())

Request = Mapping[str, Any]
Answer = dict[str, Any]


def full(request: Request) -> dict[str, Any]:
    """Complete a short request: a ron by South from North, or from East on the first turn."""
    by = request.get("by", "ron")
    discarder = "left" if request.get("first_turn") else "across"
    left_out = {
        "by": by, "from": discarder if by == "ron" else None, "round": "east", "seat": "south",
        "melds": [], "dora": "", "ura": "",
    }  # fmt: skip
    return left_out | dict(request)


def answer(request: Request, rules: Ruleset) -> Answer:
    """Return the answer of the compiled scorer, or the code of its error."""
    try:
        return score(win_from_request(request), rules).to_dict()
    except (HandError, RulesError) as error:
        return {"error": {"code": error.code}}


def agrees(answer: Answer, request: Request, rules: Ruleset) -> bool:
    """Return whether the oracle accepts the answer: readings of equal base points, han and fu are right."""
    return answer in answers(request, rules)


def summary(answer: Answer) -> str:
    """``2 han 30 fu 2000 riichi=1 pinfu=1 | 0 2000 0 -2000`` with the payments starting with East.

    A limit precedes the points, a yakuman replaces han and fu, and an error consists of its code alone.
    """
    if "error" in answer:
        return str(answer["error"]["code"])
    value = f"{answer['han']} han {answer['fu']} fu"
    if answer["yakuman"]:
        value = f"{answer['yakuman']} yakuman"
    elif answer["limit"]:
        value += f" {answer['limit']}"
    yaku = [f"{name}={han}" for name, han in answer["yaku"].items()]
    payments = [str(answer["payments"][seat]) for seat in SEATS if seat in answer["payments"]]
    return " ".join([value, str(answer["points"]), *yaku, "|", *payments])


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a tab-separated file in ``tests/data`` by column; ``#`` begins a comment."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    head, *rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [dict(zip(head, row, strict=True)) for row in rows]


def changed(rules: str, changes: str) -> Ruleset:
    """Return a preset with changes given as JSON; an empty string means none."""
    return load(rules).with_changes(json.loads(changes or "{}"))
