"""The game: one record, and the compiled functions that are alone in changing it."""
