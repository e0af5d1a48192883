"""Takes the names of a person out of texts and of JSON, when their data are deleted."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final

# Letters of scripts that write words apart: a name there is replaced only as a whole word
_APART: Final = r"[^\W\d_\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
LEAST: Final = 2  # a shorter name is replaced only where a text is nothing else
# Fields of JSON whose words the program reads: somebody may be called Ron, and a stage or a rule may be, too
MEANT_FOR_PROGRAMS: Final = frozenset(
    (
        *("action", "end", "fingerprint", "format", "foul", "from", "how", "id", "kind", "limit", "made_by"),
        *("reason", "reasons", "role", "rules", "stage", "state", "status", "tie_breaks", "tiles", "yaku"),
    )
)
WORDS: Final = ("name", "about", "definition", "words")  # what people write into rules


class Scrubber:
    """Replaces every one of ``names`` by ``instead``, whatever their case.

    "Jo" is not found in "John", but 민수 is found in "민수가", since Korean and Japanese write particles
    right after a name. Parts of a name are found too: people write "Mina" for "Mina Kim". ``teams`` are names
    of which parts mean nobody.
    """

    def __init__(self, names: Iterable[str], instead: str, teams: Iterable[str] = ()) -> None:
        people = {name.strip() for name in names}
        self.names = sorted({*people, *(team.strip() for team in teams)} - {""}, key=len, reverse=True)
        self.instead = instead
        self._whole = {name.casefold() for name in self.names}
        parts = {part for name in people for part in name.split() if _is_telling(part)}
        long = sorted({name for name in self.names if len(name) >= LEAST} | parts, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_bounded, long)), re.IGNORECASE) if long else None

    def text(self, value: str) -> str:
        """A text without the names."""
        if value.strip().casefold() in self._whole:
            return self.instead
        return self._pattern.sub(lambda _: self.instead, value) if self._pattern else value

    def json(self, value: str | None) -> str | None:
        """A JSON text in which no text of people has the names."""
        if value is None:
            return None
        data = json.loads(value)  # a word alone is a status
        return value if isinstance(data, str) else json.dumps(self.value(data), ensure_ascii=False)

    def value(self, value: Any) -> Any:
        """Plain data in which no text of people has the names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, dict):
            return {name: self._field(name, part) for name, part in value.items()}
        return value

    def _field(self, name: str, value: Any) -> Any:
        if name == "tree":
            return self.rules(value)
        return value if name in MEANT_FOR_PROGRAMS else self.value(value)

    def rules(self, tree: Any) -> Any:
        """Rules as data whose names and descriptions, and those of their yaku, have no name of a person."""
        if isinstance(tree, list):
            return [self.rules(part) for part in tree]
        if isinstance(tree, dict):
            return {
                name: self.value(part) if name in WORDS else self.rules(part) for name, part in tree.items()
            }
        return tree


def _is_telling(part: str) -> bool:
    """Whether a part of a name tells who somebody is: the first name does, a number or "of" does not."""
    return len(part) > LEAST and not part.islower() and not part.isdecimal()


def _bounded(name: str) -> str:
    """The pattern of a name: as a whole word where its script writes words apart."""
    before = f"(?<!{_APART})" if re.match(_APART, name[0]) else ""
    after = f"(?!{_APART})" if re.match(_APART, name[-1]) else ""
    return f"{before}{re.escape(name)}{after}"
