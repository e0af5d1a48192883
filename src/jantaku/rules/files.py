"""Rules files. Only this module reads rules from a path or runs the code of local yaku.

The command line calls it for the files that its user names. Anything from outside (requests, records,
uploads, stored rules) goes through ``load``, which knows only presets and data; a test enforces this.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jantaku.errors import RulesError
from jantaku.rules.identity import BASELINE
from jantaku.rules.local import LocalYaku, load_local
from jantaku.rules.ruleset import Ruleset, build, parent_of, parse, preset_names


def load_file(path: str | Path, *, allow_code: bool = True) -> Ruleset:
    """The ruleset of a TOML file.

    ``extends`` names a preset or a file in the same folder. A file may name local yaku, which are Python
    code: call this only for files you trust, or with ``allow_code=False``. Raises ``RulesError`` (a
    ``RulesFileError`` with every problem of the file).
    """
    return _read(Path(path), (), allow_code)


def _read(path: Path, before: tuple[Path, ...], allow_code: bool) -> Ruleset:
    """Read one file; ``before`` holds the files that extend it, to detect a cycle."""
    text, whole = _text(path), path.resolve()
    if whole in before:
        raise RulesError("extends_circle", path=str(path))
    data = parse(text, str(path))
    extends = data.get("extends")
    if isinstance(extends, str) and extends not in (*preset_names(), BASELINE):
        parent = _read(path.parent / extends, (*before, whole), allow_code)
    else:
        parent = parent_of(data)
    return build(data, parent, path.stem, local=parent.local + _local(data, path, allow_code))


def _text(path: Path) -> str:
    try:
        if path.is_file():
            return path.read_text("utf-8")
    except (OSError, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise RulesError("unreadable_rules", path=str(path), reason=reason) from error
    raise RulesError("no_such_rules", path=str(path), presets=", ".join(preset_names()))


def _local(data: Mapping[str, Any], path: Path, allow_code: bool) -> tuple[LocalYaku, ...]:
    if "local" not in data:
        return ()
    if not allow_code:
        raise RulesError("local_from_data", path="local.file")
    return load_local(data["local"], path.parent)
