"""The process that answers one question: ``python -m jantaku.server.lab.worker CPU_SECONDS [RAY]``.

It reads a pickled ``Experiment`` or ``HandQuestion`` from the server and prints intermediate results, one
JSON object per line. The server then sends commands to pause while others have a turn, and to resume. It runs
with the lowest priority, so that tables come first, and exits if the server is gone. With a Ray cluster, the
games of questions about rules are played there.
"""

# ruff: noqa: PLC0415  (compiled code is imported when it is needed)

import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from jantaku.errors import JantakuError, RequestError
from jantaku.terms import LANGUAGES

if TYPE_CHECKING:
    from jantaku.lab.discards import HandQuestion
    from jantaku.lab.experiment.plan import Experiment
    from jantaku.lab.experiment.summary import ExperimentSummary

try:
    import resource
except ImportError:  # a system without process limits
    resource = None  # type: ignore[assignment]

NICENESS: Final = 19
PAUSE_S: Final = 0.8  # between lines
DIGITS: Final = 5  # significant digits of estimates
RAY_STEP: Final = 64  # games per task on a cluster
PAUSE, RESUME = b"r", b"g"  # commands from the server


def lines_of(task: "Experiment | HandQuestion", cluster: str = "") -> Iterator[dict[str, Any]]:
    """Yield intermediate results of a question, then the final answer."""
    from jantaku.lab.discards import HandQuestion

    return _of_hand(task) if isinstance(task, HandQuestion) else _of_rules(task, cluster)


def _of_hand(question: "HandQuestion") -> Iterator[dict[str, Any]]:
    from jantaku.lab.discards import answers

    for answer in answers(question, jobs=1):
        yield answer.to_dict()


def _of_rules(experiment: "Experiment", cluster: str) -> Iterator[dict[str, Any]]:
    from jantaku.lab.experiment.rows import compared_rows

    for summary in _summaries(experiment, cluster):
        yield {
            "games": summary.games,
            "wanted": summary.wanted,
            "hands": sum(ruleset.hands for ruleset in summary.rulesets),
            "rows": list(compared_rows(summary)),
        }


def _summaries(experiment: "Experiment", cluster: str) -> "Iterator[ExperimentSummary]":
    from jantaku.lab.experiment.live import summaries

    if not cluster:
        yield from summaries(experiment)
        return
    try:
        from jantaku.lab.experiment.on_ray import on_ray

        yield from summaries(experiment, on_ray(cluster), RAY_STEP)
    except RequestError as error:  # for the server's log: the user cannot fix the cluster
        raise RuntimeError(error.message("en")) from error


def rounded(value: Any) -> Any:
    """Round all numbers in JSON data to ``DIGITS`` significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list | tuple) else value


def work(
    task: "Experiment | HandQuestion", running: threading.Event | None = None, cluster: str = ""
) -> Iterator[str]:
    """Yield the lines to print: at most one per ``PAUSE_S``, but always the last one or the error.

    Work pauses while ``running`` is not set.
    """
    sent_at = 0.0
    try:
        for line in lines_of(task, cluster):
            if running is not None:
                running.wait()
            if time.monotonic() - sent_at >= PAUSE_S or line["games"] == line["wanted"]:
                sent_at = time.monotonic()
                yield json.dumps(rounded(line), ensure_ascii=False)
    except JantakuError as error:
        details = {name: str(value) for name, value in error.details.items()}
        messages = {language: error.message(language) for language in LANGUAGES}
        yield json.dumps({"error": error.code, "details": details, "said": messages})


def _follow_commands(running: threading.Event) -> None:
    """Follow the server's commands; exit if it closes the pipe, as nobody will read the answer."""
    while command := sys.stdin.buffer.read(1):
        (running.clear if command == PAUSE else running.set)()
    os._exit(1)


def main(cpu_s: int, cluster: str = "") -> None:
    """Answer the question on standard input."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    task = pickle.load(sys.stdin.buffer)  # noqa: S301 — it comes from the server
    running = threading.Event()
    running.set()
    threading.Thread(target=_follow_commands, args=(running,), daemon=True).start()
    with suppress(BrokenPipeError, KeyboardInterrupt):
        for line in work(task, running, cluster):
            print(line, flush=True)  # noqa: T201 — the server reads it
    os._exit(0)  # the interpreter cannot exit while a thread reads standard input


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
