"""What somebody's games say on their card: a title, their favourite yaku, and what they have reached."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from jantaku.club.statistics import Achievement, RuledGame, person_achievements, person_figures

MOST_YAKU: Final = 3
# What earns a title, the rarest first
TITLES: Final = (
    ("yakuman", 1),
    ("firsts_in_a_row", 3),
    ("most_yaku", 25),
    ("biggest_hand", 24_000),
    ("most_tenpai", 100),
    ("most_riichi", 100),
    ("most_wins", 100),
)
USUAL: Final = ("riichi", "tsumo", "dora", "ippatsu")  # of everybody's hands, so nobody's favourite


class CardGames(NamedTuple):
    """What the games of a person say."""

    title: str | None
    yaku: list[tuple[str, int]]
    feats: tuple[Achievement, ...]


def played(games: Sequence[RuledGame], person: str) -> CardGames:
    """All games of a person, the oldest first."""
    feats = person_achievements(games, person)
    reached = {feat.kind: feat.value for feat in feats}
    wins = Counter[str]()
    for figures in person_figures(games, person).values():
        for bar in figures.yaku.bars:
            wins[bar.key] += len(bar.hands)
    favourite = [pair for pair in wins.most_common() if pair[0] not in USUAL]
    title = next((kind for kind, least in TITLES if reached.get(kind, 0) >= least), None)
    return CardGames(title, favourite[:MOST_YAKU], feats)
