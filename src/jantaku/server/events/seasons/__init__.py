"""Seasons over several events."""
