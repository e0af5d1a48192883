"""Identify the same person among the players of several event files."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jantaku.club.event import Entrant
from jantaku.club.namesakes import label, numbered, same_name


@dataclass(slots=True)
class SeasonEntrant:
    """A person in a season: their first entrant, and their player id in each part."""

    key: str
    first: Entrant
    entries: dict[int, str] = field(default_factory=dict)
    label: str = ""


def season_people(parts: Sequence[Sequence[Entrant]]) -> list[SeasonEntrant]:
    """Group the players of all parts of a season into people.

    Players are the same person if they share a ``person``, otherwise if they share an id, otherwise if they
    share a name that is unique in every part. Players with different ``person`` values merge only by such a
    unique name.
    """
    counts = [Counter(same_name(player.name) for player in players) for players in parts]
    unique = {name for names in counts for name in names if all(count[name] <= 1 for count in counts)}
    people = list[SeasonEntrant]()
    for part, players in enumerate(parts):
        rest = list(players)
        for alike in (_same_person, _same_id, lambda one, other: _same_name(one, other, unique)):
            rest = [player for player in rest if not _matched(people, part, player, alike)]
        keys = {person.key for person in people}
        for player in rest:
            key = player.id
            while key in keys:
                key += "~"
            keys.add(key)
            people.append(SeasonEntrant(key, player, {part: player.id}))
    numbers = numbered((person.first.name, person.first.namesake) for person in people)
    for person, number in zip(people, numbers, strict=True):
        person.label = label(person.first.name, number)
    return people


def _matched(
    people: Sequence[SeasonEntrant], part: int, player: Entrant, alike: Callable[[Entrant, Entrant], bool]
) -> bool:
    """Assign a player to a matching person without an entry in the part; return whether there was one."""
    for person in people:
        if part not in person.entries and alike(person.first, player):
            person.entries[part] = player.id
            return True
    return False


def _same_person(one: Entrant, other: Entrant) -> bool:
    return bool(other.person) and one.person == other.person


def _same_id(one: Entrant, other: Entrant) -> bool:
    return one.id == other.id and not (one.person and other.person)


def _same_name(one: Entrant, other: Entrant, unique: set[str]) -> bool:
    return same_name(one.name) == same_name(other.name) and same_name(other.name) in unique
