"""Hands that the table played for people who were away, and what these count for (``docs/server.md``).

A hand in which the table took an action for an absent person is none of that person's hands. A game of which
they played less than half of the hands themselves is none of their games. A rating is different, since
leaving must not save anybody from a loss: a rated game counts unless somebody who was not even there when it
began played none of its hands. Of games that are older than this note nobody knows who was there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku.game.events import HandStarted
from jantaku.game.game import Game
from jantaku.server.storage.tables import Sitter

ABSENT: Final = "absent"  # in the stored result: the hands of each seat, counted from 0
THERE: Final = "there"  # in the stored result of a rated game: the seats whose people were there at its start


def absent_hands(game: Game, taken: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The hands of each seat in which the table took one of the actions in ``taken``: number and seat."""
    dealt = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]
    absent: list[set[int]] = [set() for _ in game.seats]
    for number, seat in taken:
        before = game.moves[number][0]
        absent[seat].add(sum(deal < before for deal in dealt) - 1)
    return [sorted(hands) for hands in absent]


def absent_in(result: Mapping[str, Any] | None, seat: int) -> frozenset[int]:
    """The hands of a stored game that others played for a seat; none if nobody noted any."""
    absent = (result or {}).get(ABSENT) or ()
    return frozenset(absent[seat]) if seat < len(absent) else frozenset()


def counts_for(result: Mapping[str, Any] | None, seat: int, hands: int) -> bool:
    """Whether a game is one of the games of the person of a seat: they played half of it or more."""
    return 2 * len(absent_in(result, seat)) <= hands


def is_rated(result: Mapping[str, Any] | None, seats: int, hands: int) -> bool:
    """Whether a game counts for ratings: everybody was there when it began, or played some of it."""
    there = (result or {}).get(THERE) or ()
    played = (seat in there or len(absent_in(result, seat)) < hands for seat in range(seats))
    return hands == 0 or all(played)


def there_in(players: Sequence[Sitter]) -> list[int]:
    """The seats whose people were there when a game began: the others are stored as gone."""
    return [seat for seat, player in enumerate(players) if not player.gone]
