"""Request and response bodies of the HTTP interface."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.adjudication.explanation import Explanation
from jantaku.kernels.win import MOST_SEATS
from jantaku.rules.sheet import Section, SheetYaku
from jantaku.server.hand_bodies import WinRequest
from jantaku.server.protocol import LanguageCode, Role, TableInfo, TableOptions
from jantaku.server.table_types import OptionValue, ShantenNumbers
from jantaku.server.wire import BySeat, GameAction, GameEvent, ScoreAnswer, Seat, SeatView, Wire

# Some systems decompose letters, so the limit here is higher than the stored length; ``jantaku.server.names``
# counts the normalised letters
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
OldPassword = Annotated[str, Field(max_length=128)]
Password = Annotated[str, Field(min_length=8, max_length=128)]
RulesName = Annotated[str, Field(min_length=1, max_length=64)]
Toml = Annotated[str, Field(max_length=50_000)]


class Problem(Wire):
    """What was wrong: a code for programs, a text for people, and the field if one is to blame.

    ``hand`` is the index of the hand of a recorded game that cannot be.
    """

    code: str
    message: str
    field: str = ""
    hand: int | None = None


class ErrorBody(Wire):
    """The body of every response with status 400 or above."""

    error: Problem


class Done(Wire):
    """The request succeeded; there is nothing else to report."""

    ok: Literal[True] = True


class Invite(Wire):
    """The link of a table or ruleset. ``only_here``: it does not work from another device."""

    url: str
    only_here: bool


# People


class Person(Wire):
    """A signed-in person. ``table``: the table where they are in a running game."""

    id: str
    name: str
    role: Role
    guest: bool
    language: LanguageCode
    table: str | None = None


class Me(Wire):
    """The signed-in person, or ``null``."""

    person: Person | None


class GuestBody(Wire):
    """Sign in as a guest with a name only."""

    name: Name
    language: LanguageCode = "en"


class RegisterBody(Wire):
    """Open an account; a guest keeps their seats and games."""

    name: Name
    password: Password
    language: LanguageCode = "en"


class LoginBody(Wire):
    """Sign in with a password."""

    name: Name
    password: OldPassword


class PasswordBody(Wire):
    """Change the password. ``old`` is not needed if there is no password yet."""

    old: OldPassword | None = None
    new: Password


class EraseBody(Wire):
    """Delete a person or an entry for good. Without ``confirm`` nothing happens but that one is given.

    Whoever deletes their own account gives its ``password`` too.
    """

    confirm: Annotated[str, Field(max_length=64)] | None = None
    password: OldPassword | None = None


class EraseAnswer(Wire):
    """What would be deleted and the ``confirm`` for the second request; or that it is ``done``."""

    done: bool
    confirm: str | None
    entries: int
    games: int
    uploads: int
    rulesets: int


class SessionInfo(Wire):
    """A session. ``device``: browser and system; times are ISO, ``null`` if unknown."""

    id: str
    device: str
    since: str | None
    seen: str | None
    here: bool


class SessionList(Wire):
    """All of my sessions, the latest first. ``password``: whether I have one."""

    sessions: list[SessionInfo]
    password: bool


class LinkBody(Wire):
    """Create a one-time link for oneself or, as an admin, for a named person with a role."""

    name: Name | None = None
    role: Role | None = None


class Link(Wire):
    """A link that signs in once, its expiry (ISO time), and its QR code as SVG."""

    url: str
    expires: str
    qr: str


class TokenBody(Wire):
    """Sign in by a one-time link; the token is the part after ``/enter/``."""

    token: Annotated[str, Field(max_length=128)]


class RoleBody(Wire):
    """Give a person a role."""

    role: Role


class PersonPatch(Wire):
    """Change one's name or language."""

    name: Name | None = None
    language: LanguageCode | None = None


class PersonList(Wire):
    """Everyone with an account."""

    people: list[Person]


# Tables


class CreateTable(Wire):
    """Open a table. ``rules``: a preset or the fingerprint of saved rules. ``bots``: how many to seat."""

    name: Annotated[str, Field(max_length=40)] = ""
    rules: RulesName = "standard"
    options: TableOptions = TableOptions()
    bots: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    sit: bool = True


class SeatBody(Wire):
    """Take the named seat, or any free one."""

    seat: Seat | None = None


class LobbyPage(Wire):
    """The public tables, newest first, and the tables where the person sits."""

    tables: list[TableInfo]
    mine: list[TableInfo]


# Games


class GamePlayer(Wire):
    """The player of one seat."""

    name: str
    bot: bool


class GameSummary(Wire):
    """A finished game. ``missing``: local yaku of its rules whose code the server does not have."""

    id: str
    table: str
    rules: str
    rules_name: str
    fingerprint: str
    started: str
    ended: str
    players: list[GamePlayer]
    final: BySeat | None
    places: BySeat | None
    hands: int
    missing: list[str]


class GameList(Wire):
    """Finished games, newest first. Pass ``next`` as ``before`` to get the next page."""

    games: list[GameSummary]
    next: str | None


class ReplayStep(Wire):
    """One action of a replay: the events before it, who did what, and the events it caused."""

    seat: Seat
    action: GameAction
    first: int
    last: int


class ReplayHand(Wire):
    """Where a hand begins among the events. ``chips``: each seat's chips after it, if the log has them."""

    event: int
    number: int
    honba: int
    chips: BySeat | None = None


class Replay(Wire):
    """A whole game: every event with all hands open, the steps that led to them, and where hands begin.

    ``wall``: how many tiles can be drawn after the deal. ``follows_rules``: this version reproduces the game
    exactly; if false, it is shown as stored.
    """

    game: GameSummary | None
    rules: str
    wall: int
    names: list[str]
    events: list[GameEvent]
    steps: list[ReplayStep]
    hands: list[ReplayHand]
    follows_rules: bool


class ReplayMoment(Wire):
    """The table before a step from every seat, with waits, dangers and what a bot would do.

    ``danger``: for each seat, the average cost of discarding each tile.
    """

    step: int
    seats: list[SeatView]
    waits: list[str]
    danger: list[dict[str, float]]
    choice: GameAction | None


class UploadBody(Wire):
    """A log as text (own record, mjai, Tenhou XML (mjlog) or Tenhou JSON), and the rules if it needs them."""

    text: Annotated[str, Field(max_length=2_000_000)]
    name: Annotated[str, Field(max_length=100)] = "log"
    rules: RulesName | None = None


class Uploaded(Wire):
    """An uploaded log; its replay stays available under this id."""

    id: str


# Hands


class AnswerProblem(Wire):
    """Why a hand may not win, or what is wrong with the request; then ``field`` says where."""

    code: str
    message: str
    field: str = ""


class RefusedAnswer(Wire):
    """The answer of the JSON-lines contract where there is no score."""

    id: str | int | None
    error: AnswerProblem


HandAnswer = ScoreAnswer | RefusedAnswer
ShantenAnswer = ShantenNumbers | RefusedAnswer


class DrillAnswer(Wire):
    """The score of a hand to count and its explanation, part by part and as one text."""

    score: HandAnswer
    explanation: Explanation
    text: str


class Drill(Wire):
    """A hand to count: the request, and its score with the explanation."""

    seed: int
    request: WinRequest
    answer: DrillAnswer


class Explained(Wire):
    """The score of a win and its explanation, both in parts and as one text."""

    answer: HandAnswer
    explanation: Explanation | None
    text: str


class WaitRow(Wire):
    """A tile kind that completes the hand, the copies left, and the forms it completes."""

    tile: str
    left: int
    forms: list[Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki"]]


class Waits(Wire):
    """The waits of a hand."""

    shanten: int
    waits: list[WaitRow]


class DiscardRow(Wire):
    """A discard: the shanten after it, the tiles that improve the hand, and how many are left."""

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
    """One ruleset in a list.

    ``own``: the person saved it. ``house``: it is from a rules file that the server was started with.
    ``players``: how many play; ``null`` if the stored rules cannot be read.
    """

    id: str
    name: str
    about: str
    fingerprint: str
    own: bool
    house: bool
    players: int | None


class RulesList(Wire):
    """The rules the person has saved, the house rules, then the presets."""

    rules: list[RulesRow]


class TomlBody(Wire):
    """A rules file."""

    toml: Toml


class RulesProblem(Wire):
    """One error in a rules file: the path of the option and how to fix it."""

    path: str
    code: str
    message: str


class RulesPage(Wire):
    """A ruleset as a sheet (``jantaku.rules.sheet``), as data (``tree``), and as TOML over its parent.

    ``extends``: the preset it builds on; for a preset, itself. ``local``: the names of its local yaku, whose
    code stays on the server: ``tree`` and ``toml`` are without them.
    """

    id: str
    extends: str
    name: str
    about: str
    fingerprint: str
    players: int
    sections: tuple[Section, ...]
    yaku: tuple[SheetYaku, ...]
    tree: dict[str, OptionValue]
    toml: str
    local: list[str]


class Checked(Wire):
    """Whether a rules file is valid; if so, ``sheet`` is as in ``GET /api/rules/{id}``."""

    ok: bool
    problems: list[RulesProblem]
    fingerprint: str | None = None
    sheet: RulesPage | None = None


class SavedRules(Wire):
    """Saved rules, with the id to use for tables and links."""

    id: str
    url: str


class DiffRow(Wire):
    """One option that differs between two rulesets."""

    path: str
    label: str
    first: str
    second: str


class Diff(Wire):
    """All differences between two rulesets; ``names`` holds both names."""

    first: str
    second: str
    names: list[str]
    rows: list[DiffRow]


class Health(Wire):
    """Whether the server can store what it accepts. ``stopped``: tables halted by a server fault."""

    ok: bool
    storage: bool
    tables: int
    stopped: int
    version: str
