"""Opening, changing, importing and exporting an event."""
