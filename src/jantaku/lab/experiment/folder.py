"""The folder of an experiment: its manifest, its adapted bots, and two Parquet files for every portion."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from jantaku.errors import Phrases, RecordError, RequestError, cause, file_errors
from jantaku.lab.experiment.plan import BOT, MANIFEST, Experiment, Portion, experiment_of
from jantaku.lab.parquet import polars_library

TABLES: Final = ("hands", "games")


class ExperimentFolder:
    """The folder with an experiment's results. A portion is finished when both of its files exist.

    Files are written under a temporary name and renamed, so none is ever incomplete. Two processes may play
    the same experiment: they write the same bytes.
    """

    def __init__(self, path: Path, experiment: Experiment, manifest: dict[str, Any]) -> None:
        self.path, self.experiment, self.manifest = path, experiment, manifest

    @classmethod
    def begin(cls, path: Path, experiment: Experiment) -> "ExperimentFolder":
        """Create the folder of an experiment, or reopen it to resume the same experiment.

        Raises ``RequestError`` if the folder contains a different experiment or other files, or if Polars is
        missing, and ``RecordError`` if it cannot be written.
        """
        polars_library()
        wanted = experiment.manifest()
        if (path / MANIFEST).is_file():
            stored = cls.read(path)
            other = [name for name in wanted if stored.manifest.get(name) != wanted[name]]
            if other:
                code = "lab_other_version" if other == ["versions"] else "lab_other_run"
                raise RequestError(code, field="--out", path=str(path), different=Phrases(other))
            return stored
        with file_errors(path, writing=True):
            if path.is_dir() and any(path.iterdir()):
                raise RequestError("lab_not_empty", field="--out", path=str(path))
            for ruleset in experiment.rulesets:
                (path / ruleset.name).mkdir(parents=True, exist_ok=True)
                if ruleset.adapted:
                    ruleset.adapted.write(path / ruleset.name / BOT)
            if experiment.adapted:
                experiment.adapted.write(path / BOT)
            _write(path / MANIFEST, (json.dumps(wanted, ensure_ascii=False, indent=1) + "\n").encode())
        return cls(path, experiment, wanted)

    @classmethod
    def read(cls, path: Path) -> "ExperimentFolder":
        """Open the folder of an experiment.

        Raises ``RecordError`` if its manifest or a bot is missing or damaged.
        """
        try:
            manifest = json.loads((path / MANIFEST).read_bytes())
        except OSError as error:
            raise RecordError("lab_none", path=str(path)) from error
        except ValueError as error:
            raise RecordError("lab_damaged", path=str(path / MANIFEST), reason=cause(error)) from error
        return cls(path, experiment_of(manifest, path), manifest)

    def file(self, portion: Portion, table: str) -> Path:
        """Return the path of a portion's ``hands`` or ``games``."""
        return (
            self.path
            / self.experiment.rulesets[portion.ruleset].name
            / f"{table}-{portion.number:06}.parquet"
        )

    def has(self, portion: Portion) -> bool:
        """Return whether the portion is finished."""
        return all(self.file(portion, table).is_file() for table in TABLES)

    def table(self, portion: Portion, table: str) -> Any:
        """Read a portion's ``hands`` or ``games`` as a data frame; raise ``RecordError`` if it is damaged."""
        path = self.file(portion, table)
        pl = polars_library()
        try:
            return pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise RecordError("lab_damaged_portion", path=str(path), reason=cause(error)) from error

    def missing(self) -> list[Portion]:
        """Return the portions that are not finished."""
        return [portion for portion in self.experiment.portions() if not self.has(portion)]

    def comparable(self) -> list[list[Portion]]:
        """Return the portions finished under every ruleset, as one list per ruleset."""
        rulesets = range(len(self.experiment.rulesets))
        numbers: dict[int, list[Portion]] = {}
        for portion in self.experiment.portions():
            if self.has(portion):
                numbers.setdefault(portion.number, []).append(portion)
        whole = [portions for portions in numbers.values() if len(portions) == len(rulesets)]
        return [[portions[ruleset] for portions in whole] for ruleset in rulesets]

    def write(self, portion: Portion, tables: tuple[bytes, bytes]) -> None:
        """Store the Parquet files of a portion; raise ``RecordError`` if they cannot be written."""
        for name, content in zip(TABLES, tables, strict=True):
            path = self.file(portion, name)
            with file_errors(path, writing=True):
                _write(path, content)


def _write(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
