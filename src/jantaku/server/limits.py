"""What one person, one address and everybody together may use up, and how much an event may have."""

from dataclasses import dataclass, fields, replace
from typing import Final


@dataclass(frozen=True)
class Limits:
    """What one person (``…_of_one``) or one address may use up.

    At most ``tables`` waiting or running tables and ``idle_tables`` finished ones are in memory; ``seats``
    are those at waiting and running tables, and ``practice_bytes`` what all games that people play on from
    others take in memory. IPv6 addresses count together by /64. ``kept_bytes_of_one``: uploads and rules of a
    person as stored, and what they add to the logs of events in a day; ``kept_bytes_per_day``: what may come
    from an address to be kept; ``replay_bytes``: all
    games in memory for replays. ``tries_of_account_per_h``: wrong passwords for one account from all browsers
    in which its owner has not signed in; ``tries_of_address_per_h``: from one address of these, or from one
    browser in which its owner has. Once the tries of an account are used up, each network still has
    ``tries_of_network_per_h``, so that nobody can lock the owner out of a new browser elsewhere.
    ``ties_of_one``: friends, requests and blocked people together.
    ``names_per_min``: how often one learns whether an account has a name.
    ``connects_…``: sockets that one opens at tables; an address may open all it may have at once.
    ``votes_per_s``: votes of one person to end or repeat a game, as each is sent to the whole table;
    ``sayings_per_s``: stamps and texts that one person sends to a table.
    ``jobs`` is how many pieces of heavy work wait or run at a time, each for ``job_cpu_s`` at most;
    one seating of an event at a time is computed, for ``long_job_cpu_s`` at most.
    ``head_s`` and ``body_s`` limit the head and the body of a request, ``bodies`` the bytes of all that are
    on the way; event files have ``file_s`` and their own room, for two of ``file_bytes``;
    connections without a request are silent.
    """

    body_bytes: int = 128 * 1024
    upload_bytes: int = 2 * 1024 * 1024
    file_bytes: int = 64 * 1024 * 1024
    bodies: int = 256 * 1024 * 1024
    bodies_of_address: int = 16 * 1024 * 1024
    message_bytes: int = 4096
    messages_per_s: float = 20
    message_burst: int = 60
    messages_of_address_per_s: float = 500
    heavy_per_s: float = 3
    votes_per_s: float = 0.5
    vote_burst: int = 10
    sayings_per_s: float = 0.25
    saying_burst: int = 4
    requests_per_s: float = 30
    request_burst: int = 120
    entries_per_min: float = 20
    names_per_min: float = 20
    name_burst: int = 40
    tables: int = 2000
    tables_of_one: int = 8
    tables_of_address: int = 100
    seats_of_one: int = 8
    seats_of_address: int = 400
    practice_bytes: int = 256 * 1024 * 1024
    practice_bytes_of_one: int = 8 * 1024 * 1024
    practice_bytes_of_address: int = 32 * 1024 * 1024
    sockets_of_one: int = 16
    guests_per_day: float = 500
    accounts_per_day: float = 50
    tries_of_account_per_h: float = 100
    tries_of_address_per_h: float = 10
    tries_of_network_per_h: float = 3
    rules_of_one: int = 200
    events_of_one: int = 50
    seasons_of_one: int = 50
    uploads_of_one: int = 200
    ties_of_one: int = 500
    kept_bytes_of_one: int = 32 * 1024 * 1024
    kept_bytes_per_day: float = 128 * 1024 * 1024
    replay_bytes: int = 64 * 1024 * 1024
    idle_tables: int = 200
    jobs_of_one: int = 2
    jobs_of_address: int = 8
    jobs: int = 32
    job_cpu_s: float = 5
    long_job_cpu_s: float = 90
    silent_of_address: int = 64
    sockets_of_address: int = 400
    waiting_of_address: int = 8
    claims_per_day: float = 60
    connects_per_s: float = 0.5
    connect_burst: int = 30
    connects_of_address_per_s: float = 10
    head_s: float = 10
    body_s: float = 30
    file_s: float = 180


RATES: Final = ("_per_s", "_per_min", "_per_h", "_per_day", "_burst")  # how the names of rates end
OFTEN: Final = 10**9
LARGE_CHANGE: Final = 4096  # bytes that one change adds to the log of an event

SESSIONS_OF_ONE: Final = 50  # the least recently used one is dropped
LINKS_OF_ONE: Final = 10  # that sign in once; those that expire first are dropped
PASSKEYS_OF_ONE: Final = 20
MAILS_PER_H: Final = 3  # to one address, whoever asks
CALLS_OF_ONE: Final = 5  # open ones for a referee
STARTED_PER_DAY: Final = 50  # games at an event
BETS_OF_ONE: Final = 200  # that are offered in an event
STAFF_OF_EVENT: Final = 100
ENTRIES_OF_EVENT: Final = 2_000
CLAIMS_OF_EVENT: Final = 1000  # that wait for an organiser
CLAIMS_OF_ENTRY: Final = 5
STAGES_OF_EVENT: Final = 50
ROUNDS_OF_STAGE: Final = 60
GAMES_OF_EVENT: Final = 20_000
VERSIONS_OF_GAME: Final = 1_000  # entries of its hands
PENALTIES_OF_EVENT: Final = 5_000
WEBHOOKS_OF_EVENT: Final = 8
PARTS_OF_SEASON: Final = 50


def without(limits: Limits, *endings: str) -> Limits:
    """The limits, with those practically lifted whose names end so."""
    names = [field.name for field in fields(limits) if field.name.endswith(endings)]
    return replace(limits, **dict.fromkeys(names, OFTEN))


@dataclass(frozen=True)
class LabLimits:
    """How much the lab may work for people in the browser.

    ``rules_games`` and ``hand_games``: the most games of a question about rules, and deals of one about a
    hand; 0 refuses such questions. ``at_once`` questions are worked on at a time, one process each. At most
    ``of_one`` of one person, ``of_address`` from one address and ``waiting`` of all wait or are worked on. A
    question may take ``cpu_s`` of CPU time. ``ray``: the cluster that plays the games of questions about
    rules, ``ray://HOST:PORT``, or ``ray`` for one on this machine; without it the question's process does.
    """

    rules_games: int = 2000
    hand_games: int = 1000
    at_once: int = 1
    of_one: int = 2
    of_address: int = 6
    waiting: int = 20
    cpu_s: int = 900
    ray: str = ""
