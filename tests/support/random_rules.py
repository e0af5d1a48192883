"""Random rulesets: presets for three and four players in which many options and yaku have other valid values.

Half of them have custom yaku with random conditions, which may refer to each other.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from random import Random
from typing import Any, Final, get_args, get_origin

from jantaku.errors import RulesError, RulesFileError
from jantaku.rules import Ruleset, catalogue, load, preset_names
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN, Only
from jantaku.rules.check import LIABLE, choices_of, hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.own_yaku import MAX_OWN
from support.own_conditions import random_condition
from support.own_fuzz import fitting

IDLE: Final = ("clock", "event")  # sections without effect in the engine
ROUND: Final = (0, 1, 2, 100, 300, 1000, 1500, 2000, 3000, 25_000, 30_000)
WORTHS: Final = (False, 0, 1, 2, 3, 6, 13, *LIMIT_HAN, *YAKUMAN)
RARE: Final = (
    "score.wareme", "riichi.shiro_pocchi", "score.fixed_fu", "score.aotenjou", "score.kan_han", "chips.value",
    "fouls.riichi_withdrawn", "chips.tobi", "chips.first", "end.top_points",
)  # fmt: skip
"""Options of parlours that no preset turns on; they are changed more often, so that they occur together."""
OWN_SHARE: Final = 0.5
LENGTHS: Final = ("east", "east", "east", "hanchan", "full")
TRIES: Final = 200


def random_rules(
    chance: Random,
    presets: Sequence[str] = (),
    *,
    shares: Sequence[float] = (0.02, 0.1, 0.3),
    own: float = OWN_SHARE,
    kept: Collection[str] = (),
) -> Ruleset:
    """Return a valid ruleset; two in three penalise fouls. Options in ``kept`` are not changed."""
    parent = load(chance.choice(presets or preset_names()))
    changes: dict[str, Any] = {}
    share = chance.choice(shares)
    for section, options in SECTIONS.items():
        for option in fields(options):
            path = f"{section}.{option.name}"
            if section not in IDLE and chance.random() < (max(share, 0.2) if path in RARE else share):
                special = SPECIAL.get(path)
                drawn = _value(chance, hints(options)[option.name], option.metadata)
                changes[path] = special(chance, len(parent.seats)) if special else drawn
    changes = {path: value for path, value in changes.items() if value is not None and path not in kept}
    for name in catalogue():
        if chance.random() < share / 2:
            changes |= _yaku(chance, name)
    if chance.random() < own:
        changes |= random_own(chance)
    changes["match.length"] = chance.choice(LENGTHS)
    if chance.random() < 2 / 3:
        changes["fouls.mode"] = "penalise"
    return _accepted(chance, parent, changes)


def _value(chance: Random, hint: Any, bounds: Any) -> Any:
    """Return a possible value of an option; ``None`` to leave it unchanged."""
    choices = choices_of(hint)
    if choices and (hint is not int and get_origin(hint) is not None):
        return chance.choice(choices)
    if hint is bool:
        return chance.random() < 0.5
    if hint is int:
        low, high, step = bounds["low"], bounds["high"], bounds["step"]
        near = [number for number in ROUND if low <= number <= high and number % step == 0]
        return chance.choice((*near, low, chance.randrange(low, high + 1, step)))
    return None


def _uma(chance: Random, seats: int) -> list[int]:
    """Return uma that adds up to zero."""
    points = [chance.randrange(-30_000, 30_001, 500) for _ in range(seats - 1)]
    return [*points, -sum(points)]


def _floating(chance: Random, seats: int) -> list[list[int]]:
    return [_uma(chance, seats) for _ in range(seats - 1)]


def _red(chance: Random, _: int) -> dict[str, int]:
    kinds = chance.sample([f"{rank}{suit}" for rank in range(1, 10) for suit in "mps"], chance.randrange(4))
    return {kind: chance.randrange(5) for kind in kinds}


def _liable(chance: Random, _: int) -> list[str]:
    return chance.sample(LIABLE, chance.randrange(len(LIABLE) + 1))


SPECIAL: Final[dict[str, Callable[[Random, int], Any]]] = {
    "match.uma": _uma,
    "match.floating_uma": _floating,
    "tiles.red": _red,
    "pao.yakuman": _liable,
}


def _yaku(chance: Random, name: str) -> dict[str, Any]:
    settings = _settings(chance)
    return {f"yaku.{name}.{key}": settings[key] for key in chance.sample(list(settings), 2)}


def _settings(chance: Random) -> dict[str, Any]:
    return {
        "closed": chance.choice(WORTHS),
        "open": chance.choice(WORTHS),
        "minimum": chance.random() < 0.5,
        "only": chance.choice(get_args(Only)),
    }


def random_own(chance: Random) -> dict[str, Any]:
    """Return changes that define up to sixteen custom yaku; some replace yaku or refer to a later one."""
    wanted = chance.choice((1, 2, 4, MAX_OWN))
    changes: dict[str, Any] = {}
    conditions = fitting(_asking(chance, number, wanted) for number in range(wanted))
    for number, when in enumerate(conditions):
        name = own_name(number)
        replaced = chance.sample(list(catalogue()), chance.choice((0, 0, 1, 3)))
        settings = {**_settings(chance), "replaces": replaced, "when": when}
        changes |= {f"yaku.{name}.{key}": value for key, value in settings.items()}
    return changes


def _asking(chance: Random, number: int, wanted: int) -> str:
    """Return a condition that may refer to a yaku of a higher number, so there is no cycle."""
    condition = random_condition(chance, chance.randint(0, 2))
    later = chance.randrange(wanted)
    if later <= number or chance.random() < 0.7:
        return condition
    return f'({condition}) {chance.choice(("and", "or", "and not"))} yaku("{own_name(later)}")'


def own_name(number: int) -> str:
    """Return the id of the custom yaku with this number."""
    return f"own_{number:02}"


def _sticks(points: int) -> dict[str, int]:
    """Return sticks that add up to the starting points."""
    sticks: dict[str, int] = {}
    for value in (10_000, 5000, 1000, 100):
        count, points = divmod(points, value)
        sticks |= {str(value): count} if count else {}
    return sticks


def _accepted(chance: Random, parent: Ruleset, changes: dict[str, Any]) -> Ruleset:
    """Apply the changes to the parent, dropping those that are refused."""
    for _ in range(TRIES):
        points = changes.get("match.start_points")
        sticks = {} if points is None else {"match.sticks": _sticks(points)}
        try:
            return parent.with_changes(changes | sticks, name=parent.id)
        except RulesFileError as error:
            _drop(chance, changes, error)
    return parent


def _drop(chance: Random, changes: dict[str, Any], error: RulesFileError) -> None:
    """Drop the changes that an error names, or else one of the same section, or any."""
    paths = [problem.path for problem in error.problems if isinstance(problem, RulesError)]
    wrong = [path for path in changes if any(other.startswith(path) for other in paths)]
    sections = {path.partition(".")[0] for path in paths}
    near = [path for path in changes if path.partition(".")[0] in sections]
    for path in wrong or [chance.choice(near or list(changes))]:
        del changes[path]
