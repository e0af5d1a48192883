"""Compiled code of the club package."""
