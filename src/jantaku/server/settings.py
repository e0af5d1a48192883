"""Settings of the server, from the environment or the command line."""

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from platformdirs import user_data_dir

from jantaku.rules import Ruleset


@dataclass(frozen=True)
class Limits:
    """Limits on one person (``…_of_one``), on one address (``…_of_address``) and on the whole process.

    IPv6 addresses are counted by /64 network.

    - ``tables``, ``idle_tables``: waiting or running, and finished tables in memory
    - ``seats_…``: seats at waiting and running tables
    - ``practice_bytes…``: memory of practice games
    - ``kept_bytes_of_one``: stored uploads and rules of a person; also what they add to the logs of events in
      a day
    - ``kept_bytes_per_day``: bytes stored for an address
    - ``replay_bytes``: games cached for replays
    - ``tries_of_account_per_h``: wrong passwords for an account from browsers unknown to it
    - ``tries_of_address_per_h``: the same from one address, or from one browser that the account knows
    - ``tries_of_network_per_h``: attempts left to each network once the account's limit is reached, so that
      nobody can lock the owner out of a new browser elsewhere
    - ``ties_of_one``: friends, requests and blocked people together
    - ``names_per_min``: checks whether a name is taken
    - ``connects_…``: sockets opened at tables; an address may open all its sockets at once
    - ``votes_per_s``: a person's votes to end or repeat a game, each of which is sent to the whole table
    - ``sayings_per_s``: stamps and texts that a person sends to a table
    - ``jobs``: pieces of heavy work waiting or running, each for up to ``job_cpu_s``; one seating of an event
      is computed at a time, for up to ``long_job_cpu_s``
    - ``head_s``, ``body_s``: time for the head and the body of a request; ``bodies``: bytes of all bodies
      being received; event files have ``file_s`` and separate room for two of ``file_bytes``
    - ``silent_of_address``: connections without a request; ``waiting_of_address``: people in the ranked queue
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


RATES: Final = ("_per_s", "_per_min", "_per_h", "_per_day", "_burst")  # suffixes of rate limits
UNLIMITED: Final = 10**9
LARGE_CHANGE: Final = 4096  # bytes; changes that add this much to an event's log also count for the address

SESSIONS_OF_ONE: Final = 50  # the least recently used one is dropped
LINKS_OF_ONE: Final = 10  # one-time sign-in links; those that expire first are dropped
PASSKEYS_OF_ONE: Final = 20
MAILS_PER_H: Final = 3  # to one address
CALLS_OF_ONE: Final = 5  # open calls for a referee
STARTED_PER_DAY: Final = 50  # games that one person starts at an event
BETS_OF_ONE: Final = 200  # side bets offered at an event
STAFF_OF_EVENT: Final = 100
ENTRIES_OF_EVENT: Final = 2_000
CLAIMS_OF_EVENT: Final = 1000  # claims waiting for an organiser
CLAIMS_OF_ENTRY: Final = 5
STAGES_OF_EVENT: Final = 50
ROUNDS_OF_STAGE: Final = 60
GAMES_OF_EVENT: Final = 20_000
VERSIONS_OF_GAME: Final = 1_000  # entries of its hands
PENALTIES_OF_EVENT: Final = 5_000
WEBHOOKS_OF_EVENT: Final = 8
PARTS_OF_SEASON: Final = 50


def without(limits: Limits, *endings: str) -> Limits:
    """Return the limits, practically lifting those whose names have one of these endings."""
    names = [field.name for field in fields(limits) if field.name.endswith(endings)]
    return replace(limits, **dict.fromkeys(names, UNLIMITED))


@dataclass(frozen=True)
class LabLimits:
    """Limits on the lab's work for people in the browser.

    ``rules_games`` and ``hand_games``: maximum games of a question about rules, and deals of a question about
    a hand; 0 refuses such questions. ``at_once``: questions in progress, each in its own process. ``of_one``,
    ``of_address`` and ``waiting``: waiting or running questions of a person, of an address and in total.
    ``cpu_s``: CPU time of a question. ``ray``: the cluster that plays the games of questions about rules,
    ``ray://HOST:PORT``, or ``ray`` for one on this machine; empty: the question's own process.
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
    """Pauses in seconds, in addition to the clocks of the rules.

    ``claim``: range of the pause between a discard and the next draw, whether or not anyone can call.
    ``hesitation``: share of these pauses that last up to the whole claim window, as if someone were thinking.
    ``after_window``: range added to a pause of the whole window, so that the last responses can be stored.
    ``bot``: range of a bot's thinking time. ``result``: display time of a hand's result, and
    ``result_among_bots`` without people. ``pass_before_end``: how long before the end of a pause bots pass,
    so that it can be stored. ``deal``: added to a bot's thinking time at the start of a hand, while clients
    animate the deal.
    """

    claim: tuple[float, float] = (0.4, 1.0)
    hesitation: float = 0.1
    after_window: tuple[float, float] = (0.1, 0.3)
    bot: tuple[float, float] = (0.4, 1.2)
    result: float = 15.0
    result_among_bots: float = 4.0
    pass_before_end: float = 0.2
    deal: float = 1.3


PACES: Final = {"slow": 1.6, "usual": 1.0, "quick": 0.3}  # factors for the bots' pauses


def pace_of(pace: str | None, people: int) -> float:
    """Return the factor for the bots' pauses; by default, quick for a person playing alone, else usual."""
    return PACES[pace or ("quick" if people == 1 else "usual")]


PROGRAM_NAME: Final = "[A-Za-z][A-Za-z0-9_-]{0,23}"


@dataclass(frozen=True)
class Program:
    """An external mjai program under a ``name`` that matches ``PROGRAM_NAME`` and is not that of a bot.

    ``command``: as in the arena, ``mjai:COMMAND`` or ``mjai:lines:COMMAND``. ``players`` and ``rules``: the
    only number of players and the ids of the only rulesets that it can play; by default all.
    """

    name: str
    command: str = field(repr=False)  # it may contain a key
    players: int | None = None
    rules: tuple[str, ...] = ()

    def suits(self, rules: Ruleset) -> bool:
        """Whether the program can play under these rules."""
        return self.players in (None, rules.match.players) and (not self.rules or rules.id in self.rules)


NO_PAUSES: Final = Pauses((0, 0), 0, (0, 0), (0, 0), 0, 0, deal=0)


DATABASE_FILE: Final = "jantaku.sqlite3"


def default_data_dir() -> Path:
    """Return ``JANTAKU_DATA_DIR``, else the platform's folder for application data."""
    return Path(os.environ.get("JANTAKU_DATA_DIR") or user_data_dir("jantaku", appauthor=False))


@dataclass(frozen=True)
class Outside:
    """External services: a mail server, an OpenID provider, and hosts of logs.

    ``smtp``: ``smtp://`` or ``smtps://`` with user, password, host and port. ``mail_from``: the sender.
    ``oidc``: the issuer's address; ``oidc_client`` and ``oidc_secret``: the credentials it has issued to
    this server; ``oidc_name``: its displayed name. ``log_hosts``: hosts from which logs may be fetched.
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

        def env(name: str) -> str:
            return os.environ.get(f"JANTAKU_{name}", "").strip()

        return cls(
            smtp=env("SMTP"),
            mail_from=env("MAIL_FROM"),
            oidc=env("OIDC"),
            oidc_client=env("OIDC_CLIENT"),
            oidc_secret=env("OIDC_SECRET"),
            oidc_name=env("OIDC_NAME"),
            log_hosts=tuple(env("LOG_HOSTS").lower().split()),
        )


@dataclass(frozen=True)
class Settings:
    """All settings of a server.

    - ``database_url``: any URL that SQLAlchemy's asyncio supports; empty: SQLite in ``data_dir``
    - ``public_url``: the server's public address (https makes cookies secure); empty: that of each request
    - ``nearby_url``: its address on the local network, if reachable
    - ``hosts``: further names and addresses that the server accepts in the Host header (``edge.guard``)
    - ``house_rules``: rulesets from the operator's files, offered under their ids alongside the presets
    - ``programs``: external programs that play at tables and judge reviews; ``programs_at_once``: how many
      play at the same time
    - ``daily``: time of the daily table on this machine's clock, or ``off``
    - ``metrics_host``, ``metrics_port``: address at which Prometheus reads the metrics; port 0 disables it
    - ``standby``: wait until the server that uses the database has exited
    - ``nats``: address through which the processes of a site find each other, each in its ``role``; empty for
      a single process; ``nats_authority``: certificate file of the authority that issued the NATS certificate
    - ``webhook_hosts``: hosts that may receive webhooks and notifications even if they are private or use
      plain http

    For tests: ``grace_s`` replaces ``play.table_seats.GRACE_S``, ``webhook_waits_s`` the waits between
    delivery attempts of a webhook; ``same_names`` lets guests share a name.
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
    programs: tuple[Program, ...] = ()
    programs_at_once: int = 4
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
