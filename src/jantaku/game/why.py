"""Explanations of why a seat may not take an action now."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal, get_args

from jantaku import terms
from jantaku.errors import chosen_language, expect
from jantaku.fields import choice
from jantaku.game import meld_reasons, win_reasons
from jantaku.game.actions import Action, Discard, Kan
from jantaku.game.discard_reasons import no_discard
from jantaku.game.position import Position
from jantaku.game.riichi_reasons import no_riichi
from jantaku.game.win_reasons import Reason, because
from jantaku.kernels.engine.state import YOUR_TURN

ActionName = Literal[
    "pass", "discard", "riichi", "tsumo", "ron", "chi", "pon", "kan", "daiminkan", "ankan", "kakan",
    "kita", "nine_terminals", "foul", "end_game", "play_on",
]  # fmt: skip
ACTION_NAMES: Final[tuple[str, ...]] = get_args(ActionName)


def why(game: Position, seat: int, what: Action | ActionName, language: terms.Language | None = None) -> str:
    """Explain in ``language`` why ``seat`` may not do ``what`` now; ``what`` is an action or its name.

    If the seat may, the text says so. A claim is explained for the last discard or kan, even if nobody could
    claim it. Raises ``RequestError`` if ``what`` does not name an action.

    >>> from jantaku.game import Game
    >>> why(Game(seed=1), 0, "ron", "en")
    'There is no tile from another player to call or win on.'
    """
    return reason(game, seat, what).text(chosen_language(language))


def reason(game: Position, seat: int, what: Action | ActionName) -> Reason:
    """Return the reason as a code and its details; raises the same errors as ``why``."""
    if isinstance(what, str):
        choice(what, "what", ACTION_NAMES)
    else:
        expect(what, Action, "what")
    if _matching([*game.legal(seat), *game.fouls(seat)], what):
        return because("may")
    if game.is_over:
        return because("game_over")
    name = what if isinstance(what, str) else what.kind if isinstance(what, Kan) else what.type
    if game.record.deciding and name not in ("end_game", "play_on"):
        return because("deciding")
    if isinstance(what, Discard):
        return no_discard(game, seat, what)
    if isinstance(what, Kan) and what.kind != "daiminkan":
        return meld_reasons.no_own_kan(game, seat, what.kind, what.tile)
    return _REASONS[name](game, seat)


def _no_kan(game: Position, seat: int) -> Reason:
    """Return why no kan is possible: the reason for the type that comes nearest."""
    if game.record.phase != YOUR_TURN or game.record.turn != seat:
        return meld_reasons.no_call(game, seat, "daiminkan")
    why = meld_reasons.no_own_kan(game, seat, "ankan")
    return meld_reasons.no_own_kan(game, seat, "kakan") if why.code == "ankan_tiles" else why


_REASONS: Final[dict[str, Callable[[Position, int], Reason]]] = {
    "pass": lambda _game, _seat: because("no_tile"),
    "discard": lambda _game, _seat: because("not_your_turn"),
    "riichi": no_riichi,
    "tsumo": win_reasons.no_tsumo,
    "ron": win_reasons.no_ron,
    "chi": partial(meld_reasons.no_call, call="chi"),
    "pon": partial(meld_reasons.no_call, call="pon"),
    "daiminkan": partial(meld_reasons.no_call, call="daiminkan"),
    "ankan": partial(meld_reasons.no_own_kan, call="ankan"),
    "kakan": partial(meld_reasons.no_own_kan, call="kakan"),
    "kan": _no_kan,
    "kita": meld_reasons.no_kita,
    "nine_terminals": win_reasons.no_nine_terminals,
    "foul": win_reasons.no_foul,
    "end_game": lambda _game, _seat: because("no_decision"),
    "play_on": lambda _game, _seat: because("no_decision"),
}


def _matching(legal: list[Action], what: Action | ActionName) -> bool:
    if not isinstance(what, str):
        return what in legal
    for action in legal:
        names: set[str] = {action.type}
        if isinstance(action, Kan):
            names.add(action.kind)
        if isinstance(action, Discard) and action.riichi:
            names.add("riichi")
        if what in names:
            return True
    return False
