"""The server's settings, from the environment or the command line."""

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from platformdirs import user_data_dir

from jantaku.rules import Ruleset


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


@dataclass(frozen=True)
class Pauses:
    """Pauses, in seconds, that no rule requires.

    ``claim`` is the range of the pause between a discard and the next draw, whether or not anyone could call.
    In ``hesitation`` of the cases the pause lasts for the whole claim window, as if someone were thinking.
    ``after_window`` is added to a pause of the whole window, so that the last answers can be stored. ``bot``
    is how long bots think; ``result`` is how long the end of a hand is shown. ``pass_before_end`` is how long
    before the end of a pause a bot passes, so that its answer can be stored. ``deal`` is how much longer a
    bot thinks that begins a hand, while clients show the deal.
    """

    claim: tuple[float, float] = (0.4, 1.0)
    hesitation: float = 0.1
    after_window: tuple[float, float] = (0.1, 0.3)
    bot: tuple[float, float] = (0.4, 1.2)
    result: float = 15.0
    result_among_bots: float = 4.0
    pass_before_end: float = 0.2
    deal: float = 1.3


PACES: Final = {"slow": 1.6, "usual": 1.0, "quick": 0.3}  # by what the pauses of bots are multiplied


def pace_of(pace: str | None, people: int) -> float:
    """By what the pauses of bots are multiplied; without a word of the host, quick for one person alone."""
    return PACES[pace or ("quick" if people == 1 else "usual")]


NO_PAUSES: Final = Pauses((0, 0), 0, (0, 0), (0, 0), 0, 0, deal=0)


DATABASE_FILE: Final = "jantaku.sqlite3"


def default_data_dir() -> Path:
    """``JANTAKU_DATA_DIR``, else the platform's folder for application data."""
    return Path(os.environ.get("JANTAKU_DATA_DIR") or user_data_dir("jantaku", appauthor=False))


@dataclass(frozen=True)
class Outside:
    """What the owner lets the server reach: a mail server, an OpenID provider, and hosts of logs.

    ``smtp``: ``smtp://`` or ``smtps://`` with user, password, host and port; ``mail_from``: the sender.
    ``oidc``: the issuer's address, with the ``oidc_client`` and ``oidc_secret`` that it has given this
    parlour, and the ``oidc_name`` that people know it by. ``log_hosts``: from where logs may be fetched.
    """

    smtp: str = field(default="", repr=False)
    mail_from: str = ""
    oidc: str = ""
    oidc_client: str = ""
    oidc_secret: str = field(default="", repr=False)
    oidc_name: str = ""
    log_hosts: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls) -> "Outside":
        """Read ``JANTAKU_SMTP``, ``JANTAKU_MAIL_FROM``, ``JANTAKU_OIDC`` and so on."""

        def said(name: str) -> str:
            return os.environ.get(f"JANTAKU_{name}", "").strip()

        return cls(
            smtp=said("SMTP"),
            mail_from=said("MAIL_FROM"),
            oidc=said("OIDC"),
            oidc_client=said("OIDC_CLIENT"),
            oidc_secret=said("OIDC_SECRET"),
            oidc_name=said("OIDC_NAME"),
            log_hosts=tuple(said("LOG_HOSTS").lower().split()),
        )


@dataclass(frozen=True)
class Settings:
    """Where a server keeps its data and how it behaves.

    ``database_url`` is any that SQLAlchemy's asyncio supports; empty: SQLite in ``data_dir``. ``public_url``
    is where people reach the server (https makes cookies secure); empty: the address of each request.
    ``nearby_url`` is where others in the same network reach it, if they can. ``hosts`` are further names and
    addresses that the server answers to (``edge.hosts``). ``house_rules``: the rulesets of
    the operator's own files, which are offered under their ids beside the presets.
    ``daily``: when the daily table begins, by the clock of this machine, or ``off``. ``metrics_port``: where
    Prometheus reads what the process measures, on ``metrics_host``; 0: nowhere. ``standby``: wait until the
    server ends that uses the database. ``nats``: where processes of a site find each other, each in its
    ``role``; empty: there is only one. ``nats_authority``: the file of the authority that has certified NATS.

    For tests: ``grace_s`` instead of that of ``play.absent_players``, and ``webhook_waits_s`` of
    ``events.notices.webhook_sender``. ``webhook_hosts`` may receive webhooks and notifications though they
    are private or speak plain http. ``same_names`` lets guests share a name.
    """

    data_dir: Path = field(default_factory=default_data_dir)
    database_url: str = field(default="", repr=False)  # it may contain a password
    public_url: str = ""
    nearby_url: str = ""
    hosts: tuple[str, ...] = ()
    pauses: Pauses = field(default_factory=Pauses)
    limits: Limits = field(default_factory=Limits)
    lab: LabLimits = field(default_factory=LabLimits)
    grace_s: float | None = None
    bot: str = "standard"
    house_rules: tuple[Ruleset, ...] = ()
    webhook_hosts: tuple[str, ...] = ()
    same_names: bool = False
    webhook_waits_s: tuple[float, ...] = ()
    daily: str = "21:00"
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0
    standby: bool = False
    outside: Outside = Outside()
    role: str = "all"
    nats: str = field(default="", repr=False)  # it may contain a password
    nats_authority: str = ""

    @property
    def url(self) -> str:
        """The database URL with an asyncio driver."""
        if not self.database_url:
            return f"sqlite+aiosqlite:///{self.data_dir / DATABASE_FILE}"
        scheme, separator, rest = self.database_url.partition("://")
        known = {
            "postgresql": "postgresql+asyncpg",
            "postgres": "postgresql+asyncpg",
            "sqlite": "sqlite+aiosqlite",
        }
        return f"{known.get(scheme, scheme)}{separator}{rest}"

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read ``JANTAKU_DATABASE_URL``, ``JANTAKU_DATA_DIR``, ``JANTAKU_PUBLIC_URL``, ``JANTAKU_HOSTS``."""
        return cls(
            database_url=os.environ.get("JANTAKU_DATABASE_URL", ""),
            public_url=os.environ.get("JANTAKU_PUBLIC_URL", "").rstrip("/"),
            hosts=tuple(os.environ.get("JANTAKU_HOSTS", "").split()),
        )
