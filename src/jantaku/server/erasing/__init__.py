"""Deleting a person everywhere at their request."""
