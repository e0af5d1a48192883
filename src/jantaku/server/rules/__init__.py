"""Rulesets for the browser: pages, booklets and the yaku."""
