"""Short texts that every format of the booklet puts together in the same way."""

from jantaku import terms
from jantaku.booklet.document import YakuCard


def worth_text(card: YakuCard) -> str:
    """``1 han, closed hands only``; ``closed 3 han · open 2 han``."""
    off = terms.text("cli.sheet.off")
    if card.open == off:
        return terms.text("sheet.booklet.worth_closed", None, worth=card.closed)
    if card.closed == off:
        return terms.text("sheet.booklet.worth_open", None, worth=card.open)
    if card.closed == card.open:
        return terms.text("sheet.booklet.worth_both", None, worth=card.closed)
    return terms.text("sheet.booklet.worth", None, closed=card.closed, open=card.open)
