"""Read rules files. No other module reads rules from a path.

The command line uses this module for the files that its user specifies. Untrusted input (requests, records,
uploads, stored rules) goes through ``load``, which accepts only presets and data; a test enforces this.
"""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

from jantaku.errors import Phrase, Phrases, RulesError, cause, expect, phrase
from jantaku.nearest_word import nearest
from jantaku.rules.file_warnings import RulesReport, report_on
from jantaku.rules.fingerprints import BASELINE
from jantaku.rules.ruleset import Ruleset, build, parent_of, parse, preset_names

MAX_FILES: Final = 1000  # files in the folder of a missing one, searched for a similar name


def load_file(path: str | Path) -> Ruleset:
    """Read a ruleset from a TOML file.

    Its ``extends`` names a preset or a file in the same folder. Raises ``RulesError``; for invalid settings a
    ``RulesFileError``, which lists the problems.
    """
    expect(path, str | PathLike, "path")
    return _read(Path(path), ()).rules()


def check_file(path: str | Path) -> RulesReport:
    """Read a rules file like ``load_file``, and report its derived options and settings without effect."""
    file = _read(Path(path), ())
    return report_on(file.rules(), file.parent, file.data)


class _RulesFile(NamedTuple):
    """Data of a file, and the rules that it extends."""

    data: Mapping[str, Any]
    parent: Ruleset
    name: str

    def rules(self) -> Ruleset:
        return build(self.data, self.parent, self.name)


def _read(path: Path, before: tuple[Path, ...]) -> _RulesFile:
    """Read one file; ``before`` has the files that extend it, to detect a cycle."""
    text, resolved = _text(path), path.resolve()
    if resolved in before:
        raise RulesError("extends_circle", path=str(path))
    data = parse(text, str(path))
    extends = data.get("extends")
    if isinstance(extends, str) and extends not in (*preset_names(), BASELINE):
        parent = _read(path.parent / extends, (*before, resolved)).rules()
    else:
        parent = parent_of(data)
    return _RulesFile(data, parent, path.stem)


def _text(path: Path) -> str:
    try:
        if path.is_file():
            return path.read_text("utf-8")
    except (OSError, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise RulesError("unreadable_rules", path=str(path), reason=cause(error)) from error
    presets = preset_names()
    raise RulesError("no_such_rules", path=str(path), hint=_nearest_name(path), presets=Phrases(presets))


def _nearest_name(path: Path) -> Phrase | str:
    """Suggest a preset or a rules file in the same folder."""
    try:
        files = sorted(file.name for file in path.parent.iterdir() if file.suffix == ".toml")
    except (OSError, ValueError):
        files = []
    near = nearest(path.name.lower(), [*preset_names(), *files[:MAX_FILES]])
    beside = str(path.parent / near) if near in files else near
    return phrase("errors.kinds.meant", nearest=beside) if near else ""
