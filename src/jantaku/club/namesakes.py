"""People with the same name: each keeps a permanent number, which is part of the label."""

import unicodedata
from collections.abc import Container, Iterable


def same_name(name: str) -> str:
    """Return a key for comparing names; case, width and surrounding spaces are ignored."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def label(name: str, number: int) -> str:
    """Return the display name: the first person with a name has no number, the others do.

    >>> label("Mina", 1), label("Mina", 2)
    ('Mina', 'Mina (2)')
    """
    return name if number == 1 else f"{name} ({number})"


def free_number(name: str, taken: Container[str]) -> int:
    """Return the lowest number whose label is free; ``taken`` contains the keys (``same_name``) of labels.

    >>> free_number("Mina", {"mina", "mina (2)"})
    3
    """
    number = 1
    while same_name(label(name, number)) in taken:
        number += 1
    return number


def numbered(people: Iterable[tuple[str, int]]) -> list[int]:
    """Return the number of each (name, number) in a list; a person whose label is taken gets a free number.

    >>> numbered([("Mina", 1), ("mina", 1), ("Mina", 3)])
    [1, 2, 3]
    """
    people = list(people)
    given: dict[str, int] = {}
    for i, (name, number) in enumerate(people):
        given.setdefault(same_name(label(name, number)), i)
    taken, numbers = set(given), list[int]()
    for i, (name, number) in enumerate(people):
        free = number if given[same_name(label(name, number))] == i else free_number(name, taken)
        taken.add(same_name(label(name, free)))
        numbers.append(free)
    return numbers
