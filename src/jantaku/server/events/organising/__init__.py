"""Creating, changing, importing and exporting an event."""
