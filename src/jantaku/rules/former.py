"""Presets as they were before a correction, for records that name a preset and its fingerprint only."""

import tomllib
from importlib import resources

from jantaku.rules.ruleset import Ruleset


def as_it_was(rules: Ruleset, fingerprint: object) -> Ruleset:
    """The preset ``rules`` as it was when it had this fingerprint; ``rules`` itself if it never had."""
    text = resources.files(__package__).joinpath("former.toml").read_text("utf-8")
    for row in tomllib.loads(text)["former"]:
        if rules.id in row["presets"]:
            before = rules.with_changes(row["changes"], name=rules.id)
            if before.fingerprint == fingerprint:
                return before
    return rules
