"""Rulesets for the web pages: sheets, booklets and yaku guides."""
