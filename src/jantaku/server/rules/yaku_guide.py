"""The yaku of a ruleset with what each is worth and a drawn example: the booklet's chapter as data."""

from typing import Any

from jantaku import terms
from jantaku.booklet.document import ExampleHand, YakuCard, YakuCards
from jantaku.booklet.yaku import yaku_blocks
from jantaku.game.codecs import meld_to_dict
from jantaku.rules import Ruleset
from jantaku.server.rules.rules_names import rules_name
from jantaku.tiles import format_tiles

Data = dict[str, Any]


def yaku_guide(rules: Ruleset, language: terms.Language) -> Data:
    """``YakuGuide`` as data; raises ``RulesError`` (``no_example``) as the booklet does."""
    with terms.using(language):
        groups = [
            {"title": block.title, "yaku": [_shown(card) for card in block.cards]}
            for block in yaku_blocks(rules, language)
            if isinstance(block, YakuCards)
        ]
        return {"id": rules.id, "name": rules_name(rules, language), "groups": groups}


def _shown(card: YakuCard) -> Data:
    return {
        "id": card.id,
        "name": card.name,
        "names": dict(card.names),
        "worth": card.worth,
        "standard": card.standard,
        "definition": card.definition,
        "notes": list(card.notes),
        "example": None if card.example is None else example_data(card.example),
    }


def example_data(example: ExampleHand) -> Data:
    """``YakuExample`` as data."""
    hand = example.win.hand
    return {
        "hand": format_tiles(hand.tiles),
        "win": format_tiles([example.win.tile]),
        "melds": [meld_to_dict(meld) for meld in hand.melds],
        "how": example.how,
        "value": example.value,
    }
