"""``python -m research.answers.adapted``: how far bots go once they have adapted to a change, round by round.

For each row of ``adapted.tsv`` and for the rules without the change, ``jantaku lab adapt`` fits a bot. After
some rounds four bots with the weights so far play the walls of the table of answers. Everything is stored
beneath ``--out``, and the same call goes on where it stopped. It writes ``docs/examples/adapted.json`` and
``docs/adapted-bots.md``, a table with a row for each change.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jantaku.bots.weights import STANDARD_WEIGHTS
from jantaku.lab.adapt.bot import AdaptedBot, MatchResult
from jantaku.lab.adapt.progress import SearchSettings, SearchState
from jantaku.lab.adapt.search import adapt
from jantaku.lab.chunks import cores
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.rows import ComparedRow, change_words, kind_of, row_label, value_words
from jantaku.rules import Ruleset
from research.answers.expected import Expected, expected, row_of, table
from research.answers.measured import PlayedSums, compared, interval_of, values_of
from research.answers.page import change_of

if TYPE_CHECKING:
    from jantaku.lab.adapt.duel import Weights

DATA: Final = Path("docs/examples/adapted.json")
PAGE: Final = Path("docs/adapted-bots.md")
STOPS: Final = (0, 4, 8, 12)  # rounds after which it is measured
Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Stop:
    """The row without and with the change, each played by bots adapted to it for so many rounds."""

    rounds: int
    before: float | None
    after: float | None
    interval: tuple[float, float, float] | None


class Curve:
    """The weights of a ruleset's bot round by round, kept in a file, and its match against plain bots."""

    def __init__(self, rules: Ruleset, folder: Path, settings: SearchSettings) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{rules.fingerprint}.rounds.json"
        self.weights: dict[int, Weights] = {0: STANDARD_WEIGHTS}
        if self._path.is_file():
            kept = json.loads(self._path.read_text("utf-8"))
            self.weights |= {int(rounds): tuple(weights) for rounds, weights in kept.items()}
        bot = folder / f"{rules.fingerprint}.json"
        self.match = self._searched(rules, settings, bot)

    def _searched(self, rules: Ruleset, settings: SearchSettings, bot: Path) -> MatchResult:
        result = (
            AdaptedBot.read(bot) if bot.is_file() else adapt(rules, settings, bot, cores(), each=self._keep)
        )
        return result.match

    def _keep(self, state: SearchState) -> None:
        self.weights[state.rounds] = state.weights
        self._path.write_text(json.dumps(self.weights), "utf-8")


def stops(one: Expected, row: Row, curves: tuple[Curve, Curve], played: PlayedSums) -> list[Stop]:
    """What the change does at each stop."""
    stops = []
    for rounds in STOPS:
        before, after = (
            played.of(rules, curve.weights[rounds] if rounds else ())
            for rules, curve in zip((one.base, one.after), curves, strict=True)
        )
        summary = compared(one, before, after)
        stops.append(Stop(rounds, *values_of(summary, row), interval_of(summary, row)))
    return stops


def main() -> None:
    """Adapt, measure and write."""
    parser = argparse.ArgumentParser(prog="python -m research.answers.adapted", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="at each stop")
    parser.add_argument("--round-games", type=int, default=2048, help="of a round of the search")
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


Told = tuple[Expected, Row, list[Stop], MatchResult]


def write(told: list[Told], settings: SearchSettings) -> None:
    """Write the data and the page."""
    data = [
        {
            "id": answer.id,
            "row": row,
            "stops": [[stop.rounds, stop.before, stop.after, stop.interval] for stop in kept],
            "match": {"games": match.games, "place": match.place, "score": match.score},
        }
        for answer, row, kept, match in told
    ]
    DATA.write_text(json.dumps({"rounds": settings.games, "curves": data}, indent=1) + "\n", "utf-8")
    PAGE.write_text("\n".join(_lines(told, settings)) + "\n", "utf-8")


INTRODUCTION: Final = """# How far adapted bots go

What a change does while bots play as before, and once they have adapted to the rules: both sides, with and
without the change, play by bots fitted to their own rules for 0, {rounds} rounds of {games:,} games
(`jantaku lab adapt`). Made by `python -m research.answers.adapted`; the same as data is
[adapted.json](examples/adapted.json). The last column is what one adapted bot gains against three plain ones
under the changed rules: adapting finds better play under any rules, so compare the rows and not the gain.

A chombo of 20,000 is not among them: bots commit no fouls."""


def _lines(told: list[Told], settings: SearchSettings) -> list[str]:
    rounds = ", ".join(map(str, STOPS[1:]))
    lines = [INTRODUCTION.format(rounds=rounds, games=settings.games), ""]
    heads = ["change", "what", *(f"{stop} rounds" for stop in STOPS), "against plain bots"]
    lines += [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for answer, row, kept, match in told:
        gain, low, high = (round(value) for value in match.score)
        cells = [change_of(answer), row_label(*row), *(_cell(stop, row) for stop in kept)]
        lines.append(f"| {' | '.join(cells)} | {gain:+,} ({low:+,} … {high:+,}) |")
    return lines


def _cell(stop: Stop, row: Row) -> str:
    if stop.interval is None or stop.before is None or stop.after is None:
        return "too rare to tell"
    kind = kind_of(*row)
    values = (value_words(Estimate(value, value, value), kind) for value in (stop.before, stop.after))
    change = ComparedRow(*row, kind, None, None, Estimate(*stop.interval), clear=False)
    return f"{' → '.join(values)}, {change_words(change)}"


if __name__ == "__main__":
    main()
