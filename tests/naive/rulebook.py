"""The yaku of a ruleset, their values, and those that count for a reading."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from jantaku.rules import Ruleset, YakuEntry, catalogue
from naive import chance, yaku, yakuman
from naive.readings import GREEN, Form, Reading, suit
from naive.situation import Situation

Predicate = Callable[[Situation, Reading], bool]
PREDICATES: dict[str, Predicate] = {
    name: next(vars(module)[name] for module in (chance, yaku, yakuman) if name in vars(module))
    for name in catalogue()
}
LIMIT_HAN = {"mangan": 5, "haneman": 6, "baiman": 8, "sanbaiman": 11}
# A form counts only if the hand also has one of these yaku
FURTHER: dict[str, tuple[str, ...]] = {
    "double_riichi": ("riichi",),
    "open_riichi": ("riichi",),
    "double_open_riichi": ("riichi", "double_riichi", "open_riichi"),
    "open_riichi_deal_in": ("riichi", "open_riichi"),
    "ippatsu": ("riichi",),
    "kokushi_juusanmen": ("kokushi_musou",),
    "junsei_chuuren": ("chuuren_poutou",),
    "suuankou_tanki": ("suuankou",),
}
MULTIPLE = {"yakuman": 1, "double_yakuman": 2}


@dataclass(frozen=True, slots=True)
class Counted:
    """A yaku of a ruleset with its value for closed or for open hands."""

    id: str
    reported: str
    holds: Predicate
    worth: int | str
    only: str
    replaces: frozenset[str]
    minimum: bool
    accidental: bool
    without_limits: bool = False

    @property
    def yakuman(self) -> int:
        """Number of yakuman that the yaku is worth; 0 for none."""
        return MULTIPLE.get(self.worth, 0) if isinstance(self.worth, str) else 0

    @property
    def multiple(self) -> int:
        """Number of yakuman that the yaku counts as; 0 in aotenjou rules, which have no limits."""
        return 0 if self.without_limits else self.yakuman

    @property
    def is_limit(self) -> bool:
        return self.worth in LIMIT_HAN

    @property
    def han(self) -> int:
        """Han; a limit counts as the fewest han that reach it, a yakuman as 13 in aotenjou rules."""
        if self.without_limits and self.yakuman:
            return 13 * self.yakuman
        return self.worth if isinstance(self.worth, int) else LIMIT_HAN.get(self.worth, 0)


@cache
def known(rules: Ruleset, closed: bool) -> tuple[Counted, ...]:
    """Return the yaku under ``rules`` for closed or open hands, in catalogue order."""
    entries = []
    for name, entry in catalogue().items():
        value = rules.yaku[name]
        worth = value.closed if closed else value.open
        gates = [entry.gate] if closed else [entry.gate, entry.open_gate]
        if worth is False or not all(_gate_is_open(rules, gate) for gate in gates):
            continue
        entries.append(
            Counted(
                id=name,
                reported=entry.form_of or name,
                holds=PREDICATES[name],
                worth=_worth(rules, entry, worth),
                without_limits=rules.score.aotenjou,
                only=value.only,
                replaces=frozenset(value.replaces),
                minimum=value.minimum,
                accidental=entry.accidental,
            )
        )
    return tuple(entries)


def _worth(rules: Ruleset, entry: YakuEntry, worth: int | str) -> int | str:
    """Return the value of a yaku; some take their han from an option."""
    if entry.han_from and isinstance(worth, int):
        return int(rules.option(entry.han_from)) + entry.han_plus
    return worth


def _gate_is_open(rules: Ruleset, gate: str) -> bool:
    """Return whether a gate is met: ``section.option`` is on, or ``section.option=value`` has that value."""
    path, _, wanted = gate.partition("=")
    if not gate:
        return True
    value = rules.option(path)
    return bool(value == wanted if wanted else value and value != "off")


def holding(s: Situation, r: Reading, rules: Ruleset) -> list[Counted]:
    """Return the yaku of a reading, including those that another replaces."""
    entries = [
        entry
        for entry in known(rules, s.closed)
        if entry.holds(s, r) and _condition(entry.only, s) and _every_eighth(entry, s, rules)
    ]
    names = {entry.id for entry in entries}
    return [entry for entry in entries if names.issuperset(FURTHER.get(entry.id, ()))]


def counting(s: Situation, r: Reading, rules: Ruleset) -> list[Counted]:
    """Return the yaku that count for a reading, without those that another replaces."""
    held = holding(s, r, rules)
    replaced = {name for entry in held for name in entry.replaces}
    return [entry for entry in held if entry.id not in replaced]


def _condition(only: str, s: Situation) -> bool:
    """Return whether the condition ``only`` of a yaku holds."""
    suits = {suit(kind) for kind in s.kinds} - {3}
    return {
        "none": True,
        "tsumo": s.tsumo,
        "man": suits <= {0},
        "pin": suits <= {1},
        "hatsu": GREEN in s.kinds,
        "not_furiten": "furiten" not in s.flags,
    }[only]


def _every_eighth(entry: Counted, s: Situation, rules: Ruleset) -> bool:
    if entry.id != "paarenchan" or rules.deal.paarenchan != "every_eighth":
        return True
    return s.dealer_streak % 8 == 0


def special_forms(s: Situation, rules: Ruleset) -> list[Form]:
    """Return the forms that win only through one yaku, if that yaku counts.

    Unconnected tiles win on the uninterrupted first draw. Four kans win on the draw after the fourth kan, if
    the kan itself completes suukantsu.
    """
    forms: list[Form] = []
    if _counts("shiisan_puutaa", s, Reading("puutaa"), rules):
        forms.append("puutaa")
    kans = Reading("four kans", tuple(s.melds))
    drawn = rules.win.suukantsu_by_kan and chance.rinshan_kaihou(s, kans)
    if drawn and kans.quads == 4 and _counts("suukantsu", s, kans, rules):
        forms.append("four kans")
    return forms


def _counts(name: str, s: Situation, r: Reading, rules: Ruleset) -> bool:
    return any(entry.id == name for entry in holding(s, r, rules))


@cache
def order(name: str) -> int:
    """Return the index of a yaku in the catalogue; bonus tiles come last."""
    return list(PREDICATES).index(name) if name in PREDICATES else len(PREDICATES)
