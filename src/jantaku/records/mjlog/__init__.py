"""Tenhou's XML logs: read, replayed on the engine, checked against the rules, and written."""
