"""The bodies of the HTTP interface: what is sent and what comes back."""

from typing import Annotated, Any, Literal

from pydantic import Field

from jantaku.server.protocol import LanguageCode, Role, TableInfo, TableOptions
from jantaku.server.wire import Four, Seat, Wire

# Some systems send letters in parts, so more come in than are kept; ``jantaku.server.names`` counts them
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
OldPassword = Annotated[str, Field(max_length=128)]
Password = Annotated[str, Field(min_length=8, max_length=128)]
RulesName = Annotated[str, Field(min_length=1, max_length=64)]
Toml = Annotated[str, Field(max_length=50_000)]
Request = dict[str, Any]


class Problem(Wire):
    """What was wrong: a code for programs, a text for people, the field where there is one."""

    code: str
    message: str
    field: str = ""


class ErrorBody(Wire):
    """The body of every answer from 400 up."""

    error: Problem


class Done(Wire):
    """Done, and there is nothing to tell."""

    ok: Literal[True] = True


class Invite(Wire):
    """The link of a table or of rules. ``only_here``: it leads nowhere from another device."""

    url: str
    only_here: bool


# People


class Person(Wire):
    """Somebody who is signed in. ``table``: where they sit in a game that goes on."""

    id: str
    name: str
    role: Role
    guest: bool
    language: LanguageCode
    table: str | None = None


class Me(Wire):
    """Who I am; ``null`` for nobody."""

    person: Person | None


class GuestBody(Wire):
    """Come in by name alone."""

    name: Name
    language: LanguageCode = "en"


class RegisterBody(Wire):
    """Open an account; a guest who does keeps seats and games."""

    name: Name
    password: Password
    language: LanguageCode = "en"


class LoginBody(Wire):
    """Come in with a password."""

    name: Name
    password: OldPassword


class PasswordBody(Wire):
    """Change the password. ``old`` is not needed by somebody who has none yet."""

    old: OldPassword | None = None
    new: Password


class SessionInfo(Wire):
    """Where I am signed in. ``device``: browser and system; times are ISO, ``null`` where unknown."""

    id: str
    device: str
    since: str | None
    seen: str | None
    here: bool


class SessionList(Wire):
    """Everywhere I am signed in, the latest first. ``password``: whether I have one."""

    sessions: list[SessionInfo]
    password: bool


class LinkBody(Wire):
    """Make a one-time link: for oneself, or (as admin) for somebody by name with a role."""

    name: Name | None = None
    role: Role | None = None


class Link(Wire):
    """A link that signs in once, when it ends (ISO time), and its QR code as SVG."""

    url: str
    expires: str
    qr: str


class TokenBody(Wire):
    """Come in by a one-time link: the part behind ``/enter/``."""

    token: Annotated[str, Field(max_length=128)]


class RoleBody(Wire):
    """Give somebody a role."""

    role: Role


class PersonPatch(Wire):
    """Change one's name or language."""

    name: Name | None = None
    language: LanguageCode | None = None


class PersonList(Wire):
    """Everybody with an account."""

    people: list[Person]


# Tables


class CreateTable(Wire):
    """Open a table. ``rules``: a preset or the fingerprint of saved rules. ``bots``: that many take seats."""

    name: Annotated[str, Field(max_length=40)] = ""
    rules: RulesName = "standard"
    options: TableOptions = TableOptions()
    bots: Annotated[int, Field(ge=0, le=4)] = 0
    sit: bool = True


class SeatBody(Wire):
    """Take that seat; any free one where none is named."""

    seat: Seat | None = None


class LobbyPage(Wire):
    """The public tables, newest first, and those one sits at."""

    tables: list[TableInfo]
    mine: list[TableInfo]


# Games


class GamePlayer(Wire):
    """Who played in a seat."""

    name: str
    bot: bool


class GameSummary(Wire):
    """A game that is over."""

    id: str
    table: str
    rules: str
    rules_name: str
    fingerprint: str
    started: str
    ended: str
    players: list[GamePlayer]
    final: Four | None
    places: Four | None
    hands: int


class GameList(Wire):
    """Finished games, newest first; ``next`` is the ``before`` of the following page."""

    games: list[GameSummary]
    next: str | None


class ReplayStep(Wire):
    """One action of a replay: the events before it, who did what, and the events it brought about."""

    seat: Seat
    action: dict[str, Any]
    first: int
    last: int


class ReplayHand(Wire):
    """Where a hand begins among the events. ``chips``: each seat's after it, of logs that tell them."""

    event: int
    number: int
    honba: int
    chips: Four | None = None


class Replay(Wire):
    """A whole game: every event with all hands open, the steps that led to them, where hands begin.

    ``follows_rules``: this version plays the game as it was played; if not, it is shown as it is stored.
    """

    game: GameSummary | None
    rules: str
    names: list[str]
    events: list[dict[str, Any]]
    steps: list[ReplayStep]
    hands: list[ReplayHand]
    follows_rules: bool


class ReplayMoment(Wire):
    """The table before a step as every seat saw it, with waits and dangers, and what a bot would do.

    ``seats``: four views (``SeatView``); ``danger``: for each seat what discarding a tile costs on average.
    """

    step: int
    seats: list[dict[str, Any]]
    waits: list[str]
    danger: list[dict[str, float]]
    choice: dict[str, Any] | None


class UploadBody(Wire):
    """A log as text: own record, mjai, Tenhou XML (mjlog) or Tenhou JSON; perhaps the rules it needs."""

    text: Annotated[str, Field(max_length=2_000_000)]
    name: Annotated[str, Field(max_length=100)] = "log"
    rules: RulesName | None = None


class Uploaded(Wire):
    """The replay of an upload stays under this id."""

    id: str


# Hands


class Drill(Wire):
    """A hand to count: the request, and its score with the explanation."""

    seed: int
    request: Request
    answer: dict[str, Any]


class Explained(Wire):
    """The score of a win and its explanation, part by part and as one text."""

    answer: dict[str, Any]
    explanation: dict[str, Any] | None
    text: str


class WaitRow(Wire):
    """A kind that completes the hand, copies left, and its forms."""

    tile: str
    left: int
    forms: list[Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki"]]


class Waits(Wire):
    """What a hand waits for."""

    shanten: int
    waits: list[WaitRow]


class DiscardRow(Wire):
    """A discard: shanten after it, the tiles that improve it and how many are left."""

    tile: str
    shanten: int
    tiles: str
    count: int


class Discards(Wire):
    """Every discard, the best first."""

    shanten: int
    discards: list[DiscardRow]


# Rules


class RulesRow(Wire):
    """A ruleset in a list."""

    id: str
    name: str
    about: str
    fingerprint: str
    own: bool


class RulesList(Wire):
    """The rules one has saved, then the presets."""

    rules: list[RulesRow]


class TomlBody(Wire):
    """A rules file."""

    toml: Toml


class RulesProblem(Wire):
    """One thing that is wrong with a rules file: the path of the option and what to do."""

    path: str
    code: str
    message: str


class Checked(Wire):
    """Whether a rules file is right; ``sheet`` as of ``GET /api/rules/{id}`` where it is."""

    ok: bool
    problems: list[RulesProblem]
    fingerprint: str | None = None
    sheet: dict[str, Any] | None = None


class SavedRules(Wire):
    """Saved rules: the id to use at tables and in links."""

    id: str
    url: str


class RulesPage(Wire):
    """A ruleset in words (``jantaku.rules.sheet``), as data (``tree``) and as TOML over its parent.

    ``extends``: the preset it builds on; a preset itself.
    """

    id: str
    extends: str
    name: str
    about: str
    fingerprint: str
    sections: list[dict[str, Any]]
    yaku: list[dict[str, Any]]
    tree: dict[str, Any]
    toml: str


class DiffRow(Wire):
    """One option on which two rulesets differ."""

    path: str
    label: str
    first: str
    second: str


class Diff(Wire):
    """Where two rulesets differ; ``names`` of both."""

    first: str
    second: str
    names: list[str]
    rows: list[DiffRow]


class Health(Wire):
    """Whether the server can store what it accepts. ``stopped``: tables that a fault keeps from going on."""

    ok: bool
    storage: bool
    tables: int
    stopped: int
    version: str
