"""How a player's games went against each opponent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jantaku.club.statistics.counted_hands import HandTally
from jantaku.club.statistics.figure_values import Mean, Opponent
from jantaku.club.statistics.sittings import Sitting


@dataclass(slots=True)
class _Meeting:
    """What has been counted against one opponent; ``won`` and ``dealt`` are indices of hands."""

    games: list[str] = field(default_factory=list)
    ahead: int = 0
    behind: int = 0
    points: int = 0
    theirs: int = 0
    won: list[int] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)

    def note_game(self, sitting: Sitting, seat: int) -> None:
        game = sitting.game
        if game.id not in self.games[-1:]:  # a team may meet one player from two seats
            self.games.append(game.id)
        self.ahead += sitting.place < game.places[seat]
        self.behind += sitting.place > game.places[seat]
        self.points += sitting.final
        self.theirs += game.final[seat]


def opponents_of(
    sittings: Sequence[Sitting],
    subject_of: Mapping[str, str],
    tallies: Sequence[HandTally],
    tally: HandTally,
) -> tuple[Opponent, ...]:
    """Every opponent, those met most often first; ``tallies`` are those of the sittings, ``tally`` all."""
    met: dict[str, _Meeting] = {}
    first = 0
    for sitting, own in zip(sittings, tallies, strict=True):
        others = {
            seat: met.setdefault(subject_of[player], _Meeting())
            for seat, player in enumerate(sitting.game.players)
            if subject_of.get(player, sitting.subject) != sitting.subject
        }
        for seat, meeting in others.items():
            meeting.note_game(sitting, seat)
            meeting.won += [first + ron.hand for ron in own.won_from if ron.seat == seat]
            meeting.dealt += [first + ron.hand for ron in own.dealt_to if ron.seat == seat]
        first += len(own.hands)
    opponents = [
        Opponent(
            name,
            *(tuple(row.games), row.ahead, row.behind, row.points, row.theirs),
            *(Mean(sum(map(tally.delta, hands)), tuple(hands)) for hands in (row.won, row.dealt)),
        )
        for name, row in met.items()
    ]
    return tuple(sorted(opponents, key=lambda row: (-len(row.games), row.opponent)))
