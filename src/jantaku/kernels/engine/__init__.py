"""The game engine: one record, and the compiled functions that change it."""
