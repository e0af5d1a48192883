"""Shared by all parts of an event: its plan, the rights in it, and its request and response bodies."""
