"""What the routes of the lab need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.archive.archive_kit import ArchiveKit
from jantaku.server.lab.inherited_questions import InheritedQuestions
from jantaku.server.lab.questions import LabQuestions
from jantaku.server.people.asking import needs


@dataclass(frozen=True, kw_only=True)
class LabKit(ArchiveKit):
    """What the routes of the lab need."""

    inherited: InheritedQuestions

    @property
    def questions(self) -> LabQuestions:
        """All questions of this process."""
        return self.inherited.questions


AtLab = Annotated[LabKit, needs(LabKit)]
