"""People of one name: each has a number for good, and their label says it everywhere."""

import unicodedata
from collections.abc import Container, Iterable


def same_name(name: str) -> str:
    """The key of a name: case, width and outer spaces do not matter."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def label(name: str, number: int) -> str:
    """What a person is called everywhere: the first of a name by it alone, the others with their number.

    >>> label("Mina", 1), label("Mina", 2)
    ('Mina', 'Mina (2)')
    """
    return name if number == 1 else f"{name} ({number})"


def free_number(name: str, taken: Container[str]) -> int:
    """The first number whose label nobody has; ``taken`` are the keys (``same_name``) of labels.

    >>> free_number("Mina", {"mina", "mina (2)"})
    3
    """
    number = 1
    while same_name(label(name, number)) in taken:
        number += 1
    return number


def numbered(people: Iterable[tuple[str, int]]) -> list[int]:
    """The numbers of people in a list of names with their numbers; whose label is taken gets a free one.

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
