"""What the routes of the lab need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.archive.archive_kit import ArchiveKit
from jantaku.server.lab.questions import LabQuestions
from jantaku.server.people.asking import needs


@dataclass(frozen=True, kw_only=True)
class LabKit(ArchiveKit):
    """What the routes of the lab need."""

    questions: LabQuestions


AtLab = Annotated[LabKit, needs(LabKit)]
