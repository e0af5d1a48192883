"""Ranks bots and external programs: ``python -m research.ladder DIR PLAYER PLAYER…``.

A player is named as in ``jantaku arena``, optionally with a label: ``standard``, ``mine=module:Class``,
``majiang='mjai:node research/majiang/mjai.js'``. In each pairing one player meets copies of another in all
other seats. Every round has one game with the player in each seat, and round ``n`` of every pairing has the
same walls. A pairing ends when the 95% interval of the average place is narrow enough (``--width``), after
``--rounds`` rounds, or when more than half of its rounds are void. A round is void if a program made a fault
in any of its games.

``DIR`` gets ``rounds.jsonl`` with the finished rounds, and ``ladder.md`` and ``ladder.json`` with the results
so far. The same call resumes after an interruption; with more players or a smaller width, it adds rounds.
"""

import argparse
import hashlib
import json
import multiprocessing
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.bots import bot, play
from jantaku.bots.arena import CONFIDENCE, MJAI, Pairing, Thinking, Timed, interval_of, pairing, play_round
from jantaku.bots.mjai import SECONDS
from jantaku.bots.policies import BOTS
from jantaku.cli.console import rules_named
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.lab.chunks import cores
from jantaku.rules import Ruleset

ROOT: Final = Path(__file__).parent.parent
SOURCES: Final = [f"src/jantaku/{room}" for room in ("bots", "game", "kernels", "records", "rules")]
VERSION: Final = 1  # of the stored rounds
BATCH: Final = 32  # rounds between two checks of a pairing; independent of the number of cores
SAVE_S: Final = 30.0  # between two reports
RESAMPLES: Final = 1000
PRIOR: Final = 1 / 5.0**2  # precision of the normal prior of a strength, so that unbeaten players have one
ELO: Final = 400 / np.log(10)  # rating points per unit of strength

RATINGS_TEXT: Final = """\
A Plackett–Luce fit to the places of all hanchan, as Elo points relative to `{reference}`: with 100 points
more, a player finishes ahead of another in 64% of hanchan. The 95% errors come from {resamples} resamples of
the rounds."""
PAIRINGS_TEXT: Final = """\
One player against {several} of another: the average place with its 95% interval, the place that the ratings
lead to expect, the share of each place, and the number of void rounds, which do not count. Speed is in
hanchan per second and process."""

Floats = npt.NDArray[np.float64]


# Players and pairings -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Player:
    """A player: its name for the arena, and the label in the tables."""

    name: str
    label: str

    @classmethod
    def parse(cls, text: str) -> "Player":
        """Return the player for ``NAME`` or ``LABEL=NAME``."""
        label, given, name = text.partition("=")
        return cls(name, label) if given and ":" not in label else cls(text, text)

    @cached_property
    def version(self) -> str:
        """What a program prints for ``--version``, and the digests of the files it is started with."""
        if ":" not in self.name:
            return ""
        if not self.name.startswith(MJAI):
            module = Path(self.name.partition(":")[0].replace(".", "/")).with_suffix(".py")
            return " ".join(_digests([str(module)]))
        words = shlex.split(self.name.removeprefix(MJAI))
        return " ".join(filter(None, [_printed_version(words), *_digests(words)]))


def _printed_version(words: Sequence[str]) -> str:
    """Return the first line that the program prints for ``--version``; empty if it prints none."""
    command = [*words, "--version"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stdout.strip().splitlines()
    return lines[0][:200] if done.returncode == 0 and lines else ""


def _digests(words: Iterable[str]) -> Iterator[str]:
    for path in map(Path, words):
        if path.is_file() and path.suffix:
            yield f"({path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]})"


@dataclass(frozen=True)
class Pair:
    """One player against three (or two) of another, by name."""

    one: str
    others: str


@dataclass(frozen=True)
class PairRound:
    """A finished round: the places of the one player in each seat, and what else the report needs."""

    one: str
    others: str
    number: int
    places: tuple[int, ...]
    seconds: float
    thinking: tuple[Thinking, Thinking]
    faults: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def pair(self) -> Pair:
        """The pairing that the round belongs to."""
        return Pair(self.one, self.others)

    @property
    def void(self) -> bool:
        """Whether a program made a fault, so that the round does not count."""
        return any(self.faults)

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "PairRound":
        """Return the round of a stored line."""
        one, others = (Thinking(*time) for time in plain["thinking"])
        by_one, by_others = map(tuple, plain["faults"])
        typed = {"places": tuple(plain["places"]), "thinking": (one, others), "faults": (by_one, by_others)}
        return cls(**plain | typed)


def play_pair_round(meeting: Pairing, number: int) -> PairRound:
    """Play a round of a pairing whose first player meets the second in all other seats."""
    started = time.perf_counter()
    played = play_round(meeting, number)
    rest = played.thinking[1:]
    thinking = Thinking(sum(it.decisions for it in rest), sum(it.seconds for it in rest))
    faults = tuple(fault for by_player in played.faults[1:] for fault in by_player)
    return PairRound(
        meeting.names[0],
        meeting.names[1],
        number,
        tuple(played.places[:, 0].tolist()),
        round(time.perf_counter() - started, 3),
        (played.thinking[0], thinking),
        (played.faults[0], faults),
    )


# The stored rounds ----------------------------------------------------------------------------------------


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def checkout() -> tuple[str, str]:
    """Return the commit of the checkout, and a digest of the sources that decide games."""
    tree, changes = _git("ls-tree", "HEAD", *SOURCES), _git("diff", "HEAD", "--", *SOURCES)
    digest = hashlib.sha256(f"{tree}\n{changes}".encode()).hexdigest()[:12]
    return (_git("rev-parse", "HEAD")[:12] or "unknown") + (" with changes" if changes else ""), digest


@dataclass(frozen=True)
class Setup:
    """What all rounds of a folder have in common."""

    rules: str
    fingerprint: str
    seed: int
    seconds: float
    sources: str
    version: int = VERSION


class Rounds:
    """The finished rounds of a folder, by pairing and number; every new one is written at once.

    Raises ``SystemExit`` if the folder holds rounds of another setup or of another version of a player.
    """

    def __init__(self, path: Path, setup: Setup, players: Sequence[Player]) -> None:
        self.path = path
        self.rounds: dict[Pair, dict[int, PairRound]] = {}
        versions: dict[str, str] = {}
        stored: dict[str, Any] | None = None
        for row in self._rows():
            if "setup" in row:
                stored = row["setup"]
            elif "player" in row:
                versions[row["player"]] = row["version"]
            else:
                self._insert(PairRound.from_plain(row))
        if stored is None:
            self._write({"setup": asdict(setup)})
        elif stored != asdict(setup):
            now = asdict(setup)
            changed = "; ".join(
                f"{key} {stored.get(key)}, now {now[key]}" for key in now if stored.get(key) != now[key]
            )
            raise SystemExit(f"{path} holds rounds of another setup ({changed}): use a new folder")
        for player in players:
            if player.name not in versions:
                self._write({"player": player.name, "version": player.version})
            elif versions[player.name] != player.version:
                change = f"{player.label} {versions[player.name]}, now {player.version}"
                raise SystemExit(f"{path} holds rounds of another version ({change}): use a new folder")

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield the stored rows; a last line that an interruption cut off is removed."""
        if not self.path.exists():
            return
        whole = self.path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        if len(kept) < len(whole):
            self.path.write_bytes(kept)
        yield from map(json.loads, kept.splitlines())

    def _write(self, row: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _insert(self, played: PairRound) -> None:
        self.rounds.setdefault(played.pair, {})[played.number] = played

    def add(self, played: PairRound) -> None:
        """Store a finished round."""
        self._write(asdict(played))
        self._insert(played)

    def of(self, pair: Pair) -> dict[int, PairRound]:
        """Return the finished rounds of a pairing by number."""
        return self.rounds.get(pair, {})

    def counted(self, pair: Pair) -> list[PairRound]:
        """Return the rounds that are not void."""
        return [played for played in self.of(pair).values() if not played.void]


# Playing --------------------------------------------------------------------------------------------------


@dataclass
class Ladder:
    """The pairings to play and when each of them ends."""

    rules: Ruleset
    players: list[Player]
    pairs: list[Pair]
    setup: Setup
    rounds: Rounds
    width: float
    most: int
    _sampled: dict[str, Thinking] = field(default_factory=dict)  # bots whose games do not measure their time

    def label(self, name: str) -> str:
        """Return the label of a player."""
        return next(player.label for player in self.players if player.name == name)

    def places(self, pair: Pair) -> list[float]:
        """Return the average place of the one player in each round that counts."""
        return [float(np.mean(played.places)) for played in self.rounds.counted(pair)]

    def finished(self, pair: Pair) -> bool:
        """Whether the pairing needs no more rounds."""
        return not self._batch(pair)

    def _enough(self, pair: Pair) -> bool:
        """Whether the whole batches played so far are enough, or the pairing is broken."""
        played, places = len(self.rounds.of(pair)), self.places(pair)
        return played >= self.most or len(places) < played / 2 or interval_of(places) <= self.width

    def play(self, executor: Executor, jobs: int, after_batch: Callable[[Pair], None]) -> None:
        """Play until all pairings are finished; ``after_batch`` is called after each batch of a pairing."""
        running: dict[Future[PairRound], Pair] = {}
        batches = {pair: self._batch(pair) for pair in self.pairs}
        while True:
            for pair, number in self._next(batches, 2 * jobs - len(running)):
                running[executor.submit(play_pair_round, self.meeting(pair), number)] = pair
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                pair = running.pop(future)
                self.rounds.add(future.result())
                if not batches[pair] and pair not in running.values():
                    batches[pair] = self._batch(pair)
                    after_batch(pair)

    def meeting(self, pair: Pair) -> Pairing:
        """Return the pairing for the arena; raises ``RequestError`` for unknown players."""
        names = (pair.one, *[pair.others] * (len(self.rules.seats) - 1))
        return pairing(self.rules, names, self.setup.seed, seconds=self.setup.seconds)

    def thinking(self, player: Player) -> Thinking:
        """Return the player's time in the games that measure it, or in ``warm_up`` if there are none."""
        total = Thinking()
        for pair in self.pairs:
            for played in self.rounds.of(pair).values():
                for name, spent in zip((pair.one, pair.others), played.thinking, strict=True):
                    if name == player.name:
                        total = Thinking(total.decisions + spent.decisions, total.seconds + spent.seconds)
        if total.decisions or player.name not in self._sampled:
            return total
        return self._sampled[player.name]

    def warm_up(self) -> None:
        """Compile what the built-in bots need, so that no round waits for it, and measure their decisions."""
        for name in (player.name for player in self.players if player.name in BOTS):
            play_round(pairing(self.rules, [name] * len(self.rules.seats), self.setup.seed), 0)
            for _ in range(2):  # the first game includes the time to compile
                timed = Timed(bot(name, self.setup.seed))
                play(Game(self.rules, seed=self.setup.seed), timed)
                self._sampled[name] = Thinking(timed.decisions, timed.seconds)

    def _batch(self, pair: Pair) -> list[int]:
        """Return the missing rounds of the pairing's current batch, or of the next if it goes on."""
        played = self.rounds.of(pair)
        end = -(-(max(played, default=-1) + 1) // BATCH) * BATCH
        missing = [number for number in range(min(end, self.most)) if number not in played]
        if missing or (played and self._enough(pair)):
            return missing
        return list(range(end, min(end + BATCH, self.most)))

    @staticmethod
    def _next(batches: dict[Pair, list[int]], room: int) -> Iterator[tuple[Pair, int]]:
        """Take up to ``room`` rounds out of the batches, one of each pairing in turn."""
        while room > 0 and any(batches.values()):
            for pair, numbers in batches.items():
                if numbers and room > 0:
                    room -= 1
                    yield pair, numbers.pop(0)


# Ratings --------------------------------------------------------------------------------------------------


def place_chances(difference: Floats, seats: int) -> Floats:
    """Return the chance of each place of one player against equal others, under Plackett–Luce.

    ``difference`` is the one player's strength less that of the others; places are the new last axis.
    """
    left = np.arange(seats - 1, -1, -1)  # others not yet placed
    ahead = 1 / (1 + left * np.exp(-difference)[..., None])  # chance of the next place
    before = np.cumprod(1 - ahead, axis=-1)
    return np.asarray(ahead * np.concatenate([np.ones_like(before[..., :1]), before[..., :-1]], axis=-1))


def strengths(counts: Floats, ones: Sequence[int], others: Sequence[int], players: int) -> Floats:
    """Fit Plackett–Luce strengths by Newton's method.

    ``counts`` (``[…, pairs, seats]``) has the weight of each place of player ``ones[pair]`` against
    ``others[pair]``. Returns ``[…, players]``.
    """
    seats = counts.shape[-1]
    design = np.zeros((len(ones), players))
    design[np.arange(len(ones)), ones] = 1
    design[np.arange(len(ones)), others] = -1
    left = np.arange(seats - 1, 0, -1)
    reached = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]  # games in which the place was still open
    fitted = np.zeros((*counts.shape[:-2], players))
    for _ in range(50):
        ahead = 1 / (1 + left * np.exp(-(fitted @ design.T))[..., None])
        slope = (counts[..., :-1] - reached[..., :-1] * ahead).sum(axis=-1)
        bend = (reached[..., :-1] * ahead * (1 - ahead)).sum(axis=-1)
        gradient = slope @ design - PRIOR * fitted
        hessian = np.einsum("pi,...p,pj->...ij", design, bend, design) + PRIOR * np.eye(players)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        step *= np.minimum(1, 2 / np.maximum(np.abs(step).max(axis=-1, keepdims=True), 1e-12))
        fitted += step
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(fitted)


def ratings(ladder: Ladder) -> tuple[Floats, Floats, Floats]:
    """Return the ratings relative to the first player, their 95% errors, and each pairing's expected place.

    The errors come from resampling the numbers of the rounds, since equal numbers have equal walls.
    """
    names = [player.name for player in ladder.players]
    seats = len(ladder.rules.seats)
    ones, others = ([names.index(getattr(pair, side)) for pair in ladder.pairs] for side in ("one", "others"))
    total = 1 + max((max(ladder.rounds.of(pair), default=0) for pair in ladder.pairs), default=0)
    by_round = np.zeros((total, len(ladder.pairs), seats))
    for column, pair in enumerate(ladder.pairs):
        for played in ladder.rounds.counted(pair):
            np.add.at(by_round[played.number, column], np.array(played.places) - 1, 1)
    fitted = strengths(by_round.sum(axis=0), ones, others, len(names))
    weights = np.random.default_rng(ladder.setup.seed).multinomial(total, [1 / total] * total, RESAMPLES)
    resampled = strengths(np.tensordot(weights.astype(float), by_round, 1), ones, others, len(names))
    errors = CONFIDENCE * (resampled - resampled[:, :1]).std(axis=0, ddof=1)
    chances = place_chances(fitted[ones] - fitted[others], seats)
    return ELO * (fitted - fitted[0]), ELO * errors, chances @ np.arange(1, seats + 1)


# The report -----------------------------------------------------------------------------------------------


def results(ladder: Ladder, commit: str) -> dict[str, Any]:
    """Return everything that the report shows."""
    rated, errors, expected = ratings(ladder)
    rows = [
        {"label": player.label, "name": player.name, "version": player.version}
        | {
            "rating": round(float(rating), 1),
            "error": round(float(error), 1) if player is not ladder.players[0] else None,
        }
        | {"ms": round(1000 * spent.seconds / spent.decisions, 3) if spent.decisions else None}
        for player, rating, error in zip(ladder.players, rated, errors, strict=True)
        for spent in [ladder.thinking(player)]
    ]
    return {
        "commit": commit,
        **asdict(ladder.setup),
        "width": ladder.width,
        "rounds": ladder.most,
        "reference": ladder.players[0].label,
        "players": sorted(rows, key=lambda row: -row["rating"]),
        "pairings": [
            _pairing_row(ladder, pair, float(place))
            for pair, place in zip(ladder.pairs, expected, strict=True)
            if ladder.rounds.of(pair)
        ],
        "faults": _fault_rows(ladder),
    }


def _pairing_row(ladder: Ladder, pair: Pair, expected: float) -> dict[str, Any]:
    played, counted = ladder.rounds.of(pair).values(), ladder.rounds.counted(pair)
    places, seats = ladder.places(pair), len(ladder.rules.seats)
    interval = interval_of(places)
    shares = Counter(place for one in counted for place in one.places)
    games = sum(shares.values())
    seconds = sum(one.seconds for one in played)
    return {
        "one": ladder.label(pair.one),
        "others": ladder.label(pair.others),
        "place": round(sum(places) / len(places), 4) if places else None,
        "interval": round(interval, 4) if len(places) > 1 else None,
        "expected": round(expected, 4),
        "places": [round(shares[place] / games, 4) if games else None for place in range(1, seats + 1)],
        "hanchan": games,
        "void": len(played) - len(counted),
        "speed": round(len(played) * seats / seconds, 3) if seconds else None,
        "finished": ladder.finished(pair),
    }


def _fault_rows(ladder: Ladder) -> list[dict[str, Any]]:
    times = Counter(
        (ladder.label(name), fault)
        for pair in ladder.pairs
        for played in ladder.rounds.of(pair).values()
        for name, faults in zip((pair.one, pair.others), played.faults, strict=True)
        for fault in faults
    )
    return [{"label": label, "fault": fault, "times": count} for (label, fault), count in times.most_common()]


def markdown(found: dict[str, Any]) -> str:
    """Return the results as a page."""
    several = len(found["pairings"][0]["places"]) - 1 if found["pairings"] else 3
    pairings = [_pairing_cells(row) for row in found["pairings"]]
    players = [
        (row["label"], _with_error(row["rating"], row["error"], 0), _number(row["ms"], 2))
        for row in found["players"]
    ]
    guests = [row for row in found["players"] if ":" in row["name"]]
    programs = [(row["label"], f"`{row['name']}`", row["version"] or "–") for row in guests]
    faults = [(row["label"], row["fault"].replace("|", "\\|"), row["times"]) for row in found["faults"]]
    columns = (
        "player",
        f"against {several}",
        "place",
        "expected",
        "shares",
        "hanchan",
        "void",
        "speed",
        "finished",
    )
    lines = [
        "# Ladder",
        "",
        f"Rules `{found['rules']}` ({found['fingerprint']}), seed {found['seed']}, commit {found['commit']}.",
        "",
        "## Ratings",
        "",
        RATINGS_TEXT.format(reference=found["reference"], resamples=RESAMPLES),
        "",
        *_table(("player", "rating", "ms per decision"), players),
        "",
        "## Pairings",
        "",
        PAIRINGS_TEXT.format(several=several),
        "",
        *_table(columns, pairings),
        *(["", "## Programs", "", *_table(("player", "name", "version"), programs)] if programs else []),
        *(["", "## Faults", "", *_table(("player", "fault", "times"), faults)] if faults else []),
        "",
    ]
    return "\n".join(lines)


def _pairing_cells(row: dict[str, Any]) -> tuple[object, ...]:
    return (
        row["one"],
        row["others"],
        _with_error(row["place"], row["interval"], 3),
        f"{row['expected']:.3f}",
        " / ".join("–" if share is None else f"{share:.1%}" for share in row["places"]),
        f"{row['hanchan']:,}",
        row["void"],
        _number(row["speed"], 2),
        "yes" if row["finished"] else "no",
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _with_error(value: float | None, error: float | None, digits: int) -> str:
    return _number(value, digits) + ("" if error is None else f" ± {error:.{digits}f}")


# The command ----------------------------------------------------------------------------------------------


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        "python -m research.ladder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="NAME or LABEL=NAME; the first rates 0")
    parser.add_argument("--against", metavar="LABEL,…", help="only these play in the other seats")
    parser.add_argument("--rules", default="tenhou", help="a preset or a rules file")
    parser.add_argument("--width", type=float, default=0.02, help="half the width of the intervals")
    parser.add_argument("--rounds", type=int, default=4000, help="most rounds of a pairing")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a program's time for a decision")
    parser.add_argument("--jobs", type=int, default=cores(), help="processes")
    return parser.parse_intermixed_args(arguments)


def build(chosen: argparse.Namespace) -> Ladder:
    """Return the ladder for the command line; raises ``JantakuError`` or ``SystemExit`` for invalid ones."""
    rules = rules_named(chosen.rules)
    players = [Player.parse(text) for text in chosen.players]
    known = {player.label: player for player in players}
    if len(known) < len(players) or len({player.name for player in players}) < len(players):
        raise SystemExit("two players have the same name or label")
    against = chosen.against.split(",") if chosen.against else list(known)
    if unknown := [label for label in against if label not in known]:
        raise SystemExit(f"--against names no player: {', '.join(unknown)}; known are {', '.join(known)}")
    pairs = [Pair(one.name, known[label].name) for label in against for one in players if one.label != label]
    if not pairs:
        raise SystemExit("a ladder needs two players")
    for name in {name for pair in pairs for name in (pair.one, pair.others)}:
        pairing(rules, [name] * len(rules.seats))  # raises for unknown players
    chosen.folder.mkdir(parents=True, exist_ok=True)
    setup = Setup(rules.id, rules.fingerprint, chosen.seed, chosen.seconds, checkout()[1])
    rounds = Rounds(chosen.folder / "rounds.jsonl", setup, players)
    return Ladder(rules, players, pairs, setup, rounds, chosen.width, chosen.rounds)


def climb(ladder: Ladder, folder: Path, executor: Executor, jobs: int) -> None:
    """Play the ladder with progress on standard error, and keep its report up to date."""
    commit, saved = checkout()[0], time.monotonic()

    def save() -> None:
        found = results(ladder, commit)
        (folder / "ladder.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        (folder / "ladder.md").write_text(markdown(found), "utf-8")

    def after_batch(pair: Pair) -> None:
        nonlocal saved
        row = _pairing_row(ladder, pair, 0.0)
        state = "finished" if row["finished"] else f"{len(ladder.rounds.of(pair))} rounds"
        void = f", {row['void']} void" if row["void"] else ""
        place = _with_error(row["place"], row["interval"], 3)
        done = sum(map(ladder.finished, ladder.pairs))
        print(
            f"[{done}/{len(ladder.pairs)}] {row['one']} against {row['others']}: {place}, {state}{void}",
            file=sys.stderr,
            flush=True,
        )
        if time.monotonic() > saved + SAVE_S:
            save()
            saved = time.monotonic()

    ladder.warm_up()
    ladder.play(executor, jobs, after_batch)
    save()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process, which stores no round that the signal has spoilt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and report."""
    chosen = parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        ladder = build(chosen)
        pool = ProcessPoolExecutor(chosen.jobs, multiprocessing.get_context("spawn"), _ignore_interrupts)
        try:
            climb(ladder, chosen.folder, pool, chosen.jobs)
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
    except JantakuError as error:
        print(error.message(), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same call goes on", file=sys.stderr)
        return 130
    print((chosen.folder / "ladder.md").read_text("utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
