"""What the routes of rulesets need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.work import FairWork
from jantaku.server.people.asking import Kit, needs


@dataclass(frozen=True, kw_only=True)
class RulesKit(Kit):
    """What the routes of rulesets need."""

    rules_pages: FairWork


ForRules = Annotated[RulesKit, needs(RulesKit)]
