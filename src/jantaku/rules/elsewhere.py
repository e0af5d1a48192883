"""Rules of other programs and parlours, and their equivalents here: the rows of ``elsewhere.tsv``."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

SOURCES: Final = {
    "Riichi Advanced": "https://github.com/EpicOrange/riichi_advanced/blob/main/priv/static/rulesets/riichi.majs",
    "Mahjong Soul": "https://mahjongsoul.info/private_match/",
    "parlours": "https://mj-king.net/tempos/rule/10413",
}


@dataclass(frozen=True, slots=True)
class RuleElsewhere:
    """A rule of another program: its equivalents here (``has``), or why there is none (``why_not``)."""

    name: str
    where: str
    has: str
    why_not: str

    def parts(self) -> Iterator[tuple[str, str]]:
        """Yield each equivalent: kind (option, yaku, gallery, custom yaku), and path, id or condition."""
        for part in self.has.split("; ") if self.has else ():
            kind, _, name = part.partition(": ")
            yield kind, name


@cache
def elsewhere() -> tuple[RuleElsewhere, ...]:
    """Return the rules in the order of the file."""
    text = resources.files(__package__).joinpath("elsewhere.tsv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(RuleElsewhere(row["rule"], row["where"], row["has"], row["why_not"]) for row in rows)
