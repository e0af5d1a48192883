"""``Ruleset``: an immutable value that says how a game is played and scored."""

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
from jantaku.rules.ruleset_texts import one_line, without_unseen
from jantaku.tally import to_too_many

Words = Mapping[str, str]
MOST_PROBLEMS: Final = 20  # reported for one rules file


def _no_words() -> Words:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """All options of one ruleset. Get one with ``load`` or ``load_file``; change one with ``with_changes``.

    Two rulesets are equal if all their options are equal; names and descriptions do not matter.
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
        """Every ``(path, value)``: the sections' options, then each yaku's settings."""
        for section in SECTIONS:
            for item in dataclasses.fields(getattr(self, section)):
                yield f"{section}.{item.name}", getattr(getattr(self, section), item.name)
        for name, value in self.yaku.items():
            for item in dataclasses.fields(value):
                yield f"yaku.{name}.{item.name}", getattr(value, item.name)

    @property
    def seats(self) -> range:
        """The seats that play, 0 the first dealer."""
        return range(self.match.players)

    @property
    def oka(self) -> int:
        """The points that first place gets in addition to its uma (inventory 403)."""
        if isinstance(self.match.oka, int):
            return self.match.oka
        whole = (self.match.return_points - self.match.start_points) * self.match.players
        return whole if self.match.oka == "derived" else 0

    @cached_property
    def is_usual_table(self) -> bool:
        """Whether four players sit at the table, the set has all tiles, and chi may be called."""
        return self.match.players == len(WIND_NAMES) and self.tiles.man == "all" and self.calls.chi

    @cached_property
    def tiles_to_spare(self) -> int:
        """Added to a count of all tiles (``tally``), it shows whether the set may lack some of them."""
        return to_too_many(self.tiles.red)

    def option(self, path: str) -> Any:
        """The value of ``section.option``; raises ``RulesError`` with the nearest name if unknown."""
        errors.expect(path, str, "path")
        section, _, name = path.partition(".")
        if section in SECTIONS and name in check.hints(SECTIONS[section]):
            return getattr(getattr(self, section), name)
        options = dict(self.options())
        if path not in options:
            raise check.unknown("", path, list(options))
        return options[path]

    def to_dict(self, *, whole: bool = True) -> dict[str, Any]:
        """The ruleset as plain data, which ``load`` reads back.

        Without ``whole`` it holds only the differences from the baseline, which is shorter and means the
        same.
        """
        options = dict(self.options())
        tree = fingerprints.tree_of((options if whole else fingerprints.differing(options)).items())
        for yaku in self.own_yaku:
            tree.setdefault("yaku", {}).setdefault(yaku.id, {}).update(yaku.settings)
        return {"extends": fingerprints.BASELINE, "name": dict(self.name), "about": dict(self.about), **tree}

    @cached_property
    def kept(self) -> Mapping[str, Any]:
        """``to_dict`` without ``whole``, made once: each record of a game has it."""
        return MappingProxyType(self.to_dict(whole=False))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything the rules decide, without names and descriptions.

        It does not depend on which options this version knows: see ``rules.fingerprints``.
        """
        return fingerprints.fingerprint(dict(self.options()), [yaku.fingerprint for yaku in self.own_yaku])

    def under(self, name: str) -> "Ruleset":
        """The same rules with another id; the fingerprint, which does not depend on it, is kept."""
        if name == self.id:
            return self
        copy = dataclasses.replace(self, id=name)
        vars(copy)["fingerprint"] = self.fingerprint
        return copy

    def differences(self, other: "Ruleset") -> dict[str, tuple[Any, Any]]:
        """Each option on which the two differ, with both values; ``None`` if one lacks it.

        The condition of an own yaku that both have is one of them (``yaku.ID.when``).
        """
        mine, theirs = dict(self.options()), dict(other.options())
        both = self._conditions().keys() & other._conditions().keys()
        mine |= {path: said for path, said in self._conditions().items() if path in both}
        theirs |= {path: said for path, said in other._conditions().items() if path in both}
        paths = dict.fromkeys([*mine, *theirs])
        pairs = {path: (mine.get(path), theirs.get(path)) for path in paths}
        return {path: pair for path, pair in pairs.items() if not same(*pair)}

    def _conditions(self) -> dict[str, str]:
        return {f"yaku.{yaku.id}.{WHEN}": yaku.condition for yaku in self.own_yaku}

    def with_changes(self, changes: Mapping[str, Any], *, name: str | None = None) -> "Ruleset":
        """A checked copy with new values for the options named by path: ``{"riichi.ippatsu": False}``."""
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
        return _restored, (self.id, self.to_dict())

    def __copy__(self) -> "Ruleset":
        return self

    def __deepcopy__(self, memo: object) -> "Ruleset":
        return self


def _restored(name: str, tree: dict[str, Any]) -> Ruleset:
    """Unpickle a ruleset."""
    return build(tree, parent_of(tree), name, kept=True)


def preset_names() -> list[str]:
    """The names of the built-in rulesets, the baseline first."""
    return list(_presets())


@cache
def _presets() -> tuple[str, ...]:
    folder = resources.files(__package__).joinpath("presets")
    names = sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != "standard"))


def load(source: "str | Mapping[str, Any] | Ruleset" = "standard") -> Ruleset:
    """The preset with this name, or the ruleset that the data describe.

    It reads no files and runs no code, so it is safe for untrusted data; ``load_file`` reads rules files.
    Raises ``RulesError`` (a ``RulesFileError`` with every problem of the data).
    """
    if isinstance(source, Ruleset):
        return source
    if isinstance(source, Mapping):
        return _from_data(source)
    if isinstance(source, str) and source in _presets():
        return _preset(source)
    raise no_preset(str(source), errors.phrase("errors.kinds.load_file") if _is_path(str(source)) else "")


def no_preset(name: str, hint: errors.Phrase | str = "") -> errors.RulesError:
    """The error for a name that is no preset, with ``hint`` or else the name that may be meant."""
    presets = preset_names()
    return errors.RulesError(
        "unknown_preset", path=name, hint=hint or errors.meant(name, presets), presets=errors.Phrases(presets)
    )


def _is_path(name: str) -> bool:
    """Whether a name looks like a file's."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def load_kept(source: str | Mapping[str, Any]) -> Ruleset:
    """``load`` for data that an earlier version stored or that a record contains.

    Texts that are no longer allowed are dropped, so that stored rules stay readable.
    """
    if not isinstance(source, Mapping):
        return load(source)
    return _from_data(without_unseen(source), kept=True)


@cache
def _preset(name: str) -> Ruleset:
    text = resources.files(__package__).joinpath("presets", f"{name}.toml").read_text("utf-8")
    data = parse(text, name)
    return build(data, parent_of(data), name)


@cache
def _baseline() -> Ruleset:
    return build(fingerprints.baseline_tree(), Ruleset(), fingerprints.BASELINE)


def parse(text: str, source: str) -> dict[str, Any]:
    """The data of a rules file's text; raises ``RulesError`` for invalid TOML, naming ``source``."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # some editors begin a file with it
    except (ValueError, RecursionError) as error:
        raise errors.RulesError("not_toml", path=source, reason=errors.cause(error)) from error


def _from_data(data: Mapping[str, Any], *, kept: bool = False) -> Ruleset:
    return build(data, parent_of(data), "custom", kept=kept)


def parent_of(data: Mapping[str, Any]) -> Ruleset:
    """The preset that the data extend, or the defaults of all options if the data name none."""
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


def build(data: Mapping[str, Any], parent: Ruleset, name: str, *, kept: bool = False) -> Ruleset:
    """Apply the data to ``parent``; raises ``RulesFileError``.

    ``kept`` data were stored by an earlier version, under its bounds.
    """
    values = dict(parent.yaku)
    new = own_ids(data)
    if len(new) > MAX_OWN:
        raise errors.RulesError("own_count", path="yaku", count=len(new), most=MAX_OWN)
    for own in new:
        values.setdefault(own, YakuValue())
    problems = list(islice(check.file_problems(data, list(values), kept=kept), MOST_PROBLEMS + 1))
    if problems:
        more = len(problems) > MOST_PROBLEMS
        raise errors.RulesFileError("rules_file", source=name, problems=problems[:MOST_PROBLEMS], more=more)
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
    if parent.id != fingerprints.BASELINE:  # options that stored rules omit have their baseline value
        for path, value in derived(rules, given_paths(data)).items():
            rules = with_option(rules, path, check.freeze(value))
    if problems := list(contradictions(rules)):
        raise errors.RulesFileError("rules_contradict", source=name, problems=problems)
    return rules
