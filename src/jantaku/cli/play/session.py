"""A game between a person and bots, from the first deal to the final sheet."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from jantaku.bots import Bot
from jantaku.cli.explanation import event_in_words
from jantaku.cli.play.console import Desk
from jantaku.cli.play.help import help_page
from jantaku.cli.play.hints import hints
from jantaku.cli.play.prompt import Prompt, Refused
from jantaku.cli.play.results import final_sheet, is_end, result_pages
from jantaku.cli.play.saving import GameFile
from jantaku.cli.play.screen import Scene, keys_line, said, table_screen
from jantaku.cli.play.timing import Reserve
from jantaku.game import Action, Game, hide
from jantaku.game import events as e
from jantaku.game.why import reason, why
from jantaku.rules.options import ClockOptions

TICK: Final = 0.2  # seconds between two updates of the clock
LOG: Final = 40
_UNTOLD: Final = (e.Drew, e.GameStarted, e.PointsMoved, e.GameEnded)
_SCROLL: Final = {"up": -1, "down": 1, "page_up": -10, "page_down": 10, "home": -10_000, "end": 10_000}
_CONFIRM: Final = ("enter", "space")


class Left(Exception):  # noqa: N818  (no error: the player has stood up)
    """The player leaves before the end."""


@dataclass(frozen=True)
class PlaySettings:
    """The settings of a game: ``clock`` is ``None`` without limits, ``pace`` the pause after a bot's move."""

    clock: ClockOptions | None
    hints: bool = False
    pace: float = 0.5


class PlaySession:
    """One game of a person; ``bots`` by seat, ``None`` where the person sits."""

    def __init__(
        self, game: Game, bots: Sequence[Bot | None], desk: Desk, file: GameFile, settings: PlaySettings
    ) -> None:
        self.game, self.desk, self.file = game, desk, file
        self.seat = list(bots).index(None)
        self._bots = bots
        self.names = seat_names([bot is None for bot in bots])
        self._pace = settings.pace
        self._hinting = settings.hints
        self._reserve = Reserve(settings.clock, desk.now)
        self._log: deque[str] = deque(maxlen=LOG)
        self._note = ""

    def run(self) -> None:
        """Play to the end; raises ``Left`` if the player leaves. The game is saved in any case."""
        self.file.save(self.game)
        self._tell(self.game.events[-2:])
        try:
            while not self.game.is_over:
                self._move()
        finally:
            self._save_at_last()
        self._page(final_sheet(self.game, self.names))

    def _save_at_last(self) -> None:
        """Save, even if a fatal signal interrupts it."""
        try:
            self.file.save(self.game)
        except SystemExit:
            self.file.save(self.game)
            raise

    def _move(self) -> None:
        """Let the next seat act; bots answer first, so that no question to the player is in vain."""
        game = self.game
        seat = next((seat for seat in game.to_act if seat != self.seat), self.seat)
        bot = self._bots[seat]
        if bot is None:
            action = self._ask()
            happened = game.play(seat, action)
            self.file.save(game)
        else:
            happened = game.play(seat, bot.choose(game, seat))
        self._tell(happened)
        if is_end(happened):
            self._end_hand(happened)
        elif bot is not None and any(
            isinstance(event, e.Discarded | e.Called | e.KanDeclared) for event in happened
        ):
            self._draw(None)
            self.desk.wait(self._pace)

    def _tell(self, happened: Sequence[e.Event]) -> None:
        for event in happened:
            if not isinstance(event, _UNTOLD):
                self._log.append(" " + event_in_words(hide(event, self.seat), self.names))

    def _end_hand(self, happened: Sequence[e.Event]) -> None:
        self.file.save(self.game)
        for page in result_pages(happened, self.names):
            self._page(page)
        self._reserve.refill()

    def _ask(self) -> Action:
        """Ask the player until there is an answer or the time has run out."""
        prompt = Prompt.of(self.game.view(self.seat))
        if len(prompt.view.legal) == 1:  # in riichi, when the drawn tile must be discarded
            self._draw(prompt)
            self.desk.wait(self._pace)
            return prompt.view.legal[0]
        self._reserve.start(claim=prompt.is_claim)
        self._note = ""
        advice: list[Text] | None = None
        while True:
            if self._hinting and advice is None:
                advice = hints(self.game, prompt)
            self._draw(prompt, advice if self._hinting and advice else ())
            if self._reserve.is_over:
                self._reserve.stop()
                return prompt.timed_out
            key = self.desk.keys.key(TICK)
            action = prompt if key is None or self._is_command(key) else prompt.press(key)
            if isinstance(action, Prompt):
                advice = advice if action.declaring == prompt.declaring else None
                self._note = "" if action != prompt else self._note
                prompt = action
            elif isinstance(action, Refused):
                self._note = self._why_not(action)
            else:
                self._reserve.stop()
                return action

    def _why_not(self, refused: Refused) -> str:
        """Why that is not allowed. A penalised foul would be possible, but the player is not led into one."""
        if reason(self.game, self.seat, refused.what).code == "may":
            return said("foul")
        return why(self.game, self.seat, refused.what)

    def _is_command(self, key: str) -> bool:
        """Carry out a command that is no move: hints, help, saving, leaving. The clock stops meanwhile."""
        began = self.desk.now()
        if key == "h":
            self._hinting = not self._hinting
        elif key == "?":
            self._page(help_page(self.game.rules))
        elif key == "s":
            self.file.save(self.game)
            self._note = said("saved", path=self.file.path)
        elif key == "q":
            self._leave()
        else:
            return False
        self._reserve.extend(self.desk.now() - began)
        return True

    def _leave(self) -> None:
        """Leave after the player confirms."""
        self._note = said("ask.quit")
        self._draw(None, keys=said("keys.quit"))
        self._note = ""
        while (key := self.desk.keys.key(None)) is not None:
            if key in ("y", "q", *_CONFIRM):
                raise Left
            if key in ("n", "esc", "x"):
                return

    def _page(self, content: RenderableType) -> None:
        """Show a page until the player continues."""
        first = 0
        while True:
            screen, first = self.desk.page(content, first, said("keys.page"))
            self.desk.show(screen)
            key = self.desk.keys.key(None)
            if key in (*_CONFIRM, "esc", "?"):
                return
            if key == "q":
                self._leave()
            first += _SCROLL.get(key or "", 0)

    def _draw(self, prompt: Prompt | None, advice: Sequence[Text] = (), keys: str | None = None) -> None:
        scene = Scene(
            self.seat, self.names, prompt, list(self._log), advice, self._note, height=self.desk.height
        )
        time = self._reserve.left() if prompt is not None and len(prompt.view.legal) > 1 else None
        self.desk.show(table_screen(self.game, replace(scene, time=time, keys=keys or keys_line(prompt))))


def seat_names(people: Sequence[bool]) -> list[str]:
    """The names of the seats, people and bots; the bots are numbered in turn order."""
    names, number = [], 0
    for is_person in people:
        number += not is_person
        names.append(said("you") if is_person else said("bot", number=number))
    return names
