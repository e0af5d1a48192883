"""The built-in yaku as conditions in the language of custom yaku."""

import csv
from functools import cache
from importlib import resources


@cache
def written() -> dict[str, str]:
    """Return the conditions of the built-in yaku that the language can express, in catalogue order."""
    text = resources.files(__package__).joinpath("yaku_as_conditions.tsv").read_text("utf-8")
    return {
        row["yaku"]: row["when"] for row in csv.DictReader(text.splitlines(), delimiter="\t") if row["when"]
    }
