"""What the routes of friends need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.friends.invitations import Invitations
from jantaku.server.numbers.games import OwnGames
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.asking import needs
from jantaku.server.play.table_kit import TableKit


@dataclass(frozen=True, kw_only=True)
class FriendsKit(TableKit):
    """What the routes of friends need: the games for the card, and the invitations."""

    figures: FairWork
    own_games: OwnGames
    table_ratings: TableRatings
    invitations: Invitations


ForFriends = Annotated[FriendsKit, needs(FriendsKit)]
