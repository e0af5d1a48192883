"""The server's settings, from the environment or the command line."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from platformdirs import user_data_dir

from jantaku.rules import Ruleset
from jantaku.server.limits import LabLimits, Limits
from jantaku.server.pauses import Pauses

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
