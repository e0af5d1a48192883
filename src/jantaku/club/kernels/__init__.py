"""Compiled code of the club's logic."""
