"""The standings of a workbook that an event was exported to, counted from the points at the end of its games.

It knows the sheets' columns and the text of the rules, and no code of the product.
"""

GAME, SEAT = (
    5,
    5,
)  # the columns of a game before its first seat, and of a seat: id, name, points, final, place
