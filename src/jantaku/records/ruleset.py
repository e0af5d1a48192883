"""Under which rules a foreign log was played."""

from collections.abc import Mapping
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError
from jantaku.game import Game
from jantaku.game.record import same_rules
from jantaku.rules import Ruleset, load

KEY: Final = "jantaku"


def tenhou_rules(*, red: bool = True, kuitan: bool = True, hanchan: bool = True) -> Ruleset:
    """Tenhou's rules with the options of a table."""
    changes: dict[str, object] = {}
    if not red:
        changes["tiles.red"] = {}
    if not kuitan:
        changes["calls.kuitan"] = False
    if not hanchan:
        changes["match.length"] = "east"
    rules = load("tenhou")
    return rules.with_changes(changes) if changes else rules


def rules_mark(game: Game) -> dict[str, str]:
    """What a log of ours says of its rules."""
    return {"rules": game.rules.id, "fingerprint": game.rules.fingerprint}


def marked_rules(found: Mapping[str, Any], given: Ruleset | None, otherwise: Ruleset) -> Ruleset:
    """The rules that a log names under ``jantaku``; without a mark those given, else ``otherwise``.

    ``RecordError`` where the named rules are not at hand, or decide otherwise than when it was written.
    """
    mark = found.get(KEY)
    if not isinstance(mark, Mapping):
        return given or otherwise
    name = str(mark.get("rules"))
    try:
        rules = given or load(name)
    except JantakuError as error:
        raise RecordError("record_rules", line=1, rules=name) from error
    return same_rules(rules, name, mark.get("fingerprint"))
