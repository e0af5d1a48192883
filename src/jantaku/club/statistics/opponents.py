"""How a player's games went against each opponent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jantaku.club.statistics.figures import Mean, Opponent
from jantaku.club.statistics.sittings import Sitting
from jantaku.club.statistics.tally import HandTally


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
    sittings: Iterable[Sitting], subject_of: Mapping[str, str], found: HandTally
) -> tuple[Opponent, ...]:
    """Every opponent, those met most often first; ``found`` has the hands of the sittings."""
    met: dict[str, _Meeting] = {}
    here = 0
    for sitting in sittings:
        others = {
            seat: met.setdefault(subject_of[player], _Meeting())
            for seat, player in enumerate(sitting.game.players)
            if subject_of.get(player, sitting.subject) != sitting.subject
        }
        for seat, meeting in others.items():
            meeting.note_game(sitting, seat)
        for hand in sitting.hands():
            if hand.entered.end == "ron" and hand.settled.winners:
                if hand.win is not None and hand.entered.discarder in others:
                    others[hand.entered.discarder].won.append(here)
                elif hand.dealt_in:
                    for seat in set(others).intersection(hand.settled.winners):
                        others[seat].dealt.append(here)
            here += 1
    opponents = [
        Opponent(
            name,
            *(tuple(one.games), one.ahead, one.behind, one.points, one.theirs),
            *(Mean(sum(map(found.delta, hands)), tuple(hands)) for hands in (one.won, one.dealt)),
        )
        for name, one in met.items()
    ]
    return tuple(sorted(opponents, key=lambda one: (-len(one.games), one.opponent)))
