"""Jobs of the worker processes: functions of plain data, each with a limit of CPU time.

Each job imports compiled code itself, so that a worker that only reads rules starts at once.
"""

# ruff: noqa: PLC0415

import os
import signal
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jantaku import terms
from jantaku.adjudication.jsonl import answer
from jantaku.errors import JantakuError, RequestError
from jantaku.rules import Ruleset
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.rules.rules_pages import checked, parsed
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.club.log_games import LogGame
    from jantaku.server.events.organising.imported import ImportedEvent
    from jantaku.server.events.rounds.seating_tasks import SeatingMade, SeatingTask

try:
    import resource
except ImportError:  # a system without process limits
    resource = None  # type: ignore[assignment]

Data = dict[str, Any]
NICENESS: Final = 5  # tables go first, but somebody waits for this work, too
UNCOMPILED: Final = 20  # how many times longer uncompiled code takes
SPARE_S: Final = 1  # after the limit, before the system ends a worker that does not stop by itself


class TooMuchWorkError(Exception):
    """A job has used up its CPU time."""


def limited(cpu_s: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a function; raises ``TooMuchWorkError`` after so many seconds of CPU time."""
    _lower_priority()
    if function in PLAYING:
        _load_compiled()
    with _at_most(cpu_s * UNCOMPILED if os.environ.get("NUMBA_DISABLE_JIT") == "1" else cpu_s):
        return function(*arguments)


@cache
def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)


@cache
def _load_compiled() -> None:
    """Load compiled code once, outside all limits."""
    from jantaku.game import Game

    game = Game("standard", seed=1)
    for _ in range(20):
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    answer({"hand": "234m567p34567s99p", "win": "8s", "by": "ron"})


@contextmanager
def _at_most(cpu_s: float) -> Iterator[None]:
    """Stop the block by an exception; the system ends the process if that fails."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    _end_after(cpu_s + SPARE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _end_after(None)


def _stop(_number: int, _frame: object) -> None:
    raise TooMuchWorkError


def _end_after(cpu_s: float | None) -> None:
    """Let the system end this process after so much more CPU time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if cpu_s is None else int(time.process_time() + cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 or soft < hard else hard, hard))


def check_rules(toml: str, language: Language) -> Data:
    """Check the text of a rules file and return ``Checked`` as data."""
    return checked(toml, language).model_dump()


def read_rules(toml: str) -> Data:
    """The whole ruleset of a rules file as data that ``load`` reads; raises ``RulesError``."""
    return parsed(toml).to_dict()


def score_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Answer a scoring request that contains its rules."""
    with terms.using(language):
        return answer(request)


def explain_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Explain a request that contains its rules; returns ``Explained`` as data."""
    from jantaku.server.study.explained import explained_answer

    return explained_answer(request, None, language).model_dump()


def read_log(name: str, text: str, rules: Ruleset | None) -> str:
    """Check a log by playing it; return what is stored (``KeptLog``).

    ``rules``: the ruleset that the log names. Its local yaku come with it from the server's memory.
    """
    from jantaku.records import formats
    from jantaku.records.needed import check_needed
    from jantaku.server.archive.kept_log import KeptLog

    recorded = formats.parse_record(text.encode(), rules, name)
    check_needed(recorded.game)
    return KeptLog.of(recorded).text


def read_event(data: Mapping[str, Any], rules: Ruleset | None) -> "ImportedEvent":
    """Check an event file; ``rules`` is the ruleset that it names, if that is no preset."""
    from jantaku.server.events.organising import imported

    return imported.read_event(data, rules)


def read_event_log(text: str, rules: Ruleset, language: Language) -> "LogGame":
    """Read the log of a game and settle it by the rules of an event; errors are in ``language``."""
    from jantaku.club.log_games import log_game

    with terms.using(language):
        return log_game(text.encode(), rules, terms.text("server.log.this"))


def make_seating(task: "SeatingTask", told: str) -> "SeatingMade":
    """Seat rounds; writes how much of the search is done to the file ``told``."""
    from jantaku.server.events.rounds.seating_tasks import made

    return made(task, told)


def export_event(
    data: Mapping[str, Any], rules: Ruleset | None, wanted: tuple[str, str], language: Language
) -> bytes:
    """Write an event file in another format; ``wanted`` is the format, and the table for CSV."""
    from jantaku.club.export import EXPORTS, read_tables

    tables = read_tables(data, "standard", None if rules is None else (lambda _: rules))
    return EXPORTS[wanted[0]].write(tables, wanted[1], language)


def write_booklet(rules: Ruleset, wanted: Mapping[str, str], language: Language) -> bytes:
    """Write the booklet of a ruleset; ``wanted`` is a ``BookletBody`` as data."""
    from jantaku.booklet import FORMATS, PAPERS, Cover, booklet, read_logo

    try:
        logo = read_logo(b64decode(wanted["logo"], validate=True)) if wanted["logo"] else None
    except ValueError as error:
        if isinstance(error, JantakuError):
            raise
        raise RequestError("logo_type", field="logo") from error
    cover = Cover(wanted["club"], wanted["date"], logo, rules_name(rules, language))
    made = booklet(rules, language, cover)
    return FORMATS[wanted["format"]].write(made, PAPERS[wanted["paper"]], None)


def list_yaku(rules: Ruleset, language: Language) -> Data:
    """The yaku of a ruleset with examples: ``YakuGuide`` as data."""
    from jantaku.server.rules.yaku_guide import yaku_guide

    return yaku_guide(rules, language)


LONG: Final = (make_seating, export_event)  # jobs with a limit of their own that leave room for others
# jobs that need compiled code
PLAYING: Final = (
    score_hand,
    explain_hand,
    read_log,
    read_event,
    read_event_log,
    export_event,
    write_booklet,
    list_yaku,
)
