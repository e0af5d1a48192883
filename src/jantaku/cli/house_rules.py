"""House rules: rulesets from files that a server offers in addition to the presets."""

import dataclasses
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jantaku.errors import JantakuError, RequestError, RulesFileError, cause
from jantaku.rules import Ruleset, load_file, preset_names

FIELD: Final = "--rules"
MAX_NAME: Final = 40  # characters
RESERVED: Final = ("options", "check", "custom")  # paths under /api/rules, and the id of unnamed rules
_NAME: Final = re.compile(r"\w[\w.-]*")
_FINGERPRINT: Final = re.compile("[0-9a-f]{16}")


def read_house_rules(paths: Sequence[Path]) -> tuple[Ruleset, ...]:
    """Read the rulesets of files and of all ``*.toml`` files in folders.

    A file's name without suffix is the id of its rules. Raises ``RequestError`` for an invalid file, for two
    files with the same name, and for a name that cannot be an id.
    """
    house: dict[str, tuple[Path, Ruleset]] = {}
    for path in dict.fromkeys(file.resolve() for given in paths for file in _files(given)):
        name = _id_of(path)
        if name.casefold() in house:
            other = house[name.casefold()][0]
            raise RequestError("house_rules_twice", field=FIELD, path=str(path), other=str(other), name=name)
        house[name.casefold()] = path, _read(path, name)
    return tuple(rules for _, rules in house.values())


def _files(given: Path) -> list[Path]:
    """Return the rules files of an argument."""
    if not given.is_dir():
        return [given]
    try:
        files = sorted(file for file in given.iterdir() if file.suffix == ".toml" and file.is_file())
    except OSError as error:
        raise RequestError("house_rules_wrong", field=FIELD, path=str(given), reason=cause(error)) from error
    if not files:
        raise RequestError("house_rules_none", field=FIELD, path=str(given))
    return files


def _id_of(path: Path) -> str:
    name = unicodedata.normalize("NFC", path.stem)
    if name in preset_names():
        raise RequestError("house_rules_preset", field=FIELD, path=str(path), name=name)
    readable = _NAME.fullmatch(name) and len(name) <= MAX_NAME and not _FINGERPRINT.fullmatch(name)
    if not readable or name.casefold() in RESERVED:
        raise RequestError("house_rules_name", field=FIELD, path=str(path), most=MAX_NAME)
    return name


def _read(path: Path, name: str) -> Ruleset:
    try:
        rules = load_file(path)
    except JantakuError as error:
        first = error.problems[0] if isinstance(error, RulesFileError) else error
        reason = " ".join(first.message().split())
        raise RequestError("house_rules_wrong", field=FIELD, path=str(path), reason=reason) from error
    return dataclasses.replace(rules, id=name)
