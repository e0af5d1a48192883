"""The change log of an event as text: a sentence for each change, and the changed fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jantaku import terms
from jantaku.club.event import Stage, stage_name
from jantaku.club.export.event_tables import hand_in_words
from jantaku.club.settlement import READER
from jantaku.errors import RequestError
from jantaku.server.events.common.event import EventRights
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.storage.events import AuditRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language, counted, signed
from jantaku.wire import Wire

NOTHING: Final = "–"
FIELDS: Final = (
    *("name", "about", "rules", "listed", "stages", "tie_breaks", "registration", "hidden_standings"),
    *("correction_min", "confirm_alone", "online_tables", "spectators"),
    *("team", "status", "merged_into", "checked_in"),
)
"""Displayed fields of events and entries; fields for internal use are omitted."""
ROUND_FIELDS: Final = (
    *("made_by", "seed", "repeats", "seat_spread", "minutes", "table", "extra_s", "action"),
)
ROUND_ACTIONS: Final = (
    *("seating", "seating_published", "reseat", "rounds"),
    *("round_start", "round_end", "round_taken_back", "online_round", "timer"),
)
VALUES: Final = ("desk.people.group", "event.status", "desk.rounds")
"""Term tables with the names of enumerated values."""


class ChangedField(Wire):
    """A changed field as text; ``before`` is empty if it had no value."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class ChangeWords:
    """Describes the changes to one event in one language."""

    names: Mapping[str, str]  # names of entries by id
    stages: Sequence[Stage]
    players: Mapping[str, Sequence[str]]  # entries by game and seat
    language: Language

    def sentence(self, row: AuditRow) -> str:
        """Describe a change in one sentence."""
        known = terms.table("change_log", self.language)["sentence"]
        key = _key(row)
        return self._text(f"sentence.{key if key in known else 'other'}", **self._values(row))

    def details(self, row: AuditRow) -> list[ChangedField]:
        """Return the changed fields."""
        before, after = _fields(row.before), _fields(row.after)
        changed: list[ChangedField] = []
        match row.action:
            case "hand":
                changed = [
                    self._detail("hand", self._hand(row, row.before), self._hand(row, after.get("hand")))
                ]
            case "points" | "resettled":
                name = "scores" if row.action == "points" else "points"
                scores = [self._scores(row, values.get(name)) for values in (before, after)]
                changed = [self._detail("scores", *scores)]
            case "game" if after.get("scores"):
                changed = [self._detail("scores", NOTHING, self._scores(row, after["scores"]))]
            case "seats":
                changed = [self._detail("players", self._listed(row.before), self._listed(row.after))]
            case action if action in ROUND_ACTIONS and _key(row) != "seating_discarded":
                changed = self._changed(ROUND_FIELDS, before, after)
            case "entry" if not before:
                pass
            case action if action in ("change", "entry") or action not in _sentences():
                changed = self._changed(FIELDS, before, after)
        return changed

    def _text(self, key: str, **values: object) -> str:
        return terms.text(f"change_log.{key}", self.language, **values)

    def _values(self, row: AuditRow) -> dict[str, object]:
        """Return the values that sentences can refer to."""
        before, after = _fields(row.before), _fields(row.after)
        about = after or before
        person, role = about.get("person"), about.get("role")
        number = after["place"] + 1 if row.action == "hand" else after.get("round", "")
        return {
            "name": row.name,
            "action": row.action,
            "entry": self._name(before["entry"] if row.action == "merge" else row.entry),
            "into": self._name(row.entry),
            "by": self._name(after.get("by")),
            "players": terms.listed(self._players(row), self.language),
            "stage": stage_name(self.stages, str(about.get("stage", "")), self.language),
            "number": number,
            "rounds": terms.listed(after.get("rounds") or (), self.language),
            "points": signed(about.get("points", 0)) if row.action.startswith("penalty") else "",
            "label": about.get("label", ""),
            "person": person,
            "role": role and terms.text(f"event.role.{role}", self.language),
            "before": before.get("name"),
            "after": after.get("name"),
            "people": after.get("entries"),
            "games": after.get("games"),
        }

    def _name(self, entry: str | None) -> str:
        return self.names.get(entry, entry) if entry else ""

    def _listed(self, entries: Sequence[str]) -> str:
        return terms.listed(map(self._name, entries), self.language)

    def _players(self, row: AuditRow) -> list[str]:
        """Return the names of a game's players by seat."""
        players = _fields(row.after).get("players") if row.action == "game" else None
        return [self._name(entry) for entry in players or self.players.get(row.game or "", ())]

    def _changed(
        self, fields: Sequence[str], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> list[ChangedField]:
        return [
            self._detail(name, *(self._value(values.get(name), name) for values in (before, after)))
            for name in fields
            if before.get(name) != after.get(name)
        ]

    def _detail(self, field: str, before: str, after: str) -> ChangedField:
        return ChangedField(field=self._field(field), before="" if before == NOTHING else before, after=after)

    def _field(self, name: str) -> str:
        known: Mapping[str, str] = terms.table("change_log", self.language)["field"]
        return known.get(name, name)

    def _value(self, value: Any, field: str = "") -> str:
        """Format the value of a field."""
        match value:
            case None | "" | []:
                text = NOTHING
            case bool():
                text = self._text(f"value.{'yes' if value else 'no'}")
            case int():
                text = counted(value)
            case list():
                text = terms.listed((self._value(item, field) for item in value), self.language)
            case {"id": _, "kind": _}:
                text = self._stage(value)
            case dict():
                text = self._inner(value)
            case str() if field == "from":
                text = stage_name(self.stages, value, self.language)
            case str() if field == "merged_into":
                text = self._name(value)
            case _:
                text = self._word(str(value))
        return text

    def _word(self, value: str) -> str:
        for table in VALUES:
            words: Mapping[str, Any] = terms.table(table.split(".")[0], self.language)
            for part in table.split(".")[1:]:
                words = words[part]
            word = words.get(f"way_{value}" if table == "desk.rounds" else value)
            if isinstance(word, str):
                return word
        return value

    def _inner(self, values: Mapping[str, Any]) -> str:
        given = {name: value for name, value in values.items() if value is not None}
        pairs = [f"{self._field(name)} {self._value(value, name)}" for name, value in given.items()]
        return terms.listed(pairs, self.language) or NOTHING

    def _stage(self, stage: Mapping[str, Any]) -> str:
        kind = terms.text(f"desk.stage.kind_{stage['kind']}", self.language)
        inner = self._inner({name: stage[name] for name in stage if name not in ("id", "kind", "name")})
        about = terms.listed([kind, *([inner] if inner != NOTHING else [])], self.language)
        name = stage.get("name") or stage_name(self.stages, stage["id"], self.language)
        return f"{name} ({about})"

    def _hand(self, row: AuditRow, hand: Any) -> str:
        if not hand:
            return NOTHING
        try:
            return hand_in_words(READER(hand, ""), self._players(row), self.language)
        except (RequestError, IndexError):  # a deleted game has no players
            return NOTHING

    def _scores(self, row: AuditRow, scores: Sequence[int] | None) -> str:
        seats = [*self._players(row), "1", "2", "3", "4"]
        pairs = (f"{name} {counted(score)}" for name, score in zip(seats, scores or (), strict=False))
        return terms.listed(pairs, self.language) or NOTHING


def _sentences() -> Mapping[str, Any]:
    sentences: Mapping[str, Any] = terms.table("change_log", "en")["sentence"]
    return sentences


def _fields(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _key(row: AuditRow) -> str:
    """Return the term key of the sentence for a change."""
    before, after = _fields(row.before), _fields(row.after)
    key = row.action
    match key:
        case "status":
            key = f"status_{row.after}"
        case "staff" if not after.get("role"):
            key = "staff_gone"
        case "entry":
            key = _entry_key(before, after)
        case "claim":
            key = "claim_accepted" if after["state"] == "taken" and before else f"claim_{after['state']}"
        case "hand":
            key = f"hand_{after['action']}"
        case "confirm" if after.get("confirmed"):
            key = "confirmed"
        case "game" if after.get("scores"):
            key = "game_entered"
        case "game_status":
            key = "game_cancelled" if row.after == "cancelled" else "game_on"
        case "seating" if after.get("rounds") == []:
            key = "seating_discarded"
    return key


def _entry_key(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the term key for an entry's most significant change."""
    if not before:
        return "entry_new"
    if before.get("status") != after.get("status"):
        return f"entry_{after['status']}"
    if before.get("checked_in") != after.get("checked_in"):
        return "entry_here" if after.get("checked_in") else "entry_away"
    return "entry_account" if before == after else "entry_changed"


async def words_for(
    services: Services, rights: EventRights, rows: Sequence[AuditRow], language: Language
) -> ChangeWords:
    """Load the current names of an event to describe these changes."""
    event = rights.event
    games = {row.game for row in rows if row.game is not None}
    return ChangeWords(
        names_of(await services.entries.all(event.id), language),
        event.plan.stages,
        {game.id: game.players for game in await services.recorded.named(event.id, sorted(games))},
        language,
    )
