"""Tenhou's XML logs: reading, replaying, checking against the rules, and writing."""
