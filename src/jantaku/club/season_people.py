"""Who is who among the players of several event files."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jantaku.club.event import Entrant
from jantaku.club.namesakes import label, numbered, same_name


@dataclass(slots=True)
class SeasonEntrant:
    """A person of a season: the first of their entrants, and the id with which they play in each part."""

    key: str
    first: Entrant
    entries: dict[int, str] = field(default_factory=dict)
    label: str = ""


def season_people(parts: Sequence[Sequence[Entrant]]) -> list[SeasonEntrant]:
    """The people behind the players of the parts of a season.

    Players are one person who have one ``person``, else one id, else a name that nobody else has in any
    part. A player with a ``person`` is nobody whose ``person`` is another, unless that name is theirs alone.
    """
    counts = [Counter(same_name(player.name) for player in players) for players in parts]
    unique = {name for names in counts for name in names if all(count[name] <= 1 for count in counts)}
    people = list[SeasonEntrant]()
    for part, players in enumerate(parts):
        rest = list(players)
        for alike in (_same_person, _same_id, lambda one, other: _same_name(one, other, unique)):
            rest = [player for player in rest if not _found(people, part, player, alike)]
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


def _found(
    people: Sequence[SeasonEntrant], part: int, player: Entrant, alike: Callable[[Entrant, Entrant], bool]
) -> bool:
    """Whether a player is one of the people who do not play in the part yet; then they do."""
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
