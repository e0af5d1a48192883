"""The rule inventory: numbered statements of public rule texts, and the code that implements them.

The statements are in ``inventory.tsv`` and on a page of the site. The site's page of options and yaku cites
the statements that each option or yaku decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

UNDECIDED: Final = {
    "physical": "play at a physical table",
    "word": "a definition, nothing to decide",
    "outside": "outside what a game can decide",
    "source": "about the text, not about the rules",
}
"""Keys of statements that Jantaku does not implement; their notes explain why."""
SOURCES: Final = {
    "000": "an article of a public Korean wiki on the rules of riichi mahjong",
    "001": "a table of yaku from a public Korean wiki",
    "002": "the slides of the 2025 event of a Korean club, BGM",
    "003": "page 3 of the riichi competition rules on the MahjongTime site, in Japanese",
    "004": "a public Japanese list of yaku with remarks",
}
"""The rule texts by number; a source such as ``000:81-85`` adds line numbers after a colon."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One row of the inventory.

    ``sources``: ``000:81-85`` is lines 81 to 85 of text 000; a reading (``d1``) has the statements that it
    interprets. ``decided_by``: options (``calls.kuikae``), yaku (``yaku.pinfu``), presets (``preset/wrc``),
    tables of terms (``terms/yaku``) or modules of the package (``kernels.fu``), or one key of ``UNDECIDED``.
    ``shown_by``: tests (``test_walls::test_seeds``) or rows of test tables (``settle/child wins``).
    """

    number: str
    section: str
    text: str
    sources: tuple[str, ...]
    decided_by: tuple[str, ...]
    shown_by: tuple[str, ...]
    note: str

    @property
    def is_decided(self) -> bool:
        """Whether Jantaku implements the statement."""
        return self.decided_by[0] not in UNDECIDED


@cache
def inventory() -> dict[str, Statement]:
    """Return all statements by number: ``1`` to ``455``, then the readings from ``d1``."""
    text = resources.files(__package__).joinpath("inventory.tsv").read_text("utf-8")
    section, head, statements = "", True, {}
    for line in text.splitlines():
        if line.startswith("# "):
            section = line[2:]
        elif head:
            head = False
        else:
            number, words, *lists, note = line.split("\t")
            sources, decided_by, shown_by = (tuple(filter(None, part.split("; "))) for part in lists)
            statements[number] = Statement(
                number=number,
                section=section,
                text=words,
                sources=sources,
                decided_by=decided_by,
                shown_by=shown_by,
                note=note,
            )
    return statements


@cache
def _numbers_by_key() -> dict[str, tuple[str, ...]]:
    numbers: dict[str, list[str]] = {}
    for statement in inventory().values():
        for key in statement.decided_by:
            numbers.setdefault(key, []).append(statement.number)
    return {key: tuple(numbers) for key, numbers in numbers.items()}


def statements_about(key: str) -> tuple[str, ...]:
    """Return the numbers of the statements that ``key`` (``calls.kuikae``, ``yaku.pinfu`` …) decides.

    >>> statements_about("calls.kuikae")[:3]
    ('85', '86', '87')
    """
    return _numbers_by_key().get(key, ())


def ranges(numbers: Iterable[str]) -> list[tuple[str, str]]:
    """Group consecutive statements into pairs of first and last number.

    >>> ranges(["85", "86", "87", "92", "d12"])
    [('85', '87'), ('92', '92'), ('d12', 'd12')]
    """
    order = {number: index for index, number in enumerate(inventory())}
    places = sorted(order[number] for number in numbers)
    breaks = [i for i, (one, other) in enumerate(pairwise(places), 1) if other != one + 1]
    parts = [places[i:j] for i, j in pairwise([0, *breaks, len(places)]) if places]
    names = list(order)
    return [(names[part[0]], names[part[-1]]) for part in parts]
