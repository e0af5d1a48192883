"""Hints for the player: discards, waits and the choice of a bot."""

from collections.abc import Mapping

from rich.text import Text

from jantaku import terms
from jantaku.adjudication.analysis import best_discards, shanten_forms, waits
from jantaku.bots import advice, danger
from jantaku.cli.hand import distance
from jantaku.cli.play.prompt import Prompt
from jantaku.cli.play.screen import said
from jantaku.cli.table_view import cell, row
from jantaku.game import Action, Chi, Discard, Game, Kan, Pon
from jantaku.game.view import View
from jantaku.hand import Hand
from jantaku.rules import Ruleset
from jantaku.tiles import NORTH, RED, Tile

MOST_DISCARDS = 3


def hints(game: Game, prompt: Prompt) -> list[Text]:
    """Lines of advice, the most useful first."""
    view = prompt.view
    lines = [_advice(advice(game, view.seat))]
    if prompt.discards:
        lines += _discards(prompt, danger(game, view.seat), game.rules)
    elif prompt.is_claim:
        lines.append(_distance(view, game.rules))
    if view.furiten:
        lines.append(Text(said(f"hint.furiten_{view.furiten}"), "red"))
    return lines


def seen(view: View) -> list[Tile]:
    """The tiles that lie open besides the seat's own; a called discard counts in its meld."""
    tiles = [tile.tile for row_ in view.rivers for tile in row_ if not tile.called]
    tiles += [Tile(NORTH)] * (sum(view.kita) - view.kita[view.seat])
    for seat, melds in enumerate(view.melds):
        if seat != view.seat:
            tiles += [tile for meld in melds for tile in meld.tiles]
    for seat, hand in enumerate(view.shown):
        if seat != view.seat and hand is not None:
            tiles += hand
    return [*tiles, *view.indicators]


def _advice(action: Action) -> Text:
    """What a bot would do."""
    text = Text().append(" " + said("hint.bot") + " ", "green")
    if isinstance(action, Discard):
        if action.riichi:
            text.append(said(f"option.{action.riichi}") + " ")
        return text.append_text(cell(action.tile))
    name = action.kind if isinstance(action, Kan) else action.type
    text.append(said(f"option.{name}"))
    if isinstance(action, Chi):
        text.append(" ").append_text(row(action.tiles, ""))
    if isinstance(action, Pon) and action.red:
        text.append(" " + terms.text("explain.bonus.red_dora"))
    return text


def _distance(view: View, rules: Ruleset) -> Text:
    """How far a hand of 13 is from tenpai, or its waits and the copies left."""
    hand = Hand(view.hand, view.melds[view.seat])
    man, kita, in_melds = rules.tiles.man, view.kita[view.seat], rules.draw.wait_in_melds
    text = Text().append(f" {distance(shanten_forms(hand, man, kita, in_melds).shanten)}", "green")
    for wait in waits(hand, seen(view), man, kita, in_melds):
        text.append("  ").append_text(cell(wait.tile)).append(f"×{wait.left}")
    return text


def _discards(prompt: Prompt, risks: Mapping[Tile, float], rules: Ruleset) -> list[Text]:
    """The best legal discards, the tiles that then improve the hand, and their risks."""
    view = prompt.view
    allowed = {prompt.tiles[index] % RED for index in prompt.allowed}
    hand = Hand(prompt.tiles, view.melds[view.seat])
    kita, in_melds = view.kita[view.seat], rules.draw.wait_in_melds
    choices = best_discards(hand, seen(view), rules.tiles.man, kita, in_melds)
    best = [discard for discard in choices if discard.tile in allowed]
    discards = []
    for discard in best[:MOST_DISCARDS]:
        line = Text(" ", no_wrap=True, overflow="ellipsis").append_text(cell(discard.tile))
        line.append(
            f" → {distance(discard.shanten)}, " + said("hint.copies", count=discard.copies) + "  ",
            "green",
        )
        risk = round(risks.get(Tile(discard.tile), 0.0))
        if risk:
            line.append(said("hint.danger", points=risk) + "  ", "red")
        discards.append(line.append_text(row(discard.tiles, "")))
    return discards
