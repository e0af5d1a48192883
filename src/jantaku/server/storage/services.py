"""The settings, the database and the stores shared by all parts of the server."""

from jantaku.errors import RequestError
from jantaku.server.edge.metrics import Metrics
from jantaku.server.processes.links import InProcessBus, Links, Messages
from jantaku.server.processes.nats import NatsMessages
from jantaku.server.processes.streams import Streams
from jantaku.server.programs import Programs
from jantaku.server.settings import Settings
from jantaku.server.storage import Store
from jantaku.server.storage.cards import CardStore
from jantaku.server.storage.cleanup import Cleanup, Retention
from jantaku.server.storage.entries import ClaimStore, EntryStore, Nicknames
from jantaku.server.storage.event_store import EventLog, EventStore
from jantaku.server.storage.events import EventDesk
from jantaku.server.storage.finished_games import OnlineGames
from jantaku.server.storage.games import Games
from jantaku.server.storage.lease import Lease
from jantaku.server.storage.people import Accounts, TieStore
from jantaku.server.storage.push import PushStore
from jantaku.server.storage.ratings import RatingStore
from jantaku.server.storage.recorded_games import BetStore, RecordedGames
from jantaku.server.storage.reviews import ReviewStore
from jantaku.server.storage.rounds import RoundStore
from jantaku.server.storage.saved import RulesetStore, Uploads
from jantaku.server.storage.seasons import SeasonStore
from jantaku.server.storage.sign_in import OneTimeLinks, RecoveryStore, Sessions, SignInStore
from jantaku.server.storage.tables import TableStore
from jantaku.server.storage.webhooks import WebhookStore
from jantaku.server.storage.writer import Writer


class Services:
    """The settings, the database, its stores and the links between processes.

    Raises ``RequestError`` if the settings ask for several processes that cannot share the database.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = store = Store(settings)
        self.lease, self.links = _lease_and_links(settings, store)
        self.metrics = Metrics()
        self.streams = Streams(self.links)
        self.programs = Programs(settings.programs, settings.programs_at_once)
        self.accounts = Accounts(store)
        self.sessions = Sessions(store)
        self.one_time_links = OneTimeLinks(store)
        self.recovery = RecoveryStore(store)
        self.sign_in = SignInStore(store)
        self.seating = TableStore(store, self.lease)
        self.games = Games(store)
        self.rulesets = RulesetStore(store, settings.house_rules)
        self.uploads = Uploads(store)
        self.cards = CardStore(store)
        self.reviewed = ReviewStore(store)
        self.cleanup = Cleanup(store)
        self.retention = Retention(store)
        self.writer = Writer(store, self.metrics)
        self.events = EventStore(store)
        self.entries = EntryStore(store)
        self.claims = ClaimStore(store)
        self.recorded = RecordedGames(store)
        self.desk = EventDesk(store)
        self.event_log = EventLog(store)
        self.online = OnlineGames(store)
        self.rounds = RoundStore(store)
        self.webhooks = WebhookStore(store, self.links)
        self.nicknames = Nicknames(store)
        self.seasons = SeasonStore(store)
        self.bets = BetStore(store)
        self.push = PushStore(store, self.links)
        self.ties = TieStore(store, settings.limits.ties_of_one)
        self.ratings = RatingStore(store)


def _lease_and_links(settings: Settings, store: Store) -> tuple[Lease, Links]:
    """Create this process's lease and its links to other processes."""
    if settings.role != "all" and not settings.nats:
        raise RequestError("role_alone", field="--role", role=settings.role)
    if settings.nats and store.sqlite:
        raise RequestError("nats_without_postgres", field="--nats")
    lease = Lease(store, role=settings.role, alone=not settings.nats, standby=settings.standby)
    messages: Messages = (
        NatsMessages(settings.nats, settings.nats_authority) if settings.nats else InProcessBus()
    )
    links = Links(messages)
    links.process, links.others, lease.connect = lease.process, lease.others, links.join
    lease.reachable = lambda: links.working
    return lease, links
