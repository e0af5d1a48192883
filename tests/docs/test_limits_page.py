"""The numbers that pages say about limits are those of the code; a split table would not be one."""

import re
from dataclasses import fields
from typing import Final

import pytest

from jantaku.lab.adapt.search import SearchSettings
from jantaku.lab.experiment.plan import PORTION
from jantaku.lab.kernels.action_space import ACTIONS
from jantaku.lab.kernels.observation import ROWS
from jantaku.lab.kernels.unseen import TRIES
from jantaku.server.limits import LabLimits, Limits
from support.pages import pages, text_of

LIMITS: Final = text_of("docs/server.md").partition("**Limits**")[2].partition("\n\nA person holds")[0]
KB, MB = 1024, 1024 * 1024
# Each limit as the page says it, with what divides the number; None where a rate is in words
SAID: Final[dict[str, tuple[str, float] | None]] = {
    "body_bytes": ("body; {} KiB", KB),
    "upload_bytes": ("an upload {} MiB", MB),
    "file_bytes": ("an event file {} MiB", MB),
    "file_s": ("64 MiB and {} s", 1),
    "bodies": ("and {} MiB of all", MB),
    "bodies_of_address": ("on their way {} MiB of one address", MB),
    "message_bytes": ("messages of {} KiB", KB),
    "messages_per_s": ("then {} a second; it is closed", 1),
    "message_burst": ("KiB, {} at once", 1),
    "messages_of_address_per_s": ("{} messages a second from all", 1),
    "heavy_per_s": ("then {} a second; 10 votes", 1),
    "votes_per_s": None,
    "vote_burst": ("{} votes at once", 1),
    "sayings_per_s": None,
    "saying_burst": ("{} stamps or texts at once", 1),
    "requests_per_s": ("{} requests a second", 1),
    "request_burst": ("second, {} at once; 20 sign-ins", 1),
    "entries_per_min": ("{} sign-ins or sign-in attempts a minute", 1),
    "names_per_min": ("{} questions a minute whether", 1),
    "name_burst": ("name, {} at once", 1),
    "tables": ("{} tables that wait or play, 256 MiB", 1),
    "tables_of_one": ("| one person | {} tables that wait or play", 1),
    "tables_of_address": ("| one address | {} tables that wait or play", 1),
    "seats_of_one": ("a seat at {} of them", 1),
    "seats_of_address": ("{} seats at them", 1),
    "practice_bytes": ("or play, {} MiB of games to play on from", MB),
    "practice_bytes_of_one": ("of them, {} MiB of memory for games", MB),
    "practice_bytes_of_address": ("at them, {} MiB of memory for games", MB),
    "sockets_of_one": ("| one person | {} sockets", 1),
    "guests_per_day": ("{} new guests", 1),
    "accounts_per_day": ("{} new accounts a day", 1),
    "tries_of_account_per_h": ("{} from all addresses together", 1),
    "tries_of_address_per_h": ("{} wrong passwords an hour from one address", 1),
    "tries_of_network_per_h": ("after that {} from each network", 1),
    "rules_of_one": ("{} saved rulesets", 1),
    "events_of_one": ("{} events", 1),
    "seasons_of_one": ("{} seasons", 1),
    "uploads_of_one": ("{} uploads", 1),
    "ties_of_one": ("{} friends, requests", 1),
    "kept_bytes_of_one": ("uploads take {} MiB", MB),
    "kept_bytes_per_day": ("{} MiB a day", MB),
    "replay_bytes": ("{} MiB of games for replays", MB),
    "idle_tables": ("up to {} finished tables", 1),
    "jobs_of_one": ("{} pieces of heavy work", 1),
    "jobs_of_address": ("from one address {}, in all 32", 1),
    "jobs": ("in all {}; each has", 1),
    "job_cpu_s": ("each has {} s of CPU time", 1),
    "long_job_cpu_s": ("the seating of an event {} s", 1),
    "silent_of_address": ("| idle connections | {} of one address", 1),
    "sockets_of_address": ("a day, {} sockets", 1),
    "waiting_of_address": ("{} waiting for ranked play", 1),
    "claims_per_day": ("{} claims of entries a day", 1),
    "connects_per_s": None,
    "connect_burst": ("{} new sockets at once, then one", 1),
    "connects_of_address_per_s": None,
    "head_s": ("{} s and 64 KiB for the head", 1),
    "body_s": ("{} s for the body", 1),
}
LAB: Final[dict[str, tuple[str, float]]] = {
    "rules_games": ("{} games or", 1),
    "hand_games": ("or {} deals", 1),
    "of_one": ("| the lab | {} questions of one person", 1),
    "of_address": ("{} of one address, 20", 1),
    "waiting": ("{} of all", 1),
    "cpu_s": ("{} minutes of CPU time for each", 60),
}


def shown(value: float, unit: float) -> str:
    return f"{value / unit:,.0f}"


@pytest.mark.parametrize("limit", [field.name for field in fields(Limits)])
def test_the_page_states_every_limit(limit: str) -> None:
    said = SAID[limit]
    if said is not None:
        template, unit = said
        assert template.format(shown(getattr(Limits(), limit), unit)) in LIMITS


@pytest.mark.parametrize("limit", LAB)
def test_the_page_states_the_limits_of_the_lab(limit: str) -> None:
    template, unit = LAB[limit]
    assert template.format(shown(getattr(LabLimits(), limit), unit)) in LIMITS


@pytest.mark.parametrize("page", pages())
def test_tables_are_whole(page: str) -> None:
    """A row behind a blank line would be text: every table has a line below its heads."""
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    for part in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = part.splitlines()
        assert len(rows) > 1, f"{page}: {rows[0][:80]}"
        assert re.fullmatch(r"[|:\- ]+", rows[1]), f"{page}: {rows[0][:80]}"


# Other numbers in prose: where they stand, and what they are in the code
FACTS: Final[tuple[tuple[str, str, float], ...]] = (
    ("docs/lab.md", "the hands of the first {} games under the ruleset", PORTION),
    ("docs/lab.md", "Each task plays {} games under one ruleset", PORTION),
    ("docs/lab.md", "Without options it plays {} rounds", SearchSettings().rounds),
    ("docs/lab.md", "rounds of {} games", SearchSettings().games),
    ("docs/lab.md", "three plain ones in {} games", SearchSettings().match_games),
    ("docs/lab.md", "If no such hand is found in {} tries", TRIES),
    ("docs/environments.md", "`int16[n, {}, 34]`", ROWS),
    ("docs/environments.md", "`bool[n, {}]`", ACTIONS),
)


@pytest.mark.parametrize(("page", "said", "value"), FACTS)
def test_numbers_in_prose_are_those_of_the_code(page: str, said: str, value: float) -> None:
    assert said.format(f"{value:,}") in " ".join(text_of(page).split())
