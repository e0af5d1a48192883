"""Jantaku's own records: game files, compact text, and the mark that describes their rules."""
