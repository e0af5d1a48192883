"""The game engine: one record, and the only compiled functions that change it."""
