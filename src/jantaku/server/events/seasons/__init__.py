"""Seasons that combine several events."""
