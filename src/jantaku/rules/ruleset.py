"""``Ruleset``, an immutable value that defines how a game is played and scored, and its presets."""

import dataclasses
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from jantaku import errors
from jantaku.bounded import shown
from jantaku.hand import WIND_NAMES
from jantaku.rules import check, fingerprints
from jantaku.rules.catalogue import YakuValue, catalogue
from jantaku.rules.contradictions import contradictions
from jantaku.rules.derived import derived, given_paths, with_option
from jantaku.rules.fingerprints import same
from jantaku.rules.options import (
    SECTIONS,
    CallsOptions,
    ChipsOptions,
    ClockOptions,
    DealOptions,
    DoraOptions,
    DrawOptions,
    EndOptions,
    EventOptions,
    FoulsOptions,
    FuritenOptions,
    KitaOptions,
    MatchOptions,
    PaoOptions,
    RiichiOptions,
    ScoreOptions,
    TilesOptions,
    WinOptions,
)
from jantaku.rules.own.settings import WHEN, own_ids
from jantaku.rules.own_yaku import MAX_OWN, OwnYaku, with_own
from jantaku.rules.ruleset_texts import one_line, without_forbidden_texts
from jantaku.tally import to_too_many

Words = Mapping[str, str]
MAX_PROBLEMS: Final = 20  # listed in one error


def _no_words() -> Words:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """All options of one ruleset. Create one with ``load`` or ``load_file``, a copy with ``with_changes``.

    Rulesets are equal if all their options are equal, whatever their names and descriptions.
    """

    id: str = "standard"
    name: Words = field(default_factory=_no_words)
    about: Words = field(default_factory=_no_words)
    match: MatchOptions = field(default_factory=MatchOptions)
    chips: ChipsOptions = field(default_factory=ChipsOptions)
    tiles: TilesOptions = field(default_factory=TilesOptions)
    dora: DoraOptions = field(default_factory=DoraOptions)
    calls: CallsOptions = field(default_factory=CallsOptions)
    kita: KitaOptions = field(default_factory=KitaOptions)
    riichi: RiichiOptions = field(default_factory=RiichiOptions)
    furiten: FuritenOptions = field(default_factory=FuritenOptions)
    win: WinOptions = field(default_factory=WinOptions)
    score: ScoreOptions = field(default_factory=ScoreOptions)
    draw: DrawOptions = field(default_factory=DrawOptions)
    deal: DealOptions = field(default_factory=DealOptions)
    end: EndOptions = field(default_factory=EndOptions)
    pao: PaoOptions = field(default_factory=PaoOptions)
    fouls: FoulsOptions = field(default_factory=FoulsOptions)
    clock: ClockOptions = field(default_factory=ClockOptions)
    event: EventOptions = field(default_factory=EventOptions)
    yaku: Mapping[str, YakuValue] = field(
        default_factory=lambda: MappingProxyType({k: e.value for k, e in catalogue().items()})
    )
    own_yaku: tuple[OwnYaku, ...] = ()

    def options(self) -> Iterator[tuple[str, Any]]:
        """Yield ``(path, value)`` for the options of all sections, then for the settings of all yaku."""
        for section in SECTIONS:
            for item in dataclasses.fields(getattr(self, section)):
                yield f"{section}.{item.name}", getattr(getattr(self, section), item.name)
        for name, value in self.yaku.items():
            for item in dataclasses.fields(value):
                yield f"yaku.{name}.{item.name}", getattr(value, item.name)

    @property
    def seats(self) -> range:
        """Seat numbers; 0 is the first dealer."""
        return range(self.match.players)

    @property
    def oka(self) -> int:
        """Points that first place receives in addition to its uma (inventory 403)."""
        if isinstance(self.match.oka, int):
            return self.match.oka
        total = (self.match.return_points - self.match.start_points) * self.match.players
        return total if self.match.oka == "derived" else 0

    @cached_property
    def is_usual_table(self) -> bool:
        """Whether the game has four players, all tiles and chi."""
        return self.match.players == len(WIND_NAMES) and self.tiles.man == "all" and self.calls.chi

    @cached_property
    def tiles_to_spare(self) -> int:
        """The number to add to a tally to detect tiles that the set lacks; see ``tally.to_too_many``."""
        return to_too_many(self.tiles.red)

    def option(self, path: str) -> Any:
        """Return the value at a path (``riichi.ippatsu``, ``yaku.pinfu.closed``).

        Raises ``RulesError`` with a suggestion for an unknown path.
        """
        errors.expect(path, str, "path")
        section, _, name = path.partition(".")
        if section in SECTIONS and name in check.hints(SECTIONS[section]):
            return getattr(getattr(self, section), name)
        options = dict(self.options())
        if path not in options:
            raise check.unknown("", path, list(options))
        return options[path]

    def to_dict(self, *, whole: bool = True) -> dict[str, Any]:
        """Return the ruleset as plain data for ``load``.

        Without ``whole``, options with their baseline values are omitted; the meaning is the same.
        """
        options = dict(self.options())
        tree = fingerprints.tree_of((options if whole else fingerprints.differing(options)).items())
        for yaku in self.own_yaku:
            tree.setdefault("yaku", {}).setdefault(yaku.id, {}).update(yaku.settings)
        return {"extends": fingerprints.BASELINE, "name": dict(self.name), "about": dict(self.about), **tree}

    @cached_property
    def compact_dict(self) -> Mapping[str, Any]:
        """The cached result of ``to_dict(whole=False)``, for records of games."""
        return MappingProxyType(self.to_dict(whole=False))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all options, without names and descriptions: 16 hexadecimal digits.

        It stays the same when a later version adds options: see ``rules.fingerprints``.
        """
        return fingerprints.fingerprint(dict(self.options()), [yaku.fingerprint for yaku in self.own_yaku])

    def under(self, name: str) -> "Ruleset":
        """Return the same rules with another id, which does not change the fingerprint."""
        if name == self.id:
            return self
        copy = dataclasses.replace(self, id=name)
        vars(copy)["fingerprint"] = self.fingerprint
        return copy

    def differences(self, other: "Ruleset") -> dict[str, tuple[Any, Any]]:
        """Return the options that differ, by path, with both values; ``None`` if one ruleset lacks it.

        Conditions of custom yaku that both have are included (``yaku.ID.when``).
        """
        mine, theirs = dict(self.options()), dict(other.options())
        both = self._conditions().keys() & other._conditions().keys()
        mine |= {path: text for path, text in self._conditions().items() if path in both}
        theirs |= {path: text for path, text in other._conditions().items() if path in both}
        paths = dict.fromkeys([*mine, *theirs])
        pairs = {path: (mine.get(path), theirs.get(path)) for path in paths}
        return {path: pair for path, pair in pairs.items() if not same(*pair)}

    def _conditions(self) -> dict[str, str]:
        return {f"yaku.{yaku.id}.{WHEN}": yaku.condition for yaku in self.own_yaku}

    def with_changes(self, changes: Mapping[str, Any], *, name: str | None = None) -> "Ruleset":
        """Return a checked copy with new values by path: ``{"riichi.ippatsu": False}``.

        Raises ``RulesFileError`` for unknown paths, invalid values and contradictions.
        """
        errors.expect(changes, Mapping, "changes")
        for path in changes:
            errors.expect(path, str, "changes")
        tree = fingerprints.tree_of(changes.items())
        return build(tree, self, name or self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<Ruleset {self.id} {self.fingerprint}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.id, self.to_dict())

    def __copy__(self) -> "Ruleset":
        return self

    def __deepcopy__(self, memo: object) -> "Ruleset":
        return self


def _unpickled(name: str, tree: dict[str, Any]) -> Ruleset:
    """Rebuild a pickled ruleset."""
    return build(tree, parent_of(tree), name, stored=True)


def preset_names() -> list[str]:
    """Return the names of the built-in rulesets, ``standard`` first."""
    return list(_presets())


@cache
def _presets() -> tuple[str, ...]:
    folder = resources.files(__package__).joinpath("presets")
    names = sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != "standard"))


def load(source: "str | Mapping[str, Any] | Ruleset" = "standard") -> Ruleset:
    """Return the preset of that name, or the ruleset described by the data.

    Reads no files and runs no code, so it is safe for untrusted data; use ``load_file`` for rules files.
    Raises ``RulesError``; for invalid data a ``RulesFileError``, which lists the problems.
    """
    if isinstance(source, Ruleset):
        return source
    if isinstance(source, Mapping):
        return _from_data(source)
    if isinstance(source, str) and source in _presets():
        return _preset(source)
    raise no_preset(str(source), errors.phrase("errors.kinds.load_file") if _is_path(str(source)) else "")


def no_preset(name: str, hint: errors.Phrase | str = "") -> errors.RulesError:
    """Return the error for a name that is not a preset, with ``hint`` or else a suggestion."""
    presets = preset_names()
    return errors.RulesError(
        "unknown_preset",
        path=name,
        hint=hint or errors.did_you_mean(name, presets),
        presets=errors.Phrases(presets),
    )


def _is_path(name: str) -> bool:
    """Return whether a name looks like that of a file."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def load_stored(source: str | Mapping[str, Any]) -> Ruleset:
    """Load data stored by an earlier version or contained in a record.

    Like ``load``, but forbidden texts are dropped, so that stored rules stay readable.
    """
    if not isinstance(source, Mapping):
        return load(source)
    return _from_data(without_forbidden_texts(source), stored=True)


@cache
def _preset(name: str) -> Ruleset:
    text = resources.files(__package__).joinpath("presets", f"{name}.toml").read_text("utf-8")
    data = parse(text, name)
    return build(data, parent_of(data), name)


@cache
def _baseline() -> Ruleset:
    return build(fingerprints.baseline_tree(), Ruleset(), fingerprints.BASELINE)


def parse(text: str, source: str) -> dict[str, Any]:
    """Parse the text of a rules file; raises ``RulesError``, which names ``source``, for invalid TOML."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # byte order mark, written by some editors
    except (ValueError, RecursionError) as error:
        raise errors.RulesError("not_toml", path=source, reason=errors.cause(error)) from error


def _from_data(data: Mapping[str, Any], *, stored: bool = False) -> Ruleset:
    return build(data, parent_of(data), "custom", stored=stored)


def parent_of(data: Mapping[str, Any]) -> Ruleset:
    """Return the preset that the data extend or, without ``extends``, the defaults of all options."""
    if "extends" not in data:
        return Ruleset()
    extends = data["extends"]
    if not isinstance(extends, str):
        wanted = errors.kind_of_value(str)
        raise errors.RulesError("wrong_value", path="extends", value=shown(extends), wanted=wanted)
    if extends == fingerprints.BASELINE:
        return _baseline()
    if extends not in _presets():
        raise no_preset(extends)
    return _preset(extends)


def build(data: Mapping[str, Any], parent: Ruleset, name: str, *, stored: bool = False) -> Ruleset:
    """Apply the data to ``parent``; raises ``RulesFileError``.

    ``stored`` data come from an earlier version, which may have had other checks.
    """
    values = dict(parent.yaku)
    new = own_ids(data)
    if len(new) > MAX_OWN:
        raise errors.RulesError("own_count", path="yaku", count=len(new), most=MAX_OWN)
    for own in new:
        values.setdefault(own, YakuValue())
    problems = list(islice(check.file_problems(data, list(values), stored=stored), MAX_PROBLEMS + 1))
    if problems:
        more = len(problems) > MAX_PROBLEMS
        raise errors.RulesFileError("rules_file", source=name, problems=problems[:MAX_PROBLEMS], more=more)
    for yaku_id, settings in data.get("yaku", {}).items():
        values[yaku_id] = dataclasses.replace(values[yaku_id], **check.freeze(check.yaku_settings(settings)))
    changed: dict[str, Any] = {
        section: dataclasses.replace(getattr(parent, section), **check.freeze(data[section]))
        for section in SECTIONS
        if section in data
    }
    rules = dataclasses.replace(
        parent,
        id=name,
        name=check.freeze(one_line(data.get("name", parent.name))),
        about=check.freeze(data.get("about", parent.about)),
        yaku=MappingProxyType(values),
        own_yaku=with_own(parent.own_yaku, data.get("yaku", {})),
        **changed,
    )
    given = given_paths(data)
    if parent.id == fingerprints.BASELINE:  # options that stored rules omit have their baseline value
        given |= {*fingerprints.first_options(), *fingerprints.added_options()}
    for path, value in derived(rules, given).items():
        rules = with_option(rules, path, check.freeze(value))
    if problems := list(contradictions(rules)):
        raise errors.RulesFileError("rules_contradict", source=name, problems=problems)
    return rules
