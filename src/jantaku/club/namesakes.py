"""People of one name, told apart where their names stand in a list."""

import unicodedata
from collections import Counter
from collections.abc import Sequence


def same_name(name: str) -> str:
    """The key of a name: case, width and outer spaces do not matter."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def told_apart(people: Sequence[tuple[str, str]]) -> list[str]:
    """The names of people with their teams: namesakes get theirs, or a number where it does not tell.

    >>> told_apart([("Mina", "Red"), ("Sora", "Red"), ("Mina", "Blue")])
    ['Mina (Red)', 'Sora', 'Mina (Blue)']
    >>> told_apart([("Mina", ""), ("mina", "Blue")])
    ['Mina (1)', 'mina (2)']
    """
    groups: dict[str, list[int]] = {}
    for i, (name, _) in enumerate(people):
        groups.setdefault(same_name(name), []).append(i)
    names = [name for name, _ in people]
    for alike in groups.values():
        if len(alike) < 2:
            continue
        teams = Counter(people[i][1] for i in alike)
        by_team = all(team and count == 1 for team, count in teams.items())
        for number, i in enumerate(alike, 1):
            names[i] = f"{names[i]} ({people[i][1] if by_team else number})"
    return names
