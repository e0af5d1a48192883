"""Online tables whose games count for an event."""
