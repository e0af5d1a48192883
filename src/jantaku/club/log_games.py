"""Import a log into an event: its hands as a recorder would enter them, settled by the event's rules."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jantaku.club.as_entered import end_of, game_digest, played_hands, points_after_hands
from jantaku.club.event import ClubEvent
from jantaku.club.settlement import GameResult, SettledGame, settle
from jantaku.errors import JantakuError, RecordError, RequestError
from jantaku.game import Game
from jantaku.records import formats
from jantaku.records.formats import Recorded
from jantaku.records.sniff import Content, content_of
from jantaku.records.texts import MAX_NAME
from jantaku.rules import Ruleset

SITES: Final = {
    "mjlog": "tenhou",
    "tenhou": "tenhou",
    "mjai": "mjai",
    "jantaku": "jantaku",
    "compact": "jantaku",
}
TENHOU_REF: Final = re.compile(r"\d{10}gm-")  # the start of a Tenhou game id


@dataclass(frozen=True, slots=True)
class LogGame:
    """A log read for an event: ``names`` by seat, ``hands``, and the ``result`` under the event's rules.

    ``digest`` identifies the game in any file format. ``site`` is the platform it was played on, as far as
    the log shows.
    """

    format: str
    site: str
    names: tuple[str, ...]
    hands: tuple[Mapping[str, Any], ...]
    result: GameResult
    digest: str


def log_game(data: bytes, rules: Ruleset, path: str = "") -> LogGame:
    """Read a log of any format and settle it by ``rules``.

    Raises ``RecordError`` if the data is not a log. Raises ``RequestError`` if its points differ from those
    of the rules (``log_differs``, with the hand) or the game is not over under the rules (``log_not_over``).
    """
    content = content_of(data, path)
    recorded = _read(content, rules)
    game = recorded.game
    if game.rules.match.players != rules.match.players:
        raise RequestError(
            "log_seats", field="text", count=game.rules.match.players, wanted=rules.match.players
        )
    hands = played_hands(game)
    settled = _settled(hands, rules)
    _compare(game, settled)
    if not settled.over:
        raise RequestError("log_not_over", field="text", count=len(hands))
    seats = rules.match.players
    names = tuple(name.strip()[:MAX_NAME] for name in (*recorded.names, *[""] * seats)[:seats])
    site = _site(recorded.format, content)
    return LogGame(recorded.format, site, names, tuple(hands), settled.result, game_digest(game))


def _read(content: Content, rules: Ruleset) -> Recorded:
    """Read the game of a log, with the event's rules if the log does not state its own."""
    try:
        return formats.read_content(content, as_recorded=True)
    except RecordError as error:
        try:
            return formats.read_content(content, rules, as_recorded=True)
        except JantakuError:
            raise error from None


def _settled(hands: Sequence[Mapping[str, Any]], rules: Ruleset) -> SettledGame:
    try:
        return settle(hands, rules)
    except RequestError as error:
        hand = error.details.get("hand")
        number = hand if isinstance(hand, int) else 0
        reason = error.message()
        raise RequestError(
            "log_refused", field="text", hand=number, number=number + 1, reason=reason
        ) from error


def _compare(game: Game, settled: SettledGame) -> None:
    """Refuse a log whose points differ from those of the rules, or that ended too early under them."""
    early = end_of(game) is not None and not settled.over
    wanted = [hand.scores for hand in settled.hands]
    if settled.over or early:  # deposits are paid out at the end of a game
        wanted[-1:] = [settled.scores] if settled.over else []
    for number, (logged, own) in enumerate(zip(points_after_hands(game), wanted, strict=False)):
        if logged != own:
            values = {"found": _listed(logged), "wanted": _listed(own), "number": number + 1}
            raise RequestError("log_differs", field="text", hand=number, **values)
    if early:
        raise RequestError("log_not_over", field="text", count=len(settled.hands))


def _listed(scores: Sequence[int]) -> str:
    return " ".join(map(str, scores))


def _site(name: str, content: Content) -> str:
    """Return the platform of a log; converters write games of other platforms in Tenhou's format."""
    ref = content.head.get("ref") if name == "tenhou" else None
    if isinstance(ref, str) and ref and not TENHOU_REF.match(ref):
        return "mahjongsoul"
    return SITES[name]


def matched(
    names: Sequence[str], nicknames: Mapping[str, str], listed: Mapping[str, str]
) -> list[str | None]:
    """Return the entry for each name: by a remembered nickname, otherwise by an entry's own name.

    Both mappings map names to entries. An entry matched by two names is left out, since no player sits at a
    table twice.
    """
    folded = {name.casefold(): entry for name, entry in listed.items()}
    players = [nicknames.get(name) or folded.get(name.casefold()) if name else None for name in names]
    return [entry if entry is not None and players.count(entry) == 1 else None for entry in players]


def with_games(
    data: Mapping[str, Any],
    event: ClubEvent,
    games: Iterable[LogGame],
    stage: str,
    nicknames: Mapping[str, str],
) -> tuple[dict[str, Any], int]:
    """Add to the JSON of an ``event`` the games it lacks; return the new JSON and the number of added games.

    Raises ``log_nobody`` for a name that matches no player, and ``unknown_id`` for a nickname that occurs in
    no log.
    """
    listed = {player.label: player.id for player in event.players}
    before = list(data.get("games", ()))
    known = {game["id"] for game in before} | {game.get("digest") for game in before}
    added, unseen = list[dict[str, Any]](), set(nicknames)
    for game in games:
        unseen -= set(game.names)
        key = f"log-{game.digest[:16]}"
        if known & {key, game.digest}:
            continue
        known |= {key, game.digest}
        players = matched(game.names, nicknames, listed)
        if None in players:
            raise RequestError("log_nobody", field="--player", name=game.names[players.index(None)])
        hands = list(game.hands)
        added.append({"id": key, "stage": stage, "players": players, "hands": hands, "digest": game.digest})
    for name in nicknames:
        if name in unseen:
            raise RequestError("unknown_id", field="--player", value=name, nearest="")
    return {**data, "games": [*before, *added]}, len(added)
