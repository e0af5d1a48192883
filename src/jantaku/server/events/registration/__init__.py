"""Entries, their names, and who plays."""
