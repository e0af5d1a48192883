"""Request and response bodies of other rules for an event that has begun."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.shared_bodies import Problem, RulesName
from jantaku.server.edge.wire import BySeat, Wire
from jantaku.server.events.common.event_bodies import Reason


class OtherRules(Wire):
    """Look what other rules would change."""

    rules: RulesName


class GameUnderRules(Wire):
    """A game that would change, or that cannot be settled by the rules (``problem``)."""

    game: str
    number: int
    stage: str
    label: str
    players: list[str]
    counts: bool
    before: BySeat | None
    after: BySeat | None
    problem: Problem | None


class RulesPreview(Wire):
    """What other rules would change: the final points of games, or their present points if they are not over.

    ``used``: something has been recorded or seated under the rules of now. ``seen`` stands for the games and
    rules as they are: changing the rules needs it. ``unchanged`` is how many games stay as they are.
    """

    rules_name: str
    used: bool
    seen: str
    games: list[GameUnderRules]
    unchanged: int


class ChangeRules(Wire):
    """Change the rules of an event, as its preview has shown it (``seen``)."""

    rules: RulesName
    seen: Annotated[str, Field(max_length=64)]
    why: Reason
