"""``python -m research.answers.adapted``: measures the effect of changes after bots have adapted to them.

For each row of ``adapted.tsv``, ``jantaku lab adapt`` fits one bot to the changed rules and one to the
original ones, both starting from ``strong``. After some rounds four bots with the current weights play the
walls of the table of answers. Everything is stored below ``--out``, and repeating the call resumes where it
stopped. It writes ``adapted.json``, from which the site builds a table with a row for each change.
"""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jantaku.bots.net_file import TrainedBot, trained_for
from jantaku.lab.adapt.duel import MatchResult
from jantaku.lab.adapt.progress import SearchSettings, SearchState
from jantaku.lab.adapt.search import adapt
from jantaku.lab.chunks import cores
from jantaku.rules import Ruleset
from research.answers.expected import Expected, expected, row_of, table
from research.answers.measured import PlayedSums, compared, interval_of, values_of
from research.answers.page import ADAPTED

STOPS: Final = (0, 4, 8, 12)  # rounds of adapting after which the effect is measured
Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Stop:
    """A row before and after the change, each played by bots adapted to its rules for ``rounds`` rounds."""

    rounds: int
    before: float | None
    after: float | None
    interval: tuple[float, float, float] | None


class Curve:
    """A ruleset's bot after each round, its weights stored in a file, and its match against ``strong``."""

    def __init__(self, rules: Ruleset, folder: Path, settings: SearchSettings) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._begun = trained_for(rules)
        name = f"{rules.fingerprint}-{self._begun.digest[:12]}"
        self._path = folder / f"{name}.rounds.json"
        self._weights = {"0": self._begun.weights}
        if self._path.is_file():
            self._weights |= json.loads(self._path.read_text("utf-8"))
        file = folder / f"{name}.npz"
        bot = TrainedBot.read(file) if file.is_file() else self._search(rules, settings, file)
        self.match = MatchResult.of(bot)

    def after(self, rounds: int) -> TrainedBot:
        """Return the bot after that many rounds."""
        return replace(self._begun, weights=tuple(self._weights[str(rounds)]))

    def _search(self, rules: Ruleset, settings: SearchSettings, file: Path) -> TrainedBot:
        return adapt(rules, settings, file, cores(), on_round=self._store)

    def _store(self, state: SearchState) -> None:
        self._weights[str(state.rounds)] = state.weights
        self._path.write_text(json.dumps(self._weights), "utf-8")


def stops(one: Expected, row: Row, curves: tuple[Curve, Curve], played: PlayedSums) -> list[Stop]:
    """Measure the effect of a change at each stop."""
    stops = []
    for rounds in STOPS:
        before, after = (
            played.of(rules, curve.after(rounds))
            for rules, curve in zip((one.base, one.after), curves, strict=True)
        )
        summary = compared(one, before, after)
        stops.append(Stop(rounds, *values_of(summary, row), interval_of(summary, row)))
    return stops


def main() -> None:
    """Adapt the bots, measure, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m research.answers.adapted", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="at each stop")
    parser.add_argument("--round-games", type=int, default=2048, help="per round of the search")
    parser.add_argument("--out", type=Path, default=Path("build/answers"), help="the folder of the games")
    chosen = parser.parse_args()
    settings = SearchSettings(rounds=STOPS[-1], games=chosen.round_games, match_games=2 * chosen.games)
    played = PlayedSums(chosen.out, chosen.games, lambda: None)
    known = {answer.id: answer for answer in expected()}
    rows = []
    for line in table("adapted"):
        one, (row, _) = known[line["id"]], row_of(f"+{line['row']}")
        curves = tuple(Curve(rules, chosen.out / "adapted", settings) for rules in (one.base, one.after))
        ends = stops(one, row, (curves[0], curves[1]), played)
        rows.append((one, row, ends, curves[1].match))
        print(one.id, ends[-1], curves[1].match, flush=True)
    write(rows, settings)


Result = tuple[Expected, Row, list[Stop], MatchResult]


def write(results: list[Result], settings: SearchSettings) -> None:
    """Write ``adapted.json``."""
    data = [
        {
            "id": answer.id,
            "row": row,
            "stops": [[stop.rounds, stop.before, stop.after, stop.interval] for stop in ends],
            "match": match.as_data(),
        }
        for answer, row, ends, match in results
    ]
    ADAPTED.write_text(json.dumps({"rounds": settings.games, "curves": data}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
