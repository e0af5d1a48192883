"""The plan of an experiment: its rulesets, bots, games and seed, and their division into portions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from jantaku import __version__
from jantaku.bots.net_file import TrainedBot
from jantaku.bots.policies import ADAPTED_NAME, BOTS, STANDARD, STRONG
from jantaku.errors import JantakuError, RecordError, RequestError, cause
from jantaku.kernels._cache import source_hash
from jantaku.lab.chunks import ChunkPlan
from jantaku.lab.experiment.sums import counted_yaku
from jantaku.rules import Ruleset
from jantaku.rules.ruleset import load_stored

FORMAT: Final = 1  # of the manifest and the portion files
MANIFEST: Final = "manifest.json"
BOT: Final = "bot.npz"  # the adapted bot of an experiment, or of a ruleset in its folder
PORTION: Final = 512  # games
MIN_PORTIONS: Final = 20
DECISION_S: Final = 3.0
"""Assumed average seconds per decision of human players, pauses included."""
RAY: Final = "ray"  # the address of a cluster on this machine
MIN_GAMES: Final = 2  # an interval needs at least two
MAX_RULESETS: Final = 32
ADAPTED_END: Final = "-adapted"  # suffix of the name of a ruleset played by adapted bots


class NamedRules(NamedTuple):
    """A ruleset and its name within the experiment.

    ``adapted`` is a bot fitted to the rules (``lab.adapt``) that replaces the ``standard`` bots. With
    ``bots``, which replace the experiment's bots, this is the companion of another ruleset that has the same
    rules and adapted bot; it measures how often the first of these bots wins (``with_luck``).
    """

    name: str
    rules: Ruleset
    adapted: TrainedBot | None = None
    bots: tuple[str, ...] = ()

    @property
    def played(self) -> tuple[str, str]:
        """Fingerprint of the rules and digest of the adapted bot, empty if there is none."""
        return self.rules.fingerprint, self.adapted.digest if self.adapted else ""


def with_adapted(named: tuple[NamedRules, ...], files: Iterable[Path]) -> tuple[NamedRules, ...]:
    """Return the rulesets, followed by an adapted copy of each one that a file has a bot for.

    Raises ``RequestError`` if a file's bot was fitted to none of the rulesets.
    """
    rulesets = named
    for file in files:
        bot = TrainedBot.read(file)
        fitted = bot.rules.fingerprint if bot.rules else ""
        own = [player for player in named if player.rules.fingerprint == fitted]
        if not own:
            raise RequestError("adapted_other_rules", field="--adapted", path=str(file), name=bot.ruleset)
        rulesets += tuple(player._replace(name=player.name + ADAPTED_END, adapted=bot) for player in own)
    return rulesets


def with_luck(named: Iterable[NamedRules]) -> tuple[NamedRules, ...]:
    """Add a companion to each ruleset, in which one ``strong`` bot plays against ``standard`` ones."""
    players = tuple(named)
    return players + tuple(
        player._replace(
            name=f"{player.name}-luck",
            bots=(BOTS[STRONG], *[BOTS[STANDARD]] * (len(player.rules.seats) - 1)),
        )
        for player in players
    )


def cluster_address(field: str, address: str) -> str:
    """Check the address of a Ray cluster and return it; raise ``RequestError`` if it is malformed."""
    if address != RAY and not address.startswith(f"{RAY}://"):
        raise RequestError("wrong_choice", field=field, value=address, known="ray, ray://HOST:PORT")
    return address


def portion_of(games: int) -> int:
    """Return the portion size: small for small experiments, so that interrupted ones have results."""
    return max(1, min(PORTION, games // MIN_PORTIONS))


class Portion(NamedTuple):
    """Games ``first`` to ``first + size - 1`` under one ruleset, the unit of playing and storing."""

    ruleset: int
    number: int
    first: int
    size: int


@dataclass(frozen=True)
class Experiment:
    """``games`` games of ``bots`` (one name, or one per player) under each ruleset, on the same walls.

    ``adapted`` is the bot of that name, if it is one of ``bots``; there is then no adapted bot of a ruleset.
    Game ``g`` has the same walls under every ruleset. It depends only on its ruleset, the bots, ``seed`` and
    ``g``. Raises ``RequestError`` for unknown bots, numbers out of range, or rulesets that cannot be
    compared.
    """

    rulesets: tuple[NamedRules, ...]
    bots: tuple[str, ...]
    games: int
    seed: int = 0
    portion: int = PORTION  # games per portion
    # each seat draws the same tiles regardless of calls (``bots.search.kernels.own_draws``)
    own_draws: bool = True
    decision_s: float = DECISION_S  # for the estimated duration of a game; affects no game
    adapted: TrainedBot | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.rulesets) <= MAX_RULESETS:
            low_high = {"low": 1, "high": MAX_RULESETS}
            raise RequestError("number_range", field="--against", value=len(self.rulesets), **low_high)
        if self.games < MIN_GAMES:
            raise RequestError("number_least", field="games", value=self.games, low=MIN_GAMES)
        names = [ruleset.name for ruleset in self.rulesets]
        for ruleset in self.rulesets:
            if ruleset.rules.seats != self.rulesets[0].rules.seats:
                raise RequestError("lab_players", field="--against", name=ruleset.name, first=names[0])
            if (
                names.count(ruleset.name) > 1
                or Path(ruleset.name).name != ruleset.name
                or ruleset.name.startswith(".")
            ):
                raise RequestError("lab_name", field="--against", name=ruleset.name)
            if self.adapted and ruleset.adapted:
                raise RequestError("one_bot_file", field="--adapted")
            self.plan(ruleset)

    @property
    def yaku(self) -> tuple[str, ...]:
        """Ids of the yaku and types of dora counted under these rulesets (``sums.counted_yaku``)."""
        return counted_yaku(ruleset.rules for ruleset in self.rulesets)

    def plan(self, named: NamedRules) -> ChunkPlan:
        """Return the simulation plan of one ruleset."""
        seats, bots = named.rules.seats, named.bots or self.bots
        bots = bots * len(seats) if len(bots) == 1 else bots
        if named.adapted:
            bots = tuple(ADAPTED_NAME if name == BOTS[STANDARD] else name for name in bots)
        return ChunkPlan(
            named.rules, bots, self.games, self.seed, self.own_draws, named.adapted or self.adapted
        )

    def compared(self) -> list[int]:
        """Return the indices of the rulesets to compare, that is, without companions."""
        return [index for index, ruleset in enumerate(self.rulesets) if not ruleset.bots]

    def companion(self, index: int) -> int | None:
        """Return the index of a ruleset's companion, or ``None``."""
        played = self.rulesets[index].played
        same = (i for i, other in enumerate(self.rulesets) if other.bots and other.played == played)
        return next(same, None)

    def portions(self) -> Iterator[Portion]:
        """Yield all portions, alternating between rulesets so that an unfinished experiment is comparable."""
        for number, first in enumerate(range(0, self.games, self.portion)):
            for ruleset in range(len(self.rulesets)):
                yield Portion(ruleset, number, first, min(self.portion, self.games - first))

    def manifest(self) -> dict[str, Any]:
        """Return the experiment as plain data, with the version and the hash of the code that plays it."""
        return {
            "format": FORMAT,
            "games": self.games,
            "seed": self.seed,
            "bots": list(self.bots),
            "portion": self.portion,
            "own_draws": self.own_draws,
            **({"adapted": self.adapted.digest} if self.adapted else {}),
            "versions": {"jantaku": __version__, "code": source_hash("lab")},
            "rulesets": [
                {
                    "name": ruleset.name,
                    "fingerprint": ruleset.rules.fingerprint,
                    "rules": ruleset.rules.to_dict(whole=False),
                    **({"adapted": ruleset.adapted.digest} if ruleset.adapted else {}),
                    **({"bots": list(ruleset.bots)} if ruleset.bots else {}),
                }
                for ruleset in self.rulesets
            ],
        }


def experiment_of(manifest: Any, folder: Path) -> Experiment:
    """Parse the manifest of a folder and read its bots.

    Raises ``RecordError`` if something is missing or damaged, or was written by a later version.
    """
    source = str(folder / MANIFEST)
    version = manifest.get("format") if isinstance(manifest, Mapping) else None
    if isinstance(version, int) and version > FORMAT:
        raise RecordError("lab_later", path=source)
    try:
        rulesets = tuple(
            NamedRules(
                str(data["name"]), load_stored(data["rules"]), bots=tuple(map(str, data.get("bots", ())))
            )
            for data in manifest["rulesets"]
        )
        bots, games, seed, portion = (manifest[name] for name in ("bots", "games", "seed", "portion"))
        own = bool(manifest.get("own_draws", False))
        numbers = int(games), int(seed), max(1, int(portion)), own
        experiment = Experiment(rulesets, tuple(bots), *numbers, adapted=_stored_bot(folder, manifest))
        adapted = (_stored_bot(folder / data["name"], data) for data in manifest["rulesets"])
        pairs = zip(rulesets, adapted, strict=True)
        return replace(experiment, rulesets=tuple(one._replace(adapted=bot) for one, bot in pairs))
    except (KeyError, TypeError, ValueError, JantakuError) as error:
        raise RecordError("lab_damaged", path=source, reason=cause(error)) from error


def _stored_bot(folder: Path, data: Mapping[str, Any]) -> TrainedBot | None:
    return TrainedBot.read(folder / BOT) if "adapted" in data else None
