"""The lab from Python: measure a change of rules, compare rulesets, report, and read the simulated games.

>>> answer = ask("standard", {"yaku.pinfu.closed": 0}, games=20, bots="efficient")
>>> answer.games
20
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from jantaku import terms
from jantaku.errors import RequestError, chosen_language, expect
from jantaku.fields import whole
from jantaku.lab.chunks import cores
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.names import own_of
from jantaku.lab.experiment.plan import PORTION, Experiment, NamedRules, portion_of, with_luck
from jantaku.lab.experiment.play import PlayedGames, on_threads, play_missing
from jantaku.lab.experiment.rows import compared_rows, row_label
from jantaku.lab.experiment.summary import ExperimentSummary, as_data, summarise
from jantaku.lab.parquet import polars_library
from jantaku.rules import Ruleset, load
from jantaku.terms import Language

if TYPE_CHECKING:
    import polars

_TRIPLES: Final = ("before", "after", "change")

Rules = Ruleset | str
"""A ruleset, or the name of a preset."""
Progress = Callable[[PlayedGames], bool | None]
"""Called from the playing threads with the number of games played; returning true stops the run."""


class _StoppedError(Exception):
    """The progress callback stopped the run."""


@dataclass(frozen=True, repr=False)
class LabAnswer:
    """Result of a comparison after ``games`` of ``wanted`` games under each ruleset."""

    summary: ExperimentSummary

    def __repr__(self) -> str:
        names = ", ".join(ruleset.named.name for ruleset in self.summary.rulesets)
        return f"<LabAnswer {self.games} of {self.wanted} games: {names}>"

    @property
    def games(self) -> int:
        """Number of games counted under each ruleset."""
        return self.summary.games

    @property
    def wanted(self) -> int:
        """Number of games requested; fewer are counted if the run was stopped."""
        return self.summary.wanted

    def rows(self, language: Language = "en") -> "polars.DataFrame":
        """Return all comparisons, one row each.

        ``against`` and ``name`` are the rulesets; ``group`` and ``row`` identify the quantity, ``label``
        names it. ``before``, ``after`` and ``change`` have further columns ``_low`` and ``_high`` with their
        95% intervals. The intervals of the changes hold for all rows together; ``clear`` means that the
        interval excludes zero.
        """
        return polars_library().DataFrame(  # type: ignore[no-any-return]
            [
                row
                for change in (*self.summary.paired, *self.summary.adapted)
                for row in self._of(change, language)
            ],
            infer_schema_length=None,
        )

    def _of(self, change: Any, language: Language) -> list[dict[str, Any]]:
        own = own_of(ruleset.named.rules for ruleset in self.summary.rulesets)
        rows = []
        with terms.using(language):
            for row in compared_rows(self.summary, change):
                named = {"against": change.against, "name": change.name, "group": row.group, "row": row.name}
                numbers: dict[str, Any] = {}
                for triple in _TRIPLES:
                    value, low, high = getattr(row, triple) or (None, None, None)
                    numbers |= {triple: value, f"{triple}_low": low, f"{triple}_high": high}
                label = row_label(row.group, row.name, own)
                rows.append({**named, "label": label, "kind": row.kind, **numbers, "clear": row.clear})
        return rows

    def findings(self, language: Language = "en") -> list[str]:
        """Describe the effect of the second ruleset compared with the first, in sentences."""
        change = self.summary.paired[0]
        pair = (self.summary.ruleset(name).named.rules for name in (change.against, change.name))
        with terms.using(language):
            return findings(compared_rows(self.summary, change), *pair)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as ``jantaku lab summary --json`` prints it."""
        return as_data(self.summary)


class Settings(TypedDict, total=False):
    """The keyword arguments of ``compare``."""

    seed: int
    bots: str | Sequence[str]
    luck: bool
    jobs: int | None
    out: Path | str | None
    progress: Progress | None


def ask(
    rules: Rules, changes: Mapping[str, Any], *, games: int = 2000, **settings: Unpack[Settings]
) -> LabAnswer:
    """Measure the effect of changes to a ruleset, such as ``{"yaku.pinfu.closed": 0}``.

    ``settings`` are the keyword arguments of ``compare``. Raises ``RequestError`` if nothing changes.
    """
    before = load(rules)
    expect(changes, Mapping, "changes")
    after = before.with_changes(changes)
    if after == before:
        raise RequestError("set_nothing", field="changes", value=str(dict(changes)))
    return compare({before.id: before, f"{before.id}-changed": after}, games=games, **settings)


def compare(  # noqa: PLR0913  (keyword arguments)
    rulesets: Mapping[str, Rules] | Sequence[Rules],
    *,
    games: int = 10_000,
    seed: int = 0,
    bots: str | Sequence[str] = "standard",
    luck: bool = False,
    jobs: int | None = None,
    out: Path | str | None = None,
    progress: Progress | None = None,
) -> LabAnswer:
    """Play the same walls under each ruleset and compare every ruleset with the first.

    With ``out`` the results are stored in that folder as by ``jantaku lab run``, and the same call resumes
    from there. ``luck`` plays the same number of games again with one stronger bot, to measure how often it
    wins. If ``progress`` returns true, the run stops and the answer covers the games played so far; raises
    ``RequestError`` if there are none. The answer does not depend on ``jobs``.
    """
    games, seed = whole(games, "games"), whole(seed, "seed")
    expect(luck, bool, "luck")
    expect(bots, str | Sequence, "bots")
    if jobs is not None:
        jobs = whole(jobs, "jobs", 1)
    if out is not None:
        expect(out, str | PathLike, "out")
    named = _named(rulesets)
    every = with_luck(named) if luck else named
    players = (bots,) if isinstance(bots, str) else tuple(bots)
    for player in players:
        expect(player, str, "bots")
    size = PORTION if out is not None else portion_of(games)
    experiment = Experiment(every, players, games, seed, portion=size)
    with ExitStack() as stack:
        path = Path(out or stack.enter_context(tempfile.TemporaryDirectory(prefix="jantaku-lab-")))
        folder = ExperimentFolder.begin(path, experiment)
        folder.experiment = experiment

        def report_progress(played: PlayedGames) -> None:
            if progress is not None and progress(played):
                raise _StoppedError

        with suppress(_StoppedError):
            play_missing(folder, on_threads(jobs or cores()), report_progress)
        return LabAnswer(summarise(folder))


def report(out: Path | str, language: Language = "en") -> str:
    """Return the report of the experiment that ``compare`` stored in a folder, as one HTML page."""
    from jantaku.lab.report.page import report as page  # noqa: PLC0415  (needs Altair)

    return page(_folder(out), chosen_language(language))


def hands(out: Path | str) -> "polars.DataFrame":
    """Return all hands in a folder, one row each, with the column ``ruleset``.

    ``own_yaku_0`` … list the custom yaku of a win by id; docs/environments.md describes the other columns.
    """
    return _tables(out, "hands")


def games(out: Path | str) -> "polars.DataFrame":
    """Return all games in a folder, one row each, with the column ``ruleset``."""
    return _tables(out, "games")


def _folder(out: Path | str) -> ExperimentFolder:
    expect(out, str | PathLike, "out")
    return ExperimentFolder.read(Path(out))


def _tables(out: Path | str, table: str) -> "polars.DataFrame":
    pl, folder = polars_library(), _folder(out)
    names = pl.List(pl.String)
    tables = []
    for portion in folder.experiment.portions():
        if folder.has(portion):
            name = folder.experiment.rulesets[portion.ruleset].name
            rows = folder.table(portion, table).with_columns(ruleset=pl.lit(name))
            own = [column for column in rows.columns if column.startswith("own_yaku_")]
            tables.append(rows.with_columns(pl.col(column).cast(names) for column in own))
    return pl.concat(tables, how="diagonal")  # type: ignore[no-any-return]


def _named(rulesets: Mapping[str, Rules] | Sequence[Rules]) -> tuple[NamedRules, ...]:
    expect(rulesets, Mapping | Sequence, "rulesets")
    if isinstance(rulesets, str):
        rulesets = (rulesets,)
    if isinstance(rulesets, Mapping):
        for name in rulesets:
            expect(name, str, "rulesets")
        return tuple(NamedRules(name, load(rules)) for name, rules in rulesets.items())
    return tuple(NamedRules(rules.id, rules) for rules in map(load, rulesets))
