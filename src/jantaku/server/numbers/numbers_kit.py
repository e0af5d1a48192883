"""What the routes of a person's numbers need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.numbers.club_games import ClubGames
from jantaku.server.numbers.own_games import OwnGames
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.asking import needs
from jantaku.server.play.table_kit import TableKit


@dataclass(frozen=True, kw_only=True)
class NumbersKit(TableKit):
    """What the routes of a person's numbers need."""

    figures: FairWork
    own_games: OwnGames
    club_games: ClubGames
    table_ratings: TableRatings


ForNumbers = Annotated[NumbersKit, needs(NumbersKit)]
