"""Test the guarantees of the language with random conditions; ``research.random_conditions`` runs this."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from jantaku import Ruleset, Win, load, terms
from jantaku.adjudication.explain import explain
from jantaku.adjudication.jsonl import answer
from jantaku.adjudication.own_trial import example_win, judged, try_yaku
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score, score_records
from jantaku.adjudication.win_records import win_records
from jantaku.booklet import FORMATS, PAPERS, booklet
from jantaku.bots import bot
from jantaku.cli.app import app
from jantaku.errors import HandError, RulesError, RulesFileError
from jantaku.game import Game
from jantaku.rules.own import MAX_TEXT, program, read
from jantaku.rules.own.codes import MAX_STEPS, MAX_STEPS_TOGETHER
from jantaku.rules.own_yaku import MAX_OWN
from naive.generate import random_wins
from support.own_conditions import disagreements, game_fields, random_condition, with_conditions

SOON_S = 0.5
SLOW_WIN_S = 0.002
FOREIGN = "ｎoｘ×≥а'\"\\\0\n\t{}[]*/%;:#@9（）「」🀄"
SCRAPS = (
    " and ",
    " or ",
    "not ",
    "(",
    ")",
    ",",
    "n",
    "k + 8",
    "x",
    ">= ",
    "== 99999999",
    '"19m"',
    "run",
    "yaku(",
)


class BrokenPromiseError(AssertionError):
    """A guarantee of the language was violated."""


def demand(holds: bool, guarantee: str, text: object) -> None:
    """Raise ``BrokenPromiseError`` with the condition unless the guarantee holds."""
    if not holds:
        raise BrokenPromiseError(f"{guarantee}: {text!r}")


def changed(chance: Random, text: str) -> str:
    """Remove, insert or duplicate a few characters or words of a condition."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 1, 1, 3, 12)))
        put = chance.choice(("", chance.choice(FOREIGN), chance.choice(SCRAPS), text[start:end] * 2))
        text = text[:start] + put + text[end:]
    return text


def checked(text: str) -> str:
    """Return ``read`` or the error code of a condition, checking the size of its program."""
    began = time.process_time()
    try:
        game = read(text)
        made = program(game)
    except RulesError as error:
        demand(error.code.startswith("own_"), error.code, text)
        demand(all(error.message(language) for language in terms.LANGUAGES), "no message", text)
        demand(error.details.get("at", 1) in range(len(text) + 2), "place outside", text)
        return error.code
    finally:
        demand(time.process_time() - began < SOON_S, "slow to read", text)
    demand(read(game.text) == game, "reads differently again", text)
    steps = sum(1 + len(alternative.steps) for alternative in made.alternatives)
    demand(steps <= made.size <= MAX_STEPS, f"{steps} steps, said to be {made.size}", text)
    return "read"


def fitting(texts: Iterator[str]) -> list[str]:
    """Return as many valid conditions as fit into one ruleset."""
    lines: list[str] = []
    room = MAX_STEPS_TOGETHER
    for text in texts:
        if len(text) > MAX_TEXT or checked(text) != "read":
            continue
        room -= program(read(text)).size
        if room < 0 or len(lines) == MAX_OWN:
            return lines
        lines.append(text)
    return lines


def laborious(chance: Random) -> str:
    """Return an expensive condition: most parts hold for all values of the letters, the last for none."""
    parts: list[str] = []
    while len(" and ".join(parts)) < MAX_TEXT - 60:
        what = chance.choice(("run", "run", "count", "triplet", "pair"))
        rank = f"{chance.choice('nk')}+{chance.randint(0, 8)}"
        parts.append(f"{what}({rank},{chance.choice('xyz')})<{chance.randint(2, 4)}")
    return " and ".join([*dict.fromkeys(parts), "run(k, z) >= 4"])


def batches(chance: Random) -> Iterator[list[str]]:
    """Yield conditions for rulesets, alternating between random and expensive ones."""
    while True:
        yield fitting(random_condition(chance, chance.randint(1, 4)) for _ in range(200))
        yield fitting(laborious(chance) for _ in range(40))


def dealt(chance: Random, count: int) -> list[Win]:
    """Return random wins with circumstances."""
    requests = random_wins(chance.randrange(1 << 30), count)
    return [win_from_request(request | game_fields(i, request)) for i, request in enumerate(requests)]


def slowest(wins: Sequence[Win], rules: Ruleset) -> float:
    """Return the seconds for the slowest win, timing each win three times and keeping the fastest."""
    slowest = 0.0
    for win in wins:
        record, best = win_records([win]), float("inf")
        for _ in range(3):
            began = time.process_time()
            score_records(record, rules)
            best = min(best, time.process_time() - began)
        slowest = max(slowest, best)
    return slowest


def scored(chance: Random, conditions: Sequence[str]) -> float:
    """Compare both evaluators on random wins; return the seconds of the slowest win."""
    wins = dealt(chance, 60)
    wrong = disagreements(wins, conditions)
    demand(not wrong, "compiled and plain differ", wrong[:1])
    took = slowest(wins, with_conditions(conditions))
    demand(took < SLOW_WIN_S, f"a win takes {took * 1e3:.1f} ms", conditions)
    return took


# Every use of a ruleset with custom yaku ------------------------------------------------------------

PRESETS = ("standard", "bgm-2025", "tenhou-3")


def used(chance: Random, number: int) -> str:
    """Use a ruleset with up to three random custom yaku everywhere, and return the outcome.

    Either the rules are refused with a message, or nothing that reads them fails.
    """
    texts = [random_condition(chance, chance.randint(0, 3)) for _ in range(chance.choice((1, 1, 2, 3)))]
    rows = {
        f"own_{index:02}": {
            "closed": chance.choice((1, 2, "mangan", "yakuman")),
            "open": chance.choice((False, 1, "yakuman")),
            "replaces": chance.choice(([], ["pinfu"])), "when": when,
        }
        for index, when in enumerate(texts)
    }  # fmt: skip
    data = {"extends": PRESETS[number % len(PRESETS)], "yaku": rows}
    try:
        rules = load(data)
    except RulesFileError as error:
        for language in terms.LANGUAGES:
            demand(bool(error.message(language)), "no message", texts)
        return next((f"refused: {problem.code}" for problem in error.problems), "refused")
    language = terms.LANGUAGES[number % len(terms.LANGUAGES)]
    try:
        with terms.using(language):
            _every_use(rules, data, chance, language)
    except Exception as error:
        raise BrokenPromiseError(f"{type(error).__name__} {error}: {data}") from error
    return "used"


def _every_use(rules: Ruleset, data: Mapping[str, Any], chance: Random, language: terms.Language) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_text(_toml(data), "utf-8")
        for command in (["rules", "check"], ["rules", "show"], ["rules", "diff", "standard"]):
            _run(*command, str(file))
        for yaku in rules.own_yaku:
            _run("yaku", yaku.id, "--rules", str(file))
    for yaku in rules.own_yaku:
        trial = try_yaku(rules, yaku.id, language)
        for win, value in trial.having:
            demand(value is None or yaku.id in value.yaku, "an example without its yaku", yaku.condition)
            judged(win, rules, yaku.id, language)
        example_win(rules, yaku.id)
    for format_ in ("html", "md"):
        FORMATS[format_].write(booklet(rules, language), PAPERS["a4"], None)
    for number, request in enumerate(random_wins(chance.randrange(1 << 30), 12)):
        told = request | game_fields(number, request)
        for reply in (answer(told, rules), answer(told | {"rules": dict(data)})):  # by name, and in full
            demand("yaku" in reply or "error" in reply, "no answer", reply)
    for win in dealt(chance, 12):
        with suppress(HandError, RulesError):
            demand(bool(explain(score(win, rules), language).text()), "no explanation", win)
    game, player = Game(rules, seed=chance.getrandbits(32)), bot("standard")
    for _ in range(60):
        if game.is_over:
            break
        seat = game.to_act[0]
        game.play(
            seat, player.choose(game, seat) if chance.random() < 0.8 else chance.choice(game.legal(seat))
        )
    demand(bool(game.events), "no events", data)


def _run(*arguments: str) -> None:
    """Run a command, which must succeed, whatever it prints."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    demand(result.exit_code == 0, result.output, arguments)


def _toml(data: Mapping[str, Any]) -> str:
    """Return the rules as TOML, in which numbers, strings and lists look as in JSON."""
    lines = [f"extends = {json.dumps(data['extends'])}"]
    for name, row in data["yaku"].items():
        lines.append(f"[yaku.{name}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in row.items()]
    return "\n".join(lines)
