"""The question to the player and how keys answer it, as pure values without terminal or game."""

from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from jantaku.game.actions import Action, Chi, Discard, Kan, Pass, Pon, Riichi, by_default
from jantaku.game.view import View
from jantaku.game.why import Wish
from jantaku.tiles import RED, Tile

# Each key: the option's name in the term tables, and the action to ask ``why`` about if it is impossible
KEYS: Final[dict[str, tuple[str, Wish]]] = {
    "t": ("tsumo", "tsumo"),
    "w": ("ron", "ron"),
    "r": ("riichi", "riichi"),
    "o": ("open", "riichi"),
    "k": ("kan", "kan"),
    "p": ("pon", "pon"),
    "c": ("chi", "chi"),
    "b": ("kita", "kita"),
    "n": ("nine_terminals", "nine_terminals"),
    "x": ("pass", "pass"),
    "e": ("end_game", "end_game"),
    "g": ("play_on", "play_on"),
}
_ALONE: Final = {name: key for key, (name, _) in KEYS.items()}
_CONFIRM: Final = ("enter", "space")
_ENDS: Final = ("home", "end")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice besides a plain discard; riichi has no action yet, because its tile is chosen next."""

    key: str
    name: str
    action: Action | None = None
    tiles: tuple[Tile, ...] = ()
    declares: Riichi | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A choice that is not possible now."""

    what: Action | Wish


def options_of(view: View) -> tuple[Option, ...]:
    """All legal actions but plain discards, in the order of ``KEYS``."""
    options = [_option(action, view) for action in view.legal if not isinstance(action, Discard)]
    declared = {action.riichi for action in view.legal if isinstance(action, Discard)}
    if "riichi" in declared:
        options.append(Option("r", "riichi", declares="riichi"))
    if "open" in declared:
        options.append(Option("o", "open", declares="open"))
    order = list(KEYS)
    return tuple(sorted(options, key=lambda option: order.index(option.key)))


def _option(action: Action, view: View) -> Option:
    called = view.offered[0] if view.offered else None
    match action:
        case Chi(tiles):
            return Option("c", "chi", action, tiles)
        case Pon(red):
            return Option("p", "pon", action, _pair(view, called, red))
        case Kan(kind, tile):
            return Option("k", kind, action, (tile,))
        case _:
            return Option(_ALONE[action.type], action.type, action)


def _pair(view: View, called: Tile | None, red: int) -> tuple[Tile, ...]:
    """The hand's two tiles for a pon with so many red ones."""
    alike = [tile for tile in view.hand if called is not None and tile % RED == called % RED]
    reds = [tile for tile in alike if tile >= RED][:red]
    return tuple(reds + [tile for tile in alike if tile < RED][: 2 - red])


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to the player: ``cursor`` is an index of ``tiles``, ``option`` one of ``options``.

    On one's own turn ``option`` is ``None`` while choosing a discard; ``declaring`` makes it a riichi.
    """

    view: View
    options: tuple[Option, ...]
    cursor: int
    option: int | None = None
    declaring: Riichi | None = None

    @classmethod
    def of(cls, view: View) -> Self:
        """The question of the view; preselects a win or the drawn tile, otherwise the pass."""
        options = options_of(view)
        last = len(view.hand) - (view.drawn is None)
        plain = cls(view, options, last)
        if plain.discards:
            return plain
        names = [option.name for option in options]
        chosen = next((name for name in ("ron", "pass") if name in names), names[0])
        return replace(plain, option=names.index(chosen))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The hand in display order, the drawn tile last."""
        drawn = self.view.drawn
        return self.view.hand if drawn is None else (*self.view.hand, drawn)

    @property
    def is_claim(self) -> bool:
        """Whether the question is about another player's tile."""
        return self.view.offered is not None

    @property
    def discards(self) -> bool:
        """Whether a tile may be discarded; otherwise only ``options`` are available."""
        return any(isinstance(action, Discard) for action in self.view.legal)

    @property
    def allowed(self) -> frozenset[int]:
        """The indices of the tiles that may be discarded."""
        return frozenset(i for i in range(len(self.tiles)) if self.discard(i) in self.view.legal)

    def discard(self, index: int) -> Discard:
        """The discard of the tile at that index."""
        return Discard(self.tiles[index], index == len(self.view.hand), self.declaring)

    @property
    def timed_out(self) -> Action:
        """The action for a player who does not answer: pass, or discard the drawn tile."""
        return by_default(self.view.legal)

    def press(self, key: str) -> "Prompt | Action | Refused":
        """The result of a key: the changed question, an answer, or what is not possible."""
        if key in _CONFIRM:
            return self._confirm()
        if key in ("left", "right", *_ENDS):
            return self._move(key)
        if key in ("up", "down"):
            return self._change_row()
        if key in ("esc", "backspace", "x"):
            return self._back(key)
        return self._letter(key) if key in KEYS else self

    def _confirm(self) -> "Prompt | Action | Refused":
        if self.option is not None:
            return self._take(self.options[self.option])
        wanted = self.discard(self.cursor)
        return wanted if wanted in self.view.legal else Refused(wanted)

    def _take(self, option: Option) -> "Prompt | Action":
        return self._declare(option.declares) if option.action is None else option.action

    def _declare(self, riichi: Riichi | None) -> "Prompt":
        """Choose the tile of the riichi, starting at the nearest legal one."""
        if riichi == self.declaring:
            return replace(self, declaring=None, option=None)
        prompt = replace(self, declaring=riichi, option=None)
        nearest = min(prompt.allowed, key=lambda index: abs(index - self.cursor), default=self.cursor)
        return replace(prompt, cursor=nearest)

    def _move(self, key: str) -> "Prompt":
        step: Literal[-1, 1] = -1 if key in ("left", "home") else 1
        if self.option is not None:
            index = {"home": 0, "end": len(self.options) - 1}.get(key, self.option + step)
            return replace(self, option=index % len(self.options))
        indices = sorted(self.allowed) if self.declaring else list(range(len(self.tiles)))
        if key in _ENDS:
            return replace(self, cursor=indices[0 if key == "home" else -1])
        ahead = [index for index in indices if (index - self.cursor) * step > 0]
        wrapped = indices[0 if step > 0 else -1]
        return replace(self, cursor=min(ahead, key=lambda index: abs(index - self.cursor), default=wrapped))

    def _change_row(self) -> "Prompt":
        if not self.discards or not self.options:
            return self
        return replace(self, option=0 if self.option is None else None)

    def _back(self, key: str) -> "Prompt | Action | Refused":
        if self.is_claim:
            return Pass()
        if self.discards and (self.declaring or self.option is not None):
            return replace(self, declaring=None, option=None)
        return Refused("pass") if key == "x" else self

    def _letter(self, key: str) -> "Prompt | Action | Refused":
        indices = [i for i, option in enumerate(self.options) if option.key == key]
        if not indices:
            return Refused(KEYS[key][1])
        if len(indices) == 1:
            return self._take(self.options[indices[0]])
        later = [index for index in indices if self.option is not None and index > self.option]
        return replace(self, option=(later or indices)[0])
