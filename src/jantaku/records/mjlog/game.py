"""Convert a Tenhou log (XML) into a ``Game`` after checking all of it."""

from collections.abc import Iterator
from dataclasses import replace

from jantaku.errors import RecordError
from jantaku.game import Game, actions
from jantaku.game.events import DoraTurned, Drew, HandStarted
from jantaku.game.fair_walls import tile_set
from jantaku.hand import MeldType
from jantaku.kernels.engine.state import CLAIMS
from jantaku.records import script
from jantaku.records.as_recorded import LoggedGame
from jantaku.records.inferred_rules import LoggedEnd
from jantaku.records.mjlog import log as steps
from jantaku.records.mjlog.difference import LogMismatchError
from jantaku.records.mjlog.log import KINDS_OF_DRAW, Call, Log, LogHand, LogWon
from jantaku.records.mjlog.parsing import parse
from jantaku.records.mjlog.recorded_endings import log_end
from jantaku.records.mjlog.replay import replay, rules_of, standing_of
from jantaku.records.mjlog.verify import verify
from jantaku.records.mjlog.wall import KANS, wall_of
from jantaku.records.mjlog.write import dumps_mjlog
from jantaku.records.unlogged import with_unlogged
from jantaku.tiles import RED, Tile, sort_tiles


def game_of(log: Log) -> Game:
    """Return the game recorded in a log; raise ``LogMismatchError`` if the log contradicts the rules."""
    if log.mark:
        return _own_game(log)
    difference = verify(log).difference
    if difference is not None:
        raise LogMismatchError(difference.hand, difference.what, difference.log, difference.engine)
    rules = rules_of(log)
    walls = [[log.tile(number) for number in wall_of(hand, rules)] for hand in log.hands]
    game = Game(rules, walls=[*walls, tile_set(rules)], standing=standing_of(log, rules))
    for decision in replay(log):
        called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
        game.play(decision.seat, actions.decode(decision.action, called))
    return game


def _own_game(log: Log) -> Game:
    """Return the game of a log written by Jantaku: play it, write it again, and compare."""
    rules = rules_of(log)
    try:
        game = script.play_script(script_of(log), rules, ended=log.final is not None, mid_game=True)
    except script.ScriptError as error:
        hand, what = error.position
        raise LogMismatchError(hand, what, error.log, error.engine) from error
    again = parse(dumps_mjlog(game, log.names), log.path, rules)
    for number, (theirs, ours) in enumerate(zip(log.hands, again.hands, strict=False), 1):
        _compare(number, theirs, ours, is_last=number == len(log.hands))
    return game


def _compare(number: int, theirs: LogHand, ours: LogHand, *, is_last: bool) -> None:
    """Raise ``LogMismatchError`` if a hand of the log differs from the one Jantaku writes.

    ``is_last``: the log may stop before the hand ends.
    """
    starts = replace(theirs, steps=()), replace(ours, steps=())
    if starts[0] != starts[1]:
        raise LogMismatchError(number, "start", *starts)
    for what, kind in (("action", _without_indicators), ("indicators", _indicators)):
        logged, wanted = kind(theirs), kind(ours)
        for one, other in zip(logged, wanted, strict=False):
            if one != other:
                raise LogMismatchError(number, what, one, other)
        more = len(logged) - len(wanted)
        if more > 0 or (more and not is_last):
            raise LogMismatchError(number, "end", len(logged), len(wanted))


def _indicators(hand: LogHand) -> list[steps.Step]:
    """Return the indicators in order; a log may turn them earlier or later than the engine."""
    return [step for step in hand.steps if isinstance(step, steps.LogDoraTurned)]


def _without_indicators(hand: LogHand) -> list[steps.Step]:
    """Return the other steps without the order of yaku and the fu of limits, which some logs omit."""
    return [
        replace(
            step,
            yaku=tuple(sorted(step.yaku)),
            yakuman=tuple(sorted(step.yakuman)),
            local=tuple(sorted(step.local)),
            fu=0 if step.limit else step.fu,
        )
        if isinstance(step, LogWon)
        else step
        for step in hand.steps
        if not isinstance(step, steps.LogDoraTurned)
    ]


def logged_of_mjlog(log: Log) -> LoggedGame:
    """Return the contents of a log, even if they contradict the rules."""
    ending = None if log.final is None else LoggedEnd(*log.final)
    return LoggedGame(
        script_of(log),
        [log_end(hand) for hand in log.hands],
        rules_of(log),
        lambda place, reason: RecordError("mjlog_bad_hand", path=log.path, hand=place[0], reason=reason),
        log.names,
        ending,
        log.chips,
        cut=log.cut,
    )


def script_of(log: Log) -> list[script.ScriptHand]:
    """Return the hands of a log as a script."""
    return with_unlogged([_hand(log, hand, number) for number, hand in enumerate(log.hands, 1)], log.mark)


def _hand(log: Log, hand: LogHand, number: int) -> script.ScriptHand:
    start = HandStarted(
        hand.number,
        hand.honba,
        hand.deposits,
        hand.dealer,
        scores=hand.scores,
        indicator=log.tile(hand.dora),
        hands=tuple(tuple(sort_tiles(map(log.tile, tiles))) for tiles in hand.dealt),
    )
    reader = _LogReader(log)
    read = tuple(
        script.ScriptStep((number, "action"), what) for step in hand.steps for what in reader.read(step)
    )
    return script.ScriptHand((number, "start"), start, read)


class _LogReader:
    """Converts the steps of one hand of a log into script steps."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.riichi: steps.LogRiichi | None = None
        self.after_kan = False
        self.drawn = -1

    def read(self, step: steps.Step) -> Iterator[script.StepContent]:
        """Yield the script steps of one log step."""
        tile = self.log.tile
        if isinstance(step, steps.LogDraw):
            yield Drew(step.seat, tile(step.tile), self.after_kan)
            self.after_kan, self.drawn = False, step.tile
        elif isinstance(step, steps.LogRiichi):
            self.riichi = step
        elif isinstance(step, steps.LogDiscard):
            riichi: actions.Riichi | None = None
            if self.riichi is not None:
                riichi = "open" if self.riichi.is_open else "riichi"
            yield script.ScriptAct(
                step.seat, actions.Discard(tile(step.tile), step.tile == self.drawn, riichi)
            )
            self.riichi, self.drawn = None, -1
        elif isinstance(step, Call):
            self.after_kan, self.drawn = step.kind in KANS, -1
            yield self._call(step)
        elif isinstance(step, steps.LogKita):
            self.after_kan, self.drawn = True, -1
            yield script.ScriptAct(step.seat, actions.Kita())
        elif isinstance(step, steps.LogDoraTurned):
            yield DoraTurned(indicator=tile(step.tile))
        elif isinstance(step, LogWon):
            yield script.UraIndicators(tuple(map(tile, step.ura)))
            yield script.ScriptAct(step.seat, actions.Tsumo() if step.seat == step.source else actions.Ron())
        elif isinstance(step, steps.Drawn):
            yield script.EndWithoutWin(KINDS_OF_DRAW[step.kind])

    def _call(self, call: Call) -> script.ScriptAct:
        own = sort_tiles(self.log.tile(number) for number in call.tiles if number != call.called)
        action = _action(call.kind, own, Tile(0) if call.called is None else self.log.tile(call.called))
        if call.kind in (MeldType.ANKAN, MeldType.KAKAN):
            return script.ScriptAct(call.seat, action)
        return script.ScriptAct(call.seat, action, self.log.tile(call.called or 0), call.source)


def _action(kind: MeldType, own: list[Tile], called: Tile) -> actions.Action:
    match kind:
        case MeldType.CHI:
            return actions.Chi((own[0], own[1]))
        case MeldType.PON:
            return actions.Pon(sum(tile >= RED for tile in own))
        case MeldType.DAIMINKAN:
            return actions.Kan("daiminkan", called)
        case MeldType.KAKAN:
            return actions.Kan("kakan", called)
        case _:
            return actions.Kan("ankan", Tile(own[0] % RED))
